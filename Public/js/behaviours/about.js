// A card opens, by a tap on its picture or by its link, a box over the page with all there is to see.
export default function about(card) {
  const box = document.getElementById(card.dataset.opens)
  if (!box?.showModal) return
  const open = event => {
    event.preventDefault()
    box.showModal()
  }
  for (const link of card.querySelectorAll("[data-about]")) link.addEventListener("click", open)
  for (const picture of card.querySelectorAll(".picture")) picture.addEventListener("click", open)
  // A press beside the box is one on the box itself.
  box.addEventListener("click", event => { if (event.target === box) box.close() })
}
