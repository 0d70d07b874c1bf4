"""What is wrong with a page as it is drawn: axe, its width, the size of what one has to hit, large text."""

import os

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from suite import DESKTOP, PHONE
from town import IS_OTHER_DAY

# How each piece of text is painted: all that axe judges contrast by, so that what is painted alike need not be judged
# twice. That is the text's own colors and size, the opacity and blending above it, and each painted box it meets, above
# or below it or around it. A change of size or colors is on the screen two frames later.
KINDS = """async () => {
  if (typeof axe !== "object") return null
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  const isVisible = it => it.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
  const above = new Map([[null, ""]])
  const veil = it => {
    if (!above.has(it)) {
      const { opacity, filter, mixBlendMode, clipPath } = getComputedStyle(it)
      const own = [opacity, filter, mixBlendMode, clipPath].join(" ")
      above.set(it, veil(it.parentElement) + (own === "1 none normal none" ? "" : own + ";"))
    }
    return above.get(it)
  }
  const painted = [], texts = []
  for (const it of document.querySelectorAll("html, body, body *")) {
    if (!isVisible(it)) continue
    const style = getComputedStyle(it)
    const isPicture = it.matches("img, svg, canvas, video, iframe, object")
    if (isPicture || style.backgroundImage !== "none" || !/, 0\\)|\\/ 0\\)|^transparent/.test(style.backgroundColor)) {
      const look = [isPicture, style.backgroundColor, style.backgroundImage, style.backgroundClip, style.position,
        style.zIndex, veil(it)].join()
      painted.push({ it, look, box: it.getBoundingClientRect() })
    }
    const isText = it.matches("input, select, textarea") ||
      [...it.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim())
    if (isText) texts.push({ it, style })
  }
  const kinds = new Map()
  for (const { it, style } of texts) {
    const range = document.createRange()
    range.selectNodeContents(it)
    const boxes = [it.getBoundingClientRect(), range.getBoundingClientRect()].filter(box => box.width)
    const meets = box => boxes.some(own =>
      own.left < box.right && box.left < own.right && own.top < box.bottom && box.top < own.bottom)
    const holds = box => boxes.every(own =>
      box.left <= own.left && own.right <= box.right && box.top <= own.top && own.bottom <= box.bottom)
    const met = painted.filter(other => other.it.contains(it) || meets(other.box))
    const isAway = boxes.every(box => box.right <= 0 || box.bottom <= 0)
    const kind = [isAway, style.color, style.webkitTextFillColor, style.webkitTextStroke, style.fontSize,
      style.fontWeight, style.textShadow, style.position, style.zIndex, veil(it),
      ...met.map(({ it: other, box, look }) => `${other.compareDocumentPosition(it)} ${holds(box)} ${look}`)].join("|")
    const isUnseen = isAway || /^0 |;0 |inset|rect/.test(veil(it))
    if (!kinds.has(kind)) kinds.set(kind, { texts: [], isUnseen })
    kinds.get(kind).texts.push(it)
  }
  axe.kinds = [...kinds.values()]
  return [...kinds.keys()]
}"""
# What axe finds by these rules, or by all; the contrast of words only for texts of these kinds, in the same run, since
# axe makes its picture of the page anew for each. Also says which of the kinds need no second look. A kind has passed
# when axe could tell the contrast of one of its texts and found none too weak. Nor would axe say more of what it takes
# for out of sight, by a clip, by opacity or outside of the window, or of what stands on a gradient or a picture of the
# style sheet.
JUDGE = """async ([rules, numbers]) => {
  const texts = new Set(numbers.flatMap(number => axe.kinds[number].texts))
  const contrast = axe._audit.getRule("color-contrast")
  contrast.couldMatch ??= contrast.matches
  contrast.matches = (it, ...more) => texts.has(it) && contrast.couldMatch(it, ...more)
  const told = new Map()
  // Only what is wrong is put into words, which takes longer than to find it.
  axe.addReporter("wrong", (results, options, ...done) => {
    for (const { id, ...nodes } of results) {
      if (id !== "color-contrast") continue
      for (const type of ["violations", "passes", "incomplete"]) {
        for (const { node, any } of nodes[type] ?? []) {
          const { contrastRatio, messageKey } = any[0]?.data ?? {}
          const isTold = type === "passes" ? contrastRatio : ["bgGradient", "bgImage"].includes(messageKey)
          told.set(node.element, type === "violations" ? "bad" : isTold ? "good" : "unsure")
        }
      }
    }
    axe.getReporter("v1")(results.filter(it => it.violations.length), options, ...done)
  })
  const some = rules && { runOnly: [...rules, "color-contrast"] }
  const { violations } = await axe.run(document, { reporter: "wrong", resultTypes: ["violations"], ...some })
  const passed = numbers.filter(number => {
    const { texts, isUnseen } = axe.kinds[number]
    const answers = texts.map(it => told.get(it) ?? "none")
    return !answers.includes("bad") && answers.includes("good") || isUnseen && answers.every(it => it === "none")
  })
  // A violation in a line.
  return [passed, violations.map(it => `${it.id}: ${it.help} (${it.nodes.length}) ${it.nodes[0].html.slice(0, 160)} `
    + it.nodes[0].failureSummary.replace(/\\s+/g, " "))]
}"""
# In the dark the page differs in its colors only.
COLOURS = ["link-in-text-block"]
# How text was painted that passed, on any page of this run. axe takes most of its time for the contrast of words; on
# one page after the other they are painted alike.
PASSED = set()


