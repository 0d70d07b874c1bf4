"""The main job from one end to the other, in a real browser: with JavaScript, without, on a phone, on a desktop."""

import re
import secrets
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from suite import DESKTOP, PHONE, Stage, test
from visitor import account, child, event, family, provider


def fill(page: Page, fields):
    """Types into the fields of a form, chooses and ticks."""
    for name, value in fields.items():
        field = page.locator(f"main [name='{name}']")
        # What is folded away is opened first, as anybody would.
        if (folded := field.locator("xpath=ancestor::details[not(@open)]/summary")).count():
            folded.click()
        if field.get_attribute("type") == "checkbox":
            field.set_checked(value == "1")
        elif field.evaluate("field => field.localName") == "select":
            field.select_option(str(value))
        else:
            field.fill(str(value))
    # Nobody presses a button while the list of what could be meant covers it.
    field.blur()


def until(page, script, expected=True):
    """Waits until a script gives that."""
    for _ in range(100):
        found = page.evaluate(script)
        if found == expected:
            return
        page.wait_for_timeout(100)
    assert found == expected, f"{found} in the place of {expected}"


def press(page: Page, name):
    """Presses a button, or a link that looks like one, by its words."""
    main = page.get_by_role("main")
    button = main.get_by_role("button", name=name).or_(main.get_by_role("link", name=name)).first
    # What comes and goes as one scrolls, such as the floating bar, does so before the finger is on it.
    button.hover()
    button.click()


def shows(page: Page, heading, path):
    """The page has this heading and stands at this path; its scripts have had their turn."""
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    page.wait_for_load_state()
    assert re.fullmatch(path, urlsplit(page.url).path), f"{page.url} is not {path}"


def sign_up(page: Page, username, hat):
    page.goto("/")
    page.get_by_role("banner").get_by_role("link", name="Sign up").click()
    shows(page, "Sign up", "/signup")
    fill(page, account(username))
    press(page, "Sign up")
    shows(page, "What brings you here?", "/welcome")
    page.get_by_role("radio", name=hat).check()
    press(page, "Continue")


def walk(stage: Stage, size, javascript):
    mark = secrets.token_hex(4)
    title = f"Lanterns {mark}"

    # The provider.
    host = stage.visitor(size, javascript).open()
    sign_up(host, f"host-{mark}", "Provider")
    shows(host, "Your organization", "/me/provider")
    fill(host, provider(organization=f"Lantern House {mark}"))
    press(host, "Save")
    shows(host, "Post an event", "/events/new")
    # The place is the provider's own until one says otherwise.
    expect(host.locator("[name=city]")).to_have_value("Larkfield")
    press(host, "Preview")
    expect(host.locator(".problems")).to_contain_text("Give the event a title.")
    typed = event(title=title, spots="3", age_from="4", age_to="12")
    fill(host, typed)
    press(host, "Preview")
    shows(host, title, "/events/new")
    expect(host.get_by_role("main")).to_contain_text("This is a preview.")
    expect(host.get_by_role("main")).to_contain_text("Lantern House")
    press(host, "Back to editing")
    for name, value in typed.items():
        field = host.locator(f"main [name='{name}']")
        expect(field).to_be_checked() if name == "covid_safe" else expect(field).to_have_value(value)
    fill(host, {"description": "Paper, light and a walk by the river."})
    press(host, "Preview")
    shows(host, title, "/events/new")
    press(host, "Publish")
    shows(host, "Congratulations! Your event has successfully been registered.", r"/events/\d+/published")
    press(host, "See the event")
    shows(host, title, r"/events/\d+")
    expect(host.get_by_role("main")).to_contain_text("Paper, light and a walk by the river.")
    path = urlsplit(host.url).path

    # The parent.
    guest = stage.visitor(size, javascript).open()
    sign_up(guest, f"guest-{mark}", "Parent")
    shows(guest, re.compile("family"), "/me/family")
    fill(guest, family(first_name="Noor", last_name="Haddad"))
    press(guest, "Save")
    for nickname, years in (("Robin", 6), ("Kim", 9)):
        shows(guest, "Add a child", "/me/children/new")
        fill(guest, child(nickname, years))
        press(guest, "Save")
        shows(guest, "My children", "/me/children")
        press(guest, "Add a child")
    guest.get_by_role("navigation", name="Main").get_by_role("link", name="Discover").click()
    shows(guest, "Events in Larkfield", "/events")
    guest.get_by_role("searchbox", name="Search events").fill(mark)
    guest.get_by_role("button", name="Search", exact=True).click()
    expect(guest).to_have_url(re.compile(f"q={mark}"))
    expect(guest.locator(".card")).to_have_count(1)
    guest.get_by_role("link", name=title).click()
    shows(guest, title, path)
    expect(guest.get_by_role("main")).to_contain_text("3 of 3 places left")
    press(guest, re.compile("^Register"))
    expect(guest.get_by_role("main")).to_contain_text("Choose the children who come.")
    for name in ("Robin", "Kim"):
        box = guest.get_by_role("checkbox", name=name)
        box.hover()
        box.check()
    guest.locator("#register .button--wide").click()
    shows(guest, "Congratulations! You are registered for the event.", r"/registrations/\d+")
    press(guest, "See my week")
    shows(guest, "My week", r"/week")
    guest.locator(".slot summary").get_by_text(title).click()
    press(guest, f"Open {title}")
    press(guest, re.compile("Give this place back.*Robin"))
    shows(guest, "Congratulations! You are registered for the event.", r"/registrations/\d+")
    expect(guest.get_by_role("status").first).to_be_visible()
    expect(guest.get_by_role("main").get_by_text("Place given back")).to_have_count(1)

    # The provider again.
    host.reload()
    expect(host.get_by_role("main")).to_contain_text("2 of 3 places left")
    press(host, "Who comes")
    shows(host, "Who comes", f"{path}/registrations")
    expect(host.get_by_role("main")).to_contain_text("1 of 3 places taken")
    expect(host.locator("tbody tr")).to_have_count(1)
    row = host.locator("tbody tr")
    for words in ("Kim", "9", "Noor Haddad", f"guest-{mark}@example.org", "408 555 0134"):
        expect(row).to_contain_text(words)

    # Nobody else sees the roster: somebody who is no provider is led to the event.
    guest.goto(f"{path}/registrations")
    shows(guest, title, path)


@test("on a phone, a provider publishes an event and a parent registers two children")
def _(stage):
    walk(stage, PHONE, javascript=True)


@test("on a phone without JavaScript, a provider publishes an event and a parent registers two children")
def _(stage):
    walk(stage, PHONE, javascript=False)


@test("on a desktop, a provider publishes an event and a parent registers two children")
def _(stage):
    walk(stage, DESKTOP, javascript=True)


@test("on a phone without JavaScript, a visitor chooses Spanish at the foot of a page, and reads it from then on")
def _(stage):
    page = stage.visitor(PHONE, javascript=False).open("/events?free=1")
    foot = page.get_by_role("contentinfo")
    english, spanish = (foot.get_by_role("button", name=name) for name in ("English", "Español"))
    expect(english).to_have_attribute("aria-pressed", "true")
    expect(spanish).to_have_attribute("lang", "es")
    spanish.click()
    for path in ("/events?free=1", "/about"):
        expect(page.locator("html")).to_have_attribute("lang", "es")
        expect(spanish).to_have_attribute("aria-pressed", "true")
        assert page.url.endswith(path), page.url
        page.goto("/about")
    # A link in a language shows its page in it, once.
    page.goto("/about?lang=de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto("/about")
    expect(page.locator("html")).to_have_attribute("lang", "es")
