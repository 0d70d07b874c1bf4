// A form that switches push messages on for this browser: asks for permission, has the browser subscribe at the service
// of its maker, and sends what that gives. `data-on` where the site knows this browser already.
//
// Words: data-refused, data-closed where the question was closed without an answer, data-failed, and data-home for iOS,
// where the site has to be on the home screen first.
export default async function push(form) {
  const words = form.querySelector("[role='status']")
  const button = form.querySelector("button")
  const registration = await navigator.serviceWorker?.getRegistration() && await navigator.serviceWorker.ready
  if (!registration?.pushManager || !window.Notification) {
    if (/iPhone|iPad/.test(navigator.userAgent) || navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1) {
      words.textContent = form.dataset.home
    }
    return
  }
  const refused = () => {
    const isRefused = Notification.permission === "denied"
    if (isRefused) words.textContent = form.dataset.refused
    button.hidden = isRefused
    words.hidden = !isRefused
    return isRefused
  }
  if (refused()) return
  // The browser may have forgotten what the site remembers, or still take what was for another log-in.
  const known = await registration.pushManager.getSubscription()
  if ("on" in form.dataset && known) button.hidden = true
  else await known?.unsubscribe().catch(() => {})
  form.addEventListener("submit", async event => {
    event.preventDefault()
    button.disabled = true
    try {
      const answer = await Notification.requestPermission()
      if (answer !== "granted") {
        if (refused()) return
        words.textContent = form.dataset.closed
        words.hidden = false
        return
      }
      // One of another key would be refused.
      await (await registration.pushManager.getSubscription())?.unsubscribe()
      const options = { userVisibleOnly: true, applicationServerKey: form.dataset.key }
      const { endpoint, keys } = (await registration.pushManager.subscribe(options)).toJSON()
      Object.assign(form.elements.endpoint, { value: endpoint })
      Object.assign(form.elements.key, { value: keys.p256dh })
      Object.assign(form.elements.secret, { value: keys.auth })
      form.submit()
    } catch (error) {
      console.error("The browser did not subscribe.", error)
      words.textContent = form.dataset.failed
      words.hidden = false
    } finally {
      button.disabled = false
    }
  })
}
