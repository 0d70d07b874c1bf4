// A button that prints the page; hidden where there is no script.
export default function print(button) {
  button.addEventListener("click", () => window.print())
  button.hidden = false
}
