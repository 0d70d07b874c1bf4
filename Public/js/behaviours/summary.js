// The problem summary takes the focus, and its links go to the control itself, its label in view.
export default function summary(box) {
  box.focus()
  box.addEventListener("click", event => {
    const link = event.target.closest("a[href^='#']")
    const control = link && document.getElementById(decodeURIComponent(link.hash.slice(1)))
    if (!control) return
    event.preventDefault()
    const field = control.closest(".field") ?? control
    field.scrollIntoView({ block: "start" })
    control.focus({ preventScroll: true })
  })
}
