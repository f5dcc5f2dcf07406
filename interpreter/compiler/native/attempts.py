"""The loop over worlds in which moves are tried, in LLVM, and how Python calls it.

Trials learn from those before them what decisions bring, so that it matters in which order they are made: the loop
stops at the first one that it cannot make.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

from interpreter.compiler.native.habit_book import CAPACITY, COMPARED, FULL, KEYS, MADE, MOST_DECISIONS, USED, Book
from interpreter.compiler.native.machine_code import signed
from interpreter.compiler.native.native_kinds import NONE
from interpreter.compiler.native.not_native import AGAINST_RULES, NO_ROOM
from interpreter.compiler.native.search_tree import Tree
from interpreter.engine.chance import Dice

HOW = ("player", "deal", "deals", "limit", "pays", "room")
"""Who tries moves; the counted stage, and how many of its runs may end; how many decisions may follow; whether the move
that is tried is remembered; and how many steps may be spent on finding moves."""


class Tried(NamedTuple):
    """What was tried. starts: of each world that was made, the choices of the dice before it. done: trials, in order,
    world by world. stopped: whether another one was begun, or would have been, that Python has to make; full: as it
    had no room, or may take no more steps. rows: of all trials up to there.
    """

    starts: list[int]
    done: int
    stopped: bool
    full: bool
    rows: list[list[int]]


class Attempts:
    """What is called. Calls keep the lock of the interpreter out of the way: book and tree are of one bot alone."""

    def __init__(self, engine: Any) -> None:
        word, at = ctypes.c_int64, ctypes.c_void_p
        kinds = (word, at, at, word, at, word, at, at, word, word, word, at, at, word, at, at)
        self._call = ctypes.CFUNCTYPE(word, *kinds)(engine.get_function_address("attempts"))

    def tries(
        self, worlds: int, moves: Sequence[tuple[int, int]], numbers: Sequence[int | None], dice: Dice,
        seed: int | None, learnt: tuple[Book, Tree], how: Sequence[int], words: int, first: int = 0,
        picks: bool = False,
    ) -> Tried:  # fmt: skip
        """Try moves in so many worlds that are made of the same numbers; the dice are those of who thinks.

        moves: the number and the key of each. seed: of the world, where it is made already. learnt: what trials write.
        how: `HOW`. words: of a row. first: the move with which the first world begins. picks: in each world one of the
        moves is picked as in a trial, and that alone is tried.
        """
        many = 1 if picks else len(moves)
        given = (ctypes.c_int64 * len(numbers))(*[NONE if number is None else number for number in numbers])
        ats = (ctypes.c_int64 * len(moves))(*[at for at, _ in moves])
        keys = (ctypes.c_int64 * len(moves))(*[signed(key) for _, key in moves])
        halves = (ctypes.c_int64 * max(1, len(dice.halves)))(*dice.halves)
        chance = (ctypes.c_int64 * (5 + worlds))(signed(dice.seed), dice.draws, -1, 0, len(dice.halves))
        settings = (ctypes.c_int64 * len(HOW))(*how)
        rows = (ctypes.c_int64 * (worlds * many * words))()
        done = self._call(
            worlds, ctypes.addressof(ats), ctypes.addressof(keys), len(moves), ctypes.addressof(given), len(numbers),
            ctypes.addressof(chance), ctypes.addressof(halves), -1 if seed is None else seed, first, int(picks),
            ctypes.addressof(settings), ctypes.addressof(rows), words, *(memory.address for memory in learnt),
        )  # fmt: skip
        dice.skip(chance[3])
        stopped = done < worlds * many and rows[done * words] != 0
        made = min(worlds, done // many + 1) if stopped or done == worlds * many else done // many
        found = [rows[at * words : (at + 1) * words] for at in range(min(worlds * many, done + stopped))]
        return Tried(chance[5 : 5 + made], done, stopped, stopped and rows[done * words] == NO_ROOM, found)


class Lines:
    """Lines of LLVM that ask for fields of a match and lay something down there. names: the fields."""

    def __init__(self, names: dict[str, int]) -> None:
        self._names, self._count = names, 0

    def _field(self, of: str, name: str) -> tuple[str, str]:
        self._count += 1
        at = f"%f{self._count}"
        return at, f"  {at} = getelementptr %State, ptr %{of}, i32 0, i32 {self._names[name]}\n"

    def lay(self, of: str, name: str, value: str, kind: str = "i64") -> str:
        at, line = self._field(of, name)
        return f"{line}  store {kind} {value}, ptr {at}"

    def take(self, of: str, name: str, to: str, kind: str = "i64") -> str:
        at, line = self._field(of, name)
        return f"{line}  %{to} = load {kind}, ptr {at}"


def _word(of: str, at: int | str, to: str) -> str:
    """Read a word of a piece of memory."""
    return f"  %at.{to} = getelementptr i64, ptr %{of}, i64 {at}\n  %{to} = load i64, ptr %at.{to}"


def _copy(to: str, of: str) -> str:
    """Copy a match."""
    return f"  call void @llvm.memcpy.p0.p0.i64(ptr %{to}, ptr {of}, i64 %size, i1 false)"


def loop_for(
    names: dict[str, int], make: str, first: str, play: str, row: dict[str, int], chance: Sequence[str]
) -> str:
    """The loop. names: the fields of a match; make, first, play: functions that make a world, pick a move and try it.

    row: where in a row something lies: "first", "made", "over", "spent". chance: how the dice stand, as in `trials`.
    """
    lines = Lines(names)
    return "\n".join([*_worlds(lines, make, chance), *_trials(lines, first, play, row)])


def _worlds(lines: Lines, make: str, chance: Sequence[str]) -> list[str]:
    """The loop over worlds, up to where the first move is tried."""
    lay, take, word = lines.lay, lines.take, _word
    return [
        "define i64 @attempts(i64 %worlds, ptr %ats, ptr %keys, i64 %moves, ptr %in, i64 %given, ptr %chance,",
        "                     ptr %halves, i64 %seed, i64 %first, i64 %picks, ptr %how, ptr %out, i64 %words,",
        "                     ptr %book, ptr %tree) {",
        "entry:", "  %w = alloca %State, align 64", "  %s = alloca %State, align 64",
        "  %end = getelementptr %State, ptr null, i32 1", "  %size = ptrtoint ptr %end to i64",
        *(f"  %at.{name} = getelementptr i64, ptr %chance, i64 {at}" for at, name in enumerate(chance)),
        "  %left = load i64, ptr %at.left", "  %dice = load i64, ptr %at.dice",
        *(word("how", at, name) for at, name in enumerate(HOW)),
        "  %is.picked = icmp ne i64 %picks, 0", "  %many = select i1 %is.picked, i64 1, i64 %moves",
        "  %spent.all = alloca i64", "  store i64 0, ptr %spent.all", "  br label %world",
        "world:", "  %i = phi i64 [ 0, %entry ], [ %i.next, %worked ]",
        "  %j.begin = phi i64 [ %first, %entry ], [ 0, %worked ]", "  %i.first = mul i64 %i, %many",
        "  %i.more = icmp slt i64 %i, %worlds", "  br i1 %i.more, label %make, label %nothing",
        "nothing:", "  ret i64 %i.first",
        "make:", _copy("w", "@blank"),
        *(f"  %{name} = load i64, ptr %at.{name}" for name in ("drawn", "half", "taken")),
        f"  %i.place = add i64 %i, {len(chance)}",
        "  %at.before = getelementptr i64, ptr %chance, i64 %i.place", "  store i64 %taken, ptr %at.before",
        *(lay("w", name, f"%{name}") for name in chance), lay("w", "halves", "%halves", "ptr"),
        lay("w", "in", "%in", "ptr"), lay("w", "given", "%given"), lay("w", "read", "0"),
        "  %is.made = icmp sge i64 %seed, 0", "  br i1 %is.made, label %lay, label %draw",
        "draw:", "  %new = call i64 @taken(ptr %w)", "  br label %lay",
        "lay:", "  %own = phi i64 [ %seed, %make ], [ %new, %draw ]", lay("w", "seed", "%own"),
        f"  call void @{make}(ptr %w)", take("w", "fault", "w.fault"),
        "  %fine = icmp eq i64 %w.fault, 0", "  br i1 %fine, label %luck, label %nothing",
        "luck:", "  %common = call i64 @taken(ptr %w)",
        *(f"{take('w', name, f'w.{name}')}\n  store i64 %w.{name}, ptr %at.{name}" for name in chance[1:4]),
        "  br label %move",
    ]  # fmt: skip


def _trials(lines: Lines, first: str, play: str, row: dict[str, int]) -> list[str]:
    """The loop over the moves that are tried in one world, and its end."""
    lay, take, word = lines.lay, lines.take, _word
    return [
        "move:", "  %j = phi i64 [ %j.begin, %luck ], [ %j.next, %counted ]", "  %place = add i64 %i.first, %j",
        "  %j.more = icmp slt i64 %j, %many", "  br i1 %j.more, label %look, label %worked",
        "look:", "  %far = mul i64 %place, %words", "  %row = getelementptr i64, ptr %out, i64 %far",
        word("book", CAPACITY, "capacity"), word("book", USED, "used"),
        f"  %used.then = add i64 %used, {MOST_DECISIONS}", f"  %used.double = mul i64 %used.then, {FULL}",
        "  %is.room = icmp slt i64 %used.double, %capacity", "  %spent = load i64, ptr %spent.all",
        "  %is.left = icmp slt i64 %spent, %room", "  %goes = and i1 %is.room, %is.left",
        "  br i1 %goes, label %try, label %full",
        "full:", f"  store i64 {NO_ROOM}, ptr %row", "  ret i64 %place",
        "try:", _copy("s", "%w"),
        lay("s", "dice", "%common"), lay("s", "drawn", "0"), lay("s", "half", "-1"), lay("s", "out", "%row", "ptr"),
        lay("s", "book", "%book", "ptr"), lay("s", "tree", "%tree", "ptr"),
        lay("s", "tallied", "0"), lay("s", "key", "0"), lay("s", "keep", "0"),
        lay("s", "steps", "0"),
        "  br i1 %is.picked, label %compare, label %chosen",
        "compare:", "  %n = phi i64 [ 0, %try ], [ %n.next, %key ]", "  %n.more = icmp slt i64 %n, %moves",
        "  br i1 %n.more, label %key, label %pick",
        "key:", word("keys", "%n", "one.key"), f"  %n.place = add i64 %n, {KEYS}",
        "  %at.kept = getelementptr i64, ptr %book, i64 %n.place", "  store i64 %one.key, ptr %at.kept",
        "  %n.next = add i64 %n, 1", "  br label %compare",
        "pick:", f"  %at.compared = getelementptr i64, ptr %book, i64 {COMPARED}",
        "  store i64 %moves, ptr %at.compared",
        f"  call void @{first}(ptr %s, i64 %moves)", word("row", row["first"], "picked"), "  br label %chosen",
        "chosen:", "  %which = phi i64 [ %j, %try ], [ %picked, %pick ]",
        word("ats", "%which", "at"), word("keys", "%which", "wanted"), lay("s", "wanted", "%wanted"),
        "  call void @tree_begin(ptr %tree, i64 %wanted)",
        f"  call void @{play}(ptr %s, i64 %player, i64 %at, i64 %deal, i64 %deals, i64 %limit, i64 %pays)",
        take("s", "fault", "s.fault"), "  store i64 %s.fault, ptr %row",
        f"  %is.ruled = icmp eq i64 %s.fault, {AGAINST_RULES}", "  br i1 %is.ruled, label %tried, label %other",
        "other:", "  %is.tried = icmp eq i64 %s.fault, 0", "  br i1 %is.tried, label %tried, label %failed",
        "failed:", "  call void @forget(ptr %book)", "  ret i64 %place",
        "tried:", take("s", "steps", "own.steps"), f"  %at.steps = getelementptr i64, ptr %row, i64 {row['made']}",
        "  store i64 %own.steps, ptr %at.steps",
        take("s", "tallied", "own.spent"),
        f"  %at.spent = getelementptr i64, ptr %row, i64 {row['spent']}",
        "  store i64 %own.spent, ptr %at.spent", "  %spent.now = add i64 %spent, %own.spent",
        "  store i64 %spent.now, ptr %spent.all", word("row", row["over"], "over"),
        "  %is.over = icmp ne i64 %over, 0", "  br i1 %is.ruled, label %climbed, label %climbs",
        "climbs:", word("row", row["won"], "won"), "  %won.then = select i1 %is.over, i64 %won, i64 0",
        "  call void @tree_learn(ptr %tree, ptr %row, i64 %player, i64 %won.then)", "  br label %climbed",
        "climbed:", "  %is.moot = or i1 %is.over, %is.ruled",
        "  br i1 %is.moot, label %unlearnt, label %learns",
        "unlearnt:", f"  %at.decided = getelementptr i64, ptr %book, i64 {MADE}", "  store i64 0, ptr %at.decided",
        "  br label %counted",
        "learns:", "  call void @learn(ptr %book, ptr %row)", "  br label %counted",
        "counted:", "  %j.next = add i64 %j, 1", "  br label %move",
        "worked:", "  %i.next = add i64 %i, 1", "  br label %world", "}",
    ]  # fmt: skip
