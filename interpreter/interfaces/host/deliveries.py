"""What is told as soon as it may be: by a thread to the loop, and by the loop to pages.

Where much is going on, a pass of the loop takes long, for it serves every table that has something to do. Whatever is
ready to be told is not left until the next pass: tables let it out between two moves.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable

log = logging.getLogger("houserules.host")


class Deliveries:
    """What a thread has to be done in the loop, in its order."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready: deque[Callable[[], None]] = deque()
        self.then: Callable[[], None] = lambda: None
        """Is called in the loop when something of it was done."""

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """From now on it is done in this loop."""
        self._loop = loop

    def put(self, what: Callable[[], None]) -> None:
        """Have something done; from any thread."""
        assert self._loop is not None
        self._ready.append(what)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.deliver)

    def deliver(self) -> None:
        """Do what is ready; in the loop."""
        if not self._ready:
            return
        while self._ready:
            try:
                self._ready.popleft()()
            except Exception:
                log.exception("something could not be told")
        self.then()


class Outbox:
    """Pages to which something is sent in a moment, and what comes for them until then with it."""

    def __init__(self) -> None:
        self._due: list[Callable[[], None]] = []

    def put(self, write: Callable[[], None]) -> None:
        """write: sends what waits for one page, and never waits itself."""
        self._due.append(write)
        if len(self._due) == 1:
            asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Send all of it now."""
        due, self._due = self._due, []
        for write in due:
            try:
                write()
            except Exception:
                log.exception("a page could not be sent what waits for it")
