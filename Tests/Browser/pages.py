"""Every page of the site as each kind of person: where its links lead, whether its HTML is valid, how it looks."""

import re
import threading
from collections import Counter
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

from inspection import COLOURS, IS_LONG, LOOKS, axe, inspect
from markup import Markup, remember
from suite import PHONE, Stage, check, test
from town import pattern
from visitor import Reader, Visitor, code_of, event, soon
from walks import fill


def somebody(stage: Stage, kind) -> Visitor:
    """A visitor of this kind; all but the first are people of the demo town."""
    visitor = stage.visitor(PHONE)
    return visitor if kind == "visitor" else visitor.log_in(stage.site.people[kind])


# Pages that show what a search finds: the search itself is looked at with each of its filters.
ELSEWHERE = {"/events/elsewhere", "/embed/events", "/screen", "/booklet"}


class Crawl:
    """All the pages somebody can reach by links from the start page."""

    def __init__(self, visitor: Visitor):
        self.reader = Reader(visitor)
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
        status, headers, body = self.reader.get(url)
        if status == 303:
            return self.follow(urljoin(url, headers["location"]), url)
        if status != 200:
            return self.problems.append(f"{status}: {url}, linked on {source}")
        if not headers.get("content-type", "").startswith("text/html"):
            return
        text = body.decode()
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
        # Filters can be combined without end: of each one, each pair and all larger sets, two; of lists that go on,
        # twelve pages.
        names = tuple(sorted({name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)}))
        if len(names) > 2 or names and urlsplit(url).path in ELSEWHERE:
            names = ("filters",)
        shape = (pattern(urlsplit(url).path), names)
        self.shapes[shape] += 1
        if not names or self.shapes[shape] <= (12 if set(names) <= {"after", "city", "list"} else 2):
            self.waiting.append((url, source))

    def probe(self, action, source):
        """The address of a form that changes something: it is there, whatever it says to a GET."""
        if action in self.seen or not action.startswith(self.home + "/"):
            return
        self.seen.add(action)
        status = self.reader.get(action)[0]
        if status == 404 or status >= 500:
            self.problems.append(f"{status}: {action}, a form on {source}")

    def kinds(self, most=1):
        """Pages of each kind, at most so many of each: their URLs."""
        count = Counter()
        chosen = []
        for url in self.pages:
            kind = (pattern(urlsplit(url).path), bool(urlsplit(url).query))
            count[kind] += 1
            # Pages of people and themes differ more than those with a number: some have posts, badges, a picture.
            if count[kind] <= most * (3 if ":name" in kind[0] else 1):
                chosen.append(url)
        return chosen


class Reach:
    """Which pages somebody can reach, found out once for all tests: one of each kind of page.

    A page whose content is the same for several kinds of people is checked for one of them.
    """

    taken = set()
    alone = threading.Lock()

    def __init__(self, kind):
        self.kind = kind
        self.urls = None
        self.turn = threading.Lock()

    def crawl(self, visitor):
        """All of them, looked at."""
        crawl = Crawl(visitor)
        with self.alone:
            self.urls = self.urls or [url for url in crawl.kinds() if self.take(crawl.texts[url])]
        assert len(self.urls) > 1, f"nothing is left to look at for a {self.kind}"
        return crawl

    def take(self, text):
        """Whether nobody has taken a page yet that shows the same below its header."""
        content = re.search("<main.*</main>", text, re.DOTALL)
        shown = re.sub(r'name="(csrf|once)" value="[^"]*"', "", content[0] if content else text)
        is_new = shown not in self.taken
        self.taken.add(shown)
        return is_new

    def pages(self, stage, some=lambda urls: urls):
        """The pages, or some of them, one after the other in a window on a phone."""
        visitor = somebody(stage, self.kind)
        with self.turn:
            if self.urls is None:
                self.crawl(visitor)
        page = visitor.open("/")
        for url in some(self.urls):
            page.goto(url)
            yield url, page


REACH = {kind: Reach(kind) for kind in ("parent", "visitor", "staff", "provider")}


def crawl_as(kind, least):
    """Crawls as one kind of person; that has to find at least so many kinds of pages."""

    @test(f"every link a {kind} can follow leads to a page, and every page has one heading and a title")
    def _(stage):
        with REACH[kind].turn:
            crawl = REACH[kind].crawl(somebody(stage, kind))
        assert len(crawl.kinds()) >= least, f"only {len(crawl.kinds())} kinds of pages: {crawl.kinds()}"
        wrong = [f"{url}: {problem}" for url, page in crawl.pages.items() for problem in page.problems()]
        lost = [
            f"{url}: {it} leads nowhere" for url, page in crawl.pages.items() for it in page.lost_fragments(crawl.pages)
        ]
        for url in crawl.kinds(most=4):
            remember(f"{kind}: {url}", crawl.texts[url])
        check(crawl.problems + wrong + lost)


# The longest crawl starts first. No other test has to wait for a crawl that is under way.
crawl_as("parent", least=15)
crawl_as("visitor", least=9)
crawl_as("staff", least=12)
crawl_as("provider", least=12)


