#!/usr/bin/env python3
"""Measures the site under load and prints tables. deploy/bench builds what this needs and calls it.

    bench.py [--quick] [--events N] [--work DIR] [--large] [--pets] [--helping [N]] [--kindness] [--county] [--no-peers]
             [--compare-program PATH [--compare-name NAME]]

wrk asks with 32 connections on one thread, 2 s to warm up and 5 s that count, in 3 rounds: a round goes once through
all loads, and each load has a server started anew. The tables give medians of the rounds. CPU is the server's own, from
/proc: the figure least moved by what else the machine does, since wrk shares the cores.
"""

import argparse
import itertools
import os
import random
import re
import secrets
import shlex
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import quote, urlencode

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Long"))

import comparison  # noqa: E402: they lie beside, not in a package
import timeline  # noqa: E402
from crowd import Family  # noqa: E402
from county_under_test import CountyUnderTest  # noqa: E402
from site_under_test import PASSWORD, ROOT, Site, Visitor, program  # noqa: E402

SHARED = ROOT.parent / "shared" / "bench"
TICKS = os.sysconf("SC_CLK_TCK")
# Families that register; as many others log in.
FAMILIES = 64
UNCACHED = {"VILLAGE_PAGE_CACHE": "0"}
GZIP = "Accept-Encoding: gzip\n"


def say(words):
    """Progress, apart from the tables."""
    print(words, file=sys.stderr, flush=True)


# The data


