"""Moves that were just offered are carried out without being judged again, with the same result."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.engine import playing


def test_what_was_offered_is_not_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = interpreter.load("hearts").game()
    short, long = game.start(seed=3), game.start(seed=3)
    made: list[int] = []
    whole = playing.make

    def noted(s: object, player: int, *rest: object) -> None:
        made.append(player)
        whole(s, player, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(playing, "make", noted)
    for number in range(game.players):
        moves = short.legal_moves(number)
        told = short.play(number, moves[7])
        assert not made
        assert told == long.play(number, str(moves[7]))  # a text is read and judged
        assert made.pop() == number
    assert short.phase == "tricks"
    assert (short.record(), short.to_json(), short.log) == (long.record(), long.to_json(), long.log)


def test_a_move_that_others_are_offered_is_judged() -> None:
    state = interpreter.load("hearts").game().start(seed=3)
    theirs = state.legal_moves(1)[0]
    state.legal_moves(0)
    before = state.to_json()
    with pytest.raises(interpreter.IllegalMove):
        state.play(0, theirs)
    assert state.to_json() == before
    state.play(1, theirs)