def inspected_as(kind, part):
    """Looks at every second page of one kind of person, upright, on its side, and with text at 200 %."""
    sentence = f"the pages a {kind} sees pass axe, and fit a phone, its side, a desktop, text at 200 % and a finger"

    @test(f"{sentence} ({part + 1} of 2)")
    def _(stage):
        half = REACH[kind].pages(stage, lambda urls: urls[part::2])
        check([problem for _, page in half for problem in inspect(page)])


for kind in REACH:
    for part in (0, 1):
        inspected_as(kind, part)


# MARK: Pages that no link leads to


def pressed(who: Visitor, path, button, **typed):
    """The page after a form on `path` was filled in and one of its buttons pressed."""
    page = who.open(path)
    for name, value in typed.items():
        page.locator(f"main [name='{name}']").fill(value)
    # The first: a second one floats over a phone until the form is in sight.
    page.get_by_role("main").get_by_role("button", name=button).first.click()
    page.wait_for_load_state()
    return page


def states(sentence):
    """A test that looks at pages in special states; the function gives each with a name."""

    def add(function):
        @test(f"pages in special states are valid, pass axe, fit and can be hit with a finger: {sentence}")
        def _(stage):
            problems, last = [], None
            for name, page in function(stage):
                text = stage.answers[page].text()
                remember(f"{sentence}: {name}", text)
                problems += [f"{name}: {problem}" for problem in inspect(page) + Markup(text).problems()]
                # Not this page yet: the next one goes on in its process, which is a third of what a page costs.
                if last:
                    last.close()
                last = page
            check(problems)

    return add


@states("of visitors and newcomers")
def _(stage):
    visitor = stage.visitor(PHONE)
    yield "a page that isn't there", visitor.open("/events/987654321")
    yield "a method that isn't there", visitor.open("/hat")
    yield "a wrong log-in", pressed(visitor, "/login", "Log in", login="nobody", password="not this one")
    yield "a sign-up with problems", pressed(visitor, "/signup", "Sign up", email="nobody", username="me", password="x")
    yield "a search without result", visitor.open("/events?q=zzzzzz&free_places=3")
    yield "a search for much", visitor.open("/events?q=a%20b%20c&age=3&age=4&tag=music&when=week&price=free")
    yield "a letter for a new password, without an address", pressed(visitor, "/forgot", "Ask for a link", email="x")
    yield "a letter for a new password was asked for", visitor.open("/forgot?sent=1")
    fresh = stage.visitor(PHONE).sign_up()
    yield "an empty inbox", fresh.open("/inbox")
    yield "nothing to be told of", fresh.open("/me/notices")
    yield "an address that isn't confirmed", fresh.open("/me/settings")
    wanted = pressed(fresh, "/me/email", "Change the address", email="new@example.org", current_password="a village of our own")
    yield "another address", wanted
    yield "another address, with problems", pressed(fresh, "/me/email", "Change the address", email="x")
    yield "two-step log-in, off", fresh.open("/me/two-step")
    phone = pressed(fresh, "/me/two-step", "Set it up", current_password="a village of our own")
    yield "two-step log-in, set up", phone
    yield "two-step log-in, with a wrong code", pressed(fresh, "/me/two-step", "Switch it on", code="000000")
    yield "recovery codes", pressed(fresh, "/me/two-step", "Switch it on", code=code_of(fresh.open("/me/two-step")))
    yield "two-step log-in, on", fresh.open("/me/two-step")
    yield "two-step log-in, off again", pressed(fresh, "/me/two-step/off", "Switch it off", code="1")
    yield "new recovery codes", fresh.open("/me/two-step/codes")
    guest = stage.visitor(PHONE)
    secret = pressed(guest, "/login", "Log in", login=fresh.username, password="a village of our own")
    yield "the second step", secret
    yield "the second step, with a wrong code", pressed(guest, "/login/code", "Log in", code="000000")
    yield "the second step, by a recovery code", guest.open("/login/code?recovery=1")
    yield "where I am logged in", fresh.open("/me/sessions")
    yield "inviting somebody", fresh.open("/me/invitations")
    invited = pressed(fresh, "/me/invitations", "Make a link", whom="W" * 60)
    link = invited.locator("#invitation-link").inner_text()
    yield "an invitation", invited
    yield "an invited sign-up", visitor.open("/" + link.split("/", 3)[3])
    yield "an invitation of somebody who is here", fresh.open("/" + link.split("/", 3)[3])
    yield "logging out elsewhere", fresh.open("/me/sessions?end=all")
    yield "welcome", fresh.open("/welcome")
    yield "Today without a hat", fresh.open("/")
    yield "Me without a profile", fresh.open("/me")
    yield "My week without a profile", fresh.open("/week")
    yield "not for members", fresh.open("/admin")
    yield "a family with problems", pressed(fresh, "/me/family", "Save", zip="1")
    yield "a provider with problems", pressed(fresh, "/me/provider", "Save", website="x y")


