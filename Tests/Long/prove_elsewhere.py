"""Logging in with an account elsewhere, at an issuer that other people wrote: oidc-provider-mock, made of Authlib."""

import base64
import html
import http.client
import json
import re
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from authlib.oauth2.rfc7636 import create_s256_code_challenge

from crowd import expect
from prove_rates import LIMITED, Neighbour
from site_under_test import PASSWORD, Site, free_port

UNKNOWN = "Nobody has said that you may log in that way."
WRONG = "The answer from the place where you log in isn’t valid."
LOST = "The log-in took too long, or it began in another browser."
STOPPED = "The log-in was stopped there."
AWAY = "The place where you log in doesn’t answer."
# For so many seconds the site asks neither for keys again, nor an issuer that didn't answer.
PAUSE = 60

NOOR, KING, MUSEUM = "noor@example.org", "king-library@example.org", "lantern-museum@example.org"


class Issuer:
    """The issuer as a process of its own, and in front of it a door at which its answers can be changed.

    It doesn't look at PKCE. The door does, with what Authlib has for it, unless `checks` is false.
    """

    def __init__(self):
        self.port, self.inside = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process, self.checks, self.shut, self.change, self.delay = None, True, False, None, 0
        self.challenges, self.asked = {}, []
        issuer = self

        class Door(BaseHTTPRequestHandler):
            def handle_all(self):
                issuer.handle(self)

            do_GET = do_POST = do_PUT = handle_all

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), Door)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.end()
        self.server.shutdown()
        self.server.server_close()

    @property
    def settings(self):
        return LIMITED | {
            "VILLAGE_OIDC_ISSUER": self.url, "VILLAGE_OIDC_CLIENT_ID": "village", "VILLAGE_OIDC_NAME": "City Hall",
            "VILLAGE_OIDC_CLIENT_SECRET": "between the two",
        }

    def start(self):
        """Begins with a new key and nobody who has an account there."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "oidc_provider_mock", "--port", str(self.inside)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                if self.send("GET", "/jwks")[0] == 200:
                    return
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)
        raise AssertionError("The issuer doesn't start.")

    def end(self):
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def handle(self, request):
        """One request at the door: passed on, with its answer changed where a proof says so."""
        request.close_connection = True
        path = urlsplit(request.path).path
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        self.asked.append(path)
        if self.shut:
            return
        if path == "/oauth2/token":
            time.sleep(self.delay)
        form = dict(parse_qsl(body.decode()))
        challenge = self.challenges.get(form.get("code"))
        if path == "/oauth2/token" and self.checks and not holds(challenge, form.get("code_verifier")):
            status, fields, answer = 400, {"Content-Type": "application/json"}, b'{"error":"invalid_grant"}'
        else:
            inner = http.client.HTTPConnection("127.0.0.1", self.inside, timeout=10)
            try:
                passed = {name: value for name, value in request.headers.items() if name.lower() != "connection"}
                inner.request(request.command, request.path, body or None, passed)
                response = inner.getresponse()
                status, fields, answer = response.status, dict(response.getheaders()), response.read()
            except OSError:
                return
            finally:
                inner.close()
        location = next((value for name, value in fields.items() if name.lower() == "location"), None)
        if code := query(location or "").get("code"):
            self.challenges[code] = query(request.path).get("code_challenge")
        if path == "/oauth2/token" and status == 200 and self.change:
            status, fields, answer = self.change(answer, fields)
        try:
            request.send_response_only(status)
            for name, value in fields.items():
                if name.lower() not in ("content-length", "transfer-encoding", "connection", "date", "server"):
                    request.send_header(name, value)
            request.send_header("Content-Length", str(len(answer)))
            request.end_headers()
            request.wfile.write(answer)
        except OSError:
            pass

    def send(self, method, path, body=None, fields={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body, fields)
            response = connection.getresponse()
            return response.status, response.getheader("Location"), response.read()
        finally:
            connection.close()

    def know(self, sub, email, is_verified=True, **claims):
        """Somebody has an account there; `claims` are what the token says of them, or says otherwise."""
        said = {"email": email, "email_verified": is_verified, "groups": ["admins"], "role": "admin"} | claims
        status, _, answer = self.send(
            "PUT", f"/users/{quote(sub)}", json.dumps(said), {"Content-Type": "application/json"})
        expect(status == 204, f"The issuer takes nobody: {status} {answer}")

    def log_in(self, location, **form):
        """What a browser does there; gives the way back, a path of the site's."""
        expect(location.startswith(f"{self.url}/oauth2/authorize?"), f"The browser is sent to {location}")
        status, back, _ = self.send(
            "POST", location.removeprefix(self.url), urlencode(form),
            {"Content-Type": "application/x-www-form-urlencoded"})
        expect(status == 302, f"The issuer answers {status}")
        way = urlsplit(back)
        return f"{way.path}?{way.query}"


