"""When Python looks for memory that only circles hold: not while much is made that stays. And what is forgotten."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


@contextmanager
def no_collecting() -> Iterator[None]:
    """Nothing that is made here holds circles; looking for some would take up to a fifth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def forget_oldest(kept: dict[Any, Any]) -> None:
    """Take out what was put in first. Several threads may do so at once, or put something in meanwhile."""
    with suppress(StopIteration, RuntimeError):
        kept.pop(next(iter(kept)), None)
