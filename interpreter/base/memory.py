"""When Python looks for memory that only circles hold: not while much is made that stays. And what is forgotten."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any, Generic, TypeVar, cast

Found = TypeVar("Found")


@contextmanager
def no_collecting() -> Iterator[None]:
    """Nothing that is made here holds circles; looking for some would take up to a fifth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            if next(_times) < MOST_PUT_OFF and not gc.get_freeze_count():
                gc.freeze()  # both together make all that is there old, and look at nothing
                gc.unfreeze()
            gc.enable()


_times = count()
MOST_PUT_OFF = 8
"""How often what was made becomes old without a look: a command that makes a few games and ends need not look at all of
them. Who goes on making some looks as ever, so that circles do not pile up."""


class Later(Generic[Found]):
    """What is found out when it is first asked for. Then what it takes to find it is forgotten."""

    def __init__(self, find: Callable[[], Found]) -> None:
        self._find: Callable[[], Found] | None = find
        self._found: Found | None = None

    def __call__(self) -> Found:
        find = self._find
        if find is not None:  # another thread may find the same meanwhile
            self._found, self._find = find(), None
        return cast("Found", self._found)


def forget_oldest(kept: dict[Any, Any]) -> None:
    """Take out what was put in first. Several threads may do so at once, or put something in meanwhile."""
    with suppress(StopIteration, RuntimeError):
        kept.pop(next(iter(kept)), None)
