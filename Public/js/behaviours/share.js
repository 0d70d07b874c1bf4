// A button that hands the page's link on: through the device's own sheet, else to the clipboard.
// data-done="Link copied" is said in the button for a moment; [data-label] inside it holds the words.
export default function share(button) {
  const label = button.querySelector("[data-label]") ?? button
  const words = label.textContent
  const url = () => button.dataset.url ? new URL(button.dataset.url, location).href : location.href.split("#")[0]
  label.setAttribute("aria-live", "polite")
  button.addEventListener("click", async () => {
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) {
        await navigator.share({ title: document.title, url: url() })
      } else {
        await navigator.clipboard.writeText(url())
        label.textContent = button.dataset.done ?? words
        setTimeout(() => { label.textContent = words }, 2500)
      }
    } catch (error) {
      if (error.name !== "AbortError") console.error("The link could not be handed on.", error)
    }
  })
  if (navigator.share || navigator.clipboard) button.hidden = false
}
