"""What a bot of a table decides."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from interpreter.players.honor_bot import PERFECT, USUAL
from interpreter.players.monte_carlo import new_bot

if TYPE_CHECKING:
    from interpreter.api.game import State


def decision(state: State, seat: int, level: str, seconds: float) -> str | None:
    """A move of a bot of a level, found within about so many seconds; None if there is none."""
    manners = USUAL if state.game.program.honor else PERFECT
    move = new_bot(level, secrets.randbits(64), manners, seconds).choose(state, seat)
    return None if move is None else str(move)
