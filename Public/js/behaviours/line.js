// A row that is pushed to the side brings what has the focus wholly into sight: browsers leave it half outside.
export default function line(list) {
  list.addEventListener("focusin", ({ target }) => target.scrollIntoView({ block: "nearest", inline: "nearest" }))
}
