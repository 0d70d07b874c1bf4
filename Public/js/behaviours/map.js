// A map of events that can be moved: the drawing of the site until it comes into sight. On the page of all events it has
// the list beside it: entries and pins show each other, and pins that crowd become one until one looks closer. On that of
// an event with a program the pins have the numbers of its places.
import { words } from "./words.js"

export default function map(box) {
  const streets = box.parentElement.querySelector("[data-streets]")
  if (streets) streets.hidden = false
  const sight = new IntersectionObserver(async entries => {
    if (!entries.some(entry => entry.isIntersecting)) return
    sight.disconnect()
    const { L, chart, pin } = await import("../map/chart.js")
    const live = chart(box)
    const list = document.querySelector("[data-spots]")
    const { lat, lon } = box.dataset
    const numbered = [...box.querySelectorAll(".map-mark[data-lat]")]
    if (list) spots(L, live, pin, box, list)
    else if (numbered.length) {
      for (const mark of numbered) {
        const [title, number] = [mark.querySelector("title"), mark.querySelector("text")].map(it => it.textContent)
        const { button } = pin([mark.dataset.lat, mark.dataset.lon], title, number).addTo(live)
        L.DomEvent.disableClickPropagation(button)
        const link = mark.getAttribute("href")
        button.addEventListener("click", () => { if (link) location.assign(link) })
      }
    }
    else if (lat) L.circleMarker([+lat, +lon], { radius: 11, interactive: false, ...look(box) }).addTo(live)
  })
  sight.observe(box)
}

const look = box => {
  const { fill, stroke } = getComputedStyle(box.querySelector(".map-mark"))
  return { fillColor: fill, fillOpacity: 1, color: stroke, weight: 2 }
}

const sum = cell => cell.reduce((all, { count = 1 }) => all + count, 0)

/** The places of events on other pages of the list: each with a line that leads to what is there. */
const others = box => (box.dataset.others?.split(";") ?? []).map(text => {
  const [lat, lon, count, event] = text.split(" ").map(Number)
  const page = new URL(location.href)
  for (const name of ["near", "after"]) page.searchParams.delete(name)
  page.searchParams.set("event", event)
  const entry = document.createElement("li")
  entry.className = "spot"
  const [title, link] = ["h2", "a"].map(name => document.createElement(name))
  link.href = page
  link.textContent = words(box, count)
  title.append(link)
  entry.append(title, document.createElement("p"))
  return { entry, label: link.textContent, lat, lon, count }
})

/** Pixels within which pins become one. */
const crowd = 40

function spots(L, live, pin, box, list) {
  const entries = [...list.querySelectorAll("[data-lat]")].map(entry => {
    const { lat, lon, label } = entry.dataset
    return { entry, label, point: L.latLng(+lat, +lon), isChosen: entry.matches(".spot--chosen") }
  })
  entries.push(...others(box).map(it => ({ ...it, point: L.latLng(it.lat, it.lon) })))
  const marks = L.layerGroup().addTo(live)

  const held = document.querySelector("[data-held]")

  const gather = () => {
    marks.clearLayers()
    const groups = []
    for (const it of entries) {
      const { x, y } = live.project(it.point)
      // The one the map was opened for stands by itself.
      const near = !it.isChosen && groups.find(group =>
        !group.all[0].isChosen && Math.abs(group.x - x) < crowd && Math.abs(group.y - y) < crowd)
      near ? near.all.push(it) : groups.push({ x, y, all: [it] })
    }
    for (const { all } of groups) mark(all)
  }

  function mark(cell) {
    const count = sum(cell)
    const label = count > 1 ? words(box, count) : cell[0].label
    const made = pin(cell[0].point, label, count > 1 ? count : "")
    if (cell[0].isChosen) {
      made.button.classList.add("map-pin--chosen")
      made.button.setAttribute("aria-current", "true")
      made.setZIndexOffset(10_000)
    }
    L.DomEvent.disableClickPropagation(made.button)
    made.button.addEventListener("click", () => open(cell, made.button))
    for (const [type, isOn] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) {
      made.button.addEventListener(type, () => { for (const it of cell) it.entry.classList.toggle("spot--lit", isOn) })
    }
    for (const it of cell) it.button = made.button
    marks.addLayer(made)
  }

  /** On a phone what a pin holds is a list below the map: a box over it would be cut off. */
  function hold(cell, button) {
    held.querySelector("h2").textContent = words(box, sum(cell))
    held.querySelector("ul").replaceChildren(...cell.map(({ entry }) => {
      const copy = entry.cloneNode(true)
      copy.removeAttribute("id")
      return copy
    }))
    held.hidden = false
    held.focus({ preventScroll: true })
    box.scrollIntoView({ block: "start" })
    held.querySelector("[data-close]").onclick = () => {
      held.hidden = true
      if (button.isConnected) button.focus()
    }
  }

  /** What is at one place stands in a card over it; what is only near each other is looked at more closely. */
  function open(cell, button) {
    const bounds = L.latLngBounds(cell.map(it => it.point))
    const isOnePlace = bounds.getNorthEast().distanceTo(bounds.getSouthWest()) < 20
    if (matchMedia("(max-width: 55.99rem)").matches) {
      if (!isOnePlace) live.fitBounds(bounds.pad(.3), { maxZoom: live.getZoom() + 4, animate: false })
      return hold(cell, cell[0].button)
    }
    if (!isOnePlace && live.getZoom() < live.getMaxZoom()) {
      live.once("moveend", () => setTimeout(() => cell[0].button.focus()))
      return live.fitBounds(bounds.pad(.3), { maxZoom: live.getZoom() + 4 })
    }
    const card = document.createElement("ul")
    card.className = "map-card"
    for (const { entry } of cell) {
      const line = document.createElement("li")
      const [title, facts] = entry.children
      line.append(title.querySelector("a").cloneNode(true), facts.cloneNode(true))
      card.append(line)
    }
    const popup = L.popup({ offset: [0, -28], maxWidth: 260, autoPanPadding: [16, 16] })
      .setLatLng(cell[0].point).setContent(card).openOn(live)
    card.querySelector("a").focus({ preventScroll: true })
    popup.getElement().addEventListener("keydown", event => { if (event.key === "Escape") popup.close() })
    popup.once("remove", () => { if (!button.isConnected) return; button.focus({ preventScroll: true }) })
  }

  for (const it of entries) {
    for (const [type, isOn] of [["mouseenter", true], ["focusin", true], ["mouseleave", false], ["focusout", false]]) {
      it.entry.addEventListener(type, () => it.button?.classList.toggle("map-pin--lit", isOn))
    }
  }
  /** Pins out of sight are no stops on the way of the Tab key. */
  const reach = () => {
    const view = live.getBounds().pad(-.05)
    for (const made of marks.getLayers()) made.button.tabIndex = view.contains(made.getLatLng()) ? 0 : -1
  }
  live.on("zoomend", gather)
  live.on("moveend", reach)
  gather()
  reach()
}
