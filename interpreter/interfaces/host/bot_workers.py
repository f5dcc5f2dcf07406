"""Processes in which bots think, so that nobody else waits for them."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.host.child_process import Child, ChildGone
from interpreter.interfaces.host.hosted_match import HINT
from interpreter.interfaces.host.house_rules_text import WrongGame
from interpreter.interfaces.host.worker import Decided, Opening, Thinker

if TYPE_CHECKING:
    from interpreter.interfaces.host.bot_times import Turn

DEADLINE = 2.0
"""Seconds after which a bot makes an easy move."""
SHORTEST = 0.3
"""With fewer seconds left it is not worth while to begin."""
ASIDE = 0.4
"""Seconds of the deadline that go into everything but thinking."""


class BotWorkers:
    """As many as the machine has processors to spare; a table is always served by the same one."""

    def __init__(self, number: int | None = None) -> None:
        count = max(1, min(4, (os.cpu_count() or 2) - 1)) if number is None else number
        self._children = [Child(confined=False) for _ in range(count)]
        self._turns = [asyncio.Lock() for _ in range(count)]

    async def think(self, table: str, opening: Opening, turn: Turn, seconds: float) -> str | None:
        """What a bot does that thinks for so many seconds at most; None where it has found nothing in time. It is
        told when the seconds are over, also where there was nothing to think about: that is seen by nobody."""

        def asked(left: float) -> tuple[Any, ...]:
            return "think", Thinker(opening, turn.seat, turn.level, max(0.1, min(seconds, left - ASIDE)))

        found: Decided | None = await self._ask(table, asked, Decided)
        if found is None:
            return None
        await asyncio.sleep(found.left)
        return found.move

    async def advise(self, table: str, opening: Opening, seat: int) -> list[str] | None:
        """What a bot would do in somebody's place, in sentences; None where that was not found in time."""

        def asked(left: float) -> tuple[Any, ...]:
            return "advise", opening, seat, max(0.1, min(HINT, left - ASIDE))

        return await self._ask(table, asked, list[str])  # type: ignore[no-any-return]

    async def _ask(self, table: str, asked: Callable[[float], tuple[Any, ...]], kind: Any) -> Any:
        """An answer of the process that serves a table. asked: what is asked where so many seconds are left."""
        at = hash(table) % len(self._children)
        end = time.monotonic() + DEADLINE
        try:
            async with asyncio.timeout(DEADLINE - SHORTEST):
                await self._turns[at].acquire()
        except TimeoutError:
            return None
        try:
            left = max(SHORTEST, end - time.monotonic())
            return await self._children[at].ask(*asked(left), seconds=left, kind=kind)
        except (ChildGone, RuleError, WrongGame):
            return None
        finally:
            self._turns[at].release()

    async def close(self) -> None:
        for child in self._children:
            child.close()
            await child.gone()
