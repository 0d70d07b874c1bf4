"""The grade of the site's headers by the published rules of MDN's HTTP Observatory, and the points that are missing.

The rules are those of github.com/mdn/mdn-http-observatory (src/analyzer/tests, src/grader/charts.js; algorithm of 2024
to 2026), as far as they can meet a site: a score of 100, changed by each of ten tests, whose bonuses count from 90 on.
"""

import http.client
import re
from html.parser import HTMLParser

from proxies import HOST, NAMES, Proxy
from raw import Line, replies
from site_under_test import Site

BROAD = {"ftp:", "http:", "https:", "*", "http://*", "http://*.*", "https://*", "https://*.*"}
INLINE = {"'unsafe-inline'", "data:"}
PRIVATE = ("no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin")
SIX_MONTHS = 15_552_000
# The bonuses that a site can have beyond 100: what each test gives at best.
BEST = {"CSP": 10, "cookies": 5, "CORS": 0, "redirection": 0, "referrer": 5, "HSTS": 5, "SRI": 5, "nosniff": 0,
        "framing": 5, "CORP": 10}  # fmt: skip


class Page:
    """What the Observatory asks a site for: the start page, robots.txt and a preflight, as seen over https."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        self.fields, self.cookies, body = self.ask("GET", "/")
        self.cookies += self.ask("GET", "/robots.txt")[1]
        origin = {"Origin": "https://http-observatory.security.mozilla.org", "Access-Control-Request-Method": "GET"}
        self.preflight = self.ask("OPTIONS", "/", origin)[0]
        self.scripts, self.metas = [], []
        parser = HTMLParser()
        parser.handle_starttag = self.tag
        parser.feed(body)

    def ask(self, method, path, fields={}):
        self.connection.request(method, path, headers={"Host": HOST, "Accept": "text/html", **fields})
        answer = self.connection.getresponse()
        pairs = [(name.lower(), value) for name, value in answer.getheaders()]
        return dict(pairs), [value for name, value in pairs if name == "set-cookie"], answer.read().decode()

    def tag(self, name, attributes):
        if name == "script" and dict(attributes).get("src"):
            self.scripts.append(dict(attributes))
        if name == "meta" and "http-equiv" in dict(attributes):
            self.metas.append(dict(attributes))


def csp(fields):
    """The points for the content security policy, and why."""
    text = fields.get("content-security-policy")
    if not text:
        return -25, "none"
    policy = {}
    for directive in text.split(";"):
        name, *sources = directive.lower().split() or [""]
        policy.setdefault(name, set(sources))

    def sources(name):
        return policy.get(name, policy.get("default-src", {"*"}))

    active = set().union(*(it for name, it in policy.items() if name not in ("img-src", "media-src")))
    passive = sources("img-src") | sources("media-src")
    if sources("script-src") & (BROAD | INLINE) or sources("object-src") & BROAD:
        return -20, "scripts or objects from anywhere, or inline"
    if any(it.startswith(("http:", "ftp:")) for it in active):
        return -20, "http sources"
    if "'unsafe-eval'" in sources("script-src") | sources("style-src"):
        return -10, "unsafe-eval"
    if any(it.startswith(("http:", "ftp:")) for it in passive):
        return -10, "http sources of images"
    if sources("style-src") & (BROAD | INLINE):
        return 0, "style sheets from anywhere, or inline"
    if policy.get("default-src") == {"'none'"}:
        return 10, ""
    return 5, "default-src isn't 'none'"


def cookies(lines, hsts):
    """The points for the cookies that were set."""
    if not lines:
        return 0, "no cookie is set for a visitor, so there is none to praise"
    worst = 5, ""
    for line in lines:
        name, *attributes = [part.strip().lower() for part in line.split(";")]
        is_session = "login" in name.split("=")[0] or "sess" in name.split("=")[0]
        site = next((it.partition("=")[2] for it in attributes if it.startswith("samesite")), None)
        if site is not None and site not in ("lax", "strict", "none") or site == "none" and "secure" not in attributes:
            worst = min(worst, (-20, f"SameSite of {name}"))
        if "secure" not in attributes:
            lost = (-10 if is_session else -5) if hsts else (-40 if is_session else -20)
            worst = min(worst, (lost, f"{name} isn't Secure"))
        if is_session and "httponly" not in attributes:
            worst = min(worst, (-30, f"{name} isn't HttpOnly"))
        if site is None:
            worst = min(worst, (-20 if "csrf" in name.split("=")[0] else 0, f"{name} has no SameSite"))
    return worst


def score(fields, set_cookies, preflight, scripts, redirects):
    """Points and reasons of the ten tests."""
    points = {"CSP": csp(fields)}
    policy = fields.get("content-security-policy", "")
    transport = fields.get("strict-transport-security", "")
    age = re.search(r"max-age=(\d+)", transport)
    if not age or "," in transport:
        points["HSTS"] = -20, "none"
    elif int(age[1]) < SIX_MONTHS:
        points["HSTS"] = -10, "less than six months"
    else:
        points["HSTS"] = 0, "a bonus only for domains on the browsers' preload list, which is their owner's choice"
    points["cookies"] = cookies(set_cookies, points["HSTS"][0] >= 0)
    allowed = preflight.get("access-control-allow-origin")
    reflects = allowed not in (None, "*") and preflight.get("access-control-allow-credentials") == "true"
    points["CORS"] = (-50, "any origin, with credentials") if reflects else (0, "")
    points["redirection"] = (0, "") if redirects else (-20, "http is not sent on to https")
    referrer = [it.strip().lower() for it in fields.get("referrer-policy", "").split(",")]
    if referrer == [""]:
        points["referrer"] = 0, "none"
    else:
        points["referrer"] = (5, "") if referrer[-1] in PRIVATE else (-5, referrer[-1])
    foreign = [it for it in scripts if re.match(r"(https?:)?//", it["src"])]
    if any(it["src"].startswith(("//", "http:")) for it in foreign):
        points["SRI"] = (-20 if all("integrity" in it for it in foreign) else -50), "scripts over http"
    elif any("integrity" not in it for it in foreign):
        points["SRI"] = -5, "foreign scripts without integrity"
    elif any("integrity" in it for it in scripts):
        points["SRI"] = 5, ""
    else:
        points["SRI"] = 0, "scripts are the site's own, which need no integrity attribute"
    points["nosniff"] = (0, "") if fields.get("x-content-type-options", "").lower() == "nosniff" else (-5, "none")
    if "frame-ancestors" in policy:
        points["framing"] = 5, ""
    else:
        sent = fields.get("x-frame-options", "").lower()
        points["framing"] = (0, "no frame-ancestors") if sent in ("deny", "sameorigin") else (-20, "none")
    resource = fields.get("cross-origin-resource-policy", "").lower()
    if resource in ("same-origin", "same-site"):
        points["CORP"] = 10, ""
    else:
        points["CORP"] = (0 if resource in ("", "cross-origin") else -5), resource or "none"
    return points


def graded(points):
    """Score and grade: bonuses count only for a site that has 90 without them."""
    plain = 100 + sum(min(0, given) for given, _ in points.values())
    total = max(0, 100 + sum(given for given, _ in points.values()) if plain >= 90 else plain)
    steps = [100, 90, 85, 80, 70, 65, 60, 50, 45, 40, 30, 25, 0]
    grades = ["A+", "A", "A-", "B+", "B", "B-", "C+", "C", "C-", "D+", "D", "D-", "F"]
    return total, next(grade for step, grade in zip(steps, grades) if total >= step)


def redirects(site):
    """Which of the shipped proxies send http on to https on the same host at once."""
    found = []
    for name in NAMES:
        with Proxy(name, site) as proxy, Line(proxy.plain_port) as line:
            line.send(f"GET / HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
            reply = replies(line.read(3))[0]
            if reply.status in (301, 308) and reply.fields["location"].startswith(f"https://{HOST}/"):
                found.append(name)
    return found


def grade():
    """The Observatory's rules give the site A+, and each point below the most there is has a reason."""
    with Site(VILLAGE_PUBLIC_URL=f"https://{HOST}", VILLAGE_LIMITS="on", VILLAGE_TRUSTED_PROXIES="127.0.0.1") as site:
        site.start()
        page = Page(site.port)
        assert redirects(site) == list(NAMES), f"only {redirects(site)} send http on to https"
        session = log_in(site)
    assert not page.metas, f"the rules look at http-equiv too, this proof doesn't: {page.metas}"
    points = score(page.fields, page.cookies, page.preflight, page.scripts, True)
    total, letter = graded(points)
    missing = [
        f"{name} {given} of {BEST[name]}: {reason}" for name, (given, reason) in points.items() if given < BEST[name]
    ]
    assert letter == "A+" and all(given >= 0 for given, _ in points.values()), f"{letter} {total}: {missing}"
    # A visitor is given no cookie; the one of a session is held to the same rules.
    assert session and cookies(session, True) == (5, ""), session
    # The twins: without any one of these headers the score is lower.
    for name in (
        "content-security-policy", "strict-transport-security", "referrer-policy", "cross-origin-resource-policy",
        "x-content-type-options",
    ):  # fmt: skip
        fields = {key: value for key, value in page.fields.items() if key != name}
        fewer, _ = graded(score(fields, page.cookies, page.preflight, page.scripts, True))
        assert fewer < total, f"without {name} the score is still {fewer}"
    return f"{letter}, {total} of {100 + sum(BEST.values())}; " + "; ".join(missing)


def log_in(site):
    """The cookies that a sign-up sets."""
    body = "email=ana%40example.org&username=ana-ortiz&password=a+village+of+our+own&adult=1"
    fields = {
        "Host": HOST, "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin",
    }  # fmt: skip
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)
    connection.request("POST", "/signup", body, fields)
    answer = connection.getresponse()
    assert answer.status == 303, answer.read()
    return answer.headers.get_all("Set-Cookie")


PROOFS = [grade]
