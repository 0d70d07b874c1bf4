"""Large text and narrow windows with axe and in other languages, paper, and the header on all pages."""

import os
import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from inspection import COLOURS, CUT, LARGE, SIDEWAYS, axe
from pages import REACH, somebody
from suite import PHONE, check, test
from town import IS_OTHER_DAY

# `deploy/test --long` looks at everything in every combination, on the suite's own day.
IS_LONG = os.environ.get("VILLAGE_LONG") == "1" and not IS_OTHER_DAY


def resize(page, width, height=844):
    page.set_viewport_size({"width": width, "height": height})


def main_pages(urls):
    return [url for url in urls if IS_LONG or urlsplit(url).path in ("/", "/events", "/me", "/admin")]


def looked_at(kind):
    """The tests of one kind of person."""

    @test(f"axe finds nothing on a {kind}'s pages, narrow, wide, in the dark and with large text")
    def _(stage):
        problems = []
        for url, page in REACH[kind].pages(stage, main_pages):
            for is_large in (False, True):
                if is_large:
                    page.evaluate(LARGE)
                for width in (320, 390, 1280) if IS_LONG else (320,):
                    resize(page, width)
                    for scheme, rules in (("light", None), ("dark", COLOURS)) if IS_LONG else (("light", None),):
                        page.emulate_media(color_scheme=scheme)
                        size = "200 %" if is_large else "100 %"
                        found = axe(page, rules)
                        problems += [f"{url} ({width} px, {scheme}, {size}): {line}" for line in found]
        check(problems)


for kind in ("visitor", "parent", "provider", "staff"):
    looked_at(kind)


def read_in(language, name, kind):
    """The test of one kind of person who reads another language: words are longer, or run from right to left."""

    @test(f"in {name}, no page of a {kind} scrolls sideways or cuts a word, narrow or with text at 200 %")
    def _(stage):
        problems = []
        # An address that says its language is that of another page.
        for url, page in REACH[kind].pages(stage, lambda urls: [url for url in urls if "lang=" not in url]):
            if page.locator("html").get_attribute("lang") != language:
                page.context.add_cookies([{"name": "village_language", "value": language, "url": page.url}])
                page.goto(url)
            assert page.locator("html").get_attribute("lang") == language, url
            for width, is_large in ((320, False), (PHONE[0], True)):
                resize(page, width)
                if is_large:
                    page.evaluate(LARGE)
                page.evaluate("document.fonts.ready")
                found = page.evaluate(SIDEWAYS) + page.evaluate(CUT)
                if IS_LONG or url in main_pages([url]):
                    found += axe(page)
                problems += [f"{url} ({width} px{', 200 %' if is_large else ''}): {line}" for line in found]
        check(problems)


# One that has long words as a visitor, one from right to left as a parent; `--long` looks at all as both.
read_in("de", "German", "visitor")
read_in("ar", "Arabic", "parent")
if IS_LONG:
    read_in("de", "German", "parent")
    read_in("ar", "Arabic", "visitor")
    for kind in ("visitor", "parent"):
        read_in("es", "Spanish", kind)


@test("a drawn poster leaves room for the title on a phone on its side, and covers nothing of it anywhere")
def _(stage):
    path = stage.visitor().become_provider().publish()
    page = stage.visitor((844, 390)).open(path)
    for size in ((844, 390), PHONE, (1280, 800)):
        resize(page, *size)
        poster, head = page.locator(".hero").bounding_box(), page.locator("article header").bounding_box()
        assert poster["y"] + poster["height"] <= head["y"], f"{size}: the head lies over the poster"
        assert page.locator("h1").bounding_box()["y"] < size[1] - 24, f"{size}: the title is out of sight"


@test("all lists of My events are in sight on a phone, and a notice keeps away from what stands below it")
def _(stage):
    host = stage.visitor(PHONE).become_provider()
    page = host.open("/me/events")
    for link in page.locator(".segment a").all():
        box = link.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE[0], link.inner_text()
    path = host.publish()
    guest = stage.visitor(PHONE).become_parent()
    guest.register(path)
    host.done(f"{path}/cancel", reason="No wind.")
    page = guest.open(path)
    for size in (PHONE, (1280, 800)):
        resize(page, *size)
        notices = [box.bounding_box() for box in page.locator("main > .stack > *").all()]
        below = min(box["y"] for box in (page.locator(".back").bounding_box(), page.locator("aside").bounding_box()))
        assert notices
        assert below - max(box["y"] + box["height"] for box in notices) >= 8, (notices, below)


