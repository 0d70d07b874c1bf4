"""How much a page weighs on its way: the style sheet and the scripts, compressed."""

import gzip
import re
import urllib.request

from suite import test
from town import ROOT


def weigh(stage, path):
    """The bytes of a file as the server sends it with gzip; compressed here if the server has no such copy."""
    request = urllib.request.Request(stage.site.url + path, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as answer:
        body = answer.read()
        return len(body if answer.headers["Content-Encoding"] == "gzip" else gzip.compress(body, mtime=0))


def assets(stage):
    return re.search(r"/assets/\w+", stage.visitor().get("/about").text())[0]


@test("the style sheets of a page weigh less than 20 KB")
def _(stage):
    base = assets(stage)
    common = weigh(stage, f"{base}/village.css")
    rooms = {room.name: weigh(stage, f"{base}/{room.name}.css") for room in (ROOT / "Public/css/rooms").iterdir()}
    assert len(rooms) > 5 and 1_000 < common, common
    heavy = {}
    for page in (ROOT / "Templates").rglob("*.html"):
        named = re.search(r"sheets: \[([^\]]*)\]", page.read_text())
        names = re.findall(r"\.(\w+)", named[1]) if named else []
        weight = common + sum(rooms[name] for name in names)
        if weight >= 20 << 10:
            heavy[page.name] = weight
    assert not heavy, heavy


# What only a page with a map loads.
MAP = ("js/map/", "js/vendor/leaflet/", "js/behaviours/map.js", "js/behaviours/pin.js")
# What only the form of an event loads.
FORM = ("js/behaviours/parts.js",)
# What only a page of play dates loads.
PETS = ("js/behaviours/cards.js", "js/behaviours/chat.js")


@test("all scripts together weigh less than 15 KB without those of the map, and the map's page loads less than 60 KB")
def _(stage):
    base = assets(stage)
    files = [str(file.relative_to(ROOT / "Public")) for file in sorted((ROOT / "Public/js").rglob("*.js"))]
    weights = {file: weigh(stage, f"{base}/{file}") for file in files}
    weight = sum(size for file, size in weights.items() if not file.startswith(MAP + PETS + FORM))
    assert len(files) > 5 and weight < 15 << 10, f"{weight} bytes: {weights}"
    assert sum(weights[file] for file in FORM) < 1_600
    page = stage.visitor().open("/events/map")
    page.locator(".leaflet-container").wait_for()
    loaded = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    used = {file: size for file, size in weights.items() if any(name.endswith(file) for name in loaded)}
    assert len(used) > 4 and sum(used.values()) < 60_000, used


@test("a page comes compressed, and the feed loads less than 100 KB in all")
def _(stage):
    visitor = stage.visitor()
    page = visitor.context.new_page()
    sizes = {}
    page.on("requestfinished", lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]}))
    answer = page.goto("/events")
    page.wait_for_load_state("networkidle")
    assert answer.headers.get("content-encoding") in ("gzip", "br"), answer.headers
    assert len(sizes) >= 4 and sum(sizes.values()) < 100_000, sizes
