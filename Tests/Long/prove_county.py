"""Three nodes on one PostgreSQL server behind HAProxy, as deploy/county starts them: one is killed, one stands still, the
server restarts; nothing that was acknowledged is lost, nothing is oversold, and what one node stores the others show."""

import os
import random
import re
import signal
import socket
import statistics
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from crowd import Load, event_form, expect, gather, host, publish
from outside import Outside
from site_under_test import ROOT, Site, Visitor, program

NODES, FAMILIES = 3, 48


class Node:
    """One node, asked past HAProxy."""

    def __init__(self, county, number):
        self.county, self.number, self.port = county, number, county.port + number

    @property
    def pid(self):
        return int((self.county.folder / f"node-{self.number}.pid").read_text())

    def signal(self, number):
        os.kill(self.pid, number)

    def is_ready(self):
        try:
            return Visitor(self, timeout=5).get("/readyz").status == 200
        except OSError:
            return False


class County(Site):
    """The site of `deploy/county`, in a folder of its own; `with County() as county:` ends it. As a `Site` it is what
    HAProxy shows, and `nodes` are what is behind."""

    def __init__(self, **settings):
        super().__init__(**settings)
        self.folder = Path(self.scratch.name) / "county"
        # The nodes' ports are the next ones.
        self.port = consecutive_ports(NODES + 1)
        self.url = f"http://127.0.0.1:{self.port}"
        self.nodes = [Node(self, number) for number in range(1, NODES + 1)]
        for name in ("VILLAGE_DATA", "VILLAGE_PORT"):
            del self.environment[name]
        self.environment |= {"VILLAGE_PUBLIC_URL": self.url, "VILLAGE_PROGRAM": str(program())}
        # The server's own user reaches its folder.
        os.chmod(self.scratch.name, 0o711)

    def __enter__(self):
        with open(self.log_path, "a") as log:
            self.process = subprocess.Popen(
                [ROOT / "deploy" / "county", "--port", str(self.port), "--folder", self.folder],
                cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True,
            )
        self.environment |= {
            "VILLAGE_DATA": str(self.folder / "node-1"),
            "VILLAGE_DATABASE_URL": f"postgresql://village@/village?host={self.folder}/postgresql",
        }
        self.start(90)
        return self

    def start(self, within=15):
        """Waits until each node is ready: `deploy/county` starts them."""
        return self.until("each node was ready", lambda: all(node.is_ready() for node in self.nodes), within)

    def stop(self, within=60):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(within)

    def until(self, words, fact, within):
        """Waits until something is so; gives the seconds it took."""
        began = time.monotonic()
        while not fact():
            expect(self.process.poll() is None, f"The county ended:\n{self.logged()}")
            expect(time.monotonic() < began + within, f"It took more than {within} s until {words}.")
            time.sleep(0.02)
        return time.monotonic() - began

    def server(self, name, *arguments):
        """Runs one of the server's programs to its end; gives what it printed."""
        command = [max(Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), *map(str, arguments)]
        if os.geteuid() == 0:
            command = ["runuser", "--user", "postgres", "--", *command]
        return subprocess.run(command, cwd="/", check=True, text=True, stdout=subprocess.PIPE).stdout

    def restart(self, mode):
        """Restarts the server: `fast` ends its sessions, `immediate` is as a power cut."""
        folder = self.folder / "postgresql"
        self.server("pg_ctl", "-D", folder / "data", "-l", folder / "server.log", "-m", mode, "-w", "restart")

    def sql(self, statement):
        return self.server(
            "psql", "-h", self.folder / "postgresql", "-U", "village", "-d", "village", "-qtAXc", statement
        ).strip()

    def check(self, families):
        """Fails when the data is damaged, or isn't as these families were told."""
        with tempfile.TemporaryDirectory(prefix="village-long-") as folder:
            copy = Path(folder) / "copy.sqlite"
            self.run("migrate", "--to-sqlite", copy)
            with Outside(copy) as outside:
                outside.check(families)


def consecutive_ports(count):
    """The first of so many ports in a row that are free."""
    while True:
        first = random.randrange(20_000, 30_000)
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue


@contextmanager
def longest_gap(load, gaps):
    """Adds to `gaps` the longest time without an answer to a load, from here to the end of the `with`.

    A refusal of 503 is no answer here.
    """
    ending, longest = threading.Event(), [0.0]

    def watch():
        count, since = load.served, time.monotonic()
        while not ending.wait(0.005):
            if load.served != count:
                count, since = load.served, time.monotonic()
            longest[0] = max(longest[0], time.monotonic() - since)

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield
    finally:
        ending.set()
        watching.join()
        gaps.append(longest[0])


def crowd(county, events=5):
    """The families of a county that is running, and the events they register at."""
    families, provider = gather(county, FAMILIES)
    return families, [publish(provider, f"County{number}") for number in range(events)]


def counted(load):
    return len(load.cut) + sum(load.refused.values())


def shaken(shake, times):
    """Shakes one node of three after the other under load: the longest gaps, how many requests failed, and how many
    were answered. Nothing acknowledged may be lost."""
    gaps, failures, answered = [], [], 0
    with County() as county:
        families, events = crowd(county)
        for number in range(times):
            node = county.nodes[number % NODES]
            with Load(families, events, rate=100) as load:
                time.sleep(random.uniform(0.5, 1))
                before = counted(load)
                expect(before == 0, f"Before anything happened requests failed: {load.refused}, {len(load.cut)} cut")
                with longest_gap(load, gaps):
                    shake(node)
            failures.append(counted(load))
            answered += len(load.times)
            county.until("the node was back", node.is_ready, 15)
        county.check(families)
    expect(max(failures) <= FAMILIES / NODES * 2, f"{max(failures)} requests failed at once.")
    return gaps, failures, answered


