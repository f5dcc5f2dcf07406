"""What an action offers at a decision, and what its laws may refuse of that."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from interpreter.engine.chance import Dice
from interpreter.engine.packets import bits
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode
from interpreter.engine.rule_errors import TooMany

TRIED = 24
"""Of the possible moves of an action with many, so many are held against its laws at one decision."""


def offers_something(action: ActionCode, offered: object) -> bool:
    """Whether there is a move in what an action offers."""
    if action.shape == "cards" and isinstance(offered, tuple):
        mask, low, high = offered
        return bool(low <= high and mask.bit_count() >= low)
    return bool(offered)


def possible_of(s: Position, player: int, action: ActionCode) -> Any:
    """What an action offers a player, laws aside; None where that is more than can be listed."""
    with suppress(TooMany):
        return action.possible(s, player)
    return None


def maybe_refused(action: ActionCode, possible: Any, legal: Any, dice: Dice) -> list[tuple[Any, ...]]:
    """Possible moves that a law may refuse, as the program's own arguments; of very many some that are drawn."""
    match action.shape, possible, legal:
        case "none", _, _:
            return [] if legal else [()]
        case "card", int(), int():
            return [(card,) for card in bits(possible & ~legal)]
        case "cards", (mask, low, high), _:
            cards = list(bits(mask))
            found: list[tuple[Any, ...]] = []
            for _ in range(TRIED):
                size = min(len(cards), low + dice.below(max(1, min(high, len(cards)) - low + 1)))
                drawn = list(cards)
                for at in range(size):
                    other = at + dice.below(len(drawn) - at)
                    drawn[at], drawn[other] = drawn[other], drawn[at]
                found.append((tuple(sorted(drawn[:size])),))
            return found
        case _, list(), list():
            if len(possible) == len(legal):
                return []
            lawful = set(legal)
            refused = [args for args in possible if args not in lawful]
            if len(refused) > TRIED:
                refused = [refused[dice.below(len(refused))] for _ in range(TRIED)]
            return refused
    return []
