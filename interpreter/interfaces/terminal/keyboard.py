"""Lines from whoever sits at the keyboard, while time goes on."""

from __future__ import annotations

import codecs
import contextlib
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import TextIO, TypeVar

from interpreter.interfaces.terminal.suggestions import Suggestions

WAIT = 0.25
"""Seconds of one wait for a line: as long as an interrupt may go unnoticed."""
SETTLING = 0.3
"""Seconds within which a key comes once more that bounces or is pressed twice; no keyboard is handed over in less."""


def is_dumb() -> bool:
    """Whether a terminal can do no more than print, as it says itself, or does not say what it can do."""
    return os.environ.get("TERM", "") in ("", "dumb", "unknown")


def can_edit() -> bool:
    """Whether somebody sits at a terminal in which a line can be edited."""
    return sys.stdin.isatty() and sys.stdout.isatty() and not is_dumb()


class EndOfInput(Exception):
    """Nobody will type anything any more."""


class HungUp(EndOfInput):
    """The terminal is not there any more, and nobody reads what is shown."""


class Interrupted(Exception):
    """Somebody has typed that they want to leave."""


Line = TypeVar("Line")


def waited_for(lines: queue.Queue[Line], seconds: float | None, has_ended: Callable[[], bool] = lambda: False) -> Line:
    """The next of some lines. has_ended: whether no more will come.

    Raises queue.Empty when none came in so many seconds, and HungUp when none will come.
    """
    left = seconds
    while True:  # in short waits: an interrupt that comes just before a wait begins is noticed after it
        was_last = has_ended()  # before the wait: what came last came before the end
        try:
            return lines.get(timeout=WAIT if left is None else min(WAIT, left))
        except queue.Empty:
            if was_last:
                raise HungUp from None
            left = None if left is None else left - WAIT
            if left is not None and left <= 0:
                raise


def without_numbers(lines: queue.Queue[Line]) -> bool:
    """Take the numbers out of some lines; whether there were any."""
    found: list[Line] = []
    with contextlib.suppress(queue.Empty):
        while True:
            found.append(lines.get_nowait())
    left = [line for line in found if not (isinstance(line, str) and line.strip().rstrip(".").isdecimal())]
    for line in left:
        lines.put(line)
    return len(left) < len(found)


def settle(terminal: TextIO | int) -> None:
    """Wait until fingers have come to rest, and drop what a terminal holds that was typed and that nobody has read."""
    time.sleep(SETTLING)
    try:
        import termios
    except ImportError:  # on Windows
        return
    with contextlib.suppress(OSError, ValueError, termios.error):
        termios.tcflush(terminal, termios.TCIFLUSH)


class Keyboard:
    """Reads lines with a limit of time.

    A thread reads the file descriptor itself: a thread that waits inside `sys.stdin` would keep its lock, and
    Python could not exit. A stream without a descriptor (a text in memory) is read directly, and never waits.
    """

    shows_prompt = False
    """Whether what stands before the line is shown by whoever reads it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._descriptor = _descriptor(stream)
        self._rest = ""
        """What was read of a line that has not ended."""
        self._started = False
        self._ended = False

    @property
    def is_person(self) -> bool:
        """Whether somebody is likely to sit there, rather than a file or a pipe."""
        return self._descriptor is not None and os.isatty(self._descriptor)

    def ask(self, prompt: str, suggestions: Suggestions, anew: bool = False) -> None:
        """Lines come as they are. anew: somebody else is asked at the terminal, and what was typed before was not
        theirs; lines of a file or a pipe are for whoever is asked."""
        if anew and self._descriptor is not None and self.is_person:
            settle(self._descriptor)
            self._rest = ""
            with contextlib.suppress(queue.Empty):
                while self._lines.get_nowait() is not None:
                    pass
                self._lines.put(None)  # the end stays the end

    def drop_numbers(self) -> bool:
        """Forget the numbers that a person has typed up to now; whether there were any."""
        return self.is_person and without_numbers(self._lines)

    def pause(self) -> None:
        """Nothing stands on the screen that would have to be left."""

    def close(self) -> None:
        """The stream belongs to somebody else."""

    def line(self, seconds: float | None = None) -> str | None:
        """The next line without its end; None when nothing came in that time. Raises EndOfInput."""
        if self._ended:
            raise EndOfInput
        if self._descriptor is None:
            found: str | None = self._stream.readline()
            found = found or None
        else:
            self._start()
            try:
                found = waited_for(self._lines, seconds)
            except queue.Empty:
                return None
        if found is None:
            self._ended = True
            raise EndOfInput
        return found.rstrip("\r\n")

    def _start(self) -> None:
        if not self._started:
            self._started = True
            threading.Thread(target=self._read, args=(self._lines.put,), daemon=True).start()

    def _read(self, put: Callable[[str | None], None]) -> None:
        assert self._descriptor is not None
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        with contextlib.suppress(OSError):  # the terminal was closed
            while data := os.read(self._descriptor, 4096):
                *lines, self._rest = (self._rest + decoder.decode(data)).split("\n")
                for line in lines:
                    put(line)
        if self._rest:
            put(self._rest)
        put(None)


def _descriptor(stream: TextIO) -> int | None:
    try:
        return stream.fileno()
    except (OSError, ValueError, AttributeError):
        return None