def killed():
    """kill -9 of one node of three under load: only its requests in flight fail, and nothing acknowledged is lost"""

    def kill(node):
        node.signal(signal.SIGKILL)
        time.sleep(1.5)

    gaps, failures, answered = shaken(kill, 30)
    expect(max(gaps) < 1, f"Nothing was stored for {max(gaps):.2f} s after a kill.")
    return (
        f"{len(gaps)} kills, {answered} answers, {statistics.mean(failures):.1f} failed a kill (at most "
        f"{max(failures)}); without an answer for {1000 * statistics.median(gaps):.0f} ms, at most "
        f"{1000 * max(gaps):.0f} ms"
    )


def stopped():
    """A node that stands still in the middle of a write holds the others up for 3 s at most, and is harmless awake"""

    def stop(node):
        node.signal(signal.SIGSTOP)
        time.sleep(6)
        node.signal(signal.SIGCONT)
        time.sleep(1)

    gaps, failures, answered = shaken(stop, 10)
    expect(max(gaps) < 3, f"Nothing was stored for {max(gaps):.2f} s.")
    return (
        f"{len(gaps)} stops, {answered} answers, {statistics.mean(failures):.1f} failed a stop (at most "
        f"{max(failures)}); without an answer for {statistics.median(gaps):.1f} s, at most {max(gaps):.1f} s"
    )


def restarted():
    """PostgreSQL restarts under load, and loses its connections 1,000 times: 503 at most, back in 5 s, nothing lost"""
    backs, refused, answered, cuts = [], 0, 0, 1000
    with County() as county:
        families, events = crowd(county)
        for mode in ("fast", "immediate") * 3:
            with Load(families, events, rate=300) as load:
                time.sleep(0.5)
                county.restart(mode)
                began = time.monotonic()
                county.start()
                backs.append(time.monotonic() - began)
                time.sleep(0.5)
            expect(set(load.refused) <= {503}, f"Refused: {load.refused}")
            expect(not load.cut, f"{len(load.cut)} connections were cut.")
            refused += sum(load.refused.values())
            answered += len(load.times)
        expect(max(backs) < 5, f"The nodes were ready {max(backs):.1f} s after the restart.")
        county.check(families)
        with Load(families, events) as load:
            for _ in range(cuts):
                # At work or not: in a commit as in any other moment.
                county.sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'serving' "
                    "ORDER BY random() LIMIT 1"
                )
        expect(set(load.refused) <= {503}, f"Refused: {load.refused}")
        answered += len(load.times)
        county.start()
        county.check(families)
    return (
        f"6 restarts, ready {1000 * statistics.median(backs):.0f} ms after, at most {1000 * max(backs):.0f}; {refused} "
        f"answers of 503; {cuts} connections ended with {sum(load.refused.values())} of 503; {answered} answers"
    )


def raced():
    """The last places of an event are asked for on three nodes at once: none is given twice"""
    rounds, spots = 20, 7
    with County() as county:
        families, _ = crowd(county, events=0)
        with ThreadPoolExecutor(len(families)) as pool:
            for number in range(1, rounds + 1):
                event = publish(host(county, number), f"Race{number}", spots)
                for place, family in enumerate(families):
                    family.close()
                    family.site = county.nodes[place % NODES]
                list(pool.map(lambda family: family.ask(family.registration(event)), families))
                taken = county.sql(
                    f"SELECT count(*) FROM registration WHERE event_id = {event} AND state = 'confirmed'")
                expect(int(taken) == spots, f"{taken} of {spots} places were given.")
        county.check([])
    return f"{rounds} events of {spots} places, {len(families)} families each"


def seen():
    """What one node stores, another shows at once to the same member, and within 1 s to a stranger"""
    strangers, times = [], 40
    with County() as county:
        families, provider = gather(county, 2)
        event = publish(provider, "Before")
        here, there, yonder = county.nodes
        provider.close()
        provider.connection.port = here.port
        stranger, elsewhere = Visitor(there), Visitor(yonder)
        elsewhere.jar = provider.jar
        for turn in range(times):
            words = f"Turn {turn} of it"
            # From here on a kept page answers.
            stranger.get(f"/events/{event}")
            # A form that one node drew and another one takes.
            drawn = re.search(r'name="drawn" value="([^"]+)"', elsewhere.get(f"/events/{event}/edit").text)[1]
            answer = provider.post(f"/events/{event}/edit", event_form(words, 100) | {"drawn": drawn})
            began = time.monotonic()
            expect(answer.status == 303, f"The change was refused: {answer.status}")
            expect(words in elsewhere.get(f"/events/{event}").text, "The member's next page was the old one.")
            while words not in stranger.get(f"/events/{event}").text:
                expect(time.monotonic() < began + 1, "A stranger read the old page for more than 1 s.")
                time.sleep(0.005)
            strangers.append(time.monotonic() - began)
    return (
        f"{times} changes: a stranger after {1000 * statistics.median(strangers):.0f} ms, at most "
        f"{1000 * max(strangers):.0f} ms"
    )


PROOFS = [killed, stopped, restarted, raced, seen]
