#!/usr/bin/env python3
"""Tries what `comparison.py` says of made-up figures. AppTests run it, and it can be run alone."""

import unittest

from comparison import change, judge, verdict


def rounds(*rates, cpu=100, memory=70):
    return [{"rate": rate, "cpu": cpu, "memory": memory} for rate in rates]


class Verdicts(unittest.TestCase):
    def test_what_fell_by_more_than_a_twentieth_is_worse(self):
        self.assertEqual(verdict([1000, 1000, 1000], [940, 940, 940], True), "worse")
        self.assertEqual(verdict([1000, 1000, 1000], [960, 960, 960], True), "")

    def test_more_of_what_costs_is_worse(self):
        self.assertEqual(verdict([100, 100, 100], [110, 110, 110], False), "worse")
        self.assertEqual(verdict([100, 100, 100], [90, 90, 90], False), "better")

    def test_one_round_that_says_otherwise_takes_the_verdict_away(self):
        self.assertEqual(verdict([1000, 1000, 1000], [900, 900, 1001], True), "")

    def test_each_round_is_compared_with_its_own(self):
        # The machine was twice as fast in one round, for both.
        self.assertAlmostEqual(change([1000, 2000, 1000], [900, 1800, 900]), -0.1)
        self.assertEqual(verdict([1000, 2000, 1000], [900, 1800, 900], True), "worse")

    def test_nothing_is_said_of_what_was_not_measured(self):
        self.assertIsNone(change([0, 10], [10, 10]))
        self.assertIsNone(change([], []))
        self.assertEqual(verdict([0, 0, 0], [10, 10, 10], True), "")

    def test_a_load_is_told_with_its_figures(self):
        before, after = rounds(4000, 4100, 4200, cpu=236), rounds(5000, 5100, 5200, cpu=144, memory=90)
        worse, better = judge("`/week`", before, after)
        self.assertEqual(better, ["`/week`: requests/s 4,100 → 5,100 (+24%)", "`/week`: CPU µs 236 → 144 (-39%)"])
        self.assertEqual(worse, ["`/week`: peak MB 70 → 90 (+29%)"])


if __name__ == "__main__":
    unittest.main()
