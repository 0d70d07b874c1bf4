// Sends a form once, however often its button is pressed. The button stays enabled, so that its name and value go along;
// the server has its own guard (the form's `once`).
export default function once(form) {
  const set = sent => {
    form.toggleAttribute("data-sent", sent)
    for (const button of form.querySelectorAll("button:not([type='button'])")) button.ariaBusy = sent || null
  }
  form.addEventListener("submit", event => {
    if (form.hasAttribute("data-sent")) return event.preventDefault()
    // After all who listen: a script that sends the form by itself says so only then.
    setTimeout(() => { if (!event.defaultPrevented) set(true) })
    // An answer that leaves the page standing (a download, a lost connection) must not leave the form dead.
    setTimeout(set, 8000, false)
  })
  window.addEventListener("pageshow", () => set(false))
  form.addEventListener("unsent", () => set(false))
}
