"""The match of a table as its table asks it, wherever it is played: in this process, or in a child."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from interpreter.interfaces.host.child_process import ChildGone
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.hosted_steps import Reading, Standing, Step
from interpreter.interfaces.host.made_again import History


class Match(Protocol):
    """See `HostedMatch`, of which these are the methods."""

    @property
    def is_gone(self) -> bool:
        """Whether it was closed, or the process has ended in which it was played."""

    async def open(self, late: int = 0) -> None:
        """Begin, or go on where it was. late: how often that has taken too long. Raises WrongGame, RuleError and
        ChildGone."""

    async def begun(self) -> Step: ...

    async def standing(self) -> Standing: ...

    async def play(self, seat: int, text: str, ask: int | None, end: int | None) -> Step:
        """Raises Refusal and RuleError."""

    async def undo(self, moves: int, note: str, people: list[int]) -> tuple[History, Standing]:
        """Raises Refusal, as do the next one and `replay`: all of these make the match again."""

    async def revealed(self, moves: int, people: list[int]) -> list[int]: ...

    async def welcome(self, reader: int | None) -> Reading: ...

    async def easy_move(self, seat: int) -> str | None: ...

    async def hint(self, seat: int) -> list[str]: ...

    async def may_say(self, seat: int, move: str, phrases: bool) -> bool: ...

    async def sheet(self, reader: int | None) -> list[str]: ...

    async def claims(self, seats: list[int]) -> list[tuple[int, str]]: ...

    async def replay(self, at: int) -> dict[str, Any]: ...

    def forget(self, reader: int | None) -> None: ...

    def close(self) -> None:
        """Nobody asks it any more."""


class LocalMatch:
    """A match of a shipped ruleset, in this process."""

    def __init__(self, match: HostedMatch) -> None:
        self._match = match
        self._is_closed = False

    @property
    def is_gone(self) -> bool:
        return self._is_closed

    @property
    def _open(self) -> HostedMatch:
        """The match. Raises ChildGone where nobody is to ask it any more."""
        if self._is_closed:
            raise ChildGone("It was ended.")
        return self._match

    async def open(self, late: int = 0) -> None:
        """It is open."""

    async def begun(self) -> Step:
        return self._open.begun()

    async def standing(self) -> Standing:
        return self._open.standing

    async def play(self, seat: int, text: str, ask: int | None, end: int | None) -> Step:
        return self._open.play(seat, text, ask, end)

    async def undo(self, moves: int, note: str, people: list[int]) -> tuple[History, Standing]:
        return await asyncio.to_thread(self._open.undo, moves, note, people)  # it makes the whole match again

    async def revealed(self, moves: int, people: list[int]) -> list[int]:
        return await asyncio.to_thread(self._open.revealed, moves, people)  # as does this

    async def welcome(self, reader: int | None) -> Reading:
        return self._open.welcome(reader)

    async def easy_move(self, seat: int) -> str | None:
        return self._open.easy_move(seat)

    async def hint(self, seat: int) -> list[str]:
        return self._open.hint(seat)

    async def may_say(self, seat: int, move: str, phrases: bool) -> bool:
        return self._open.may_say(seat, move, phrases)

    async def sheet(self, reader: int | None) -> list[str]:
        return await asyncio.to_thread(self._open.sheet, reader)  # the first time it reads the whole log

    async def claims(self, seats: list[int]) -> list[tuple[int, str]]:
        return self._open.claims(seats)

    async def replay(self, at: int) -> dict[str, Any]:
        return await asyncio.to_thread(self._open.replay, at)  # and so does that

    def forget(self, reader: int | None) -> None:
        self._match.forget(reader)

    def close(self) -> None:
        self._is_closed = True
