"""What to keep where cards go round until somebody signals: what is alike.

While everybody passes a card at a time, trials of a few dozen decisions at random end nowhere: hardly ever does anybody
collect by chance what a signal asks for. So of the cards that can be passed those are looked at that are least alike to
the others of the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.engine.available import action_named
from interpreter.engine.notation import without_place
from interpreter.engine.program import ActionCode
from interpreter.engine.standing import kind_of_phase

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.moves import Move


def least_alike(state: State, moves: Sequence[Move]) -> Sequence[Move]:
    """Of moves that pass one card each, in a stage in which all choose at once and may do something else besides, those
    of a rank of which there are fewest; all moves in any other stage, or if something else can be done already."""
    s = state.position
    if kind_of_phase(s) != "simultaneous" or not any(s.program.stages[frame.stage].anytime for frame in s.stack):
        return moves
    cards = [_card(state, move) for move in moves]
    if not cards or None in cards:
        return moves
    ranks = [s.program.card_rank[card] for card in cards if card is not None]
    count = Counter(ranks)
    fewest = min(count.values())
    return [move for move, rank in zip(moves, ranks, strict=True) if count[rank] == fewest]


def _card(state: State, move: Move) -> int | None:
    """The card that a move passes; None if it does something else."""
    action = move.maker if isinstance(move.maker, ActionCode) else action_named(state.position, move.action)
    forms = () if action is None else tuple(param.form for param in action.params)
    if forms != ("cards",) or not isinstance(move.args[0], int) or move.args[0] < 0:
        return None
    return without_place(state.game.program, move.args[0])
