"""A timeline as full as a town's can be, written into seeded data by SQL: through forms it would take days."""

import sqlite3
import time

TEXTS = (
    "Somebody carried my shopping up four flights of stairs. Thank you, whoever you are!",
    "We picked up litter along the creek with the children. Two bags, one shoe, and a very proud six-year-old.",
    "Made soup for the neighbor with the broken arm.\n\nShe gave the pot back with cookies in it.",
    "The library stayed open half an hour longer, so that everybody could finish the puzzle.",
)


def fill(database, posts, likes, accounts):
    """Puts `posts` posts on the timeline, one a minute until now, with `likes` likes by `accounts` accounts in turn."""
    each = likes // posts
    now = int(time.time() * 1_000)
    with sqlite3.connect(database) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute(
            """
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
            INSERT INTO post (account_id, text, kind, audience, likes, once, created_at)
            SELECT 1 + n * 7919 % ?2, CASE n % 4 WHEN 0 THEN ?5 WHEN 1 THEN ?6 WHEN 2 THEN ?7 ELSE ?8 END,
                CASE n % 4 WHEN 0 THEN 'thanks' WHEN 3 THEN 'received' ELSE 'done' END,
                CASE WHEN n % 3 THEN 'everyone' ELSE 'members' END, ?3, 'bench-' || n, ?4 - (?1 - n) * 60000
            FROM number
            """,
            (posts, accounts, each, now, *TEXTS))
        # Neighbors in the list of accounts like the same post: each once.
        db.execute(
            """
            WITH RECURSIVE turn (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM turn WHERE n < ?1 - 1)
            INSERT INTO reaction (post_id, account_id, at)
            SELECT post.id, 1 + (post.id * 31 + turn.n) % ?2, post.created_at + 1000 FROM post CROSS JOIN turn
            """,
            (each, accounts))
    db.close()


def loads(town, posts):
    """What is asked for: by name, (path, cookie) in turn."""
    deep = [f"/timeline?after={1 + number * 7919 % posts}" for number in range(2_000)]
    single = [f"/posts/{1 + number * 7919 % posts}" for number in range(5_000)]
    members = [family.cookies for family in town.families]
    return {
        "`/timeline`": [("/timeline", "")],
        "`/timeline`, signed in": [("/timeline", cookies) for cookies in members],
        "`/timeline?after=…`, signed in": [(path, members[n % len(members)]) for n, path in enumerate(deep)],
        "`/posts/{id}`, signed in": [(path, members[n % len(members)]) for n, path in enumerate(single)],
    }
