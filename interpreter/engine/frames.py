"""Stages that are running, as the stack of a position holds them."""

from __future__ import annotations

from typing import Any

ENTER, RUN, WAIT, MOVED, TRICK, LEAVE, GONE, JUMP, RESOLVE = range(9)
GO, STAY, AGAIN, PASSED = range(4)
TO_TURN, TO_TRICK, NOWHERE = -3, -2, -1
NOBODY = -1
BEFORE_NEXT = -1
"""In place of a number of runs after which a match stops: it stops before the next one begins."""


_NEW = object.__new__


class Frame:
    """A running stage.

    pc: what happens to it next. step: runs of a container, turns of a turn stage, bits of the players who have
    answered where several are asked, the target of a jump. pending: bits of the players still asked; of a turn stage,
    how many turns it has. mover: who moved last (NOBODY: a move that does not concern the turn). moved: on honour,
    the tick of that move. mark: what the move said of the turn. saved: of a called stage, (current, turn variables)
    as they were at the call; the variables only if there are turns in it. passed: the turn was passed in the called
    stage. args: of a call.
    """

    __slots__ = ("args", "mark", "moved", "mover", "passed", "pc", "pending", "saved", "stage", "step")

    def __init__(self, stage: int, pc: int = ENTER, args: tuple[Any, ...] | None = None) -> None:
        self.stage = stage
        self.pc = pc
        self.step = 0
        self.pending = 0
        self.mover = NOBODY
        self.moved = 0
        self.mark = GO
        self.passed = False
        self.saved: tuple[int, tuple[Any, ...]] | None = None
        self.args = args

    def copy(self) -> Frame:
        """An equal frame that shares nothing that changes."""
        new = _NEW(Frame)
        new.stage = self.stage
        new.pc = self.pc
        new.step = self.step
        new.pending = self.pending
        new.mover = self.mover
        new.moved = self.moved
        new.mark = self.mark
        new.passed = self.passed
        new.saved = self.saved
        new.args = self.args
        return new

    def to_json(self) -> list[Any]:
        """Its fields, as JSON keeps them."""
        return [
            self.stage, self.pc, self.step, self.pending, self.mover, self.mark, self.passed, self.saved, self.args,
            self.moved,
        ]  # fmt: skip


def is_running(frame: Frame) -> bool:
    """Whether the stage has been entered."""
    return frame.pc != ENTER and frame.pc != JUMP
