"""Somebody who uses the site: with pages, as people do, or by forms sent at once where the way isn't the point."""

import base64
import hmac
import http.client
import itertools
import re
import secrets
from datetime import timedelta
from html import unescape
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import BrowserContext, Page

from town import CLOCK, TODAY

COUNT = itertools.count(1)
ADDRESS = {"address": "12 Elm Street", "city": "Larkfield", "state": "CA", "zip": "95113", "country": "US"}

# A page has loaded before its behaviors have: waits for them.
ENLIVENED = """async () => {
  const app = document.querySelector("script[type='module'][src*='app']")?.src
  const names = [...document.querySelectorAll("[data-behaviour]")].flatMap(it => it.dataset.behaviour.split(/\\s+/))
  if (!app) return
  // It starts them once the page has been painted.
  await import(app)
  await Promise.all(names.map(name => import(new URL(`behaviours/${name}.js`, app))))
}"""


def soon(days=10):
    """A day to come, as a date field writes it."""
    return (TODAY + timedelta(days=days)).isoformat()


class Visitor:
    def __init__(self, context: BrowserContext, site, javascript=True):
        self.context = context
        self.javascript = javascript
        self.site = site
        self.username = None

    # MARK: Pages

    def open(self, path="/") -> Page:
        """A new page at this path, with its behaviours."""
        page = self.context.new_page()
        page.goto(path)
        if self.javascript:
            page.evaluate(ENLIVENED)
        return page

    # MARK: Requests without a page

    def get(self, path):
        """The answer to a GET, not following where it leads."""
        return self.context.request.get(path, max_redirects=0)

    def send(self, path, fields=(), **more):
        """The answer to a form with these fields, not following where it leads. Lists repeat the name."""
        fields = {"csrf": self.csrf(), "once": once()} | dict(fields) | more
        return self.context.request.post(
            path,
            data=urlencode(fields, doseq=True),
            headers={"Content-Type": "application/x-www-form-urlencoded", "Origin": self.site.url},
            max_redirects=0,
        )

    def done(self, path, fields=(), **more):
        """Sends a form that has to succeed; gives back where it leads."""
        answer = self.send(path, fields, **more)
        assert answer.status == 303, f"POST {path} answered {answer.status}: {problems(answer.text())}"
        return answer.headers["location"]

    def csrf(self):
        found = re.search(r'name="csrf" value="([^"]*)"', self.get("/about").text())
        return found[1] if found else ""

    # MARK: Getting there

    def sign_up(self):
        self.username = f"neighbour{next(COUNT)}"
        self.done("/signup", account(self.username))
        return self

    def log_in(self, username):
        self.username = username
        self.done("/login", login=username, password=self.site.PASSWORD)
        return self

    def wear(self, hat):
        self.done("/hat", hat=hat)
        return self

    def become_parent(self, children=("Robin", "Kim"), **more):
        """A family with children of six and nine years."""
        self.username or self.sign_up()
        self.done("/me/family", family(**more))
        for years, nickname in zip((6, 9, 4, 11), children):
            self.done("/me/children/new", child(nickname, years))
        return self

    def become_provider(self, **more):
        self.username or self.sign_up()
        self.done("/me/provider", provider(**more))
        return self

    def become_owner(self, name, **more):
        """Somebody with a pet."""
        self.username or self.sign_up()
        town = {key: ADDRESS[key] for key in ("city", "zip", "country")}
        self.done("/me/owner", town, name="Kim", phone="408 555 0135", email="kim@example.org", other="At the library")
        facts = {"name": name, "type": "dog", "sex": "female", "years": "3", "size": "small", "energy": "calm"}
        known = ("neutered", "vaccinated", "good_with_children", "good_with_dogs", "good_with_cats")
        self.done("/me/pets/new", facts | dict.fromkeys(known, "unknown") | {"within": "5"} | more)
        return self

    def pet(self):
        """The number of one's last pet."""
        return re.findall(r"/me/pets/(\d+)/edit", self.get("/me").text())[-1]

    def publish(self, **more):
        """Publishes an event; gives back its path."""
        return self.done("/events/new", event(**more), step="publish").removesuffix("/published")

    def ask_for_help(self, **more):
        """Publishes a way to help with three shifts; gives back its path."""
        location = self.done("/opportunities/new", opportunity(**more), step="publish")
        return re.match(r"/opportunities/\d+", location)[0]

    def children(self, nickname=r"[^<]*"):
        """The numbers of one's own children, or of those called so."""
        entry = rf'/me/children/(\d+)/edit">(?:(?!</a>).)*<span class="hidden"> (?:<bdi>)?{nickname}(?:</bdi>)?</span>'
        return re.findall(entry, self.get("/me/children").text(), re.DOTALL)

    def register(self, path):
        """Registers all of one's children for an event; gives back the registration's path."""
        return self.done(f"{path}/registrations", child=self.children())


