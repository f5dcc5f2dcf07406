"""A folder in which one program at a time writes. Nobody is kept out on Windows, or where a disk has no locks."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

_held: set[int] = set()
"""Folders that this process has open."""


class FolderLock:
    """A folder that is kept from others until `let_go`, or until the process ends, however it does."""

    def __init__(self, path: Path) -> None:
        """Raises BlockingIOError if another program has it."""
        self._file = -1
        if fcntl is None:
            return
        self._file = os.open(path, os.O_RDONLY)
        _held.add(self._file)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.let_go()
            raise
        except OSError:  # a file system without locks
            pass

    def let_go(self) -> None:
        """Let others write there."""
        if self._file in _held:
            _held.remove(self._file)
            os.close(self._file)
        self._file = -1

    __del__ = let_go


def _leave_to_parent() -> None:
    """What a process has that plays for another would keep the folder when that one is gone."""
    while _held:
        with suppress(OSError):
            os.close(_held.pop())


if fcntl is not None:
    os.register_at_fork(after_in_child=_leave_to_parent)
