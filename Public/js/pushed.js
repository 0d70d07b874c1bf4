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

async function show({ title, body, lang, dir, tag, path, unread }) {
  const icon = `/assets/${release}/images/icon-192.png`
  await registration.showNotification(title, { body, lang, dir, tag, icon, data: new URL(path, location.origin).href })
  await navigator.setAppBadge?.(unread)
}
