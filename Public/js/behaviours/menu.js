// <details data-behaviour="menu">: without this it opens and closes by its summary alone. With it, Escape, a press
// outside and the focus going elsewhere close it too.
export default function menu(details) {
  const summary = details.querySelector("summary")
  document.addEventListener("pointerdown", event => {
    if (!details.contains(event.target)) details.open = false
  })
  details.addEventListener("focusout", event => {
    if (event.relatedTarget && !details.contains(event.relatedTarget)) details.open = false
  })
  document.addEventListener("keydown", event => {
    if (event.key !== "Escape" || !details.open) return
    details.open = false
    summary.focus()
  })
}
