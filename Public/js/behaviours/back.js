// Leads back by the browser's own history where that is the same page, so that a list is found as long, and at the same
// place, as it was left. The link alone is the way without this script.
export default function back(link) {
  link.addEventListener("click", event => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return
    if (document.referrer !== link.href || location.hash || history.length < 2) return
    event.preventDefault()
    history.back()
  })
}