@states("of providers")
def _(stage):
    host = stage.visitor(PHONE).become_provider()
    yield "Today without events", host.open("/")
    yield "no events yet", host.open("/me/events")
    path = host.publish(spots="2")
    yield "own events, one of them", host.open("/me/events")
    yield "own events by month", host.open("/me/events/calendar")
    yield "an event with problems", pressed(host, "/events/new", "Preview", title="Kites")
    page = host.open("/events/new")
    fill(page, event(title="W" * 120, tags="music, a long name of a tag", age_from="3", age_to="12", price="1250.50"))
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Publish").wait_for()
    yield "a preview", page
    yield "published", host.open(f"{path}/published")
    yield "one's own event", host.open(path)
    yield "a roster without anybody", host.open(f"{path}/registrations")
    stage.visitor().become_parent(["Robin"]).register(path)
    yield "a roster", host.open(f"{path}/registrations")
    stage.visitor().become_parent(["Kim"], phone="").register(path)
    yield "a roster with a parent who has no phone", host.open(f"{path}/registrations")
    yield "messages to all who come", host.open(f"{path}/announcements")
    yield "a message with problems", pressed(host, f"{path}/announcements", "Preview", subject="x")
    typed = {"subject": "W" * 120, "body": "Bring a hat. " * 30 + "https://example.org/" + "w" * 200}
    yield "a message before it is sent", pressed(host, f"{path}/announcements", "Preview", **typed)
    asker = stage.visitor(PHONE).become_parent(["Ida"])
    asker.done(f"{path}/questions", text="Is there a swing? " + "w" * 100)
    yield "a question", asker.open(path)
    page = host.open(path)
    page.get_by_role("link", name=re.compile("^Answer")).first.click()
    page.get_by_role("heading", name="Answer a question").wait_for()
    yield "a question to answer", page
    page = host.open(f"{path}/edit")
    fill(page, {"start_time": "09:30", "address": "W" * 60})
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Publish the change").click()
    page.get_by_text("Seen by 0 of").first.wait_for()
    yield "who hasn’t seen a change", page
    yield "a waiting list without anybody", host.open(f"{path}/waiting")
    patient = stage.visitor().become_parent(["Zoe", "Lou"])
    patient.done(f"{path}/registrations", child=patient.children(), wait="1")
    yield "a waiting list", host.open(f"{path}/waiting")
    yield "an inbox", host.open("/inbox")
    yield "an empty timeline", host.open("/timeline")
    yield "a post with problems", pressed(host, "/timeline/new", "Preview", text=" ")
    yield "a preview of a post", pressed(host, "/timeline/new", "Preview", text="A very long " + "w" * 80)
    post = host.done("/timeline/new", text="Forty onions.", kind="done", audience="members", step="publish")
    yield "a timeline", host.open("/timeline")
    host.done(f"{post}/comments", text="We bring the shovels.")
    yield "a post", host.open(post)
    yield "a post that can be changed", host.open(f"{post}/edit")
    host.done(f"{post}/like", on="1")
    yield "who likes it", host.open(f"{post}/likes")
    yield "one's own page, to be changed", host.open("/me/profile")
    yield "a person", host.open(f"/people/{host.username}")
    yield "taking data along", host.open("/me/export")
    yield "a wrong password", pressed(host, "/me/export", "Download the file", current_password="not mine")
    yield "deleting the account", host.open("/me/delete")
    yield "what to be told", host.open("/me/notices")
    yield "My week", host.open("/week")
    yield "other days of the week", host.open("/week?from=" + soon(20))
    page = host.open(f"{path}/edit")
    fill(page, {"start_time": "09:00", "price": "9", "address": "W" * 100})
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Publish the change").wait_for()
    yield "a preview of a change", page
    yield "the other hat's page", stage.visitor(PHONE).become_provider().become_parent().open("/events/new")

    page = host.open("/events/new")
    fill(page, event())
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Publish").wait_for()
    host.done("/events/new", event(once=page.locator("[name=once]").input_value(), title="Other words"), step="publish")
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("heading", name="already published").wait_for()
    yield "sent twice with other words", page


