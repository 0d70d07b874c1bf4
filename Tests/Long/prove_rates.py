"""The rate limits, over HTTP, by the address that a trusted proxy names."""

import re
import threading
import time

from raw import Line
from site_under_test import PASSWORD, Site, Visitor

PERSON = {"email": "ana@example.org", "username": "ana-ortiz", "adult": "1"}
LIMITED = {"VILLAGE_LIMITS": "on", "VILLAGE_TRUSTED_PROXIES": "127.0.0.1"}


class Neighbour(Visitor):
    """Somebody whose address is what the proxy says; a connection for each request."""

    def __init__(self, site, address):
        super().__init__(site)
        self.address = address

    def send(self, method, path, body=None, fields={}):
        answer = super().send(method, path, body, {**fields, "X-Forwarded-For": self.address})
        self.close()
        return answer

    def fail(self, login="ana-ortiz"):
        """The answer to a log-in with a wrong password."""
        return self.post("/login", {"login": login, "password": "not the password"})


def form(site, address):
    """The form's sealed time, some seconds after it was drawn: whoever is quicker is no person."""
    page = Neighbour(site, address).get("/signup").text
    found = re.search(r'name="drawn" value="([^"]*)"', page)
    if found:
        time.sleep(3.5)
    return {"drawn": found[1]} if found else {}


def sign_up(site, address="198.51.100.1"):
    answer = Neighbour(site, address).post("/signup", PERSON | {"password": PASSWORD} | form(site, address))
    assert answer.status == 303, answer.status


def log_ins():
    """The eleventh failed log-in of an address in 3 minutes is refused with 429 and says when to come back."""
    with Site(**LIMITED) as site:
        site.start()
        sign_up(site)
        thief = Neighbour(site, "203.0.113.7")
        answers = [thief.fail() for _ in range(11)]
        statuses = [answer.status for answer in answers]
        assert statuses == [422] * 10 + [429], statuses
        wait = int(answers[-1].fields["retry-after"])
        assert 0 < wait <= 18, wait
        # Of another name, and with the right password, it is the same address.
        assert thief.fail("nobody-here").status == 429
        assert thief.post("/login", {"login": "ana-ortiz", "password": PASSWORD}).status == 429
        assert Neighbour(site, "203.0.113.8").fail().status == 422
    with Site(**LIMITED | {"VILLAGE_LIMITS": "off"}) as site:
        site.start()
        twin = [Neighbour(site, "203.0.113.7").fail().status for _ in range(11)]
    assert twin == [422] * 11, twin
    return f"10 times 422, then 429 with Retry-After {wait}; with the limits off 11 times 422"


def lock_out():
    """However many addresses fail, the right password of another address opens, a little slower."""
    with Site(**LIMITED) as site:
        site.start()
        sign_up(site)
        for number in range(30):
            answer = Neighbour(site, f"203.0.113.{number // 6 + 1}").fail()
            assert answer.status == 422, (number, answer.status)
        owner = Neighbour(site, "198.51.100.2")
        answer = owner.post("/login", {"login": "ana-ortiz", "password": PASSWORD})
        assert answer.status == 303, answer.status
        assert "many failed log-ins" in site.logged()
    return "30 failures of 5 addresses, then 303"


def networks():
    """Addresses of one IPv6 /64 count as one, those of the next /64 don't."""
    with Site(**LIMITED) as site:
        site.start()
        statuses = [Neighbour(site, f"2001:db8:0:1:{number:x}::1").fail().status for number in range(1, 12)]
        assert statuses == [422] * 10 + [429], statuses
        assert Neighbour(site, "2001:db8:0:2::1").fail().status == 422
        # What a visitor writes before the proxy's own word changes nothing.
        assert Neighbour(site, "192.0.2.1, 2001:db8:0:1:ffff::1").fail().status == 429
    # The twin: without a trusted proxy the word of a header isn't believed, and the next /64 is the same visitor.
    with Site(**LIMITED | {"VILLAGE_TRUSTED_PROXIES": ""}) as site:
        site.start()
        statuses = [Neighbour(site, f"2001:db8:0:{number:x}::1").fail().status for number in range(1, 12)]
    assert statuses == [422] * 10 + [429], statuses
    return "11 addresses of a /64: 10 times 422, then 429"


def sign_ups_and_pages():
    """Sign-ups end at 5 in 30 minutes, pages at 300 a minute, each with its own answer and for its own address."""
    with Site(**LIMITED) as site:
        site.start()
        guest = Neighbour(site, "203.0.113.7")
        drawn = form(site, "203.0.113.7")
        for number in range(6):
            person = {"email": f"kite{number}@example.org", "username": f"kite-{number}", "adult": "1"}
            answer = Neighbour(site, "203.0.113.7").post("/signup", person | {"password": PASSWORD} | drawn)
            assert answer.status == (303 if number < 5 else 429), (number, answer.status)
        assert int(answer.fields["retry-after"]) <= 360, answer.fields
        reader = Neighbour(site, "203.0.113.9")
        statuses = [reader.send("HEAD", "/about").status for _ in range(320)]
        assert statuses[:300] == [200] * 300 and 429 in statuses, statuses.count(200)
        assert guest.get("/about").status == 200, "another address pays for it"
        refused = statuses.index(429)
    return f"the 6th sign-up and page {refused + 1} are refused"


def flood(site, addresses):
    """Asks once from each of these addresses, a hundred requests at a time; gives how many were refused."""
    refused = 0
    with Line(site.port) as line:
        for start in range(0, len(addresses), 100):
            batch = addresses[start : start + 100]
            request = "HEAD /favicon.ico HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {}\r\n\r\n"
            line.send("".join(map(request.format, batch)).encode())
            got = b""
            while got.count(b"\r\n\r\n") < len(batch):
                piece = line.socket.recv(65536)
                assert piece, "the connection was closed"
                got += piece
            refused += got.count(b"HTTP/1.1 429 ")
    return refused


def a_million_addresses():
    """A million addresses cost less than 32 MB, and none of them is refused for another."""
    networks = [f"2001:{0xDB8 + (number >> 16):x}:{number & 0xFFFF:x}:1::1" for number in range(1_000_000)]
    with Site(**LIMITED) as site:
        site.start()
        # The twin, which warms the site up too: many requests of one address.
        assert flood(site, ["192.0.2.1"] * 20_000) > 19_000, "one address isn't held back"
        before = site.memory()
        refused = []
        halves = [
            threading.Thread(target=lambda part=part: refused.append(flood(site, part)))
            for part in (networks[:500_000], networks[500_000:])
        ]
        for half in halves:
            half.start()
        for half in halves:
            half.join()
        grown = site.memory(peak=True) - before
    assert refused == [0, 0], refused
    assert grown < 32, f"{grown:.0f} MB more"
    return f"{grown:.1f} MB more at most"


PROOFS = [log_ins, lock_out, networks, sign_ups_and_pages, a_million_addresses]
