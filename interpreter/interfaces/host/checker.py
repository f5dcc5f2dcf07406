"""The one process that looks at rules of strangers for everybody, and who asks it next."""

from __future__ import annotations

from typing import Any

from interpreter.interfaces.host.child_process import Child
from interpreter.interfaces.host.in_turn import OneEach, Turns

CHECKING = 5.0
"""Seconds in which house rules must have been looked at."""
MOST_WAITING = 20
"""Questions of one kind that wait; one more is turned away."""
KINDS = {"form": 0, "rules": 1, "head": 1, "lesson": 2, "check": 2}
"""What is asked, and when it is its turn: whoever opens a table comes before those who are at one and read its rules,
or the record of an old match, and these before those who try out what they write."""
MOST_OF_ONE = {"form": 2, "rules": 10, "head": 2}
"""Of these so many may wait from one address, and one more is turned away. Of the others the last one alone waits, for
whoever goes on typing wants no answer to what stood there before."""


class Checker:
    """Answers one question at a time, and of each kind one at a time from each address."""

    def __init__(self) -> None:
        self._child = Child(confined=True, keeps=False)
        self._turns = Turns(MOST_WAITING)
        self.each = {kind: OneEach(MOST_OF_ONE.get(kind, 1), latest=kind not in MOST_OF_ONE) for kind in KINDS}
        """By kind, to be waited for by whoever asks, as something else may have to be waited for as well."""

    async def ask(self, method: str, *given: Any, kind: Any) -> Any:
        """An answer, as something of a kind. Raises Busy, ChildGone, and what the child has raised."""
        async with self._turns.turn(KINDS[method]):
            return await self._child.ask(method, *given, seconds=CHECKING, kind=kind)

    async def close(self) -> None:
        """End it for good."""
        self._child.close()
        await self._child.gone()
