"""Requests that two readers could understand differently, straight and behind proxies: nobody gets another's answer.

Each attack is followed by visitors. What it hides asks for a page that nobody else asks for, so the site's log and the
visitors' answers show whether it was understood as a request, and by whom.
"""

import re
from concurrent.futures import ThreadPoolExecutor

from careless import CarelessProxy, CarelessServer
from proxies import HOST, NAMES, Proxy
from raw import Line, Reply, replies
from site_under_test import Site

HIDDEN, OPEN, SENT, VISITORS = "/help", "/about", "/login", "/privacy"
TITLES = {HIDDEN: "Help · Village", VISITORS: "Privacy · Village"}

# What follows the request that is meant to end earlier or later: a whole request, and one that swallows the next one's.
WHOLE = f"GET {HIDDEN} HTTP/1.1\r\nHost: {HOST}\r\n\r\n"
SWALLOW = f"GET {HIDDEN} HTTP/1.1\r\nHost: {HOST}\r\nX-Rest: "
END = "0\r\n\r\n"


def get(name, fields=f"Host: {HOST}\r\n", target=OPEN, version="HTTP/1.1", rest=WHOLE):
    return name, f"GET {target} {version}\r\n{fields}\r\n{rest}"


def post(name, fields, body, rest=WHOLE, version="HTTP/1.1"):
    form = "Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n"
    return name, f"POST {SENT} {version}\r\nHost: {HOST}\r\n{form}{fields}\r\n{body}{rest}"


def both(name, *fields):
    """Two lengths: by the chunks the body ends at once, by the number it holds the hidden request, and the reverse."""
    hidden = END + WHOLE
    yield post(name + ", hiding behind the chunks", "".join(fields).format(length=len(hidden)), hidden, "")
    swallow = END + SWALLOW
    yield post(name + ", swallowing what follows", "".join(fields).format(length=len(swallow)), swallow, "")
    size = f"{len(WHOLE):x}\r\n"
    yield post(name + ", hiding in a chunk", "".join(fields).format(length=len(size)), size + WHOLE + "\r\n" + END, "")


LENGTH, CHUNKED = "Content-Length: {length}\r\n", "Transfer-Encoding: chunked\r\n"


def te(value, name="Transfer-Encoding"):
    return f"{name}: {value}\r\n"


AMBIGUOUS = [
    *both("a length, then chunks", LENGTH, CHUNKED),
    *both("chunks, then a length", CHUNKED, LENGTH),
    *both("xchunked", LENGTH, te("xchunked")),
    *both("identity, then chunked", LENGTH, te("identity"), CHUNKED),
    *both("chunked, then identity", LENGTH, CHUNKED, te("identity")),
    *both("chunked, identity", LENGTH, te("chunked, identity")),
    *both("a space before the colon", LENGTH, "Transfer-Encoding : chunked\r\n"),
    *both("a tab before the colon", LENGTH, "Transfer-Encoding\t: chunked\r\n"),
    *both("a vertical tab", LENGTH, te("\x0bchunked")),
    *both("a form feed behind", LENGTH, te("chunked\x0c")),
    *both("quotes", LENGTH, te('"chunked"')),
    *both("a folded coding", LENGTH, "Transfer-Encoding:\r\n chunked\r\n"),
    *both("a coding in a folded field", LENGTH, "X: y\r\n Transfer-Encoding: chunked\r\n"),
    *both("a coding behind a bare CR", LENGTH, "X: y\rTransfer-Encoding: chunked\r\n"),
    *both("a coding behind a bare LF", LENGTH, "X: y\nTransfer-Encoding: chunked\r\n"),
    *both("a coding that ends in a bare LF", LENGTH, "Transfer-Encoding: chunked\n"),
    *both("a NUL in the coding", LENGTH, te("chunked\0")),
    *both("a coding named in the Connection field", LENGTH, CHUNKED, "Connection: Transfer-Encoding\r\n"),
    *both("a length named in the Connection field", LENGTH, CHUNKED, "Connection: Content-Length\r\n"),
]

