"""Players who are not people: what they do, what their hands do, and how fast they are."""

from __future__ import annotations

import math
from contextlib import suppress
from functools import lru_cache
from math import exp
from typing import TYPE_CHECKING, Protocol

from interpreter.engine.available import action_named
from interpreter.engine.chance import Dice
from interpreter.engine.failures import Ruled
from interpreter.engine.meaning import Offer
from interpreter.engine.program import ActionCode
from interpreter.engine.rule_errors import RuleError
from interpreter.players.good_faith import lawful_moves

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.moves import Move


MOST_STRETCHED = 30.0
"""No time is more than e to this power times its median."""


class Bot(Protocol):
    """Whoever makes moves for a player. A bot looks only at what the player may see and do."""

    watches: bool
    """Whether `claim` has to be asked after each move."""

    def choose(self, state: State, player: int) -> Move | None:
        """One of the player's legal moves, on honour as far as the player can tell; None if there is none."""

    def measures(self, state: State, player: int, move: Move) -> dict[str, int]:
        """What the body decides in that move, by name."""

    def reaction(self) -> int:
        """Milliseconds until the bot does something about what it sees."""

    def claim(self, before: State, state: State, player: int, until: float = math.inf) -> Move | None:
        """What the player claims on honour after a move; None for nothing. before: the match before that move. until:
        when nothing more is thought about, as time.monotonic."""


class RandomBot:
    """Plays each legal move as likely as the other.

    The same seed and the same positions give the same play; nothing else is asked for chance.
    """

    FASTEST = 350
    """Milliseconds below which nobody reacts."""
    TYPICAL = 900
    """Milliseconds that half of the reactions take in addition: about what a person needs at a keyboard."""
    SPREAD = 0.45

    def __init__(self, seed: int) -> None:
        self._dice = Dice(seed)
        self.watches = False

    def choose(self, state: State, player: int) -> Move | None:
        moves, _ = lawful_moves(state, player)
        number = len(moves)
        return moves[self._dice.below(number)] if number else None

    def measures(self, state: State, player: int, move: Move) -> dict[str, int]:
        return {
            name: low + self._dice.below(high - low + 1) for name, (low, high) in measured(state, player, move).items()
        }

    def claim(self, before: State, state: State, player: int, until: float = math.inf) -> Move | None:
        return None

    def reaction(self) -> int:
        """A time in whole milliseconds, about log-normal, as human reaction times are.

        Source: Luce, "Response Times" (1986), chapter 1, for the shape.
        """
        return self.FASTEST + about(self._dice, self.TYPICAL, self.SPREAD)


def about(dice: Dice, median: int, spread: float) -> int:
    """A time of which half stay below the median; spread: the standard deviation of its logarithm."""
    return times_about(median, spread)[dice.four_below(1001)] if spread else median


@lru_cache(maxsize=64)
def times_about(median: int, spread: float) -> tuple[int, ...]:
    """The times that sums of four numbers from 0 to 1000 stand for; such a sum is nearly normal, with a standard
    deviation of 577, but has no far tails: nobody falls asleep."""
    return tuple(round(median * exp(min(spread * (total - 2000) / 577, MOST_STRETCHED))) for total in range(4001))


def measured(state: State, player: int, move: Move) -> dict[str, tuple[int, int]]:
    """The measures that a move carries, each with its lowest and highest value; empty for most moves.

    Without those that have no bounds, as may be where the move is not lawful: who makes it is told so.
    """
    action = move.maker if isinstance(move.maker, ActionCode) else action_named(state.position, move.action)
    if action is None or not action.measured:
        return {}
    s, found = state.position, {}
    with suppress(RuleError), Ruled(s):
        args = Offer(s, player, action).possible(move.args)
        if args is None:
            return {}
        for name, bounds in action.measured:
            low, high = bounds(s, player, *args)
            if low <= high:
                found[name] = low, high
    return found
