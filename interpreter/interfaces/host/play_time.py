"""The time of a match at a table, which stands still while nobody plays."""

from __future__ import annotations

import time


class PlayTime:
    """Milliseconds of play. It stands at 0 until it is set."""

    def __init__(self) -> None:
        self._stood = 0
        self._since: float | None = None
        """How much had been played when it began to run, and when that was, as time.monotonic; None while it stands
        still."""

    @property
    def now(self) -> int:
        """Milliseconds of play."""
        return self.at(time.monotonic())

    def at(self, moment: float) -> int:
        """Milliseconds of play at a moment, as time.monotonic tells it."""
        ran = 0.0 if self._since is None else max(0.0, moment - self._since)
        return self._stood + int(ran * 1000)

    def set(self, played: int, runs: bool) -> None:
        """So many milliseconds have been played. runs: whether it goes on from there at once."""
        self._stood = played
        self._since = time.monotonic() if runs else None

    def stop(self) -> None:
        """It stands still."""
        self._stood, self._since = self.now, None

    def go_on(self) -> None:
        """It runs on from where it stood."""
        self._since = time.monotonic()
