// The form under a card: arrow keys, and a swipe over the card, press its buttons.
export default function cards(form) {
  const press = choice => form.querySelector(`[value="${choice}"]`)?.click()
  const card = document.querySelector(".pet")
  document.addEventListener("keydown", event => {
    if (document.querySelector("dialog[open]")) return
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    // Where the arrows move something else they go on doing so.
    if (event.target.closest("input, textarea, select, summary, [tabindex='0']")) return
    if (event.key === "ArrowLeft") press("pass")
    if (event.key === "ArrowRight") press("hello")
  })
  let start
  card?.addEventListener("touchstart", event => {
    // Several pictures are leafed through by the same gesture.
    start = event.touches.length === 1 && !event.target.closest("[tabindex='0']") ? event.touches[0] : null
  }, { passive: true })
  card?.addEventListener("touchend", event => {
    if (!start) return
    const [end] = event.changedTouches
    const across = end.clientX - start.clientX
    if (Math.abs(across) < 80 || Math.abs(end.clientY - start.clientY) > Math.abs(across) / 2) return
    press(across < 0 ? "pass" : "hello")
  }, { passive: true })
}
