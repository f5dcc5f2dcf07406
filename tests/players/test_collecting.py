"""Where cards go round until somebody signals, bots that think keep what is alike, and signal when they may."""

from __future__ import annotations

import interpreter
from interpreter.api.game import State
from interpreter.players.collecting import least_alike
from interpreter.players.monte_carlo import ThinkingBot, advice, new_bot

DEAL = {"at": "passing", "hand": {"P1": "AC AD 2S 3S", "P2": "2C 2D AH AS", "P3": "3C 3D 3H 2H"}}


def passing(**hands: str) -> State:
    game = interpreter.load("pig").game(3)
    return game.start(given={**DEAL, "hand": {**DEAL["hand"], **hands}})


def test_what_is_alike_is_kept() -> None:
    state = passing()
    assert [move.text for move in least_alike(state, state.legal_moves(2))] == ["pass 2H"]
    assert ThinkingBot(1).choose(state, 2).text == "pass 2H"
    assert {move.text for move in least_alike(state, state.legal_moves(1))} == {
        "pass 2C", "pass 2D", "pass AH", "pass AS",
    }  # fmt: skip
    assert {rated.move.text for rated in advice(state, 0)} == {"pass 2S", "pass 3S"}


def test_who_may_signal_does_so() -> None:
    state = passing(P1="AC AD AH AS", P2="2C 2D 2S 3S")
    assert len(least_alike(state, state.legal_moves(0))) == 5
    assert [new_bot(level, 3).choose(state, 0).text for level in ("medium", "hard")] == ["take_spoon"] * 2


def test_a_race_among_bots_is_begun_within_some_dozen_beats() -> None:
    game = interpreter.load("pig").game(6)
    state = game.start(seed=23)
    bots = [new_bot("medium", player) for player in range(6)]
    for _ in range(6 * 48):
        if any(move[2] == "take_spoon" for move in state.position.record_moves):
            return
        player = state.actors[0]
        state.play(player, bots[player].choose(state, player))
    raise AssertionError("nobody has collected four of a kind")


def test_cards_that_are_chosen_once_for_all_are_chosen_among_all() -> None:
    state = interpreter.load("hearts").game().start(seed=1)
    moves = state.legal_moves(0)
    assert least_alike(state, moves) is moves