MALFORMED = [
    *AMBIGUOUS,
    post("two lengths", f"Content-Length: 1\r\nContent-Length: {len(WHOLE) + 1}\r\n", "x"),
    post("two lengths, the long one first", f"Content-Length: {len(WHOLE) + 1}\r\nContent-Length: 1\r\n", "x"),
    post("two equal lengths", "Content-Length: 1\r\nContent-Length: 1\r\n", "x"),
    post("a list of lengths", "Content-Length: 1, 1\r\n", "x"),
    post("a length with a plus", "Content-Length: +1\r\n", "x"),
    post("a length below zero", "Content-Length: -1\r\n", "x"),
    post("a length in hexadecimal", "Content-Length: 0x1\r\n", "x"),
    post("an empty length", "Content-Length:\r\n", ""),
    post("a length with a space in it", "Content-Length: 1 1\r\n", "x"),
    post("a length over 64 bits", "Content-Length: 18446744073709551617\r\n", "x"),
    post("a length that is a letter", "Content-Length: x\r\n", "x"),
    post("a length with a bare CR", "Content-Length: 1\r0\r\n", "x"),
    post("a length before a bare LF", "Content-Length: 1\n", "x"),
    post("chunks in HTTP/1.0", CHUNKED, END, version="HTTP/1.0"),
    post("chunks twice", CHUNKED + CHUNKED, END),
    post("gzip, chunked", te("gzip, chunked"), END),
    post("a size with 0x", CHUNKED, "0x1\r\nx\r\n" + END),
    post("a size below zero", CHUNKED, "-1\r\nx\r\n" + END),
    post("a size over 64 bits", CHUNKED, "10000000000000001\r\nx\r\n" + END),
    post("a size with a space", CHUNKED, "1 \r\nx\r\n" + END),
    post("a size with an underscore", CHUNKED, "1_0\r\nx\r\n" + END),
    post("no size", CHUNKED, "\r\nx\r\n" + END),
    post("bare LFs between chunks", CHUNKED, "1\nx\n0\n\n"),
    post("a bare LF in an extension", CHUNKED, f"1;a\nx\r\n{len(WHOLE):x}\r\n{WHOLE}\r\n{END}"),
    post("a bare CR in an extension", CHUNKED, f"1;a\rb\r\nx\r\n{END}"),
    post("a bare CR behind a size", CHUNKED, f"1\rX\nx\r\n{END}"),
    post("two bytes that aren't a line end behind a chunk", CHUNKED, f"1\r\nxXX{END}"),
    post("nothing behind a chunk", CHUNKED, "1\r\nx" + END),
    post("a chunk longer than its size", CHUNKED, "1\r\nxy\r\n" + END),
    post("a length in the trailers", CHUNKED, "1\r\nx\r\n0\r\nContent-Length: 5\r\n\r\n"),
    get("no Host", ""),
    get("an empty Host", "Host:\r\n"),
    get("two Hosts", f"Host: {HOST}\r\nHost: {HOST}\r\n"),
    get("two Hosts that differ", f"Host: {HOST}\r\nHost: b\r\n"),
    get("a list of hosts", f"Host: {HOST}, b\r\n"),
    get("a Host with a path", f"Host: {HOST}/b\r\n"),
    get("a Host with a user", f"Host: b@{HOST}\r\n"),
    get("a Host behind a space", f" Host: {HOST}\r\nHost: {HOST}\r\n"),
    get("a Host in a folded field", f"X: y\r\n Host: b\r\nHost: {HOST}\r\n", rest=SWALLOW),
    get("another host in the target", target=f"http://b{OPEN}"),
    get("a user in the target", target=f"http://b@{HOST}{OPEN}"),
    get("another scheme in the target", target=f"ftp://{HOST}{OPEN}"),
    get("a bare LF that splits the target", target=f"{OPEN}\nGET {HIDDEN}", rest=""),
    get("a NUL in the target", target=OPEN + "\0"),
    get("a space in the target", target=OPEN + " x"),
    get("a fragment in the target", target=OPEN + "#x"),
    get("a backslash for a slash", target="\\about"),
    get("a folded field", f"Host: {HOST}\r\nX: y\r\n z\r\n"),
    get("a space before a colon", f"Host : {HOST}\r\n"),
    get("no colon", f"Host: {HOST}\r\nx\r\n"),
    get("a NUL in a value", f"Host: {HOST}\r\nX: a\0b\r\n"),
    get("a NUL in a name", f"Host: {HOST}\r\nX\0: ab\r\n"),
    get("a bare CR in a field", f"Host: {HOST}\rX: y\r\n"),
    get("bare LFs only", f"Host: {HOST}\n\n{WHOLE}", rest=""),
    get("a bare LF at the end", f"Host: {HOST}\r\n\n", rest=""),
    get("two versions", version="HTTP/1.1 HTTP/1.1"),
    get("HTTP/2.0", version="HTTP/2.0"),
    get("no version", version=""),
    ("a small method", f"get {OPEN} HTTP/1.1\r\nHost: {HOST}\r\n\r\n{WHOLE}"),
    ("HTTP/2's preface", f"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n{WHOLE}"),
    ("CONNECT", f"CONNECT {HOST}:443 HTTP/1.1\r\nHost: {HOST}\r\n\r\n{WHOLE}"),
]

