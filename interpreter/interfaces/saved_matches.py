"""Matches that are kept without being asked: a file for each in the user's data folder, so that the last can go on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from errno import EEXIST
from pathlib import Path
from typing import TypeVar

from interpreter.api.record import MAX_HEADER

Kept = TypeVar("Kept")

FINISHED = "finished"
"""The folder of those that have come to an end."""
MOST_FINISHED = 100
"""So many of them are kept."""
MOST_AT_ONCE = 1_000
"""So many matches of a ruleset cannot begin in the same second."""


def folder() -> Path:
    """Where matches are kept: what HOUSERULES_DATA names, else the place of this system for what programs keep."""
    if named := os.environ.get("HOUSERULES_DATA"):
        return Path(named) / "matches"
    from platformdirs import user_data_dir

    return Path(user_data_dir("houserules", appauthor=False)) / "matches"


def new_path(name: str) -> Path:
    """A file for a match that begins, which is not there yet, though another match may be quicker to make it. name: of
    its ruleset. Raises OSError."""
    where = folder()
    where.mkdir(mode=0o700, parents=True, exist_ok=True)
    begun = time.strftime("%Y-%m-%d-%H%M%S")
    for number in range(1, MOST_AT_ONCE):
        path = where / f"{begun}-{name}{'' if number == 1 else f'-{number}'}.jsonl"
        if not os.path.lexists(path) and not os.path.lexists(where / FINISHED / path.name):
            return path
    raise FileExistsError(EEXIST, "too many matches have begun in this second", str(where))


def begin(name: str, make: Callable[[Path], Kept]) -> tuple[Kept, Path]:
    """Make the file of a match that begins: what has been made, and where. make: raises FileExistsError where the file
    is there. Raises OSError, and what `make` raises."""
    while True:
        path = new_path(name)
        with suppress(FileExistsError):  # of two that begin in the same second one takes the next name
            return make(path), path


def last(name: str | None = None) -> Path | None:
    """The match that was played last of those that have not come to an end. name: of its ruleset, or of any."""
    found = sorted((path for path in _matches(folder()) if name in (None, _name(path))), key=_changed, reverse=True)
    return next(filter(_has_begun, found), None)


def put_by(path: Path) -> None:
    """A match that has come to its end is not what would go on; the oldest of these are given up."""
    where = folder()
    if path.parent != where:
        return
    with suppress(OSError):  # it is kept where it is
        (where / FINISHED).mkdir(mode=0o700, exist_ok=True)
        path.replace(where / FINISHED / path.name)
        for old in sorted(_matches(where / FINISHED), key=_changed)[:-MOST_FINISHED]:
            old.unlink()


def _matches(where: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from (path for path in where.glob("*.jsonl") if path.is_file())


def _name(path: Path) -> str:
    """The name of the ruleset in the name of a file: behind the date and the time."""
    words = path.stem.split("-")[4:]
    return "-".join(words[:-1] if words[-1:] and words[-1].isdecimal() else words)


def _has_begun(path: Path) -> bool:
    """Whether a file holds a match, and was not cut before the first line, which says of what, was written whole."""
    with suppress(OSError), path.open("rb") as file:
        return file.readline(4 * MAX_HEADER).endswith(b"\n")
    return False


def _changed(path: Path) -> tuple[float, str]:
    try:
        return path.stat().st_mtime, path.name
    except OSError:
        return 0.0, path.name