def holds(challenge, verifier):
    return bool(challenge and verifier) and create_s256_code_challenge(verifier) == challenge


def query(address):
    return dict(parse_qsl(urlsplit(address).query))


class Person(Neighbour):
    """A browser of somebody at an address of their own, so that nobody's guesses count as another's."""

    count = 0

    def __init__(self, site, issuer):
        Person.count += 1
        super().__init__(site, f"198.51.{Person.count // 250}.{Person.count % 250 + 1}")
        self.issuer = issuer

    def begin(self, path="/login/elsewhere"):
        return self.get(path).location

    def come(self, sub, path="/login/elsewhere"):
        """Presses the button, logs in there and comes back; gives where that leads."""
        return self.back(self.issuer.log_in(self.begin(path), sub=sub))

    def back(self, way):
        return self.get(way).location

    def says(self, words, answer, page="/login"):
        """Whether it led to the log-in page with these words, and no further."""
        shown = html.unescape(self.get(answer).text)
        name = next((line for line in (UNKNOWN, WRONG, LOST, STOPPED, AWAY) if line in shown), "nothing of it")
        expect(answer == page and words in shown, f"led to {answer}, which says: {name}; not: {words}")
        expect(self.get("/me/settings").location.startswith("/login"), "is logged in all the same")

    def is_in(self, answer, at):
        expect(answer == at, f"led to {answer}, not {at}")
        expect(self.get("/me/settings").status == 200, "is not logged in")

    def enter(self, name):
        """Logs in with the password."""
        answer = self.post("/login", {"login": name, "password": PASSWORD})
        expect(answer.status == 303, f"{name} could not log in: {answer.status}")
        self.csrf = re.search(r'name="csrf" value="([^"]+)"', self.get("/me/settings").text)[1]
        return self

    def allow(self, email, role):
        return self.post("/admin/log-ins", {
            "email": email, "role": role, "reason": "Works at City Hall", "current_password": PASSWORD})

    def row(self, name):
        """The page that ends somebody's log-in, as the list leads to it."""
        listed = self.get("/admin/log-ins").text
        return re.search(rf'(/admin/log-ins/\d+/end)">\s*End it<span class="hidden">: {name}<', listed)[1]


class Town(Site):
    """A demo town that knows the issuer, with an admin; `who()` is a new browser."""

    def __init__(self, issuer, begins=True):
        super().__init__(**issuer.settings)
        self.issuer, self.begins = issuer, begins
        self.run("seed", "--demo")

    def __enter__(self):
        if self.begins:
            self.start()
        return self

    def who(self):
        return Person(self, self.issuer)

    def allowing(self, *people):
        admin = self.who().enter("mira-staff")
        for email, role in people:
            answer = admin.allow(email, role)
            expect((answer.status, answer.location) == (303, "/admin/log-ins"), f"{email}: {answer.status}")
        return admin


