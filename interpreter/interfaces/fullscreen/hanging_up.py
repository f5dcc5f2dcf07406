"""The end of the program where its terminal has gone, and nobody has told it so."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

LOOKS = 500
"""Milliseconds between two looks at whether the program has ended by itself."""
HUNG_UP = 129
"""The exit code of a program that the signal SIGHUP ends, as shells tell it."""


@contextmanager
def ends_when_hung_up() -> Iterator[None]:
    """As long as this is open, the program ends when its terminal goes, though SIGHUP be ignored.

    It ends at once, as by that signal: what draws the screen may wait for ever for a terminal that takes nothing more.
    Each move is on the disk before the next is made.
    """
    if not hasattr(select, "poll"):  # on Windows
        yield
        return
    over = threading.Event()
    threading.Thread(target=_watch, args=(over,), daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _watch(over: threading.Event) -> None:
    lines = select.poll()
    for stream in (sys.__stdin__, sys.__stdout__):
        if stream is not None and stream.isatty():
            lines.register(stream.fileno(), 0)  # nothing but its end is asked for
    while not over.is_set():
        if any(event & select.POLLHUP for _, event in lines.poll(LOOKS)):
            os._exit(HUNG_UP)
