"""Machine code for bots that think: worlds are made, and moves are tried in copies of them.

A copy of a match is a piece of memory copied. Chance is drawn as the bot draws it: the seed of a world, what is out of
sight in it, then the luck that all moves tried in that world have in common.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, NamedTuple

from interpreter.compiler.native.attempts import Attempts, Lines, loop_for
from interpreter.compiler.native.habit_book import MOST_KEYS, text_for
from interpreter.compiler.native.machine_code import Code, Made
from interpreter.compiler.native.module import Module
from interpreter.compiler.native.native_kinds import DICE, FLAG, MOST, STATE, Number
from interpreter.compiler.native.runtime import names_of
from interpreter.compiler.native.sources import plain_function
from interpreter.compiler.native.tree_code import tree_text
from interpreter.engine.position import Position
from interpreter.engine.program import Program

CHANCE = ("dice", "drawn", "half", "taken", "left")
"""How the dice of who thinks stand: their seed, the draws made, the half of the last that is left (-1: none), the
choices made, and how many of these are made from `halves`, which were drawn before."""


class Trials(Code):
    """Machine code of one game that tries moves. Calls release the lock of the interpreter."""

    def __init__(self, made: Made) -> None:
        super().__init__(made)
        self.size: int = ctypes.CFUNCTYPE(ctypes.c_int64)(made.engine.get_function_address("size"))()
        """Bytes of a match."""
        self.attempts = Attempts(made.engine)


class Entries(NamedTuple):
    """What is compiled.

    make: (match), what makes a world of the numbers that it gets. first: (match, dice, how many), what picks one of the
    moves that are compared. attempt: (match, dice, player, number of a move, counted stage, deals, limit, whether it is
    remembered), one trial.
    """

    make: Callable[..., None]
    first: Callable[..., None]
    attempt: Callable[..., None]


def trials_for(
    program: Program, template: Position, entries: Entries, twins: dict[Any, Any], row: dict[str, int]
) -> str:
    """The LLVM of a game for trials. Raises NotNative if nothing of it can be.

    twins: functions -> what is compiled in their stead. row: where in the row of a trial something lies.
    """
    module = Module(program, template, twins, reads=True)
    module.fresh()
    made = module.function(plain_function(entries.make), (STATE,))
    player, how = Number(0, program.n - 1), (Number(0, len(program.stages) - 1), Number(-1, MOST), Number(0, MOST))
    first = module.function(plain_function(entries.first), (STATE, DICE, Number(0, MOST_KEYS)))
    moved = module.function(plain_function(entries.attempt), (STATE, DICE, player, Number(-1, 1 << 30), *how, FLAG))
    names = names_of(module.layout)
    around = [
        _chosen(names), text_for(names, program.n, row["gains"]),
        tree_text(names, row["gains"]),
        loop_for(names, made.name, first.name, moved.name, row, CHANCE),
    ]  # fmt: skip
    return module.ir("\n".join(around))


def _chosen(names: dict[str, int]) -> str:
    """The next choice of the dice of who thinks, and how many bytes a match has."""
    lines = Lines(names)
    return "\n".join(
        [
            "define internal i64 @taken(ptr %s) {", lines.take("s", "taken", "before"), lines.take("s", "left", "kept"),
            "  %following = add i64 %before, 1", lines.lay("s", "taken", "%following"),
            "  %last = sub i64 %kept, %following", "  %there = icmp sge i64 %last, 0",
            "  br i1 %there, label %use, label %draw", "use:", lines.take("s", "halves", "row", "ptr"),
            "  %at = getelementptr i64, ptr %row, i64 %last", "  %found = load i64, ptr %at", "  ret i64 %found",
            "draw:", "  %drawn = call i64 @half(ptr %s)", "  ret i64 %drawn", "}",
            "define i64 @size() {", "  %end = getelementptr %State, ptr null, i32 1",
            "  %size = ptrtoint ptr %end to i64", "  ret i64 %size", "}",
        ]
    )  # fmt: skip
