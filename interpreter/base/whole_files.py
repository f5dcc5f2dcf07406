"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a text. What was there before stays where that fails; raises OSError, which names the file."""
    if path.exists() and not path.is_file():  # a terminal, or a pipe
        path.write_text(text, "utf-8")
        return
    place = path.resolve()
    begun = place.with_name(f".{os.getpid()}.part")
    try:
        with begun.open("x", encoding="utf-8") as file:
            file.write(text)
        begun.replace(place)
    except OSError as error:
        begun.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
