"""Pages that are met again: after Back, in another state, with text twice as large, with pictures of any shape."""

import re
import struct
import zlib

from playwright.sync_api import expect

from behaviours import apart
from inspection import LARGE
from suite import DESKTOP, PHONE, test
from town import TODAY
from visitor import event, soon
from walks import fill, press, until


def shifts(stage, visitor):
    """Opens a way to help where this visitor chooses among several shifts."""
    return visitor.open(stage.visitor().become_provider().ask_for_help())


@test("Back after signing up ticks no shift that nobody chose")
def _(stage):
    page = shifts(stage, stage.visitor().become_parent())
    page.locator("#sign-up input[name=shift]").first.check()
    press(page, "Sign up")
    page.wait_for_url("**#mine")
    page.go_back()
    expect(page.locator("#sign-up")).to_be_visible()
    expect(page.locator("#sign-up input[type=checkbox]:checked")).to_have_count(0)


@test("a place that was given back by mistake is one's own again after one press")
def _(stage):
    page = shifts(stage, stage.visitor().become_parent())
    page.locator("#sign-up input[name=shift]").first.check()
    press(page, "Sign up")
    page.wait_for_url("**#mine")
    page.locator("#mine form[action$='/cancel'] button").click()
    expect(page.get_by_text("You gave your place back")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Undo")).click()
    # What was done stands at the top, and so does the page.
    page.wait_for_url(re.compile(r"/opportunities/\d+$"))
    expect(page.locator("#mine form[action$='/cancel']")).to_have_count(1)


@test("Back leads past a form's answer, and the page above it is shown")
def _(stage):
    visitor = stage.visitor().become_parent()
    visitor.done("/timeline/new", text="Onions to give away.", kind="done", audience="members", step="publish")
    page = visitor.open("/people/" + visitor.username)
    page.goto("/timeline")
    page.locator("a[href*='#comments']").first.click()
    page.wait_for_url(re.compile("#comments$"))
    path = page.url.split("#")[0]
    press(page, "Send the comment")
    expect(page).to_have_url(re.compile("/comments$"))
    page.goto("/about")
    page.go_back()
    expect(page).to_have_url(path)
    expect(page.get_by_role("button", name="Send the comment")).to_be_visible()


@test("a sheet that is left half filled is as it was after Back and a reload, until it is sent, and for nobody else")
def _(stage):
    asks = {"question.0.kind": "line", "question.0.text": "Who fetches them?", "question.0.for": "family"}
    path = stage.visitor().become_provider().publish(**asks)
    mother = stage.visitor(PHONE).become_parent(("Robin", "Kim"))
    page = mother.open(path)
    page.get_by_role("checkbox", name="Kim").check()
    page.get_by_label("Who fetches them?").fill("Grandma Rosa")

    def is_kept():
        expect(page.get_by_label("Who fetches them?")).to_have_value("Grandma Rosa")
        expect(page.get_by_role("checkbox", name="Kim")).to_be_checked()
        expect(page.get_by_role("checkbox", name="Robin")).not_to_be_checked()

    press(page, "Add another child")
    page.wait_for_url("**/me/children/new")
    page.go_back()
    is_kept()
    # The page that comes back with a child, too, which was the answer to a form.
    press(page, "Add another child")
    page.wait_for_url("**/me/children/new")
    press(page, "Go back without adding a child")
    is_kept()
    expect(page).to_have_url(re.compile(path + "$"))
    page.reload()
    is_kept()
    page.goto("/about")
    page.go_back()
    is_kept()
    keys = "Object.keys(sessionStorage).filter(key => key.startsWith('form '))"
    page.goto("/about")
    assert len(page.evaluate(keys)) == 1
    # Sent, it begins anew: the other child would otherwise go along with what came before.
    page.go_back()
    is_kept()
    page.locator("#register").get_by_role("button", name="Register").click()
    page.wait_for_url("**/registrations/*")
    page.go_back()
    # What was asked of the family is answered, and the other child isn't chosen.
    robin = page.get_by_role("checkbox", name="Robin")
    expect(robin).not_to_be_checked()
    expect(page.get_by_label("Who fetches them?")).to_have_count(0)
    robin.check()
    # The next reader of this tab has nothing of it.
    page.goto("/about")
    mother.done("/logout")
    page.goto("/about")
    until(page, keys, [])


@test("Forward onto what was written shows it again, whatever is written")
def _(stage):
    visitor = stage.visitor(PHONE).become_provider()
    forms = {"/timeline/new": "text", "/needs/new": "title", "/opportunities/new?kind=volunteer": "title"}
    for path, name in forms.items():
        page = visitor.open("/about")
        page.goto(path)
        page.locator(f"[name={name}]").first.fill("Onions to give away.")
        page.goto("/help")
        text = page.locator(f"[name={name}]").first
        page.go_back()
        expect(text).to_have_value("Onions to give away.")
        # Another way back while the page still loads would end in neither.
        page.wait_for_load_state("networkidle")
        page.go_back()
        page.wait_for_url("**/about")
        page.go_forward()
        expect(text).to_have_value("Onions to give away.")
        page.close()


@test("without a script Back shows a preview again, and what was typed is still there")
def _(stage):
    page = stage.visitor(javascript=False).become_parent().open("/timeline/new")
    page.locator("[name=text]").fill("Onions to give away.")
    press(page, "Preview")
    press(page, "Post it")
    page.wait_for_url(lambda url: not url.endswith("/timeline/new"))
    page.go_back()
    expect(page.get_by_role("heading", name="Preview of your post")).to_be_visible()
    press(page, "Back to editing")
    expect(page.locator("[name=text]")).to_have_value("Onions to give away.")


@test("at 320 pixels all that a member's header holds stands in one line")
def _(stage):
    page = stage.visitor((320, 640)).become_parent().open("/")
    for text in ("", LARGE):
        text and page.evaluate(text)
        assert page.locator(".top").bounding_box()["height"] < 72, page.locator(".top").bounding_box()


@test("at 320 pixels no word of the tabs runs under its neighbor, and no filter is wider than its row")
def _(stage):
    family = stage.visitor((320, 640)).become_parent()
    page = family.open("/timeline")
    for language in ("en", "es", "de", "ar"):
        page.goto(f"/timeline?lang={language}")
        outside = page.evaluate(
            """() => [...document.querySelectorAll(".tabs a")].filter(it => {
              const [words, box] = [document.createRange(), it.getBoundingClientRect()]
              words.selectNodeContents(it)
              const { left, right } = words.getBoundingClientRect()
              return left < box.left || right > box.right || box.width < 44
            }).map(it => it.innerText)"""
        )
        assert not outside, (language, outside)
    page.goto("/events?q=Something+with+a+long+name+that+somebody+looked+for+once")
    rows = """() => [...document.querySelectorAll(".find .chips--line")].flatMap(row => [...row.children]
      .map(it => [it.getBoundingClientRect().width, row.clientWidth])).filter(([chip, row]) => chip > row)"""
    assert page.locator(".find .chip--on").count() and not page.evaluate(rows), page.evaluate(rows)


@test("with text at 200 % the header leaves a phone its page, and shifts and choices keep their words whole")
def _(stage):
    visitor = stage.visitor(PHONE).become_parent()
    page = shifts(stage, visitor)
    page.evaluate(LARGE)
    assert page.locator(".top").bounding_box()["height"] < PHONE[1] / 8, page.locator(".top").bounding_box()
    for words in page.locator(".shift > span:not(.leaf-date)").all():
        assert words.bounding_box()["width"] > PHONE[0] / 2, words.bounding_box()
    page.goto("/welcome")
    page.evaluate(LARGE)
    assert not page.evaluate(BROKEN, "main b, main small, main h1"), page.evaluate(BROKEN, "main b, main small, main h1")
    visitor = stage.visitor(PHONE).log_in(stage.site.people["parent"])
    page = visitor.open("/impact")
    page.evaluate(LARGE)
    assert not page.evaluate(BROKEN, ".figures th, h1"), page.evaluate(BROKEN, ".figures th, h1")


# The words that stand on two lines.
BROKEN = """selector => [...document.querySelectorAll(selector)].flatMap(it => {
  const node = it.firstChild
  if (it.childNodes.length !== 1 || node.nodeType !== Node.TEXT_NODE || !it.checkVisibility()) return []
  return [...node.data.matchAll(/\\p{L}{2,}/gu)].filter(word => {
    const range = document.createRange()
    range.setStart(node, word.index)
    range.setEnd(node, word.index + word[0].length)
    return new Set([...range.getClientRects()].filter(box => box.width).map(box => Math.round(box.top))).size > 1
  }).map(word => word[0])
})"""


def portrait():
    """A picture that is far higher than wide."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    width, height = 300, 600
    rows = zlib.compress((b"\0" + b"\x1c\x6b\x57" * width) * height)
    size = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    file = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return {"name": "tall.png", "mimeType": "image/png", "buffer": file}


@test("a picture that is higher than wide keeps every avatar round, and covers nothing")
def _(stage):
    visitor = stage.visitor().become_provider()
    page = visitor.open("/me")
    page.get_by_label("Picture or logo of your organization").set_input_files(portrait())
    expect(page.locator(".portrait img")).to_be_visible()
    press(page, "Save the picture")
    expect(page.locator(".person-head img")).to_be_visible()
    seen = 0
    for path in ("/me", f"/providers/{visitor.username}", visitor.publish()):
        page.goto(path)
        for picture in page.locator(".avatar img").all():
            box, frame = picture.bounding_box(), picture.locator("..").bounding_box()
            if not box:
                continue
            seen += 1
            assert box["width"] == box["height"] and box["height"] <= frame["height"] + 0.5, (path, box, frame)
    assert seen >= 3, seen


@test("signed out on a phone, the places left and the way to register are in reach, and go where the panel is")
def _(stage):
    path = stage.visitor().become_provider().publish()
    page = stage.visitor(PHONE).open(path)
    bar = page.locator(".reach")
    expect(bar).to_be_in_viewport()
    expect(bar).to_contain_text("5 places left")
    expect(bar.get_by_role("link", name="Log in to register")).to_be_visible()
    page.locator("#register").scroll_into_view_if_needed()
    expect(bar).to_be_hidden()
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator(".reach:not([inert])")).to_be_visible()
    # As a finger does it: Playwright's own click would scroll to where the bar stands in the page.
    box = bar.get_by_role("link").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**/login?next=*")


@test("the sheet of who joins covers no line of the activity it belongs to")
def _(stage):
    host = stage.visitor().become_parent()
    fair = event(audience="everyone", place_name="Willow field", end_time="19:00", title="Fair of two hours")
    rows = {}
    for number, name in enumerate(("Sack race in the long meadow", "Kites")):
        rows |= {f"activity.{number}.name": name, f"activity.{number}.start_time": "11:00",
                 f"activity.{number}.end_time": "12:00", f"activity.{number}.place": f"Tent {number}"}
    path = host.done("/events/new", fair | rows, step="publish").removesuffix("/published")
    for size in (PHONE, DESKTOP):
        guest = stage.visitor(size).become_parent()
        page = guest.open(path)
        join = page.locator("details.join").first
        activity = page.locator(".activity").filter(has=join).first
        join.locator("summary").click()
        sheet = join.locator("form")
        expect(sheet).to_be_visible()
        for line in activity.locator(":scope > div:first-child > *").all():
            assert not line.is_visible() or apart(sheet, line), (size, line.inner_text())


@test("a preview begins with the page, and its pin stands below")
def _(stage):
    page = stage.visitor().become_provider().open("/events/new")
    fill(page, event(title="Kites at noon", date=soon()))
    press(page, "Preview")
    title = page.locator("main h1").filter(has_text="Kites at noon").bounding_box()["y"]
    pin = page.get_by_role("heading", name="Is the pin in the right place?").bounding_box()["y"]
    assert title < pin, (title, pin)
    press(page, "Publish")
    page.wait_for_url("**/published")


@test("in the grid of a week, what overlaps keeps its time and its title")
def _(stage):
    host = stage.visitor().become_provider()
    day = soon(7 - TODAY.isoweekday() % 7 + 2)
    paths = [
        host.publish(title=title, date=day, start_time=start, end_time=end)
        for title, start, end in (("Walk a dog", "09:00", "10:30"), ("Bake bread", "09:30", "12:00"))
    ]
    assert len(paths) == 2
    page = host.open(f"/week?from={day}")
    boxes = page.locator(".slot.of2")
    expect(boxes).to_have_count(2)
    for box in boxes.all():
        for part in (".time", ".name"):
            words = box.locator(part)
            assert words.evaluate("it => it.scrollWidth <= it.clientWidth + 1 && it.scrollHeight <= it.clientHeight + 1"), (
                part, words.inner_text())