# Refused by the proxies' reading or mended on the way; straight, the site understands these as RFC 9112 does.
CLEAR = [
    *both("an underscore for the hyphen", LENGTH, "Transfer_Encoding: chunked\r\n"),
    get("a target that splits the request", target=f"{OPEN} HTTP/1.1\r\nHost: {HOST}\r\n\r\n{WHOLE[:-4]}", rest=""),
    post("a chunk extension", CHUNKED, "1;a=b\r\nx\r\n" + END, SWALLOW),
    post("an underscore in a length's name", "Content_Length: 500\r\nContent-Length: 1\r\n", "x", SWALLOW),
    post("a length with zeros", "Content-Length: 0001\r\n", "x", SWALLOW),
    get("a body of a GET", f"Host: {HOST}\r\nContent-Length: {len(SWALLOW)}\r\n", rest=SWALLOW),
    get("an offer to upgrade", f"Host: {HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n", rest=SWALLOW),
    get("an offer of h2c", f"Host: {HOST}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n", rest=SWALLOW),
    get("HTTP/1.0 that stays", f"Host: {HOST}\r\nConnection: keep-alive\r\n", version="HTTP/1.0", rest=SWALLOW),
    post("100 that nobody waits for", "Expect: 100-continue\r\nContent-Length: 1\r\n", "x", SWALLOW),
    post("a body that never comes", f"Content-Length: {len(WHOLE) + 100}\r\n", "", WHOLE),
    get("line breaks in the query", target=f"{OPEN}?x=%0d%0aHost:%20b%0d%0a%0d%0aGET%20{HIDDEN}", rest=SWALLOW),
]


def attack(connect, data, quiet=0.3):
    """The answers that the attacker gets before the connection closes or nothing comes for a while."""
    with connect() as line:
        line.send(data.encode("latin-1"))
        got = line.read(quiet)
    # nginx answers a request without a version as HTTP/0.9 did, by the page alone, and HTTP/2's preface by a frame.
    return replies(got) if not got or got.startswith(b"HTTP/") else [Reply(0, {}, got)]


def visit(connect):
    """The titles that two visitors get: one request each, one behind the other on a connection."""
    request = f"GET {VISITORS} HTTP/1.1\r\nHost: {HOST}\r\n"
    with connect() as line:
        line.send((request + "\r\n").encode())
        first = line.read(5, enough=lambda got: b"</html>" in got)
        line.send((request + "Connection: close\r\n\r\n").encode())
        return [(reply.status, reply.title) for reply in replies(first + line.read(5))]


class Witness:
    """The site's log, from one look to the next: the routes it answered, health checks aside."""

    def __init__(self, site):
        self.site, self.at = site, 0
        self.news()

    def news(self):
        text = self.site.log_path.read_text(errors="replace")
        lines = re.findall(r"\] [A-Z]+ (/\S*|none) \d{3}$", text[self.at :], re.MULTILINE)
        self.at = len(text)
        return [line for line in lines if line not in ("/healthz", "/readyz")]


