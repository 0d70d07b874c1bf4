"""Three nodes on one PostgreSQL server behind HAProxy, as deploy/county starts them: one is killed, one stands still,
the server restarts; nothing that was acknowledged is lost, nothing is oversold, and what one node stores the others
show.

A twin takes one protection away, on the server and while the released program runs: see `WITHOUT`."""

import json
import random
import re
import signal
import statistics
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from county_under_test import NODES, CountyUnderTest
from crowd import Caller, Load, event_form, expect, gather, host, publish
from outside import Outside
from prove_race import at_once, winners
from site_under_test import Visitor

VISITORS, FAMILIES = 200, 48


def at_each_write(words):
    """What the server does besides, whenever a node begins a write or stores one: both change `village_turn`."""
    return f"""
        CREATE FUNCTION twin() RETURNS trigger LANGUAGE plpgsql AS $twin$ BEGIN {words} RETURN NEW; END $twin$;
        CREATE TRIGGER twin BEFORE UPDATE ON village_turn FOR EACH ROW EXECUTE FUNCTION twin();"""


# So much longer a node has the turn: there is always one that writes, and the others stand in line.
LONG = "IF NEW.version = OLD.version THEN PERFORM pg_sleep(0.02); END IF;"

# What is taken away, and the statements of the tables' owner that do it.
WITHOUT = {
    "the quick turn": at_each_write(LONG),
    # As if twenty statements waited 0.3 ms each on their way to a server on another machine.
    "the near server": """
        CREATE FUNCTION twin() RETURNS trigger LANGUAGE plpgsql AS $twin$ BEGIN
            PERFORM pg_sleep(0.006);
            RETURN NEW;
        END $twin$;
        CREATE TRIGGER twin BEFORE INSERT OR UPDATE ON registration FOR EACH ROW EXECUTE FUNCTION twin();""",
    # A view in the place of the row, changed without a lock: all write at once. Its number still rises.
    "the turn": """
        CREATE SEQUENCE turns MINVALUE 0;
        SELECT setval('turns', version) FROM village_turn;
        ALTER TABLE village_turn RENAME TO turn_before;
        CREATE VIEW village_turn AS SELECT TRUE AS is_one, pg_sequence_last_value('turns') AS version;
        CREATE FUNCTION twin() RETURNS trigger LANGUAGE plpgsql AS $twin$ BEGIN
            IF NEW.version <> OLD.version THEN NEW.version := nextval('turns'); END IF;
            RETURN NEW;
        END $twin$;
        CREATE TRIGGER twin INSTEAD OF UPDATE ON village_turn FOR EACH ROW EXECUTE FUNCTION twin();""",
    # The number that nodes ask for stays as it is, whatever is stored.
    "the version": at_each_write("NEW.version := OLD.version;"),
    # A write that its node began and leaves alone keeps the turn for ever.
    "the server's impatience": at_each_write(
        f"{LONG} PERFORM set_config('idle_in_transaction_session_timeout', '0', TRUE);"),
    # The server says yes before it is on the disk.
    "the wait for the disk": at_each_write("PERFORM set_config('synchronous_commit', 'off', TRUE);"),
    # Nobody hears what became of a COMMIT whose answer was lost.
    "the server's word": "REVOKE EXECUTE ON FUNCTION pg_xact_status(xid8) FROM PUBLIC",
}


class County(CountyUnderTest):
    """A county whose protections can be taken away, and whose data can be checked."""

    def without(self, protection):
        """Takes one protection away."""
        self.sql(WITHOUT[protection])

    def check(self, families):
        """Fails when the data is damaged, or isn't as these families were told."""
        with tempfile.TemporaryDirectory(prefix="village-long-") as folder:
            copy = Path(folder) / "copy.sqlite"
            self.run("migrate", "--to-sqlite", copy)
            with Outside(copy) as outside:
                outside.check(families)


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


def crowd(county, events=5, count=FAMILIES):
    """The families of a county that is running, and the events they register at."""
    families, provider = gather(county, count)
    return families, [publish(provider, f"County{number}") for number in range(events)]


def counted(load):
    return len(load.cut) + sum(load.refused.values())


def shaken(shake, times, without=None):
    """Shakes one node of three after the other under load: the longest gaps, how many requests failed, and how many
    were answered. Nothing acknowledged may be lost."""
    gaps, failures, answered = [], [], 0
    with County() as county:
        families, events = crowd(county, count=VISITORS)
        if without:
            county.without(without)
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
    return gaps, failures, answered