@test("a phone shows what a form of an event requires first; the rest is folded while it holds nothing")
def _(stage):
    host = stage.visitor(PHONE).become_provider()
    page = host.open("/events/new")
    for name in ("title", "description", "date", "start_time", "address", "city", "zip", "spots", "price"):
        expect(page.locator(f"main [name={name}]")).to_be_visible()
    folded = ("poster_file", "online_url", "lat", "bring", "covid_safe", "tags")
    for name in folded:
        expect(page.locator(f"main [name={name}]").first).to_be_hidden()
    # Nothing that is required stands below the folds.
    fold = page.locator("main .fold").first.bounding_box()["y"]
    assert page.locator("[name=price]").bounding_box()["y"] < fold


@test("words that are cut off, and pages that are too wide, are found")
def _(stage):
    page = stage.visitor(PHONE).open("/about")
    assert not page.evaluate(CUT) and not page.evaluate(SIDEWAYS), "the page is well before"
    page.evaluate(
        """() => {
          document.querySelector("main").insertAdjacentHTML("beforeend", "<p id=cut>words without an end</p>")
          const sheet = new CSSStyleSheet()
          sheet.replaceSync("#cut { width: 3rem; overflow: hidden; white-space: nowrap }")
          document.adoptedStyleSheets = [sheet]
        }"""
    )
    assert "words without an end" in page.evaluate(CUT)[0]
    page.evaluate("document.querySelector('#cut').textContent = 'W'.repeat(300)")
    page.evaluate("document.adoptedStyleSheets[0].replaceSync('#cut { overflow-wrap: normal }')")
    assert page.evaluate(SIDEWAYS) and page.evaluate(CUT)


# MARK: The header


@test("the menu under the avatar opens and closes by mouse and keyboard, and logs out")
def _(stage):
    page = somebody(stage, "parent").open("/events")
    menu = page.locator(".top details.menu")
    summary, out = menu.locator("summary"), menu.get_by_role("button", name="Log out")
    expect(out).to_be_hidden()
    summary.focus()
    page.keyboard.press("Enter")
    expect(out).to_be_visible()
    page.keyboard.press("Tab")
    expect(menu.get_by_role("link", name="Me", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(out).to_be_hidden()
    expect(summary).to_be_focused()
    summary.click()
    expect(out).to_be_visible()
    check(axe(page))
    page.mouse.click(5, 700)
    expect(out).to_be_hidden()
    summary.click()
    out.click()
    page.wait_for_url("**/")
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()


@test("without JavaScript the menu opens, and logs out, on a phone too")
def _(stage):
    visitor = stage.visitor(PHONE, javascript=False).log_in(stage.site.people["staff"])
    page = visitor.open("/help")
    page.locator(".top details.menu summary").click()
    expect(page.locator(".top details.menu").get_by_role("link", name="The desk")).to_be_visible()
    sheet = page.locator(".menu-sheet").bounding_box()
    assert sheet["x"] >= 0 and sheet["x"] + sheet["width"] <= PHONE[0], sheet
    page.locator(".top details.menu").get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()


@test("the switch of hats stays on a page that is open to both")
def _(stage):
    page = stage.visitor().become_parent().become_provider().open("/events?q=story")
    page.get_by_role("group", name="I am here as").get_by_role("button", name="Parent").click()
    expect(page.locator(".switch [aria-pressed=true]")).to_have_text("Parent")
    assert page.url.endswith("/events?q=story"), page.url


@test("the brand keeps its name for ears where there is no room for it")
def _(stage):
    page = stage.visitor().open("/")
    for width in (320, 390, 1280):
        resize(page, width)
        expect(page.locator(".top").get_by_role("link", name=re.compile("Village"))).to_have_count(1)


# MARK: Paper


@test("My week, the registrations and My events print on one sheet, without the bars")
def _(stage):
    for kind, paths in (("parent", ("/week", "/me/registrations")), ("provider", ("/week", "/me/events"))):
        page = somebody(stage, kind).open("/")
        for path in paths:
            page.goto(path)
            page.emulate_media(media="print")
            for part in (".top", ".footer", ".tabs"):
                expect(page.locator(part)).to_be_hidden()
            rows = page.locator("main .card, main .rows > li").count()
            sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
            assert sheets <= 1 + rows // 14, f"{path}: {rows} events on {sheets} sheets"
            page.emulate_media(media="screen")
