"""Turns at what does one thing at a time: what matters more comes first, and nobody waits in a long row."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary


class Busy(Exception):
    """So much waits already that this is not done."""

    def __init__(self) -> None:
        super().__init__("That is asked for too often just now; try again in a moment.")


class Turns:
    """One at a time: a lower rank first, and within a rank whoever came first.

    most: how many may wait of a rank. latest: whether one more takes the place of whoever has waited longest; else it
    is turned away itself.
    """

    def __init__(self, most: int, latest: bool = False) -> None:
        self._most, self._latest = most, latest
        self._is_taken = False
        self._waiting: dict[int, list[asyncio.Future[bool]]] = {}
        """By rank; what comes of waiting is whether it is one's turn."""

    @asynccontextmanager
    async def turn(self, rank: int = 0) -> AsyncIterator[None]:
        """Wait for one's turn, which lasts as long as this. Raises Busy."""
        if self._is_taken:
            await self._comes(rank)
        self._is_taken = True
        try:
            yield
        finally:
            self._passes()

    async def _comes(self, rank: int) -> None:
        waiting = self._waiting.setdefault(rank, [])
        if len(waiting) >= self._most:
            if not self._latest or not waiting:
                raise Busy
            _tell(waiting.pop(0), False)
        mine = asyncio.get_running_loop().create_future()
        waiting.append(mine)
        try:
            is_mine = await mine
        except asyncio.CancelledError:
            if mine in waiting:
                waiting.remove(mine)
            if not mine.cancelled() and mine.result():
                self._passes()
            raise
        if not is_mine:
            raise Busy

    def _passes(self) -> None:
        """It is the next one's turn."""
        for rank in sorted(self._waiting):
            while self._waiting[rank]:
                if _tell(self._waiting[rank].pop(0), True):
                    return
        self._is_taken = False


class OneEach:
    """One thing at a time for each key, as for an address. most, latest: as of `Turns`, of each."""

    def __init__(self, most: int, latest: bool = False) -> None:
        self._most, self._latest = most, latest
        self._turns: WeakValueDictionary[str, Turns] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """Wait for one's turn. Raises Busy."""
        turns = self._turns.setdefault(key, Turns(self._most, self._latest))  # it is kept while anybody is in it
        async with turns.turn():
            yield


def _tell(waiting: asyncio.Future[bool], is_turn: bool) -> bool:
    """Tell one who waits whether it is the turn; False if nobody waits there any more."""
    if waiting.done():
        return False
    waiting.set_result(is_turn)
    return True
