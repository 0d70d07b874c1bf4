// A long form that comes back as it was left when one goes back to it. Browsers keep nothing of the pages of somebody
// signed in (they are `no-store`), so it would come back empty. What was typed stays in this tab alone, for its reader
// alone. The form's `once` comes back with it: what was published already is not published again.
// A sheet that is drawn from what holds now (its `autocomplete` is off) comes back after a reload, too, if somebody typed
// in it, and only until it is sent; a button on the way to something else (`formnovalidate`) doesn't send it.
const fields = form => [...form.elements].filter(it => it.name && it.name !== "csrf"
  && !/^(password|file|submit)$/.test(it.type) && !/^(one-time-code|(current|new)-password)$/.test(it.autocomplete))
// Boxes of one name are told apart by what they stand for.
const isTick = it => it.type === "checkbox" || it.type === "radio"
const key = it => isTick(it) ? `${it.name}=${it.value}` : it.name

/** What stands in a form, but for passwords and files. */
export const typed = form => fields(form).map(it => [key(it), isTick(it) ? it.checked : it.value])

/** Puts it back. */
export function fill(form, pairs) {
  const values = new Map(pairs)
  for (const it of fields(form)) {
    // What a sheet offers is what holds now; hidden fields of one name aren't told apart.
    if (it.disabled || !values.has(key(it)) || it.type === "hidden" && form.autocomplete === "off"
      && !/^(once|drawn)$/.test(it.name)) continue
    const value = values.get(key(it))
    if (isTick(it)) it.checked = value
    else it.value = value
    // The page that came back is shown.
    const fold = it.type === "radio" || !value ? null : it.closest("details")
    if (fold) fold.open = true
    it.dispatchEvent(new Event("input", { bubbles: true }))
    it.dispatchEvent(new Event("change", { bubbles: true }))
  }
  form.kept = values
  form.dispatchEvent(new Event("kept"))
}

export default function keep(form) {
  const reader = document.querySelector("dialog[data-reader]")?.dataset.reader
  if (!reader) return
  const isSheet = form.autocomplete === "off"
  // What an address asks for, such as a kind of help, makes another form of it.
  const place = `form ${reader} ${location.pathname}${isSheet ? "" : location.search}`
  let isTouched = !isSheet
  let isSent = false

  form.addEventListener("input", () => { isTouched = true })
  form.addEventListener("submit", ({ submitter }) => { isSent = isSheet && !submitter?.formNoValidate })
  form.addEventListener("unsent", () => { isSent = false })
  addEventListener("pagehide", () => {
    try {
      if (isSent) sessionStorage.removeItem(place)
      else if (isTouched) sessionStorage.setItem(place, JSON.stringify(typed(form)))
    } catch { /* no room, or not allowed: as without it */ }
  })

  const { type } = performance.getEntriesByType("navigation")[0] ?? {}
  if (type !== "back_forward" && !(isSheet && type === "reload")) return
  fill(form, JSON.parse(sessionStorage.getItem(place) ?? "[]"))
}
