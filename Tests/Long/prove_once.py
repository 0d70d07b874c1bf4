"""A form that is sent again and again, at the same moment or later, does its work once."""

import secrets

from crowd import Caller, Family, event_form, expect, publish
from outside import Outside
from prove_race import at_once
from site_under_test import Site, Visitor

TIMES = 50
# Events a year of a provider that pays nothing.
PLAN = 10


def sent_fifty_times(caller, data):
    """The same bytes on fifty connections at once and five times after that; gives all the answers."""
    callers = [caller.another() for _ in range(TIMES)]
    replies = [reply for _, reply in at_once((caller, data) for caller in callers)[0]]
    replies += [callers[0].ask(data) for _ in range(5)]
    for caller in callers:
        caller.close()
    return replies


def one(replies):
    """The one status and place that all the answers name."""
    answers = {(reply.status, reply.location) for reply in replies}
    expect(len(answers) == 1, f"The same form was answered in {len(answers)} ways: {answers}")
    status, location = answers.pop()
    expect(status == 303, f"The form was answered {status}.")
    return location


def registration():
    """A registration form sent 50 times at once and by reload: one registration, one answer"""
    with Site() as site:
        site.run("seed", "--families", 1, "--providers", 1)
        site.start()
        event = publish(Visitor(site).log_in("provider-1"), "Once", 20)
        family = Family(site, 1)
        location = one(sent_fifty_times(family, family.registration(event)))
        with Outside(site.data / "village.sqlite") as outside:
            outside.check()
            expect(outside.value("SELECT count(*) FROM registration") == 1, "There is more than one registration.")
            expect(outside.value("SELECT taken FROM event") == 1, "More than one place was taken.")
    return f"{TIMES} at once and 5 reloads, all led to {location}"


def event():
    """An event form sent 50 times at once and by reload: one event, one answer; other content under it is refused"""
    with Site() as site:
        site.run("seed", "--providers", 1)
        site.start()
        provider = Caller(Visitor(site).log_in("provider-1"))
        once = secrets.token_urlsafe(16)

        def form(title, once):
            return provider.form("/events/new", event_form(title, 20, once))

        location = one(sent_fifty_times(provider, form("Once", once)))
        with Outside(site.data / "village.sqlite") as outside:
            events = "SELECT count(*) FROM event"
            expect(outside.value(events) == 1, "There is more than one event.")
            other = {reply.status for reply in sent_fifty_times(provider, form("Other", once))}
            expect(other == {409} and outside.value(events) == 1, f"Other content was answered {other}.")
            # The twin: the same content under a word of its own each time, as often as the plan has room.
            at_once((provider.another(), form("Twin", None)) for _ in range(TIMES))
            expect(outside.value(events) == PLAN, "Forms of their own were taken for one, or the plan gave more.")
            outside.check()
    return f"{TIMES} at once and 5 reloads, all led to {location}; without the word: {PLAN} events, the whole plan"


PROOFS = [registration, event]
