"""How much a page weighs on its way: the style sheet and the scripts, compressed."""

import gzip
import os
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


# Maps come in addition, and only to pages with one.
MAPS = ("behaviours/map.js", "behaviours/pin.js")


def scripts(template):
    """The scripts that a page loads: the behaviours that its template, its layout and their parts name, and what those
    import."""
    parts, names = {template, ROOT / "Templates/layouts/site.html"}, {"app.js"}
    while parts:
        text = parts.pop().read_text()
        parts |= {ROOT / f"Templates/{name}.html" for name in re.findall(r"{% include ([\w/-]+)", text)}
        named = re.findall(r'data-behaviour="([\w ]+)"', text) + re.findall(r'behaviour: "(\w+)"', text)
        names |= {f"behaviours/{name}.js" for name in " ".join(named).split()}
    names -= set(MAPS)
    for name in list(names):
        imported = re.findall(r'^import .*"(.+)"$', (ROOT / "Public/js" / name).read_text(), re.MULTILINE)
        names |= {os.path.normpath(f"{os.path.dirname(name)}/{file}") for file in imported}
    return names


@test("the scripts of a page weigh less than 15 KB without those of its map, and the map's page loads less than 60 KB")
def _(stage):
    base = assets(stage)
    files = [str(file.relative_to(ROOT / "Public/js")) for file in sorted((ROOT / "Public/js").rglob("*.js"))]
    weights = {file: weigh(stage, f"{base}/js/{file}") for file in files}
    pages = [page for page in (ROOT / "Templates").rglob("*.html") if not page.name.startswith("_")]
    loads = {str(page.relative_to(ROOT / "Templates")): scripts(page) for page in pages}
    # The form of an event is the fullest page there is.
    assert {"behaviours/parts.js", "behaviours/words.js", "app.js"} <= loads["events/new.html"], loads["events/new.html"]
    heavy = {page: weight for page, used in loads.items() if (weight := sum(weights[file] for file in used)) >= 15 << 10}
    assert not heavy, heavy
    page = stage.visitor().open("/events/map")
    page.locator(".leaflet-container").wait_for()
    loaded = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    used = {file: size for file, size in weights.items() if any(name.endswith(file) for name in loaded)}
    assert len(used) > 4 and sum(used.values()) < 60_000, used


# How everything on a page looks and where it is.
LOOKS = """() => [...document.querySelectorAll("body, body *:not(link)")].map(it => {
  const { x, y, width, height } = it.getBoundingClientRect(), style = getComputedStyle(it)
  return [it.tagName, x, y, width, height, style.color, style.backgroundColor, style.font, style.display].join(" ")
})"""


@test("the first page brings its style sheets along, and the next, which looks the same, finds them in the cache")
def _(stage):
    for path in ("/timeline", "/opportunities"):
        page = stage.visitor().open(path)
        page.wait_for_load_state("networkidle")
        assert page.locator("style").count() > 1 and not page.locator("link[rel=stylesheet]").count()
        first = page.evaluate(LOOKS)
        with page.expect_navigation():
            page.evaluate("location.assign(location.pathname)")
        page.wait_for_load_state("networkidle")
        assert page.locator("link[rel=stylesheet]").count() > 1 and not page.locator("style").count()
        sheets = page.evaluate("""performance.getEntriesByType("resource")
            .filter(it => it.initiatorType === "link" && it.name.endsWith(".css")).map(it => it.transferSize)""")
        assert len(sheets) > 1 and not any(sheets), sheets
        again = page.evaluate(LOOKS)
        assert len(first) == len(again) > 100
        differing = [(one, other) for one, other in zip(first, again) if one != other]
        assert not differing, differing[:3]


@test("a page comes compressed, and the feed and the map load less than 100 KB each in all")
def _(stage):
    for path in ("/events", "/events/map", "/opportunities/map"):
        page = stage.visitor().context.new_page()
        sizes = {}

        def weigh_answer(request):
            # What is fetched ahead, when all else is there, is the next page's.
            if request.all_headers().get("sec-purpose") != "prefetch":
                sizes[request.url] = request.sizes()["responseBodySize"]

        page.on("requestfinished", weigh_answer)
        answer = page.goto(path)
        if path.endswith("/map"):
            page.locator(".map").scroll_into_view_if_needed()
            page.locator(".map-live canvas").wait_for()
        page.wait_for_load_state("networkidle")
        assert answer.headers.get("content-encoding") in ("gzip", "br"), answer.headers
        assert len(sizes) >= 4 and sum(sizes.values()) < 100_000, (path, sizes)
