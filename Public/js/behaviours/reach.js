// The button that floats above the tabs goes while the form it belongs to is in sight, and while it would lie over the
// page's title: it covers neither.
export default function reach(bar) {
  const form = bar.querySelector("button")?.form
  const title = document.querySelector("h1")
  if (!form || !title) return
  const inTheWay = new Set()
  const look = (part, area) => {
    const sight = new IntersectionObserver(entries => {
      inTheWay[entries.at(-1).isIntersecting ? "add" : "delete"](part)
      // The focus doesn't get lost with it: the form's own button does the same.
      if (inTheWay.size && bar.contains(document.activeElement)) form.querySelector("button:not([type='button'])")?.focus({ preventScroll: true })
      bar.hidden = inTheWay.size > 0
    }, area)
    sight.observe(part)
    return sight
  }
  look(form)
  let strip
  const measure = () => {
    strip?.disconnect()
    if (bar.hidden) return
    // From its upper edge, where it floats, to the window's end.
    const { bottom } = getComputedStyle(bar)
    const top = innerHeight - bar.offsetHeight - (parseFloat(bottom) || 0)
    strip = look(title, { rootMargin: `${-Math.floor(top)}px 0px 0px 0px` })
  }
  measure()
  addEventListener("resize", () => {
    inTheWay.delete(title)
    bar.hidden = inTheWay.size > 0
    measure()
  })
}