def killed():
    """kill -9 of one node of three under load: only its requests in flight fail, and nothing acknowledged is lost"""

    def kill(node):
        node.signal(signal.SIGKILL)
        time.sleep(1.5)

    gaps, failures, answered = shaken(kill, 30)
    # No visitor has more than one request in flight, and about a third of them are at that node.
    expect(max(failures) <= VISITORS / NODES, f"{max(failures)} requests failed at once.")
    expect(max(gaps) < 1, f"Nothing was stored for {max(gaps):.2f} s after a kill.")
    return (
        f"{len(gaps)} kills, {answered} answers, {statistics.mean(failures):.1f} failed a kill (at most "
        f"{max(failures)}); without an answer for {1000 * statistics.median(gaps):.0f} ms, at most "
        f"{1000 * max(gaps):.0f} ms"
    )


def stop(node):
    node.signal(signal.SIGSTOP)
    time.sleep(6)
    node.signal(signal.SIGCONT)
    time.sleep(1)


def stopped():
    """A node that stands still in the middle of a write holds the others up for 3 s at most, and is harmless awake"""
    gaps, failures, answered = shaken(stop, 10, without="the quick turn")
    # As after a kill, and those that came to it while it stood.
    expect(max(failures) <= VISITORS / NODES * 2, f"{max(failures)} requests failed at once.")
    expect(max(gaps) < 3, f"Nothing was stored for {max(gaps):.2f} s.")
    return (
        f"{len(gaps)} stops, {answered} answers, {statistics.mean(failures):.1f} failed a stop (at most "
        f"{max(failures)}); without an answer for {statistics.median(gaps):.1f} s, at most {max(gaps):.1f} s"
    )


def waited_for():
    """The twin: where the server is patient with a node that stands still in a write, nobody else stores anything"""
    gaps, _, _ = shaken(stop, 5, without="the server's impatience")
    expect(max(gaps) > 3, f"The others stored again after {max(gaps):.2f} s.")
    return f"without a write stored for {max(gaps):.1f} s"


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


# Ends a thousand connections between COMMIT and its answer: what was stored waits for a standby that isn't there.
CUTS = """
DO $cuts$
DECLARE
    wanted INTEGER := 1000;
    last TIMESTAMPTZ := clock_timestamp() + '300 s';
    ended INTEGER;
BEGIN
    WHILE wanted > 0 LOOP
        IF clock_timestamp() > last THEN RAISE EXCEPTION 'Too few commits in 300 s.'; END IF;
        PERFORM pg_sleep(0.001);
        PERFORM pg_stat_clear_snapshot();
        SELECT count(*) FILTER (WHERE pg_terminate_backend(pid, 2000)) INTO ended FROM pg_stat_activity
        WHERE usename = 'serving' AND wait_event = 'SyncRep';
        wanted := wanted - ended;
    END LOOP;
END $cuts$"""


def unanswered(county, families, events, count):
    """Ends so many connections whose COMMIT was carried out and not answered, under load."""
    county.set("synchronous_standby_names", "nobody")
    with Load(families, events) as load:
        try:
            county.sql(CUTS.replace("1000", str(count)))
        finally:
            # Else the last ones would wait for ever.
            county.set("synchronous_standby_names")
    county.start()
    return load


def asked():
    """A connection ends between COMMIT and its answer, 1,000 times: the node asks the server, and nobody notices"""
    with County() as county:
        families, events = crowd(county)
        load = unanswered(county, families, events, 1000)
        expect(not load.refused and not load.cut, f"Refused: {load.refused}, {len(load.cut)} cut")
        county.check(families)
    return f"1000 connections ended, {len(load.times)} answers, none refused, none lost"


def unasked():
    """The twin: a node that can't ask what became of a COMMIT refuses what was stored"""
    with County() as county:
        families, events = crowd(county)
        county.without("the server's word")
        load = unanswered(county, families, events, 20)
        expect(load.refused, "Nothing was refused, though nobody knew what was stored.")
    return f"20 connections ended, refused: {load.refused}"


def forgotten():
    """The twin: a server that says yes before its disk has it loses what was acknowledged, and the check sees it"""
    with County() as county:
        families, events = crowd(county)
        county.without("the wait for the disk")
        county.set("wal_writer_delay", "10s")
        for number in range(1, 11):
            try:
                with Load(families, events, rate=300):
                    time.sleep(0.5)
                    county.restart("immediate")
                    county.start()
                county.check(families)
            except AssertionError as error:
                # What is lost is missing in the rows, or can't be given back; who gave it back has it again.
                if any(words in str(error) for words in ("acknowledged", "answered 404", "answered 303 /events/")):
                    return f"seen after {number} restarts: {error}"
                raise
    raise AssertionError("Nothing was lost in 10 restarts.")


