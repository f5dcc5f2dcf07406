"""Stages of turns: who is next, and what a move says of the turn."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.engine.faults import age_by_turn
from interpreter.engine.frames import AGAIN, GO, LEAVE, MOVED, NOBODY, PASSED, STAY, WAIT, Frame
from interpreter.engine.position import Position
from interpreter.engine.program import StageCode


def next_player(s: Position, after: int, players: list[int]) -> int | None:
    """The next of `players` after a seat in the direction of play, leaving out those to be skipped."""
    if not players:
        return None
    order = s.order()
    at = order.index(after)
    for _ in range(2):
        for step in range(1, len(order) + 1):
            player = order[(at + step * s.direction) % len(order)]
            if player in players:
                if s.skips >> player & 1:
                    s.skips &= ~(1 << player)
                    continue
                return player
    return None


def begin_turns(s: Position, frame: Frame, stage: StageCode, first: int | None = None, reset: bool = True) -> None:
    """The first turn begins, with whom the stage says."""
    players = stage.players(s)
    if first is None:
        first = s.current if stage.first is None else stage.first(s)
    if first not in players:
        follower = next_player(s, first, players)
        if follower is None:
            frame.pc = LEAVE
            return
        first = follower
    s.current = first
    frame.step = 0
    _begin_turn(s, frame, stage, players, reset)


def _begin_turn(s: Position, frame: Frame, stage: StageCode, players: list[int], reset: bool = True) -> None:
    """A turn begins, unless the stage has had all its turns."""
    frame.step += 1
    if stage.turns is not None:
        if frame.step == 1:  # how many there are is settled when the stage begins
            frame.pending = stage.turns(s)
        if frame.step > frame.pending:
            frame.pc = LEAVE
            return
    if s.current not in players:
        follower = next_player(s, s.current, players)
        if follower is None:
            frame.pc = LEAVE
            return
        s.current = follower
    frame.pc = WAIT
    if reset and s.program.reset_turn is not None:
        s.program.reset_turn(s)
    if stage.on_turn is not None:
        on_turn(s, frame, stage.on_turn)


def turn_moved(s: Position, frame: Frame, stage: StageCode) -> None:
    """Somebody has moved: the turn stays, begins anew or passes on."""
    mark, mover = frame.mark, frame.mover
    frame.mark = GO
    stays = mark == STAY or mover == NOBODY
    if not stays and mark != AGAIN and s.faults:
        age_by_turn(s, mover, frame.moved)
    players = stage.players(s)
    if not stays and mark == GO:
        if s.direction == 1 and len(players) == s.program.n and not (s.skips or s.seats):
            follower: int | None = s.program.left[mover]
        else:
            follower = next_player(s, mover, players)
        if follower is not None:
            s.current = follower
        elif stage.until is None:
            frame.pc = LEAVE
            return
    if stage.until is not None and stage.until(s):
        frame.pc = LEAVE
    elif stays and s.current in players:
        frame.pc = WAIT
    else:
        _begin_turn(s, frame, stage, players)


def on_turn(s: Position, frame: Frame, effect: Callable[[Position], None]) -> None:
    """What is done when a turn begins; it may pass the turn on at once."""
    holder = s.current
    s.mark = GO
    effect(s)
    if s.mark == PASSED:
        frame.pc, frame.mover, frame.mark, s.mark = MOVED, holder, PASSED, GO


def pass_turn(s: Position, player: int | None) -> None:
    """The effect `pass turn to`: said in a called stage, it is about the turn of the stage that called."""
    if player is not None:
        s.current = player
    s.mark = PASSED
    for frame in reversed(s.stack):
        if frame.saved is not None:
            frame.passed = True
            return
