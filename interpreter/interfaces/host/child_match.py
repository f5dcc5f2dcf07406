"""A match of a stranger's ruleset, which is played in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from sys import intern
from typing import Any

from interpreter.interfaces.host.child_process import Child
from interpreter.interfaces.host.hosted_steps import Reading, Standing, Step
from interpreter.interfaces.host.made_again import History
from interpreter.interfaces.host.not_made import Refusal
from interpreter.interfaces.host.worker import Opening

SECONDS = 4.0
"""For anything that a match is asked, each move among it."""
PART = 1.0
"""Seconds of processor time for which moves are made again before it is looked whether that goes on."""
EACH, LONGEST, SHARED = 0.5, 60.0, 3.0
"""Seconds more for each move that is made again besides, as when some are taken back, or of which the scores are read,
and for all of them together: where they take more the table would stand still for too long, and it is not done. By how
much longer they may take than so many seconds of processor time, of which others have their share."""
TOO_LONG = "To make this match again for that would take too long."


class ChildMatch:
    """See `HostedMatch`. What a reader is not shown any more is forgotten when the child is asked next."""

    def __init__(self, child: Child, closed: Callable[[], None], opening: Opening) -> None:
        self._child, self._closed, self._opening = child, closed, opening
        self._forgotten: list[int | None] = []
        self._moves = 0
        """That have been made, as far as it was told here."""

    async def open(self, late: int = 0) -> None:
        """Begin, or go on: each move has at least twice the time that it had when it was made, and all together as
        long as they take, for they were answered. late: how often that has taken too long; they have more then. Raises
        WrongGame, RuleError and ChildGone, TookLong among them."""
        seconds = PART + min(LONGEST, 2 * SECONDS * (1 + late))
        is_there = await self._child.ask("open", self._opening, PART, seconds=SECONDS + seconds, kind=bool)
        while not is_there:
            is_there = await self._child.ask("go_on", PART, seconds=seconds, kind=bool, starts=False)
        self._opening.history = History()  # it is as long as the match, and not needed any more

    @property
    def is_gone(self) -> bool:
        return self._child.process is None

    @property
    def is_asked(self) -> bool:
        """Whether somebody waits for an answer."""
        return self._child.is_asked

    async def _ask(self, kind: Any, method: str, *given: Any, more: float = 0.0) -> Any:
        while self._forgotten:
            await self._child.ask("forget", self._forgotten.pop(), seconds=SECONDS, starts=False)
        # a new process would know nothing of this match
        return await self._child.ask(method, *given, seconds=SECONDS + more, kind=kind, starts=False)

    async def _again(self, moves: int | None) -> float:
        """How many seconds more something may take for which so many moves are made again, None for all. Raises
        Refusal where that would be too many."""
        made, takes = await self._ask(tuple[int, float], "takes", moves)
        if takes > LONGEST:
            raise Refusal(TOO_LONG)
        return SECONDS + max(min(LONGEST, EACH * made), SHARED * takes)  # type: ignore[no-any-return]

    async def _step(self, method: str, *given: Any) -> Step:
        step: Step = await self._ask(Step, method, *given)
        self._moves = step.standing.made
        step.made.chance = [(place, _as_kept(outcome)) for place, outcome in step.made.chance]
        return step

    async def begun(self) -> Step:
        return await self._step("begun")

    async def standing(self) -> Standing:
        standing: Standing = await self._ask(Standing, "standing")
        self._moves = standing.made
        return standing

    async def play(self, seat: int, text: str, ask: int | None, end: int | None) -> Step:
        return await self._step("play", seat, text, ask, end)

    async def undo(self, moves: int, note: str, people: list[int]) -> tuple[History, Standing]:
        kind, more = tuple[History, Standing], await self._again(None)
        return await self._ask(kind, "undo", moves, note, people, more=more)  # type: ignore[no-any-return]

    async def revealed(self, moves: int, people: list[int]) -> list[int]:
        more = await self._again(None)
        return await self._ask(list[int], "revealed", moves, people, more=more)  # type: ignore[no-any-return]

    async def welcome(self, reader: int | None) -> Reading:
        return await self._ask(Reading, "welcome", reader)  # type: ignore[no-any-return]

    async def easy_move(self, seat: int) -> str | None:
        return await self._ask(str | None, "easy_move", seat)  # type: ignore[no-any-return]

    async def hint(self, seat: int) -> list[str]:
        return await self._ask(list[str], "hint", seat)  # type: ignore[no-any-return]

    async def may_say(self, seat: int, move: str, phrases: bool) -> bool:
        return await self._ask(bool, "may_say", seat, move, phrases)  # type: ignore[no-any-return]

    async def sheet(self, reader: int | None) -> list[str]:
        more = min(LONGEST, EACH * self._moves)  # the first time it reads what came of all of them
        return await self._ask(list[str], "sheet", reader, more=more)  # type: ignore[no-any-return]

    async def claims(self, seats: list[int]) -> list[tuple[int, str]]:
        return await self._ask(list[tuple[int, str]], "claims", seats)  # type: ignore[no-any-return]

    async def replay(self, at: int) -> dict[str, Any]:
        return await self._ask(dict[str, Any], "replay", at, more=await self._again(at))  # type: ignore[no-any-return]

    def forget(self, reader: int | None) -> None:
        self._forgotten.append(reader)

    def close(self) -> None:
        self._child.close()
        self._closed()


def _as_kept(outcome: Any) -> Any:
    """What chance has decided, with names of cards that are there once for all."""
    return [intern(name) if type(name) is str else name for name in outcome] if type(outcome) is list else outcome
