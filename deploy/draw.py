#!/usr/bin/env python3
"""Draws places by lot, as the site does, for everybody to check.

    deploy/draw.py FILE.json [SEED]

FILE.json is what the page of a draw offers (/draws/7.json). Before the draw it says who wishes what, without a name,
and the SHA-256 of that: nobody can change a wish anymore without changing that number. With the seed, which is typed
in public afterward, this prints what each got and who waits, and compares it with what the site published.

The rule: the lot of a wish is SHA-256 of "SEED:CODE". Families nearby come first (class 0 before 1), then the lower
lot. In that order each gets the first of its wishes that has room for all of it, or nothing. Who wanted something
more than what they got waits for it, in the same order. Events that were called off meanwhile ("gone") give out
nothing.
"""

import hashlib
import json
import sys


def sha256(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def read(lines):
    """The places of each event, and the wishes: code, seats, class, events."""
    places, units = {}, []
    for line in lines:
        words = line.split(" ")
        if words[0] == "event":
            places[words[1]] = int(words[2])
        elif words[0] == "wish":
            units.append((words[1], int(words[2]), int(words[3]), words[4:]))
        else:
            raise ValueError("no event and no wish: " + line)
    return places, units


def draw(places, units, seed):
    """What each code got, and who waits for each event."""
    free, got, waiting = dict(places), {}, {}
    for code, seats, _, wishes in sorted(units, key=lambda unit: (unit[2], sha256(seed + ":" + unit[0]), unit[0])):
        got[code] = "none"
        for event in wishes:
            if event not in free:
                continue
            if free[event] >= seats:
                free[event] -= seats
                got[code] = event
                break
            waiting.setdefault(event, []).append(code)
    return got, waiting


def main(arguments):
    if len(arguments) not in (1, 2):
        sys.exit(__doc__.strip())
    with open(arguments[0], encoding="utf-8") as file:
        published = json.load(file)
    lines = published["lines"]
    if lines != sorted(lines) or sha256("".join(line + "\n" for line in lines)) != published["sha256"]:
        sys.exit("These aren't the wishes that the published SHA-256 is of.")
    seed = arguments[1] if len(arguments) == 2 else published.get("seed")
    if seed is None:
        sys.exit("The wishes are those that the SHA-256 is of. Nothing was drawn yet: give a SEED to try one.")
    places, units = read(lines)
    for event in published.get("gone", []):
        places.pop(str(event), None)
    got, waiting = draw(places, units, seed)
    result = sorted(code + " " + event for code, event in got.items())
    result += sorted("wait " + event + " " + " ".join(codes) for event, codes in waiting.items())
    sys.stdout.buffer.write("".join(line + "\n" for line in result).encode("utf-8"))
    sys.stdout.flush()
    if seed == published.get("seed") and published.get("result") not in (None, result):
        sys.exit("This isn't what the site published.")


if __name__ == "__main__":
    main(sys.argv[1:])
