"""The disk refuses: nobody is told yes for what isn't stored, reading goes on, and the site is back by itself.

strace lets single writes of the running server fail; a small file system in memory, in a name space of its own, is
really full.
"""

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from crowd import Load, expect, gather, publish
from outside import READER, Outside, copy
from site_under_test import Site, Visitor

LAST, ERRORS = 300, ("error=ENOSPC", "error=EIO")


class Trouble:
    """While the `with` lasts, system calls of the server are not carried out; what they answer is `result`, such as
    `error=EIO`. `when` counts those of one thread from here on. SQLite writes by pwrite64, and nothing else here does.
    """

    def __init__(self, site, calls, result, when):
        strace = shutil.which("strace")
        expect(strace, "This proof needs strace: apt-get install strace")
        self.site = site
        self.log = Path(site.scratch.name) / "strace"
        self.log.unlink(missing_ok=True)
        self.command = [
            strace, "-f", "-qq", "-Z", "-p", str(site.pid), "-o", self.log, "-e", f"trace={calls}",
            "-e", f"inject={calls}:{result}:when={when}",
        ]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        threads = Path(f"/proc/{self.site.pid}/task")
        while not all(is_traced(thread) for thread in threads.iterdir()):
            if self.process.poll() is not None:
                raise AssertionError(f"strace could not attach: {self.process.stderr.read()}")
            time.sleep(0.001)
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()

    @property
    def hits(self):
        return self.log.read_text().count("(INJECTED)") if self.log.exists() else 0


def is_traced(thread):
    """Whether strace has this thread; one that has ended meanwhile needs no tracing."""
    try:
        return "TracerPid:\t0\n" not in (thread / "status").read_text()
    except OSError:
        return True


class Walk:
    """A family that registers and gives back, one answer after the other, and counts them."""

    def __init__(self, family, events):
        self.family, self.events = family, events
        self.good = 0
        self.refused = {}

    def step(self):
        self.family.speak(self.events)
        reply = self.family.hear()
        if reply.status == 303:
            self.good += 1
        else:
            self.refused[reply.status] = self.refused.get(reply.status, 0) + 1
        return reply.status


def single_failures():
    """Each of the first 300 writes and the first 300 fsyncs fails once, by ENOSPC and by EIO: no false yes"""
    failed = 0
    with Site() as site, tempfile.TemporaryDirectory(prefix="village-long-") as scratch:
        families, provider = gather(site, 2)
        events = [publish(provider, f"Disk{number}") for number in range(5)]
        walk, stranger = Walk(families[0], events), Visitor(site)
        with Outside(site.data / "village.sqlite") as outside:

            def fail(calls, error, when, times):
                """Goes on until so many calls have failed, then once more without trouble."""
                nonlocal failed
                with Trouble(site, calls, error, when) as trouble:
                    for _ in range(10 * LAST):
                        walk.step()
                        if trouble.hits >= times:
                            break
                    expect(trouble.hits >= times, f"Only {trouble.hits} of {times} calls failed ({calls} {when}).")
                    failed += trouble.hits
                    expect(stranger.get(f"/events/{events[0]}").status == 200, "The page was not served.")
                expect(walk.step() == 303, f"The site did not come back by itself after {error} ({calls} {when}).")
                if found := outside.problems(families):
                    raise AssertionError(f"After {error} ({calls} {when}): {'; '.join(found[:5])}")

            for number, error in itertools.product(range(1, LAST + 1), ERRORS):
                fail("pwrite64", error, str(number), 1)
            # An fsync is a commit: every second one fails, the odd ones and then the even ones.
            for first, error in itertools.product((1, 2), ERRORS):
                fail("fsync,fdatasync", error, f"{first}+2", LAST // 2)
        site.kill()
        with Outside(copy(site.data, Path(scratch))) as outside:
            outside.check(families)
    return f"{failed} calls failed, refusals by status {walk.refused}; {walk.good} times yes, all stored; {READER}"


def lasting_failure():
    """While every write fails, pages are served and /readyz says 503; when they succeed again the site is back"""
    rounds, slowest = 10, 0.0
    with Site() as site:
        families, provider = gather(site, 2)
        events = [publish(provider, "Disk")]
        walk, stranger = Walk(families[0], events), Visitor(site)
        calls = "pwrite64,fsync,fdatasync,ftruncate,fallocate"
        for _, error in itertools.product(range(rounds), ERRORS):
            with Trouble(site, calls, error, "1+"):
                for path in ("/events", f"/events/{events[0]}", "/healthz"):
                    expect(stranger.get(path).status == 200, f"{path} was not served.")
                roster = provider.get(f"/events/{events[0]}/registrations")
                expect(roster.status == 200, "The roster was not served.")
                expect(stranger.get("/readyz").status == 503, "/readyz was ready while nothing could be written.")
                expect(walk.step() >= 500, "A registration was acknowledged while nothing could be written.")
            began = time.monotonic()
            expect(stranger.get("/readyz").status == 200, "/readyz was not ready when the disk was well again.")
            expect(walk.step() == 303, "The site did not come back by itself.")
            slowest = max(slowest, time.monotonic() - began)
        with Outside(site.data / "village.sqlite") as outside:
            outside.check(families)
    return f"{rounds} times each error; the next registration was stored within {1000 * slowest:.0f} ms"


def twin():
    """The twin: a disk that says yes and stores nothing makes the site say yes too, and the examination sees it"""
    with Site() as site, tempfile.TemporaryDirectory(prefix="village-long-") as scratch:
        families, provider = gather(site, 2)
        events = [publish(provider, "Lost")]
        walk = Walk(families[0], events)
        # The size of a page, which is enough for every write there is.
        with Trouble(site, "pwrite64", "retval=4096", "1+"):
            expect(walk.step() == 303, "The registration was refused.")
            site.kill()
        with Outside(copy(site.data, Path(scratch))) as outside:
            found = outside.problems(families)
            expect(found, "The examination overlooked what isn't stored.")
    return found[0]


class SmallDisk(Site):
    """A seeded site on a file system of its own, which ends with it; `inside` is the way there for everybody else."""

    def __init__(self, megabytes):
        super().__init__()
        self.outer = self.data
        self.data.mkdir()
        # Mounting is root's, or anybody's who is root of a name space of their own.
        own = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
        script = 'mount -t tmpfs -o size="$0" tmpfs "$1" && cp -a "$2/." "$1" && shift 2 && exec "$@"'
        self.seeded = Path(self.scratch.name) / "seeded"
        self.wrap = [*own, "sh", "-c", script, f"{megabytes}m", str(self.data), str(self.seeded)]

    def run(self, *command):
        """Runs a command before the start, on the folder that the small disk is then filled from."""
        environment = self.environment
        self.environment = environment | {"VILLAGE_DATA": str(self.seeded)}
        try:
            return super().run(*command)
        finally:
            self.environment = environment

    @property
    def inside(self):
        return Path(f"/proc/{self.pid}/root{self.outer}")


def fill(path, leaving):
    """Takes all the room there is, but for so many bytes."""
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 20))
        except OSError:
            pass
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
        file.truncate(max(0, file.tell() - leaving))


