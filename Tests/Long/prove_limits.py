"""The limits of a request, tried from a raw socket: one byte or field over each is refused, at once and with little."""

import threading
import time

from raw import Line, ask
from site_under_test import Site

KIB = 1024
CLOSE = b"Connection: close\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n"
PARTS = b"Content-Type: multipart/form-data; boundary=x\r\nSec-Fetch-Site: same-origin\r\n"


def get(target=b"/about", fields=b"", host=b"Host: a\r\n"):
    return b"GET " + target + b" HTTP/1.1\r\n" + host + fields + CLOSE + b"\r\n"


def post(fields, body, length=None, path=b"/login"):
    head = b"POST " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n" + fields + CLOSE
    return head + b"Content-Length: %d\r\n\r\n" % (len(body) if length is None else length) + body


def post_chunked(fields, body, size=16 * KIB):
    """The same without a length that could be judged beforehand."""
    head = b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\n" + fields + CLOSE + b"Transfer-Encoding: chunked\r\n\r\n"
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return head + b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def url(length):
    return get(b"/events?q=" + b"k" * (length - 10))


def sized(length):
    """A GET whose fields have so many bytes, names and values together."""
    rest = length - len(b"Hosta" + b"Connectionclose")
    fields = b""
    while rest > 0:
        value = min(rest, 8000) - len(b"X-00")
        fields += b"X-%02d: " % (fields.count(b"\r\n")) + b"k" * value + b"\r\n"
        rest -= value + len(b"X-00")
    return get(fields=fields)


def many(count):
    return get(fields=b"".join(b"X-%d: k\r\n" % number for number in range(count - 2)))


def one_field(length):
    return b"login=" + b"k" * (length - 6)


def pairs(count):
    return b"&".join(b"field=%d" % number for number in range(count))


def a_file(length):
    """A multipart body with one file of that length."""
    head = b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\nContent-Type: image/png\r\n\r\n'
    return head + b"\0" * length + b"\r\n--x--\r\n"


FIELD = b'--x\r\nContent-Disposition: form-data; name="login"\r\n\r\n'

# What it is, what still fits with its answer, what doesn't with its refusal.
LIMITS = [
    ("a URL of 8 KiB", url(8 * KIB), 200, url(8 * KIB + 1), 414),
    ("a URL of twice that", None, 0, url(16 * KIB), 414),
    # NIO's decoder ends here and doesn't tell a long URL from long fields.
    ("a URL far over", None, 0, url(300 * KIB), 431),
    ("32 KiB of fields", sized(32 * KIB), 200, sized(32 * KIB + 1), 431),
    ("fields far over", None, 0, sized(600 * KIB), 431),
    ("one field without end", None, 0, get(fields=b"X: " + b"k" * 600 * KIB), 431),
    ("100 fields", many(100), 200, many(101), 431),
    ("many more fields", None, 0, many(5_000), 431),
    ("one Host", get(), 200, get(host=b""), 400),
    ("two Hosts", None, 0, get(host=b"Host: a\r\nHost: a\r\n"), 400),
    ("a form of 256 KiB", post(FORM, one_field(256 * KIB)), 422, post(FORM, one_field(256 * KIB + 1)), 413),
    (
        "a form of 256 KiB, in chunks",
        post_chunked(FORM, one_field(256 * KIB)), 422, post_chunked(FORM, one_field(256 * KIB + 1)), 413,
    ),
    ("a form that says it is huge", None, 0, post(FORM, b"login=k", 1 << 40), 413),
    ("1,000 fields of a form", post(FORM, pairs(1_000)), 422, post(FORM, pairs(1_001)), 413),
    (
        "1,000 parts of a form",
        post_chunked(PARTS, (FIELD + b"\r\n") * 1_000 + b"--x--\r\n"), 422,
        post_chunked(PARTS, (FIELD + b"\r\n") * 1_001 + b"--x--\r\n"), 413,
    ),
    ("a part of a form in chunks", None, 0, post_chunked(PARTS, FIELD + b"k" * 300 * KIB + b"\r\n--x--\r\n"), 413),
    # No form of the site takes a file yet, so a file is as much too much as any other long body.
    ("a file", post(PARTS, a_file(200 * KIB)), 413, post(PARTS, a_file(1024 * KIB)), 413),
    ("a file in chunks", None, 0, post_chunked(PARTS, a_file(1024 * KIB)), 413),
    ("a file over 10 MiB in chunks", None, 0, post_chunked(PARTS, a_file(10 * KIB * KIB + 1)), 413),
]


