"""All native functions of one game, and what is written around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import Any

from interpreter.compiler.native import runtime
from interpreter.compiler.native.calls import MOST_INLINED
from interpreter.compiler.native.flat_state import SharedRoom
from interpreter.compiler.native.meld_natives import MELD_TWINS
from interpreter.compiler.native.native_context import Context
from interpreter.compiler.native.native_kinds import (
    DICE,
    LENGTH,
    MOST,
    NOTHING,
    SLOTS,
    STATE,
    ZONES,
    Kind,
    Number,
    Row,
    Value,
    known,
)
from interpreter.compiler.native.not_native import NotNative
from interpreter.compiler.native.sources import forget, plain_function
from interpreter.compiler.native.statements import Function
from interpreter.compiler.native.twins import TWINS
from interpreter.engine.position import Position
from interpreter.engine.program import Program

MOST_FUNCTIONS = 1_500
MOST_ROOM = 3_000_000
"""Bytes of the frames of functions that can run at a time, of the stack, which has 8 MB. As no function calls itself,
these are at most the small ones, which may lie in others, and large ones of which each is called by the one before."""
DEEPEST, MOST_WITHIN = 30, 7
"""Calls in calls while functions are written, of any and of the same function."""


class Module(Context):
    """Functions by what they are made of and the kinds of their arguments; each is written once."""

    def __init__(self, program: Program, template: Position, twins: dict[Any, Any], reads: bool = False) -> None:
        """twins: besides those of every game. reads: as of `Layout`."""
        super().__init__(program, template, {**TWINS, **MELD_TWINS, **twins}, reads)
        self._functions: dict[tuple[Any, ...], Function | NotNative | None] = {}
        self._written: list[Function] = []
        self._inside: list[CodeType] = []
        self._small = 0
        """Bytes of the frames of all small functions."""
        self._below: list[int] = []
        """Of each function that is being written the bytes of large ones that run at a time below it."""
        self._room = 0

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


def _nothing() -> None:
    """What is written in place of a function."""


def _plain(value: Any) -> Any:
    """A value of a match as a known one."""
    return tuple(value) if isinstance(value, list) else value