def axe(page: Page, rules=None):
    """What axe finds on a page as it stands, a line each: by all its rules, or by some and the contrast of words."""
    kinds = page.evaluate(KINDS)
    if kinds is None:
        page.evaluate(AXE_SCRIPT)
        kinds = page.evaluate(KINDS)
    fresh = [number for number, kind in enumerate(kinds) if kind not in PASSED]
    passed, found = page.evaluate(JUDGE, [rules, fresh])
    PASSED.update(kinds[number] for number in passed)
    return found


# Each look: the window's size, the scheme, and axe's rules. Both schemes and both sizes are looked at for everything,
# on a phone in light and on a desktop in the dark; `--long` looks at all of it in all four. axe takes a third of a
# page's time, so there is no third look.
PHONE_LOOK = (PHONE, "light", None)
LOOKS = [PHONE_LOOK, (DESKTOP, "dark", None)]
IS_LONG = os.environ.get("VILLAGE_LONG") == "1"
if IS_LONG:
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

# Whether a page is shown in the dark.
IS_DARK = "matchMedia('(prefers-color-scheme: dark)').matches"

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

# What is wrong with large text; the page is left as it was.
AT_LARGE = f"""async () => {{
  ({LARGE})()
  document.body.getBoundingClientRect()
  await document.fonts.ready
  const found = [...({SIDEWAYS})(), ...({CUT})()]
  document.documentElement.style.fontSize = ""
  scrollTo(0, 0)
  return found
}}"""

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

    def show(size, scheme):
        # To be told what it has takes a page as long as anything else.
        nonlocal shown
        width, height = size
        if page.viewport_size != {"width": width, "height": height}:
            page.set_viewport_size({"width": width, "height": height})
        if scheme != shown:
            page.emulate_media(color_scheme=scheme)
        shown = scheme

    def measure(size, *scripts):
        # In the scheme that is on: no color moves anything. All of it at once, since each question takes time as well.
        show(size, shown)
        return page.evaluate(f"() => [{', '.join(f'...({script})()' for script in scripts)}]")

    shown = "dark" if page.evaluate(IS_DARK) else "light"
    page.wait_for_load_state()
    note(measure(PHONE, SIDEWAYS, SMALL), f"{PHONE[0]} px, targets")
    for size, scheme, rules in looks:
        show(size, scheme)
        note(axe(page, rules), f"{size[0]} px, {scheme}")
    note(measure((320, PHONE[1]), SIDEWAYS), "320 px")
    note(measure((PHONE[1], PHONE[0]), BARS, SIDEWAYS), "on its side")
    show(PHONE, "light")
    note(page.evaluate(AT_LARGE), "200 %")
    return problems