def exact():
    """Each limit of a request is exact, and what is over it is refused within a second with its status."""
    wrong, slowest = [], 0.0
    with Site() as site:
        site.start()
        for name, fits, answer, over, refusal in LIMITS:
            for data, status in ((fits, answer), (over, refusal)):
                if data is None:
                    continue
                given, took = ask(site.port, data)
                if [reply.status for reply in given] != [status]:
                    wrong.append(f"{name}: {[reply.status for reply in given]} instead of {status}")
                elif status == refusal:
                    slowest = max(slowest, took)
                    if "default-src 'none'" not in given[0].fields.get("content-security-policy", ""):
                        wrong.append(f"{name}: the refusal isn't a page of the site")
        assert not wrong, "\n".join(wrong)
        assert slowest < 1, f"a refusal took {slowest:.2f} s"
    return f"{len(LIMITS)} limits, slowest refusal {slowest * 1000:.0f} ms"


def memory():
    """Thousands of requests over the limits leave the memory where it was, but for one body of 10 MiB at most."""
    attacks = [over for *_, over, _ in LIMITS if len(over) < 2 << 20]
    with Site() as site:
        site.start()

        def attack(times):
            def run():
                for _ in range(times):
                    for data in attacks:
                        ask(site.port, data)

            threads = [threading.Thread(target=run) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        attack(10)
        before = site.memory()
        attack(50)
        after, peak = site.memory(), site.memory(peak=True)
    assert after - before <= 10, f"from {before:.0f} to {after:.0f} MB"
    return f"{4 * 50 * len(attacks)} requests: {before:.0f} MB before, {after:.0f} MB after, {peak:.0f} MB at most"


def deadlines():
    """A silent connection is closed, and half a head or one that drips is answered 408, after 10 to 15 seconds."""
    took, wrong = {}, []

    def silent(line):
        took["silent"] = line.closed_after(20)

    def half(line):
        line.send(b"GET /about HTTP/1.1\r\nHost: a\r\n")
        answer(line, "half a head")

    def drip(line):
        began = time.monotonic()
        line.send(b"GET /about HTTP/1.1\r\nHost: a\r\nX: ")
        line.socket.settimeout(0.5)
        while time.monotonic() < began + 20:
            line.send(b"k")
            try:
                check(line.socket.recv(65536), "a head that drips", began)
                return
            except TimeoutError:
                pass
        wrong.append("a head that drips was never answered")

    def answer(line, name):
        began = time.monotonic()
        check(line.read(20, enough=lambda got: b"\r\n\r\n" in got), name, began)

    def check(got, name, began):
        took[name] = time.monotonic() - began
        if not got.startswith(b"HTTP/1.1 408 "):
            wrong.append(f"{name}: {got[:80]!r}")

    def run(what):
        with Line(site.port) as line:
            what(line)

    with Site() as site:
        site.start()
        threads = [threading.Thread(target=run, args=(what,)) for what in (silent, half, drip)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(took) == 3 and not wrong, f"{took} {wrong}"
    assert all(9.9 < seconds < 15.5 for seconds in took.values()), took
    return ", ".join(f"{name} {seconds:.1f} s" for name, seconds in took.items())


def connections():
    """An address may hold 64 connections: the next is closed at once, others' aren't, and a closed one makes room."""

    def serves(line):
        line.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        return line.read(5, enough=lambda got: b"ok" in got).startswith(b"HTTP/1.1 200 ")

    with Site() as site:
        site.start()
        time.sleep(0.1)
        lines = [Line(site.port, "127.0.0.3") for _ in range(64)]
        assert all(serves(line) for line in lines), "one of 64 connections isn't served"
        with Line(site.port, "127.0.0.3") as line:
            seconds = line.closed_after(1)
        with Line(site.port, "127.0.0.4") as line:
            assert serves(line), "another address isn't served"
        lines.pop().socket.close()
        time.sleep(0.2)
        with Line(site.port, "127.0.0.3") as line:
            assert serves(line), "a closed connection makes no room"
        for line in lines:
            line.socket.close()
    # The twin: of an address that is a proxy's, the same connection is served.
    with Site(VILLAGE_TRUSTED_PROXIES="127.0.0.3", VILLAGE_MAX_CONNECTIONS="100") as site:
        site.start()
        time.sleep(0.1)
        lines = [Line(site.port, "127.0.0.3") for _ in range(100)]
        assert all(serves(line) for line in lines), "a proxy is held to 64 connections"
        with Line(site.port, "127.0.0.4") as line:
            line.closed_after(1)
        for line in lines:
            line.socket.close()
    return f"the 65th is closed after {seconds * 1000:.0f} ms; of a proxy 100 are served, the 101st of all is closed"


PROOFS = [exact, memory, deadlines, connections]
