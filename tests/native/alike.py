"""A match played step by step in both lanes, compared after every decision."""

from __future__ import annotations

from interpreter.api.game import Game, State
from interpreter.engine.chance import Dice

MOST_LISTED = 400
"""Moves that are compared one by one; of more, so many that lie apart."""
EACH = 40
"""Decisions after which everything is compared, in a copy."""


def stepped_alike(game: Game, seed: int, most: int) -> str:
    """ "" if a match is machine code to its end, or for so many decisions; "python" if Python has gone on with it.

    Raises AssertionError where the lanes differ, in what they offer, in what is decided or in how it stands.
    """
    dice, python = Dice(seed), game.start(seed=seed, log=False)
    native = game.start(seed=seed, log=False, native=True)
    made = 0
    while not python.over and made < most:
        told(python, native, made)
        player = python.actors[dice.below(len(python.actors))]
        moves = python.legal_moves(player)
        if not moves:
            break  # it stands still, in both
        at = dice.below(len(moves))
        same = native.legal_moves(player)[at]
        assert python.play(player, moves[at]) == native.play(player, same) == []
        made += 1
        if made % EACH == 0:
            assert native.copy().to_json() == python.to_json(), made
    told(python, native, made)
    stepped = type(native) is not State
    assert native.record() == python.record()
    assert native.to_json() == python.to_json()
    return "" if stepped else "python"


def told(python: State, native: State, made: int) -> None:
    """What both say of themselves without being looked into."""
    for name in ("over", "actors", "phase", "scores", "winners", "places", "log", "seed"):
        assert getattr(native, name) == getattr(python, name), (made, name)
    for player in range(python.game.players):
        one, two = python.legal_moves(player), native.legal_moves(player)
        assert len(one) == len(two), (made, player, len(one), len(two))
        for at in range(0, len(one), 1 + len(one) // MOST_LISTED):
            assert (one[at], repr(one[at].args)) == (two[at], repr(two[at].args)), (made, player, at)
            assert one[at].maker is two[at].maker
