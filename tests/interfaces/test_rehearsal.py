"""The rehearsal before a match on the full screen, for which people wait, has an end whatever the rules are."""

from __future__ import annotations

import time
from itertools import count

import pytest

import interpreter
from interpreter.interfaces.fullscreen import bindings
from interpreter.interfaces.fullscreen.bindings import DECISIONS, LISTED, REHEARSED, Keys, Rehearsal, rehearse


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many moves had been listed before each decision that was rehearsed."""
    found, watch = list[int](), Rehearsal.watch

    def watches(rehearsal: Rehearsal, *given: object) -> None:
        found.append(rehearsal.listed)
        watch(rehearsal, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Rehearsal, "watch", watches)
    return found


def test_a_game_of_few_moves_is_rehearsed_to_its_end_and_one_of_many_until_so_many_were_listed(
    monkeypatch: pytest.MonkeyPatch, watched: list[int]
) -> None:
    monkeypatch.setattr(bindings, "SECONDS", 60.0)
    game = interpreter.load("spades").game()
    whole = rehearse(game)
    assert len(watched) == REHEARSED * DECISIONS and whole.listed < LISTED * 2 // 3
    watched.clear()
    monkeypatch.setattr(bindings, "LISTED", 3_000)
    part = rehearse(game)
    assert watched[-1] < 3_000 <= part.listed < 4_000 and len(watched) < DECISIONS
    assert part == rehearse(game)
    hand = ("slot", "hand P1", "0")
    assert Keys.of_game(game, 0, part).known(hand) == Keys.of_game(game, 0, whole).known(hand) == "a"


def test_a_game_of_slow_rules_is_rehearsed_for_so_many_seconds(
    monkeypatch: pytest.MonkeyPatch, watched: list[int]
) -> None:
    game = interpreter.load("spades").game()
    monkeypatch.setattr(time, "thread_time", count(0.0, 0.1).__next__)
    rehearse(game)
    assert 10 < len(watched) < 10 * bindings.SECONDS
