"""A disk that keeps every reader waiting: what needs no disk comes at once, and everything else keeps coming.

strace holds each `pread64` of the server back for 5 ms, with which SQLite reads what it hasn't in memory.
"""

import itertools
import random
import shutil
import threading
import time

from crowd import expect
from raw import percentile
from site_under_test import Site, Visitor

EVENTS, READERS, SECONDS = 20_000, 32, 15
DELAY = 5_000  # µs


class Asking(threading.Thread):
    """Somebody who asks for one path after the other on a connection that stays open, until `done` is set."""

    def __init__(self, site, paths, done, rest=0.0):
        super().__init__(daemon=True)
        self.visitor, self.paths, self.done, self.rest = Visitor(site), paths, done, rest
        self.times, self.failures = [], []

    def run(self):
        for path in self.paths:
            if self.done.wait(self.rest):
                break
            began = time.perf_counter()
            try:
                status = self.visitor.get(path).status
            except OSError as error:
                status = type(error).__name__
            if status == 200:
                self.times.append(time.perf_counter() - began)
            else:
                self.failures.append(status)


def slow_disk():
    """While each read of the disk takes 5 ms: sign-up and help within 20 ms (p99), 300 event pages a second"""
    strace = shutil.which("strace")
    expect(strace, "This proof needs strace: apt-get install strace")
    wrap = [strace, "-f", "--seccomp-bpf", "-qq", "-Z", "-o", "/dev/null", "-e", "trace=pread64", "-e",
            f"inject=pread64:delay_enter={DELAY}"]
    with Site(wrap=wrap) as site:
        site.run("seed", "--families", 2_000, "--providers", 200, "--events", EVENTS, "--password", "not asked for")
        site.start(within=60)
        done, lot = threading.Event(), random.Random(1)
        readers = [
            Asking(site, (f"/events/{lot.randint(1, EVENTS)}" for _ in itertools.count()), done, rest=0.05)
            for _ in range(READERS)
        ]
        quick = {path: Asking(site, itertools.repeat(path), done, rest=0.01) for path in ("/signup", "/help")}
        for each in readers:
            each.start()
        time.sleep(3)
        before = sum(len(each.times) for each in readers)
        for each in quick.values():
            each.start()
        time.sleep(SECONDS)
        rate = (sum(len(each.times) for each in readers) - before) / SECONDS
        done.set()
        for each in (*readers, *quick.values()):
            each.join()
    pages = [seconds for each in readers for seconds in each.times]
    failures = [status for each in (*readers, *quick.values()) for status in each.failures]
    p99 = {path: percentile(each.times, 99) * 1_000 for path, each in quick.items()}
    figures = (
        f"{rate:.0f} event pages/s, p99 {percentile(pages, 99) * 1_000:.0f} ms; "
        + ", ".join(f"{path} p99 {it:.1f} ms ({len(quick[path].times)} times)" for path, it in p99.items())
    )
    expect(not failures, f"{len(failures)} were refused: {set(failures)}; {figures}")
    expect(rate >= 300 and all(it < 20 for it in p99.values()), figures)
    return figures


PROOFS = [slow_disk]
