"""Many people at once: each on a connection that stays open, who remember what the site told them."""

import copy
import random
import re
import secrets
import selectors
import socket
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from urllib.parse import urlencode

from site_under_test import Visitor


class Cut(OSError):
    """The connection ended before the answer did; `began` says whether there was some of it."""

    def __init__(self, began):
        super().__init__("the connection was cut")
        self.began = began


class Reply:
    """One answer: status, fields in lower case, text."""

    def __init__(self, head, body):
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1])
        self.fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        self.body = body

    @property
    def text(self):
        return self.body.decode(errors="replace")

    @property
    def location(self):
        return self.fields.get("location", "")

    @property
    def is_last(self):
        return self.fields.get("connection") == "close"


class Caller:
    """A connection of somebody who has signed in elsewhere: bytes leave when they are told to, whole or in two parts.

    A client may have 64 connections, so each fifty callers come from an address of their own (`number`).
    """

    def __init__(self, visitor, number=0):
        self.site, self.csrf = visitor.site, visitor.csrf
        self.cookies = "; ".join(f"{name}={value}" for name, value in visitor.jar.items())
        self.source = f"127.0.0.{2 + number // 50}"
        self.socket = None

    def another(self):
        """The same person with a second connection."""
        other = copy.copy(self)
        other.socket = None
        return other

    def connect(self):
        self.close()
        self.socket = socket.create_connection(("127.0.0.1", self.site.port), 30, (self.source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None

    def page(self, path):
        """The bytes that ask for a page."""
        return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {self.cookies}\r\n\r\n".encode()

    def form(self, path, values, fields=""):
        """The bytes of a form, as a page of this site would send it."""
        body = urlencode([*values.items(), ("csrf", self.csrf)])
        return (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {self.cookies}\r\nSec-Fetch-Site: same-origin\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n{fields}\r\n{body}"
        ).encode()

    def send(self, data):
        if not self.socket:
            self.connect()
        self.socket.sendall(data)

    def receive(self):
        """More bytes; `Cut` when there are none to come."""
        try:
            if more := self.socket.recv(1 << 16):
                self.rest += more
                return
        except ConnectionError:
            pass
        raise Cut(bool(self.rest))

    def reply(self):
        """Waits for the next answer. Every page has a length; a caller asks for nothing that has none."""
        while (end := self.rest.find(b"\r\n\r\n")) < 0:
            self.receive()
        reply = Reply(self.rest[:end], b"")
        end += 4
        length = int(reply.fields.get("content-length", 0))
        while len(self.rest) < end + length:
            self.receive()
        reply.body, self.rest = self.rest[end : end + length], self.rest[end + length :]
        return reply

    def ask(self, data):
        self.send(data)
        return self.reply()


class Family(Caller):
    """A seeded family with one child to register. `books` holds what the site acknowledged to it.

    What was not answered, or refused, is sent again word for word, as somebody does who presses the button again.
    """

    def __init__(self, site, number):
        visitor = Visitor(site).log_in(f"family-{number}")
        self.child = re.search(r"/me/children/(\d+)/edit", visitor.get("/me/children").text)[1]
        visitor.close()
        super().__init__(visitor, number - 1)
        # Each registration's number: whether it stands (True) or was given back (False).
        self.books = {}
        self.place = None
        self.sent = None

    def registration(self, event, once=None):
        """The bytes of a form that registers the child."""
        values = {"child": self.child, "once": once or secrets.token_urlsafe(16)}
        return self.form(f"/events/{event}/registrations", values)

    def giving_back(self):
        """The bytes of a form that gives the place back."""
        return self.form(f"/registrations/{self.place}/cancel", {})

    def speak(self, events):
        """Sends what comes next: registers at one of the events, or gives back the place it has."""
        self.sent = self.sent or (self.giving_back() if self.place else self.registration(random.choice(events)))
        self.send(self.sent)

    def hear(self):
        """Takes the answer into the books. An answer that is neither yes nor ours to blame is a failure of the test."""
        reply = self.reply()
        if reply.status >= 500:
            return reply
        number = re.fullmatch(r"/registrations/(\d+)", reply.location)
        if reply.status != 303 or not number:
            raise AssertionError(f"The site answered {reply.status} {reply.location} {title(reply)}")
        if self.place:
            self.books[self.place] = False
            self.place = None
        else:
            self.place = int(number[1])
            self.books[self.place] = True
        self.sent = None
        return reply

    @property
    def doubtful(self):
        """The registration whose giving back was asked for and not answered."""
        return self.place if self.sent else None


class Load(threading.Thread):
    """Families that register and give back in turn, `rate` times a second or as quickly as they are answered, until
    the `with` ends or the site has cut them all off."""

    def __init__(self, families, events, rate=None):
        super().__init__()
        self.families, self.events, self.rate = families, events, rate
        self.ending = False
        self.failure = None
        # How long each answer took, and how many of them were no refusal of the server's.
        self.times, self.served = [], 0
        # Refusals by status, answers that were the last of their connection, connections cut without an answer.
        self.refused, self.last, self.cut = {}, [], []

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, *_):
        self.ending = True
        self.join()
        if self.failure and not kind:
            raise self.failure

    def run(self):
        try:
            with selectors.DefaultSelector() as waiting:
                self.drive(waiting)
        except Exception as error:  # noqa: BLE001: it is raised again in the thread that waits for this one
            self.failure = error

    def drive(self, waiting):
        began, sent = time.monotonic(), 0
        free = deque(self.families)
        while True:
            now = time.monotonic()
            while free and not self.ending and (not self.rate or sent < (now - began) * self.rate):
                family = free.popleft()
                try:
                    family.speak(self.events)
                    waiting.register(family.socket, selectors.EVENT_READ, (family, time.monotonic()))
                    sent += 1
                except OSError:
                    self.cut.append((family, False))
            busy = waiting.get_map()
            if not busy and (self.ending or not free):
                return
            for key, _ in waiting.select(0.002 if self.rate else 1):
                family, since = key.data
                waiting.unregister(family.socket)
                try:
                    reply = family.hear()
                except Cut as cut:
                    self.cut.append((family, cut.began))
                    family.close()
                    continue
                self.times.append(time.monotonic() - since)
                if reply.status >= 500:
                    self.refused[reply.status] = self.refused.get(reply.status, 0) + 1
                else:
                    self.served += 1
                if reply.is_last:
                    self.last.append(family)
                    family.close()
                else:
                    free.append(family)


def gather(site, count, events=0):
    """Seeds families and one provider into an empty site, starts it and signs them in: the families and the provider.

    The seeded `events` are only weight. A provider has ten events a year: `host` signs in others.
    """
    site.run("seed", "--families", count, "--providers", 20, "--events", events)
    site.start()
    with ThreadPoolExecutor(4) as pool:
        families = list(pool.map(lambda number: Family(site, number), range(1, count + 1)))
    return families, host(site, 1)


def host(site, number):
    """The provider who posts the event of this number, of at most 200."""
    return Visitor(site).log_in(f"provider-{(number - 1) // 10 + 1}")


def event_form(title, spots, once=None):
    """What a provider types in to publish an event next month."""
    return {
        "title": title,
        "description": "Everybody would like to come, and there is room for some.",
        "date": str(date.today() + timedelta(days=30)),
        "start_time": "10:00",
        "address": "1 Station Road",
        "city": "Springfield",
        "state": "CA",
        "zip": "90001",
        "country": "US",
        "spots": min(spots, 100),
        "more_spots": spots if spots > 100 else "",
        "step": "publish",
        "once": once or secrets.token_urlsafe(16),
    }


def publish(provider, title, spots=10_000):
    """The number of a new event."""
    answer = provider.post("/events/new", event_form(title, spots))
    if answer.status != 303:
        raise AssertionError(f"The event could not be published: {answer.status}")
    return int(re.fullmatch(r"/events/(\d+)/published", answer.location)[1])


def title(answer):
    """What a page is called, for a failure's words."""
    found = re.search(r"<title>(.*?)</title>", answer.text, re.DOTALL)
    return found[1].strip() if found else ""


def expect(fact, words):
    if not fact:
        raise AssertionError(words)
