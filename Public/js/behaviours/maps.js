// Hides the app that this device doesn't have: geo: does nothing on Apple's, where their own app is.
export default function maps(way) {
  const link = way.matches("a") ? way : way.querySelector("a")
  way.hidden = link.href.startsWith("geo:") === /Mac|iPhone|iPad|iPod/.test(navigator.userAgent)
}
