// A link that says that there are newer posts than the page shows: <p hidden data-newest="17">. It moves nothing.
export default function fresh(line) {
  document.addEventListener("news", ({ detail }) => {
    if (detail.post > Number(line.dataset.newest)) line.hidden = false
  })
}
