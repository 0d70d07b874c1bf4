"""Thousands of open pages that are told of each message: soon, none twice, and none missed through a restart."""

import json
import re
import resource
import secrets
import selectors
import socket
import sqlite3
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor

from crowd import Caller, Cut, expect
from prove_slow import SteadyVisitor
from raw import percentile
from site_under_test import Site, Visitor

STREAMS, OF_ONE = 5_000, 6
PEOPLE = STREAMS // OF_ONE + 1
RATE = 200
EVENT = re.compile(rb"id: (\d+)\ndata: (\{.*?\})\n\n")


class Page:
    """A page that stays open, with its stream of events, which it opens again where it broke off."""

    def __init__(self, number, person, told):
        self.source, self.person, self.told = f"127.3.{number // 60}.1", person, told
        self.last, self.rest, self.socket = None, b"", None
        self.twice = self.refused = 0

    def open(self):
        self.rest = b""
        self.socket = socket.create_connection(("127.0.0.1", self.person.site.port), 5, (self.source, 0))
        resumed = "" if self.last is None else f"Last-Event-ID: {self.last}\r\n"
        self.socket.sendall(
            f"GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {self.person.cookies}\r\n"
            f"Accept: text/event-stream\r\n{resumed}\r\n".encode())

    def read(self):
        """Takes what has come; false where the connection ended."""
        try:
            piece = self.socket.recv(1 << 16)
        except OSError:
            piece = b""
        self.rest += piece
        # There are as many of one person as there may be: one that broke off a moment ago is still counted.
        if self.rest.startswith(b"HTTP/1.1 204"):
            self.refused += 1
            return False
        end = 0
        for found in EVENT.finditer(self.rest):
            end = found.end()
            last, matches = int(found[1]), json.loads(found[2])["matches"]
            # The first one says where to begin.
            if self.last is not None and matches:
                self.twice += last <= self.last
                self.told(self.person, matches)
            self.last = last
        self.rest = self.rest[end:]
        return bool(piece)


