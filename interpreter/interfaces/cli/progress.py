"""How far something is that takes a while, and how long it will take: on standard error, if that is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from interpreter.base.signs import on_one_line

PATIENCE = 2.0
"""Seconds that pass before anything is shown."""
Tell = Callable[[int, int, str], None]
"""Hears how much is done of how much, and of what."""


@contextmanager
def progress(what: str) -> Iterator[Tell]:
    """A bar that comes when something takes longer than a moment, and goes when it is done. what: that is counted."""
    if not sys.stderr.isatty():
        yield lambda done, total, of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    # What is told of may be the name of a stranger's file: it is no markup, and nothing in it steers the terminal.
    said = TextColumn("{task.description}", markup=False)
    columns = (said, BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[left]}"))
    # What is printed meanwhile comes above the bar, unless it goes elsewhere than to this terminal.
    above, console = sys.stdout.isatty(), Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=True, redirect_stdout=above) as bar:
        task = bar.add_task(what, total=None, left="")
        begun = {what: time.monotonic()}

        def tell(done: int, total: int, of: str) -> None:
            now = time.monotonic()
            since = begun.setdefault(of, now)
            if bar.disable and now - begun[what] >= PATIENCE:
                bar.disable = False
                bar.start()
            left = time_left(now - since, done, total)
            bar.update(task, completed=done, total=total, description=on_one_line(f"{what} {of}".strip()), left=left)

        yield tell


def time_left(seconds: float, done: int, total: int) -> str:
    """How long it will go on at this pace: `about 1:20 left`."""
    if not 0 < done < total:
        return ""
    left = round(seconds / done * (total - done))
    return f"about {left // 60}:{left % 60:02} left"
