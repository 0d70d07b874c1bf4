"""Every page of the site as each kind of person: where its links lead, whether its HTML is valid, how it looks and works."""

import re
import tempfile
from collections import Counter
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

from inspection import inspect
from markup import Markup, validate
from suite import PHONE, Stage, check, test
from town import pattern
from visitor import Visitor, account, event, once

# Pages that look the same to everybody are looked at once, as a visitor.
SAME_FOR_ALL = {"/about", "/help", "/privacy", "/help/components", "/providers/:name"}


def somebody(stage: Stage, kind) -> Visitor:
    """A visitor of this kind, whose pages have something on them."""
    visitor = stage.visitor(PHONE)
    if kind == "parent":
        host = stage.visitor().become_provider()
        visitor.become_parent()
        for days in (3, 4, 11):
            visitor.register(host.publish(date=event()["date"], title=f"Puppets, part {days}"))
    elif kind == "provider":
        visitor.become_provider()
        for spots in ("2", "5"):
            stage.visitor().become_parent().register(visitor.publish(spots=spots))
    elif kind == "staff":
        visitor.log_in(stage.site.STAFF)
    return visitor


class Crawl:
    """All the pages somebody can reach by links from the start page."""

    def __init__(self, visitor: Visitor):
        self.visitor = visitor
        self.home = visitor.site.url
        self.pages: dict[str, Markup] = {}
        self.texts: dict[str, str] = {}
        self.problems: list[str] = []
        self.shapes = Counter()
        self.seen = set()
        self.waiting = [(f"{self.home}/", "the start")]
        while self.waiting:
            self.visit(*self.waiting.pop(0))

    def visit(self, url, source):
        answer = self.visitor.get(url)
        if answer.status == 303:
            return self.follow(urljoin(url, answer.headers["location"]), url)
        if answer.status != 200:
            return self.problems.append(f"{answer.status}: {url}, linked on {source}")
        if not answer.headers.get("content-type", "").startswith("text/html"):
            return
        text = answer.text()
        page = self.pages[url] = Markup(text, url)
        self.texts[url] = text
        for link in page.links:
            self.follow(link, url)
        for action in page.posts:
            self.probe(action, url)

    def follow(self, link, source):
        url = urldefrag(link).url
        # Other sites, letters and phones are not ours to try.
        if not url.startswith(self.home + "/") or url in self.seen:
            return
        self.seen.add(url)
        # Filters can be combined without end: of each combination, two; of lists that go on, twelve pages.
        names = tuple(sorted({name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)}))
        shape = (pattern(urlsplit(url).path), names)
        self.shapes[shape] += 1
        if not names or self.shapes[shape] <= (12 if set(names) <= {"after", "city", "list"} else 2):
            self.waiting.append((url, source))

    def probe(self, action, source):
        """The address of a form that changes something: it is there, whatever it says to a GET."""
        if action in self.seen or not action.startswith(self.home + "/"):
            return
        self.seen.add(action)
        status = self.visitor.get(action).status
        if status == 404 or status >= 500:
            self.problems.append(f"{status}: {action}, a form on {source}")

    def kinds(self, most=1):
        """Pages of each kind, at most so many of each: their URLs."""
        count = Counter()
        chosen = []
        for url in self.pages:
            kind = (pattern(urlsplit(url).path), bool(urlsplit(url).query))
            count[kind] += 1
            if count[kind] <= most:
                chosen.append(url)
        return chosen


def crawl_as(kind, least):
    """The tests of one kind of person; the crawl has to find at least so many kinds of pages."""

    @test(f"every link a {kind} can follow leads to a page, and every page has one heading and a title")
    def _(stage):
        crawl = Crawl(somebody(stage, kind))
        assert len(crawl.kinds()) >= least, f"only {len(crawl.kinds())} kinds of pages: {crawl.kinds()}"
        wrong = [f"{url}: {problem}" for url, page in crawl.pages.items() for problem in page.problems()]
        lost = [f"{url}: {link} leads nowhere" for url, page in crawl.pages.items() for link in page.lost_fragments(crawl.pages)]
        with tempfile.TemporaryDirectory(prefix="village-html-") as folder:
            invalid = validate({url: crawl.texts[url] for url in crawl.kinds(most=4)}, folder)
        check(crawl.problems + wrong + lost + invalid)

    @test(f"the pages a {kind} sees pass axe in light and dark on phone and desktop, fit a phone and can be hit with a finger")
    def _(stage):
        crawl = Crawl(somebody(stage, kind))
        problems = []
        page = crawl.visitor.open("/")
        for url in crawl.kinds():
            if kind == "visitor" or pattern(urlsplit(url).path) not in SAME_FOR_ALL:
                page.goto(url)
                problems += inspect(page)
        check(problems)


