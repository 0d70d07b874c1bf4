#!/usr/bin/env python3
"""Plays the browser's tests against a demo town of their own, and closes with `N passed, N failed`.

    .venv/bin/python Tests/Browser/run.py [WORDS …]     only tests whose sentence holds all these words

The program is .build/debug/village, or what VILLAGE_PROGRAM says.
"""

import sys

import suite
from town import Site

# The order in which they are played: what takes long comes first.
import pages, sizes, hostile, machines, walks, keyboard, maps, pictures, behaviours  # noqa: E401, F401
import again, asking, playdates, pocket, weight, working  # noqa: E401, F401


def main(words):
    tests = [test for test in suite.TESTS if all(word in test.sentence for word in words)]
    site = Site()
    try:
        passed, failed = suite.run(site, tests)
    finally:
        site.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
