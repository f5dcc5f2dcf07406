"""How long whoever sits at the terminal has waited for bots, and whether they want to wait on."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from interpreter.engine.standing import takes_part
from interpreter.interfaces.terminal.others import Others

LONG = 12
"""Moves of bots in a row, beyond one of each player, after which it is said how not to wait for more."""
HURRY = 8.0
"""Seconds for which bots play at once before it is said again that they do."""
PLAY_ON = "The others play on: Enter lets them do it at once, quit leaves the match."
MEANWHILE = "The clock runs: the others act while you read and type."
TOO_EARLY = "A number that you typed before this was asked answers nothing."
OUT = f"You are out. {PLAY_ON}"


@dataclass(slots=True)
class Waiting:
    """row: how many moves bots have made since somebody was asked. is_told: whether it was said how not to wait.
    is_warned: whether it was said that nobody waits for them."""

    row: int = 0
    is_told: bool = False
    is_warned: bool = False
    _until: float | None = None
    """When bots take their time again that play at once now; None where they take it."""

    def end(self) -> None:
        """Somebody is asked."""
        self.row, self.is_told = 0, False

    def is_long(self, players: int) -> bool:
        return self.row > LONG + players

    @property
    def hurries(self) -> bool:
        """Whether bots play at once."""
        return self._until is not None

    @property
    def is_up(self) -> bool:
        """Whether they have done so for long enough."""
        return self._until is not None and time.monotonic() > self._until

    def hurry(self, others: Others, people: Iterable[int]) -> None:
        """Let bots play at once, and without thinking once no person takes part: then it is the end that is awaited."""
        if not any(takes_part(others.state.position, player) for player in people):
            others.play_at_random()
        self._until = time.monotonic() + HURRY

    def calm_down(self) -> None:
        self._until, self.is_told = None, False
