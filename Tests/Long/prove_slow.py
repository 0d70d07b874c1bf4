"""Thousands of slow clients at once: they are cut, and meanwhile everybody else is served as ever.

The attackers are slowhttptest's, from 127.0.0.1, which counts as a trusted proxy here: an address of its own may hold
only 64 connections, and then 4,000 attackers would not even come in. The visitor's address is another one.
"""

import http.client
import os
import resource
import selectors
import shutil
import subprocess
import tempfile
import threading
import time

from raw import Line, percentile
from site_under_test import Site

ATTACKERS = 4_000
# The first two must all be there before the first is cut. Each of the readers is answered a page, so they come more
# slowly: faster it would be a flood of pages.
KINDS = {
    "headers": ["-r", "3000", "-H", "-t", "GET", "-i", "5", "-x", "24", "-p", "5"],
    "bodies": ["-r", "3000", "-B", "-t", "POST", "-i", "5", "-x", "10", "-s", "8192", "-p", "5"],
    "reads": ["-r", "1000", "-X", "-t", "GET", "-w", "1", "-y", "256", "-n", "5", "-z", "16", "-k", "1", "-p", "5"],
}
PATHS = {"headers": "/events", "bodies": "/login", "reads": "/events"}


class SteadyVisitor(threading.Thread):
    """Somebody at 127.0.0.2 who opens the feed twenty times a second, on a new connection each time."""

    def __init__(self, port, path="/events"):
        super().__init__(daemon=True)
        self.port, self.path = port, path
        self.times, self.failures, self.done = [], [], threading.Event()

    def run(self):
        while not self.done.wait(0.05):
            began = time.perf_counter()
            connection = http.client.HTTPConnection("127.0.0.1", self.port, 10, ("127.0.0.2", 0))
            try:
                connection.request("GET", self.path)
                answer = connection.getresponse()
                answer.read()
                if answer.status != 200:
                    self.failures.append(str(answer.status))
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(str(error) or type(error).__name__)
            connection.close()
            self.times.append(time.perf_counter() - began)


