"""What a hosted match says when something has been done: what is stored, how it stands, what each reader learns."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct

from interpreter.engine.situation import RecordedMove
from interpreter.interfaces.host.changes import Change


class Reading(Struct, omit_defaults=True):
    """What one reader learns. scene: all of it, in a welcome; else `changes`. ask: UNSET if nothing else is asked."""

    lines: list[tuple[str, str]] = []
    scene: Any = None
    changes: list[Change] = []
    ask: Any = UNSET

    def __bool__(self) -> bool:
        """Whether there is anything to learn."""
        return bool(self.lines or self.changes) or self.ask is not UNSET


class Made(Struct, array_like=True):
    """Moves that were made together, as they are stored, with what chance gave from the moves before on to them.

    moves: each with its tick, player, text, times and measures. chance: [place, outcome] in order of each place.
    """

    moves: list[RecordedMove]
    chance: list[tuple[str, Any]]


class Standing(Struct, array_like=True):
    """How a match stands, as far as whoever leads the table must know. actors: for whom it waits. clock: milliseconds.
    made: how many moves have been made. won: the winners, when it is over. trick: whether a trick has just ended."""

    over: bool
    race: bool
    actors: list[int]
    clock: int
    made: int
    won: list[int] = []
    trick: bool = False


class Step(Struct, array_like=True):
    """What has come of something: what is stored, how it stands, and by reader what each learns. head: of a match that
    begins, what the first line of its record says, but for what chance has given. quiet: whether nobody else is told of
    a move at all."""

    made: Made
    standing: Standing
    news: list[tuple[int | None, Reading]] = []
    head: dict[str, Any] = {}
    quiet: bool = False
