// A search form leaves out what is empty, so that its address stays short enough to be read and shared.
export default function tidy(form) {
  form.addEventListener("formdata", ({ formData }) => {
    const filled = [...formData].filter(([, value]) => value !== "")
    for (const name of [...new Set(formData.keys())]) formData.delete(name)
    for (const [name, value] of filled) formData.append(name, value)
  })
}
