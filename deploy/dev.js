
// Added by deploy/dev: reloads the page after the site restarts. Its files then have another address, and the old
// address is no longer served as immutable.
setInterval(async () => {
  const answer = await fetch(import.meta.url, { method: "HEAD", cache: "no-store" }).catch(() => null)
  if (answer && !answer.headers.get("cache-control")?.includes("immutable")) location.reload()
}, 200)
