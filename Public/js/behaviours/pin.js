// Puts the pin of an event in the right place: by a click or tap, by dragging it, or by the arrow keys while it has the
// focus. The fields for the coordinates, which do the same by hand, take what it says.
export default async function pin(box) {
  const form = box.closest("form")
  const [latitude, longitude] = ["lat", "lon"].map(name => form?.elements[name])
  if (!latitude || !longitude) return
  const { L, chart, pin } = await import("../map/chart.js")
  const live = chart(box)
  let mark

  const tell = ({ lat, lng }) => {
    latitude.value = lat.toFixed(5)
    longitude.value = L.Util.wrapNum(lng, [-180, 180], true).toFixed(5)
  }

  function put(point) {
    if (mark) return mark.setLatLng(point)
    mark = pin(point, box.dataset.pin)
    mark.options.draggable = true
    mark.on("dragend", () => tell(mark.getLatLng())).addTo(live)
    mark.button.addEventListener("keydown", event => {
      const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key]
      if (!step) return
      event.preventDefault()
      event.stopPropagation()
      const far = event.shiftKey ? 24 : 6
      put(live.layerPointToLatLng(live.latLngToLayerPoint(mark.getLatLng()).add(L.point(step).multiplyBy(far))))
      tell(mark.getLatLng())
    })
  }

  live.on("click", ({ latlng }) => {
    put(latlng)
    tell(latlng)
  })
  // By the keyboard alone: Enter on the map puts the pin in its middle.
  live.getContainer().addEventListener("keydown", event => {
    if (event.key !== "Enter" || event.target !== live.getContainer()) return
    event.preventDefault()
    put(live.getCenter())
    tell(live.getCenter())
    mark.button.focus()
  })
  const { lat, lon } = box.dataset
  if (lat) put([+lat, +lon])
  for (const hint of form.querySelectorAll("[data-live]")) hint.hidden = false
}
