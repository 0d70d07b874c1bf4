"""Whatever the people of the demo town can send, sent by others: what belongs to somebody stays as it is.

Four people's pages are walked, and every form on them, with all its numbers, is sent by people whom it isn't for. Each
time the whole database is compared with what it was before.
"""

import hashlib
import re
import secrets
import time
from base64 import urlsafe_b64encode
from urllib.parse import urljoin, urlsplit

import apsw
import html5lib

from crowd import expect
from site_under_test import Site, Visitor

PAGES, ALIKE = 250, 4
# What anybody may do to somebody else's things: then they and their author's inbox change.
PUBLIC = re.compile(
    r"/(posts/#/(like|comments)|events/#/(questions|join|favorite)|needs/#/claims|reports/new|playdates"
    r"|events/#/activities/#/join|opportunities/#/(signups|promises)|providers/[^/]+/follow|kindness/.*"
    r"|providers/[^/]+/reviews)"
)
# What the program keeps for itself, or writes on its own meanwhile.
OWN = {
    "session", "sent_form", "rate_count", "push", "letter", "job", "node", "lease", "note", "word", "tag", "zip", "town",
}
# One's own account and sessions; a form of theirs concerns nobody else.
LEFT_OUT = {
    "/logout", "/hat", "/language", "/me/delete", "/me/password", "/me/email", "/me/export", "/me/two-step/secret",
}


def signed_in(site, connection, name, hat):
    """Somebody with a session, written as the site writes it."""
    [(account,)] = connection.execute("SELECT id FROM account WHERE username = ?", (name,)).fetchall()
    token, csrf, now = secrets.token_bytes(32), secrets.token_bytes(16), int(time.time() * 1000)
    connection.execute(
        """
        INSERT INTO session (token_hash, account_id, csrf, hat, device, network, created_at, seen_at)
        VALUES (?, ?, ?, ?, 'Firefox', '', ?, ?)
        """,
        (hashlib.sha256(token).digest(), account, csrf, hat, now, now))
    visitor = Visitor(site)
    visitor.jar = {"village": urlsafe_b64encode(token).decode().rstrip("=")}
    visitor.csrf = urlsafe_b64encode(bytes(16) + csrf).decode().rstrip("=")
    visitor.account, visitor.name = account, name
    return visitor


def pattern(path):
    return re.sub(r"\d+", "#", path.split("?")[0])


def filled(form):
    """What a form sends with every box ticked and every empty text written, except for its token."""
    pairs, buttons = [], []
    for field in form.iter():
        name, kind = field.attrib.get("name") if isinstance(field.tag, str) else None, field.attrib.get("type")
        if not name or name in ("csrf", "once") or kind == "file":
            continue
        value = field.attrib.get("value", "on" if kind in ("checkbox", "radio") else "")
        if field.tag == "button":
            buttons.append((name, value))
        elif field.tag == "textarea":
            pairs.append((name, "".join(field.itertext()).strip() or "Words of somebody else."))
        elif field.tag == "select":
            options = [option.attrib.get("value", "") for option in field.iter("option")]
            pairs.append((name, next(filter(None, options), "")))
        elif field.tag == "input":
            pairs.append((name, value))
    return pairs, buttons


