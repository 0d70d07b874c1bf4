// A text area as high as its text.
export default function autosize(area) {
  const fit = () => {
    const { borderTopWidth: top, borderBottomWidth: bottom } = getComputedStyle(area)
    area.style.height = "auto"
    area.style.height = `${area.scrollHeight + parseFloat(top) + parseFloat(bottom)}px`
  }
  area.addEventListener("input", fit)
  window.addEventListener("resize", fit)
  fit()
}
