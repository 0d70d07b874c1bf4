// A row that is pushed to the side brings what has the focus wholly into sight: browsers leave it half outside.
//
// The choice is in sight from the start, without moving the page.
export default function line(list) {
  const chosen = list.querySelector("[aria-current]")?.closest("li") ?? list.firstElementChild
  if (chosen) {
    const [inside, outside] = [chosen.getBoundingClientRect(), list.getBoundingClientRect()]
    if (inside.right > outside.right) list.scrollLeft += inside.right - outside.right + 4
    if (inside.left < outside.left) list.scrollLeft -= outside.left - inside.left + 4
  }
  list.addEventListener("focusin", ({ target }) => target.scrollIntoView({ block: "nearest", inline: "nearest" }))
}
