"""Hostile text in every field, query and header: it comes back as it was or is refused with a reason, and nothing else.

What pages look like with it is the browser's part (Tests/Browser/hostile.py); here it is bytes, statuses and the log.
"""

import re
from html.parser import HTMLParser
from urllib.parse import quote, quote_from_bytes, urlencode

from raw import ask
from site_under_test import PASSWORD, Site, Visitor

MARK = "zq7kite"

TEXTS = {
    "control characters": "".join(map(chr, range(1, 9))) + MARK + "\x1b[31m\x7f",
    "NUL": f"{MARK}\0x",
    "C1 controls": f"{MARK}\x85\x9b31m",
    "not UTF-8": MARK.encode() + b"\xff\xfe\x80",
    "an overlong slash": MARK.encode() + b"\xc0\xaf",
    "a lone surrogate": MARK.encode() + b"\xed\xa0\x80",
    "a broken end": MARK.encode() + b"\xf0\x9f\x8e",
    "noncharacters": f"{MARK}\uffff\ufdd0",
    "emoji": f"{MARK} 👨‍👩‍👧 🎈 🇨🇭",
    "right to left": f"{MARK} \u202egnp.exe\u202c \u2066x\u2069 שלום",
    "marks without end": MARK + "Z" + "\u0300" * 40,
    "zero widths": f"\u200b{MARK}\u200d\ufeff",
    "line separators": f"{MARK}\u2028x\u2029y",
    "SQL": f"{MARK}' OR '1'='1' --",
    "more SQL": f'{MARK}"; DROP TABLE event; --',
    "a search": f'{MARK}* NEAR("a" b) title:^x AND NOT "',
    "LIKE": f"{MARK}%_\\%",
    "a template": f"{MARK}{{{{ 7*7 }}}}{{% end %}}${{7*7}}<%= 7*7 %>#{{7*7}}",
    "markup": f"{MARK}</textarea><script>x()</script>\"'><img src=x onerror=x()>",
    "entities": f"{MARK}&amp;&lt;&#0;&quot;",
    "a format": f"{MARK}%s%n%@%1$d\\u0000",
    "new lines": f"{MARK}\r\nX-Hacked: yes\r\n\r\n<b>",
    "a bare CR": f"{MARK}\rX-Hacked: yes",
    "encoded new lines": f"{MARK}%0d%0aX-Hacked:%20yes",
    "another site": f"//{MARK}.example/%2f..",
    "a script": f"javascript:alert('{MARK}')",
    "a path": f"../../../../etc/passwd%00{MARK}",
    "a log line": f"{MARK}\n2026-11-21T00:00:00+0000 critical village: [App] all is lost",
    "a long word": MARK + "k" * 20_000,
    "a huge number": "9" * 40,
    "more than 64 bits": "18446744073709551616",
    "the least of 64 bits": "-9223372036854775808",
    "no number": "NaN",
    "a number with an exponent": "1e309",
    "a number in hexadecimal": "0x10",
    "a number of other digits": "٣",
    "nothing": "",
    "blanks": " \t\u3000",
}

# Where what was stored must come back unchanged, but for blanks at its ends and line ends. Others are read for what
# they mean: numbers, dates, places of a list.
FREE = {
    "first_name", "last_name", "city", "organization", "designation", "address", "scope", "nickname", "title",
    "description",
}  # fmt: skip


