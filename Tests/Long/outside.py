"""A database looked at from outside: by apsw, which brings a SQLite of its own, newer than the program's."""

import shutil
from pathlib import Path

import apsw

READER = f"apsw {apsw.apsw_version()} with SQLite {apsw.sqlite_lib_version()}"

# What no moment may leave behind, each with the words for it.
HALVES = {
    "registrations without a child": """
        SELECT count(*) FROM registration
        WHERE NOT EXISTS (SELECT 1 FROM registration_person WHERE registration_id = registration.id)""",
    "events whose count is not that of their children": """
        SELECT count(*) FROM event WHERE NOT sessions AND taken <> walk_ins + (
            SELECT count(*) FROM registration_person JOIN registration ON registration.id = registration_id
            WHERE registration_person.event_id = event.id AND state = 'confirmed' AND cancelled_at IS NULL
        ) + (SELECT coalesce(sum(offered), 0) FROM registration WHERE event_id = event.id)""",
    "sessions whose count is not that of their people": """
        SELECT count(*) FROM activity WHERE taken <> (
            SELECT count(*) FROM attendance JOIN registration_person AS person ON person.id = person_id
            WHERE activity_id = activity.id AND person.cancelled_at IS NULL)""",
    "events whose count is not that of their sessions": """
        SELECT count(*) FROM event WHERE sessions AND taken <> (
            SELECT coalesce(sum(activity.taken), 0) FROM activity
            WHERE event_id = event.id AND cancelled_at IS NULL)""",
    "registrations whose state is not that of their children": """
        SELECT count(*) FROM registration WHERE (state <> 'cancelled') <> EXISTS (
            SELECT 1 FROM registration_person WHERE registration_id = registration.id AND cancelled_at IS NULL)""",
    "children registered twice": """
        SELECT count(*) FROM (SELECT 1 FROM registration_person WHERE cancelled_at IS NULL AND child_id IS NOT NULL
            GROUP BY event_id, child_id HAVING count(*) > 1)""",
    "events that the search doesn't know": """
        SELECT count(*) FROM event
        WHERE listed AND NOT EXISTS (SELECT 1 FROM event_search WHERE rowid = event.search_key)""",
}


def copy(folder, to):
    """Copies the files of a database that nobody writes to, with its log, and gives the copy's path.

    The original stays as it was left: mending it is the program's own part.
    """
    to.mkdir(parents=True, exist_ok=True)
    for name in ("village.sqlite", "village.sqlite-wal"):
        (to / name).unlink(missing_ok=True)
        if (folder / name).exists():
            shutil.copy(folder / name, to / name)
    (to / "village.sqlite-shm").unlink(missing_ok=True)
    return to / "village.sqlite"


class Outside:
    """One reader, of a copy or beside the running site: `with Outside(path) as outside:`."""

    def __init__(self, path):
        self.connection = apsw.Connection(str(Path(path)), flags=apsw.SQLITE_OPEN_READONLY)
        self.connection.set_busy_timeout(5_000)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def rows(self, sql, *values):
        return self.connection.execute(sql, values).fetchall()

    def value(self, sql, *values):
        return self.rows(sql, *values)[0][0]

    def problems(self, families=()):
        """What is damaged, half done, or not as these families were told."""
        found = [line for (line,) in self.rows("PRAGMA integrity_check") if line != "ok"]
        found += [f"{row[0]} refers to a {row[2]} that isn't there" for row in self.rows("PRAGMA foreign_key_check")]
        for words, sql in HALVES.items():
            if count := self.value(sql):
                found.append(f"{count} {words}")
        if families:
            stored = dict(self.rows("SELECT id, state = 'confirmed' FROM registration"))
            for family in families:
                for number, stands in family.books.items():
                    if number not in stored:
                        found.append(f"registration {number} was acknowledged and isn't there")
                    elif stored[number] != stands and number != family.doubtful:
                        found.append(f"registration {number} is not as it was acknowledged")
        return found

    def check(self, families=()):
        """Fails when there is a problem."""
        if found := self.problems(families):
            raise AssertionError("; ".join(found[:10]))