@states("of parents")
def _(stage):
    visitor = stage.visitor(PHONE)
    path = stage.visitor().become_provider().publish(spots="2", age_from="5", age_to="7")
    childless = stage.visitor(PHONE).become_parent([])
    yield "Today without children", childless.open("/")
    yield "no children yet", childless.open("/me/children")
    yield "an event for somebody without children", childless.open(path)
    yield "no search saved", childless.open("/searches")
    childless.done(path + "/favorite", on="1")
    childless.done("/searches", query="q=" + "w" * 60 + "&age=5&tag=music&price=free")
    yield "an event that is saved", childless.open("/favorites")
    yield "a search that is saved", childless.open("/searches")
    childless.done("/searches/letter", on="0")
    yield "a search whose letter is off", childless.open("/searches")
    yield "My week without anything", childless.open("/week")
    yield "nothing attended", childless.open("/me/registrations?list=attended")
    yield "a child with problems", pressed(childless, "/me/children/new", "Save", birth_year="1990")
    far = stage.visitor(PHONE).become_parent(city="Elsewhere")
    yield "a town without events", far.open("/events")
    yield "Today in a town without events", far.open("/")

    guest = stage.visitor(PHONE).become_parent(["Robin", "Kim"])
    yield "a child of the wrong age", guest.open(path)
    yield "nobody ticked", pressed(guest, path, re.compile("^Register"))
    party = guest.done(f"{path}/registrations", child=guest.children("Robin"))
    yield "registered", guest.open(party)
    yield "registered, the other too old", guest.open(path)
    yield "a child with places, to be removed", guest.open(f"/me/children/{guest.children('Robin')[0]}/delete")
    late = stage.visitor(PHONE).become_parent(["Zoe"])
    page = late.open(path)
    other = stage.visitor(PHONE).become_parent(["Ada"])
    last = other.register(path)
    page.get_by_role("checkbox", name="Zoe").check()
    page.locator("#register .button--wide").click()
    page.get_by_text("Nobody was registered").first.wait_for()
    yield "the last place went meanwhile", page
    yield "all children registered", other.open(path)
    yield "a full event", late.open(path)
    yield "a full event, to a visitor", visitor.open(path)
    turn = late.done(f"{path}/registrations", child=late.children("Zoe"), wait="1")
    yield "on the waiting list", late.open(turn)
    yield "what one waits for", late.open("/me/registrations?list=waiting")
    yield "an event one waits for", late.open(path)
    other.done(f"{last}/cancel")
    yield "places given back", other.open(last)
    yield "a place is free", late.open(turn)
    yield "Today with a place that is free", late.open("/")
    late.done(f"{turn}/decline")
    yield "a place declined", late.open(turn)


@states("of people who look after something together")
def _(stage):
    password = "a village of our own"
    guest = stage.visitor(PHONE).become_parent(["Robin", "Kim"])
    yield "nobody to look after them with me", guest.open("/me/guardian")
    page = pressed(guest, "/me/guardian", "Make a link", current_password=password)
    link = page.locator("#link-once").inner_text()
    yield "a link for the other parent", page
    second = stage.visitor(PHONE).become_parent([])
    yield "an invitation", second.open(link)
    yield "an invitation to oneself", guest.open(link)
    yield "looked after by two", pressed(second, link, "Look after them together")
    yield "looked after by two, to the first", guest.open("/me/guardian")

    team, owner = "/me/organization/colleagues", stage.visitor(PHONE).become_provider()
    yield "an organization with one person", owner.open(team)
    yield "an invitation to look after it, with problems", pressed(owner, team, "Make a link")
    page = owner.open(team)
    page.get_by_role("radio", name="Looks after everything").check()
    page.locator("main [name='current_password']").fill(password)
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#link-once").inner_text()
    yield "a link for somebody to look after it", page
    yield "an invitation to look after one's own", owner.open(link)
    colleague = stage.visitor(PHONE).become_parent([])
    yield "an invitation to look after an organization", colleague.open(link)
    yield "an organization looked after by two", pressed(colleague, link, "Look after it together")
    fair = colleague.publish()
    yield "an organization looked after by two, to its owner", owner.open(team)
    page = owner.open(team)
    for fold in page.locator("main details").all():
        fold.evaluate("fold => fold.open = true")
    yield "taking somebody's part away, and handing it over", page
    number = re.search(r'name="colleague" value="(\d+)"', owner.get(team).text())[1]
    owner.done(team, act="entrust", colleague=number, role="roster")
    yield "Today of who looks after lists and the door", colleague.open("/")
    yield "an event, to who looks after lists and the door", colleague.open(fair)
    yield "own events, to who looks after lists and the door", colleague.open("/me/events")
    yield "an organization, to who looks after lists and the door", colleague.open(team)
    yield "drafts of what one asks for, none", owner.open("/me/opportunities?list=draft")
    yield "hours of those who helped, none", owner.open("/me/opportunities/hours")


