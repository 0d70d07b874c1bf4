"""Copies are made while people write, and a copy becomes the site again."""

import tempfile
import time
from pathlib import Path

from crowd import Load, expect, gather, publish
from outside import READER, Outside
from site_under_test import Site, Visitor

COPIES, RATE, WEIGHT = 30, 200, 10_000
# How many events make a gigabyte.
EVENTS, GIGABYTE = 500_000, 1_000_000_000


def books(families):
    """What families were told up to now: the registrations they made, and those of them that they gave back."""
    made, given_back = set(), set()
    for family in families:
        for number, stands in list(family.books.items()):
            made.add(number)
            if not stands:
                given_back.add(number)
    return made, given_back


def while_writing():
    """`village backup` at 200 writes a second: no write fails, each copy is whole and has what was acknowledged"""
    took = []
    with Site() as site, tempfile.TemporaryDirectory(prefix="village-long-") as scratch:
        families, provider = gather(site, 20, WEIGHT)
        events = [publish(provider, f"Copy{number}") for number in range(3)]
        began = time.monotonic()
        with Load(families, events, RATE) as load:
            for number in range(COPIES):
                made, given_back = books(families)
                file = Path(scratch) / f"copy{number}.sqlite"
                start = time.monotonic()
                site.run("backup", file)
                took.append(time.monotonic() - start)
                with Outside(file) as outside:
                    outside.check()
                    stored = dict(outside.rows("SELECT id, state = 'confirmed' FROM registration"))
                expect(made <= stored.keys(), "The copy lacks a registration that was acknowledged before.")
                expect(not any(stored[one] for one in given_back), "The copy has a place that was given back before.")
        size = file.stat().st_size
        rate = len(load.times) / (time.monotonic() - began)
        expect(not load.refused and not load.cut, f"Writes failed: {load.refused}, {len(load.cut)} cut")
        with Outside(site.data / "village.sqlite") as outside:
            outside.check(families)
    return (
        f"{COPIES} copies of {size / 1e6:.0f} MB beside {len(load.times)} writes ({rate:.0f} a second), a copy within "
        f"{max(took):.2f} s, the slowest write {1000 * max(load.times):.0f} ms; {READER}"
    )


def restored():
    """A copy of a gigabyte is checked and in the site's place within 120 s; what came after it is gone"""
    with Site() as site, tempfile.TemporaryDirectory(prefix="village-long-") as scratch:
        expect("restore" in site.run("--help"), "The program has no `restore`.")
        site.run("seed", "--families", 3_000, "--providers", 100, "--events", EVENTS, "--registrations", EVENTS)
        site.start(within=60)
        file = Path(scratch) / "copy.sqlite"
        began = time.monotonic()
        site.run("backup", file)
        copying = time.monotonic() - began
        size = file.stat().st_size
        expect(size >= GIGABYTE, f"The copy has only {size / 1e6:.0f} MB.")
        later = publish(Visitor(site).log_in("provider-1"), "After the copy")
        site.stop()
        began = time.monotonic()
        site.run("restore", file)
        restoring = time.monotonic() - began
        starting = site.start(within=60)
        expect(restoring + starting <= 120, f"It took {restoring + starting:.0f} s until the site was there again.")
        stranger = Visitor(site)
        expect(stranger.get(f"/events/{later}").status == 404, "The event of after the copy is still there.")
        expect(stranger.get(f"/events/{EVENTS}").status == 200, "The last event of the copy isn't there.")
        with Outside(site.data / "village.sqlite") as outside:
            expect(outside.value("SELECT count(*) FROM event") == EVENTS, "The events are not those of the copy.")
            outside.check()
    return (
        f"{size / 1e9:.2f} GB copied and checked in {copying:.0f} s, back in place in {restoring:.0f} s, "
        f"ready {starting:.1f} s later"
    )


PROOFS = [while_writing, restored]
