"""Moves as players name them, where that differs from what the game moves.

Equal cards of several packs are one card. A card that the player does not see is called by its position, 1 for the
top: minus that number stands for it in the move. What must be said on honour may be left unsaid: none stands for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.run import view
from interpreter.run.budget import charge
from interpreter.run.cards import lying_at
from interpreter.run.moves import Move
from interpreter.run.program import ActionCode, ParamCode
from interpreter.run.text import build, params_of

if TYPE_CHECKING:
    from interpreter.run.offering import Offering

Args = tuple[Any, ...]
NAMING = 30
"""Steps that are counted for looking whether arguments are the ones that are meant."""


def moves(s: Offering, player: int, action: ActionCode, offered: Sequence[Args], lawful: bool) -> Sequence[Move]:
    """The moves with these arguments as the player names them, each once; where laws do not count, unsaid ones too."""
    found: dict[str, Move] = {}
    charge(s, len(offered) * (NAMING + len(s.z)))
    for args in offered:
        named = named_args(s, player, action, args)
        ways = [named]
        if not lawful:
            for at, param in enumerate(params_of(s, player, action, named)):
                if param.otherwise is not None:
                    ways += [(*way[:at], None, *way[at + 1 :]) for way in ways]
        for way in ways:
            move = build(s, player, action, way)
            found.setdefault(move.text, move)
    return list(found.values())


def named_args(s: Offering, player: int, action: ActionCode, args: Args) -> Args:
    """Arguments that the game knows, as the player names them."""
    return tuple(_named(s, player, p, a) for p, a in zip(params_of(s, player, action, args), args, strict=True))


def _named(s: Offering, player: int, param: ParamCode, value: Any) -> Any:
    if param.form != "cards" or value is None:
        return value
    if param.several:
        return tuple(sorted(s.program.first_copy[card] for card in value))
    if param.blind:
        place = lying_at(s, value)
        if not view.is_visible(s, value, place, player):
            return -1 - view.cards_at(s, place).index(value)
    return s.program.first_copy[value]


def real_args(s: Offering, player: int, action: ActionCode, args: Args) -> Args | None:
    """The arguments of a move as the game knows them; None if the action does not offer them."""
    if not action.renamed:
        return args
    wanted: list[Any] = []
    for param, value in zip(params_of(s, player, action, args), args, strict=True):
        if value is None and param.otherwise is not None:
            value = param.otherwise(s, player, *wanted)
        if param.form == "cards" and param.several and value is not None:
            value = tuple(sorted(s.program.first_copy[card] for card in value))
        wanted.append(value)
    offered: Sequence[Args] = action.possible(s, player)
    charge(s, len(offered) * (NAMING if action.steady else NAMING + len(s.z)))
    named = tuple(wanted)
    if not action.steady:
        return next((found for found in offered if named_args(s, player, action, found) == named), None)
    known = action.interned
    for found in offered:
        move = known.get(found)
        if (named_args(s, player, action, found) if move is None else move.args) == named:
            return found
    return None