@states("of fairs and their programs")
def _(stage):
    visitor = stage.visitor(PHONE)
    guest = stage.visitor(PHONE).become_parent(["Robin", "Kim"])
    second = stage.visitor(PHONE).become_parent(["Zoe"])
    yield "whom an event is for", guest.open("/events/new")
    yield "an event for everybody, with problems", pressed(guest, "/events/new?audience=everyone", "Preview", title="W")
    fair = guest.publish(audience="everyone", spots="", end_date=soon(12), place_name="Willow field", covid_safe="")
    yield "an event for everybody, to its host", guest.open(fair)
    yield "an event for everybody, to a visitor", visitor.open(fair)
    second.done(f"{fair}/join", person=["me"])
    yield "joined", second.open(fair)
    second.done(f"{fair}/leave", person=["me"])
    yield "left, with the way back", second.open(fair)
    yield "places used before", guest.open("/events/new?audience=everyone")
    yield "places found", pressed(guest, "/events/new?audience=everyone", "Find", find="San Jose")
    yield "no place found", pressed(guest, "/events/new?audience=everyone", "Find", find="zzzz")
    yield "a program to be written", pressed(guest, fair + "/edit", "Add an activity")

    def program(name, time="14:00"):
        page = pressed(guest, fair + "/edit", "Add an activity")
        for field, value in (("name", name), ("start_time", time), ("place", "Craft tent")):
            page.fill(f"[name='activity.0.{field}']", value)
        return page

    page = program("Puppet show " + "w" * 30, "")
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("There is a problem").wait_for()
    yield "a program with problems", page

    def previewed():
        page = program("Puppet show")
        page.get_by_role("button", name="Copy").click()
        page.fill("[name='activity.1.name']", "Brass band")
        page.fill("[name='activity.1.place']", "Main stage")
        page.get_by_role("button", name="Preview").click()
        page.get_by_text("This is a preview.").wait_for()
        return page

    yield "a preview with a program", previewed()
    page = previewed()
    page.get_by_role("button", name="Publish the change").click()
    page.get_by_role("heading", name="Program").wait_for()
    yield "a program, to its host", page
    yield "a program, to a visitor", visitor.open(fair)
    act = guest.open(fair).get_by_role("link", name="Puppet show").get_attribute("href")
    yield "an activity", second.open(act)
    yield "an activity, to a visitor", visitor.open(act)
    second.done(act + "/join", person=["me"])
    yield "an activity, joined", second.open(act)
    yield "a program, joined", second.open(fair)
    yield "a program on one sheet", second.open(fair + "/programme")
    yield "nothing of a program", second.open(fair + "?age=99&place=Nowhere")
    yield "My week with an activity", second.open("/week?from=" + soon(9))
    yield "My week to print", second.open("/week?as=print&from=" + soon(9))
    yield "calendars", second.open("/me/calendar")
    yield "what suits me", second.open("/events/for-you")
    second.done("/events/less", tag="music")
    yield "less of something", second.open("/events/for-you")
    yield "what is popular", visitor.open("/events/for-you")
    yield "My week with a fair", second.open("/week?from=" + soon(9))
    yield "telling of an event", second.open("/timeline/new?event=" + fair.split("/")[-1])


@states("of needs and kind acts")
def _(stage):
    visitor = stage.visitor(PHONE)
    guest = stage.visitor(PHONE).become_parent(["Robin", "Kim"])
    second = stage.visitor(PHONE).become_parent([])
    yield "needs", guest.open("/needs")
    yield "no need found", guest.open("/needs?q=zzzz")
    yield "nothing asked for", guest.open("/needs/mine")
    yield "a need with problems", pressed(guest, "/needs/new", "Preview", title="w")
    ladder = {"title": "A ladder for one afternoon", "kind": "things", "description": "For gutters.", "count": "3",
              "until": soon(20), "is_home": "1", "address": "17 Willow St", "city": "San Jose", "state": "CA",
              "zip": "95112", "country": "US"}
    need = guest.done("/needs/new", ladder, step="publish")
    yield "a need, to its author", guest.open(need)
    yield "a need, to a visitor", visitor.open(need)
    yield "a need at a home, to a newcomer", second.open(need)
    lasting = ladder | {"title": "Pantry at the library", "kind": "place", "is_home": "", "all_year": "1", "until": ""}
    pantry = guest.done("/needs/new", {key: value for key, value in lasting.items() if value}, step="publish")
    yield "a place that gives all year", second.open(pantry)
    street = guest.done("/needs/new", {key: value for key, value in ladder.items() if key != "is_home"}, step="publish")
    second.done(street + "/claims")
    yield "a need, to its helper", second.open(street)
    thread = second.open(street).get_by_role("link", name="Messages with").get_attribute("href")
    yield "a thread without a message", guest.open(thread)
    yield "a thread", pressed(second, thread, "Send", text="W" * 60 + " when shall I come?\nAt six?")
    yield "a need, to its author, with news", guest.open(street)
    yield "an empty message", pressed(guest, thread, "Send", text=" ")
    yield "what was promised, with messages", second.open("/needs/promised")
    yield "places for a need", pressed(guest, "/needs/new", "Find", find="San Jose")
    yield "kind acts", guest.open("/kindness")
    yield "all kind acts", guest.open("/kindness?list=all")
    yield "no kind act found", guest.open("/kindness?q=zzzz")
    yield "a theme", guest.open("/kindness/themes/neighbors")
    yield "my kind acts, none yet", guest.open("/kindness/mine")
    yield "an act of one's own", guest.open("/kindness/acts/new")
    guest.done("/kindness/acts/101/done")
    yield "a kind act, done", guest.open("/kindness/acts/101")
    yield "my kind acts", guest.open("/kindness/mine")
    yield "Today with a kind act", guest.open("/")
    yield "asking a friend", guest.open("/kindness/acts/101/challenge")
    page = pressed(guest, "/kindness/acts/101/challenge", "Make a link", message="You are so good at it.")
    link = "/challenges/" + page.locator("#challenge-link").inner_text().rsplit("/", 1)[1]
    yield "a friend is asked", page
    yield "asking a friend, with problems", pressed(
        guest, "/kindness/acts/101/challenge", "Make a link", message="https://evil.example")
    yield "asked, without an account", visitor.open(link)
    yield "asked, as a member", second.open(link)
    second.done(link)
    yield "asked, and taken up", second.open(link)
    yield "asked, and somebody else took it up", visitor.open(link)
    yield "my kind acts, with a friend", guest.open("/kindness/mine")
    own = guest.done("/kindness/acts/new", name="Sweep the stairs", theme="neighbors", difficulty="easy")
    yield "an act of one's own, to propose", guest.open(own)
    guest.done(own + "/propose")
    yield "an act that is proposed", guest.open(own)


