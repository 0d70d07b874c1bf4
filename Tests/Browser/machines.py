"""What programs read, tried with programs that others wrote: calendars, feeds, JSON, linked data; and the flyer's sheet."""

import json
import re
import subprocess
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import icalendar
import vobject

from suite import PHONE, check, test
from town import CLOCK, TODAY
from visitor import event

ATOM = "{http://www.w3.org/2005/Atom}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def calendar(visitor, path):
    """The events of a calendar, read by two libraries that must agree."""
    answer = visitor.get(path)
    assert answer.status == 200 and answer.headers["content-type"].startswith("text/calendar"), (path, answer.status)
    body = answer.body()
    for line in body.split(b"\r\n"):
        assert len(line) <= 75 and b"\n" not in line and b"\r" not in line, line
        line.decode()
    read = icalendar.Calendar.from_ical(body)
    assert not read.errors, read.errors
    assert read["VERSION"] == "2.0" and read["PRODID"]
    # All zones that are named are told.
    assert not read.get_missing_tzids() and not read.get_used_tzids() - {zone.tz_name for zone in read.timezones}
    events = [event for event in read.walk("VEVENT")]
    other = vobject.readOne(body.decode())
    if events:
        other.validate(raiseException=True)
    theirs = {event.uid.value: event for event in other.contents.get("vevent", [])}
    assert len(theirs) == len(events)
    for event in events:
        assert not event.errors, event.errors
        twin = theirs[event["UID"]]
        assert twin.dtstart.value == event["DTSTART"].dt and twin.summary.value == event["SUMMARY"]
        assert event["DTSTAMP"].dt and event["STATUS"] in ("CONFIRMED", "CANCELLED")
    return events


@test("the town, the site and a page in the browser see the same fixed day, and the site says so")
def _(stage):
    visitor = stage.visitor()
    stands = f"clock: fixed at {CLOCK.isoformat()}"
    assert stands in visitor.get("/readyz").text().splitlines()
    assert f"{stands}, for tests and demos only" in stage.site.logged()
    page = visitor.open("/")
    shown = page.evaluate("[new Date().getTime(), Date.now(), Date.parse(Date())]")
    assert all(0 <= moment - CLOCK.timestamp() * 1_000 < 60_000 for moment in shown), shown
    # A date that is given stays what it is, and is still a date.
    given = page.evaluate("[new Date(2027, 2, 20).toISOString(), new Date() instanceof Date]")
    assert given == ["2027-03-20T07:00:00.000Z", True], given
    # The town was made for that day: its first events are near.
    first = re.search(r'class="day" data-key="([^"]+)"', visitor.get("/events").text())[1]
    assert timedelta(0) <= date.fromisoformat(first) - TODAY < timedelta(days=4), first


@test("calendar programs read the site's calendars, with every sign, and in the zone of the place")
def _(stage):
    host = stage.visitor().become_provider()
    title = "Kites; “wind”, sun \\ 子供の凧 🪁 " + "é" * 60
    path = host.publish(title=title, tags="outdoors, crafts", online_url="https://meet.example.org/our-own-room")
    visitor = stage.visitor()
    (event,) = calendar(visitor, f"{path}.ics")
    assert event["SUMMARY"] == title, event["SUMMARY"]
    assert event["CATEGORIES"].cats == ["outdoors", "crafts"]
    assert "We build kites from paper and sticks.\n\nBring a ball of string." in event["DESCRIPTION"]
    assert "our-own-room" not in event.to_ical().decode()
    said = json.loads(visitor.get(f"/api{path}").text())
    assert event["DTSTART"].dt.isoformat() == said["starts_at"] and event["DTEND"].dt.isoformat() == said["ends_at"]
    # The zone that the calendar itself tells gives the same moment as the one the library knows.
    zone = icalendar.Calendar.from_ical(visitor.get(f"{path}.ics").body()).walk("VTIMEZONE")[0].to_tz()
    local = event["DTSTART"].dt.replace(tzinfo=None)
    assert local.replace(tzinfo=zone).utcoffset() == event["DTSTART"].dt.utcoffset()
    assert len(calendar(visitor, "/events.ics")) > 20
    assert not calendar(visitor, "/events.ics?q=zzzzzz")


