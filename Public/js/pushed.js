// What the worker does with a push message: it shows of which kind it is, and opens its notice when it is pressed.
addEventListener("push", event => event.waitUntil(show(event.data.json())))
addEventListener("notificationclick", event => {
  event.notification.close()
  // In a window of its own: what is typed in another one stays.
  event.waitUntil(clients.openWindow(event.notification.data))
})
// Somebody logged out on a page of ours, and the site took it: the service of the browser's maker takes nothing for
// this browser anymore.
function noted(event, url, answer) {
  const isDone = answer.ok || answer.type === "opaqueredirect"
  if (isDone && url.pathname === "/logout") event.waitUntil(endPush())
  return answer
}
const endPush = async () => (await registration.pushManager?.getSubscription())?.unsubscribe()

// The browser gave up the address that pushes went to: it takes another by the same key, and the site is told which one
// that replaces. Where the site knows of none, the new one ends, too.
addEventListener("pushsubscriptionchange", event => event.waitUntil(renew(event.oldSubscription, event.newSubscription)))
async function renew(old, renewed) {
  if (!old) return
  renewed ??= await registration.pushManager.subscribe(old.options)
  const { endpoint, keys } = renewed.toJSON()
  const body = new URLSearchParams({ replaces: old.endpoint, endpoint, key: keys.p256dh, secret: keys.auth })
  const answer = await fetch("/me/notices/browser/renewed", { method: "POST", body })
  if (answer.status !== 204) await renewed.unsubscribe()
}

async function show({ title, body, lang, dir, tag, path, unread }) {
  const icon = `/assets/${release}/images/icon-192.png`
  await registration.showNotification(title, { body, lang, dir, tag, icon, data: new URL(path, location.origin).href })
  await navigator.setAppBadge?.(unread)
}