def forms(visitor, beginnings):
    """The forms of a person's pages, a few of each kind, as (action, pairs, buttons)."""
    waiting, seen, kinds, found = list(beginnings), set(), {}, {}
    while waiting and len(seen) < PAGES:
        page = waiting.pop(0)
        if page in seen:
            continue
        seen.add(page)
        answer = visitor.get(page)
        expect(answer.status < 500, f"{page} was answered {answer.status}.")
        if answer.status == 303:
            waiting.insert(0, answer.location)
        if answer.status != 200 or "text/html" not in answer.fields.get("content-type", ""):
            continue
        document = html5lib.parse(answer.text, namespaceHTMLElements=False)
        for form in document.iter("form"):
            action = urljoin(page, form.attrib.get("action", page))
            if form.attrib.get("method", "").lower() != "post" or action.split("?")[0] in LEFT_OUT:
                continue
            alike = [other for other in found if pattern(other[0]) == pattern(action)]
            if len(alike) < ALIKE:
                pairs, buttons = filled(form)
                found.setdefault((action, tuple(sorted({name for name, _ in pairs}))), (pairs, buttons))
        for link in document.iter("a"):
            to = urlsplit(urljoin(page, link.attrib.get("href", "")))
            kind = pattern(to.path) + "?" * bool(to.query)
            if not to.netloc and to.path.startswith("/") and kinds.get(kind, 0) < ALIKE:
                kinds[kind] = kinds.get(kind, 0) + 1
                waiting.append(to.path + ("?" + to.query if to.query else ""))
    return [(action, *sent) for (action, _), sent in found.items()]


def stored(connection):
    """Every row, by table: who has it, if it says so, and its text."""
    rows = {}
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
    for (table,) in tables.fetchall():
        if table in OWN or "_search" in table or table.startswith("sqlite_"):
            continue
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column = "id" if table == "account" else "account_id"
        owner = columns.index(column) if column in columns else None
        rows[table] = {
            (row if owner is None else row[owner], row) for row in connection.execute(f"SELECT * FROM {table}")
        }
    return rows


def others_rows(before, after, account):
    """The tables in which rows of others came, went or changed."""
    return [
        table for table in after if any(owner != account for owner, _ in before.get(table, set()) ^ after[table])
    ]


def nothing_of_others():
    """Every form of four people's pages, sent by those whom it isn't for: nothing of anybody else changes"""
    sent = refused = noticed = 0
    with Site() as site:
        site.run("seed", "--demo")
        site.start()
        connection = apsw.Connection(str(site.data / "village.sqlite"))
        connection.set_busy_timeout(10_000)

        def named(table, besides):
            return connection.execute(
                f"SELECT username FROM account JOIN {table} ON {table}.account_id = account.id "
                "WHERE username NOT IN (?, ?, ?) AND NOT is_staff ORDER BY account.id DESC LIMIT 1", besides
            ).fetchall()[0][0]

        known = ("ana-ortiz", "king-library", "paolo-conti")
        owners = [
            signed_in(site, connection, name, hat)
            for name, hat in zip([*known, "mira-staff"], ["parent", "provider", "provider", None])
        ]
        strangers = [
            signed_in(site, connection, named("family", known), "parent"),
            signed_in(site, connection, named("provider", known), "provider"),
        ]
        beginnings = ["/", "/me", "/week", "/inbox", "/me/events", "/me/registrations", "/me/opportunities"]
        for owner in owners:
            staff = ["/admin", "/admin/people", "/admin/queue"] if owner.name == "mira-staff" else []
            for action, pairs, buttons in forms(owner, staff + beginnings):
                for stranger in strangers:
                    before = stored(connection)
                    values = [*pairs, ("once", secrets.token_urlsafe(16)), *buttons[:1]]
                    answer = stranger.post(action, values)
                    expect(answer.status < 500, f"{action} was answered {answer.status}.")
                    sent, refused = sent + 1, refused + (answer.status in (403, 404))
                    changed = others_rows(before, stored(connection), stranger.account)
                    noticed += bool(changed)
                    expect(
                        not changed or PUBLIC.fullmatch(pattern(action)),
                        f"{stranger.name} sent a form of {owner.name} to {action}: {', '.join(changed)} changed.")
        connection.close()
    expect(refused > sent // 5, f"Only {refused} of {sent} forms were refused: they are no longer other people's.")
    expect(noticed, "Not even a like was noticed: the comparison sees nothing.")
    return f"{sent} forms sent, {refused} of them refused; {noticed} did what anybody may do, such as a comment"


PROOFS = [nothing_of_others]
