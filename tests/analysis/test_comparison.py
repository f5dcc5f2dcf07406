"""What a house rule does: the same seeds on both sides, sentences that say no more than the matches show."""

from __future__ import annotations

import re

import pytest

import interpreter
from interpreter.analysis import comparison
from interpreter.analysis.comparison import Comparison, Difference, compare, from_dealer
from interpreter.analysis.plan import RANDOM, Plan
from interpreter.api.game import Game


def plan(game: Game, seed: int = 1) -> Plan:
    return Plan(game, seed, None, 10_000, RANDOM)


def by_key(found: Comparison) -> dict[str, Difference]:
    return {difference.measure.key: difference for difference in found.differences}


@pytest.fixture(scope="module")
def shorter() -> Comparison:
    hearts = interpreter.load("hearts")
    return compare(
        [("hearts", plan(hearts.game()), None), ("short", plan(hearts.game(options={"target": 40})), 40)], 40
    )


def test_a_game_does_not_differ_from_itself() -> None:
    hearts = interpreter.load("hearts").game(options={"target": 20})
    found = compare([("a", plan(hearts), None), ("b", plan(hearts), None)], 25)
    assert found.differences and not any(difference.sure for difference in found.differences)
    assert all(difference.change.value == 0 for difference in found.differences)
    assert all(str(difference).endswith(", as before") for difference in found.differences)


def test_what_is_sure_is_said_and_what_may_be_chance_is_called_so(shorter: Comparison) -> None:
    found = by_key(shorter)
    assert re.fullmatch(r"matches last \d\.\d deals instead of 1\d\.\d \(-\d\.\d\d to -\d\.\d\d\)", str(found["deals"]))
    assert found["deals"].verdict.high < 0
    assert "which may be chance (" in str(found["wins 1"])
    assert str(found["wins 1"]).startswith("the first dealer's left wins ")


def test_pairs_begin_with_the_same_seed(shorter: Comparison) -> None:
    longer, short = (side.course.played for side in shorter.sides)
    assert [match.dealer for match in longer] == [match.dealer for match in short]  # chance gave both the same
    change = by_key(shorter)["deals"].change.value
    assert change == pytest.approx(sum(b.deals - a.deals for a, b in zip(longer, short, strict=True)) / 40)


def test_few_matches_prove_nothing() -> None:
    hearts = interpreter.load("hearts")
    plans = [("hearts", plan(hearts.game()), None), ("short", plan(hearts.game(options={"target": 20})), None)]
    found = compare(plans, comparison.ENOUGH - 1)
    assert not any(difference.sure for difference in found.differences)
    assert str(by_key(found)["deals"]).endswith("19 pairs of matches are too few to tell whether that is chance")


def test_matches_that_are_cut_are_no_pairs() -> None:
    hearts = interpreter.load("hearts").game()
    cut = Plan(hearts, 1, None, 640, RANDOM)
    found = by_key(compare([("hearts", plan(hearts), None), ("cut", cut, None)], 40))
    assert 0 < found["deals"].pairs < 40 == found["unfinished"].pairs
    assert found["deals"].change.value == 0  # those that ended are the same


def test_of_other_numbers_of_players_seats_are_not_compared() -> None:
    hearts = interpreter.load("hearts")
    plans = [(str(n), plan(hearts.game(players=n, options={"target": 20})), None) for n in (3, 4)]
    assert not any(key.startswith("wins") for key in by_key(compare(plans, 20)))


def test_seats_are_named_from_the_first_dealer() -> None:
    assert [from_dealer(seat, 4) for seat in range(4)] == [
        "whoever deals first", "the first dealer's left", "the seat 2 to the first dealer's left",
        "the first dealer's right",
    ]  # fmt: skip
    assert from_dealer(1, 2) == "the first dealer's left"


def test_figures_are_the_same_for_programs(shorter: Comparison) -> None:
    found = comparison.as_json(shorter)
    assert [side["label"] for side in found["sides"]] == ["hearts", "short"]
    deals = next(row for row in found["differences"] if row["measure"] == "deals")
    assert deals["interval"][0] < deals["change"] < deals["interval"][1] < 0 and deals["sure"] is True
    assert deals["said"] == str(by_key(shorter)["deals"])
