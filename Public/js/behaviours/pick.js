// The button says what it will do: <form data-behaviour="pick" data-one="Register 1 child"
// data-other="Register {count} children"> with one [data-count] element in its button, which keeps its own words at zero.
import { words } from "./words.js"

export default function pick(form) {
  const label = form.querySelector("[data-count]")
  if (!label) return
  const atZero = label.textContent
  const tell = () => {
    const count = form.querySelectorAll("input[type='checkbox'][name='child']:checked").length
    label.textContent = count > 0 ? words(form, count) : atZero
  }
  form.addEventListener("change", tell)
  form.addEventListener("reset", () => setTimeout(tell))
  window.addEventListener("pageshow", tell)
  tell()
}
