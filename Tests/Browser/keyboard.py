"""The site with the keyboard alone: Tab, Space, Enter and letters."""

import secrets

from playwright.sync_api import Page, expect

from suite import DESKTOP, PHONE, Stage, test

# What has the focus: its words, whether a ring shows it, and whether something lies over it. The ring may be drawn
# around the card or label it stands in. Of what is higher than half the window, any part that is seen is enough.
FOCUS = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
  const element = document.activeElement
  if (!element || element === document.body) return done(null)
  let ringed = element
  const hasRing = it => {
    const { outlineStyle, outlineWidth } = getComputedStyle(it)
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2
  }
  // The browser rings the little calendar or clock in these fields by itself, where no style reaches.
  const hasPicker = element.matches("[type='date'], [type='time']") && !element.matches(":focus-visible")
  while (ringed && !hasRing(ringed)) ringed = ringed.parentElement
  const shown = ringed ?? element
  const box = [...shown.getClientRects()].find(box => box.width > 1 && box.height > 1) ?? shown.getBoundingClientRect()
  const points = [[.5, .5], [.15, .2], [.85, .2], [.15, .8], [.85, .8]].map(([x, y]) => {
    const [left, top] = [box.left + box.width * x, box.top + box.height * y]
    const hit = document.elementFromPoint(left, top)
    return !!hit && (shown.contains(hit) || hit.contains(shown))
  })
  const isLarge = box.height > innerHeight / 2
  done({
    words: (element.labels?.[0] ?? element).textContent.trim().replace(/\\s+/g, " ").slice(0, 60) || element.name,
    href: element.getAttribute("href"), name: element.name, id: element.id, tag: element.localName,
    isMain: element.id === "main", hasRing: !!ringed || hasPicker,
    isSeen: isLarge ? points.some(Boolean) : points.every(Boolean),
  })
})))"""


def focus(page: Page):
    found = page.evaluate(FOCUS)
    # On a busy machine the page may not have scrolled yet.
    if found and not (found["isMain"] or found["hasRing"] and found["isSeen"]):
        page.wait_for_timeout(300)
        found = page.evaluate(FOCUS)
    return found


def tab_to(page: Page, wanted, key="Tab", most=120):
    """Presses Tab until what has the focus is wanted; all the way it has to be seen."""
    for _ in range(most):
        page.keyboard.press(key)
        found = focus(page)
        if found is None:
            continue
        if not found["isMain"]:
            assert found["hasRing"], f"{page.url}: no ring shows that the focus is on {found}"
            assert found["isSeen"], f"{page.url}: something lies over the focus on {found}"
        if wanted(found):
            return found
    raise AssertionError(f"{page.url}: Tab never got there")


def words(text, tag=None):
    return lambda found: text in found["words"] and tag in (None, found["tag"])


def walk(stage: Stage, size):
    host = stage.visitor().become_provider()
    title = f"Puppets {secrets.token_hex(4)}"
    path = host.publish(title=title)
    family = stage.visitor(size).become_parent(["Robin", "Kim"])
    username = family.username
    family.context.clear_cookies()

    page = family.open("/")
    tab_to(page, words("Log in"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/login")
    tab_to(page, lambda it: it["name"] == "login")
    page.keyboard.type(username)
    tab_to(page, lambda it: it["name"] == "password")
    page.keyboard.type(stage.site.PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Hello")

    tab_to(page, words("Discover"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/events")
    tab_to(page, lambda it: it["name"] == "q")
    page.keyboard.type(title)
    page.keyboard.press("Enter")
    page.wait_for_url("**/events?q=*")
    tab_to(page, lambda it: it["href"] == path)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{path}")
    tab_to(page, words("Robin", "input"))
    page.keyboard.press("Space")
    tab_to(page, words("Kim", "input"))
    page.keyboard.press("Space")
    tab_to(page, words("Register 2 children", "button"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Congratulations! You are registered for the event.")


@test("with the keyboard alone, a parent logs in, finds an event and registers two children on a phone's width")
def _(stage):
    walk(stage, PHONE)


@test("with the keyboard alone, a parent logs in, finds an event and registers two children on a desktop")
def _(stage):
    walk(stage, DESKTOP)


@test("the focus is always seen, there and back, on long pages with bars")
def _(stage):
    host = stage.visitor(PHONE).become_provider()
    event = host.publish()
    for path in ("/events/new", event, "/help/components"):
        there_and_back(host.open(path))
    guest = stage.visitor(PHONE).become_parent()
    for path in ("/events", event, "/me", "/me/family"):
        there_and_back(guest.open(path))


@test("in the open filters the focus is always seen: their button covers nothing that has it")
def _(stage):
    for size in (PHONE, DESKTOP):
        page = stage.visitor(size).open("/events")
        page.locator(".filters > summary").click()
        for fold in page.locator(".fold > summary").all():
            fold.click()
        page.get_by_role("radio", name="Other days").check()
        page.evaluate("scrollTo(0, 0)")
        page.locator("[name=q]").focus()
        tab_to(page, lambda it: it["words"].startswith("Show "))
        tab_to(page, lambda it: it["name"] == "q", "Shift+Tab")


def there_and_back(page):
    """Through the page once with Tab and once with Shift+Tab, at most 60 stops each way."""
    count = page.locator("a, button, input, select, textarea, summary").count()
    stops = min(60, count)
    for key in ("Tab", "Shift+Tab"):
        for _ in range(stops):
            tab_to(page, lambda found: True, key)
    page.close()


@test("the first Tab shows a link that skips the bars")
def _(stage):
    page = stage.visitor().open("/events")
    expect(page.locator(".skip")).not_to_be_in_viewport()
    found = tab_to(page, words("Skip to the content"), most=1)
    assert found["href"] == "#main"
    page.keyboard.press("Enter")
    assert focus(page)["isMain"]
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


@test("the summary of problems takes the focus, and its links lead to the fields")
def _(stage):
    provider = stage.visitor(PHONE).become_provider()
    for visitor, path, button in (
        (stage.visitor(PHONE), "/login", "Log in"),
        (stage.visitor(PHONE), "/signup", "Sign up"),
        (provider, "/events/new", "Preview"),
    ):
        page = visitor.open(path)
        page.get_by_role("main").get_by_role("button", name=button).click()
        summary = page.locator(".problems")
        expect(summary).to_be_focused()
        assert page.title().startswith("Error: "), page.title()
        targets = [link.get_attribute("href") for link in summary.get_by_role("link").all()]
        assert targets, f"{path} names no field"
        for target in targets:
            tab_to(page, lambda found, target=target: found["href"] == target)
            page.keyboard.press("Enter")
            found = focus(page)
            assert f"#{found['id']}" == target and found["isSeen"], f"{path}: {target} led to {found}"
            field = page.locator(target)
            assert field.get_attribute("aria-invalid") == "true"
            hint = field.get_attribute("aria-describedby").split()[-1]
            expect(page.locator(f"#{hint}")).to_contain_text(summary.locator(f"a[href='{target}']").inner_text())
            summary.focus()
