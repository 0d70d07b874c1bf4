// Finds rows as one types: <div data-behaviour="sift" data-rows="#who tbody tr" data-none="Nobody of that name." hidden>
// with a search field and a [role=status] in it. Without it all rows stand there.
// Folded as the site's search does it: ł has no decomposition, and O’Neill is looked for as oneill.
const letters = { ł: "l", ø: "o", đ: "d", ð: "d", ß: "ss", æ: "ae", œ: "oe", ı: "i", þ: "th" }
const plain = text => text.normalize("NFKD").replace(/[\p{M}'’‘ʼ`.-]/gu, "").toLowerCase()
  .replace(/[łøđðßæœıþ]/g, letter => letters[letter])

export default function sift(box) {
  const input = box.querySelector("input")
  const status = box.querySelector("[role='status']")
  const rows = [...document.querySelectorAll(box.dataset.rows)].map(row => ({
    row, text: plain([...row.querySelectorAll("th, .contact")].map(cell => cell.textContent).join(" ")),
  }))
  const tell = () => {
    const parts = plain(input.value).split(/\s+/)
    let found = 0
    for (const { row, text } of rows) {
      row.hidden = !parts.every(part => text.includes(part))
      if (!row.hidden) found += 1
    }
    status.textContent = found === 0 ? box.dataset.none : ""
  }
  input.addEventListener("input", tell)
  addEventListener("pageshow", tell)
  box.hidden = false
}
