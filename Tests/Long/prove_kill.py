"""The process is killed at any moment: what was acknowledged is there, nothing is half done, and the site is back."""

import random
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import apsw

from crowd import Load, expect, gather, publish
from outside import READER, Outside, copy
from site_under_test import Site

KILLS, FAMILIES, WITHIN = 200, 32, 2.0


def killed():
    """kill -9 under concurrent registrations: all that was acknowledged stays, nothing is half done, back within 2 s"""
    starts, doubtful, answered = [], 0, 0
    with Site() as site, tempfile.TemporaryDirectory(prefix="village-long-") as scratch:
        families, provider = gather(site, FAMILIES)
        events = [publish(provider, f"Kill{number}") for number in range(5)]
        for number in range(1, KILLS + 1):
            with Load(families, events) as load:
                time.sleep(random.uniform(0.02, 0.3))
                site.kill()
            answered += len(load.times)
            doubtful += len(load.cut)
            expect(not load.refused, f"Requests were refused: {load.refused}")
            # A copy is examined: the original is the program's to mend.
            with Outside(copy(site.data, Path(scratch))) as outside:
                outside.check(families)
            starts.append(site.start())
            expect(starts[-1] <= WITHIN, f"After kill {number} it took {starts[-1]:.1f} s until the site was ready.")
        with Outside(site.data / "village.sqlite") as outside:
            outside.check(families)
            rows = outside.value("SELECT count(*) FROM registration")
    return (
        f"{KILLS} kills, {answered} answers, {rows} registrations, {doubtful} requests cut; ready again after "
        f"{1000 * statistics.median(starts):.0f} ms, at most {1000 * max(starts):.0f} ms; {READER}"
    )


DAMAGE = {
    "a child without its row": "DELETE FROM registration_person WHERE id = (SELECT max(id) FROM registration_person)",
    "a place counted twice": "UPDATE event SET taken = taken + 1 WHERE id = 1",
    "a registration that is lost": "DELETE FROM registration WHERE id = (SELECT max(id) FROM registration)",
    "a registration undone": """
        UPDATE registration SET state = 'cancelled' WHERE id = (SELECT max(id) FROM registration WHERE
            state = 'confirmed')""",
    "an event that can't be found": "DELETE FROM event_search",
}


def twin():
    """The twin: an answer before the commit is on the disk, or half a commit, would be seen by the same examination"""
    with Site() as site, tempfile.TemporaryDirectory(prefix="village-long-") as scratch:
        scratch = Path(scratch)
        families, provider = gather(site, FAMILIES)
        events = [publish(provider, "Twin")]
        # Few enough that all of it is still in the log.
        for family in families:
            family.speak(events)
            family.hear()
        site.kill()
        with Outside(copy(site.data, scratch / "sound")) as outside:
            outside.check(families)
        # As if the last commits had not been written before they were acknowledged.
        lost = copy(site.data, scratch / "lost")
        log = lost.with_name("village.sqlite-wal")
        with open(log, "r+b") as file:
            file.truncate(log.stat().st_size * 3 // 4)
        seen("commits that are lost", lost, families)
        torn = copy(site.data, scratch / "torn")
        with open(torn, "r+b") as file:
            file.seek(torn.stat().st_size // 2)
            file.write(bytes(4096))
        torn.with_name("village.sqlite-wal").unlink(missing_ok=True)
        seen("a page that is torn", torn, families)
        for words, sql in DAMAGE.items():
            path = copy(site.data, scratch / "damaged")
            connection = apsw.Connection(str(path))
            connection.execute(sql)
            connection.close()
            seen(words, path, families)
            shutil.rmtree(path.parent)
    return f"{len(DAMAGE) + 2} kinds of damage, all seen"


def seen(words, path, families):
    try:
        with Outside(path) as outside:
            found = outside.problems(families)
    except apsw.Error as error:
        found = [str(error)]
    expect(found, f"The examination overlooked {words}.")


PROOFS = [killed, twin]
