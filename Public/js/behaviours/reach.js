// The button that floats above the tabs goes while the form it belongs to is in sight: it covers none of its fields.
export default function reach(bar) {
  const form = bar.querySelector("button")?.form
  if (!form) return
  new IntersectionObserver(entries => {
    const isInSight = entries.at(-1).isIntersecting
    // The focus doesn't get lost with it: the form's own button does the same.
    if (isInSight && bar.contains(document.activeElement)) form.querySelector("button:not([type='button'])")?.focus()
    bar.hidden = isInSight
  }).observe(form)
}
