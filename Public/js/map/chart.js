// A map that can be moved, in the place of the one the site has drawn: Leaflet over outlines of our own, in the colors of
// the style sheet. Without a tile server in the page it asks no other host.
import "../vendor/leaflet/leaflet.js"

export const L = window.L
// Its style sheet comes with it: pages whose map stays as it is drawn need none. A map is measured only once it is there.
await new Promise(done => {
  const sheet = document.createElement("link")
  sheet.rel = "stylesheet"
  sheet.href = new URL("../../livemap.css", import.meta.url)
  sheet.onload = sheet.onerror = done
  document.head.append(sheet)
})
// Leaflet's own is a data: address.
L.Util.emptyImageUrl = new URL("../../images/empty.png", import.meta.url).href

/** The map in `box`, where the drawing was. */
export function chart(box) {
  const drawing = box.querySelector(".map-drawn")
  const place = document.createElement("div")
  place.className = "map-live"
  box.append(place)
  const map = L.map(place, {
    attributionControl: false, zoomControl: false, worldCopyJump: true, minZoom: 1, maxZoom: 18, zoomSnap: .25,
    zoomAnimation: !matchMedia("(prefers-reduced-motion: reduce)").matches,
    renderer: L.canvas({ padding: .5 }),
  })
  L.control.zoom({ zoomInTitle: box.dataset.in, zoomOutTitle: box.dataset.out }).addTo(map)
  place.setAttribute("aria-label", box.getAttribute("aria-label"))
  place.setAttribute("role", "application")
  const { south, west, north, east, tiles, around } = box.dataset
  map.fitBounds([[+south, +west], [+north, +east]], { animate: false })
  if (tiles) L.tileLayer(tiles, { maxZoom: 19, referrerPolicy: "strict-origin-when-cross-origin" }).addTo(map)
  else {
    const find = outlines(around)
    draw(map, drawing, find, "countries", ".map-land", 0)
    draw(map, drawing, find, "states", ".map-land", 0)
    draw(map, drawing, find, "counties", ".map-county", 7)
    name(map, drawing, pinned(box))
  }
  drawing.classList.add("map-drawn--done")
  return map
}

// MARK: Outlines

/** Lays the outlines of a layer over the map, from that zoom on; each when it comes into sight. */
function draw(map, drawing, find, layer, look, zoom) {
  let drawn
  const lines = L.layerGroup()
  const style = () => {
    const { fill, stroke, strokeWidth } = getComputedStyle(drawing.querySelector(look))
    const isFilled = fill !== "none"
    return { fill: isFilled, fillColor: fill, fillOpacity: 1, color: stroke, weight: parseFloat(strokeWidth) }
  }
  const show = async () => {
    if (map.getZoom() < zoom) return lines.remove()
    lines.addTo(map)
    const rings = await find(layer, map.getBounds())
    // All of them take the place of those around.
    if (rings !== drawn) lines.clearLayers()
    drawn = rings
    const view = map.getBounds().pad(.5)
    for (const ring of rings) {
      if (ring.line || !view.intersects(ring.bounds)) continue
      ring.line = L.polygon(ring.points, { interactive: false, smoothFactor: .7, ...style() })
      lines.addLayer(ring.line)
      if (look === ".map-land") ring.line.bringToBack()
    }
  }
  map.on("moveend", show)
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => lines.invoke("setStyle", style()))
  show()
}

/** Finds the outlines of a layer: those around the town as long as nothing else is in sight, from then on all of them. */
function outlines(around) {
  const near = around && load(around).then(({ bounds, ...layers }) => {
    for (const layer of Object.keys(layers)) layers[layer] = trace(layers[layer])
    return { bounds: L.latLngBounds(bounds), layers }
  }).catch(() => null)
  const all = {}
  return async (layer, view) => {
    const part = await near
    if (!all[layer] && part?.bounds.contains(view)) return part.layers[layer]
    return all[layer] ??= load(new URL(`../../map/${layer}.json`, import.meta.url)).then(trace)
  }
}

async function load(address) {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`no outlines at ${address}`)
  return answer.json()
}

/** From the first point and the steps from each to the next. */
function trace(rings) {
  return rings.map(steps => {
    const points = []
    let x = 0
    let y = 0
    for (let at = 0; at < steps.length; at += 2) {
      x += steps[at]
      y += steps[at + 1]
      points.push([y / 100, x / 100])
    }
    return { points, bounds: L.latLngBounds(points) }
  })
}

// MARK: Towns

/** Where pins stand: those of the list beside the map, the numbered ones of the drawing, or the map's one. */
function pinned(box) {
  const entries = document.querySelectorAll("[data-spots] [data-lat]")
  const marks = box.querySelectorAll(".map-mark[data-lat]")
  return (entries.length ? [...entries] : marks.length ? [...marks] : box.dataset.lat ? [box] : []).map(({ dataset }) => [+dataset.lat, +dataset.lon])
}

/**
 * Writes the names of towns where there is room, the larger ones first: they stand in the drawing in that order. A name
 * stands below its town, or above or beside it where pins would lie over it there; covered everywhere, it is left out.
 * The largest stays, where the fewest are: nobody knows their way without.
 */
function name(map, drawing, pins) {
  const towns = [...drawing.querySelectorAll(".map-town")].map(text => {
    const label = document.createElement("span")
    label.textContent = text.textContent
    const icon = L.divIcon({ className: "map-name", html: label, iconSize: null })
    const { lat, lon } = text.dataset
    return { label, width: text.textContent.length * 7 + 8, mark: L.marker([+lat, +lon], { icon, interactive: false, keyboard: false }) }
  })
  const show = () => {
    const taken = []
    const points = pins.map(point => map.project(point))
    for (const { label, mark, width } of towns) {
      const town = map.project(mark.getLatLng())
      const aside = width / 2 + 16
      const ways = [["", 0, 20], ["map-name-above", 0, -24], ["map-name-after", aside, 0], ["map-name-before", -aside, 0]]
      // A pin stands on its point; several that became one lie around it.
      const over = ([, dx, dy]) => points.filter(({ x, y }) =>
        Math.abs(x - town.x - dx) < width / 2 + 14 && y > town.y + dy - 22 && y < town.y + dy + 44).length
      const free = ways.filter(([, dx, dy]) => !taken.some(it =>
        Math.abs(it.y - town.y - dy) < 20 && Math.abs(it.x - town.x - dx) < (it.width + width) / 2))
      const best = free.sort((one, other) => over(one) - over(other))[0]
      const way = best && taken.length < 24 && (!taken.length || !over(best)) ? best : null
      if (way) taken.push({ x: town.x + way[1], y: town.y + way[2], width })
      label.className = way ? way[0] : ""
      way ? mark.addTo(map) : mark.remove()
    }
  }
  map.on("zoomend", show)
  show()
}

// MARK: Pins

/** A marker that is a button, with what it shows, and what it says to those who hear it. */
export function pin(point, label, text = "") {
  const button = document.createElement("button")
  button.type = "button"
  button.className = text ? "map-pin map-pin--many" : "map-pin"
  button.setAttribute("aria-label", label)
  button.textContent = text
  const icon = L.divIcon({ className: "map-spot", html: button, iconSize: [44, 44], iconAnchor: [22, text ? 22 : 38] })
  return Object.assign(L.marker(point, { icon, keyboard: false }), { button })
}