@states("of pets and their owners")
def _(stage):
    guest = stage.visitor(PHONE).become_parent()
    yield "play dates, to begin with", guest.open("/playdates")
    yield "an owner", guest.open("/me/owner")
    yield "an owner with problems", pressed(guest, "/me/owner", "On to your pet", name=" ", zip="1")
    guest.become_owner("Clover", type="rabbit")
    yield "a pet", guest.open("/me/pets/new")
    yield "a pet with problems", pressed(guest, "/me/pets/new", "On to the pictures", bio="w" * 100, years="300")
    yield "no more cards", guest.open("/playdates")
    yield "no matches", guest.open("/playdates/matches")
    friend = stage.visitor(PHONE).become_owner("Biscuit", bio="Naps in the sun.\nFinds every ball. " + "w" * 60)
    own, theirs = guest.pet(), friend.pet()
    yield "a pet's own page", guest.open(f"/me/pets/{own}/edit")
    for part in ("name", "type", "age", "bio", "wanted-types", "wanted-ages", "pause"):
        yield f"a pet's {part}", guest.open(f"/me/pets/{own}/edit/{part}")
    yield "a pet's bio with problems", pressed(guest, f"/me/pets/{own}/edit/bio", "Save", bio="w\n" * 9)
    yield "an owner's own page", guest.open("/me/owner")
    for part in ("area", "picture", "reads"):
        yield f"an owner's {part}", guest.open(f"/me/owner/{part}")
    yield "pets to be given up", guest.open("/me/owner/delete")
    looker = stage.visitor(PHONE).become_parent()
    yield "a card without a pet", looker.open("/playdates")
    yield "the next card without a pet", looker.open("/playdates?after=1")
    yield "a pet without pictures", guest.open(f"/me/pets/{own}/pictures")
    yield "a pet, to be removed", guest.open(f"/me/pets/{own}/delete")
    yield "a card", guest.open(f"/playdates?asking={own}")
    guest.done("/playdates", asking=own, pet=theirs, choice="hello")
    yield "a hello that can be taken back", guest.open("/playdates")
    match = friend.done("/playdates", asking=theirs, pet=own, choice="hello")
    yield "a match", friend.open(match)
    yield "matches", guest.open("/playdates/matches")
    guest.done(f"{match}/messages", text="Hello! " + "w" * 100)
    friend.done(f"{match}/messages", text="We are free at the weekend. " + "w" * 80)
    yield "a message with problems", pressed(guest, match, "Send", text=" ")
    when = {"day_1": soon(2), "time_1": "10:00", "day_2": soon(3), "time_2": "15:00"}
    guest.done(f"{match}/meetings", when, place="The lawn behind the library")
    yield "a meeting, proposed", guest.open(match)
    yield "a meeting, to be answered", friend.open(match)
    page = friend.open(match)
    page.locator("button[name=time][value='1']").click()
    page.get_by_text("Agreed.").wait_for()
    yield "a meeting", page
    yield "My week with a meeting", guest.open("/week")
    yield "Today with a meeting", guest.open("/")
    page = friend.open(match)
    page.get_by_text("Another time or place").click()
    yield "a meeting, to be moved", page
    third = stage.visitor().become_owner("Olive")
    last = third.pet()
    friend.done("/playdates", asking=theirs, pet=last, choice="hello")
    third.done("/playdates", asking=last, pet=theirs, choice="hello")
    third.done("/me/owner/delete")
    yield "a match with a former member", friend.open("/playdates/matches")
    guest.done(f"{match}/unmatch")
    yield "a match that ended", friend.open("/playdates/matches")
    yield "what is no longer there", friend.open(match)


