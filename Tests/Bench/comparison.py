"""Says of two programs that were measured in turn what the second does worse or better than the first."""

import statistics

# By how much a figure may differ before anybody is told.
TOLERANCE = 0.05
# What is judged: the figure's name, how it is written, and whether more of it is better. The slowest hundredth is shown
# only: it hangs on what else the machine did in those seconds.
JUDGED = {
    "rate": ("requests/s", "{:,.0f}", True),
    "cpu": ("CPU µs", "{:,.0f}", False),
    "memory": ("peak MB", "{:.0f}", False),
    "start": ("start ms", "{:.0f}", False),
}


def change(before, after):
    """The median of each round's own change: 0.1 where it rose by a tenth. None where nothing can be compared."""
    if not before or len(before) != len(after) or min(before) <= 0:
        return None
    return statistics.median(now / then for then, now in zip(before, after)) - 1


def verdict(before, after, more_is_better):
    """"worse" or "better" where the median is beyond the tolerance and every round says the same; else ""."""
    difference = change(before, after)
    if difference is None or abs(difference) <= TOLERANCE:
        return ""
    rises = difference > 0
    if not all(now != then and (now > then) == rises for then, now in zip(before, after)):
        return ""
    return "better" if rises == more_is_better else "worse"


def described(figure, before, after):
    """A figure then and now: `CPU µs 236 → 144 (-39%)`."""
    name, pattern, _ = JUDGED[figure]
    then, now = (pattern.format(statistics.median(values)) for values in (before, after))
    return f"{name} {then} → {now} ({change(before, after):+.0%})"


def judge(name, before, after, figures=("rate", "cpu", "memory")):
    """What of a load is worse and what is better, a sentence each: ([worse], [better]).

    `before` and `after` are the rows of the rounds, in the order in which they were measured.
    """
    found = {"worse": [], "better": []}
    for figure in figures:
        pair = [[row[figure] for row in rows] for rows in (before, after)]
        if said := verdict(*pair, JUDGED[figure][2]):
            found[said].append(f"{name}: {described(figure, *pair)}")
    return found["worse"], found["better"]
