"""Maps: with the keyboard, beside their list, on a preview, without JavaScript; and whom they ask for what."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from keyboard import tab_to
from suite import DESKTOP, PHONE, test
from visitor import event
from walks import fill, press

SAN_JOSE = {"city": "San Jose", "zip": "95113"}


def live(page):
    """The map that can be moved, once it is there."""
    chart = page.locator(".map-live")
    expect(chart.locator("canvas")).to_have_count(1)
    return chart


@test("the map is reached, moved and looked at more closely by the keyboard, and its pins lead to the events")
def _(stage):
    page = stage.visitor(DESKTOP).open("/events/map?near=San+Jose%2C+CA")
    chart = live(page)
    tab_to(page, lambda it: it["tag"] == "div")
    before = page.locator(".map-name").first.bounding_box()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(400)
    assert page.locator(".map-name").first.bounding_box()["x"] < before["x"] - 40
    pins = chart.get_by_role("button", name="event")
    count = pins.count()
    assert count > 1
    tab_to(page, lambda it: it["tag"] == "button" and it["words"].isdigit())
    page.keyboard.press("Enter")
    card = page.locator(".map-card")
    for _ in range(8):
        page.wait_for_timeout(400)
        if card.count():
            break
        tab_to(page, lambda it: it["tag"] == "button")
        page.keyboard.press("Enter")
    expect(card).to_have_count(1)
    # What was opened has the focus; Escape gives it back to the pin.
    assert page.evaluate("!!document.activeElement.closest('.map-card')")
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    expect(page.locator(".map-pin:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    card.get_by_role("link").first.press("Enter")
    page.wait_for_url(re.compile(r"/events/(\d+$|map\?event=)"))
    if "/events/map" in page.url:
        # An event of the list's next pages: the map's own page has it first.
        page.locator(".spot--chosen a").first.press("Enter")
        page.wait_for_url(re.compile(r"/events/\d+$"))
    expect(page.get_by_role("heading", name="Where it is")).to_be_visible()


@test("entries and pins show each other")
def _(stage):
    path = stage.visitor().become_provider().publish(**SAN_JOSE, title="Alone on the map", tags="solitude")
    page = stage.visitor(DESKTOP).open("/events/map?tag=solitude")
    pin = live(page).get_by_role("button", name="Alone on the map")
    entry = page.locator(".spot")
    entry.hover()
    expect(pin).to_have_class("map-pin map-pin--lit")
    pin.hover()
    expect(entry).to_have_class("spot spot--lit")
    pin.click()
    page.locator(".map-card").get_by_role("link", name="Alone on the map").click()
    page.wait_for_url(f"**{path}")


@test("a map asks this site alone for its outlines: for those around, for all once one looks further")
def _(stage):
    page = stage.visitor(PHONE).context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/events/map?near=Berlin%2C+Germany")
    live(page)
    page.wait_for_load_state("networkidle")
    assert all(url.startswith(stage.site.url) for url in asked), asked
    files = {"countries.json", "states.json", "counties.json"}
    names = {urlsplit(url).path.rsplit("/", 1)[-1] for url in asked}
    assert "leaflet.js" in names and not names & files, names
    assert len([url for url in asked if urlsplit(url).path.startswith("/outlines/")]) == 1, asked
    for _ in range(7):
        page.locator(".leaflet-control-zoom-out").click()
        page.wait_for_timeout(400)
    page.wait_for_load_state("networkidle")
    names = {urlsplit(url).path.rsplit("/", 1)[-1] for url in asked}
    assert {"countries.json", "states.json"} <= names, names
    # The counties only where one looks closely.
    page.goto("/events/map?near=London&within=200&tag=nothing+at+all")
    asked.clear()
    page.reload()
    live(page)
    page.wait_for_load_state("networkidle")
    assert not any("counties" in url for url in asked), asked
    # No pixel of the page's colors is missing: land, water and borders are drawn.
    colours = page.evaluate(
        """() => { const canvas = document.querySelector('.map-live canvas')
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
          const seen = new Set(); for (let at = 0; at < data.length; at += 4) seen.add(data.slice(at, at + 4).join())
          return seen.size }"""
    )
    assert colours > 3, colours


@test("on the preview the pin is put right by a click, by dragging and by the arrow keys, and stays there")
def _(stage):
    host = stage.visitor(DESKTOP).become_provider()
    page = host.open("/events/new")
    fill(page, event(**SAN_JOSE))
    press(page, "Preview")
    chart = live(page)
    latitude, longitude = page.locator("[name=lat]"), page.locator("[name=lon]")
    expect(latitude).to_have_value("")
    pin = chart.get_by_role("button", name="The pin")
    pin.focus()
    pin.press("ArrowUp")
    above = float(latitude.input_value())
    assert 37.3329 < above < 37.4, above
    box = chart.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.6)
    east = float(longitude.input_value())
    assert east > -121.89, east
    at = pin.bounding_box()
    page.mouse.move(at["x"] + 22, at["y"] + 24)
    page.mouse.down()
    page.mouse.move(at["x"] - 60, at["y"] + 24, steps=8)
    page.mouse.up()
    dragged = float(longitude.input_value())
    assert dragged < east, (dragged, east)
    press(page, "Publish")
    page.wait_for_url("**/published")
    page.get_by_role("link", name="See the event").click()
    expect(page.locator(".map")).to_have_attribute("data-lon", str(dragged))


@test("without JavaScript the map is a drawing with the same events as links, and the pin is put by its coordinates")
def _(stage):
    host = stage.visitor(PHONE, javascript=False).become_provider()
    page = host.open("/events/new")
    fill(page, event(**SAN_JOSE, title="Drawn by hand", tags="drawn"))
    press(page, "Preview")
    page.get_by_text("Type the coordinates").click()
    fill(page, {"lat": "37.34", "lon": "-121.9"})
    press(page, "Show it on the map")
    expect(page.locator(".map")).to_have_attribute("data-lat", "37.34")
    press(page, "Publish")
    page = stage.visitor(DESKTOP, javascript=False).open("/events/map?tag=drawn")
    expect(page.locator(".map-live")).to_have_count(0)
    expect(page.locator(".map-drawn path").first).to_be_visible()
    expect(page.get_by_role("link", name="Show streets")).to_have_count(0)
    page.locator(".map-drawn a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Drawn by hand")


@test("a field for a place offers what fits, and several of one name are asked about")
def _(stage):
    page = stage.visitor(DESKTOP).open("/events")
    page.locator(".filters > summary").click()
    page.get_by_text("Where", exact=True).click()
    field = page.locator("[name=near]")
    field.press_sequentially("San Jo")
    page.get_by_role("option", name="San Jose, CA", exact=True).click()
    expect(field).to_have_value("San Jose, CA")
    field.fill("Springfield")
    page.get_by_role("button", name=re.compile("^Show ")).click()
    page.get_by_role("link", name="Springfield, MA").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events near Springfield")


@test("Show on the map opens it at the event, whose pin stands alone; what a pin holds is a list below the map of a phone")
def _(stage):
    host = stage.visitor().become_provider()
    path = host.publish(**SAN_JOSE, title="Here it is", tags="together")
    host.publish(**SAN_JOSE, title="And another", tags="together")
    for javascript in (True, False):
        page = stage.visitor(PHONE, javascript=javascript).open(path)
        page.locator(".hero a").click()
        page.wait_for_url("**/events/map?event=*")
        if javascript:
            chart = live(page)
            pin = chart.locator(".map-pin--chosen")
            expect(pin).to_have_accessible_name(re.compile("Here it is"))
        else:
            pin = page.locator(".map-drawn .map-mark--chosen")
        box, around = pin.bounding_box(), page.locator(".map").bounding_box()
        middle = around["x"] + around["width"] / 2
        assert abs(box["x"] + box["width"] / 2 - middle) < around["width"] / 4, (box, around)
    page = stage.visitor(PHONE).open("/events/map?tag=together")
    live(page).get_by_role("button", name="2 events").click()
    held = page.locator(".map-held")
    expect(held.get_by_role("link")).to_have_count(2)
    assert page.locator(".map-card").count() == 0
    box = held.get_by_role("link", name="Here it is").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE[0], box
    held.get_by_role("button", name="Close").click()
    expect(held).to_be_hidden()


@test("however many events a pin holds, its list is no higher than the map, and holds them all")
def _(stage):
    for number in range(24):
        # A provider has ten events a year.
        if number % 10 == 0:
            host = stage.visitor().become_provider()
        host.publish(**SAN_JOSE, title=f"Crowd {number}", tags="crowd")
    for size, place in ((PHONE, ".map-held .spots"), (DESKTOP, ".map-card")):
        page = stage.visitor(size).open("/events/map?tag=crowd")
        live(page).get_by_role("button", name="24 events").click()
        found = page.locator(place)
        expect(found.get_by_role("link")).to_have_count(24)
        assert found.bounding_box()["height"] <= page.locator(".map").bounding_box()["height"] + 180
        last = found.get_by_role("link").last
        last.focus()
        expect(last).to_be_in_viewport()


@test("a map of many events says how many of them it shows")
def _(stage):
    page = stage.visitor(PHONE).open("/events/map")
    expect(page.get_by_role("main").get_by_role("status").first).to_have_text(
        re.compile(r"The first 40 of (more than )?\d+ events"))
    expect(page.locator("[data-spots] .spot")).to_have_count(40)


@test("the places of a program are numbered pins on one map that can be moved, and on the drawing without scripts")
def _(stage):
    host = stage.visitor(DESKTOP).become_parent()
    path = host.publish(audience="everyone", spots="", covid_safe="", **SAN_JOSE)
    rows = {}
    for number, (name, place, pin) in enumerate((
        ("Puppets", "Craft tent", "37.3341, -121.8891"), ("Brass", "Main stage", "37.3349, -121.8902"),
        ("Soup", "Kitchen", ""),
    )):
        rows |= {f"activity.{number}.{key}": value for key, value in (
            ("name", name), ("place", place), ("pin", pin), ("start_time", f"1{number}:00"), ("end_time", f"1{number}:30"))}
    host.done(f"{path}/edit", event(audience="everyone", spots="", covid_safe="", **SAN_JOSE) | rows, step="publish")
    page = stage.visitor(DESKTOP).open(path)
    section = page.get_by_role("region", name="Where things are")
    section.scroll_into_view_if_needed()
    pins = section.locator(".map-live .map-pin")
    expect(pins).to_have_count(2)
    assert pins.all_inner_texts() == ["1", "2"], pins.all_inner_texts()
    expect(pins.nth(1)).to_have_attribute("aria-label", "2: Main stage")
    pins.nth(1).click()
    page.wait_for_url(re.compile("place=Main"))
    expect(page.locator(".activity h4")).to_have_text(["Brass"])
    plain = stage.visitor(DESKTOP, javascript=False).open(path)
    marks = plain.locator(".map-drawn a.map-mark text")
    assert marks.all_inner_texts() == ["1", "2"] or marks.all_text_contents() == ["1", "2"]


@test("a press lets the device say where it is, to a kilometer, and what is asked for is around there")
def _(stage):
    for path in ("/needs", "/opportunities", "/events"):
        context = stage.browser.new_context(
            base_url=stage.site.url, geolocation={"latitude": 37.33618, "longitude": -121.89057},
            permissions=["geolocation"])
        page = context.new_page()
        page.goto(path)
        page.locator(".filters summary").first.click()
        if path == "/events":
            page.get_by_text("Where", exact=True).click()
        page.get_by_role("button", name="Use my location").click()
        page.wait_for_url("**near=**")
        assert "near=37.34%2C+-121.89" in page.url, page.url
        expect(page.get_by_role("main")).to_contain_text("of a point near San Jose, CA")
        context.close()
    # A visitor who says no types a place, as before; without scripts there is no such button.
    page = stage.visitor(DESKTOP).open("/needs")
    page.locator(".filters summary").first.click()
    page.get_by_role("button", name="Use my location").click()
    expect(page.get_by_text("Your device didn’t say where you are.")).to_be_visible()
    expect(page.locator("#near")).to_be_focused()
    page = stage.visitor(DESKTOP, javascript=False).open("/needs")
    expect(page.locator(".here")).to_be_hidden()
