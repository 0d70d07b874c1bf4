// What the site does without a signal. It is served as /worker.js, behind a line that says `release`, the digest of all
// files. Pages come from the network. Those the site marks (`Village-Keep`) are kept for the account that saw them:
// `Village-Reader` says who reads a page, in which language. They go when that is another, at log-out, in 14 days.
importScripts(`/assets/${release}/js/pushed.js`)
const hour = 3_600_000
const offline = "/offline"
const files = `files ${release}`, found = { ignoreVary: true }

addEventListener("install", event => event.waitUntil(renewOffline().then(() => skipWaiting())))
addEventListener("activate", event => event.waitUntil(takeOver()))
addEventListener("fetch", event => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== location.origin) return
  if (request.method === "GET" && url.pathname.startsWith("/assets/")) return event.respondWith(file(request))
  if (request.mode !== "navigate") return
  if (request.method === "GET") return event.respondWith(page(event))
  // A form from another site goes its own way: sent on from here it would look like one of ours.
  if (request.referrer.startsWith(`${location.origin}/`)) event.respondWith(form(event, url))
})

/** The page as it is now. Without a signal, or with too little of it, as it was; else one that says so. */
async function page(event) {
  const copy = await copyOf(event.request.url)
  const answer = ask(event)
  event.waitUntil(answer.catch(() => {}))
  try {
    // A proxy that doesn't reach the site knows less than the copy.
    const better = answer.then(it => copy && it.status >= 502 ? copy : it)
    return await (copy ? Promise.race([better, new Promise(done => setTimeout(done, 5_000, copy))]) : better)
  } catch {
    await sweep()
    return copy ?? (await (await caches.open(files)).match(offline, found)) ?? Response.error()
  }
}

async function ask(event) {
  const began = emptied
  const answer = (await event.preloadResponse) || (await fetch(event.request))
  event.waitUntil(learn(event.request.url, answer.headers.has("Village-Keep") ? answer.clone() : answer, began))
  return answer
}

/** Sends a form. Without a signal its page stays as it is, with all that was typed and chosen, and is told. */
async function form(event, url) {
  if (url.pathname === "/logout") await forget()
  try {
    const answer = noted(event, url, await ask(event))
    await outdate(url.pathname)
    return answer
  } catch {
    const pages = await clients.matchAll({ type: "window" })
    for (const page of pages) if (page.url.split("#")[0] === event.request.referrer) page.postMessage("unsent")
    return new Response(null, { status: 204 })
  }
}

/** Throws away the pages that a form has changed. */
const outdate = path => throwAway(page => ["/week", path].some(it => it.startsWith(new URL(page.url).pathname)))

/** Takes from an answer who reads, and keeps it where the site says so, unless all was thrown away meanwhile. */
async function learn(url, answer, began) {
  if (began !== emptied) return
  const reader = answer.headers.get("Village-Reader")
  // A page that now redirects was given back or isn’t this reader’s.
  if (answer.type === "opaqueredirect") await throwAway(page => page.url === url.split("#")[0])
  if (!reader) return
  const own = `kept ${reader}`
  if (!(await caches.has(own))) await forget().then(renewOffline)
  const cache = await caches.open(own)
  await sweep()
  if (!answer.headers.has("Village-Keep")) return cache.delete(url, found)
  const text = await keep(url, answer, cache)
  if (new URL(url).pathname === "/week" && !navigator.connection?.saveData) await follow(text, own)
}

/** Keeps a page with its files, as it will be shown: with the line that says of when it is. Gives back its text. */
async function keep(url, answer, cache) {
  const text = await answer.text()
  const headers = new Headers([...answer.headers, ["Kept", Date.now()]])
  headers.delete("Content-Encoding")
  await cache.put(url, new Response(text.replace('" data-kept hidden>', '" data-kept>'), { headers }))
  const [oldest, ...others] = await cache.keys()
  if (others.length >= 60) await cache.delete(oldest, found)
  await keepFiles(text)
  return text
}

/** Keeps what My week leads to, before it is needed. */
async function follow(week, own) {
  const links = new Set([...week.matchAll(/href="(\/(?:registrations|signups)\/\d+)"/g)].map(link => link[1]))
  for (const link of [...links].slice(0, 20)) {
    const url = location.origin + link
    if (age(await copyOf(url)) < hour) continue
    const answer = await fetch(url, { headers: { Accept: "text/html" } })
    if (!(await caches.has(own)) || own !== `kept ${answer.headers.get("Village-Reader")}`) return
    if (answer.headers.has("Village-Keep")) await keep(url, answer, await caches.open(own))
  }
}

const age = copy => Date.now() - Number(copy?.headers.get("Kept") ?? -Infinity)
const copyOf = async url => [await caches.match(url, found)].find(copy => age(copy) < 14 * 24 * hour)
const keptCaches = async () => (await caches.keys()).filter(name => name.startsWith("kept "))
let emptied = 0
const forget = async () => { emptied++; for (const name of await keptCaches()) await caches.delete(name) }

/** Throws away what is too old. */
const sweep = () => throwAway(async page => !(await copyOf(page.url)))
async function throwAway(isToGo) {
  for (const cache of await Promise.all((await keptCaches()).map(name => caches.open(name)))) {
    for (const page of await cache.keys()) if (await isToGo(page)) await cache.delete(page, found)
  }
}

/** A file of the site never changes: its address holds the digest of its release. */
async function file(request) {
  const copy = await caches.match(request.url, found)
  if (copy) return copy
  const answer = await fetch(request)
  if (answer.ok && !request.url.endsWith(".json")) (await caches.open(files)).put(request.url, answer.clone())
  return answer
}

/** Keeps the files that a page names, and its behaviors. */
async function keepFiles(text) {
  const links = [...text.matchAll(/"(\/assets\/\w+\/[^"#]+)/g)].map(link => link[1])
  const scripts = text.match(/\/assets\/\w+\/js\//)?.[0]
  const names = [...text.matchAll(/data-behaviour="([^"]+)"/g)].flatMap(it => it[1].split(/\s+/))
  links.push(...names.map(name => `${scripts}behaviours/${name}.js`))
  const cache = await caches.open(files)
  for (const link of new Set(links)) if (!(await caches.match(link, found))) await cache.add(link).catch(() => {})
}

/** The page that says that there is no signal, in the reader's language. */
async function renewOffline() {
  const answer = await fetch(offline)
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  await keepFiles(await answer.clone().text())
  await (await caches.open(files)).put(offline, answer)
}

/** Follows an earlier release. What was kept by it goes on with its files. */
async function takeOver() {
  await registration.navigationPreload?.enable()
  for (const name of (await caches.keys()).filter(it => it.startsWith("files ")).slice(0, -3)) await caches.delete(name)
  await clients.claim()
}
