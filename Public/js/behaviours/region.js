// <div data-behaviour="region" data-state="State" data-state-elsewhere="Region or province (optional)"
//      data-zip="ZIP code" data-zip-elsewhere="Postal code (optional)"> … country, state and zip fields … </div>
// Without it both work: the state is one text input with a list of the US states.
export default function region(box) {
  const country = box.querySelector("[name='country']")
  if (!country) return
  const fields = ["state", "zip"].flatMap(name => {
    const input = box.querySelector(`[name='${name}']`)
    const label = input && box.querySelector(`label[for='${input.id}']`)
    return label ? [{ name, input, label, list: input.getAttribute("list"), mode: input.inputMode }] : []
  })
  const adapt = () => {
    const inUS = country.value === "US"
    for (const { name, input, label, list, mode } of fields) {
      const words = box.dataset[inUS ? name : `${name}Elsewhere`]
      if (words) label.textContent = words
      input.required = inUS
      if (name === "zip") input.inputMode = inUS ? "numeric" : mode === "numeric" ? "text" : mode
      if (list) inUS ? input.setAttribute("list", list) : input.removeAttribute("list")
    }
  }
  country.addEventListener("change", adapt)
  adapt()
}
