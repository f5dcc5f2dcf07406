"""Who is next, and how an effect passes the turn on."""

from __future__ import annotations

from interpreter.engine.frames import PASSED
from interpreter.engine.position import Position


def next_player(s: Position, after: int, players: list[int]) -> int | None:
    """The next of `players` after a seat in the direction of play, leaving out those to be skipped."""
    if not players:
        return None
    order, step = s.order(), s.direction
    size, at = len(order), order.index(after)
    for _ in range(2):
        for _ in range(size):
            at = (at + step) % size
            player = order[at]
            if player in players:
                if s.skips >> player & 1:
                    s.skips &= ~(1 << player)
                    continue
                return player
    return None


def pass_turn(s: Position, player: int | None) -> None:
    """The effect `pass turn to`: said in a called stage, it is about the turn of the stage that called."""
    if player is not None:
        s.current = player
    s.mark = PASSED
    for frame in reversed(s.stack):
        if frame.saved is not None:
            frame.passed = True
            return