@test("a family's calendar is read by its address until it is switched off")
def _(stage):
    path = stage.visitor().become_provider().publish(online_url="https://meet.example.org/our-own-room")
    parent = stage.visitor(PHONE).become_parent(["Robin Lind", "Kim"])
    parent.register(path)
    page = parent.open("/me/calendar")
    page.get_by_role("button", name=re.compile("Make an address.*What my family goes to", re.S)).click()
    address = urlsplit(page.locator("main code").inner_text()).path
    visitor = stage.visitor()
    (event,) = calendar(visitor, address)
    assert event["SUMMARY"] == "K., R.L.: Kites on the green", event["SUMMARY"]
    assert "our-own-room" in event["DESCRIPTION"]
    page.get_by_role("button", name="Switch it off").click()
    page.get_by_role("button", name=re.compile("Make an address.*What my family goes to", re.S)).wait_for()
    assert visitor.get(address).status == 404


@test("a program is read by calendar programs: whole, one activity, and one's own part")
def _(stage):
    host = stage.visitor().become_parent()
    fair = event(audience="everyone", spots="", covid_safe="", title="Willow, “fair”; & more", place_name="Willow field")
    path = host.done("/events/new", fair, step="publish").removesuffix("/published")
    rows = {}
    for number, start in enumerate(("10:00", "10:30", "11:00")):
        rows |= {
            f"activity.{number}.name": f"Show, {number}; 凧", f"activity.{number}.start_time": start,
            f"activity.{number}.place": "Craft tent", f"activity.{number}.info": "Line one\nline two",
        }
    host.done(f"{path}/edit", fair | rows, step="publish")
    guest = stage.visitor().become_parent()
    whole = calendar(guest, f"{path}/programme.ics")
    assert len(whole) == 4 and len({entry["UID"] for entry in whole}) == 4
    assert whole[2]["SUMMARY"] == "Show, 1; 凧 (Willow, “fair”; & more)" and not whole[2].walk("VALARM")
    assert whole[2]["LOCATION"].startswith("Craft tent, Willow field, "), whole[2]["LOCATION"]
    act = re.search(rf"{path}/activities/\d+", guest.get(path).text())[0]
    (one,) = calendar(guest, f"{act}.ics")
    assert one["UID"] == whole[1]["UID"] and one["DTSTART"].dt == whole[1]["DTSTART"].dt
    guest.done(f"{act}/join", person=["me"])
    mine = calendar(guest, f"{path}/mine.ics")
    assert {entry["UID"].split("@")[0] for entry in mine} == {whole[0]["UID"].split("@")[0], one["UID"].split("@")[0]}
    before = one["SEQUENCE"]
    ids = re.findall(r'name="activity\.\d+\.id" value="(\d+)"', host.get(f"{path}/edit").text())
    moved = rows | {f"activity.{number}.id": id for number, id in enumerate(ids)} | {"activity.0.start_time": "10:15"}
    host.done(f"{path}/edit", fair | moved, step="publish")
    (one,) = calendar(guest, f"{act}.ics")
    assert one["UID"] == whole[1]["UID"] and one["SEQUENCE"] > before


