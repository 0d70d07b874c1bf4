// The buttons say what they will do: <form id="register" data-behaviour="pick" data-one="Register 1 child"
// data-other="Register {count} children"> with a [data-count] element in each of its buttons, also in one that stands
// elsewhere on the page (form="register"). With nobody ticked that says what is missing ([data-zero]), and leads there.
import { words } from "./words.js"

export default function pick(form) {
  const buttons = [...form.elements].filter(it => it.matches("button") && it.querySelector("[data-count]"))
  const boxes = [...form.querySelectorAll("input[type='checkbox'][name='child']:enabled")]
  const chosen = () => boxes.filter(box => box.checked).length
  const labels = buttons.map(button => button.querySelector("[data-count]"))
  const atZero = labels.map(label => label.dataset.zero ?? label.textContent)

  const tell = () => {
    const count = chosen()
    labels.forEach((label, index) => { label.textContent = count > 0 ? words(form, count) : atZero[index] })
  }
  form.addEventListener("change", tell)
  form.addEventListener("reset", () => setTimeout(tell))
  for (const button of buttons.filter(button => !form.contains(button))) {
    button.addEventListener("click", event => {
      if (chosen() > 0 || boxes.length === 0) return
      event.preventDefault()
      form.scrollIntoView({ block: "start" })
      boxes[0].focus({ preventScroll: true })
    })
  }
  addEventListener("pageshow", tell)
  tell()
}
