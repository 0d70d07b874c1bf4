// An endless list. `list` holds groups (or one list), then <p class="more"><a rel="next" href="…">Show more</a></p>.
// A group of the next page with the same data-key as the last one here goes on in it. Three pages come by themselves,
// then only on the button, so that the footer can be reached. The link alone is the way without this script.
// A list inside a form goes on at the button alone: the form's own buttons stand below it, and one of them that moved
// away under a finger would not be pressed.
//
// Coming back to the list from one of its items finds it as long, and at the same place, as it was left.
//
// Words: data-loading="Loading more …", data-one / data-other="{count} more", data-failed="That didn't work. Try again."
import { enliven } from "../app.js"
import { words } from "./words.js"

const listOf = group => group.matches("ul, ol, tbody") ? group : group.querySelector("ul, ol, tbody")

export default function more(list) {
  const byItself = list.closest("form") ? 0 : 3
  const status = document.createElement("p")
  status.className = "hidden"
  status.setAttribute("role", "status")
  list.after(status)

  let loaded = 0
  let loading = false
  const way = () => list.querySelector(":scope > .more")
  const link = () => way()?.querySelector("a")

  /** Moves the groups of `page` in front of the way on; gives back the items that came. */
  function take(page) {
    const items = []
    for (const fresh of [...page.children]) {
      if (fresh.matches(".more")) continue
      const group = document.importNode(fresh, true)
      const last = way()?.previousElementSibling
      const goesOn = last?.dataset.key && last.dataset.key === group.dataset.key
      const rows = [...(listOf(group)?.children ?? [])]
      if (goesOn) listOf(last).append(...rows)
      else way().before(group)
      items.push(...rows)
      for (const element of goesOn ? rows : [group]) enliven(element)
    }
    const next = page.querySelector(":scope > .more")
    if (next) way().replaceWith(document.importNode(next, true))
    else way().remove()
    return items
  }

  async function load(byHand) {
    const href = link()?.href
    if (!href || loading) return
    loading = true
    way().ariaBusy = true
    if (byHand) status.textContent = list.dataset.loading ?? ""
    try {
      const response = await fetch(href, { headers: { Accept: "text/html" } })
      const url = new URL(response.url)
      // A log-in page or another answer is not the rest of this list: go there instead.
      if (!response.ok || url.pathname !== new URL(href).pathname) throw new Error(`status ${response.status}`)
      const text = await response.text()
      const page = new DOMParser().parseFromString(text, "text/html").querySelector("[data-behaviour~='more']")
      if (!page) throw new Error("no list in the answer")
      const items = take(page)
      loaded += 1
      status.textContent = words(list, items.length)
      if (byHand) items[0]?.querySelector("a, button, input")?.focus()
      watch()
    } catch (error) {
      if (byHand) location.assign(href)
      status.textContent = list.dataset.failed ?? ""
      console.error("The list could not go on.", error)
    } finally {
      loading = false
      if (way()) way().ariaBusy = null
    }
  }

  const observer = new IntersectionObserver(entries => {
    if (!entries.some(entry => entry.isIntersecting)) return
    observer.disconnect()
    load(false)
  }, { rootMargin: "0px 0px 600px 0px" })

  function watch() {
    observer.disconnect()
    if (loaded < byItself && link()) observer.observe(way())
  }

  list.addEventListener("click", event => {
    const pressed = event.target.closest("a")
    if (!pressed || pressed !== link() || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return
    event.preventDefault()
    load(true)
  })
  // The entry of the history remembers how much was loaded, and where the visitor was.
  addEventListener("pagehide", () => {
    history.replaceState({ ...history.state, loaded, top: scrollY }, "")
  })
  comeBack()

  async function comeBack() {
    const { loaded: before = 0, top = 0 } = history.state ?? {}
    while (loaded < before && link()) {
      const had = loaded
      await load(false)
      if (loaded === had) break
    }
    if (before) scrollTo(0, top)
    watch()
  }
}