def full_disk():
    """A disk that is full and gets room again: no false yes, pages are served, /readyz tells, back by itself"""
    rounds, refused, waits = 8, {}, []
    with SmallDisk(128) as site, tempfile.TemporaryDirectory(prefix="village-long-") as scratch:
        families, provider = gather(site, 8)
        events = [publish(provider, f"Full{number}") for number in range(3)]
        stranger = Visitor(site)
        ballast = site.inside / "ballast"
        for number in range(rounds):
            # The room ends at another page each time.
            fill(ballast, number * 12_288)
            until = time.monotonic() + 30
            with Load(families, events) as load:
                while sum(load.refused.values()) < 100 and time.monotonic() < until:
                    time.sleep(0.01)
                for path in ("/events", f"/events/{events[0]}", "/healthz"):
                    expect(stranger.get(path).status == 200, f"{path} was not served.")
                expect(stranger.get("/readyz").status == 503, "/readyz was ready on a full disk.")
            expect(load.refused, "The disk was full and nothing was refused.")
            for status, count in load.refused.items():
                refused[status] = refused.get(status, 0) + count
            ballast.unlink()
            began = time.monotonic()
            while stranger.get("/readyz").status != 200:
                expect(time.monotonic() < began + 5, "The site did not come back by itself.")
            with Load(families, events) as load:
                time.sleep(0.1)
            waits.append(time.monotonic() - began)
            expect(load.times and not load.refused, f"There was room again, and requests were refused: {load.refused}")
        # Nobody writes now, so the files belong together.
        with Outside(copy(site.inside, Path(scratch))) as outside:
            outside.check(families)
            rows = outside.value("SELECT count(*) FROM registration")
    return (
        f"{rounds} times full, refusals by status {refused}; {rows} registrations stored; registering again "
        f"{max(waits):.2f} s after there was room; {READER}"
    )


def nearly_full_disk():
    """On a disk with 32 MiB left /readyz warns with 503, and everything else still works"""
    with SmallDisk(128) as site:
        families, provider = gather(site, 8)
        events = [publish(provider, "Nearly full")]
        stranger = Visitor(site)
        ballast = site.inside / "ballast"
        fill(ballast, 32 << 20)
        with Load(families, events) as load:
            time.sleep(0.3)
        expect(load.times and not load.refused, f"With 32 MiB of room requests were refused: {load.refused}")
        expect(stranger.get("/readyz").status == 503, "/readyz was ready with 32 MiB of room.")
        ballast.unlink()
        expect(stranger.get("/readyz").status == 200, "/readyz was not ready when there was room again.")
    return f"{len(load.times)} answers of yes meanwhile"


PROOFS = [single_failures, lasting_failure, twin, full_disk, nearly_full_disk]
