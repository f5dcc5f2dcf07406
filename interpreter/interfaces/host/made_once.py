"""What takes long to make and stays as it is: made once, one thing after the other, however many ask for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

MOST_KEPT = 64
"""Things of which the ones that were asked for last are kept."""


class MadeOnce:
    """Things by their names."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._found: dict[Any, Any] = {}
        self._making = asyncio.Lock()

    async def get(self, name: Any, make: Callable[[], Awaitable[Any]]) -> Any:
        """A thing, which is made if it is not there. What goes wrong in making it is raised, and nothing is kept."""
        if name not in self._found:
            async with self._making:
                if name not in self._found:  # else it was made meanwhile
                    self._found[name] = await make()
        found = self._found[name] = self._found.pop(name)
        if len(self._found) > self._most:
            del self._found[next(iter(self._found))]
        return found
