"""What of SQLite's files is on the disk for certain: as each file was when it was last synced, and nothing later.

The system's way for SQLite to files is led through here, inside this process: whatever a file is told to sync, its
content of that moment is kept. A machine that loses its power keeps at least that, and need not keep anything else.
"""

from __future__ import annotations

import _sqlite3
import ctypes as c
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

IO_METHODS = 18
"""Functions of a file, behind the version of their table."""
SYNC = 5
"""Behind close, read, write and truncate, as sqlite3.h has them, counted from the version on."""


class _Methods(c.Structure):
    _fields_ = [("version", c.c_int), ("functions", c.c_void_p * IO_METHODS)]


class _File(c.Structure):
    _fields_ = [("methods", c.POINTER(_Methods))]


# the name is passed on as the address that it is: SQLite goes on using it, and a copy would be gone by then
_OPEN = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p, c.POINTER(_File), c.c_int, c.POINTER(c.c_int))
_SYNC = c.CFUNCTYPE(c.c_int, c.POINTER(_File), c.c_int)


class _System(c.Structure):
    _fields_ = [
        ("version", c.c_int),
        ("size", c.c_int),
        ("longest", c.c_int),
        ("next", c.c_void_p),
        ("name", c.c_char_p),
        ("data", c.c_void_p),
        ("open", _OPEN),
    ]


class Synced:
    """The contents of files, by path, as they are on the disk for certain."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}
        self._lock = threading.Lock()
        self._kept: list[object] = []
        """What SQLite calls must stay."""

    def write_to(self, folder: Path) -> None:
        """Put down what is certain now; of what was deleted, nothing."""
        with self._lock:
            for path, content in self._files.items():
                if Path(path).exists():
                    (folder / Path(path).name).write_bytes(content)

    def _has_opened(self, path: str, file: c._Pointer[_File]) -> None:
        methods = _Methods.from_buffer_copy(file.contents.methods.contents)
        first = _SYNC(methods.functions[SYNC - 1])

        def syncs(synced: c._Pointer[_File], flags: int) -> int:
            with self._lock:
                answer = int(first(synced, flags))
                self._files[path] = Path(path).read_bytes()
            return answer

        ours = _SYNC(syncs)
        methods.functions[SYNC - 1] = c.cast(ours, c.c_void_p).value
        file.contents.methods = c.pointer(methods)
        self._kept += [methods, ours]

    @contextmanager
    def watched(self) -> Iterator[Synced]:
        """Keep what is synced of files that are opened meanwhile."""
        library = c.CDLL(_sqlite3.__file__)
        library.sqlite3_vfs_find.restype = c.POINTER(_System)
        system = library.sqlite3_vfs_find(None).contents
        address = c.cast(system.open, c.c_void_p).value
        assert address is not None
        first = _OPEN(address)

        def opens(vfs: int, name: int | None, file: c._Pointer[_File], flags: int, out: c._Pointer[c.c_int]) -> int:
            answer = int(first(vfs, name, file, flags, out))
            if answer == 0 and name and file.contents.methods:
                self._has_opened(c.string_at(name).decode(), file)
            return answer

        ours = _OPEN(opens)
        self._kept.append(ours)
        system.open = ours
        try:
            yield self
        finally:
            system.open = first
