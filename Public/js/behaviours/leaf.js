// Pictures side by side are leafed through by two buttons and by the arrow keys, as they are by a finger.
export default function leaf(box) {
  const row = box.querySelector("ul")
  const turn = box.querySelector(".leaf-turn")
  const [before, next] = turn.querySelectorAll("button")
  const pages = [...row.children]
  const isMirrored = getComputedStyle(row).direction === "rtl"
  const here = () => Math.round(Math.abs(row.scrollLeft) / row.clientWidth)
  const go = step => {
    const page = pages[here() + step]
    if (page) row.scrollTo({ left: page.offsetLeft - row.firstElementChild.offsetLeft })
  }
  before.addEventListener("click", () => go(-1))
  next.addEventListener("click", () => go(1))
  row.addEventListener("keydown", event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    go(isMirrored ? -step : step)
  })
  turn.hidden = false
}
