// The bell: keeps the page at what is new, as /stream tells. Pages of one browser share one stream, which the first of
// them opens; where it can't be had they ask once a minute.
//
// Words: data-one / data-other="{count} unread". Scripts that want to know listen for "news" on the document.
import { words } from "./words.js"

export default function live(bell) {
  const pages = new BroadcastChannel("news")
  const show = news => {
    const figure = bell.querySelector("b")
    figure.textContent = news.unread
    figure.hidden = !news.unread
    figure.ariaHidden = "true"
    bell.querySelector("[data-count]").textContent = news.unread ? `, ${words(bell, news.unread)}` : ""
    navigator.setAppBadge?.(news.unread).catch(() => {})
    document.dispatchEvent(new CustomEvent("news", { detail: news }))
  }
  const tell = news => {
    show(news)
    pages.postMessage(news)
  }
  pages.addEventListener("message", event => show(event.data))
  // Without a lock, as over plain http, each page asks for itself.
  if (navigator.locks) navigator.locks.request("stream", () => new Promise(() => listen(tell)))
  else ask(tell)
}

function listen(tell) {
  const stream = new EventSource("/stream")
  stream.addEventListener("message", event => tell(JSON.parse(event.data)))
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) ask(tell)
  })
}

async function ask(tell, last = "") {
  try {
    const answer = await fetch(`/stream?after=${last}`, { headers: { Accept: "application/json" } })
    // Somebody logged out.
    if (!answer.ok || answer.redirected) return
    const news = await answer.json()
    last = news.last
    tell(news)
  } catch {
    // The next time it may go.
  }
  setTimeout(ask, 60_000, tell, last)
}
