"""Races are fair: contests between equal players, in virtual time, over ways of different lengths."""

from __future__ import annotations

import pytest

from interpreter.interfaces.host.fair_time import MEASURED, MOST_CREDIT, FairTime
from tests.load.contests import WAYS, Legs, share_of_first

CONTESTS = 2_000
"""Of each kind; `python -m tests.load --contests 10000` plays more."""


@pytest.mark.parametrize("spread", [60, 150, 300])
@pytest.mark.parametrize(("ways", "jitter"), WAYS.values(), ids=WAYS)
def test_no_seat_wins_more_than_the_other_for_being_nearer(ways: list[Legs], jitter: float, spread: float) -> None:
    assert abs(share_of_first(CONTESTS, ways, jitter, spread) - 0.5) <= 0.02


def test_without_correction_the_nearer_one_wins_far_more_often() -> None:
    fair: FairTime[int] = FairTime()
    fair.is_on = False
    fair.measured(0, 100)
    assert fair.credit(0) == 0


def test_who_delays_measurements_gains_no_more_than_the_credit_that_is_left() -> None:
    liar = share_of_first(CONTESTS, [(10.0, 10.0), (10.0, 10.0)], 0.0, 60.0, {0: (500, 500)})
    most = share_of_first(CONTESTS, [(10.0, 10.0), (75.0, 75.0)], 0.0, 60.0, {0: (130, 130)})
    assert 0.5 < liar <= 1.0
    assert abs(liar - most) < 0.05, "a lie of any length is worth a way of MOST_CREDIT"


def test_a_page_that_delays_its_answers_gains_nothing_where_its_socket_answers_at_once() -> None:
    liar = share_of_first(CONTESTS, [(10.0, 10.0), (10.0, 10.0)], 0.0, 60.0, {0: (500, 0)})
    assert abs(liar - 0.5) <= 0.02


def test_the_least_of_the_last_ten_answers_of_pages_and_of_sockets_counts() -> None:
    fair: FairTime[int] = FairTime()
    fair.socket_measured(0, 90)
    assert fair.credit(0) == 90
    fair.measured(0, 40)
    assert fair.credit(0) == 40
    for _ in range(MEASURED):
        fair.measured(0, 120)
    assert fair.credit(0) == 90, "so many late answers of pages push out no answer of a socket"
    for _ in range(MEASURED):
        fair.socket_measured(0, 100)
    assert fair.credit(0) == 100
    fair.no_socket_answers(0)
    assert fair.credit(0) == 120


def test_a_move_waits_no_longer_than_the_most_credit() -> None:
    fair: FairTime[str] = FairTime()
    fair.measured(0, 10)
    fair.measured(1, 5_000)
    fair.arrives(0, "a", 1_000, None)
    assert fair.next_due([0, 1]) == 1_000 - 10 + MOST_CREDIT
    assert list(fair.due(1_139, [0, 1])) == []
    assert list(fair.due(1_140, [0, 1])) == [(990, "a")]


def test_a_move_counts_no_earlier_than_its_player_could_have_seen_what_it_answers() -> None:
    fair: FairTime[str] = FairTime()
    fair.measured(0, 100)
    fair.sent(0, 5, 1_000)
    fair.arrives(0, "a", 1_150, 5)
    assert list(fair.due(2_000, [0])) == [(1_100, "a")]


def test_nobody_waits_where_nobody_is_far_away() -> None:
    fair: FairTime[str] = FairTime()
    fair.arrives(3, "a", 1_000, None)
    assert list(fair.due(1_000, [3])) == [(1_000, "a")]
