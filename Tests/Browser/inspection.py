"""What is wrong with a page as it is drawn: axe, its width, the size of what one has to hit, large text."""

import os

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from suite import DESKTOP, PHONE
from town import IS_OTHER_DAY

# A change of size or colors is on the screen two frames later.
RUN_AXE = """async rules => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  const options = { resultTypes: ["violations"], ...rules }
  const { violations } = await axe.run(document, options)
  return violations.map(it => `${it.id}: ${it.help} (${it.nodes.length}) ${it.nodes[0].html.slice(0, 160)} `
    + it.nodes[0].failureSummary.replace(/\\s+/g, " "))
}"""
# In the dark the page differs in its colors only.
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
# Each look: the window's size, the scheme, and axe's rules. Both schemes and both sizes are looked at for everything,
# on a phone in light and on a desktop in the dark; `--long` looks at all of it in all four. axe takes two thirds of a
# page's time, so there is no third look.
PHONE_LOOK = (PHONE, "light", None)
LOOKS = [PHONE_LOOK, (DESKTOP, "dark", None)]
if os.environ.get("VILLAGE_LONG") == "1":
    LOOKS = [(size, *look) for size in (PHONE, DESKTOP) for look in (("light", None), ("dark", COLOURS))]
# Another day changes what stands on a page, and with it what may be cut off or too small; no color, and no column.
DAYS_LOOKS = [PHONE_LOOK] if IS_OTHER_DAY else LOOKS

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

# As a browser does that is told to draw text at 200 %. The style is set by script, which the policy lets pass.
LARGE = """() => { document.documentElement.style.fontSize = "200%" }"""

# Words that reach out of the window, or out of a box that cuts them off. What only ears hear is left out, and so are a
# summary that is shortened to some lines on purpose, names on a map, and the slips of a flyer, which is for paper.
CUT = """() => {
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node; (node = walker.nextNode());) {
    const it = node.parentElement
    if (!node.data.trim() || it.closest("svg, option, datalist, script, .skip, .map, .flyer")) continue
    if (!it.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const words = range.getBoundingClientRect()
    if (!words.width) continue
    let isCut = words.left < -1 || words.right > innerWidth + 1
    for (let box = it; box && box !== document.body; box = box.parentElement) {
      const { clipPath, overflowX, overflowY, webkitLineClamp } = getComputedStyle(box)
      const edge = box.getBoundingClientRect()
      if (clipPath !== "none" || overflowX === "auto" || overflowX === "scroll" || webkitLineClamp !== "none") {
        isCut = false
        break
      }
      if (overflowX !== "visible" && (words.right > edge.right + 1 || words.left < edge.left - 1)) isCut = true
      if (overflowY !== "visible" && words.bottom > edge.bottom + 2) isCut = true
    }
    if (isCut) found.push(`cut: “${node.data.trim().slice(0, 60)}” in ${it.outerHTML.slice(0, 80)}`)
  }
  return found.slice(0, 5)
}"""

# The bars that stay in sight of a phone on its side, where a page has little height.
BARS = """() => {
  scrollTo(0, document.body.scrollHeight)
  return [...document.querySelectorAll(".top, .tabs")]
    .filter(it => ["fixed", "sticky"].includes(getComputedStyle(it).position) && it.getBoundingClientRect().height)
    .map(it => `the ${it.className} stays in sight`)
}"""


def inspect(page: Page, looks=DAYS_LOOKS):
    """What is wrong, a line each."""
    problems = []

    def note(found, where):
        problems.extend(f"{page.url} ({where}): {line}" for line in found)

    def show(size, scheme="light"):
        # To be told what it has takes a page as long as anything else.
        nonlocal shown
        width, height = size
        if page.viewport_size != {"width": width, "height": height}:
            page.set_viewport_size({"width": width, "height": height})
        if scheme != shown:
            page.emulate_media(color_scheme=scheme)
        shown = scheme

    shown = None
    page.wait_for_load_state()
    page.evaluate(AXE_SCRIPT)
    show(PHONE)
    note(page.evaluate(SIDEWAYS), f"{PHONE[0]} px")
    note(page.evaluate(SMALL), "targets")
    for size, scheme, rules in looks:
        show(size, scheme)
        note(page.evaluate(RUN_AXE, rules), f"{size[0]} px, {scheme}")
    show((320, PHONE[1]))
    note(page.evaluate(SIDEWAYS), "320 px")
    show((PHONE[1], PHONE[0]))
    note(page.evaluate(BARS) + page.evaluate(SIDEWAYS), "on its side")
    show(PHONE)
    page.evaluate(LARGE)
    page.evaluate("document.fonts.ready")
    note(page.evaluate(SIDEWAYS) + page.evaluate(CUT), "200 %")
    page.evaluate("() => { document.documentElement.style.fontSize = ''; scrollTo(0, 0) }")
    return problems
