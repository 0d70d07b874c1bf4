// The eye beside a password: shows what is typed, and hides it again before the form is sent,
// so that no browser keeps it as ordinary text.
export default function show(button) {
  const input = document.getElementById(button.getAttribute("aria-controls"))
  if (!input) return
  const set = shown => {
    input.type = shown ? "text" : "password"
    button.setAttribute("aria-pressed", String(shown))
  }
  button.addEventListener("click", () => set(input.type === "password"))
  input.form?.addEventListener("submit", () => set(false))
  input.spellcheck = false
  input.autocapitalize = "none"
  set(false)
  button.hidden = false
}