def the_way():
    """At an issuer made of Authlib, those whom an admin wrote down come in, as what it says there, and nobody else."""
    with Issuer() as issuer, Town(issuer) as town:
        admin = town.allowing((NOOR, "moderator"), (KING, "member"), (MUSEUM, "moderator"))
        expect(admin.allow("ana.ortiz@example.org", "moderator").status == 422, "a family was let in")
        issuer.know("1-noor", NOOR)
        issuer.know("2-king", KING)
        issuer.know("3-museum", MUSEUM)
        page = html.unescape(town.who().get("/login").text)
        expect("Log in with City Hall" in page, "there is no button")

        # A role is what the admin said: the issuer calls each of them an admin.
        for sub, at, status in (("1-noor", "/admin", 200), ("2-king", "/", 403), ("3-museum", "/", 200)):
            person = town.who()
            person.is_in(person.come(sub), at)
            expect(person.get("/admin").status == status, f"{sub} at /admin")
            expect(person.get("/admin/log-ins").status == 403, f"{sub} decides who may log in")
        onward = town.who()
        onward.is_in(onward.come("1-noor", "/login/elsewhere?next=/me/settings"), "/me/settings")
        off = town.who()
        off.is_in(off.come("1-noor", "/login/elsewhere?next=//evil.example"), "/admin")

        # Nobody wrote these down, or it isn't theirs.
        strangers = [
            ("4-clinic", "alameda-clinic@example.org", True), ("5-ana", "ana.ortiz@example.org", True),
            ("6-unverified", NOOR, False), ("7-nobody", "nobody@example.net", True),
            # The same address with another name there, later: it was handed on.
            ("8-noor", NOOR, True),
        ]
        for sub, email, is_verified in strangers:
            issuer.know(sub, email, is_verified)
            person = town.who()
            person.says(UNKNOWN, person.come(sub))
        # From then on the name there is what counts.
        issuer.know("1-noor", "moved@example.net", False)
        noor = town.who()
        noor.is_in(noor.come("1-noor"), "/admin")

        stopped = town.who()
        stopped.says(STOPPED, stopped.back(issuer.log_in(stopped.begin(), action="deny")))

        # Logging out ends this session, and the next one begins anew.
        king = town.who()
        king.is_in(king.come("2-king"), "/")
        king.csrf = re.search(r'name="csrf" value="([^"]+)"', king.get("/me/settings").text)[1]
        expect(king.post("/logout", {}).status == 303, "doesn't log out")
        expect(king.get("/me/settings").location.startswith("/login"), "is still logged in")
        king.csrf = ""
        king.is_in(king.come("2-king"), "/")

        # An admin ends it: for the browsers that are in, and for one that is on its way.
        half = town.who()
        way = issuer.log_in(half.begin(), sub="1-noor")
        path = admin.row("noor-haddad")
        answer = admin.post(path, {"reason": "Left City Hall", "current_password": PASSWORD})
        expect(answer.status == 303, f"it doesn't end: {answer.status}")
        for browser in (noor, onward):
            expect(browser.get("/me/settings").location.startswith("/login"), "is still logged in")
        half.says(UNKNOWN, half.back(way))
        again = town.who()
        again.says(UNKNOWN, again.come("1-noor"))
        by_password = town.who().enter("noor-haddad")
        expect(by_password.get("/admin").status == 403, "the role stayed")
        kept = town.logged()
        expect(NOOR not in kept and "1-noor" not in kept, "the log names people")
    return f"{len(strangers)} strangers refused; {len(issuer.asked)} questions to the issuer"


