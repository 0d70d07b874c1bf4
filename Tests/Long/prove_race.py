"""Five hundred families want twenty places at the same moment.

The twin, which oversells without the check, is RaceTests.swift's. Places are given back meanwhile, and the provider
lowers and raises their number.
"""

import random
import re
import select
import statistics
import threading
import time

from crowd import Caller, event_form, expect, gather, host, publish
from outside import Outside
from site_under_test import Site, Visitor

FAMILIES, PLACES, ROUNDS = 500, 20, 100


def at_once(requests):
    """Sends all of (caller, bytes) so that each is begun before one is whole, and gives the answers in their order.

    Everything but the last byte goes first. When none is answered after that, all of them are in the site's hands; then
    the last bytes follow.
    """
    requests = list(requests)
    random.shuffle(requests)
    for caller, data in requests:
        caller.send(data[:-1])
    readable, _, _ = select.select([caller.socket for caller, _ in requests], [], [], 0.02)
    expect(not readable, "A request was answered before it was whole.")
    began = time.monotonic()
    for caller, data in requests:
        caller.send(data[-1:])
    released = time.monotonic() - began
    return [(caller, caller.reply()) for caller, _ in requests], released


def counts(stranger, provider, event, title, places=PLACES):
    """How many places are taken, as the page, the list and the roster say it."""
    page = stranger.get(f"/events/{event}").text
    detail = int(re.search(r'<meter[^>]* value="(\d+)"', page)[1])
    cards = [
        card for card in stranger.get(f"/events?q={title}").text.split('<li class="card')[1:]
        if f'href="/events/{event}"' in card
    ]
    expect(len(cards) == 1, f"The list shows the event {len(cards)} times.")
    room = re.search(r'badge--full">Full<|>(\d+) places? left<', cards[0])
    listed = places - int(room[1] or 0)
    roster = provider.get(f"/events/{event}/registrations").text
    said = int(re.search(rf"(\d+) of {places} places taken", roster)[1])
    return detail, listed, said, roster.count('<th scope="row">')


def winners(replies):
    """Those who were given a place. The others must have been told that there was none."""
    won = []
    for family, reply in replies:
        if reply.status == 303:
            family.place = int(re.fullmatch(r"/registrations/(\d+)", reply.location)[1])
            family.books[family.place] = True
            won.append(family)
        else:
            expect(reply.status == 422 and "Nobody was registered." in reply.text, f"The loser got {reply.status}.")
    return won


def agree(outside, event, expected, families, *said):
    """The rows and the pages have the same number; nobody is in twice."""
    rows = outside.rows("SELECT child_id FROM registration_person WHERE event_id = ? AND cancelled_at IS NULL", event)
    expect(len(rows) == len(set(rows)) == expected, f"{len(rows)} children of {len(set(rows))} names, not {expected}.")
    taken = outside.value("SELECT taken FROM event WHERE id = ?", event)
    expect({taken, *said} == {expected}, f"The rows say {taken}, the pages {said}, not {expected}.")
    standing = [family.place for family in families if family.place]
    expect(len(set(standing)) == len(standing) == expected, f"{len(standing)} families were told yes, not {expected}.")


def exactly_twenty():
    """500 families racing for 20 places over HTTP: exactly 20, nobody twice, the same on list, page and roster"""
    with Site() as site:
        families, provider = gather(site, FAMILIES)
        stranger = Visitor(site)
        spans, releases = [], []
        with Outside(site.data / "village.sqlite") as outside:
            for number in range(1, ROUNDS + 1):
                title = f"Race{number}"
                provider = host(site, number)
                event = publish(provider, title, PLACES)
                began = time.monotonic()
                replies, released = at_once((family, family.registration(event)) for family in families)
                spans.append(time.monotonic() - began)
                releases.append(released)
                expect(len(winners(replies)) == PLACES, f"Round {number}: not {PLACES} were registered.")
                agree(outside, event, PLACES, families, *counts(stranger, provider, event, title))
                for family in families:
                    family.place = None
            outside.check(families)
        return (
            f"{ROUNDS} rounds, {FAMILIES} requests begun before one was whole, the last bytes within "
            f"{1000 * statistics.median(releases):.0f} ms, answered within {statistics.median(spans):.2f} s"
        )


