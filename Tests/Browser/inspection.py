"""What is wrong with a page as it is drawn: axe, its width, and the size of what one has to hit."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from suite import DESKTOP, PHONE
from town import IS_OTHER_DAY

# A change of size or colors is on the screen two frames later.
RUN_AXE = """async rules => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) }
  const { violations } = await axe.run(document, options)
  return violations.map(it => `${it.id}: ${it.help} (${it.nodes.length}) ${it.nodes[0].html.slice(0, 160)} `
    + it.nodes[0].failureSummary.replace(/\\s+/g, " "))
}"""
# In the dark the page differs in its colors only.
COLOURS = ["color-contrast", "link-in-text-block"]
# Another day changes what stands on a page, and with it what may be cut off or too small; no color, and no column.
ALL_LOOKS = [(size, scheme) for size in (PHONE, DESKTOP) for scheme in ("light", "dark")]
LOOKS = ALL_LOOKS[:1] if IS_OTHER_DAY else ALL_LOOKS

# What reaches over the right edge of the window.
SIDEWAYS = """() => document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
  ["the page scrolls sideways", ...[...document.querySelectorAll("body *")]
    .filter(it => it.checkVisibility() && it.getBoundingClientRect().right > innerWidth + 1)
    .slice(0, 3).map(it => it.outerHTML.slice(0, 100))]"""

# What is too small for a finger: 44 px high and wide, or for a link in a line of its own 24 px. A link within a
# sentence is as high as its line (WCAG 2.2, 2.5.8); a block below it makes no sentence with it. A control in a label is
# as large as the label, a link stretched over its card as large as the card.
SMALL = """() => {
  const isVisible = it => it.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const words = it => (it.textContent.trim() || it.name || "").slice(0, 40)
  const name = it => `${it.localName}${it.id && "#" + it.id} “${words(it)}”`
  const target = it => {
    if (getComputedStyle(it, "::after").position === "absolute") return it.offsetParent
    return it.closest("label") ?? it
  }
  const isBlock = it => !getComputedStyle(it).display.startsWith("inline")
  const isInSentence = it => {
    const others = [...it.parentElement.childNodes].filter(node => node !== it)
    return others.some(node => node.textContent.trim() && !(node instanceof Element && isBlock(node)))
  }
  const found = []
  for (const it of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
    if (!isVisible(it) || it.disabled || it.type === "hidden" || it.classList.contains("skip")) continue
    const { width, height } = target(it).getBoundingClientRect()
    const { display, lineHeight } = getComputedStyle(it)
    if (display === "inline" && it.localName === "a" && target(it) === it) {
      const line = Math.max(height, parseFloat(lineHeight))
      if (line < 24 && !isInSentence(it)) found.push(`${name(it)}: a line of ${line} px`)
    } else if (height < 43.5 || width < 43.5) {
      found.push(`${name(it)}: ${Math.round(width)} by ${Math.round(height)} px`)
    }
  }
  return found
}"""


def inspect(page: Page, looks=LOOKS):
    """What is wrong, a line each."""
    problems = []

    def note(found, where):
        problems.extend(f"{page.url} ({where}): {line}" for line in found)

    page.wait_for_load_state()
    page.evaluate(AXE_SCRIPT)
    for (width, height), scheme in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        note(page.evaluate(RUN_AXE, COLOURS if scheme == "dark" else None), f"{width} px, {scheme}")
    page.emulate_media(color_scheme="light")
    for width in (320, PHONE[0]):
        page.set_viewport_size({"width": width, "height": PHONE[1]})
        note(page.evaluate(SIDEWAYS), f"{width} px")
    note(page.evaluate(SMALL), "targets")
    return problems
