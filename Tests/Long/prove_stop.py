"""SIGTERM: what was begun is finished, nobody is kept waiting, and the process ends."""

import os
import re
import signal
import socket
import threading
import time

from crowd import Caller, Cut, Load, expect, gather, publish
from outside import Outside
from site_under_test import PASSWORD, Site, Visitor

ROUNDS, RATE = 10, 200


def terminate(site):
    os.kill(site.pid, signal.SIGTERM)
    return time.monotonic()


def ended(site, since, within=30):
    """The seconds from SIGTERM until the process was gone, as it should be: with code 0."""
    try:
        code = site.process.wait(max(0.1, since + within - time.monotonic()))
    except Exception as error:
        raise AssertionError(f"The process was still there {within} s after SIGTERM.") from error
    expect(code == 0, f"The process ended with {code}:\n{site.logged()[-2000:]}")
    return time.monotonic() - since


def answered(site):
    """How many registrations and give-backs the site's log has answers for."""
    return len(re.findall(r"POST /(?:events|registrations)/\{id\}/\w+ \d", site.logged()))


def begin(family, event):
    """Sends a request without its body, and gives the body when the site has read the head: it asks for the body then,
    by 100 Continue."""
    family.connect()
    family.sent = family.sent or (family.giving_back() if family.place else family.registration(event))
    head, body = family.sent.split(b"\r\n\r\n", 1)
    interim = family.ask(head + b"\r\nExpect: 100-continue\r\n\r\n")
    expect(interim.status == 100, f"The head was answered {interim.status}.")
    return body


def nothing_fails():
    """SIGTERM at 200 requests a second: whatever was begun is answered, the last answers say Connection: close"""
    told, unread, begun, times = 0, 0, 0, []
    with Site(VILLAGE_LOG_LEVEL="info") as site:
        families, provider = gather(site, 60)
        events = [publish(provider, f"Stop{number}") for number in range(3)]
        loaded, held = families[:20], families[20:]
        for _ in range(ROUNDS):
            before = answered(site)
            with Load(loaded, events, RATE) as load:
                time.sleep(0.7)
                bodies = [(family, begin(family, events[0])) for family in held]
                since = terminate(site)
                time.sleep(0.2)
                for family, body in bodies:
                    family.socket.sendall(body)
                    reply = family.hear()
                    expect(reply.status == 303 and reply.is_last, f"A request that was begun got {reply.status}.")
                    family.close()
            times.append(ended(site, since))
            begun += len(bodies)
            expect(not load.refused, f"Requests were refused: {load.refused}")
            expect(not any(began for _, began in load.cut), "An answer broke off.")
            # Each request that reached the site left a line; each answer that arrived is counted here.
            lines, heard = answered(site) - before, len(load.times) + len(bodies)
            expect(lines == heard, f"The site worked on {lines} requests, and {heard} answers arrived.")
            told += len(load.last)
            unread += len(load.cut)
            with Outside(site.data / "village.sqlite") as outside:
                outside.check(families)
            site.start()
        # The twin: an end without a word fails them.
        bodies = [(family, begin(family, events[0])) for family in held]
        site.kill()
        for family, body in bodies:
            try:
                family.socket.sendall(body)
                family.reply()
            except OSError:
                continue
            raise AssertionError("A killed site answered.")
    return (
        f"{ROUNDS} times, {begun} requests begun before and finished after SIGTERM, {told} others told to close, "
        f"{unread} connections closed unread; ended within {max(times):.2f} s"
    )


def resting_connections():
    """Connections that only rest don't delay the end, however fresh their last answer is"""
    times = []
    with Site() as site:
        site.run("seed", "--families", 1)
        for _ in range(5):
            site.start()
            resting = [Visitor(site) for _ in range(20)]
            for visitor in resting:
                for _ in range(5):
                    visitor.get("/events")
            times.append(ended(site, terminate(site)))
            for visitor in resting:
                visitor.close()
    expect(max(times) < 2, f"With 20 resting connections the end took {max(times):.1f} s.")
    return f"5 times with 20 of them, ended within {max(times):.2f} s"


def unread_answer():
    """A client that has its last answer, and doesn't close, doesn't delay the end either"""
    with Site() as site:
        site.start()
        with socket.create_connection(("127.0.0.1", site.port)) as line:
            line.sendall(b"GET /about HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            time.sleep(0.3)
            took = ended(site, terminate(site))
    expect(took < 2, f"The end took {took:.1f} s.")
    return f"ended within {took:.2f} s"


def slow_reader():
    """A slow reader of a big answer gets all of it, though SIGTERM comes in the middle"""
    pages = 8
    with Site() as site:
        site.run("seed", "--families", 3_000, "--providers", 1, "--events", 1, "--registrations", 3_000)
        site.start()
        provider = Caller(Visitor(site).log_in("provider-1"))
        whole = provider.ask(provider.page("/events/1/registrations"))
        expect(whole.status == 200, f"The roster was answered {whole.status}.")
        rows = whole.text.count('<th scope="row">')
        reader = provider.another()
        reader.connect()
        # As little as possible waits in this machine's own buffers.
        reader.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
        reader.socket.sendall(reader.page("/events/1/registrations") * pages)
        time.sleep(0.5)
        provider.close()
        since = terminate(site)
        got = 0
        # Within the 20 seconds that the site waits for those who read.
        rate = pages * len(whole.body) / 12
        while got < pages:
            try:
                while not complete(reader.rest):
                    before = len(reader.rest)
                    reader.receive()
                    time.sleep((len(reader.rest) - before) / rate)
                page = reader.reply()
            except Cut:
                break
            got += 1
            expect(page.text.count('<th scope="row">') == rows, "The page is not whole.")
        expect(got == pages, f"Only {got} of {pages} pages arrived.")
        read = time.monotonic() - since
        reader.close()
        took = ended(site, since)
    return (
        f"{pages} rosters of {len(whole.body) / 1e6:.1f} MB asked for in one go, read within {read:.1f} s of SIGTERM; "
        f"ended {took - read:.2f} s later"
    )


def complete(stream):
    """Whether these bytes hold a whole answer."""
    head, separator, body = stream.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    return bool(separator) and len(body) >= int(length[1])


def stuck_upload():
    """Uploads that stand still, or drip, don't keep the process: it ends within 30 s"""
    head = (
        b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 200000\r\n\r\nlogin="
    )
    with Site() as site:
        site.start()
        with socket.create_connection(("127.0.0.1", site.port)) as stuck:
            with socket.create_connection(("127.0.0.1", site.port)) as dripping:
                stuck.sendall(head)
                dripping.sendall(head)
                time.sleep(0.3)
                since = terminate(site)
                threading.Thread(target=drip, args=(dripping,), daemon=True).start()
                took = ended(site, since)
        site.start()
        expect(Visitor(site).post("/login", {"login": "nobody", "password": PASSWORD}).status == 422, "It is not back.")
    return f"ended after {took:.1f} s"


def drip(line):
    """Twice the least rate that the site puts up with."""
    try:
        while True:
            line.sendall(b"k" * 205)
            time.sleep(0.1)
    except OSError:
        pass


PROOFS = [nothing_fails, resting_connections, unread_answer, slow_reader, stuck_upload]