def once():
    """State, nonce, verifier and code are of one browser's log-in and good once; without PKCE and nonce one opens."""
    with Issuer() as issuer, Town(issuer) as town:
        town.allowing((NOOR, "moderator"))
        issuer.know("1-noor", NOOR)
        seen = [query(town.who().begin()) for _ in range(5)]
        for name in ("state", "nonce", "code_challenge"):
            values = {each[name] for each in seen}
            expect(len(values) == 5 and min(map(len, values)) >= 32, f"{name} can be foreseen")
        expect({each["code_challenge_method"] for each in seen} == {"S256"}, "PKCE isn't S256")

        mine, thief = town.who(), town.who()
        way = issuer.log_in(mine.begin(), sub="1-noor")
        thief.says(LOST, thief.back(way))
        thief.begin()
        thief.says(LOST, thief.back(way))
        asked = issuer.asked.count("/oauth2/token")
        expect(asked == 0, "the issuer was asked for a browser that didn't begin it")
        cookies = dict(mine.jar)
        mine.is_in(mine.back(way), "/admin")
        thief.jar = dict(cookies)
        thief.says(LOST, thief.back(way))
        expect(issuer.asked.count("/oauth2/token") == 1, "the code was shown twice")

        # The site forgot that it was used (it began anew): the issuer remembers.
        town.stop()
        town.start()
        thief.jar = dict(cookies)
        thief.says(WRONG, thief.back(way))
        expect(issuer.asked.count("/oauth2/token") == 2, "the issuer wasn't asked")

        # A code that was caught on somebody's way back, put into a log-in of one's own.
        def inject(**claims):
            victim, thief = town.who(), town.who()
            own = query(thief.begin())
            if claims.pop("is_told", False):
                claims["nonce"] = own["nonce"]
            issuer.know("1-noor", NOOR, **claims)
            code = query(issuer.log_in(victim.begin(), sub="1-noor"))["code"]
            return thief, thief.back(f"/login/elsewhere/back?code={quote(code)}&state={own['state']}")

        for checks, is_told in ((True, False), (True, True), (False, False)):
            issuer.checks = checks
            thief, answer = inject(is_told=is_told)
            thief.says(WRONG, answer)
        # The twin: an issuer that looks at no verifier, and takes anybody's word for the nonce.
        thief, answer = inject(is_told=True)
        thief.is_in(answer, "/admin")
    return "3 ways to use a caught code refused; without PKCE and nonce it opens"


def coded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def tokens():
    """A token that is over, of later, of another site, issuer or log-in, or changed on its way, opens nothing."""
    now = int(time.time())
    claims = [
        {"exp": now - 3_600}, {"exp": now - 61}, {"iat": now - 3_600}, {"iat": now + 3_600}, {"nbf": now + 3_600},
        {"aud": "another"}, {"aud": ["another"]}, {"aud": ["village", "another"]}, {"azp": "another"},
        {"iss": "https://login.example"}, {"nonce": "another"}, {"nonce": None}, {"exp": "never"}, {"aud": None},
        {"exp": None}, {"iat": None},
    ]

    def replacing(make):
        def change(answer, fields):
            value = json.loads(answer)
            value["id_token"] = make(*value["id_token"].split("."))
            return 200, fields, json.dumps(value).encode()
        return change

    changes = {
        "signed by nobody": replacing(lambda head, body, _: f"{coded({'alg': 'none'})}.{body}."),
        "without a signature": replacing(lambda head, body, _: f"{head}.{body}."),
        "signed otherwise": replacing(lambda head, body, mark: f"{head}.{body}.{'A' * len(mark)}"),
        "by a secret of two": replacing(lambda head, body, mark: f"{coded({'alg': 'HS256'})}.{body}.{mark}"),
        "with another name": replacing(lambda head, body, mark: f"{head}.{coded({'sub': '1-noor'})}.{mark}"),
        "no token": replacing(lambda *_: "a.b.c"),
        "no JSON": lambda answer, fields: (200, fields, b"<html>"),
        "another answer": lambda answer, fields: (200, fields, b'{"error":"invalid_grant"}'),
        "refused": lambda answer, fields: (400, fields, b'{"error":"invalid_grant"}'),
    }
    gone = {
        "huge": lambda answer, fields: (200, fields, answer + b" " * (300 << 10)),
        "elsewhere": lambda answer, fields: (307, {"Location": f"{issuer.url}/oauth2/other"}, b""),
        "not now": lambda answer, fields: (503, fields, b""),
    }
    with Issuer() as issuer, Town(issuer) as town:
        town.allowing((NOOR, "moderator"))
        for each in claims:
            issuer.know("1-noor", NOOR, **each)
            person = town.who()
            answer = person.come("1-noor")
            try:
                person.says(WRONG, answer)
            except AssertionError as error:
                raise AssertionError(f"{each}: {error}") from None
        issuer.know("1-noor", NOOR)
        for words, table in ((WRONG, changes), (AWAY, gone)):
            for name, issuer.change in table.items():
                person = town.who()
                try:
                    person.says(words, person.come("1-noor"))
                except AssertionError as error:
                    raise AssertionError(f"{name}: {error}") from None
        expect("/oauth2/other" not in issuer.asked, "a redirect was followed")
        # The twin: the same person, whose token is left as it is.
        issuer.change = None
        person = town.who()
        person.is_in(person.come("1-noor"), "/admin")
        # They count as wrong passwords do: behind ten of them the right one waits.
        issuer.change = changes["signed otherwise"]
        guesser = town.who()
        for _ in range(10):
            guesser.says(WRONG, guesser.come("1-noor"))
        issuer.change = None
        way = issuer.log_in(guesser.begin(), sub="1-noor")
        expect(guesser.get(way).status == 429, "guesses go on and on")
    return f"{len(claims) + len(changes) + len(gone)} answers refused"


