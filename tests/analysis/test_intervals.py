"""Intervals of means and of several differences at once hold what they promise."""

from __future__ import annotations

import random
from math import inf

import pytest

from interpreter.analysis.intervals import Mean, jointly, mean


def test_a_mean_has_the_standard_error_of_its_numbers() -> None:
    found = mean([2, 4, 4, 4, 5, 5, 7, 9])
    assert found.value == 5 and found.error == pytest.approx(0.7559, abs=1e-4)
    assert found.interval() == pytest.approx((3.5184, 6.4816), abs=1e-4)
    assert mean([3]).interval() is None


def test_the_surest_difference_is_asked_first_and_the_next_one_less() -> None:
    # Of three with the chances 0.01, 0.02 and 0.3 the first two stand: 0.01 < 0.05 / 3 and 0.02 < 0.05 / 2.
    found = jointly([Mean(1.0364, 1), Mean(-2.3263, 1), Mean(2.5758, 1)])
    assert [verdict.sure for verdict in found] == [False, True, True]
    # With 0.03 in place of 0.02 only the first one does.
    assert [v.sure for v in jointly([Mean(1.0364, 1), Mean(-2.1701, 1), Mean(2.5758, 1)])] == [False, False, True]


def test_what_is_sure_lies_on_one_side_of_nought() -> None:
    unsure, below, above = jointly([Mean(1.0364, 1), Mean(-2.3263, 1), Mean(2.5758, 1)])
    assert unsure.low < 0 < unsure.high
    assert below.high == 0 and above.low > 0  # of the first the wider joint interval would reach beyond nought
    _, weak, strong = jointly([Mean(1.0364, 1), Mean(2.3263, 1), Mean(2.5758, 1)])
    assert weak.low == 0 and strong.low > 0
    assert below.low == pytest.approx(-2.3263 - 2.3940, abs=1e-3)


def test_what_cannot_be_judged_is_not_sure() -> None:
    assert [(v.low, v.high, v.sure) for v in jointly([Mean(1, None)])] == [(-inf, inf, False)]
    assert [v.sure for v in jointly([Mean(0, 0.0), Mean(1, 0.0)])] == [False, True]


def test_all_intervals_hold_at_once_in_nineteen_of_twenty_families() -> None:
    dice, held, trials = random.Random(4), 0, 2_000
    true = (0.0, 0.0, 0.5, -2.0, 6.0)
    for _ in range(trials):
        found = jointly([Mean(dice.gauss(value, 1), 1) for value in true])
        held += all(verdict.low <= value <= verdict.high for verdict, value in zip(found, true, strict=True))
    assert held / trials > 0.94
