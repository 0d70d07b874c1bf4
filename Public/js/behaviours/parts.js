// A long form whose buttons change a part of it, in place: another row, a place filled in. <form data-behaviour="parts">
// holds <fieldset data-part id="programme"> with <button name="step" formaction="…#activity-4" data-done="Copied">.
// The server answers with the whole page, as without a script: that part of it is taken (data-also: another too), what
// the fragment names has the focus (data-focus says another, data-stays the same button), data-done is read aloud, or
// without it what the part has in data-tells. What fails is sent as usual.
import { enliven } from "../app.js"

export default function parts(form) {
  form.addEventListener("click", async event => {
    const button = event.target.closest("button[formaction]")
    const part = button?.closest("[data-part]")
    if (!part) return
    event.preventDefault()
    const body = new FormData(form, button)
    for (const [name, value] of [...body]) if (value instanceof File) body.delete(name)
    // Nothing may be typed that the answer wouldn't have.
    part.inert = true
    let page
    try {
      const answer = await fetch(button.formAction, { method: "POST", body })
      if (answer.ok) page = new DOMParser().parseFromString(await answer.text(), "text/html")
    } catch { /* sent below */ }
    part.inert = false
    const fresh = page?.getElementById(part.id)
    if (!fresh) return form.requestSubmit(button)
    const { also } = part.dataset
    if (also) document.getElementById(also).replaceWith(page.getElementById(also))
    part.replaceWith(fresh)
    enliven(fresh)
    const named = document.getElementById(decodeURIComponent(new URL(button.formAction).hash.slice(1)))
    const { stays, focus, done } = button.dataset
    const first = stays == null ? "input:not([type=hidden]), textarea, button:not(.hidden)" : `[value="${button.value}"]`
    ;(named?.querySelector(focus ?? first) ?? fresh.querySelector("input:not([type=hidden])"))?.focus()
    form.querySelector("[data-said]").textContent =
      done ?? fresh.querySelector("[data-tells]")?.textContent.trim() ?? ""
  })

  // Back from a preview, rows that were added in place aren't in the page that came: sent along, the server draws them.
  const again = form.querySelector("[data-again]")
  const back = () => {
    const rows = [...form.kept].filter(([name]) => again && /\.\d+\./.test(name) && !form.elements[name])
    for (const [name, value] of rows) again.after(Object.assign(document.createElement("input"), { type: "hidden", name, value }))
    if (rows.length) again.click()
  }
  form.kept ? back() : form.addEventListener("kept", back)

  // In a field with a button of its own Enter means that button.
  form.addEventListener("keydown", event => {
    const { enter } = event.target.dataset
    if (event.key !== "Enter" || !enter) return
    event.preventDefault()
    event.target.closest("[data-part]").querySelector(`button[value="${enter}"]`).click()
  })
}
