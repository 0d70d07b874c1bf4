// A list of messages: <ol data-match="3" data-page="/its/own/page"> takes up what is said meanwhile. What is new has an id the list hasn't.
export default function chat(list) {
  const match = Number(list.dataset.match)
  let isOwed = false

  async function look() {
    // Whoever doesn't look hasn't read it.
    isOwed = document.hidden
    if (isOwed) return
    const answer = await fetch(list.dataset.page, { headers: { Accept: "text/html" } })
    if (!answer.ok || answer.redirected) return
    const page = new DOMParser().parseFromString(await answer.text(), "text/html")
    const follows = list.getBoundingClientRect().bottom < innerHeight + 40
    for (const line of page.querySelector(`[data-match="${match}"]`)?.children ?? []) {
      const old = document.getElementById(line.id)
      const copy = document.importNode(line, true)
      if (!old) list.append(copy)
      else if (old.textContent !== copy.textContent) old.replaceChildren(...copy.childNodes)
    }
    if (follows) list.lastElementChild?.scrollIntoView({ block: "nearest" })
  }

  const start = () => look().catch(error => console.error("New messages could not be shown.", error))
  document.addEventListener("news", ({ detail }) => detail.matches.includes(match) && start())
  document.addEventListener("visibilitychange", () => isOwed && start())
  // What came between the page and this script.
  start()
}