crawl_as("visitor", least=9)
crawl_as("parent", least=15)
crawl_as("provider", least=12)
crawl_as("staff", least=12)


# MARK: Pages that no link leads to


def states(stage: Stage):
    """Pages as they are in a special case, each ready to be looked at: its name and the page."""
    visitor = stage.visitor(PHONE)

    def opened(who, path):
        return who.open(path)

    def pressed(who, path, button, **typed):
        page = who.open(path)
        for name, value in typed.items():
            page.locator(f"main [name='{name}']").fill(value)
        page.get_by_role("main").get_by_role("button", name=button).click()
        page.wait_for_load_state()
        return page

    yield "a page that isn't there", opened(visitor, "/events/987654321")
    yield "a method that isn't there", opened(visitor, "/hat")
    yield "a wrong log-in", pressed(visitor, "/login", "Log in", login="nobody", password="not this one")
    yield "a sign-up with problems", pressed(visitor, "/signup", "Sign up", email="nobody", username="me", password="x")
    yield "a search without result", opened(visitor, "/events?q=zzzzzz&free_places=3")
    yield "a search for too much", opened(visitor, "/events?q=" + "%20".join("abcdefgh") + "&age=3&age=4&tag=music")

    fresh = stage.visitor(PHONE).sign_up()
    yield "welcome", opened(fresh, "/welcome")
    yield "Today without a hat", opened(fresh, "/")
    yield "Me without a profile", opened(fresh, "/me")
    yield "My week without a profile", opened(fresh, "/week")
    yield "not for members", opened(fresh, "/admin")
    yield "a family with problems", pressed(fresh, "/me/family", "Save", zip="1")
    yield "a provider with problems", pressed(fresh, "/me/provider", "Save", website="x y")

    host = stage.visitor(PHONE).become_provider()
    path = host.publish(spots="2", age_from="5", age_to="7")
    yield "a new event", opened(host, "/events/new")
    page = pressed(host, "/events/new", "Preview", title="Kites")
    yield "an event with problems", page
    typed = event()
    for name in ("title", "description", "date", "start_time", "price", "tags"):
        page.locator(f"main [name='{name}']").fill(typed[name])
    page.locator("main [name='spots']").select_option("5")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Publish").wait_for()
    yield "a preview", page
    yield "published", opened(host, f"{path}/published")
    yield "one's own event", opened(host, path)
    yield "a roster without anybody", opened(host, f"{path}/registrations")
    yield "the other hat's page", opened(stage.visitor(PHONE).become_provider().become_parent(), "/events/new")
    again = host.open("/events/new")
    key = once()
    host.done("/events/new", event(once=key), step="publish")
    again.evaluate(
        "fields => { const form = document.querySelector('main form'); form.append(...Object.entries(fields).map("
        "([name, value]) => Object.assign(document.createElement('input'), { type: 'hidden', name, value }))) ;"
        "form.querySelectorAll('.field, .group, .row').forEach(it => it.remove()); form.once.value = fields.key;"
        "form.submit() }",
        event(title="Other words") | {"step": "publish", "key": key},
    )
    again.get_by_role("heading", name="already published").wait_for()
    yield "sent twice with other words", again

    childless = stage.visitor(PHONE).become_parent([])
    yield "Today without children", opened(childless, "/")
    yield "no children yet", opened(childless, "/me/children")
    yield "an event for somebody without children", opened(childless, path)
    yield "My week without anything", opened(childless, "/week")
    yield "a child with problems", pressed(childless, "/me/children/new", "Save", birth_year="1990")
    far = stage.visitor(PHONE).become_parent(city="Elsewhere")
    yield "a town without events", opened(far, "/events")
    yield "Today in a town without events", opened(far, "/")

    guest = stage.visitor(PHONE).become_parent(["Robin", "Kim"])
    yield "a child of the wrong age", opened(guest, path)
    yield "nobody ticked", pressed(guest, path, re.compile("^Register"))
    party = guest.done(f"{path}/registrations", child=guest.children()[:1])
    yield "registered", opened(guest, party)
    yield "registered, and one more could", opened(guest, path)
    yield "a child with places, to be removed", opened(guest, f"/me/children/{guest.children()[0]}/delete")
    other = stage.visitor(PHONE).become_parent(["Ada"])
    other.register(path)
    yield "all children registered", opened(other, path)
    yield "a full event", opened(stage.visitor(PHONE).become_parent(["Zoe"]), path)
    yield "a full event, to a visitor", opened(visitor, path)
    yield "a roster", opened(host, f"{path}/registrations")
    other.done(f"{party_of(other)}/cancel")
    yield "places given back", opened(other, party_of(other))

    staff = stage.visitor(PHONE).log_in(stage.site.STAFF)
    person = re.search(r"/admin/people/\d+", staff.get(f"/admin/people?q={guest.username}").text())[0]
    yield "staff without a reason", pressed(staff, person, "Suspend the account")
    page = staff.open(person)
    page.locator("#reason-reset_link").fill("Asked at the library’s desk")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("main code").inner_text()
    yield "a link to hand over", page
    yield "choosing a new password", opened(visitor, link)
    yield "a new password with problems", pressed(visitor, link, "Save the password", password="short")
    staff.done(f"/admin{path}", act="hide", reason="Try")
    yield "hidden, to staff", opened(staff, path)
    yield "hidden, in the desk", opened(staff, f"/admin{path}")
    yield "hidden events", opened(staff, "/admin/events")
    yield "hidden, to its provider", opened(host, path)

    page = guest.open("/me/children/new")
    page.locator("main [name='nickname']").fill("Late")
    guest.context.clear_cookies()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name="Log in to go on").wait_for()
    yield "a form whose session has ended", page


