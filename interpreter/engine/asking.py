"""Stages that ask several players: in any order, at once, in a race, or whether they claim."""

from __future__ import annotations

from interpreter.engine.claims import claimants
from interpreter.engine.frames import AGAIN, GO, LEAVE, NOBODY, RESOLVE, STAY, WAIT, Frame
from interpreter.engine.packets import mask_of
from interpreter.engine.position import Position
from interpreter.engine.program import StageCode


def begin_ask(s: Position, frame: Frame, stage: StageCode) -> None:
    """Everybody who takes part is asked."""
    players = stage.players(s)
    frame.pending = (1 << s.program.n) - 1 if len(players) == s.program.n else mask_of(players)
    frame.pc = WAIT if frame.pending else LEAVE


def ask_moved(s: Position, frame: Frame, stage: StageCode) -> None:
    """One of those who are asked has moved."""
    answered = frame.mover != NOBODY and frame.mark != STAY
    if answered:
        frame.step |= 1 << frame.mover
    frame.mark = GO
    players = stage.players(s)  # asked anew: some may no longer take part, others may do now
    asked = (1 << s.program.n) - 1 if len(players) == s.program.n else mask_of(players)
    frame.pending = asked & ~frame.step
    done = not frame.pending or (answered and stage.answers == "first")
    if stage.until is not None and stage.until(s):
        frame.pc = LEAVE
    elif done:
        frame.pc = RESOLVE if stage.kind == "simultaneous" else LEAVE
    else:
        frame.pc = WAIT


def resolve(s: Position, frame: Frame, stage: StageCode) -> None:
    """What all have chosen in secret comes about."""
    frame.pc = LEAVE
    if stage.resolve is not None:
        stage.resolve(s)


def begin_race(s: Position, frame: Frame, stage: StageCode) -> None:
    """Everybody who takes part may move, until the race ends."""
    frame.pc = LEAVE if stage.until is not None and stage.until(s) else WAIT


def race_moved(s: Position, frame: Frame, stage: StageCode) -> None:
    """Somebody has moved in a race."""
    frame.mark = GO
    frame.pc = LEAVE if stage.until is not None and stage.until(s) else WAIT


def begin_claims(s: Position, frame: Frame, stage: StageCode) -> None:
    """Everybody who could claim is asked."""
    frame.pending = mask_of(claimants(s)) if s.program.honor else 0
    frame.pc = WAIT if frame.pending else LEAVE


def claims_moved(s: Position, frame: Frame, stage: StageCode) -> None:
    """Somebody has claimed, or declined."""
    if frame.mark == AGAIN:  # an upheld claim opens the stage again for everybody
        frame.pending = mask_of(claimants(s))
    elif frame.mover != NOBODY:
        frame.pending &= ~(1 << frame.mover)
    frame.mark = GO
    over = stage.until is not None and stage.until(s)
    frame.pc = WAIT if frame.pending and not over else LEAVE
