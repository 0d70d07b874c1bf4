// A button that copies what stands in a field or an element: data-from="its id", data-done="Copied" is said for a moment.
export default function copy(button) {
  const field = document.getElementById(button.dataset.from)
  if (!field || !navigator.clipboard) return
  const label = button.querySelector("[data-label]") ?? button
  const words = label.textContent
  label.setAttribute("aria-live", "polite")
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value ?? field.textContent)
    label.textContent = button.dataset.done ?? words
    setTimeout(() => { label.textContent = words }, 2500)
  })
  button.hidden = false
}
