// <p data-behaviour="counter" data-for="bio" hidden>Characters left: <b>400</b></p>
// Counts down while one types. Ears hear it only when the typing pauses and the end is near.
export default function counter(line) {
  const control = document.getElementById(line.dataset.for)
  const figure = line.querySelector("b")
  const limit = control?.maxLength
  if (!figure || !(limit > 0)) return

  const status = document.createElement("p")
  status.className = "hidden"
  status.setAttribute("role", "status")
  line.after(status)
  line.setAttribute("aria-hidden", "true")
  line.hidden = false

  const left = () => limit - control.value.length
  let pause
  const count = () => {
    figure.textContent = left().toLocaleString(document.documentElement.lang)
    line.classList.toggle("counter--over", left() <= 0)
  }
  control.addEventListener("input", () => {
    count()
    clearTimeout(pause)
    pause = setTimeout(() => { status.textContent = left() <= limit / 5 ? line.textContent : "" }, 1000)
  })
  count()
}
