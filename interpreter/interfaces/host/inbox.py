"""A queue with one reader and a flag, which are small while nothing goes on: there are many of them, and most wait."""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")


class Inbox(Generic[T]):
    """What is put in comes out in order, to one who waits for it."""

    __slots__ = ("_coming", "_items")

    def __init__(self) -> None:
        self._items: list[T] = []
        self._coming: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        """Whether whoever takes something out would have to wait."""
        return not self._items

    def put_nowait(self, item: T) -> None:
        self._items.append(item)
        if self._coming is not None and not self._coming.done():
            self._coming.set_result(None)

    async def get(self) -> T:
        """Take out what has lain there longest, as soon as there is anything."""
        while not self._items:
            coming = self._coming = asyncio.get_running_loop().create_future()
            try:
                await coming
            finally:
                if self._coming is coming:  # else somebody waits who came after one who gave up
                    self._coming = None
        return self._items.pop(0)


class Flag:
    """Something that holds or does not, for which can be waited, as for asyncio.Event. It holds at first."""

    __slots__ = ("_coming",)

    def __init__(self) -> None:
        self._coming: asyncio.Future[None] | None = None

    def is_set(self) -> bool:
        return self._coming is None

    def set(self) -> None:
        """From now on it holds."""
        coming, self._coming = self._coming, None
        if coming is not None and not coming.done():
            coming.set_result(None)

    def clear(self) -> None:
        """From now on it does not."""
        if self._coming is None:
            self._coming = asyncio.get_running_loop().create_future()

    async def wait(self) -> bool:
        """Wait until it holds."""
        if self._coming is not None:
            await asyncio.shield(self._coming)  # whoever gives up leaves the others waiting
        return True
