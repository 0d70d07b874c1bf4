// The button of a search form says how many events it would show: <form data-behaviour="tally" data-tally="/events/count">
// with a button that carries its plain words as data-label. The server counts, and says it in words.
export default function tally(form) {
  const button = form.querySelector("[data-label]")
  let asked = 0
  let timer

  async function tell() {
    const mine = ++asked
    let label = button.dataset.label
    try {
      const query = new URLSearchParams(new FormData(form))
      const response = await fetch(`${form.dataset.tally}?${query}`, { headers: { Accept: "application/json" } })
      if (response.ok) label = (await response.json()).label
    } catch {
      // Without an answer the button says what it does, without a number.
    }
    if (mine === asked) button.textContent = label
  }

  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(tell, 250)
  }
  form.addEventListener("input", later)
  form.addEventListener("change", later)
  button.closest("details").addEventListener("toggle", ({ target }) => { if (target.open) tell() })
}
