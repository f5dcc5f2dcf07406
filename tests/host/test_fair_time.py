"""Races are fair: contests between equal players, in virtual time, over ways of different lengths."""

from __future__ import annotations

import random

import pytest

from interpreter.interfaces.host.fair_time import MOST_CREDIT, FairTime

CONTESTS = 10_000
Legs = tuple[float, float]
"""Milliseconds to the page and back."""


def contest(dice: random.Random, ways: list[Legs], jitter: float, spread: float, lies: dict[int, int]) -> int:
    """Who wins one contest of equal players. lies: by how much somebody delays the answers to measurements."""
    fair: FairTime[int] = FairTime()

    def leg(way: float) -> float:
        return way + abs(dice.gauss(0, jitter))

    for seat, (there, back) in enumerate(ways):
        for _ in range(10):
            fair.measured(seat, round(leg(there) + leg(back) + lies.get(seat, 0)))
        fair.sent(seat, 1, 1_000)
    arrivals = []
    for seat, (there, back) in enumerate(ways):
        reaction = max(150.0, dice.gauss(450, spread))
        arrivals.append((1_000 + leg(there) + reaction + leg(back), seat))
    won = None
    there = range(len(ways))
    for at, seat in sorted(arrivals):
        for _, winner in fair.due(int(at), there):
            won = winner if won is None else won
        fair.arrives(seat, seat, int(at), 1)
    for _, winner in fair.due(10_000, there):
        won = winner if won is None else won
    assert won is not None
    return won


def share_of_first(ways: list[Legs], jitter: float, spread: float, lies: dict[int, int] | None = None) -> float:
    dice = random.Random(7)
    seats = [ways, ways[::-1]]
    won = 0
    for number in range(CONTESTS):
        turned = number % 2
        told = {len(ways) - 1 - seat if turned else seat: lie for seat, lie in (lies or {}).items()}
        winner = contest(dice, seats[turned], jitter, spread, told)
        won += (len(ways) - 1 - winner if turned else winner) == 0
    return won / CONTESTS


@pytest.mark.parametrize("spread", [60, 150, 300])
@pytest.mark.parametrize(
    ("ways", "jitter"),
    [
        pytest.param([(10.0, 10.0), (60.0, 60.0)], 0.0, id="20 and 120 ms"),
        pytest.param([(10.0, 10.0), (60.0, 60.0)], 3.0, id="with jitter"),
        pytest.param([(10.0, 10.0), (80.0, 40.0)], 0.0, id="longer there than back"),
        pytest.param([(10.0, 10.0), (40.0, 80.0)], 0.0, id="longer back than there"),
    ],
)
def test_no_seat_wins_more_than_the_other_for_being_nearer(ways: list[Legs], jitter: float, spread: float) -> None:
    assert abs(share_of_first(ways, jitter, spread) - 0.5) <= 0.02


def test_without_correction_the_nearer_one_wins_far_more_often() -> None:
    fair: FairTime[int] = FairTime()
    fair.is_on = False
    fair.measured(0, 100)
    assert fair.credit(0) == 0


def test_who_delays_measurements_gains_no_more_than_the_credit_that_is_left() -> None:
    liar = share_of_first([(10.0, 10.0), (10.0, 10.0)], 0.0, 60.0, {0: 500})
    most = share_of_first([(10.0, 10.0), (75.0, 75.0)], 0.0, 60.0, {0: 130})
    assert 0.5 < liar <= 1.0
    assert abs(liar - most) < 0.05, "a lie of any length is worth a way of MOST_CREDIT"


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
