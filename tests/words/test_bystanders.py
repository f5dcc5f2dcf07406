"""Sentences that are made once for all who read the same are those that each would be told alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from test_narrative import NAMES, game

from interpreter.api.game import State
from interpreter.engine.chance import Dice
from interpreter.engine.events import Event
from interpreter.words.voice import Voice


def walk(name: str, enforcement: str, moves: int, looks: Callable[[State], None]) -> None:
    """A match at random, looked at after each move."""
    state, dice = game(name, enforcement).start(seed=3), Dice(3)
    looks(state)
    for _ in range(moves):
        if state.over:
            break
        player = state.actors[dice.below(len(state.actors))]
        offered = state.possible_moves(player) if enforcement == "honor" else state.legal_moves(player)
        state.play(player, offered[dice.below(len(offered))])
        looks(state)


@pytest.mark.parametrize(
    ("name", "enforcement"),
    [("hearts", "strict"), ("euchre", "strict"), ("spades", "strict"), ("georgia-spoons", "honor"), ("pig", "strict")],
)
def test_who_is_not_named_is_told_what_each_would_be_told_alone(name: str, enforcement: str) -> None:
    together: list[Voice] = []
    alone: list[Voice] = []
    heard = 0

    def looks(state: State) -> None:
        nonlocal heard
        seats = range(state.game.players)
        if not together:
            together.append(Voice(state.position, NAMES))
            alone.extend(Voice(state.position, NAMES) for _ in seats)
        events = (state.log or [])[heard:]
        heard = len(state.log or [])
        for seat in seats:
            assert list(together[0].told(seat, events)) == list(alone[seat].told(seat, events))

    walk(name, enforcement, 160, looks)
    assert heard > 100


def test_a_list_of_events_that_holds_others_by_now_is_read_anew() -> None:
    voices: list[Voice] = []
    events: list[Event] = []

    def looks(state: State) -> None:
        if len(state.position.record_moves) < 10:  # what is dealt and passed is not open to all
            return
        if not voices:
            voices.append(Voice(state.position, NAMES))
        events[:] = (state.log or [])[-4:]
        for seat in range(state.game.players):
            voices[0].begin_again(seat)
            assert list(voices[0].told(seat, events)) == list(Voice(state.position, NAMES).told(seat, events))

    walk("hearts", "strict", 40, looks)
