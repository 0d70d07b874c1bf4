// A list of messages: <ol data-talk="matches-3" data-page="/its/own/page" data-form="write" data-beside="meetings">
// takes up what is said meanwhile, and sends what is written in the form without leaving the page; Enter sends it, with
// Shift it is a new line. What is new has an id the list hasn't. What stands beside it follows, except where somebody
// types. Once the match or thread has ended the page says so: nothing is left of it but what was typed.
import { enliven } from "../app.js"

export default function chat(list) {
  const talk = list.dataset.talk
  const [kind, number] = talk.split("-")
  const form = document.getElementById(list.dataset.form)
  const beside = document.getElementById(list.dataset.beside)
  let isTouched = false
  let isOwed = false
  let isSending = false
  let isNextWanted = false
  let ended = null

  const read = async answer => new DOMParser().parseFromString(await answer.text(), "text/html")
  const part = page => page.querySelector(`[data-talk="${talk}"]`)
  const follow = () => list.lastElementChild?.scrollIntoView({ block: "nearest" })

  function take(page) {
    for (const line of part(page)?.children ?? []) {
      const old = document.getElementById(line.id)
      const copy = document.importNode(line, true)
      if (!old) list.append(copy)
      else if (old.textContent !== copy.textContent) old.replaceChildren(...copy.childNodes)
    }
    const now = beside && page.getElementById(beside.id)
    if (!now || isTouched || beside.contains(document.activeElement) || shown(beside) === shown(now)) return
    beside.replaceChildren(...document.importNode(now, true).childNodes)
    for (const part of beside.children) enliven(part)
  }

  // What can be seen of a part: not the words that forms carry, which differ each time.
  function shown(part) {
    const copy = part.cloneNode(true)
    for (const field of copy.querySelectorAll("[type=hidden]")) field.remove()
    return copy.textContent
  }

  async function look() {
    // A reader who doesn't look hasn't read it.
    isOwed = document.hidden
    if (isOwed) return
    // The language that the address asks for goes along.
    const answer = await fetch(list.dataset.page + location.search, { headers: { Accept: "text/html" } })
    if (answer.status === 404) return end(await read(answer))
    if (!answer.ok || answer.redirected) return
    end(null)
    const follows = list.getBoundingClientRect().bottom < innerHeight + 40
    take(await read(answer))
    if (follows) follow()
  }

  // With null the match is there again: its end was taken back.
  function end(page) {
    if (!page === !ended) return
    ended?.remove()
    ended = page && document.createElement("p")
    for (const part of [list.parentElement, beside?.closest("aside")]) if (part) part.hidden = Boolean(ended)
    if (!form) return
    form.elements.text.readOnly = Boolean(ended)
    form.querySelector("button").disabled = Boolean(ended)
    if (!ended) return
    ended.className = "notice"
    ended.role = "alert"
    form.before(ended)
    ended.textContent = page.querySelector("main h1 ~ p, main p").textContent
  }

  async function send() {
    const sent = new URLSearchParams(new FormData(form))
    const answer = await fetch(form.action, { method: "POST", body: sent, headers: { Accept: "text/html" } })
    const page = answer.ok && (await read(answer))
    // Anything but the chat, such as a log-in, is a page of its own.
    if (!page || !part(page)) return form.submit()
    take(page)
    for (const field of page.getElementById(form.id).querySelectorAll("[type=hidden]")) {
      form.elements[field.name].value = field.value
    }
    const text = form.elements.text
    // Words typed meanwhile stay.
    if (text.value === sent.get("text")) text.value = ""
    text.dispatchEvent(new Event("input", { bubbles: true }))
    text.focus()
    follow()
  }

  form?.addEventListener("submit", event => {
    // The page that the browser gets by itself says what is wrong.
    if (ended) return event.preventDefault()
    if (event.defaultPrevented || !form.elements.text.value.trim() || form.querySelector(".problem")) return
    event.preventDefault()
    // A writer quicker than the line sends the next one as soon as this one is through.
    if (isSending) {
      isNextWanted = true
      return
    }
    isSending = true
    send().catch(() => form.submit()).finally(() => {
      isSending = false
      if (isNextWanted && form.elements.text.value.trim()) form.requestSubmit()
      isNextWanted = false
    })
  })

  if (form) form.elements.text.enterKeyHint = "send"
  form?.elements.text.addEventListener("keydown", event => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
    event.preventDefault()
    if (form.elements.text.value.trim()) form.requestSubmit()
  })
  beside?.addEventListener("input", () => { isTouched = true })

  const start = () => look().catch(error => console.error("New messages could not be shown.", error))
  // News of a server from before may not have them all.
  document.addEventListener("news", ({ detail }) => detail[kind]?.includes(Number(number)) && start())
  document.addEventListener("visibilitychange", () => isOwed && start())
  // Fetch messages that came between the page and this script.
  start()
}
