// A button beside the field for a place: the device says where it is, with its owner's permission, and the form looks
// there. Two decimals are about a kilometer; no more than that leaves the device.
export default function here(box) {
  const form = box.closest("form")
  const field = form?.elements.near
  if (!field || !navigator.geolocation || !isSecureContext) return
  const [button, note] = [box.querySelector("button"), box.querySelector("[role=status]")]
  const { failed, asking } = note.dataset
  box.hidden = false
  button.addEventListener("click", () => {
    button.disabled = true
    note.textContent = asking
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      field.value = [coords.latitude, coords.longitude].map(degrees => degrees.toFixed(2)).join(", ")
      form.requestSubmit()
    }, () => {
      button.disabled = false
      note.textContent = failed
      field.focus()
    }, { maximumAge: 600_000, timeout: 15_000 })
  })
}
