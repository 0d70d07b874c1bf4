// The pages that the worker keeps, the last seen first. Without any the box stays hidden.
export default async function kept(box) {
  for (const name of await caches.keys()) {
    if (!name.startsWith("kept ")) continue
    const cache = await caches.open(name)
    for (const { url } of (await cache.keys()).reverse()) {
      // Of My week this one; the others are behind it.
      if (new URL(url).search) continue
      const copy = await cache.match(url, { ignoreVary: true })
      const page = new DOMParser().parseFromString(await copy.text(), "text/html")
      const link = document.createElement("a")
      link.href = url
      link.textContent = page.querySelector("[data-kept]").dataset.name
      const item = document.createElement("li")
      item.append(link)
      box.querySelector("ul").append(item)
      box.hidden = false
    }
  }
}