@states("of helpers")
def _(stage):
    visitor = stage.visitor(PHONE)
    guest = stage.visitor(PHONE).become_parent(["Robin", "Kim"])
    yield "ways to help", guest.open("/opportunities")
    yield "ways to help in a table", guest.open("/opportunities?as=table")
    yield "no way to help found", guest.open("/opportunities?q=zzzz&as=cards")
    yield "ways to help on the map", guest.open("/opportunities/map?near=")
    yield "no way to help on the map", guest.open("/opportunities/map?q=zzzz")
    yield "ways to help that suit one", guest.open("/opportunities/suggested")
    helped = [f"/opportunities/{number}" for number in range(1, 7)]
    for number, way in enumerate(helped):
        yield f"way to help {number + 1}", guest.open(way)
    guest.done(f"{helped[4]}/signups", message="I have a kind voice.")
    yield "signed up", guest.open(helped[4])
    page = guest.open(helped[0])
    page.get_by_role("checkbox", name="Kim").first.check()
    # The first has one place left, which is too few.
    page.locator("main [name='shift']:enabled").first.check()
    page.get_by_role("main").get_by_role("button", name="Sign up").first.click()
    page.get_by_text("There aren’t enough places").first.wait_for()
    yield "too few places for a family", page
    page = guest.open(helped[0])
    page.get_by_role("checkbox", name="Kim").first.check()
    page.locator("main [name='shift']:enabled").nth(1).check()
    page.get_by_role("main").get_by_role("button", name="Sign up").first.click()
    page.get_by_text("with Kim").first.wait_for()
    yield "signed up with a child", page
    taken = "/signups/" + re.search(r"/signups/(\d+)", guest.get(helped[0]).text().split('id="mine"')[1])[1]
    yield "a shift with a child", guest.open(taken)
    page = pressed(guest, taken, "Take a place for a young person")
    link = page.locator("#link-once").inner_text()
    yield "a link for a parent, shown once", page
    yield "a shift with a young person", guest.open(taken)
    yield "what a parent is asked", visitor.open(link)
    yield "a parent agreed", pressed(visitor, link, "I agree")
    yield "My week with a child's shift", guest.open("/week")
    guest.done(f"{taken}/cancel")
    yield "hours with problems", pressed(guest, "/signups/" + guest.get("/week").text().split("/signups/")[1].split('"')[0],
                                         "Note my hours", hours="x")
    yield "no shift chosen", pressed(guest, helped[0], "Sign up")
    yield "what came of it, nothing yet", guest.open("/impact")
    yield "a gift with problems", pressed(guest, "/impact", "Note my gift", amount="x")
    yield "organizations", guest.open("/organizations")
    yield "no organization of that name", guest.open("/organizations?q=zzz")
    yield "nobody followed", guest.open("/me/following")
    guest.done("/providers/alameda-clinic/follow", on="1")
    yield "somebody followed", guest.open("/me/following")
    yield "an organization that one follows", guest.open("/providers/alameda-clinic")
    yield "a review of where one wasn't", guest.open("/providers/alameda-clinic/reviews")


@states("of neighbors")
def _(stage):
    visitor = stage.visitor(PHONE)
    guest = stage.visitor(PHONE).become_parent(["Robin", "Kim"])
    other = stage.visitor(PHONE).become_parent(["Ada"])
    second = stage.visitor(PHONE).become_parent([])
    yield "people", guest.open("/people?q=robin")
    yield "nobody found", guest.open("/people?q=zzzz")
    yield "nobody blocked", guest.open("/blocks")
    guest.done("/blocks", username=other.username)
    yield "somebody blocked", guest.open("/blocks")
    post = second.done("/timeline/new", text="Three ladders.", kind="done", audience="everyone", step="publish")
    yield "a report", guest.open("/reports/new?about=post-" + post.split("/")[-1])
    yield "what was decided so far", visitor.open("/moderation")

    yield "a calendar that is off", guest.open("/me/calendar")
    yield "a calendar's address", pressed(guest, "/me/calendar", "Make an address")

    # What the page asks for by itself, it asks while the session is there.
    with guest.context.expect_event("response", lambda answer: answer.url.endswith("/stream")):
        page = guest.open("/me/children/new")
    guest.context.clear_cookies()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("heading", name="Log in to go on").wait_for()
    yield "a form whose session has ended", page


