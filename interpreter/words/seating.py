"""Where people sit, as one of them sees it."""

from __future__ import annotations

from interpreter.engine.position import Position
from interpreter.words.people import Reader


def directions(s: Position, reader: Reader, player: int) -> str:
    """Where somebody sits: `on your left`, `across from you`; nothing where that says little."""
    seats, n = list(s.order()), s.program.n
    if reader.player is None or reader.player == player:
        return ""
    away = (seats.index(player) - seats.index(reader.player)) % n
    if n == 2:
        return ""
    if away == 1:
        return "on your left"
    if away == n - 1:
        return "on your right"
    return "across from you" if 2 * away == n else ""