def attack(port, pid, kind, seconds=30, path=None):
    """Attacks a server for so long.

    Gives the visitor, the most connections there were, and for how long after the last attacker came some were still
    open (None when they still are).
    """
    tool = shutil.which("slowhttptest")
    assert tool, "slowhttptest is missing: apt-get install slowhttptest"

    def open_files():
        return len(os.listdir(f"/proc/{pid}/fd"))

    visitor = SteadyVisitor(port, path or "/events")
    before = open_files()
    visitor.start()
    began = time.monotonic()
    most, last_came, gone = before, began, None
    with tempfile.TemporaryDirectory(prefix="village-slow-") as folder:
        process = subprocess.Popen(
            [tool, "-c", str(ATTACKERS), "-l", str(seconds), "-v", "0", *KINDS[kind],
             "-u", f"http://127.0.0.1:{port}{path or PATHS[kind]}"],
            cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            while time.monotonic() < began + seconds:
                time.sleep(0.2)
                count = open_files()
                if count > most:
                    most, last_came, gone = count, time.monotonic(), None
                elif count <= before + 5 and gone is None and most > before + 20:
                    gone = time.monotonic() - last_came
                    if len(visitor.times) > 300:
                        break
        finally:
            process.terminate()
            process.wait()
            visitor.done.set()
            visitor.join()
    return visitor, most - before, gone


def slow(kind):
    with Site(VILLAGE_TRUSTED_PROXIES="127.0.0.1") as site:
        site.run("seed", "--demo")
        site.start()
        visitor, most, gone = attack(site.port, site.pid, kind)
        memory = site.memory(peak=True)
    p99 = percentile(visitor.times, 99)
    assert not visitor.failures, visitor.failures[:5]
    assert most > 0.95 * ATTACKERS, f"only {most} attackers came in"
    # A second for the tool, which connects before it sends its first bytes.
    assert gone is not None and gone < 16, f"the last attacker was cut after {gone} s"
    assert p99 < 1, f"p99 {p99:.2f} s"
    return (
        f"{most} at once, all cut {gone:.1f} s after the last came; {len(visitor.times)} visits, "
        f"p99 {p99 * 1000:.0f} ms, slowest {max(visitor.times) * 1000:.0f} ms; {memory:.0f} MB at most"
    )


def slow_headers():
    """4,000 slow headers are cut within 15 s, and meanwhile other visitors' p99 is under 1 s."""
    return slow("headers")


def slow_bodies():
    """4,000 slow bodies are cut within 15 s, and meanwhile other visitors' p99 is under 1 s."""
    return slow("bodies")


def slow_reads():
    """4,000 slow readers are cut within 15 s, and meanwhile other visitors' p99 is under 1 s."""
    return slow("reads")


def one_address():
    """Of an address that is no proxy's only 64 of 4,000 slow clients come in; with no places left, visitors notice."""
    with Site() as site:
        site.run("seed", "--demo")
        site.start()
        visitor, most, _ = attack(site.port, site.pid, "headers", seconds=15)
    assert not visitor.failures and most <= 70, (visitor.failures[:5], most)
    # The twin: where there is room for no more than the attackers, the steady visitor is turned away.
    with Site(VILLAGE_TRUSTED_PROXIES="127.0.0.1", VILLAGE_MAX_CONNECTIONS="500") as site:
        site.run("seed", "--demo")
        site.start()
        twin, _, _ = attack(site.port, site.pid, "headers", seconds=8)
    assert twin.failures, "the steady visitor noticed nothing on a full server"
    return (
        f"p99 {percentile(visitor.times, 99) * 1000:.0f} ms; on a site of 500 places {len(twin.failures)} of "
        f"{len(twin.times)} visits failed"
    )


class Crowd:
    """Many connections of many addresses, 60 each, driven by one thread."""

    REQUEST = b"GET /about HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    def __init__(self, port, count, first_network):
        self.selector = selectors.DefaultSelector()
        self.lines, self.waiting, self.served, self.errors = [], {}, 0, []
        for number in range(count):
            line = Line(port, f"127.{first_network}.{number // 60}.1")
            self.lines.append(line)
            self.selector.register(line.socket, selectors.EVENT_READ, line)

    def ask(self, line):
        self.waiting[line] = b""
        if not line.send(self.REQUEST):
            self.fail(line, "closed")

    def fail(self, line, why):
        self.errors.append(why)
        self.waiting.pop(line, None)

    def listen(self, seconds):
        """Takes what has come, for at most so long."""
        for key, _ in self.selector.select(seconds):
            line = key.data
            try:
                piece = line.socket.recv(65536)
            except OSError as error:
                piece = b""
                self.errors.append(str(error))
            if not piece:
                self.selector.unregister(line.socket)
                self.fail(line, "closed by the server")
                continue
            got = self.waiting.get(line, b"") + piece
            if got.endswith(b"</html>\n") or got.endswith(b"</html>"):
                if not got.startswith(b"HTTP/1.1 200 "):
                    self.errors.append(repr(got[:40]))
                self.waiting.pop(line, None)
                self.served += 1
            else:
                self.waiting[line] = got

    def ask_all(self, within=30):
        """One request of each connection, not more than 200 unanswered at a time."""
        until = time.monotonic() + within
        for line in self.lines:
            self.ask(line)
            while len(self.waiting) > 200 and time.monotonic() < until:
                self.listen(0.1)
        while self.waiting and time.monotonic() < until:
            self.listen(0.1)
        self.errors += ["no answer"] * len(self.waiting)
        self.waiting.clear()

    def close(self):
        for line in self.lines:
            line.socket.close()
        self.selector.close()


def crowd():
    """5,000 idle and 1,000 active connections for a minute: no error, and less than 300 MB."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert hard >= 8_000, f"this machine allows a process {hard} open files only"
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        with Site() as site:
            site.start()
            idle = Crowd(site.port, 5_000, 1)
            idle.ask_all()
            active = Crowd(site.port, 1_000, 2)
            active.ask_all()
            began = time.monotonic()
            turn = 0
            # Each of the active ones asks every two seconds.
            while (now := time.monotonic()) < began + 60:
                while turn < (now - began) * 500:
                    line = active.lines[turn % 1_000]
                    if line not in active.waiting:
                        active.ask(line)
                    turn += 1
                active.listen(0.01)
            while active.waiting and time.monotonic() < began + 70:
                active.listen(0.1)
            # The idle ones are still there, and still served.
            idle.ask_all()
            memory = site.memory(peak=True)
            errors = idle.errors + active.errors + ["no answer"] * len(active.waiting)
            served = active.served
            for one in (idle, active):
                one.close()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert not errors, f"{len(errors)} errors: {errors[:5]}"
    assert idle.served == 10_000, idle.served
    assert served > 20_000, f"only {served} requests of the active ones were answered"
    assert memory < 300, f"{memory:.0f} MB"
    return f"{served} requests in 60 s without an error, {memory:.0f} MB at most"


PROOFS = [slow_headers, slow_bodies, slow_reads, one_address, crowd]
