"""What takes long to make and stays as it is: made once, one thing after the other, however many ask for it."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from typing import Any

MOST_KEPT = 64
"""Things of which the ones that were asked for last are kept."""
REFUSED = 60.0
"""Seconds for which it is known that a thing cannot be made: it may take as long to find that out."""


class MadeOnce:
    """Things by their names. refusal: what is raised where a thing cannot be made, and will not be in a moment."""

    def __init__(self, most: int = MOST_KEPT, refusal: type[Exception] | None = None) -> None:
        self._most, self._refusal = most, refusal or ()
        self._found: dict[Any, tuple[float, Any]] = {}
        """With the moment until which it is kept, as time.monotonic tells it."""
        self._making = asyncio.Lock()

    def _is_there(self, name: Any) -> bool:
        return name in self._found and time.monotonic() < self._found[name][0]

    async def get(self, name: Any, make: Callable[[], Awaitable[Any]]) -> Any:
        """A thing, which is made if it is not there. What goes wrong in making it is raised, and nothing is kept but
        for a while that it was refused."""
        if not self._is_there(name):
            async with self._making:
                if not self._is_there(name):  # else it was made meanwhile
                    try:
                        self._found[name] = math.inf, await make()
                    except self._refusal as refused:
                        self._found[name] = time.monotonic() + REFUSED, refused
        _, found = self._found[name] = self._found.pop(name)
        if len(self._found) > self._most:
            del self._found[next(iter(self._found))]
        if isinstance(found, Exception):
            raise found.with_traceback(None)
        return found
