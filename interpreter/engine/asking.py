"""Stages that ask several players: in any order, at once, in a race, or whether they claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.engine.claims import claimants
from interpreter.engine.frames import AGAIN, GO, LEAVE, NOBODY, RESOLVE, STAY, WAIT, Frame
from interpreter.engine.program import StageCode

if TYPE_CHECKING:
    from interpreter.engine.position import Position


def bits_of(players: list[int]) -> int:
    found = 0
    for player in players:
        found |= 1 << player
    return found


def begin_ask(s: Position, frame: Frame, stage: StageCode) -> None:
    frame.pending = bits_of(stage.players(s))
    frame.pc = WAIT if frame.pending else LEAVE


def ask_moved(s: Position, frame: Frame, stage: StageCode) -> None:
    answered = frame.mover != NOBODY and frame.mark != STAY
    if answered:
        frame.step |= 1 << frame.mover
    frame.mark = GO
    players = stage.players(s)  # asked anew: some may no longer take part, others may do now
    asked = (1 << s.program.n) - 1 if len(players) == s.program.n else bits_of(players)
    frame.pending = asked & ~frame.step
    done = not frame.pending or (answered and stage.answers == "first")
    if stage.until is not None and stage.until(s):
        frame.pc = LEAVE
    elif done:
        frame.pc = RESOLVE if stage.kind == "simultaneous" else LEAVE
    else:
        frame.pc = WAIT


def resolve(s: Position, frame: Frame, stage: StageCode) -> None:
    frame.pc = LEAVE
    if stage.resolve is not None:
        stage.resolve(s)


def begin_race(s: Position, frame: Frame, stage: StageCode) -> None:
    frame.pc = LEAVE if stage.until is not None and stage.until(s) else WAIT


def race_moved(s: Position, frame: Frame, stage: StageCode) -> None:
    frame.mark = GO
    frame.pc = LEAVE if stage.until is not None and stage.until(s) else WAIT


def begin_claims(s: Position, frame: Frame, stage: StageCode) -> None:
    frame.pending = bits_of(claimants(s)) if s.program.honor else 0
    frame.pc = WAIT if frame.pending else LEAVE


def claims_moved(s: Position, frame: Frame, stage: StageCode) -> None:
    if frame.mark == AGAIN:  # an upheld claim opens the stage again for everybody
        frame.pending = bits_of(claimants(s))
    elif frame.mover != NOBODY:
        frame.pending &= ~(1 << frame.mover)
    frame.mark = GO
    over = stage.until is not None and stage.until(s)
    frame.pc = WAIT if frame.pending and not over else LEAVE