def away():
    """While the issuer is away its page says so and passwords go on; back with a new key, it lets people in again."""
    with Issuer() as issuer, Town(issuer) as town, Town(issuer, begins=False) as late:
        town.allowing((NOOR, "moderator"))
        issuer.know("1-noor", NOOR)
        person = town.who()
        person.is_in(person.come("1-noor"), "/admin")
        read = time.monotonic()
        caught = town.who()
        way = issuer.log_in(caught.begin(), sub="1-noor")
        issuer.end()
        caught.says(AWAY, caught.back(way))
        caught.enter("king-library")

        # A site that begins meanwhile: told at once, and not asking again for a minute.
        late.start()
        late.allowing((NOOR, "moderator"))
        early = late.who()
        early.says(AWAY, early.begin())
        began, asked = time.monotonic(), len(issuer.asked)
        early.says(AWAY, early.begin())
        expect(len(issuer.asked) == asked, "it was asked again at once")

        # Back, with another key, and its tokens don't say which: read again once the minute is over.
        issuer.start()
        issuer.know("1-noor", NOOR)
        changed = town.who()
        if time.monotonic() < read + PAUSE - 10:
            changed.says(WRONG, changed.come("1-noor"))
        time.sleep(max(0, max(began, read) + PAUSE + 2 - time.monotonic()))
        changed.is_in(changed.come("1-noor"), "/admin")
        early.is_in(early.come("1-noor"), "/admin")

        # Silence is nobody's guess: the password of the same address opens after eleven of them.
        patient = town.who()
        for _ in range(11):
            way = issuer.log_in(patient.begin(), sub="1-noor")
            issuer.shut = True
            patient.says(AWAY, patient.back(way))
            issuer.shut = False
        patient.enter("king-library")

        # It takes its time: nobody else's page waits for it.
        issuer.delay = 3
        slow = town.who()
        way = issuer.log_in(slow.begin(), sub="1-noor")
        waiting = threading.Thread(target=slow.back, args=(way,))
        waiting.start()
        reader, slowest = town.who(), 0
        while waiting.is_alive():
            asked = time.monotonic()
            expect(reader.get("/about").status == 200, "no page")
            slowest = max(slowest, time.monotonic() - asked)
            time.sleep(0.05)
        expect(slowest < 1, f"a page waited {slowest:.1f} s for the issuer")
        slow.is_in("/admin", "/admin")
    return f"back within a minute, its new key too; pages within {slowest * 1000:.0f} ms while it takes 3 s"


PROOFS = [the_way, once, tokens, away]
