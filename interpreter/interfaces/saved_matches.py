"""Matches that are kept without being asked: a file for each in the user's data folder, so that the last can go on."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from errno import EEXIST
from pathlib import Path
from typing import TypeVar

from interpreter.api.record import MAX_HEADER
from interpreter.api.record_file import is_held

Kept = TypeVar("Kept")

FINISHED = "finished"
"""The folder of those that have come to an end."""
MOST_FINISHED = 100
"""So many of them are kept."""
MOST_AT_ONCE = 1_000
"""So many matches of a ruleset cannot begin in the same second."""
LONGEST_NAME = 60
"""Letters of a ruleset's name in that of a file, which may have 255."""
_BEGUN, _DATED = "%Y-%m-%d-%H%M%S", len("2026-01-31-235959-")
"""How the name of a file begins, and behind how many letters the name of the ruleset follows."""


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
    begun, name = time.strftime(_BEGUN), name[:LONGEST_NAME]
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


def last(games: Collection[str] = ()) -> Path | None:
    """The match that was played last of those that have not come to an end, and that is not being played just
    now, unless all of them are. games: the ids of rulesets, one of which it is a match of; of any if there are none."""
    found = sorted(_matches(folder()), key=_changed, reverse=True)
    known = [path for path in found if _has_begun(path) and (not games or _game(path) in games)]
    return next((path for path in known if not is_held(path)), known[0] if known else None)


def put_by(path: Path) -> None:
    """A match that has come to its end is not what would go on; the oldest of these are given up."""
    where = folder()
    if path.parent.resolve() != where.resolve():
        return
    with suppress(OSError):  # it is kept where it is
        (where / FINISHED).mkdir(mode=0o700, exist_ok=True)
        path.replace(where / FINISHED / path.name)
        for old in sorted(_matches(where / FINISHED), key=_changed)[:-MOST_FINISHED]:
            old.unlink()


def _matches(where: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from (path for path in where.glob("*.jsonl") if path.is_file())


def _game(path: Path) -> str:
    """The id of the ruleset of a match; what the file is called by, if its first line is damaged."""
    try:
        return str(json.loads(_first_line(path))["game"]["ruleset"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return path.stem[_DATED:]


def _has_begun(path: Path) -> bool:
    """Whether a file holds a match, and was not cut before the first line, which says of what, was written whole."""
    return _first_line(path).endswith(b"\n")


def _first_line(path: Path) -> bytes:
    """Nothing where a file cannot be read."""
    with suppress(OSError), path.open("rb") as file:
        return file.readline(4 * MAX_HEADER)
    return b""


def _changed(path: Path) -> tuple[float, str]:
    try:
        return path.stat().st_mtime, path.name
    except OSError:
        return 0.0, path.name
