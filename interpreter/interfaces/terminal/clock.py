"""The time of a match at the terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.api.game import State


class Clock:
    """Milliseconds since a match began, which go on by themselves; never before what has happened in it."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._zero = 0.0

    def set(self) -> None:
        """Let the time of the match go on from where it is."""
        self._zero = time.monotonic() - self._state.position.clock / 1000

    def skip(self, milliseconds: int) -> None:
        """Jump ahead."""
        self._zero -= milliseconds / 1000

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Time stands still while somebody reads or thinks about something else."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self._zero += time.monotonic() - begun

    def now(self) -> int:
        return max(self._state.position.clock, round((time.monotonic() - self._zero) * 1000))
