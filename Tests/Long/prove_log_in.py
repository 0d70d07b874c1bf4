"""A log-in tells nobody whether an account exists, and passwords that are guessed first are refused."""

import statistics
import threading
import time

from raw import percentile
from site_under_test import PASSWORD, ROOT, Site, Visitor

WRONG = "not the password of anybody"


def sign_up(site, **changed):
    person = {"email": "ana@example.org", "username": "ana-ortiz", "adult": "1", "password": PASSWORD} | changed
    return Visitor(site).post("/signup", person)


def timing():
    """Log-ins with a wrong password of a known and of an unknown account differ by less than 5 ms in the median."""
    times = {"known": [], "unknown": [], "without hashing": []}
    with Site() as site:
        site.start()
        assert sign_up(site).status == 303
        visitor = Visitor(site)
        for number in range(410):
            for name, login, password in (
                ("known", "ana-ortiz", WRONG),
                ("unknown", "ivo-ortiz", WRONG),
                # The twin: what an answer takes that hashes nothing.
                ("without hashing", "ivo-ortiz", ""),
            ):
                began = time.perf_counter()
                answer = visitor.post("/login", {"login": login, "password": password})
                took = time.perf_counter() - began
                assert answer.status == 422, answer.status
                if number >= 10:
                    times[name].append(took * 1000)
    known, unknown, bare = (statistics.median(values) for values in times.values())
    assert abs(known - unknown) < 5, f"known {known:.1f} ms, unknown {unknown:.1f} ms"
    assert known - bare > 5, f"an answer without hashing takes {bare:.1f} ms, so this can't tell"
    return f"known {known:.2f} ms, unknown {unknown:.2f} ms (400 each), without hashing {bare:.2f} ms"


def common_passwords():
    """Passwords of the list are refused at sign-up, in capitals too; one that isn't on it will do."""
    words = (ROOT / "Public/passwords/common.txt").read_text().split("\n")
    listed = [word for word in words if len(word) >= 10]
    sample = listed[:20] + listed[20 :: len(listed) // 100]
    with Site() as site:
        site.start()
        for password in sample:
            for typed in {password, password.upper()}:
                answer = sign_up(site, password=typed)
                assert answer.status == 422 and "password" in answer.text, f"{typed}: {answer.status}"
        assert sign_up(site).status == 303
    return f"{len(sample)} of {len(listed)} tried"


def feed_meanwhile():
    """While 8 visitors log in all the time, the feed is still read: how much slower is what the figure says."""
    with Site() as site:
        site.run("seed", "--demo")
        site.start()

        def measured(seconds):
            visitor, times, until = Visitor(site), [], time.monotonic() + seconds
            while time.monotonic() < until:
                began = time.perf_counter()
                answer = visitor.get("/events")
                times.append((time.perf_counter() - began) * 1000)
                assert answer.status == 200, answer.status
                time.sleep(0.005)
            return times

        alone = measured(10)
        done, counts = threading.Event(), []

        def log_in():
            visitor, count = Visitor(site), 0
            while not done.is_set():
                answer = visitor.post("/login", {"login": "nobody-here", "password": WRONG})
                assert answer.status in (422, 503), answer.status
                count += 1
            counts.append(count)

        threads = [threading.Thread(target=log_in) for _ in range(8)]
        for thread in threads:
            thread.start()
        meanwhile = measured(15)
        done.set()
        for thread in threads:
            thread.join()
    assert sum(counts) > 50, counts
    before, after = percentile(alone, 99), percentile(meanwhile, 99)
    rate = sum(counts) / 15
    return f"p99 {before:.1f} ms alone, {after:.1f} ms with {rate:.0f} log-ins a second: {after / before:.1f} times"


PROOFS = [timing, common_passwords, feed_meanwhile]
