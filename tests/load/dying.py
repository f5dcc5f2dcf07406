"""`houserules host`, which ends itself without warning at one point of what becomes of a move: `python -m
tests.load.dying POINT MOVES host ...`. It dies with the move after so many."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from interpreter.interfaces.cli import main
from interpreter.interfaces.host import store
from interpreter.interfaces.host import table_events as e

POINTS = ("received", "stored", "committed")
"""A move has come and is made, and nothing of it is written; it is written and the transaction open; the transaction
has ended and nobody has been told."""


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Dying(store.Store):
    """point: when it dies. left: with which move of a person."""

    point, left = "", 0
    _is_last = False

    def put(self, hold: Any, n: int, event: e.AnyEvent, done: Callable[[], None]) -> None:
        if isinstance(event, e.Moved) and event.id:
            Dying.left -= 1
            if self.left <= 0 and self.point == "received":
                die()
        super().put(hold, n, event, done)

    def _insert(self, execute: store.Execute, rows: list[store.Row]) -> None:
        super()._insert(execute, rows)
        moves = [row for row in rows if isinstance(found := e.decode(row["body"]), e.Moved) and found.id]
        if moves and self.left <= 0:
            if self.point == "stored":
                die()
            self._is_last = True

    def _call(self, what: Callable[[], None]) -> None:
        if self._is_last and self.point == "committed":
            die()
        super()._call(what)


if __name__ == "__main__":
    Dying.point, Dying.left = sys.argv[1], int(sys.argv[2])
    store.Store = Dying  # type: ignore[misc]
    sys.argv[1:3] = []
    sys.exit(main())