class Town:
    """People whose pets match in a ring: the first writes to the second, and so on; each has some pages open."""

    def __init__(self, site):
        self.site, self.selector = site, selectors.DefaultSelector()
        with ThreadPoolExecutor(4) as pool:
            visitors = list(pool.map(self.logged_in, range(1, PEOPLE + 1)))
        self.people = [Caller(visitor, number) for number, visitor in enumerate(visitors)]
        for number, person in enumerate(self.people, 1):
            person.match, person.number = number, number
        self.pages = [Page(number, self.people[number // OF_ONE], self.hear) for number in range(STREAMS)]
        self.sent, self.times, self.counts = {}, [], True
        self.free, self.busy, self.again = deque(self.people[:RATE]), {}, deque()
        self.acknowledged = 0
        self.closed = deque()

    def logged_in(self, number):
        """Somebody who has a session, and no connection: one address may have so many only."""
        visitor = Visitor(self.site).log_in(f"family-{number}")
        visitor.close()
        return visitor

    def hear(self, person, matches):
        for match in matches:
            if match in self.sent and self.counts and match != person.match:
                self.times.append(time.monotonic() - self.sent[match])

    def open(self, pages):
        """Opens pages, and again those that could not be opened."""
        later = []
        for page in pages:
            try:
                page.open()
                self.selector.register(page.socket, selectors.EVENT_READ, page)
            except OSError:
                later.append(page)
        return later

    def open_again(self):
        """Some of those that broke off, so that there is time for others."""
        some = [self.closed.popleft() for _ in range(min(200, len(self.closed)))]
        self.closed.extend(self.open(some))

    def write(self, person):
        """Sends a message, or once more the one that was not answered."""
        person.words = person.words if person in self.again else person.form(
            f"/playdates/matches/{person.match}/messages",
            {"text": secrets.token_hex(8), "once": secrets.token_urlsafe(16)})
        self.sent[person.match] = time.monotonic()
        person.send(person.words)
        self.selector.register(person.socket, selectors.EVENT_READ, person)

    def turn(self, seconds):
        """Takes what comes, for at most so long."""
        for key, _ in self.selector.select(seconds):
            who = key.data
            if isinstance(who, Page):
                if not who.read():
                    self.selector.unregister(key.fileobj)
                    who.socket.close()
                    self.closed.append(who)
                continue
            self.selector.unregister(key.fileobj)
            try:
                reply = who.reply()
            except Cut:
                who.close()
                self.again.append(who)
                continue
            if reply.is_last:
                who.close()
            if reply.status >= 500:
                self.again.append(who)
                continue
            expect(reply.status == 303, f"the site answered {reply.status}")
            self.acknowledged += 1
            self.free.append(who)

    def talk(self, seconds, until=lambda: False):
        """Lets people write, so many a second, and for so long."""
        began, count = time.monotonic(), 0
        while (now := time.monotonic()) < began + seconds and not until():
            while count < (now - began) * RATE and (self.free or self.again):
                person = self.again[0] if self.again else self.free[0]
                try:
                    self.write(person)
                except OSError:
                    person.close()
                    if person not in self.again:
                        self.again.append(self.free.popleft())
                    break
                (self.again if self.again and self.again[0] is person else self.free).popleft()
                count += 1
            self.turn(0.005)
            self.open_again()

    def rest(self, seconds):
        """Waits until nothing is owed to anybody, and some time more."""
        began = time.monotonic()
        while time.monotonic() < began + seconds:
            if self.again:
                self.write(self.again[0])
                self.again.popleft()
            self.turn(0.05)
            self.open_again()


def streams():
    """5,000 open pages and 200 messages a second: told soon, and through a restart none is lost, none told twice."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    expect(hard >= 16_000, f"this machine allows a process {hard} open files only")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        with Site() as site:
            site.run("seed", "--families", PEOPLE, "--pets", PEOPLE, "--matches", PEOPLE)
            site.start()
            town = Town(site)
            for first in range(0, STREAMS, 100):
                expect(not town.open(town.pages[first : first + 100]), "a stream could not be opened")
                town.turn(0)
            town.rest(3)
            expect(all(page.last is not None for page in town.pages), "a stream has told nothing")
            visitor = SteadyVisitor(site.port)
            visitor.start()
            town.talk(20)
            visitor.done.set()
            visitor.join()
            town.rest(2)
            memory, others = site.memory(peak=True), percentile(visitor.times, 99) * 1000
            times, town.counts = town.times, False
            heard = len(times)
            restart = threading.Thread(target=lambda: (site.stop(), site.start()))
            restart.start()
            town.talk(15, until=lambda: not restart.is_alive())
            restart.join()
            town.talk(5)
            town.rest(8)
            memory = max(memory, site.memory(peak=True))
            with sqlite3.connect(site.data / "village.sqlite") as db:
                stored = db.execute("SELECT count(*), count(DISTINCT text) FROM message").fetchone()
                newest = dict(db.execute(
                    """
                    SELECT side.account_id, max(message.id) FROM message JOIN match_side AS side
                        ON side.match_id = message.match_id AND side.account_id <> message.account_id
                    GROUP BY side.account_id
                    """))
            db.close()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    p99 = percentile(times, 99) * 1000
    figures = (
        f"{heard} times told, p50 {percentile(times, 50) * 1000:.0f} ms, p99 {p99:.0f} ms; other pages’ p99 "
        f"{others:.0f} ms; {memory:.0f} MB; {town.acknowledged} messages through a restart"
    )
    expect(not visitor.failures, visitor.failures[:5])
    expect(stored == (town.acknowledged, town.acknowledged), f"{stored} stored, {town.acknowledged} said: {figures}")
    missed = sum(page.last < newest.get(page.person.number, 0) for page in town.pages)
    refused = sum(page.refused for page in town.pages)
    expect(not missed, f"{missed} pages missed a message, {refused} were refused: {figures}")
    expect(not any(page.twice for page in town.pages), f"something was told twice: {figures}")
    expect(p99 < 500 and others < 50 and memory < 400, figures)
    return figures


PROOFS = [streams]
