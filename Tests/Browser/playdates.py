"""Two pets find each other, from signing up to a meeting: by pressing, without JavaScript, by touch, by keyboard."""

import secrets

from playwright.sync_api import Page, expect

from keyboard import tab_to
from pictures import PHOTO, WIDE
from suite import DESKTOP, PHONE, Stage, test
from visitor import soon
from walks import fill, press, shows, sign_up


def tap(page: Page, name):
    """Presses a button with a finger."""
    page.get_by_role("main").get_by_role("button", name=name).tap()


def enter(page: Page, name):
    """Presses a button, or follows a link, with the keyboard alone; all the way the focus is seen."""
    tab_to(page, lambda it: name in it["words"] and it["tag"] in ("a", "button"))
    page.keyboard.press("Enter")


def walk(stage: Stage, size, javascript=True, decide=press):
    mark = secrets.token_hex(4)
    # Wishes that only these four fit: other tests' pets stay out of it.
    kind, wanted = {press: ("bird", "guinea-pig"), tap: ("rabbit", "bird"), enter: ("guinea-pig", "horse")}[decide]
    if not javascript:
        kind, wanted = "cat", "reptile"
    others = [
        stage.visitor().become_owner(name, type=wanted, wants_type=kind) for name in ("Miso", "Pepper", "Hazel")
    ]
    me = stage.visitor(size, javascript, touch=decide is tap)
    page = me.open()
    sign_up(page, f"owner-{mark}", "Parent")
    page.goto("/playdates")
    press(page, "Begin: it takes two minutes")
    shows(page, "You and your pets", "/me/owner")
    fill(page, {
        "name": "Noor", "birth_year": "1985", "country": "US", "city": "Larkfield", "zip": "95112",
        "phone": "408 555 0188",
    })
    press(page, "On to your pet")
    shows(page, "Add a pet", "/me/pets/new")
    fill(page, {"name": f"Clover {mark}", "type": kind, "years": "2"})
    page.locator(f"[name=wants_type][value={wanted}]").check()
    press(page, "On to the pictures")
    shows(page, f"Pictures of Clover {mark}", r"/me/pets/\d+/pictures")
    page.locator("#photo").set_input_files(PHOTO)
    press(page, "Save the pictures")
    expect(page.locator(".photo-list li")).to_have_count(1)
    me.username = f"owner-{mark}"
    mine = me.pet()
    miso = others[0]
    miso.done("/playdates", asking=miso.pet(), pet=mine, choice="hello")

    # Three cards, the newest first.
    page.goto("/playdates")
    for name, choice in (("Hazel", "Not now"), ("Pepper", "Say hello"), ("Miso", "Say hello")):
        expect(page.locator("article.pet h2")).to_have_text(name)
        tree = page.get_by_role("main").aria_snapshot()
        for line in (f'article "{name}"', 'button "Not now"', 'button "Say hello"'):
            assert line in tree, f"a screen reader misses {line}: {tree}"
        decide(page, choice)
    shows(page, f"Clover {mark} and Miso", r"/playdates/matches/\d+")
    match = page.url
    expect(page.get_by_role("main")).to_contain_text("408 555 0135")
    fill(page, {"text": "Hello Miso!"})
    decide(page, "Send")
    expect(page.get_by_role("log")).to_contain_text("Hello Miso!")
    fill(page, {"day_1": soon(3), "time_1": "10:00", "place": f"The lawn {mark}"})
    decide(page, "Propose these times")
    expect(page.get_by_role("main")).to_contain_text("You asked Kim")

    # The other one takes the time, and it stands in the week of both.
    answer = miso.open(match)
    answer.locator("button[name=time][value='1']").click()
    answer.get_by_text("Agreed.").wait_for()
    for each in (page, answer):
        each.goto(f"/week?from={soon(3)}")
        expect(each.get_by_role("main")).to_contain_text(f"The lawn {mark}")


@test("on a phone, a pet finds a friend, and they meet in My week")
def _(stage):
    walk(stage, PHONE)


@test("without JavaScript, a pet finds a friend, and they meet in My week")
def _(stage):
    walk(stage, PHONE, javascript=False)


@test("by touch, a pet finds a friend, and they meet in My week")
def _(stage):
    walk(stage, PHONE, decide=tap)


@test("with the keyboard, a pet finds a friend, and they meet in My week")
def _(stage):
    walk(stage, DESKTOP, decide=enter)


@test("all about a pet opens over its card, and its pictures are leafed through by button, key and finger")
def _(stage):
    other = stage.visitor().become_owner("Olive", type="horse", wants_type="reptile")
    page = other.open(f"/me/pets/{other.pet()}/pictures")
    for count, file in enumerate((PHOTO, WIDE), 1):
        page.locator("#photo").set_input_files(file)
        press(page, "Save the pictures")
        expect(page.locator(".photo-list li")).to_have_count(count)
        page.wait_for_load_state()
    me = stage.visitor(DESKTOP).become_owner("Fig", type="reptile", wants_type="horse")
    page = me.open("/playdates")
    box = page.get_by_role("dialog")
    page.get_by_role("link", name="All about Olive").click()
    expect(box).to_contain_text("Vaccinated")
    first, second = box.get_by_text("1 of 2"), box.get_by_text("2 of 2")
    expect(first).to_be_in_viewport()
    box.get_by_role("button", name="Next picture").click()
    expect(second).to_be_in_viewport()
    expect(first).not_to_be_in_viewport()
    box.get_by_label("Pictures of Olive").focus()
    page.keyboard.press("ArrowLeft")
    expect(first).to_be_in_viewport()
    # The arrow keys choose nothing while the box is open, and Escape closes it.
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(page.locator("article.pet h2")).to_have_text("Olive")
    page.locator("article.pet .picture").first.click()
    expect(box).to_be_visible()
    box.get_by_role("button", name="Close").click()
    expect(box).to_be_hidden()
    # Without scripts the same is a page.
    plain = stage.visitor(PHONE, javascript=False).become_owner("Date", type="reptile", wants_type="horse")
    page = plain.open("/playdates")
    page.get_by_role("link", name="All about Olive").click()
    shows(page, "Olive", "/playdates")
    expect(page.locator(".about-page .picture")).to_have_count(2)


@test("on a phone a match opens with its last words in sight, above where one writes")
def ends_in_sight(stage: Stage):
    one = stage.visitor(PHONE).become_owner("Plum", type="reptile", wants_type="bird")
    other = stage.visitor().become_owner("Basil", type="bird", wants_type="reptile")
    one.done("/playdates", asking=one.pet(), pet=other.pet(), choice="hello")
    match = other.done("/playdates", asking=other.pet(), pet=one.pet(), choice="hello")
    for number in range(6):
        other.done(f"{match}/messages", text=f"Word {number}: " + "we could meet on the lawn. " * 4)
    page = one.open(match)
    last = page.locator(".chat > li").last
    expect(last).to_contain_text("Word 5")
    end = last.bounding_box()
    assert end["y"] + end["height"] <= page.locator("#write").bounding_box()["y"] + 1