class Forms(HTMLParser):
    """The forms of a page: where each goes, and its fields as a browser would send them untouched."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.words, self.area, self.choice = [], [], None, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        it = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.forms.append({"action": it.get("action", ""), "method": it.get("method", "get"), "fields": []})
        fields = self.forms[-1]["fields"] if self.forms else []
        name = it.get("name")
        if tag == "input" and name and it.get("type") not in ("checkbox", "radio", "file", "submit"):
            fields.append([name, it.get("value", "")])
        elif tag == "input" and name and it.get("type") in ("checkbox", "radio"):
            if "checked" in it or it["type"] == "checkbox" and name == "adult":
                fields.append([name, it.get("value", "on")])
        elif tag == "textarea" and name:
            self.area = [name, ""]
            fields.append(self.area)
        elif tag == "select" and name:
            self.choice = [name, None]
            fields.append(self.choice)
        elif tag == "option" and self.choice and (self.choice[1] is None or "selected" in it):
            self.choice[1] = it.get("value", "")

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        if tag == "textarea" and self.area:
            self.area[1] = self.area[1].removeprefix("\n")
            self.area = None
        elif tag == "select":
            self.choice = None

    def handle_data(self, data):
        if self.area:
            self.area[1] += data
        else:
            self.words.append(data)

    def to(self, action):
        """The fields of the form that posts there; one without an action posts to its own page."""
        forms = [form for form in self.forms if form["method"] == "post"]
        found = [form for form in forms if form["action"] == action] or [form for form in forms if not form["action"]]
        return found[0]["fields"] if found else None


def encoded(pairs):
    """A form's body; values may be bytes that aren't UTF-8."""

    def one(value):
        return quote_from_bytes(value, safe="") if isinstance(value, bytes) else quote(value, safe="")

    return "&".join(f"{one(name)}={one(value)}" for name, value in pairs).encode()


def acceptable(typed):
    """What a field may show for what was typed: it, or it made fit to keep, on one line or several."""
    text = typed.decode(errors="replace") if isinstance(typed, bytes) else typed
    marked = re.sub("[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\uffff]", "\ufffd", text)
    shown = set()
    for kept in (text, text.replace("\0", "\ufffd"), marked):
        broken = re.sub("\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]", "\n", kept)
        shown |= {kept, broken, re.sub("[\n\t]", " ", broken)}
    return {squeezed(one) for one in shown}


def squeezed(text):
    """A text without what may be lost at its ends, and with each run of replacement marks as one."""
    blank = " \t\n\r\u3000\u200b\u200c\u200d\u200e\u200f\ufeff\u2060"
    return re.sub("\ufffd+", "\ufffd", text).strip(blank)


class Town:
    """A demo town, somebody of each kind signed in, and what is wrong so far."""

    def __init__(self, site):
        self.site, self.wrong, self.tried, self.kept = site, [], 0, 0
        printed = site.run("seed", "--demo")
        site.start()
        self.stranger = Visitor(site)
        kinds = {"parent": "a parent", "provider": "a provider", "staff": "looks after"}
        for kind, words in kinds.items():
            name = re.search(rf"^\s+(\S+)\s+.*{words}", printed, re.MULTILINE)[1]
            setattr(self, kind, Visitor(site).log_in(name))

    def judge(self, what, answer, allowed):
        """Notes an answer that nobody should get, whatever was sent."""
        self.tried += 1
        if answer.status not in allowed:
            self.wrong.append(f"{what}: {answer.status}")
        if "x-hacked" in answer.fields:
            self.wrong.append(f"{what}: a header was injected")
        target = answer.location
        if target is not None and not re.match(r"/(?![/\\])[\x21-\x7e]*$", target):
            self.wrong.append(f"{what}: leads to {target!r}")
        return answer

    def fill(self, who, page, action=None, fixed=(), keep=False, allowed=(200, 303, 400, 403, 404, 413, 422, 429)):
        """Sends the form of a page once for each field and text, and twice over; looks at what comes back."""
        action = action or page
        fields = Forms(who.get(page).text).to(action)
        assert fields, f"{page} has no form to {action}"
        fields = [[name, dict(fixed).get(name, value)] for name, value in fields]
        fields += [[name, value] for name, value in fixed if name not in dict(fields)]
        form = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
        for index, (name, value) in enumerate(fields):
            others = fields[:index] + fields[index + 1 :]
            cases = [(label, [*others, (name, text)], text) for label, text in TEXTS.items()]
            cases += [
                ("twice", [*fields, (name, f"{MARK}-2")], None),
                ("as a list", [*others, (f"{name}[]", MARK), (f"{name}[0][x]", MARK)], None),
                ("missing", others, None),
                ("a hostile name", [*fields, (f"{name}\r\nX-Hacked: yes", MARK)], None),
            ]
            for label, pairs, typed in cases:
                once = [(key, f"{MARK}{self.tried}" if key == "once" and key != name else it) for key, it in pairs]
                what = f"{action} {name}: {label}"
                if who is self.stranger:
                    who.jar.clear()
                answer = self.judge(what, who.send("POST", action, encoded(once), form), allowed)
                if typed is None or name in ("csrf", "once", "next", "step") or "password" in name:
                    continue
                if answer.status == 422:
                    if 'class="problem' not in answer.text:
                        self.wrong.append(f"{what}: refused without a reason")
                    self.compare(what, name, typed, Forms(answer.text).to(action))
                elif answer.status == 200 or answer.status == 303 and keep and name in FREE:
                    again = answer if answer.status == 200 else who.get(page)
                    self.compare(what, name, typed, Forms(again.text).to(action))

    def compare(self, what, name, typed, fields):
        """Whether a page shows in its field what was typed there."""
        shown = [value for key, value in fields or [] if key == name]
        if name not in FREE or not shown:
            return
        self.kept += 1
        if squeezed(shown[0]) not in acceptable(typed):
            self.wrong.append(f"{what}: shows {shown[0][:80]!r}")

    def check_log(self):
        log = self.site.logged()
        if MARK in log.lower():
            at = log.lower().index(MARK)
            self.wrong.append(f"the log holds what was sent: {log[max(0, at - 200) : at + 80]!r}")
        strange = re.search("[^\n -~]", log)
        if strange:
            self.wrong.append(f"the log holds {strange[0]!r}: {log[max(0, strange.start() - 100) : strange.end()]!r}")
        assert log.count("\n") > self.tried / 2, "the log is too short to say anything"
        assert not self.wrong, f"{len(self.wrong)} faults:\n" + "\n".join(self.wrong[:40])


def debugged():
    return Site(VILLAGE_LOG_LEVEL="debug", VILLAGE_TRUSTED_PROXIES="127.0.0.1")


def fields():
    """Hostile text in every field of every form comes back as it was, or is refused with a reason; the log has none."""
    event = [
        ("title", "Kites"), ("description", "We build kites."), ("date", "2027-05-01"), ("start_time", "10:00"),
        ("address", "12 Elm St"), ("city", "San Jose"), ("state", "CA"), ("zip", "95112"), ("spots", "9"),
        ("price", "0"),
    ]  # fmt: skip
    with debugged() as site:
        town = Town(site)
        family = [("first_name", "Ana"), ("last_name", "Ortiz"), ("city", "San Jose"), ("zip", "95112")]
        town.fill(town.parent, "/me/family", fixed=family, keep=True)
        child = re.search(r"/me/children/\d+/edit", town.parent.get("/me/children").text)[0]
        known = [("nickname", "Robin"), ("birth_month", "5"), ("birth_year", "2020")]
        town.fill(town.parent, child, fixed=known, keep=True)
        town.fill(town.parent, "/me/children/new", fixed=known)
        town.fill(town.provider, "/me/provider", keep=True)
        for step in ("edit", "preview"):
            town.fill(town.provider, "/events/new", fixed=[*event, ("step", step)])
        town.fill(town.parent, "/me/password", fixed=[("current_password", "x"), ("password", "y")])
        town.fill(town.parent, "/welcome", fixed=[("hat", "parent")])
        town.fill(town.parent, "/me/settings", "/hat", fixed=[("hat", "parent"), ("next", "/me")])
        party = re.search(r'href="(/events/\d+)"', town.stranger.get("/events").text)[1]
        offer = Forms(town.parent.get(party).text).to(f"{party}/registrations")
        if offer:
            town.fill(town.parent, party, f"{party}/registrations", fixed=[("child", "1")])
        mine = re.search(r"/registrations/\d+", town.parent.get("/me/registrations").text)[0]
        town.fill(town.parent, mine, f"{mine}/cancel", fixed=[("child", "999999")])
        person = re.search(r"/admin/people/\d+", town.staff.get("/admin/people").text)[0]
        town.fill(town.staff, person, f"{person}/reset-link", fixed=[("reason", "because")])
        hidden = re.search(r"/admin/events/\d+", town.staff.get("/admin/events").text)[0]
        town.fill(town.staff, hidden, f"{hidden}/hide", fixed=[("reason", "because")])
        stranger = [("email", "kite@example.org"), ("username", "x"), ("password", PASSWORD), ("adult", "1")]
        town.fill(town.stranger, "/signup", fixed=stranger)
        town.stranger.jar.clear()
        town.fill(town.stranger, "/login", fixed=[("login", "x"), ("password", "")])
        town.check_log()
        # What was published says the words that were typed.
        published = publish(town, event)
    return f"{town.tried} forms sent, {town.kept} values came back, {published} events say what was typed"


def publish(town, event):
    """Publishes an event of each text and looks for it on its page."""
    # A plan with room for all of them.
    plan = re.search(r"/admin/providers/\d+", town.staff.get("/admin/providers?q=King").text)[0]
    granted = dict(Forms(town.staff.get(plan).text).to(plan)) | {"plan": "platinum", "reason": "because"}
    form = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    assert town.staff.send("POST", plan, encoded(granted.items()), form).status == 303
    count = 0
    for label, text in TEXTS.items():
        fields = Forms(town.provider.get("/events/new").text).to("/events/new")
        values = dict(fields) | dict(event) | {"step": "publish", "title": text, "description": text}
        body = encoded(values.items())
        answer = town.provider.send("POST", "/events/new", body, form)
        assert answer.status in (303, 422), f"{label}: {answer.status}"
        if answer.status == 303:
            page = town.stranger.get(answer.location.removesuffix("/published"))
            said = "".join("".join(Forms(page.text).words).split())
            wanted = {"".join(one.split()) for one in acceptable(text)}
            assert any(one in said for one in wanted), f"{label}: the page of the event doesn't say {text!r}"
            count += 1
    assert count > 10, count
    town.check_log()
    return count


FILTERS = [
    "q", "city", "zip", "near", "within", "unit", "sort", "from", "to", "when", "age", "free_places", "price", "access",
    "covid_safe", "tag", "after",
]  # fmt: skip
QUERIES = {
    "/events": FILTERS, "/events/map": [*FILTERS, "event", "streets"], "/places": ["q"], "/tags": ["q"],
    "/events.ics": FILTERS, "/events.atom": FILTERS, "/api/events": FILTERS, "/api/providers": ["after"],
    "/login": ["next"], "/signup": ["next"], "/": ["next"], "/about": ["x"],
}  # fmt: skip
OWN_QUERIES = {
    "parent": {
        "/me/registrations": ["list", "after"], "/welcome": ["next"], "/me/children/new": ["next"], "/week": ["from", "as"],
    },  # fmt: skip
    "provider": {
        "/me/events": ["list", "after", "q", "series"], "/me/events/calendar": ["from", "after"],
        "/events/new": ["next", "draft"],
    },  # fmt: skip
    "staff": {
        "/admin/providers": ["q", "after"], "/admin/people": ["q", "after"], "/admin/events": ["q", "after"],
        "/admin/log": ["after"],
    },  # fmt: skip
}
PATHS = [
    "/events/{}", "/providers/{}", "/reset/{}", "/setup/{}", "/assets/{}", "/assets/x/{}", "/{}", "/registrations/{}",
    "/media/{}/card.webp", "/media/x/{}", "/calendar/{}.ics", "/events/{}.ics", "/events/{}/flyer", "/api/events/{}",
    "/api/providers/{}", "/admin/providers/{}",
    "/me/children/{}/edit", "/admin/people/{}", "/admin/events/{}",
]  # fmt: skip


def queries():
    """Hostile text in every query and path gets a page, never a failure; nothing of it is logged or made a header."""
    with debugged() as site:
        town = Town(site)
        for who, pages in [("stranger", QUERIES), *OWN_QUERIES.items()]:
            visitor = getattr(town, who)
            for page, names in pages.items():
                for name in names:
                    for label, text in TEXTS.items():
                        value = quote_from_bytes(text if isinstance(text, bytes) else text.encode(), safe="")[:7000]
                        for query in (f"{name}={value}", f"{name}={MARK}&{name}={value}", f"{name}[]={value}"):
                            what = f"{page}?{name}: {label}"
                            # Programs are told what can't be read and what place isn't known.
                            is_page = not page.startswith(("/api/", "/events."))
                            allowed = (200, 303) if is_page else (200, 400, 404)
                            town.judge(what, visitor.get(f"{page}?{query}"), allowed)
        for path in PATHS:
            for label, text in TEXTS.items():
                value = quote_from_bytes(text if isinstance(text, bytes) else text.encode(), safe="")[:7000]
                for who in (town.stranger, town.parent, town.staff):
                    town.judge(f"{path}: {label}", who.get(path.format(value)), (200, 303, 400, 403, 404))
        form = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
        for label, text in TEXTS.items():
            # Where a form leads to afterwards.
            body = encoded([("login", "king-library"), ("password", PASSWORD), ("next", text)])
            town.judge(f"next: {label}", Visitor(site).send("POST", "/login", body, form), (303,))
        town.check_log()
    return f"{town.tried} addresses asked"


HEADERS = ["User-Agent", "Accept-Encoding", "Accept-Language", "Cookie", "If-None-Match", "X-Forwarded-For", "Referer",
           "Origin", "Sec-Fetch-Site", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "X-Original-URL", "X-Kite",
           "Range", "If-Modified-Since", "Content-Type", "Authorization"]  # fmt: skip


def headers():
    """Hostile bytes in any header field get a page or a refusal, and none of them reach the log or the answer."""
    with debugged() as site:
        town = Town(site)
        own = "; ".join(f"{name}={value}" for name, value in town.parent.jar.items()).encode()
        counts = {}
        for name in HEADERS:
            for label, text in TEXTS.items():
                data = text if isinstance(text, bytes) else text.encode()
                value = b"village=" + data + b"; village_flash=" + data if name == "Cookie" else data
                cookie = b"" if name == "Cookie" else b"Cookie: " + own + b"\r\n"
                line = name.encode() + b": " + value + b"\r\n"
                common = b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + cookie + line
                body = urlencode({"login": "x", "password": ""}).encode()
                for data in (
                    b"GET /me/settings" + common + b"\r\n",
                    b"POST /login" + common + b"Content-Length: %d\r\n\r\n" % len(body) + body,
                ):
                    given, _ = ask(site.port, data)
                    town.tried += 1
                    what = f"{name}: {label}"
                    if len(given) != 1 or not 200 <= given[0].status < 500:
                        town.wrong.append(f"{what}: {[reply.status for reply in given]}")
                        continue
                    counts[given[0].status] = counts.get(given[0].status, 0) + 1
                    shown = repr(given[0].fields) + given[0].body.decode(errors="replace")
                    if MARK in shown and name != "User-Agent":
                        town.wrong.append(f"{what}: stands in the answer")
                    if "x-hacked" in given[0].fields:
                        town.wrong.append(f"{what}: a header was injected")
        # A device is named by words of ours, whatever it calls itself.
        for label, text in TEXTS.items():
            if isinstance(text, str) and text.isascii() and text.isprintable():
                visitor = Visitor(site)
                form = {"User-Agent": text, "Sec-Fetch-Site": "same-origin"}
                form["Content-Type"] = "application/x-www-form-urlencoded"
                body = urlencode({"login": "king-library", "password": PASSWORD})
                assert visitor.send("POST", "/login", body, form).status == 303
                if MARK in visitor.get("/me/sessions").text:
                    town.wrong.append(f"User-Agent: {label} stands on the page of devices")
        town.check_log()
    figures = ", ".join(f"{status}: {count}" for status, count in sorted(counts.items()))
    return f"{town.tried} requests; {figures}"


PROOFS = [fields, queries, headers]
