"""On honour nobody ends a match for all by committing a fault again and again that others claim, and paying nothing."""

from __future__ import annotations

import pytest

import interpreter

TIMES = 300
"""More than calls of one stage may wait for its end."""


@pytest.mark.parametrize(
    "name, again",
    [
        ("georgia-spoons", [(0, "grab 1"), (1, "razz P1")]),
        ("georgia-spoons", [(0, "hide_hand"), (1, "razz P1")]),
        ("georgia-spoons", [(0, "razz P3"), (1, "razz P1")]),
        ("bicycle-spoons", [(1, "take_spoon"), (1, "take_spoon"), (2, "claim P2"), (2, "claim P2")]),
    ],
    ids=["grab", "hide", "wrong-razz", "take"],
)
def test_a_fault_that_is_claimed_again_and_again_ends_no_match(name: str, again: list[tuple[int, str]]) -> None:
    state = interpreter.load(name).game(players=4, enforcement="honor").start(seed=3)
    for _ in range(TIMES):
        for player, move in again:
            state.play(player, move)
    assert not state.over
