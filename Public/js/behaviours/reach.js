// The button that floats above the tabs goes while the form it belongs to is in sight, and while it would lie over the
// page's title: it covers neither. It keeps its place in the page: nothing moves from under a finger.
// What a link belongs to is said by the bar: <p data-behaviour="reach" data-of="register">.
export default function reach(bar) {
  const form = bar.querySelector("button")?.form ?? document.getElementById(bar.dataset.of)
  const title = document.querySelector("h1")
  if (!form || !title) return
  const inTheWay = new Set()
  const look = (part, area) => {
    const sight = new IntersectionObserver(entries => {
      inTheWay[entries.at(-1).isIntersecting ? "add" : "delete"](part)
      // The focus doesn't get lost with it: the form's own button does the same.
      if (inTheWay.size && bar.contains(document.activeElement)) form.querySelector("button:not([type='button']), a.button")?.focus({ preventScroll: true })
      bar.inert = inTheWay.size > 0
    }, area)
    sight.observe(part)
    return sight
  }
  let strip
  let sight
  const measure = () => {
    strip?.disconnect()
    sight?.disconnect()
    const bottom = parseFloat(getComputedStyle(bar).bottom) || 0
    // A part behind the tabs isn't in sight.
    sight = look(form, { rootMargin: `0px 0px ${-Math.floor(bottom)}px 0px` })
    // From its upper edge, where it floats, to the window's end.
    const top = innerHeight - bar.offsetHeight - bottom
    strip = look(title, { rootMargin: `${-Math.floor(top)}px 0px 0px 0px` })
  }
  measure()
  addEventListener("resize", () => {
    inTheWay.delete(title)
    bar.inert = inTheWay.size > 0
    measure()
  })
}
