"""How deeply calls may go: as deeply wherever something is asked from, so that what is too deep for one is for all."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

ROOM = 1000
"""Calls within one another: what Python allows by itself where nothing has been called yet."""

_one_at_a_time = RLock()
"""The limit is one for all threads."""


@contextmanager
def as_deep_as_anywhere() -> Iterator[None]:
    """Calls may go as deep here as at the bottom of a program, whoever called: else a ruleset that one command can use
    would be too deep for another, which asks from farther up."""
    with _one_at_a_time:
        depth, frame, before = 0, sys._getframe(), sys.getrecursionlimit()
        while frame.f_back is not None:
            depth, frame = depth + 1, frame.f_back
        sys.setrecursionlimit(depth + ROOM)
        try:
            yield
        finally:
            sys.setrecursionlimit(before)