RACERS, PLACES = 500, 20


def raced():
    """500 families want the last 20 places of an event on three nodes at once: exactly 20 have one, each time"""
    rounds, spans = 30, []
    with County() as county:
        families, _ = crowd(county, events=0, count=RACERS)
        for number in range(1, rounds + 1):
            event = publish(host(county, number), f"Race{number}", PLACES)
            for place, family in enumerate(families):
                family.close()
                family.place = None
                family.site = county.nodes[place % NODES]
            began = time.monotonic()
            replies, _ = at_once([(family, family.registration(event)) for family in families])
            spans.append(time.monotonic() - began)
            expect(len(winners(replies)) == PLACES, f"Round {number}: not {PLACES} were registered.")
            taken = county.sql(f"SELECT taken FROM event WHERE id = {event}")
            rows = county.sql(
                f"SELECT count(DISTINCT child_id) FROM registration_person WHERE event_id = {event} "
                "AND cancelled_at IS NULL")
            expect(taken == rows == str(PLACES), f"Round {number}: {taken} places are taken by {rows} children.")
        county.check(families)
    return f"{rounds} rounds, all answered within {statistics.median(spans):.2f} s (median), {max(spans):.2f} at most"


POSTS, PLAN, HOSTS = 30, 10, 12


def posted(county):
    """How many events each of some providers has after they posted more than their plan has, on all nodes at once.

    Places are counted by the statement that takes them, and the table refuses more than there are. What a plan has
    left is read first: the turn alone keeps two from reading the same.
    """
    counts = []
    for number in range(1, HOSTS + 1):
        provider = Visitor(county).log_in(f"provider-{number}")
        forms = []
        for post in range(POSTS):
            caller = Caller(provider)
            caller.site = county.nodes[post % NODES]
            forms.append((caller, caller.form("/events/new", event_form(f"Plan{number}x{post}", 20))))
        at_once(forms)
        counts.append(int(county.sql(f"SELECT count(*) FROM event WHERE title LIKE 'Plan{number}x%'")))
        for caller, _ in forms:
            caller.close()
        provider.close()
    return counts


def planned():
    """30 events of one provider on three nodes at once, with a plan of 10: exactly 10 are published, each time"""
    with County() as county:
        gather(county, 1)
        counts = posted(county)
        county.check([])
    expect(set(counts) == {PLAN}, f"Published: {counts}")
    return f"{HOSTS} providers, {POSTS} events at once each"


def unturned():
    """The twin: without the turn a plan is oversold"""
    with County() as county:
        gather(county, 1)
        county.without("the turn")
        counts = posted(county)
    expect(max(counts) > PLAN, f"Published: {counts}")
    return f"published of {PLAN}: {counts}"


def carried():
    """Registrations that one node, three nodes, and three with a server 0.3 ms away store: 50 a second at least"""
    with County() as county:
        families, events = crowd(county, count=VISITORS)

        def rate(place):
            for number, family in enumerate(families):
                family.close()
                family.site = place(number)
            began = time.monotonic()
            with Load(families, events) as load:
                time.sleep(15)
            expect(not load.refused and not load.cut, f"Refused: {load.refused}, {len(load.cut)} cut")
            return load.served / (time.monotonic() - began)

        rates = [rate(lambda _: county.nodes[0]), rate(lambda number: county.nodes[number % NODES])]
        county.without("the near server")
        rates.append(rate(lambda number: county.nodes[number % NODES]))
        county.check(families)
    expect(min(rates) >= 50, f"A second: {rates}")
    return "{:.0f}, {:.0f} and {:.0f} a second".format(*rates)


class Stream:
    """A page of a visitor that stays open at a node, and is told of what is new."""

    def __init__(self, node, visitor):
        self.caller = Caller(visitor)
        self.caller.site = node
        self.caller.send(self.caller.page("/stream"))

    def next(self):
        """Waits for the next event, and gives what it says."""
        while not (found := re.search(rb"data: (\{.*?\})\n\n", self.caller.rest)):
            self.caller.receive()
        self.caller.rest = self.caller.rest[found.end():]
        return json.loads(found[1])

    def close(self):
        self.caller.close()