def strike(connect, site, cases, straight=False, quiet=0.3):
    """Makes each attack and lets visitors follow; gives what went wrong, and how many attacks were refused."""
    wrong, refused = [], 0
    witness = Witness(site)
    for name, data in cases:
        answers = attack(connect, data, quiet)
        visitors = visit(connect)
        routes = witness.news()
        mine = [route for route in routes if route != VISITORS]
        if visitors != [(200, TITLES[VISITORS])] * 2 or routes.count(VISITORS) != 2:
            wrong.append(f"{name}: the visitors got {visitors}, the site saw {routes}")
        # A hidden request is harmless only where the attacker itself is given its answer.
        if mine.count(HIDDEN) != sum(answer.title == TITLES[HIDDEN] for answer in answers):
            wrong.append(f"{name}: the hidden request was answered to somebody else: {mine}")
        if len(mine) > max(1, len(answers)):
            wrong.append(f"{name}: {len(mine)} requests were answered, {len(answers)} answers came: {mine}")
        is_refusal = len(answers) == 1 and 400 <= answers[0].status <= 505 and HIDDEN not in mine
        refused += is_refusal
        if straight and not is_refusal:
            wrong.append(f"{name}: {[answer.status for answer in answers]}, and the site answered {mine}")
    return wrong, refused


def served():
    """A site on the public URL that the proxies' files name, which believes them and logs the routes."""
    return Site(VILLAGE_PUBLIC_URL=f"https://{HOST}", VILLAGE_LIMITS="on", VILLAGE_TRUSTED_PROXIES="127.0.0.1", VILLAGE_LOG_LEVEL="info")


def straight():
    """A malformed request gets one refusal and nothing behind it is read; the visitors after it get their own pages."""
    with served() as site:
        site.start()
        connect = lambda: Line(site.port)  # noqa: E731
        wrong, refused = strike(connect, site, MALFORMED, straight=True)
        unusual, _ = strike(connect, site, CLEAR)
    assert not wrong + unusual, "\n".join(wrong + unusual)
    return f"{refused} of {len(MALFORMED)} refused, {len(CLEAR)} unusual ones do no harm"


def behind_proxies():
    """Behind nginx, HAProxy and Caddy no malformed request is answered twice or given to another connection."""

    def one(name):
        with served() as site:
            site.start()
            with Proxy(name, site) as proxy:
                wrong, refused = strike(proxy.line, site, MALFORMED + CLEAR, quiet=0.7)
        return [f"{name}: {line}" for line in wrong], f"{name} {refused}"

    with ThreadPoolExecutor(len(NAMES)) as pool:
        results = list(pool.map(one, NAMES))
    wrong = [line for lines, _ in results for line in lines]
    assert not wrong, "\n".join(wrong)
    return f"{len(MALFORMED) + len(CLEAR)} requests each; refused: {', '.join(figure for _, figure in results)}"


def behind_careless_proxy():
    """A careless proxy gives visitors what an attacker hid with a careless server behind it, but not with Village."""
    with CarelessServer() as server:
        hit = 0
        for _, data in AMBIGUOUS:
            with CarelessProxy(server.port) as proxy:
                connect = lambda: Line(proxy.port)  # noqa: E731
                attack(connect, data)
                with connect() as line:
                    line.send(f"GET {VISITORS} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
                    hit += HIDDEN.encode() in line.read(0.5, enough=lambda got: b"</title>" in got)
    assert hit >= 10, f"the twin was hit by {hit} requests only, so this attack proves nothing"
    with served() as site, CarelessProxy(site.port) as proxy:
        site.start()
        wrong, _ = strike(lambda: Line(proxy.port), site, AMBIGUOUS)
    assert not wrong, "\n".join(wrong)
    return f"{len(AMBIGUOUS)} requests: the careless server gave {hit} visitors another's page, Village none"


PROOFS = [straight, behind_proxies, behind_careless_proxy]
