"""A mail server that is away slows no page down, and asking for a new password tells nobody who is here."""

import socket
import sqlite3
import statistics
import threading
import time

from raw import percentile
from site_under_test import PASSWORD, Site, Visitor

PAGES = ["/", "/events", "/events/1", "/week", "/inbox"]
LETTERS = 1_000


class SilentServer:
    """Takes connections, and never says a word: the worst a mail server does."""

    def __enter__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.held = []
        threading.Thread(target=self.take, daemon=True).start()
        return self

    def take(self):
        while True:
            try:
                self.held.append(self.socket.accept()[0])
            except OSError:
                return

    def __exit__(self, *_):
        self.socket.close()
        for connection in self.held:
            connection.close()

    @property
    def settings(self):
        port = self.socket.getsockname()[1]
        return {"VILLAGE_SMTP_URL": f"smtp://127.0.0.1:{port}", "VILLAGE_MAIL_FROM": "village@example.org"}


def reset_timing():
    """Asking for a new password takes as long for an address that isn't here: the medians differ by less than 5 ms."""
    times = {"known": [], "unknown": []}
    with SilentServer() as server, Site(**server.settings) as site:
        site.start()
        person = {"email": "ana@example.org", "username": "ana-ortiz", "adult": "1", "password": PASSWORD}
        assert Visitor(site).post("/signup", person).status == 303
        visitor = Visitor(site)
        for number in range(410):
            for name, email in (("known", "ana@example.org"), ("unknown", "ivo@example.org")):
                began = time.perf_counter()
                answer = visitor.post("/forgot", {"email": email})
                took = time.perf_counter() - began
                assert (answer.status, answer.location) == (303, "/forgot?sent=1"), answer.status
                if number >= 10:
                    times[name].append(took * 1000)
    known, unknown = (statistics.median(values) for values in times.values())
    assert abs(known - unknown) < 5, f"known {known:.2f} ms, unknown {unknown:.2f} ms"
    return f"known {known:.2f} ms, unknown {unknown:.2f} ms (medians of 400)"


def pages_meanwhile():
    """While 1,000 letters wait for a mail server that says nothing, pages come as fast as without, within a tenth."""
    with SilentServer() as server, Site(**server.settings) as waiting, Site() as without:
        visitors = []
        for site in (waiting, without):
            site.run("seed", "--demo")
            site.start()
            visitors.append(Visitor(site).log_in("ana-ortiz"))
        newcomers = [Visitor(waiting) for _ in range(8)]

        def sign_up(visitor, first):
            for number in range(first, LETTERS, len(newcomers)):
                person = {
                    "email": f"n{number}@example.org", "username": f"neighbor-{number}", "adult": "1",
                    "password": PASSWORD,
                }
                visitor.jar.clear()
                assert visitor.post("/signup", person).status == 303

        crew = [threading.Thread(target=sign_up, args=(each, first)) for first, each in enumerate(newcomers)]
        for each in crew:
            each.start()
        for each in crew:
            each.join()
        times = {path: ([], []) for path in PAGES}
        until = time.monotonic() + 60
        while time.monotonic() < until:
            # One after the other, so that whatever else this machine does meets both.
            for path in PAGES:
                for visitor, list in zip(visitors, times[path]):
                    began = time.perf_counter()
                    answer = visitor.get(path)
                    list.append((time.perf_counter() - began) * 1000)
                    assert answer.status == 200, answer.status
        assert server.held, "nobody asked the mail server"
        with sqlite3.connect(f"file:{waiting.data}/village.sqlite?mode=ro", uri=True) as db:
            letters = db.execute("SELECT count(*) FROM letter WHERE state = 'waiting'").fetchone()[0]
        assert letters >= LETTERS, f"{letters} letters wait"
    slower = {
        path: statistics.median(ours) / statistics.median(others) for path, (ours, others) in times.items()
    }
    worst = max(slower, key=slower.get)
    ours, others = ([time for each in times.values() for time in each[side]] for side in (0, 1))
    figures = (
        f"{len(ours):,} pages each: median {statistics.median(ours):.2f} and {statistics.median(others):.2f} ms, p99"
        f" {percentile(ours, 99):.1f} and {percentile(others, 99):.1f} ms; the slowest, {worst}, {slower[worst]:.2f} times"
    )
    assert statistics.median(ours) < 1.1 * statistics.median(others), figures
    return figures


PROOFS = [reset_timing, pages_meanwhile]
