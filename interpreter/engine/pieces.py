"""Pieces, such as chips: on the table, or held by players."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.engine.events import Event
from interpreter.engine.position import Position
from interpreter.engine.rule_errors import RuleError

AWAY, ON_TABLE = -2, -1
MOST_PIECES = 1_000


def set_out(s: Position, token: str, number: int) -> None:
    """Lay pieces 1 to `number` on the table; what anybody held is taken in first."""
    if number > MOST_PIECES:
        raise RuleError(f"too many pieces are set out: there are {MOST_PIECES:,} at most")
    s.tokens[token] = [ON_TABLE] * max(0, number)
    if s.log is not None:
        s.note(Event("pieces", None, f"{number} {s.program.tokens[token].named} on the table"))


def take_piece(s: Position, token: str, player: int, which: int | None = None) -> None:
    """Give a player one piece: the named one, or the first that lies on the table."""
    holders = s.tokens[token]
    if which is None:
        if ON_TABLE not in holders:
            return
        which = holders.index(ON_TABLE) + 1
    holders[which - 1] = player
    if s.log is not None:
        code = s.program.tokens[token]
        s.note(Event("pieces", player, f"takes {code.named} {which}", told=code.eyes(s, player) | 1 << player))


def put_back(s: Position, token: str, which: Iterable[int]) -> None:
    """Lay pieces, by their numbers, back on the table."""
    for number in which:
        s.tokens[token][number - 1] = ON_TABLE
    if s.log is not None:
        s.note(Event("pieces", None, f"{s.program.tokens[token].named} back on the table"))


def pieces(s: Position, token: str, holder: int) -> list[int]:
    """Numbers of the pieces that somebody holds (ON_TABLE: that lie on the table)."""
    return [i + 1 for i, h in enumerate(s.tokens[token]) if h == holder]