class Town:
    """A folder of seeded data with families that have signed in, and the requests its people make."""

    def __init__(self, folder, work, events):
        self.folder, self.events = Path(folder), events
        self.cities_file = cities_file(work)
        seed(
            self.folder, work / f"seed-{events}-fairs{'-peers' if self.cities_file else ''}", f"{events:,} events",
            "--families", max(2_000, events // 50), "--providers", 2_000, "--events", events,
            "--activities", 3 * events, "--attendances", events // 2,
            *(["--cities", self.cities_file] if self.cities_file else []))
        with Site(data=self.folder) as site:
            site.start()
            with ThreadPoolExecutor(4) as pool:
                self.families = list(pool.map(lambda number: Family(site, number), range(1, FAMILIES + 1)))
                # Nothing is added to what they go to.
                others = range(2 * FAMILIES + 1, 3 * FAMILIES + 1)
                self.goers = list(pool.map(lambda number: Family(site, number), others))
        with sqlite3.connect(self.database) as db:
            self.cities = [row[0] for row in db.execute("SELECT DISTINCT city FROM event ORDER BY city")]
            # What has begun when the data is some days old takes nobody.
            later = int(time.time() + 3_600) * 1_000
            coming = db.execute(
                "SELECT id, spots - taken FROM event WHERE starts_at > ? AND audience = 'kids'", (later,)).fetchall()
            self.fairs = [row[0] for row in db.execute(
                "SELECT event_id FROM activity GROUP BY event_id HAVING count(*) = 200 ORDER BY event_id")]
            # The first of its events was for the next day.
            self.seeded = date.fromisoformat(db.execute("SELECT min(day) FROM event").fetchone()[0]) - timedelta(days=1)
            titles = db.execute("SELECT title FROM event ORDER BY id % 997, id LIMIT 300").fetchall()
        db.close()
        random.Random(1).shuffle(coming)
        self.coming = coming
        self.places = self.free_places()
        words = [re.findall(r"\w{4,}", title) for (title,) in titles]
        # A word many events have, two that fewer have, and a room that hardly any has.
        self.searches = [
            query
            for number, found in enumerate(words)
            for query in (found[0], " ".join(found[:2]), f"room {1 + number * 33}")
        ]

    @property
    def database(self):
        return self.folder / "village.sqlite"

    def registrations(self):
        """How many there are on the disk."""
        with sqlite3.connect(self.database) as db:
            count = db.execute("SELECT count(*) FROM registration").fetchone()[0]
        db.close()
        return count

    def free_places(self):
        """Families and events, each pair once, and no more of an event's than it has places."""
        for turn, family in enumerate(self.families):
            for number, (event, free) in enumerate(self.coming):
                if turn < free:
                    yield self.families[(number + turn) % FAMILIES], event

    # The requests of a load: method, path, cookie, body.

    def feeds(self, _):
        return [("GET", f"/events?city={quote(city)}", "", "") for city in self.cities]

    def finds(self, _):
        return [("GET", f"/events?{urlencode({'q': words})}", "", "") for words in self.searches]

    def details(self, _):
        return [("GET", f"/events/{1 + number * 7919 % self.events}", "", "") for number in range(5_000)]

    def near(self, _):
        """What fits a six-year-old on a weekend, nearest first, around each city that the gazetteer knows: the next
        one that has not begun, so that it is as full on each day of the week."""
        with sqlite3.connect(self.database) as db:
            known = {name for name, in db.execute("SELECT name_key FROM town UNION SELECT city_key FROM zip")}
        db.close()
        cities = [city for city in self.cities if re.sub("[^a-z0-9]+", " ", city.lower()).strip() in known]
        today = date.today()
        saturday = today + timedelta(days=(4 - today.weekday()) % 7 + 1)
        weekend = {"from": saturday.isoformat(), "to": (saturday + timedelta(days=1)).isoformat(), "age": 6}
        return [("GET", f"/events?{urlencode({'near': city} | weekend)}", "", "") for city in cities]

    def maps(self, _):
        return [("GET", f"/events/map?city={quote(city)}", "", "") for city in self.cities]

    def few_details(self, _):
        """As many as there are feeds, so that a cache has something to give."""
        return self.details(0)[: len(self.cities)]

    def programs(self, _):
        """Events with two hundred activities each."""
        return [("GET", f"/events/{fair}", "", "") for fair in self.fairs]

    def suggestions(self, _):
        """What suits families that go to many things."""
        return [("GET", "/events/for-you", family.cookies, "") for family in self.goers]

    def weeks(self, _):
        """The seven days in which each of the families goes to most: all of theirs are within fifteen."""
        return [
            ("GET", f"/week?from={self.seeded + timedelta(days=5 + number % 8 * 15)}", family.cookies, "")
            for number, family in enumerate(self.goers)
        ]

    def own_feeds(self, _):
        return [("GET", "/events", family.cookies, "") for family in self.families]

    def sign_ins(self, _):
        return [
            ("POST", "/login", "", urlencode({"login": f"family-{FAMILIES + number}", "password": PASSWORD}))
            for number in range(1, FAMILIES + 1)
        ]

    def sign_ups(self, seconds):
        """Registrations, none of them twice: more than anybody makes in so many seconds."""
        lines = [
            (
                "POST", f"/events/{event}/registrations", family.cookies,
                urlencode({"child": family.child, "once": secrets.token_urlsafe(16), "csrf": family.csrf}),
            )
            for family, event in itertools.islice(self.places, seconds * 10_000)
        ]
        if len(lines) < seconds * 10_000:
            raise SystemExit("There are no places left to register for: give more --events.")
        return lines


def cities_file(work):
    """The cities of the peers' database, one a line; None where the peers are missing."""
    maker = SHARED / "peers" / "make_db.py"
    if not maker.is_file():
        return None
    file = work / "cities.sqlite.cities"
    if not file.exists():
        make = [sys.executable, maker, work / "cities.sqlite", "--events", "1"]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
    return file


def seed(folder, kept, what, *sizes, ages=True):
    """Fills the folder with a town of these sizes: seeded once, anew each week where it ages, and anew for a program
    whose tables are others."""
    database = kept / "village.sqlite"
    while True:
        is_new = not database.exists() or ages and database.stat().st_mtime < time.time() - 7 * 86_400
        if is_new:
            shutil.rmtree(kept, ignore_errors=True)
            began = time.monotonic()
            with Site(data=kept) as site:
                site.run("seed", *sizes, "--password", PASSWORD)
            say(f"Seeded {what} in {time.monotonic() - began:.0f} s")
        folder.mkdir(parents=True, mode=0o700, exist_ok=True)
        with open(database, "rb") as source, open(folder / "village.sqlite", "wb") as copy:
            shutil.copyfileobj(source, copy, 1 << 24)
            # What the system would write back later disturbs what is measured.
            os.fsync(copy.fileno())
        try:
            with Site(data=folder) as site:
                site.run("migrate")
            return
        except AssertionError:
            if is_new:
                raise
        shutil.rmtree(kept)
        shutil.rmtree(folder)


def settled(folder, kept, what, *sizes, ages=True):
    """A town of these sizes in the folder. The cookies of those who logged in."""
    seed(folder, kept, what, *sizes, ages=ages)
    with Site(data=folder) as site:
        site.start()
        with ThreadPoolExecutor(4) as pool:
            people = list(pool.map(lambda number: Visitor(site).log_in(f"family-{number}"), range(1, FAMILIES + 1)))
        cookies = ["; ".join(f"{name}={value}" for name, value in one.jar.items()) for one in people]
        for person in people:
            person.close()
    return cookies


class PetTown:
    """200,000 pets in one county, some with forty matches each; in one of these much was said."""

    PETS, MATCHES, MESSAGES = 200_000, 40_000, 10_000
    events = PETS

    def __init__(self, folder, work):
        self.folder = Path(folder)
        kept = work / f"pets-{self.PETS}"
        self.cookies = settled(
            self.folder, kept, f"{self.PETS:,} pets", "--families", self.PETS // 10, "--pets", self.PETS,
            "--matches", self.MATCHES, "--messages", self.MESSAGES, ages=False)

    def feeds(self, _):
        """The first page, which anybody may see."""
        return [("GET", "/events", "", "")]

    def cards(self, _):
        """The next card, of each of ten pets that a family has."""
        count = self.PETS // 10
        return [
            ("GET", f"/playdates?asking={1 + family + turn * count}", cookies, "")
            for turn in range(10) for family, cookies in enumerate(self.cookies)
        ]

    def matches(self, _):
        return [("GET", "/playdates/matches", cookies, "") for cookies in self.cookies]

    def chats(self, _):
        """The chat in which 10,000 messages were said, by either of the two: its end, and long before."""
        return [
            ("GET", f"/playdates/matches/1{page}", cookies, "")
            for page in ("", f"?after={self.MESSAGES // 2}") for cookies in self.cookies[:2]
        ]


class KindTown:
    """100,000 members who did 2,000,000 kind acts and need 200,000 things."""

    MEMBERS, DEEDS, NEEDS = 100_000, 2_000_000, 200_000
    events = NEEDS

    def __init__(self, folder, work):
        self.folder = Path(folder)
        kept = work / f"kindness-{self.MEMBERS}"
        self.cookies = settled(
            self.folder, kept, f"{self.DEEDS:,} kind acts and {self.NEEDS:,} needs", "--families", self.MEMBERS,
            "--deeds", self.DEEDS, "--needs", self.NEEDS)

    def asked(self, *paths):
        """These pages, by each of those who logged in."""
        return lambda _: [("GET", path, cookies, "") for path in paths for cookies in self.cookies]

    def feeds(self, _):
        return [("GET", "/kindness", "", "")]


class HelpTown:
    """Ways to help of a fourth as many organizations, and five times as many deeds."""

    def __init__(self, folder, work, count):
        self.folder, self.events = Path(folder), count
        self.providers, self.families, self.deeds = max(1, count // 4), max(FAMILIES, count // 10), 5 * count
        kept = work / f"helping-{count}"
        self.cookies = settled(
            self.folder, kept, f"{count:,} ways to help", "--families", self.families, "--providers", self.providers,
            "--opportunities", count, "--contributions", self.deeds)
        with sqlite3.connect(self.folder / "village.sqlite") as db:
            self.cities = [row[0] for row in db.execute("SELECT DISTINCT city FROM opportunity ORDER BY city")]
            titles = db.execute("SELECT title FROM opportunity ORDER BY id % 997, id LIMIT 300").fetchall()
        db.close()
        words = [re.findall(r"\w{4,}", title) for (title,) in titles]
        self.searches = [
            query
            for number, found in enumerate(words)
            for query in (found[0], " ".join(found[:2]), f"room {1 + number * 33}")
        ]

    def feeds(self, _):
        """The newest, for anybody."""
        return [("GET", "/opportunities", "", "")]

    def near(self, _):
        """Shifts for a sixteen-year-old around each city, the nearest first."""
        some = {"within": 25, "unit": "mi", "kind": "volunteer", "age": 16, "sort": "nearest"}
        return [("GET", f"/opportunities?{urlencode({'near': city} | some)}", "", "") for city in self.cities]

    def finds(self, _):
        return [("GET", f"/opportunities?{urlencode({'q': words})}", "", "") for words in self.searches]

    def suggestions(self, _):
        return [("GET", "/opportunities/suggested", cookies, "") for cookies in self.cookies]

    def impacts(self, _):
        return [("GET", "/impact?year=all", cookies, "") for cookies in self.cookies]

    def organizations(self, _):
        return [("GET", f"/providers/provider-{1 + number * 7919 % self.providers}", "", "") for number in range(2_000)]


# The measuring


@dataclass
class Load:
    """What is asked for, of a site with which settings."""

    name: str
    requests: object
    settings: dict
    connections: int = 32
    # Of header fields, a line each.
    fields: str = ""
    # What a form's answer must be.
    status: int = 0
    location: str = ""
    # A load that goes on beside this one.
    beside: object = None

    @property
    def registers(self):
        return self.location == "/registrations/"


class Wrk:
    """wrk at work on a load; `figures()` waits for its end."""

    def __init__(self, site, load, lines, seconds, folder):
        self.load, self.lines = load, lines
        self.file = tempfile.NamedTemporaryFile("w", dir=folder, suffix=".requests")
        self.file.writelines("\t".join(line) + "\n" for line in lines)
        self.file.flush()
        command = ["wrk", "-t1", f"-c{load.connections}", f"-d{seconds}s", "-s", HERE / "load.lua", site.url]
        environment = {"BENCH_REQUESTS": self.file.name, "BENCH_FIELDS": load.fields, "BENCH_LOCATION": load.location}
        if load.status:
            environment["BENCH_STATUS"] = str(load.status)
        self.process = subprocess.Popen(command, env=os.environ | environment, stdout=subprocess.PIPE, text=True)

    def figures(self):
        printed, _ = self.process.communicate()
        self.file.close()
        found = re.search(r"^figures\s+(.*)$", printed, re.MULTILINE)
        if not found:
            raise SystemExit(f"wrk failed:\n{printed}")
        answered, microseconds, p50, p99, sent, wrong, broken = (float(word) for word in found[1].split())
        if self.load.registers and sent > len(self.lines):
            raise SystemExit("The site was quicker than there were places prepared.")
        return {
            "answered": int(answered), "sent": int(sent), "rate": answered / microseconds * 1e6, "p50": p50 / 1e3,
            "p99": p99 / 1e3, "bad": int(wrong + broken),
        }


def server_cpu(pid):
    """Seconds of CPU a process has used, all its threads, and what its ended children had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def family_cpu(pid):
    """The same of a process and its children; one may end meanwhile."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    used = server_cpu(pid)
    for child in children:
        with suppress(FileNotFoundError):
            used += server_cpu(child)
    return used


def machine_time():
    """Ticks of the machine's time: all, and what the hypervisor gave to others."""
    ticks = [int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return sum(ticks), ticks[7]


def measure(town, load, options, scratch):
    """One row of one round. What the hypervisor took more than 4 % of the machine from is measured again, twice."""
    before = town.registrations() if load.registers else 0
    answered = sent = 0
    with Site(data=town.folder, **load.settings) as site:
        started = site.start()
        began = time.monotonic()
        if Visitor(site).get(town.feeds(0)[0][1]).status != 200:
            raise SystemExit("The first page of the site is none.")
        started += time.monotonic() - began
        beside = load.beside and Wrk(
            site, load.beside, load.beside.requests(0), options.warm + options.seconds + 1, scratch)
        for seconds, counts in [(options.warm, False)] + 3 * [(options.seconds, True)]:
            lines = load.requests(seconds)
            ticks, cpu = machine_time(), server_cpu(site.pid)
            row = Wrk(site, load, lines, seconds, scratch).figures()
            row["cpu"] = (server_cpu(site.pid) - cpu) / max(row["answered"], 1) * 1e6
            taken = [after - before for before, after in zip(ticks, machine_time())]
            row["steal"] = taken[1] / max(taken[0], 1)
            answered, sent = answered + row["answered"], sent + row["sent"]
            if counts and (row["steal"] < 0.04 or beside):
                break
        if beside:
            beside.figures()
        row |= {"memory": site.memory(peak=True), "start": started * 1e3}
    if load.registers and not answered <= town.registrations() - before <= sent:
        row["bad"] += 1
        say(f"{answered} registrations were acknowledged, and {town.registrations() - before} are on the disk")
    return row


def rounds(towns, options, scratch):
    """Measures (town, load) pairs in turn, round by round: their rows."""
    rows = [[] for _ in towns]
    for turn in range(options.rounds):
        for (town, load), row in zip(towns, rows):
            row.append(measure(town, load, options, scratch))
            say("round {}  {:38} {rate:9,.0f}/s  CPU {cpu:6.0f} µs  p50 {p50:7.2f}  p99 {p99:7.2f} ms  bad {bad}  "
                "steal {steal:.1%}".format(turn + 1, f"{load.name}, {town.events:,}", **row[-1]))
    return rows


def middle(rows, figure):
    return statistics.median(row[figure] for row in rows)


def spread(rows):
    rates = [row["rate"] for row in rows]
    return (max(rates) - min(rates)) / statistics.median(rates)


def body_sizes(town, load):
    """The mean bytes of up to 20 pages of a load, and of the same pages gzipped."""
    with Site(data=town.folder, **load.settings) as site:
        site.start()
        visitor, sizes = Visitor(site), []
        for method, path, cookie, _ in load.requests(1)[:20]:
            for fields in ({}, {"Accept-Encoding": "gzip"}):
                answer = visitor.send(method, path, None, fields | ({"Cookie": cookie} if cookie else {}))
                if answer.status != 200:
                    raise SystemExit(f"{path} answers {answer.status}: this would measure nothing.")
                sizes.append(int(answer.fields["content-length"]))
        # A connection that was answered just now and stays open holds up the site's stop.
        visitor.close()
    return statistics.mean(sizes[::2]), statistics.mean(sizes[1::2])


# The tables


def table(head, rows):
    """Prints a table in Markdown; numbers to the right."""
    print("\n| " + " | ".join(head) + " |\n|---" + "|---:" * (len(head) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    sys.stdout.flush()


def conditions(options):
    print(
        f"\nwrk -t1, {options.warm} s to warm up, {options.seconds} s × {options.rounds} interleaved rounds, medians; "
        f"{os.cpu_count()} cores shared with wrk; {time.strftime('%Y-%m-%d %H:%M')}, load {os.getloadavg()[0]:.1f}"
    )


FEED = "`/events?city=…`"
STRAINED = f"{FEED} while 8 clients log in"
CACHED = f"{FEED}, page cache"
REGISTRATION = "registration"
ALONE = "registration, one client"


def site_loads(town):
    """What the main table measures."""
    sign_in = Load("log-in, 8 clients", town.sign_ins, UNCACHED, connections=8, status=303)
    registration = {"settings": UNCACHED, "status": 303, "location": "/registrations/"}
    return [
        Load(FEED, town.feeds, UNCACHED),
        Load(STRAINED, town.feeds, UNCACHED, beside=sign_in),
        Load(f"{FEED}, gzip", town.feeds, UNCACHED, fields=GZIP),
        Load("`/events?q=…`", town.finds, UNCACHED),
        Load("`/events?near=…&from=…&to=…&age=6`", town.near, UNCACHED),
        Load("`/events/map?city=…`", town.maps, UNCACHED),
        Load("`/events/{id}`", town.details, UNCACHED),
        Load("`/events`, signed in", town.own_feeds, UNCACHED),
        Load("`/events/for-you`, signed in", town.suggestions, UNCACHED),
        Load("`/events/{id}` with 200 activities", town.programs, UNCACHED),
        Load("`/week`, signed in, full", town.weeks, UNCACHED),
        Load(REGISTRATION, town.sign_ups, **registration),
        Load(ALONE, town.sign_ups, connections=1, **registration),
        sign_in,
        Load(CACHED, town.feeds, {}),
        Load(f"{FEED}, gzip, page cache", town.feeds, {}, fields=GZIP),
        Load(f"`/events/{{id}}`, {len(town.cities)} of them, page cache", town.few_details, {}),
    ]


def the_site(town, options, scratch):
    """The main table, and what follows from it. Gives how many answers were wrong."""
    loads = site_loads(town)
    rows = rounds([(town, load) for load in loads], options, scratch)
    conditions(options)
    print(
        f"{town.events:,} events in {len(town.cities)} cities, {3 * town.events:,} activities; "
        f"{program().stat().st_size / 1e6:.0f} MB of program"
    )
    lines = []
    for load, row in zip(loads, rows):
        sizes = ("", "") if load.status or load.beside else [f"{size:,.0f}" for size in body_sizes(town, load)]
        cpu = "" if load.beside else f"{middle(row, 'cpu'):,.0f}"
        lines.append([
            load.name, f"{middle(row, 'rate'):,.0f}", f"{spread(row):.0%}", cpu, f"{middle(row, 'p50'):.2f}",
            f"{middle(row, 'p99'):.2f}", *sizes, f"{middle(row, 'memory'):.0f}", f"{sum(one['bad'] for one in row)}",
        ])
    table(
        ["load", "requests/s", "spread", "CPU µs a request", "p50 ms", "p99 ms", "bytes", "gzipped", "peak MB", "bad"],
        lines,
    )
    of = {load.name: row for load, row in zip(loads, rows)}
    starts = [one["start"] for row in rows for one in row]
    table(["figure", ""], [
        ["start to first page, ms", f"{statistics.median(starts):.0f} (of {len(starts)} starts)"],
        ["feed's p99 while 8 clients log in ÷ without", ratio(of[STRAINED], of[FEED], "p99")],
        ["feed's requests/s from the page cache ÷ uncached", ratio(of[CACHED], of[FEED], "rate")],
        ["registrations/s of 32 clients ÷ of one (group commit)", ratio(of[REGISTRATION], of[ALONE], "rate")],
    ])
    return sum(one["bad"] for row in rows for one in row)


def pet_loads(town):
    return [
        Load("`/playdates`, the next card", town.cards, UNCACHED),
        Load("`/playdates/matches`, forty of them", town.matches, UNCACHED),
        Load("`/playdates/matches/{id}`, 10,000 messages", town.chats, UNCACHED),
    ]


def pets(work, options, scratch):
    """Play dates in a county of 200,000 pets. Gives how many answers were wrong."""
    town = PetTown(scratch / "data-pets", work)
    loads = pet_loads(town)
    rows = rounds([(town, load) for load in loads], options, scratch)
    conditions(options)
    print(f"{town.PETS:,} pets in one county, {town.MATCHES:,} matches")
    plain(loads, rows)
    return sum(one["bad"] for row in rows for one in row)


def help_loads(town):
    return [
        Load("`/opportunities`", town.feeds, UNCACHED),
        Load("`/opportunities?near=…&kind=…&age=16`", town.near, UNCACHED),
        Load("`/opportunities?q=…`", town.finds, UNCACHED),
        Load("`/opportunities/suggested`, signed in", town.suggestions, UNCACHED),
        Load("`/impact?year=all`, signed in", town.impacts, UNCACHED),
        Load("`/providers/{username}`", town.organizations, UNCACHED),
    ]


def helping(count, work, options, scratch):
    """Ways to help, suggestions and results. Returns how many answers were wrong."""
    town = HelpTown(scratch / "data-helping", work, count)
    loads = help_loads(town)
    rows = rounds([(town, load) for load in loads], options, scratch)
    conditions(options)
    print(
        f"{count:,} ways to help of {town.providers:,} organizations, "
        f"{town.deeds:,} deeds of {town.families:,} people"
    )
    plain(loads, rows)
    return sum(one["bad"] for row in rows for one in row)


def plain(loads, rows):
    """A table of loads without their sizes."""
    table(
        ["load", "requests/s", "CPU µs a request", "p50 ms", "p99 ms", "peak MB", "bad"],
        [
            [
                load.name, f"{middle(row, 'rate'):,.0f}", f"{middle(row, 'cpu'):,.0f}", f"{middle(row, 'p50'):.2f}",
                f"{middle(row, 'p99'):.2f}", f"{middle(row, 'memory'):.0f}", f"{sum(one['bad'] for one in row)}",
            ]
            for load, row in zip(loads, rows)
        ])


def kind_loads(town):
    return [
        Load("`/`, Today", town.asked("/"), UNCACHED),
        Load("`/kindness`, the catalog and the town’s chart", town.asked("/kindness"), UNCACHED),
        Load("`/kindness/mine`", town.asked("/kindness/mine"), UNCACHED),
        Load("`/people/{username}`", town.asked("/people/family-1", "/people/family-999"), UNCACHED),
        Load("`/needs`, near one’s own town", town.asked("/needs"), UNCACHED),
        Load("`/needs?kind=skill&q=…`", town.asked("/needs?kind=skill&q=warm"), UNCACHED),
    ]


def kindness(work, options, scratch):
    """Kind acts and needs in a large town. Gives how many answers were wrong."""
    town = KindTown(scratch / "data-kindness", work)
    loads = kind_loads(town)
    rows = rounds([(town, load) for load in loads], options, scratch)
    conditions(options)
    print(f"{town.MEMBERS:,} members, {town.DEEDS:,} kind acts, {town.NEEDS:,} needs")
    plain(loads, rows)
    return sum(one["bad"] for row in rows for one in row)


class Countryside:
    """A copy of a town on PostgreSQL, with so many nodes: one that wrk asks itself, or several behind HAProxy."""

    def __init__(self, town, nodes, scratch):
        self.town, self.nodes, self.folder = town, nodes, scratch / f"county-{nodes}"
        # Each copy has its own places to give.
        self.places = town.free_places()

    def open(self, settings):
        return CountyUnderTest(nodes=self.nodes, folder=self.folder, source=self.town.folder, **settings)

    def measure(self, load, options, scratch):
        """One row of one round."""
        self.town.places = self.places
        with self.open(load.settings) as county:
            asked = county if self.nodes > 1 else county.nodes[0]
            asked.url = f"http://127.0.0.1:{asked.port}"
            before = self.registrations(county)
            answered = sent = 0
            for seconds in (options.warm, options.seconds):
                lines = load.requests(seconds)
                used = self.processors(county)
                row = Wrk(asked, load, lines, seconds, scratch).figures()
                answered, sent = answered + row["answered"], sent + row["sent"]
                row |= {
                    name: (now - then) / max(row["answered"], 1) * 1e6
                    for (name, now), then in zip(self.processors(county).items(), used.values())
                }
            if load.registers and not answered <= self.registrations(county) - before <= sent:
                row["bad"] += 1
            return row

    def statements(self, load, count=20):
        """How many statements one page of a load takes, as the server writes them down."""
        with self.open(load.settings) as county:
            visitor, log = Visitor(county.nodes[0]), self.folder / "postgresql" / "server.log"
            lines = load.requests(1)[:count]
            # What a node prepares or reads once isn't the page's, and a page is cached when it is asked for again.
            for turn in range(3):
                if turn == 2:
                    county.set("log_statement", "all")
                    time.sleep(0.5)
                    read = log.stat().st_size
                for method, path, cookie, _ in lines:
                    visitor.send(method, path, None, {"Cookie": cookie} if cookie else {})
            time.sleep(0.5)
            written = log.read_bytes()[read:].decode(errors="replace")
            county.set("log_statement")
            visitor.close()
        ran = re.findall(r"LOG:  (?:execute [^:]*|statement): (\w+)", written)
        return sum(word not in ("BEGIN", "COMMIT", "SET") for word in ran) / len(lines)

    def registrations(self, county):
        return int(county.sql("SELECT count(*) FROM registration"))

    def processors(self, county):
        """Seconds of CPU that the nodes have used, and all: the database's server and HAProxy too."""
        used = sum(server_cpu(node.pid) for node in county.nodes)
        others = [int((self.folder / f"{name}.pid").read_text()) for name in ("postgresql", "haproxy")]
        return {"cpu": used, "all": used + sum(map(family_cpu, others))}


def county(town, options, scratch):
    """The same town on SQLite, on PostgreSQL, and on three nodes. Gives how many answers were wrong."""
    loads = [
        Load("`/events?city=…`", town.feeds, UNCACHED),
        Load("`/events?city=…`, page cache", town.feeds, {}),
        Load("`/events/{id}`", town.details, UNCACHED),
        Load("`/events`, signed in", town.own_feeds, UNCACHED),
        Load("registration", town.sign_ups, UNCACHED, status=303, location="/registrations/"),
    ]
    own = town.places
    one, three = (Countryside(town, nodes, scratch) for nodes in (1, 3))
    # Before the town on SQLite changes.
    statements = ["" if load.status else f"{one.statements(load):.1f}" for load in loads]
    with three.open({}):
        pass
    rows = [([], [], []) for _ in loads]
    for turn in range(options.rounds):
        for load, kept in zip(loads, rows):
            town.places = own
            kept[0].append(measure(town, load, options, scratch))
            for copy, row in zip((one, three), kept[1:]):
                row.append(copy.measure(load, options, scratch))
            say(f"round {turn + 1}  {load.name:32} " + "  ".join("{rate:8,.0f}/s".format(**row[-1]) for row in kept))
    conditions(options)
    print(f"{town.events:,} events, the database's server and HAProxy on the same cores, PostgreSQL safe as it comes")
    table(
        ["load", "SQLite /s", "CPU µs", "PostgreSQL /s", "CPU µs of the node", "with the server",
         "statements a page", "three nodes /s", "CPU µs of all", "p99 ms, each", "bad"],
        [
            [
                load.name, f"{middle(sqlite, 'rate'):,.0f}", f"{middle(sqlite, 'cpu'):,.0f}",
                f"{middle(alone, 'rate'):,.0f}", f"{middle(alone, 'cpu'):,.0f}", f"{middle(alone, 'all'):,.0f}", count,
                f"{middle(several, 'rate'):,.0f}", f"{middle(several, 'all'):,.0f}",
                " / ".join(f"{middle(row, 'p99'):.1f}" for row in (sqlite, alone, several)),
                f"{sum(row['bad'] for row in sqlite + alone + several)}",
            ]
            for load, count, (sqlite, alone, several) in zip(loads, statements, rows)
        ],
    )
    return sum(row["bad"] for kept in rows for kind in kept for row in kind)


def ratio(rows, others, figure):
    return f"{middle(rows, figure) / middle(others, figure):.2f}"


def small_and_large(work, options, scratch):
    """What reads events, with 10,000 and with 1,000,000 of them, three times as many activities, and half as many
    attendances. Gives how many answers were wrong."""
    few, many = (Town(scratch / f"data-{events}", work, events) for events in (10_000, 1_000_000))
    pairs = [
        [(town, Load(name, getattr(town, requests), UNCACHED)) for town in (few, many)]
        for name, requests in (
            ("`/events?city=…`", "feeds"), ("`/events?q=…`", "finds"),
            ("`/events?near=…&from=…&to=…&age=6`", "near"), ("`/events/map?city=…`", "maps"),
            ("`/events/{id}`", "details"), ("`/events/for-you`, signed in", "suggestions"),
            ("`/events/{id}` with 200 activities", "programs"), ("`/week`, signed in, full", "weeks"),
        )
    ]
    rows = rounds(sum(pairs, []), options, scratch)
    conditions(options)
    lines = []
    for (pair, small, large) in zip(pairs, rows[::2], rows[1::2]):
        lines.append([
            pair[0][1].name, *(f"{middle(row, 'p99'):.2f}" for row in (small, large)), ratio(large, small, "p99"),
            *(f"{middle(row, 'cpu'):,.0f}" for row in (small, large)), ratio(large, small, "cpu"),
        ])
    table(
        ["load", "p99 ms, 10,000", "p99 ms, 1,000,000", "÷", "CPU µs, 10,000", "CPU µs, 1,000,000", "÷"], lines)
    return sum(one["bad"] for row in rows for one in row)


def timeline_loads(town, posts):
    return [
        Load(name, lambda _, lines=lines: [("GET", path, cookie, "") for path, cookie in lines], UNCACHED)
        for name, lines in timeline.loads(town, posts).items()
    ]


def crowded(work, options, scratch):
    """What the rest of the site answers when it is as full as a county makes it. Gives how many answers were wrong."""
    town = Town(scratch / "data-crowded", work, options.events)
    posts, likes = (1_000_000, 5_000_000) if options.large else (100_000, 500_000)
    began = time.monotonic()
    timeline.fill(town.database, posts, likes, accounts=4_000)
    say(f"Wrote {posts:,} posts and {likes:,} likes in {time.monotonic() - began:.0f} s")
    loads = [(town, load) for load in timeline_loads(town, posts)]
    rows = rounds(loads, options, scratch)
    conditions(options)
    print(f"{posts:,} posts, {likes:,} likes")
    table(
        ["load", "requests/s", "CPU µs a request", "p50 ms", "p99 ms", "peak MB"],
        [
            [
                load.name, *(f"{middle(row, figure):,.0f}" for figure in ("rate", "cpu")),
                *(f"{middle(row, figure):.2f}" for figure in ("p50", "p99")), f"{middle(row, 'memory'):.0f}",
            ]
            for (_, load), row in zip(loads, rows)
        ])
    return sum(one["bad"] for row in rows for one in row)


# Beside another revision


@contextmanager
def using(one):
    """Whatever is started meanwhile is this program."""
    before = os.environ.get("VILLAGE_PROGRAM")
    os.environ["VILLAGE_PROGRAM"] = str(one)
    try:
        yield
    finally:
        os.environ.pop("VILLAGE_PROGRAM")
        if before is not None:
            os.environ["VILLAGE_PROGRAM"] = before


def compared(folder, work, options):
    """The town of which a comparison asks, and its loads: (town, load) pairs."""
    if options.pets:
        town = PetTown(folder, work)
        return [(town, load) for load in pet_loads(town)]
    if options.helping:
        town = HelpTown(folder, work, options.helping)
        return [(town, load) for load in help_loads(town)]
    if options.kindness:
        town = KindTown(folder, work)
        return [(town, load) for load in kind_loads(town)]
    town, posts = Town(folder, work, options.events), options.events
    timeline.fill(town.database, posts, 5 * posts, accounts=max(2_000, options.events // 50))
    return [(town, load) for load in site_loads(town) + timeline_loads(town, posts)]


def compare(work, options, scratch):
    """The same loads on another program and on this one, each in turn. Gives whether this one is worse in anything, or
    answered wrongly."""
    programs = [options.compare_program.resolve(), program()]
    places = [work / "beside", work]
    if not programs[0].is_file():
        raise SystemExit(f"There is no program {programs[0]}.")
    pairs = []
    for number, (one, place) in enumerate(zip(programs, places)):
        with using(one):
            pairs.append(compared(scratch / f"data-{number}", place, options))
    rows = [([], []) for _ in pairs[0]]

    def measure_in_turn(kept, *both):
        for turn in range(options.rounds):
            # Neither is always the one that finds a warm machine.
            for number in (0, 1) if turn % 2 == 0 else (1, 0):
                with using(programs[number]):
                    kept[number].append(measure(*both[number], options, scratch))
            say(f"{both[1][1].name:42} " + "  →  ".join(
                "{rate:9,.0f}/s {cpu:6.0f} µs {memory:4.0f} MB  bad {bad}".format(**row[-1]) for row in kept))

    for row in zip(rows, *pairs):
        measure_in_turn(*row)
    # What the machine did beside may look like a fall, but hardly in twice as many rounds.
    for row, load in zip(zip(rows, *pairs), (load for _, load in pairs[1])):
        if not load.beside and comparison.judge(load.name, *row[0])[0]:
            say(f"Worse, so measured again: {load.name}")
            measure_in_turn(*row)
    loads = [load for _, load in pairs[1]]
    conditions(options)
    name = options.compare_name or programs[0]
    print(f"{name} → now, each with a town of its own; ± is the median of the rounds' changes")
    lines, worse, better, wrong = [], [], [], 0
    for load, (before, after) in zip(loads, rows):
        wrong += sum(row["bad"] for row in after)
        if any(row["bad"] for row in before):
            # The other revision doesn't know it, or not in this way.
            better.append(f"{load.name}: wrong answers before")
        elif not load.beside:
            found = comparison.judge(load.name, before, after)
            worse, better = worse + found[0], better + found[1]
        cells = [load.name]
        for figure, pattern in (("rate", "{:,.0f}"), ("cpu", "{:,.0f}"), ("p99", "{:.2f}"), ("memory", "{:.0f}")):
            cells.append(" → ".join(pattern.format(middle(kept, figure)) for kept in (before, after)))
            difference = comparison.change(*([row[figure] for row in kept] for kept in (before, after)))
            cells.append("" if difference is None else f"{difference:+.0%}")
        lines.append([*cells, f"{sum(row['bad'] for row in after)}"])
    table(["load", "requests/s", "±", "CPU µs a request", "±", "p99 ms", "±", "peak MB", "±", "bad"], lines)
    # A start has nothing to do with its load: a round has the median of them.
    starts = [
        [{"start": statistics.median(kept[number][turn]["start"] for kept in rows)} for turn in range(options.rounds)]
        for number in (0, 1)
    ]
    found = comparison.judge("start to first page", *starts, figures=["start"])
    worse, better = worse + found[0], better + found[1]
    print("\n" + comparison.described("start", *([row["start"] for row in kept] for kept in starts)))
    for word, said in (("Worse", worse), ("Better", better)):
        print(f"\n{word} by more than {comparison.TOLERANCE:.0%}: " + (f"{len(said)}" if said else "nothing"))
        print("\n".join(f"- {line}" for line in said))
    sys.stdout.flush()
    if wrong:
        say(f"{wrong} answers were wrong: the figures say nothing.")
    return bool(worse) or wrong > 0


# Beside others


NGINX = """
daemon off;
pid {folder}/nginx-village.pid;
error_log {folder}/nginx-village.log;
worker_processes 2;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  sendfile on; tcp_nopush on; keepalive_requests 1000000; open_file_cache max=100;
  default_type "text/html; charset=utf-8";
  client_body_temp_path {folder}/nginx-body; proxy_temp_path {folder}/nginx-proxy;
  fastcgi_temp_path {folder}/nginx-fcgi; uwsgi_temp_path {folder}/nginx-uwsgi; scgi_temp_path {folder}/nginx-scgi;
  server {{
    listen 127.0.0.1:{port};
    location = /feed {{ root {folder}/static; try_files /village-feed.html =404; }}
    location = /event {{ root {folder}/static; try_files /village-event.html =404; }}
  }}
}}
"""


def beside_peers(town, work, options):
    """The site in the peers' own table: uncached beside all of them, and from the page cache beside nginx.

    `nginx-village` is nginx that sends as many bytes as the site does, from a file.
    """
    harness = [SHARED / "peers" / "bench.sh", "--work", work / "peers"]
    say("Building the peers; the first time takes several minutes")
    subprocess.run([*harness, "build"], check=True, stdout=sys.stderr)
    static = work / "peers" / "static"
    static.mkdir(exist_ok=True)
    with Site(data=town.folder, **UNCACHED) as site:
        site.start()
        for name, path in (("feed", town.feeds(0)[20][1]), ("event", "/events/1")):
            (static / f"village-{name}.html").write_text(Visitor(site).get(path).text)
    port = 9070
    conf = work / "peers" / "nginx-village.conf"
    conf.write_text(NGINX.format(folder=work / "peers", port=port))
    quoted = shlex.quote(str(conf))
    for name, settings, peers, loads in (
        ("village", UNCACHED, ["nginx-static", "go-code", "go", "hummingbird-mustache-grdb-dict", "php-fpm", "flask",
                               "django"], ["feed", "detail", "register"]),
        ("village-page-cache", {}, ["nginx-static"], ["feed", "detail"]),
    ):
        site = Site(data=town.folder, VILLAGE_PUBLIC_URL=f"http://127.0.0.1:{port}", **settings)
        variables = {key: value for key, value in site.environment.items() if key.startswith("VILLAGE_")}
        command = ["env", *(f"{key}={value}" for key, value in variables.items() if key != "VILLAGE_PORT")]
        serve = shlex.join([*command, "VILLAGE_PORT=@PORT@", str(program()), "serve"]).replace("@PORT@", "{port}")
        printed = subprocess.run(
            [*harness, "--port", str(port), "run", *peers, "--loads", *loads, "--rounds", str(options.rounds),
             "--warm", str(options.warm), "--seconds", str(options.seconds), "--extra",
             f"nginx-village=nginx -c {quoted}", "--site", f"{name}={serve}", "--site-ready", "/events/1"],
            cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True,
        ).stdout
        # nginx registers nobody.
        print("\n".join(line for line in printed.splitlines() if not line.startswith("| nginx-village | register")))
        sys.stdout.flush()


def engines(work, others):
    """The template engine in this process alone: ours, and the others where they can be built."""
    ours = program().parent / "TemplateBench"
    folder = SHARED / "templates"
    fortunes = [folder / "fortunes.txt"] if folder.is_dir() else []
    commands = [("Village", [[ours, *fortunes]])] if ours.is_file() else []
    if not commands:
        say("TemplateBench is not built beside the program, and left out")
    if others and fortunes:
        go, swift = work / "templates-go", work / "templates-swift"
        if not swift.exists():
            shutil.copytree(folder / "swift", swift)
            subprocess.run(["chmod", "-R", "u+w", swift], check=True)
        commands += [
            ("Go", [["go", "build", "-o", go, "."], [go, *fortunes]]),
            ("Jinja2 and Django", [[work / "peers/venv/bin/python", folder / "python/bench.py", *fortunes]]),
            ("Node", [["node", folder / "js/bench.js", *fortunes]]),
            ("PHP", [["php", folder / "php/bench.php", *fortunes]]),
            ("swift-mustache and Stencil", [
                ["swift", "build", "-c", "release", "--package-path", swift, "--quiet"],
                [swift / ".build/release/TemplateBench", *fortunes],
            ]),
        ]
    lines = []
    for name, steps in commands:
        say(f"Template engine: {name}")
        try:
            for step in steps:
                done = subprocess.run(
                    step, cwd=folder / "go" if name == "Go" else None, check=True, stdout=subprocess.PIPE, text=True,
                    env=os.environ | {"GO111MODULE": "off", "GOCACHE": str(work / "gocache")},
                )
            lines += [line.split("\t") for line in done.stdout.splitlines() if line.count("\t") == 6]
        except (OSError, subprocess.CalledProcessError) as error:
            say(f"left out: {error}")
    if not lines:
        return
    # Of a shared machine the best batch tells most.
    lines.sort(key=lambda line: (int(line[1]), float(line[4])))
    table(
        ["template engine", "rows", "bytes", "µs a drawing, median", "best", "MB/s, best", "spread"],
        [[*line[:5], f"{int(line[2]) / float(line[4]):,.0f}", line[6]] for line in lines],
    )


def main():
    parser = argparse.ArgumentParser(prog="deploy/bench", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="2 s × 2 rounds, without the peers")
    parser.add_argument("--events", type=int, default=100_000, help="how many to seed (default: 100,000)")
    parser.add_argument("--work", type=Path, help="a folder that keeps seeded data and built peers for the next time")
    parser.add_argument(
        "--large", action="store_true", help="also compare 10,000 with 1,000,000 events; ten times the posts")
    parser.add_argument("--pets", action="store_true", help="only the play dates of 200,000 pets")
    parser.add_argument(
        "--helping", type=int, nargs="?", const=200_000, metavar="N", help="only ways to help, 200,000 of them or N")
    parser.add_argument("--kindness", action="store_true", help="only kind acts and needs, of 100,000 members")
    parser.add_argument(
        "--county", action="store_true", help="only the same town on SQLite, PostgreSQL, and three nodes of it")
    parser.add_argument("--no-peers", action="store_true", help="leave the servers and engines of others out")
    parser.add_argument(
        "--compare-program", type=Path, metavar="PATH", help="only this program beside another that is built")
    parser.add_argument("--compare-name", metavar="NAME", help="what the other is called in the table")
    options = parser.parse_args()
    # So that an end from outside ends the servers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    options.warm, options.seconds, options.rounds = (1, 2, 2) if options.quick else (2, 5, 3)
    peers = not (options.quick or options.no_peers)
    with tempfile.TemporaryDirectory(prefix="village-bench-") as scratch:
        scratch = Path(scratch)
        # Others' servers run as somebody else, who must find their files.
        scratch.chmod(0o755)
        work = options.work.resolve() if options.work else scratch / "work"
        work.mkdir(parents=True, exist_ok=True)
        if options.compare_program:
            options.rounds = 3
            return 1 if compare(work, options, scratch) else 0
        if options.pets:
            return 1 if pets(work, options, scratch) else 0
        if options.helping:
            return 1 if helping(options.helping, work, options, scratch) else 0
        if options.kindness:
            return 1 if kindness(work, options, scratch) else 0
        town = Town(scratch / "data", work, options.events)
        if options.county:
            return 1 if county(town, options, scratch) else 0
        bad = the_site(town, options, scratch) + crowded(work, options, scratch) + pets(work, options, scratch)
        bad += helping(20_000 if options.quick else 200_000, work, options, scratch)
        bad += kindness(work, options, scratch)
        if options.large:
            bad += small_and_large(work, options, scratch)
        if peers and SHARED.is_dir():
            beside_peers(town, work, options)
        else:
            say("Without the servers of others" + ("" if SHARED.is_dir() else f": there is no {SHARED.name} of theirs"))
        engines(work, peers)
    if bad:
        say(f"{bad} answers were wrong: the figures say nothing.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
