#!/usr/bin/env python3
"""Plays the browser's tests on fourteen other days, one after the other, and closes with `N passed, N failed`.

    .venv/bin/python Tests/Browser/days.py [FIRST]     from the FIRST of them on, such as 3

The town is made anew for each: what its lists hold, and in what order, follows the weekday, the hour and the season.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

DAYS = {
    "2027-03-14T01:30-08:00": "half an hour before clocks go forward",
    "2027-11-07T01:30-07:00": "the first of two half past one: clocks go back within the hour",
    "2028-02-29T12:00-08:00": "a day that most years don't have",
    "2026-12-31T23:58-08:00": "the last minutes of a year",
    "2027-03-25T10:20-07:00": "a Thursday, while the first event of the town's list is running",
    "2027-06-21T00:00-07:00": "a Monday, and it has just begun",
    "2027-02-02T23:59-08:00": "a Tuesday, nearly over",
    "2027-08-25T15:45-07:00": "a Wednesday, the children come from school",
    "2027-11-25T12:00-08:00": "a Thursday, Thanksgiving",
    "2027-07-30T17:30-07:00": "a Friday",
    "2027-05-01T07:00-07:00": "a Saturday, before the first event",
    "2026-11-22T09:00-08:00": "a Sunday, whose rosters had a parent without a phone",
    "2027-03-14T03:05-07:00": "five minutes after clocks went forward",
    "2027-10-31T18:00-07:00": "a Sunday, with a week ahead whose days aren't all equally long",
}


def play(moment):
    """The tests on one day, all they say printed; how many passed and how many failed."""
    command = [sys.executable, "-u", Path(__file__).with_name("run.py")]
    run = subprocess.Popen(command, env=os.environ | {"VILLAGE_CLOCK": moment}, text=True, stdout=subprocess.PIPE)
    figures = None
    for line in run.stdout:
        figures = re.fullmatch(r"(\d+) passed, (\d+) failed\n", line) or figures
        if not figures:
            print(line, end="")
    # Without its closing line the run ended early.
    passed, failed = map(int, figures.groups()) if figures else (0, 1)
    return passed, failed if run.wait() == 0 or failed else 1


def main(first):
    total = [0, 0]
    for number, (moment, words) in enumerate(DAYS.items(), 1):
        if number >= first:
            print(f"{number}. {moment}, {words}")
            passed, failed = play(moment)
            print(f"{number}. {moment}: {passed} good, {failed} not")
            total = [total[0] + passed, total[1] + failed]
    print(f"{total[0]} passed, {total[1]} failed")
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
