"""What stands on the table is of this deal, and says what it is."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.api.state import State
from interpreter.words.drawing import position
from interpreter.words.voice import Voice


@pytest.fixture(scope="module")
def hearts() -> interpreter.Game:
    return interpreter.load("hearts").game()


def table(state: State, player: int = 0) -> list[str]:
    captions = Voice(state.position).captions(player)
    return list(position(state.view(player), state.game.program.ranks, captions=captions))


def test_the_tricks_of_the_deal_before_are_not_on_the_table_of_the_next(hearts: interpreter.Game):
    state = hearts.start(
        given={
            "at": "tricks",
            "current": "P1",
            "trick number": 13,
            "hand": {"P1": "2D", "P2": "JD", "P3": "5C", "P4": "6C"},
            "taken": {"P3": "2H"},
        }
    )
    for player, card in enumerate(("2D", "JD", "5C", "6C")):
        assert "tricks" not in table(state)[0]
        state.play(player, f"play {card}")
    assert state.phase == "passing" and any(state.view(0)["tricks"].values())
    assert "tricks" not in table(state)[0]
    while not (state.view(0)["trick number"] == 2 and state.phase == "tricks"):
        player = state.actors[0]
        state.play(player, state.legal_moves(player)[0])
    assert "tricks" in table(state)[0]


def test_a_flag_that_is_always_shown_says_yes_or_no(hearts: interpreter.Game):
    given = {"at": "tricks", "current": "P1", "trick number": 3, "hand": {"P1": "2D 3H", "P2": "5D JD"}}
    for broken, told in ((False, "  broken no"), (True, "  broken yes")):
        assert told in table(hearts.start(given={**given, "broken": broken}))


def test_what_holds_for_a_side_needs_no_yes():
    given = {"at": "first_round", "dealer": "P4", "current": "P1", "score": {"T1": 4}}
    state = interpreter.load("euchre").game().start(given=given)
    shown = table(state, 0)
    assert "  at the bridge: you and P3" in shown
    assert shown[0].startswith("  P1 ")  # no columns, and no line for their names
