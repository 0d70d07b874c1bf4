// A picture to send along: shown as soon as it is chosen. With data-upload it is sent at once, while the rest of the form is
// filled in, and only its number goes along with the form. Without this script the form carries the file itself.
//
// <fieldset data-behaviour="picture" data-upload="/images" data-into="poster" data-alt="poster_alt" data-large="…" …>
//   <input type="file"> … <div data-preview></div> … <fieldset data-focus>nine radios</fieldset>
//   <div data-shown hidden>what is of use once there is a picture</div>
const limit = 10 * 1024 * 1024

export default function picture(box) {
  const form = box.closest("form")
  const inputs = [...box.querySelectorAll("input[type='file']")]
  const preview = box.querySelector("[data-preview]")
  const focus = box.querySelector("[data-focus]")
  const shown = box.querySelector("[data-shown]")
  const { upload, into, alt, sending, done, later, failed, large } = box.dataset

  const status = document.createElement("p")
  status.className = "small"
  status.setAttribute("role", "status")
  const progress = document.createElement("progress")
  progress.hidden = true
  progress.max = 1
  progress.setAttribute("aria-label", sending ?? "")
  inputs[0].after(progress, status)

  const before = [...preview.childNodes]
  let url
  let request

  function show(source) {
    const image = document.createElement("img")
    image.alt = ""
    image.className = focus ? `poster focus-${part()}` : ""
    // A browser that can't show this kind (HEIC) shows it once it comes back.
    image.onerror = () => image.remove()
    image.src = source
    preview.replaceChildren(image)
    if (shown) shown.hidden = false
  }

  function forget() {
    if (url) URL.revokeObjectURL(url)
    url = undefined
  }

  function refuse(words) {
    request?.abort()
    forget()
    for (const input of inputs) input.value = ""
    progress.hidden = true
    status.textContent = words
    status.className = "problem"
    preview.replaceChildren(...before)
    if (shown) shown.hidden = before.length === 0
  }

  const part = () => focus?.querySelector(":checked")?.value ?? "5"

  function send(file) {
    const data = new FormData()
    data.append("csrf", form.elements.csrf?.value ?? "")
    data.append("alt", form.elements[alt]?.value ?? "")
    data.append("image", file)
    progress.value = 0
    progress.hidden = false
    status.textContent = sending
    request?.abort()
    request = new XMLHttpRequest()
    request.open("POST", upload)
    request.setRequestHeader("Accept", "application/json")
    request.responseType = "json"
    request.upload.onprogress = event => { if (event.lengthComputable) progress.value = event.loaded / event.total }
    request.onload = ({ target }) => {
      const answer = target.response
      if (target.status !== 200 || !answer?.id) return refuse(answer?.detail ?? failed)
      carry(answer.id)
      for (const input of inputs) input.value = ""
      progress.hidden = true
      status.textContent = done
      forget()
      show(answer.url)
    }
    // No answer: the file stays where it is, and goes along with the form.
    request.onerror = () => {
      progress.hidden = true
      status.textContent = later
    }
    request.send(data)
  }

  /** Puts the number into the form, in the place of one from before. */
  function carry(id) {
    let field = form.elements[into]
    if (!field) {
      field = document.createElement("input")
      field.type = "hidden"
      field.name = into
      form.append(field)
    }
    field.value = id
  }

  for (const input of inputs) {
    input.addEventListener("change", () => {
      const file = input.files[0]
      status.textContent = ""
      status.className = "small"
      if (!file) return
      for (const other of inputs) if (other !== input) other.value = ""
      if (file.size > limit) return refuse(large)
      forget()
      url = URL.createObjectURL(file)
      show(url)
      if (upload) send(file)
    })
  }
  focus?.addEventListener("change", () => {
    const image = preview.querySelector("img")
    if (image) image.className = `poster focus-${part()}`
  })
  // Sent before it has arrived, the form takes the file along itself.
  form.addEventListener("submit", () => request?.abort())
}