class Watcher(threading.Thread):
    """Looks at an event again and again, and notes the most places it saw taken."""

    def __init__(self, site, event):
        super().__init__()
        self.visitor, self.event = Visitor(site), event
        self.most = self.looks = 0
        self.ending = False

    def run(self):
        while not self.ending:
            page = self.visitor.get(f"/events/{self.event}").text
            self.most = max(self.most, int(re.search(r'<meter[^>]* value="(\d+)"', page)[1]))
            self.looks += 1


def given_back_meanwhile():
    """While 20 families give their places back, 480 race for them: never more than 20, no place lost"""
    rounds, moved, looks = ROUNDS // 2, 0, 0
    with Site() as site:
        families, provider = gather(site, FAMILIES)
        stranger = Visitor(site)
        with Outside(site.data / "village.sqlite") as outside:
            for number in range(1, rounds + 1):
                title = f"Change{number}"
                provider = host(site, number)
                event = publish(provider, title, PLACES)
                random.shuffle(families)
                first, others = families[:PLACES], families[PLACES:]
                replies, _ = at_once((family, family.registration(event)) for family in first)
                expect(len(winners(replies)) == PLACES, "There was room for all of the first.")
                watcher = Watcher(site, event)
                watcher.start()
                replies, _ = at_once(
                    [(family, family.giving_back()) for family in first]
                    + [(family, family.registration(event)) for family in others]
                )
                watcher.ending = True
                watcher.join()
                for family, reply in replies:
                    if family in first:
                        expect(reply.status == 303, f"Giving back was answered {reply.status}.")
                        family.books[family.place] = False
                        family.place = None
                won = winners((family, reply) for family, reply in replies if family not in first)
                moved += len(won)
                looks += watcher.looks
                expect(watcher.most <= PLACES, f"{watcher.most} places were seen taken.")
                agree(outside, event, len(won), families, *counts(stranger, provider, event, title))
                # Whatever is free now can be had: no place was lost on the way.
                replies, _ = at_once((family, family.registration(event)) for family in others if not family.place)
                winners(replies)
                agree(outside, event, PLACES, families, *counts(stranger, provider, event, title))
                for family in families:
                    family.place = None
            outside.check(families)
    return f"{rounds} rounds, {moved} places changed hands in the race itself, {looks} looks meanwhile"


def lowered_and_raised_meanwhile():
    """While 500 race, the provider lowers the places, and then raises them: never more than there are, none is lost"""
    rounds, refused, more = ROUNDS // 4, 0, PLACES + 10
    with Site() as site:
        families, _ = gather(site, FAMILIES)
        stranger = Visitor(site)
        with Outside(site.data / "village.sqlite") as outside:
            for number in range(1, rounds + 1):
                title = f"Room{number}"
                provider = host(site, number)
                event = publish(provider, title, PLACES)
                owner = Caller(provider)

                def change(spots):
                    return owner, owner.form(f"/events/{event}/edit", event_form(title, spots))

                replies, _ = at_once(
                    [(family, family.registration(event)) for family in families] + [change(PLACES // 2)]
                )
                lowered = next(reply for caller, reply in replies if caller is owner)
                won = winners((family, reply) for family, reply in replies if family is not owner)
                if lowered.status == 303:
                    expect(len(won) == PLACES // 2, f"{len(won)} places were taken of {PLACES // 2}.")
                else:
                    refused += 1
                    expect(lowered.status == 422 and "registered on" in lowered.text, f"Lowering: {lowered.status}")
                    expect(len(won) == PLACES, f"{len(won)} places were taken of {PLACES}.")

                replies, _ = at_once(
                    [(family, family.registration(event)) for family in families if not family.place] + [change(more)]
                )
                raised = next(reply for caller, reply in replies if caller is owner)
                expect(raised.status == 303, f"Raising was answered {raised.status}.")
                won += winners((family, reply) for family, reply in replies if family is not owner)
                expect(len(won) <= more, f"{len(won)} places were taken of {more}.")
                # Whatever came before the raise was told that there was no room: it is there now.
                replies, _ = at_once((family, family.registration(event)) for family in families if not family.place)
                winners(replies)
                agree(outside, event, more, families, *counts(stranger, provider, event, title, more))
                for family in families:
                    family.place = None
            outside.check(families)
    return f"{rounds} rounds, lowering came too late and was refused in {refused} of them"


PROOFS = [exactly_twenty, given_back_meanwhile, lowered_and_raised_meanwhile]
