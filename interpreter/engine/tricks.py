"""Stages of tricks: who leads, who plays next, who takes the trick."""

from __future__ import annotations

from interpreter.engine.events import ALL, Event, new_event
from interpreter.engine.faults import age_by_end, age_by_turn
from interpreter.engine.frames import GO, LEAVE, NOBODY, NOWHERE, PASSED, TRICK, WAIT, Frame
from interpreter.engine.position import Position
from interpreter.engine.program import StageCode
from interpreter.engine.turns import next_player, on_turn

TAKES = tuple(f"takes trick {number}" for number in range(60))


def begin_tricks(s: Position, frame: Frame, stage: StageCode, leader: int | None = None, reset: bool = True) -> None:
    """The first trick begins, led by whom the stage says."""
    if reset:
        s.trick_number = 0
        s.tricks = [0] * s.program.n
    if leader is None:
        leader = s.current if stage.leader is None else stage.leader(s)
    if leader is None:
        from interpreter.engine.stuck import nobody_leads

        raise nobody_leads(s, stage)
    _begin_trick(s, frame, stage, leader, reset)


def _begin_trick(s: Position, frame: Frame, stage: StageCode, leader: int, reset: bool = True) -> None:
    players = stage.players(s)
    if leader not in players:
        follower = next_player(s, leader, players)
        if follower is None:
            frame.pc = LEAVE
            return
        leader = follower
    s.trick_number += 1
    s.plays = []
    s.led = None
    s.leader = s.current = leader
    frame.pc = WAIT
    if reset and s.program.reset_trick is not None:
        s.program.reset_trick(s)
    if reset and s.program.reset_turn is not None:
        s.program.reset_turn(s)
    if stage.on_turn is not None:
        on_turn(s, frame, stage.on_turn)


def trick_moved(s: Position, frame: Frame, stage: StageCode) -> None:
    """Somebody has moved: the trick is complete, or the next player is due."""
    mark, mover, players = frame.mark, frame.mover, stage.players(s)
    frame.mark = GO
    if s.faults and mover != NOBODY:
        age_by_turn(s, mover, frame.moved)
    if len(s.plays) >= len(players) and _is_complete(s, players):
        end_trick(s, frame, stage)
        return
    plain = s.direction == 1 and len(players) == s.program.n and not (s.skips or s.seats or s.program.honor)
    if plain and mark == GO and mover != NOBODY:
        s.current = s.program.left[mover]
    elif mover != NOBODY or s.current not in players:
        due = [p for p in players if all(p != q for q, _ in s.plays)]  # who has played out of turn is not asked again
        if mark != PASSED or s.current not in due:
            follower = next_player(s, s.current if mark == PASSED or mover == NOBODY else mover, due)
            if follower is None:
                frame.pc = LEAVE
                return
            s.current = follower
    frame.pc = WAIT
    if stage.until is not None and stage.until(s):
        frame.pc = LEAVE
    elif mover != NOBODY:
        if s.program.reset_turn is not None:
            s.program.reset_turn(s)
        if stage.on_turn is not None:
            on_turn(s, frame, stage.on_turn)


def _is_complete(s: Position, players: list[int]) -> bool:
    """Whether everybody who takes part has played to the trick; some who have played may have dropped out."""
    return bool(s.plays) and (len(players) == s.program.n or all(any(p == q for q, _ in s.plays) for p in players))


def end_trick(s: Position, frame: Frame, stage: StageCode) -> None:
    """A trick is complete: find its winner, do what is to be done, and go on to the next."""
    assert stage.judge is not None
    stage.judge(s)
    winner = s.winner
    if winner is not None:
        s.tricks[winner] += 1
        if s.log is not None:
            words = TAKES[s.trick_number] if s.trick_number < len(TAKES) else f"takes trick {s.trick_number}"
            s.log.append(new_event(Event, ("trick", winner, words, (), "", "", ALL, ALL)))
    frame.pc = TRICK
    if stage.on_trick is not None:
        stage.on_trick(s)
    if not s.calls and s.jump == NOWHERE:
        next_trick(s, frame, stage)


def next_trick(s: Position, frame: Frame, stage: StageCode) -> None:
    """The next trick begins, unless the stage ends."""
    if s.faults:
        age_by_end(s, "trick")
    if stage.until is not None and stage.until(s):
        frame.pc = LEAVE
        return
    if stage.count is not None and s.trick_number >= stage.count(s):
        frame.pc = LEAVE
        return
    for player in stage.players(s):
        if s.z[stage.sources[player]]:
            break
    else:
        frame.pc = LEAVE
        return
    leader = s.winner if stage.next_leader is None else stage.next_leader(s)
    if leader is None:
        leader = s.leader
    assert leader is not None
    _begin_trick(s, frame, stage, leader)
