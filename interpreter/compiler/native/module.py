"""All native functions of one game, and the tables that they read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from types import CodeType, FunctionType
from typing import Any

from interpreter.compiler.native import runtime
from interpreter.compiler.native.calls import MOST_INLINED
from interpreter.compiler.native.flat_state import Layout, SharedRoom
from interpreter.compiler.native.meld_natives import MELD_TWINS
from interpreter.compiler.native.native_kinds import (
    DICE,
    FIRST_TEXT,
    LENGTH,
    MOST,
    NOTHING,
    SLOTS,
    STATE,
    ZONES,
    Kind,
    Known,
    Number,
    Row,
    Value,
    joined_all,
    known,
)
from interpreter.compiler.native.not_native import NotNative
from interpreter.compiler.native.sources import forget, plain_function
from interpreter.compiler.native.statements import Function
from interpreter.compiler.native.twins import TWINS
from interpreter.engine.frames import JUMP
from interpreter.engine.library import Remembered
from interpreter.engine.machine import STEPS
from interpreter.engine.position import Position
from interpreter.engine.program import Program, StageCode

MOST_FUNCTIONS = 1_500
MOST_VALUES = 100_000
"""Instructions that give values, three times those of the longest game that is known: loops within loops are written
out, each time as often as somebody plays."""
MOST_ROOM = 3_000_000
"""Bytes of the frames of functions that can run at a time, of the stack, which has 8 MB. As no function calls itself,
these are at most the small ones, which may lie in others, and large ones of which each is called by the one before."""
WAITING = frozenset(("turn", "trick", "ask", "simultaneous", "race"))
"""The stages in which somebody decides, in strict play."""
AT_A_DECISION = frozenset(("play_randomly", "actors", "count_own", "make_own", "go_on"))
"""What looks at the stage that waits for somebody."""
DEEPEST, MOST_WITHIN = 30, 7
"""Calls in calls while functions are written, of any and of the same function."""


class Module:
    """Functions by what they are made of and the kinds of their arguments; each is written once."""

    def __init__(self, program: Program, template: Position, twins: dict[Any, Any], reads: bool = False) -> None:
        """reads: as of `Layout`."""
        self.program = program
        self.layout = Layout(program, template, reads)
        self.twins = {**TWINS, **MELD_TWINS, **twins}
        """For those who look for what stops matches: where each kind of stop comes from."""
        self.refusals: dict[str, None] = {}
        """What the Python lane has to play, and why."""
        self._functions: dict[tuple[Any, ...], Function | NotNative | None] = {}
        self._written: list[Function] = []
        self._tables: dict[tuple[str, tuple[str, ...]], str] = {}
        self._answers: dict[Any, tuple[Any, ...]] = {}
        self._shapes: dict[tuple[int, int, int], tuple[Any, Kind | None]] = {}
        self._columns: dict[tuple[int, int], tuple[Any, tuple[Any, ...]]] = {}
        self._lists: dict[tuple[int, str], tuple[Any, str]] = {}
        """What was found of known tuples, by where these are, with the tuples themselves, which so stay there."""
        self._texts: dict[str, int] = {}
        self.idle = {STEPS[JUMP]} if "jump" in self.layout.known else set()
        """What is never called, as nothing asks for it."""
        self._inside: list[CodeType] = []
        self._live = _live(program)
        self._values = 0
        self._small = 0
        """Bytes of the frames of all small functions."""
        self._below: list[int] = []
        """Of each function that is being written the bytes of large ones that run at a time below it."""
        self._room = 0

    def gives(self) -> None:
        """Count an instruction that gives a value. Raises NotNative beyond what anybody waits for."""
        self._values += 1
        if self._values > MOST_VALUES:
            raise NotNative("its machine code would be too long")

    def can_be(self, stage: StageCode, function: str) -> bool:
        """Whether a stage can be that which a function of the machine looks at."""
        return stage.index in self._live and (function not in AT_A_DECISION or stage.kind in WAITING)

    def refused(self, where: str, why: str) -> None:
        self.refusals[f"{where}: {why}"] = None

    def text(self, text: str) -> int:
        """A text as a number."""
        return self._texts.setdefault(text, FIRST_TEXT + len(self._texts))

    def table(self, rows: Sequence[int]) -> str:
        """A table of words."""
        return self.words("i64", [str(row) for row in rows])

    def words(self, word: str, rows: Sequence[str]) -> str:
        """A table of numbers of so many bits; its name."""
        key = word, tuple(rows)
        if key not in self._tables:
            self._tables[key] = f"@table{len(self._tables)}"
        return self._tables[key]

    def member_kind(self, items: tuple[Any, ...], low: int, high: int) -> Kind | None:
        """What the members of a known tuple from one number to another are. Raises NotNative."""
        key = id(items), low, high
        if key not in self._shapes:
            self._shapes[key] = items, joined_all(dict.fromkeys(map(Known, items[low : high + 1])))
        return self._shapes[key][1]

    def column(self, items: tuple[Any, ...], number: int) -> tuple[Any, ...]:
        """The member of a number of each of known tuples; the same tuple each time."""
        key = id(items), number
        if key not in self._columns:
            self._columns[key] = items, tuple(item[number] for item in items)
        return self._columns[key][1]

    def words_of(self, items: tuple[Any, ...], word: str, literal: Callable[[Any], str]) -> str:
        """The table of known numbers, nones and texts; its name. word: of so many bits."""
        key = id(items), word
        if key not in self._lists:
            self._lists[key] = items, self.words(word, [literal(item) for item in items])
        return self._lists[key][1]

    def answers(self, rows: Remembered, keys: tuple[tuple[int | None, ...], ...]) -> tuple[Any, ...]:
        """What is answered to each combination of keys, in order; None where there is no answer. Raises NotNative."""
        key = id(rows), keys
        if key not in self._answers:
            found = []
            for one in product(*keys):
                try:
                    found.append(rows.answer(*one))
                except Exception:
                    found.append(None)
            self._answers[key] = tuple(found)
        return self._answers[key]

    def function(self, function: FunctionType, kinds: tuple[Kind, ...]) -> Function:
        """A function for arguments of these kinds. Raises NotNative."""
        closed = tuple(id(cell.cell_contents) for cell in function.__closure__ or ())
        key = function.__code__, id(function.__globals__), closed, kinds
        if key in self._functions:
            found = self._functions[key]
            if found is None:
                raise NotNative(f"'{function.__name__}' calls itself")
            if isinstance(found, NotNative):
                raise found
            self._calls(found)
            return found
        inside = self._inside.count(function.__code__)
        if len(self._functions) > MOST_FUNCTIONS or len(self._inside) > DEEPEST or inside >= MOST_WITHIN:
            raise NotNative(f"calls of '{function.__name__}' go too deep")
        self._functions[key] = None
        self._inside.append(function.__code__)
        self._below.append(0)
        try:
            made = Function(self, f"f{len(self._functions)}", function, kinds)
            made.write()
            self._have_room(made)
        except NotNative as error:
            self._functions[key] = error
            raise
        finally:
            self._inside.pop()
            self._below.pop()
        self._functions[key] = made
        self._written.append(made)
        self._calls(made)
        return made

    def _have_room(self, made: Function) -> None:
        """Count the frame of a function. Raises NotNative, from then on always, where there is no room."""
        large = made.room if made.room >= MOST_INLINED else 0
        self._small += made.room - large
        made.deep = large + self._below[-1]
        self._room = max(self._room, self._small + made.deep)
        if self._room > MOST_ROOM:
            raise NotNative("it would take too much of the machine's stack")

    def _calls(self, made: Function) -> None:
        """The function that is being written calls another."""
        if self._below:
            self._below[-1] = max(self._below[-1], made.deep)

    def ir(self, around: str) -> str:
        """The whole module, after which nothing is kept of it. around: what calls what was written.

        What is called by nothing that has stayed is left out when machine code is made of it.
        """
        bodies = [function.text() for function in self._written]
        types = [f"%Frame = type {{{', '.join(self.layout.frame_types)}}}",
                 f"%State = type {{{', '.join(self.layout.types)}}}"]  # fmt: skip
        tables = [
            f"{name} = private unnamed_addr constant [{len(rows)} x {word}] [{_row(word, rows)}]"
            for (word, rows), name in self._tables.items()
        ]
        found = "\n".join([*types, *tables, runtime.text_for(self.layout), around, self._fresh.text(), *bodies])
        self._functions.clear()  # else only a search for circles would find all that
        self._written.clear()
        del self._fresh
        forget()
        return found

    def fresh(self) -> None:
        """Write what lays down a match before anything has happened."""
        made = Function(self, "fresh", plain_function(_nothing), ())
        made.begin()
        layout, s = self.layout, self.layout.template
        for name, place in layout.fields.items():
            self._begin_row(made, made.field(place), place.kind, place.capacity)
            made.store(known(_plain(layout.at_first(name))), made.field(place), place.kind)
        before = 0
        for of, values in ((ZONES, s.z), (SLOTS, s.v)):
            for at, value in enumerate(values):
                pointer, kind, word = made.where(Value(of), known(at))
                self._begin_row(made, pointer, kind, layout.families[of.name].rooms[at])
                if of == ZONES and layout.shared is not None and isinstance(kind, Row):
                    self._share_room(made, pointer, layout.shared, before)
                    before += layout.families[of.name].rooms[at]
                made.store(known(_plain(value)), pointer, kind, word)
        for place in layout.pieces.values():
            self._begin_row(made, made.field(place), place.kind, place.capacity)
        made.result = NOTHING.kind
        made.give_back(NOTHING)
        self._fresh = made

    def _begin_row(self, made: Function, pointer: str, kind: Kind, capacity: int) -> None:
        if isinstance(kind, Row):
            made.line(f"store {LENGTH} 0, ptr {pointer}")
            made.begin_row(pointer, kind, capacity)

    def _share_room(self, made: Function, pointer: str, room: SharedRoom, before: int) -> None:
        """Write down where the members of a list lie that shares its room. before: members for which others have."""
        members = made.name_of(f"getelementptr %State, ptr %s, i32 0, i32 {room.heads + 1}, i64 {before}")
        ends = [made.name_of(f"ptrtoint ptr {end} to i64") for end in (members, pointer)]
        far = made.name_of(f"trunc i64 {made.name_of(f'sub i64 {ends[0]}, {ends[1]}')} to {LENGTH}")
        made.line(f"store {LENGTH} {far}, ptr {made.name_of(f'getelementptr {LENGTH}, ptr {pointer}, i32 2')}")


def _row(word: str, rows: Sequence[str]) -> str:
    return ", ".join([f"{word} {row}" for row in rows])


def module_for(program: Program, template: Position, play: Callable[..., None], twins: dict[Any, Any]) -> str:
    """The LLVM of a game. play: (match, dice, counted stage, deals, limit).

    twins: functions -> what is compiled in their stead. Raises NotNative if nothing of it can be.
    """
    module = Module(program, template, twins)
    module.fresh()
    numbers = Number(0, len(program.stages) - 1), Number(-1, MOST), Number(0, MOST)
    entry = module.function(plain_function(play), (STATE, DICE, *numbers))
    return module.ir(runtime.matches(module.layout, entry.name))


def _live(program: Program) -> set[int]:
    """The stages that can run: the match, those in it but for those that never can, and those that are called."""
    inside = {child for stage in program.stages for child in stage.children}
    todo = [stage.index for stage in program.stages if stage.index not in inside]
    found = set(todo)
    while todo:
        stage = program.stages[todo.pop()]
        for step in set(stage.following):
            if step < len(stage.children) and stage.children[step] not in found:
                found.add(stage.children[step])
                todo.append(stage.children[step])
    return found


def _nothing() -> None:
    """What is written in place of a function."""


def _plain(value: Any) -> Any:
    """A value of a match as a known one."""
    return tuple(value) if isinstance(value, list) else value