def shown(without=None):
    """What one node stores, looked for on the others: the times until a stranger and a stream had it."""
    strangers, streams = [], []
    with County() as county:
        _, provider = gather(county, 2)
        event = publish(provider, "Before")
        if without:
            county.without(without)
        here, there, yonder = county.nodes
        provider.close()
        provider.connection.port = here.port
        stranger, elsewhere = Visitor(there), Visitor(yonder)
        elsewhere.jar = provider.jar
        for turn in range(40):
            words = f"Turn {turn} of it"
            # From here on a cached page answers.
            stranger.get(f"/events/{event}")
            # A form that one node drew and another one takes.
            drawn = re.search(r'name="drawn" value="([^"]+)"', elsewhere.get(f"/events/{event}/edit").text)[1]
            answer = provider.post(f"/events/{event}/edit", event_form(words, 100) | {"drawn": drawn})
            began = time.monotonic()
            expect(answer.status == 303, f"The change was refused: {answer.status}")
            page = elsewhere.get(f"/events/{event}")
            expect(page.status == 200, f"The member's next page was none: {page.status}")
            expect(words in page.text, "The member's next page was the old one.")
            while words not in stranger.get(f"/events/{event}").text:
                expect(time.monotonic() < began + 1, "A stranger read the old page for more than 1 s.")
                time.sleep(0.005)
            strangers.append(time.monotonic() - began)
        stream = Stream(yonder, provider)
        unread = stream.next()["unread"]
        # As many as the plan has left; the publisher is told of each.
        for turn in range(PLAN - 1):
            publish(provider, f"After{turn}")
            began = time.monotonic()
            while (news := stream.next()["unread"]) == unread:
                pass
            unread = news
            streams.append(time.monotonic() - began)
        stream.close()
    return strangers, streams


def seen():
    """What one node stores, another shows at once to the same member, and within 1 s to strangers and open streams"""
    strangers, streams = shown()
    expect(max(streams) < 1, f"An open page was told after {max(streams):.2f} s.")
    return "; ".join(
        f"{len(times)} times {whom} after {1000 * statistics.median(times):.0f} ms, at most {1000 * max(times):.0f} ms"
        for whom, times in (("a stranger", strangers), ("a stream", streams))
    )


def unheard():
    """The twin: where a write doesn't raise the number that nodes ask for, a stranger reads the old page"""
    try:
        shown(without="the version")
    except AssertionError as error:
        expect("A stranger read the old page" in str(error), str(error))
        return str(error)
    raise AssertionError("The others heard of it all the same.")


def tables(path):
    """All rows of a town's file, by table; what a full-text index is made of is left out."""
    with Outside(path) as town:
        virtual = [name for (name,) in town.rows("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%'")]
        names = [name for (name,) in town.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        own = [
            name for name in names
            # Counts against guessing stay behind: the server empties them when it starts.
            if name != "rate_count" and not name.startswith("sqlite_")
            and not any(name == index or name.startswith(f"{index}_") for index in virtual)
        ]
        return {name: sorted(map(repr, town.rows(f'SELECT * FROM "{name}"'))) for name in own}


def moved():
    """The demo town's rows, moved to a server and back, are the same; a row that is changed there is seen

    Of the pictures and the key of the site nothing is said here.
    """
    with County() as county, tempfile.TemporaryDirectory(prefix="village-long-") as scratch:
        folder, back, changed = (Path(scratch) / name for name in ("town", "back.sqlite", "changed.sqlite"))
        at_home = county.environment | {"VILLAGE_DATA": str(folder)}
        del at_home["VILLAGE_DATABASE_URL"]
        there = county.environment | {
            "VILLAGE_DATABASE_URL": county.environment["VILLAGE_DATABASE_URL"].replace("@/village?", "@/moved?")}
        county.sql("CREATE DATABASE moved ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0")

        def village(environment, *command):
            county.environment, before = environment, county.environment
            try:
                return county.run(*command)
            finally:
                county.environment = before

        village(at_home, "seed", "--demo")
        began = time.monotonic()
        village(there, "migrate", "--from-sqlite", folder)
        took = time.monotonic() - began
        village(there, "migrate", "--to-sqlite", back)
        first, second = tables(folder / "village.sqlite"), tables(back)
        different = [name for name in first | second if first.get(name) != second.get(name)]
        expect(not different, f"Other than before: {different}")
        with Outside(back) as town:
            town.check()
        # The twin.
        county.server(
            "psql", "-h", county.folder / "postgresql", "-U", "village", "-d", "moved", "-qc",
            "UPDATE account SET username = username || 'x' WHERE id = (SELECT max(id) FROM account)")
        village(there, "migrate", "--to-sqlite", changed)
        expect(tables(changed) != first, "A row was changed, and nobody saw it.")
    return f"{sum(map(len, first.values()))} rows of {len(first)} tables, there in {took:.1f} s"


PROOFS = [
    killed, stopped, waited_for, restarted, forgotten, asked, unasked, raced, planned, unturned, carried, seen, unheard,
    moved,
]
