// A long form whose buttons change a part of it, in place: another row, a place filled in. <form data-behaviour="parts">
// holds <fieldset data-part id="programme"> with <button name="step" formaction="…#activity-4" data-done="Copied">.
// The server answers with the whole page, as without a script: that part of it is taken (data-also: another too), what
// the fragment names has the focus (data-focus says another, data-stays the same button), data-done is read aloud, or
// without it what the part has in data-tells. A part with rows has a hidden button with data-again, which draws all such
// parts. What fails is sent as usual.
import { enliven } from "../app.js"

export default function parts(form) {
  form.addEventListener("click", async event => {
    const button = event.target.closest("button[formaction]")
    const part = button?.closest("[data-part]")
    if (!part) return
    event.preventDefault()
    const isAgain = button.dataset.again != null
    const taken = isAgain ? [...form.querySelectorAll("[data-again]")].map(it => it.closest("[data-part]")) : [part]
    const body = new FormData(form, button)
    for (const [name, value] of [...body]) if (value instanceof File) body.delete(name)
    // Nothing may be typed that the answer wouldn't have.
    for (const it of taken) it.inert = true
    let page
    try {
      const answer = await fetch(button.formAction, { method: "POST", body })
      if (answer.ok) page = new DOMParser().parseFromString(await answer.text(), "text/html")
    } catch { /* sent below */ }
    for (const it of taken) it.inert = false
    if (!taken.every(it => page?.getElementById(it.id))) return form.requestSubmit(button)
    const { also } = part.dataset
    if (also) document.getElementById(also).replaceWith(page.getElementById(also))
    for (const it of taken) {
      const fresh = page.getElementById(it.id)
      // What is folded away opens where it holds something now.
      if (fresh.closest("details")?.open) it.closest("details").open = true
      it.replaceWith(fresh)
      enliven(fresh)
    }
    if (isAgain) return
    const fresh = document.getElementById(part.id)
    const named = document.getElementById(decodeURIComponent(new URL(button.formAction).hash.slice(1)))
    const { stays, focus, done } = button.dataset
    const first = stays == null ? "input:not([type=hidden]), textarea, button:not(.hidden)" : `[value="${button.value}"]`
    ;(named?.querySelector(focus ?? first) ?? fresh.querySelector("input:not([type=hidden])"))?.focus()
    form.querySelector("[data-said]").textContent =
      done ?? fresh.querySelector("[data-tells]")?.textContent.trim() ?? ""
  })

  // Back from a preview, rows that were added in place aren't in the page that came, and rows that were taken away are:
  // the server draws those that there were, in all parts that have rows. Boxes go along that were ticked, as `keep` names
  // them: "question.0.for=child".
  const isRow = name => /\.\d+\./.test(name)
  const back = () => {
    const again = form.querySelector("[data-again]")
    if (!again || !form.kept.size) return
    const added = [...form.kept]
      .flatMap(([name, value]) => typeof value != "boolean" ? [[name, value]] : value ? [name.split("=")] : [])
      .filter(([name]) => isRow(name) && !form.elements[name])
    const gone = [...form.elements]
      .filter(it => isRow(it.name) && !form.kept.has(it.name) && !form.kept.has(`${it.name}=${it.value}`))
    for (const [name, value] of added) again.after(Object.assign(document.createElement("input"), { type: "hidden", name, value }))
    for (const it of gone) it.disabled = true
    if (added.length || gone.length) again.click()
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
