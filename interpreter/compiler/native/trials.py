"""Machine code for bots that think: worlds are made, and moves are tried in copies of them.

A copy of a match is a piece of memory copied. Chance is drawn as the bot draws it: the seed of a world, what is out of
sight in it, then the luck that all moves tried in that world have in common.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from interpreter.compiler.native.attempts import Attempts, loop_for
from interpreter.compiler.native.habit_book import MOST_KEYS, text_for
from interpreter.compiler.native.machine_code import Code, Made, signed
from interpreter.compiler.native.module import Module
from interpreter.compiler.native.native_kinds import DICE, FLAG, MOST, NONE, STATE, Number
from interpreter.compiler.native.runtime import names_of
from interpreter.compiler.native.sources import plain_function
from interpreter.engine.chance import Dice
from interpreter.engine.position import Position
from interpreter.engine.program import Program

Row = list[int]
CHANCE = ("dice", "drawn", "half", "taken", "left")
"""How the dice of who thinks stand: their seed, the draws made, the half of the last that is left (-1: none), the
choices made, and how many of these are made from `halves`, which were drawn before."""


class Trials(Code):
    """Machine code of one game that tries moves. Calls release the lock of the interpreter."""

    def __init__(self, made: Made) -> None:
        super().__init__(made)
        word, at = ctypes.c_int64, ctypes.c_void_p
        kinds = (word, at, word, at, word, at, at, word, word, word, word, word, at, word)
        self._tries = ctypes.CFUNCTYPE(word, *kinds)(made.engine.get_function_address("tries"))
        self.size: int = ctypes.CFUNCTYPE(word)(made.engine.get_function_address("size"))()
        """Bytes of a match."""
        self.attempts = Attempts(made.engine)

    def tries(
        self, worlds: int, cards: Sequence[int], numbers: Sequence[int | None], dice: Dice, seed: int | None,
        player: int, deal: int, deals: int, limit: int, words: int,
    ) -> tuple[list[int], list[Row]]:  # fmt: skip
        """Try plays in so many worlds that are made of the same numbers; the dice are those of who thinks.

        seed: of the world, where it is made already; None: it is drawn. words: of a row. Returns of each world how
        many choices the dice had made before it, and the rows of all trials, which begin with 0 where a trial came to
        its end; no further worlds are made after one that cannot be.
        """
        given = (ctypes.c_int64 * len(numbers))(*[NONE if number is None else number for number in numbers])
        played = (ctypes.c_int64 * len(cards))(*cards)
        halves = (ctypes.c_int64 * max(1, len(dice.halves)))(*dice.halves)
        chance = (ctypes.c_int64 * (5 + worlds))(signed(dice.seed), dice.draws, -1, 0, len(dice.halves))
        rows = (ctypes.c_int64 * (worlds * len(cards) * words))()
        made = self._tries(
            worlds, ctypes.addressof(played), len(cards), ctypes.addressof(given), len(numbers),
            ctypes.addressof(chance), ctypes.addressof(halves), -1 if seed is None else seed,
            player, deal, deals, limit, ctypes.addressof(rows), words,
        )  # fmt: skip
        dice.skip(chance[3])
        found = [rows[at : at + words] for at in range(0, made * len(cards) * words, words)]
        return chance[5 : 5 + made], found


class Entries(NamedTuple):
    """What is compiled.

    make: (match), what makes a world of the numbers that it gets. play: (match, dice, player, card, counted stage,
    deals, limit), one trial of a play to a trick. first: (match, dice, how many), what picks one of the moves that are
    compared. attempt: (match, dice, player, number of a move, counted stage, deals, limit, whether it is remembered),
    one trial of any move.
    """

    make: Callable[..., None]
    play: Callable[..., None]
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
    cards = Number(0, len(program.cards) - 1)
    tried = module.function(plain_function(entries.play), (STATE, DICE, player, cards, *how))
    first = module.function(plain_function(entries.first), (STATE, DICE, Number(0, MOST_KEYS)))
    moved = module.function(plain_function(entries.attempt), (STATE, DICE, player, Number(-1, 1 << 30), *how, FLAG))
    names = names_of(module.layout)
    around = [
        _loop(names, made.name, tried.name), text_for(names, program.n, row["gains"]),
        loop_for(names, made.name, first.name, moved.name, row, CHANCE),
    ]  # fmt: skip
    return module.ir([made, tried, first, moved], "\n".join(around))


def _loop(names: dict[str, int], make: str, play: str) -> str:
    """The loops over worlds, and over the moves in each."""
    count = 0

    def field(of: str, name: str) -> tuple[str, str]:
        nonlocal count
        count += 1
        at = f"%f{count}"
        return at, f"  {at} = getelementptr %State, ptr %{of}, i32 0, i32 {names[name]}\n"

    def lay(of: str, name: str, value: str, kind: str = "i64") -> str:
        at, line = field(of, name)
        return f"{line}  store {kind} {value}, ptr {at}"

    def take(of: str, name: str, to: str, kind: str = "i64") -> str:
        at, line = field(of, name)
        return f"{line}  %{to} = load {kind}, ptr {at}"

    copy = "  call void @llvm.memcpy.p0.p0.i64(ptr %{}, ptr {}, i64 %size, i1 false)"
    size = ["  %end = getelementptr %State, ptr null, i32 1", "  %size = ptrtoint ptr %end to i64"]
    return "\n".join(
        [
            "define internal i64 @taken(ptr %s) {", take("s", "taken", "before"), take("s", "left", "kept"),
            "  %following = add i64 %before, 1", lay("s", "taken", "%following"),
            "  %last = sub i64 %kept, %following", "  %there = icmp sge i64 %last, 0",
            "  br i1 %there, label %use, label %draw", "use:", take("s", "halves", "row", "ptr"),
            "  %at = getelementptr i64, ptr %row, i64 %last", "  %found = load i64, ptr %at", "  ret i64 %found",
            "draw:", "  %drawn = call i64 @half(ptr %s)", "  ret i64 %drawn", "}",
            "define i64 @size() {", *size, "  ret i64 %size", "}",
            "define i64 @tries(i64 %worlds, ptr %cards, i64 %many, ptr %in, i64 %given, ptr %chance, ptr %halves,",
            "                  i64 %seed, i64 %player, i64 %deal, i64 %deals, i64 %limit, ptr %out, i64 %words) {",
            "entry:", "  %w = alloca %State, align 64", "  %s = alloca %State, align 64", *size,
            *(f"  %at.{name} = getelementptr i64, ptr %chance, i64 {at}" for at, name in enumerate(CHANCE)),
            "  %left = load i64, ptr %at.left",
            "  %dice = load i64, ptr %at.dice", "  br label %world",
            "world:", "  %i = phi i64 [ 0, %entry ], [ %i.next, %worked ]",
            "  %i.more = icmp slt i64 %i, %worlds", "  br i1 %i.more, label %make, label %after",
            "make:", copy.format("w", "@blank"),
            *(f"  %{name} = load i64, ptr %at.{name}" for name in ("drawn", "half", "taken")),
            f"  %i.place = add i64 %i, {len(CHANCE)}",
            "  %at.before = getelementptr i64, ptr %chance, i64 %i.place", "  store i64 %taken, ptr %at.before",
            *(lay("w", name, f"%{name}") for name in CHANCE), lay("w", "halves", "%halves", "ptr"),
            lay("w", "in", "%in", "ptr"), lay("w", "given", "%given"), lay("w", "read", "0"),
            "  %is.made = icmp sge i64 %seed, 0", "  br i1 %is.made, label %lay, label %draw",
            "draw:", "  %new = call i64 @taken(ptr %w)", "  br label %lay",
            "lay:", "  %own = phi i64 [ %seed, %make ], [ %new, %draw ]", lay("w", "seed", "%own"),
            f"  call void @{make}(ptr %w)", take("w", "fault", "w.fault"),
            "  %fine = icmp eq i64 %w.fault, 0", "  br i1 %fine, label %luck, label %after",
            "luck:", "  %common = call i64 @taken(ptr %w)",
            *(f"{take('w', name, f'w.{name}')}\n  store i64 %w.{name}, ptr %at.{name}" for name in CHANCE[1:4]),
            "  %i.first = mul i64 %i, %many", "  br label %move",
            "move:", "  %j = phi i64 [ 0, %luck ], [ %j.next, %try ]",
            "  %j.more = icmp slt i64 %j, %many", "  br i1 %j.more, label %try, label %worked",
            "try:", copy.format("s", "%w"), "  %place = add i64 %i.first, %j", "  %far = mul i64 %place, %words",
            "  %row = getelementptr i64, ptr %out, i64 %far",
            lay("s", "dice", "%common"), lay("s", "drawn", "0"), lay("s", "half", "-1"), lay("s", "out", "%row", "ptr"),
            "  %at.card = getelementptr i64, ptr %cards, i64 %j", "  %card = load i64, ptr %at.card",
            f"  call void @{play}(ptr %s, i64 %player, i64 %card, i64 %deal, i64 %deals, i64 %limit)",
            take("s", "fault", "s.fault"), "  store i64 %s.fault, ptr %row",
            "  %j.next = add i64 %j, 1", "  br label %move",
            "worked:", "  %i.next = add i64 %i, 1", "  br label %world",
            "after:", "  ret i64 %i", "}",
        ]
    )  # fmt: skip
