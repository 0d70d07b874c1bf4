// A form that didn't reach the site, as the worker tells: its page stays as it is, and says so. Should the page go before
// the form is sent, what was typed is in it again once this tab comes back to it.
import { fill, typed } from "./keep.js"

export default function unsent(dialog) {
  const place = `unsent ${dialog.dataset.reader} ${location.pathname}`
  let sent

  addEventListener("submit", ({ target }) => {
    if (dialog.contains(target)) return
    sent = target
    sessionStorage.removeItem(place)
  }, true)

  function say(form) {
    const files = [...form.elements].filter(it => it.type === "file")
    dialog.querySelector("[data-files]").hidden = !files.some(it => it.files.length)
    if (!dialog.open) dialog.showModal()
  }

  navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    if (data !== "unsent" || !sent) return
    sent.dispatchEvent(new Event("unsent"))
    say(sent)
    // A button alone is pressed again.
    if (![...sent.elements].some(it => !/^(hidden|submit|button)$/.test(it.type))) return
    try {
      sessionStorage.setItem(place, JSON.stringify([sent.getAttribute("action"), typed(sent)]))
    } catch { /* no room, or not allowed: it is in the page */ }
  })

  const [action, values] = JSON.parse(sessionStorage.getItem(place) ?? "[]")
  const form = action && [...document.forms].find(it => it.getAttribute("action") === action)
  if (!form) return
  fill(form, values)
  say(form)
}
