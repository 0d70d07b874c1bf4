// A list of messages: <ol data-match="3" data-page="/its/own/page" data-form="write"> takes up what is said meanwhile,
// and sends what is written in the form without leaving the page. What is new has an id the list hasn't.
export default function chat(list) {
  const match = Number(list.dataset.match)
  const form = document.getElementById(list.dataset.form)
  let isOwed = false
  let isSending = false
  let isNextWanted = false

  const read = async answer => new DOMParser().parseFromString(await answer.text(), "text/html")
  const part = page => page.querySelector(`[data-match="${match}"]`)
  const follow = () => list.lastElementChild?.scrollIntoView({ block: "nearest" })

  function take(page) {
    for (const line of part(page)?.children ?? []) {
      const old = document.getElementById(line.id)
      const copy = document.importNode(line, true)
      if (!old) list.append(copy)
      else if (old.textContent !== copy.textContent) old.replaceChildren(...copy.childNodes)
    }
  }

  async function look() {
    // Whoever doesn't look hasn't read it.
    isOwed = document.hidden
    if (isOwed) return
    const answer = await fetch(list.dataset.page, { headers: { Accept: "text/html" } })
    if (!answer.ok || answer.redirected) return
    const follows = list.getBoundingClientRect().bottom < innerHeight + 40
    take(await read(answer))
    if (follows) follow()
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
    // What was typed meanwhile stays.
    if (text.value === sent.get("text")) text.value = ""
    text.dispatchEvent(new Event("input", { bubbles: true }))
    text.focus()
    follow()
  }

  form?.addEventListener("submit", event => {
    // What is wrong with it is said by the page that the browser gets by itself.
    if (event.defaultPrevented || !form.elements.text.value.trim() || form.querySelector(".problem")) return
    event.preventDefault()
    // Who is quicker than the line sends the next one as soon as this one is through.
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

  const start = () => look().catch(error => console.error("New messages could not be shown.", error))
  document.addEventListener("news", ({ detail }) => detail.matches.includes(match) && start())
  document.addEventListener("visibilitychange", () => isOwed && start())
  // What came between the page and this script.
  start()
}
