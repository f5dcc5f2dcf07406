"""Playing on the whole screen of a terminal, against bots of chosen speed. Needs the extra `tui`, which is Textual."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from interpreter.api.record_file import RecordFile
from interpreter.base.signs import visible
from interpreter.engine.chance import derive
from interpreter.interfaces import saved_matches
from interpreter.players.monte_carlo import new_bot
from interpreter.players.realtime import Speed

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.interfaces.fullscreen.sitting import Sitting
    from interpreter.interfaces.party import Party

__all__ = ["SPEED", "is_installed", "play", "seat"]

SPEED = Speed(1200, 300, 250)
"""How fast bots are unless somebody says otherwise: about as a person who looks for keys."""


def is_installed() -> bool:
    """Whether there is Textual to draw with."""
    return find_spec("textual") is not None


def seat(
    state: State,
    party: Party,
    speeds: Sequence[Speed],
    keepers: Sequence[RecordFile] = (),
    clock: Callable[[], float] = monotonic,
) -> Sitting:
    """One person, if there is one, and bots at the other seats. speeds: of the bots, in the order of seats."""
    from interpreter.interfaces.fullscreen.sitting import Sitting

    start = derive(state.seed, len(state.position.record_moves))  # bots of a resumed match don't repeat themselves
    person = party.seats[0] if party.seats else None
    seats = [player for player in range(state.game.program.n) if player != person]
    bots = {
        p: (new_bot(party.skill, derive(start, p + 1), seconds=party.thought), speed)
        for p, speed in zip(seats, speeds, strict=True)
    }
    return Sitting(state, person, bots, start, clock, keepers, party.names)


def play(
    state: State,
    party: Party,
    speeds: Sequence[Speed],
    record: Callable[[], tuple[RecordFile | None, Path | None]] = lambda: (None, None),
) -> None:
    """Play a match to its end, or until somebody leaves it, and print how it went.

    party: with one person at the screen, or none. speeds: of the bots. record: gives its record and the file of that,
    asked when nothing stands in the way of the match any more. Raises RuleError and OSError.
    """
    from interpreter.interfaces.fullscreen.app import FullScreen
    from interpreter.interfaces.fullscreen.bindings import rehearse
    from interpreter.interfaces.fullscreen.hanging_up import ends_when_hung_up
    from interpreter.interfaces.fullscreen.summary import summary
    from interpreter.interfaces.terminal import going_on

    rehearsed = rehearse(state.game)
    kept, path = record()
    sitting = seat(state, party, speeds, [] if kept is None else [kept])
    symbols = (sys.stdout.encoding or "").lower().startswith("utf")
    try:
        with ends_when_hung_up():
            error = FullScreen(sitting, symbols, rehearsed=rehearsed, kept=kept is not None).run(mouse=False)
    finally:
        if kept is not None:
            kept.close()
    if error is not None:
        raise error
    print("\n".join(summary(sitting)))
    if not state.over:
        again = "" if path is None else going_on(path, state.game, party, None, "--full-screen")
        print(f"you have left the match{visible(f'; go on with: {again}') if again else ''}")
    elif path is not None:
        saved_matches.put_by(path)
