// Offers what could be meant while somebody types: <input data-behaviour="suggest" data-source="/tags" data-many>.
// The source answers {"items": ["…"]} for ?q=…; with data-many the input takes several, with commas between, and the
// last one is completed. Arrow keys choose, Enter takes, Escape closes. Anything else may still be typed.
let number = 0

export default function suggest(input) {
  const many = "many" in input.dataset
  const list = document.createElement("ul")
  list.id = `suggest-${++number}`
  list.className = "suggest"
  list.setAttribute("role", "listbox")
  list.hidden = true
  const box = document.createElement("span")
  box.className = "suggest-box"
  input.replaceWith(box)
  box.append(input, list)
  list.setAttribute("aria-label", document.querySelector(`label[for="${input.id}"]`)?.textContent ?? "")
  input.setAttribute("role", "combobox")
  input.setAttribute("aria-autocomplete", "list")
  input.setAttribute("aria-controls", list.id)
  input.setAttribute("aria-expanded", "false")

  let chosen = -1
  let asked = 0
  let timer
  const last = () => (many ? input.value.split(/[,،、，]/).at(-1) : input.value).trim()

  function close() {
    asked += 1
    list.hidden = true
    list.replaceChildren()
    chosen = -1
    input.setAttribute("aria-expanded", "false")
    input.removeAttribute("aria-activedescendant")
  }

  function choose(index) {
    const options = [...list.children]
    chosen = (index + options.length) % options.length
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === chosen)))
    options[chosen].scrollIntoView({ block: "nearest" })
    input.setAttribute("aria-activedescendant", options[chosen].id)
  }

  function take(option) {
    const before = many ? input.value.split(/[,،、，]/).slice(0, -1).map(part => part.trim()) : []
    input.value = [...before, option.textContent].join(", ") + (many ? ", " : "")
    close()
    input.dispatchEvent(new Event("change", { bubbles: true }))
  }

  async function ask() {
    const words = last()
    if (words.length < (many ? 1 : 2)) return close()
    const mine = ++asked
    try {
      const response = await fetch(`${input.dataset.source}?q=${encodeURIComponent(words)}`, {
        headers: { Accept: "application/json" },
      })
      if (!response.ok) return
      // A suggestion that is typed already is no help, and a list of it would only cover what comes below.
      const items = (await response.json()).items.filter(item => item.toLowerCase() !== words.toLowerCase())
      if (mine !== asked || document.activeElement !== input) return
      close()
      if (!items.length) return
      list.append(...items.map((item, index) => {
        const option = document.createElement("li")
        option.id = `${list.id}-${index}`
        option.setAttribute("role", "option")
        option.setAttribute("aria-selected", "false")
        option.textContent = item
        return option
      }))
      list.hidden = false
      input.setAttribute("aria-expanded", "true")
    } catch {
      close()
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer)
    timer = setTimeout(ask, 150)
  })
  input.addEventListener("keydown", event => {
    if (list.hidden) return
    if (event.key === "ArrowDown") choose(chosen + 1)
    else if (event.key === "ArrowUp") choose(chosen < 0 ? -1 : chosen - 1)
    else if (event.key === "Enter" && chosen >= 0) take(list.children[chosen])
    else if (event.key === "Escape") close()
    else return
    event.preventDefault()
  })
  input.addEventListener("blur", close)
  // Before the input loses the focus.
  list.addEventListener("pointerdown", event => {
    event.preventDefault()
    const option = event.target.closest("li")
    if (option) take(option)
  })
}