def party_of(guest):
    """The path of somebody's only registration."""
    pages = guest.get("/me/registrations").text() + guest.get("/week").text()
    guest.party = re.search(r"/registrations/\d+", pages)[0] if re.search(r"/registrations/\d+", pages) else guest.party
    return guest.party


@test("pages in special states are valid, pass axe, fit a phone and can be hit with a finger")
def _(stage):
    problems, texts = [], {}
    for name, page in states(stage):
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        text = page.request.get(page.url).text() if page.url.endswith("#never") else page.content()
        texts[name] = text
        problems += [f"{name}: {problem}" for problem in inspect(page) + Markup(text).problems()]
        page.close()
    with tempfile.TemporaryDirectory(prefix="village-html-") as folder:
        problems += validate(texts, folder)
    check(problems)


@test("the inspection finds what is wrong with a page made wrong")
def _(stage):
    page = stage.visitor(PHONE).open("/about")
    assert not inspect(page), "the page is well before"
    page.evaluate(
        """() => {
          const main = document.querySelector("main")
          const add = markup => main.insertAdjacentHTML("beforeend", markup)
          add("<h1>A second one</h1>")
          add("<button id=small>x</button>")
          add("<input name=nameless>")
          add("<div id=wide>wide</div>")
          add("<p id=pale>pale words</p>")
          const sheet = new CSSStyleSheet()
          sheet.replaceSync("#wide { width: 900px } #pale { color: light-dark(#ddd, #333) } #small { height: 20px }")
          document.adoptedStyleSheets = [sheet]
        }"""
    )
    found = "\n".join(inspect(page))
    for words in ("label", "color-contrast", "sideways", "button#small", "light", "dark"):
        assert words in found, f"“{words}” is not in:\n{found}"
    markup = Markup(page.content() + "<p style='color: red' onclick='x()' id=main>")
    assert len(markup.problems()) == 3, markup.problems()
