// Brings the page's behaviors to life: <form data-behaviour="pick once"> imports ./behaviours/pick.js and once.js.
// Every page works without them; a behavior that fails takes nothing else down.

/** Starts the behaviours of `root` and of all inside it. Call it again for markup that arrives later. */
export function enliven(root) {
  const elements = [...root.querySelectorAll("[data-behaviour]")]
  if (root.matches?.("[data-behaviour]")) elements.unshift(root)
  for (const element of elements) {
    for (const name of element.dataset.behaviour.split(/\s+/)) {
      if (!/^[a-z]+$/.test(name)) continue
      import(`./behaviours/${name}.js`)
        .then(behaviour => behaviour.default(element))
        .catch(error => console.error(`The behaviour "${name}" failed.`, error))
    }
  }
}

// The page is in sight first: starting all this takes a slow phone a tenth of a second. A page in another tab has no
// frames and doesn't wait for one.
if (!document.hidden) await new Promise(done => requestAnimationFrame(() => setTimeout(done)))

enliven(document.body)

// The worker, for pages without a signal. Over plain http there is none.
navigator.serviceWorker?.register("/worker.js").catch(error => console.info("Without a worker.", error))

// Where nobody is logged in, the icon counts nothing.
if (!document.querySelector(".bell")) navigator.clearAppBadge?.().catch(() => {})

// A page that was itself the answer to a form, with a problem or as a preview, can't be asked for again: Back goes to its
// address instead, and in its language. A form that is sent to another address than its page's says which that is.
const asked = document.querySelector("main form input[type='hidden'][name='lang']")
const sheet = document.querySelector("main form[data-page]")
const address = new URL(location.href)
if (sheet && address.pathname === new URL(sheet.action).pathname) address.pathname = sheet.dataset.page
if (asked) address.searchParams.set("lang", asked.value)
history.replaceState(history.state, "", asked || sheet ? address : location.href)

// A page that comes back as it was left may offer what is taken meanwhile: where a form is drawn from what holds now, and
// says by its `autocomplete` that nothing of it is to be restored, it is asked for anew.
addEventListener("pageshow", event => {
  if (event.persisted && document.querySelector("main form[autocomplete='off']")) location.reload()
})
