"""When bots at a table act, so that people can follow."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.engine.chance import Dice
from interpreter.interfaces.host.hosted_steps import Standing
from interpreter.players.random_bot import RandomBot

CARD, TRICK = 0.7, 1.2
"""Seconds that a card stands at least before the next, and a full trick."""
GRACE = 1.3
"""Seconds that a bot takes to claim, besides its reaction."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A bot is to act. made: how many moves had been made when that was found: its own may not be possible after more;
    of a race it does not matter."""

    seat: int
    level: str
    made: int
    race: bool


class BotTimes:
    """pace: by what all times are multiplied; 0 lets bots act at once."""

    def __init__(self, pace: float) -> None:
        self._pace = pace
        self._body = RandomBot(secrets.randbits(64))
        self._dice = Dice(secrets.randbits(64))

    def turns(self, standing: Standing, bots: Mapping[int, str], waiting: set[int]) -> list[tuple[float, Turn]]:
        """Who is to act, and in how many seconds. bots: levels by seat. waiting: who is about to act already."""
        if standing.over:
            return []
        acting = [seat for seat in bots if seat not in waiting and (standing.race or seat in standing.actors)]
        if not standing.race and waiting:
            return []
        if not standing.race and acting:  # one after the other, so that each can be seen
            acting = [acting[self._dice.below(len(acting))]]
        return [
            (self._pace * self._seconds(standing), Turn(seat, bots[seat], standing.made, standing.race))
            for seat in acting
        ]

    def until_claim(self) -> float:
        """Seconds until a bot claims what it has noticed: a person can be first."""
        return self._pace * (GRACE + self._body.reaction() / 1000)

    def _seconds(self, standing: Standing) -> float:
        if standing.race:
            return self._body.reaction() / 1000
        return TRICK if standing.trick else CARD
