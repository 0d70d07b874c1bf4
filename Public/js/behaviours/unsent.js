// A form that didn't reach the site, as the worker tells: its page stays as it is, and says so. Should the page go before
// the form is sent, what was typed is in it again once this tab comes back to it.
import { fill, typed } from "./keep.js"

// Forms of one action are told apart by what they say of themselves.
const identity = form => JSON.stringify([
  new URL(form.getAttribute("action") ?? "", location).href,
  [...form.elements].filter(it => it.type === "hidden" && !/^(csrf|once)$/.test(it.name))
    .map(it => [it.name, it.value]),
])

export default function unsent(dialog) {
  const own = ["unsent", "form"].map(kind => `${kind} ${dialog.dataset.reader} `)
  const place = own[0] + location.pathname
  let sent

  // Text typed by another family member is none of this one’s business.
  for (const key of Object.keys(sessionStorage)) {
    if (/^(unsent|form) /.test(key) && !own.some(it => key.startsWith(it))) sessionStorage.removeItem(key)
  }

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
    // Of somebody who isn't logged in nobody knows whose it would be.
    if (!dialog.dataset.reader) return
    try {
      sessionStorage.setItem(place, JSON.stringify([identity(sent), typed(sent)]))
    } catch { /* no room, or not allowed: it is in the page */ }
  })

  const [whose, values] = JSON.parse(sessionStorage.getItem(place) ?? "[]")
  const form = whose && [...document.forms].find(it => identity(it) === whose)
  if (!form) return
  fill(form, values)
  say(form)
}
