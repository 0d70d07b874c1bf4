"""Pictures: chosen, shown at once, sent, described, and seen by families; with JavaScript and without."""

import pathlib
import tempfile

from playwright.sync_api import expect

from pages import states
from suite import DESKTOP, PHONE, test
from visitor import event
from walks import fill, press

FOLDER = pathlib.Path(__file__).parents[1] / "AppTests/Pictures"
PHOTO, WIDE = FOLDER / "photo.jpg", FOLDER / "wide.webp"


@test("a picture is shown at once, sent while the form is filled in, and only its number goes along with the form")
def _(stage):
    page = stage.visitor(PHONE).become_provider().open("/events/new")
    shown = page.locator(".picture-frame img")
    expect(shown).to_have_count(0)
    page.get_by_text("A photo or poster").click()
    expect(page.get_by_role("group", name="The part that must be seen")).to_be_hidden()
    page.locator("#poster_file").set_input_files(WIDE)
    expect(shown).to_be_visible()
    expect(page.get_by_text("The picture is here.")).to_be_visible()
    expect(page.locator("#poster_file")).to_have_value("")
    number = page.locator("input[type=hidden][name=poster]").input_value()
    assert number.isdigit()
    page.get_by_role("radio", name="Bottom right").check()
    assert "focus-9" in shown.get_attribute("class")
    page.get_by_label("What does the picture show?").fill("A green field")

    # Another one takes its place; one that is too large is refused here, and the one before stays.
    page.locator("#poster_file").set_input_files(PHOTO)
    expect(page.locator("input[type=hidden][name=poster]")).not_to_have_value(number)
    with tempfile.NamedTemporaryFile(suffix=".jpg") as large:
        large.truncate(10 * 1024 * 1024 + 1)
        page.locator("#poster_file").set_input_files(large.name)
        expect(page.get_by_text("This picture is larger than 10 MB.")).to_be_visible()

    fill(page, event())
    fill(page, {"title": "A field to look at"})
    with page.expect_request(lambda request: request.method == "POST") as sent:
        press(page, "Preview")
    assert len(sent.value.post_data_buffer) < 10_000
    hero = page.locator(".hero img")
    expect(hero).to_have_attribute("alt", "A green field")
    box = hero.bounding_box()
    press(page, "Publish")
    press(page, "See the event")
    # The page keeps the room for the picture: nothing jumps when it comes.
    expect(hero).to_be_visible()
    assert hero.bounding_box()["height"] == box["height"]
    card = stage.visitor(DESKTOP).open("/events?q=look").locator(".card", has_text="A field to look at").locator("img")
    card.first.scroll_into_view_if_needed()
    expect(card.first).to_have_js_property("naturalWidth", 60)


@test("without JavaScript the picture comes with the form, stays through its steps, and can be taken off")
def _(stage):
    page = stage.visitor(DESKTOP, javascript=False).become_provider().open("/events/new")
    fill(page, event(title="A quiet picture"))
    page.locator("#poster_file").set_input_files(files=[{"name": "a.svg", "mimeType": "image/svg+xml", "buffer": b"<svg/>"}])
    press(page, "Preview")
    expect(page.locator(".problems")).to_contain_text("Save it as a PNG")
    expect(page.locator("[name=title]")).to_have_value("A quiet picture")
    page.locator("#poster_file").set_input_files(PHOTO)
    press(page, "Preview")
    expect(page.locator(".hero img")).to_be_visible()
    press(page, "Back to editing")
    expect(page.locator(".picture-frame img")).to_be_visible()
    page.get_by_role("checkbox", name="Take the picture off").check()
    press(page, "Preview")
    expect(page.locator(".hero svg")).to_be_visible()
    expect(page.locator(".hero img")).to_have_count(0)


@test("a picture of oneself is taken or chosen, shown before it is saved, and stands in the header")
def _(stage):
    visitor = stage.visitor().become_provider()
    page = visitor.open("/me")
    # A phone opens its camera by the second of the two; where there is a mouse there is only the first.
    camera = page.locator("#camera-provider")
    expect(camera).to_be_hidden()
    with stage.browser.new_context(
        base_url=stage.site.url, storage_state=visitor.context.storage_state(), is_mobile=True, has_touch=True
    ) as phone:
        touched = phone.new_page()
        touched.goto("/me")
        expect(touched.get_by_label("Or take one now")).to_have_count(2)
        expect(touched.locator("#camera-member")).to_be_visible()
    page.get_by_label("Picture or logo of your organization").set_input_files(PHOTO)
    expect(page.locator(".portrait img")).to_have_count(1)
    press(page, "Save the picture")
    expect(page.locator(".person-head img")).to_be_visible()
    expect(page.get_by_role("banner").locator("img")).to_be_visible()
    press(page, "Take it off")
    expect(page.get_by_role("banner").locator("img")).to_have_count(0)


@states("with pictures")
def _(stage):
    host = stage.visitor(PHONE).become_provider()

    def form(file):
        page = host.open("/events/new")
        fill(page, event())
        # The suggestions below the tags close.
        fill(page, {"title": "A field to look at"})
        page.get_by_text("A photo or poster").click()
        page.locator("#poster_file").set_input_files(file)
        return page

    page = form(WIDE)
    expect(page.get_by_text("The picture is here.")).to_be_visible()
    press(page, "Preview")
    page.wait_for_load_state()
    press(page, "Back to editing")
    expect(page.locator(".picture-frame img")).to_be_visible()
    yield "the form with a picture", page
    page = form(WIDE)
    expect(page.get_by_text("The picture is here.")).to_be_visible()
    press(page, "Preview")
    expect(page.locator(".hero img")).to_be_visible()
    press(page, "Publish")
    press(page, "See the event")
    expect(page.locator(".hero img")).to_be_visible()
    yield "an event with a picture", page
    page = host.open("/me")
    press(page, "Save the picture")
    expect(page.locator(".problems")).to_be_visible()
    yield "a profile without the picture that was promised", page
    page = host.open("/me")
    page.get_by_label("Picture or logo of your organization").set_input_files(PHOTO)
    press(page, "Save the picture")
    expect(page.locator(".person-head img")).to_be_visible()
    yield "a profile with a picture", page
    yield "a page of a provider with pictures", stage.visitor(DESKTOP).open(f"/providers/{host.username}")
