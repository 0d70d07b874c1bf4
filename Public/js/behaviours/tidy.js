// A search form leaves out what is empty, so that its address stays short enough to be read and shared. A place that
// the site would fill in by itself (`data-sent-empty`) is said also when it was emptied.
export default function tidy(form) {
  const isPlace = name => form.elements[name]?.dataset?.sentEmpty !== undefined
  form.addEventListener("formdata", ({ formData }) => {
    const filled = [...formData].filter(([name, value]) => value !== "" || isPlace(name))
    for (const name of [...new Set(formData.keys())]) formData.delete(name)
    for (const [name, value] of filled) formData.append(name, value)
  })
}