def code_of(page):
    """The code that a phone shows which was shown the secret on this page."""
    secret = base64.b32decode(page.locator("#secret").inner_text().replace(" ", ""))
    counter = int(CLOCK.timestamp()) // 30
    digest = hmac.digest(secret, counter.to_bytes(8, "big"), "sha1")
    start = digest[19] & 15
    return f"{(int.from_bytes(digest[start : start + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


class Reader:
    """The answers to many GETs as somebody, on one connection: without a browser between, a page takes a fifth."""

    def __init__(self, visitor):
        self.connection = http.client.HTTPConnection(urlsplit(visitor.site.url).netloc, timeout=10)
        cookies = visitor.context.cookies()
        self.headers = {"Cookie": "; ".join(f"{it['name']}={it['value']}" for it in cookies)} if cookies else {}

    def get(self, url):
        """Status, headers and body, not following where it leads."""
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self.connection.request("GET", target, headers=self.headers)
        answer = self.connection.getresponse()
        return answer.status, answer.headers, answer.read()


# MARK: What people type


def account(username):
    return {"email": f"{username}@example.org", "username": username, "password": "a village of our own", "adult": "1"}


def family(**more):
    town = {key: ADDRESS[key] for key in ("city", "zip", "country")}
    return {"first_name": "Maria", "last_name": "Lind", "phone": "408 555 0134"} | town | more


def child(nickname, years=6):
    born = TODAY - timedelta(days=years * 366 + 90)
    return {"nickname": nickname, "birth_month": born.month, "birth_year": born.year}


def provider(**more):
    return ADDRESS | {
        "first_name": "June",
        "last_name": "Park",
        "organization": "Larkfield Library",
        "designation": "Librarian",
        "phone": "408 555 0101",
        "scope": "Stories, crafts and quiet corners.",
        **more,
    }


def event(**more):
    return ADDRESS | {
        "title": "Kites on the green",
        "description": "We build kites from paper and sticks.\n\nBring a ball of string.",
        "date": soon(),
        "start_time": "10:00",
        "end_time": "11:30",
        "spots": "5",
        "covid_safe": "1",
        "price": "0",
        "tags": "outdoors, crafts",
        **more,
    }


def opportunity(**more):
    return ADDRESS | {
        "kind": "volunteer",
        "title": "Tables for the book sale",
        "description": "We carry boxes and put up tables.\n\nBring gloves.",
        "schedule": "shifts",
        **{
            f"shift.{number}.{name}": value
            for number in range(3)
            for name, value in {
                "date": soon(7 + number), "start_time": "09:00", "end_time": "12:00", "spots": "4", "lead": "June",
            }.items()
        },
        **more,
    }


def once():
    return secrets.token_urlsafe(16)


def problems(page):
    """What a page of HTML says is wrong."""
    found = re.findall(r'<p class="problem".*?</p>|<div class="problems".*?</div>|<h1>.*?</h1>', page, re.DOTALL)
    return " | ".join(unescape(re.sub(r"<[^>]+>|\s+", " ", text)).strip() for text in found) or page[:300]
