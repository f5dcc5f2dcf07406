"""Playing on the whole screen of a terminal, against bots of chosen speed. Needs the extra `tui`, which is Textual."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from interpreter.api import record as records
from interpreter.base.signs import visible
from interpreter.engine.chance import derive
from interpreter.players.monte_carlo import new_bot
from interpreter.players.realtime import Speed

if TYPE_CHECKING:
    from interpreter.api.state import State
    from interpreter.interfaces.fullscreen.sitting import Sitting

__all__ = ["SPEED", "is_installed", "play", "seat"]

SPEED = Speed(1200, 300, 250)
"""How fast bots are unless somebody says otherwise: about as a person who looks for keys."""


def is_installed() -> bool:
    """Whether there is Textual to draw with."""
    return find_spec("textual") is not None


def seat(
    state: State,
    people: int,
    skill: str,
    speeds: Sequence[Speed],
    keepers: Sequence[records.RecordFile] = (),
    clock: Callable[[], float] = monotonic,
) -> Sitting:
    """A person at P1, if there is one, and bots at the other seats. speeds: of the bots, in the order of seats."""
    from interpreter.interfaces.fullscreen.sitting import Sitting

    start = derive(state.seed, len(state.position.record_moves))  # bots of a resumed match don't repeat themselves
    seats = range(people, state.game.program.n)
    bots = {p: (new_bot(skill, derive(start, p + 1)), speed) for p, speed in zip(seats, speeds, strict=True)}
    return Sitting(state, 0 if people else None, bots, start, clock, keepers)


def play(
    state: State,
    people: int,
    skill: str,
    speeds: Sequence[Speed],
    kept: records.RecordFile | None = None,
    path: Path | None = None,
) -> None:
    """Play a match to its end, or until somebody leaves it, and print how it went.

    people: how many sit at the screen, none or one. speeds: of the bots. kept: its record, in the file `path`.
    Raises RuleError and OSError.
    """
    from interpreter.interfaces.fullscreen.app import FullScreen
    from interpreter.interfaces.fullscreen.summary import summary

    sitting = seat(state, people, skill, speeds, [] if kept is None else [kept])
    symbols = (sys.stdout.encoding or "").lower().startswith("utf")
    try:
        error = FullScreen(sitting, symbols).run(mouse=False)
    finally:
        if kept is not None:
            kept.close()
    if error is not None:
        raise error
    print("\n".join(summary(sitting)))
    if not state.over:
        where = "" if path is None else f"; go on with: houserules play --full-screen --resume {visible(str(path))}"
        print(f"you have left the match{where}")