@test("the Atom feed and the sitemap are XML of their kind, and every address in them opens")
def _(stage):
    stage.visitor().become_provider().publish(title="Kites & <b>wind</b> ]]>", tags="outdoors")
    visitor = stage.visitor()
    feed = ElementTree.fromstring(visitor.get("/events.atom?tag=outdoors").body())
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    assert entries and any(entry.findtext(f"{ATOM}title") == "Kites & <b>wind</b> ]]>" for entry in entries)
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert len(set(ids)) == len(ids)
    problems = []
    for element in [feed, *entries]:
        # RFC 4287, 4.1.1 and 4.1.2: what each must have, once.
        problems += [name for name in ("id", "title", "updated") if len(element.findall(f"{ATOM}{name}")) != 1]
        moment = element.findtext(f"{ATOM}updated")
        if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)", moment):
            problems.append(moment)
    problems += [f"no author: {entry}" for entry in entries if entry.findtext(f"{ATOM}author/{ATOM}name") is None]
    sitemap = ElementTree.fromstring(visitor.get("/sitemap.xml").body())
    assert sitemap.tag == f"{SITEMAP}urlset"
    pages = [url.findtext(f"{SITEMAP}loc") for url in sitemap.findall(f"{SITEMAP}url")]
    assert 20 < len(pages) <= 50_000 and len(set(pages)) == len(pages)
    empty = ElementTree.fromstring(visitor.get("/events.atom?q=zzzzzz").body())
    assert empty.findtext(f"{ATOM}updated")
    for url in [*ids, *pages[:5], *pages[-5:]]:
        if visitor.get(url).status != 200:
            problems.append(f"{url} doesn't open")
    check(problems)


# Methods that HTTP knows; one that it doesn't is answered with 501, as RFC 9110 wants it.
SCHEMATHESIS = """
[phases.coverage]
unexpected-methods = ["get", "put", "post", "delete", "options", "patch", "trace"]
"""


def schemathesis(stage, *flags):
    """Asks everything that the description of the API allows, and much that it doesn't, and compares the answers."""
    with tempfile.TemporaryDirectory(prefix="village-api-") as folder:
        Path(folder, "schemathesis.toml").write_text(SCHEMATHESIS)
        usual = ["--max-examples=20", "--seed=1", "--generation-database=none", "--no-color", "--continue-on-failure"]
        program = Path(sys.executable).with_name("schemathesis")
        done = subprocess.run(
            [program, "run", f"{stage.site.url}/api/openapi.json", *usual, *flags],
            cwd=folder,
            text=True,
            capture_output=True,
            timeout=300,
        )
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]


@test("the API does as its description says, whatever it is asked")
def _(stage):
    stage.visitor().become_provider().publish()
    schemathesis(stage)


@test("a family's own part of the API does as its description says")
def _(stage):
    parent = stage.visitor().become_parent()
    (session,) = [cookie for cookie in parent.context.cookies() if cookie["name"] == "village"]
    # The cookie goes along with each request, so that none lacks it.
    schemathesis(
        stage,
        "--include-path=/api/me/family",
        f"--header=Cookie: village={session['value']}",
        "--exclude-checks=negative_data_rejection",
    )


@test("an event's page carries linked data that a browser reads, and its policy doesn't mind")
def _(stage):
    host = stage.visitor().become_provider()
    path = host.publish(title="Kites </script><b>wind</b>", age_from="4", age_to="9")
    page = stage.visitor(PHONE).open(path)
    data = json.loads(page.locator("script[type='application/ld+json']").text_content())
    assert data["@type"] == "Event" and data["name"] == "Kites </script><b>wind</b>"
    for name in ("startDate", "location", "endDate", "eventStatus", "eventAttendanceMode", "description", "offers"):
        assert data[name], name
    image = page.locator("meta[property='og:image']").get_attribute("content")
    assert stage.visitor().get(image).status == 200, image


@test("the flyer is one sheet of the paper that is usual in the country, with all of its strips on it")
def _(stage):
    host = stage.visitor().become_provider()
    for title in ("Kites", "A very long name of an afternoon with kites, kites, kites and even more kites on the green " * 2):
        path = host.publish(title=title[:120], age_from="4", age_to="9", price="8.50")
        page = host.open(f"{path}/flyer")
        sheet = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1, title
        width, height = map(float, re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", sheet).groups())
        assert abs(width - 612) < 2 and abs(height - 792) < 2, (width, height)
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 755, "height": 995})
        box = page.locator(".flyer-strips").bounding_box()
        assert page.locator(".flyer-strips li").count() == 10
        assert box["y"] + box["height"] <= 995 and box["height"] > 200, box
        assert page.locator(".flyer svg[role=img] path").bounding_box()["width"] > 100
