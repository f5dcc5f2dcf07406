"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a text. What was there before stays where that fails; raises OSError, which names the file."""
    if path.exists() and not path.is_file():  # a terminal, or a pipe
        path.write_text(text, "utf-8")
        return
    try:
        place = path.resolve()
    except RuntimeError as error:  # links that lead in a circle
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from error
    begun = place.with_name(f".{os.getpid()}.part")
    try:
        if place.exists():
            place.open("ab").close()  # what must not be written is not put in the place of, either
        with begun.open("x", encoding="utf-8") as file:
            file.write(text)
        if place.exists():
            shutil.copymode(place, begun)
        begun.replace(place)
    except OSError as error:
        begun.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