@states("of staff")
def _(stage):
    host = stage.visitor(PHONE).become_provider()
    path = host.publish()
    staff = stage.visitor(PHONE).log_in(stage.site.people["staff"])
    person = re.search(r"/admin/people/\d+", staff.get(f"/admin/people?q={host.username}").text())[0]
    yield "without a reason", pressed(staff, person, "Suspend the account")
    page = staff.open(person)
    page.locator("#reason-reset-link").fill("Asked at the library’s desk")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("main code").inner_text()
    yield "a link to hand over", page
    visitor = stage.visitor(PHONE)
    yield "choosing a new password", visitor.open(link)
    yield "a new password with problems", pressed(visitor, link, "Save the password", password="short")
    staff.done(f"/admin{path}/hide", reason="Try")
    yield "a hidden event", staff.open(path)
    yield "a hidden event at the desk", staff.open(f"/admin{path}")
    yield "hidden events", staff.open("/admin/events")
    yield "a hidden event, to its provider", host.open(path)
    staff.done(f"{person}/suspension", reason="Try")
    yield "a suspended person", staff.open(person)
    yield "the log", staff.open("/admin/log")
    yield "operations", staff.open("/admin/operations")
    yield "what is open", staff.open("/admin/modules")
    yield "a line on every page", staff.open("/admin/banner")
    yield "the site's face, with a color that is refused", pressed(staff, "/admin/face", "Save", color="#ffcc00")
    yield "rules, terms and imprint", staff.open("/admin/pages")
    yield "tags at the desk", staff.open("/admin/tags?tag=music")
    yield "a role", staff.open(f"{person}/role")
    people = "Parent,E-mail,Age\nKim Doe,kim@example.org,7\nLou,,8\nMax,max@example,9"
    yield "people to invite", pressed(staff, "/admin/invitations", "Check the list", list=people)
    yield "a list without an address", pressed(staff, "/admin/invitations", "Check the list", list="Kim Doe")
    author = stage.visitor(PHONE).sign_up()
    post = author.done("/timeline/new", text="Two ladders.", kind="done", audience="everyone", step="publish")
    subject = "post-" + post.split("/")[-1]
    stage.visitor(PHONE).sign_up().done("/reports/new", about=subject, reason="unkind", note="W" * 80)
    yield "the queue", staff.open("/admin/queue")
    page = staff.open("/admin/queue")
    page.locator("[name=subject]").first.check()
    page.locator("summary", has_text="Decide about several at once").click()
    page.locator("[name=act]").first.check()
    page.locator("select[name=ground]").select_option("spam")
    page.get_by_role("button", name="Show what would happen").click()
    page.get_by_role("heading", name="About several at once").wait_for()
    yield "several at once", page
    yield "something that was reported", staff.open(f"/admin/queue/{subject}")
    staff.done(f"/admin/queue/{subject}", act="hide", ground="unkind", reason="Try")
    yield "something that was hidden", staff.open(f"/admin/queue/{subject}")
    yield "a hidden post, to its author", author.open(post)
    decision = re.search(r"/decisions/\d+", staff.get(f"/admin/queue/{subject}").text())[0]
    yield "what was decided, to its author", author.open(decision)
    stage.visitor(PHONE).sign_up()
    yield "people, all chosen", staff.open("/admin/people?sort=newest&choose=all")
    page = staff.open("/admin/people?sort=newest&choose=all")
    page.get_by_role("button", name="Look at it first").click()
    page.get_by_role("heading", name="Stop a wave").wait_for()
    yield "a wave before it is stopped", page
    yield "waves", staff.open("/admin/waves")
    yield "a mail domain with problems", pressed(staff, "/admin/domains", "Block it", domain="x")
    staff.done("/admin/domains/block", domain="spam.example", reason="Try")
    yield "mail domains", staff.open("/admin/domains")
    # Other tests' letters wait there too, and not all of them have a link.
    letters = dict.fromkeys(re.findall(r"/admin/mail/\d+", staff.get("/admin/mail").text()))
    letter = next(it for it in letters if "Show the link" in staff.get(it).text())
    yield "a letter's link without a reason", pressed(staff, letter, "Show the link")
    page = staff.open(letter)
    page.locator("#reason-link").fill("Asked at the library’s desk")
    page.get_by_role("button", name="Show the link").click()
    link = page.locator("#letter-link").inner_text()
    yield "a letter's link to hand over", page
    yield "an address to be confirmed", visitor.open(link)
    yield "a test letter that isn't sent", pressed(
        staff, "/admin/mail", "Send a test letter", address="somebody@example.org")


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
          add("<p id=narrow>words in a box</p>")
          add("<a id=broad href='/about'></a>")
          const sheet = new CSSStyleSheet()
          sheet.replaceSync("#wide { width: 900px } #pale { color: light-dark(#ddd, #333) } #small { height: 20px }"
            + "#narrow { width: 120px; overflow: hidden; white-space: nowrap } .top { position: sticky !important }"
            + "#broad { display: block; height: 44px; @media (width < 1000px) { display: none } }")
          document.adoptedStyleSheets = [sheet]
        }"""
    )
    first = inspect(page, LOOKS)
    found = "\n".join(first)
    for words in (
        "light): label", "light): color-contrast", "dark): color-contrast", "sideways", "button#small",
        "on its side): the top", "cut: “words in", *([] if IS_LONG else ["1280 px, dark): link-name"]),
    ):
        assert words in found, f"“{words}” is not in:\n{found}"
    assert inspect(page, LOOKS) == first, "what was found once is found again"
    markup = Markup(page.content() + "<p style='color: red' onclick='x()' id=main>")
    assert len(markup.problems()) == 3, markup.problems()


@test("words that could be read are judged again once they stand on another color, fainter or smaller")
def _(stage):
    page = stage.visitor(PHONE).open("/about")
    page.evaluate(
        """() => {
          const words = id => `<div id=${id}><div class=under></div><p>words to read</p></div>`
          document.querySelector("main").innerHTML = "<h1>Words</h1>" +
            ["plain", "around", "behind", "faint", "small", "gone"].map(words).join("")
          const sheet = new CSSStyleSheet()
          sheet.replaceSync("main > div { position: relative; background: #fff } main p { color: #707070 !important }"
            + ".under { position: absolute; inset: 0; background: #fff } main p { position: relative; z-index: 1 }"
            + "#small p { color: #909090 !important; font-size: 40px } #gone p { opacity: 0; color: #eee !important }")
          document.adoptedStyleSheets = [sheet]
        }"""
    )
    for _ in range(2):
        assert not axe(page, COLOURS)
    faults = {
        "around": "#around, #around .under { background: #bbb }",
        "behind": "#behind .under { background: #bbb }",
        "faint": "#faint p { opacity: 0.6 }",
        "small": "#small p { font-size: 16px }",
        "gone": "#gone p { opacity: 1 }",
    }
    for name, rule in faults.items():
        page.evaluate("rule => document.adoptedStyleSheets[0].insertRule(rule, 6)", rule)
        for _ in range(2):
            found = axe(page, COLOURS)
            assert len(found) == 1 and "color-contrast" in found[0], f"{name}: {found}"
        page.evaluate("() => document.adoptedStyleSheets[0].deleteRule(6)")
        assert not axe(page, COLOURS), name
