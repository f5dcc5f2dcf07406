"""What scenarios reach of a program, and how far the program of a changed ruleset is another.

A scenario that calls no function which differs cannot notice the change, so it need not be played again; and where
options and players settle that the same comes out, not even the program need be made.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from dataclasses import replace as with_changes
from functools import cached_property
from types import CodeType, FrameType, FunctionType
from typing import Any

from interpreter.base.memory import Later
from interpreter.compiler import compile_special, specialise
from interpreter.compiler.constant import NotConstant, Unanswerable
from interpreter.compiler.layout import Layout
from interpreter.compiler.made import is_of_program
from interpreter.engine.library import Answers
from interpreter.engine.program import Program
from interpreter.language.model import Model, Requirement
from interpreter.language.tree import replace
from interpreter.language.typed import Typed

Line = tuple[str, str]
"""A function of a program and one line of it; the same in all programs that have it."""

_FOUND_IN_PLAY = "native template interned retold known_moves by_place rest"
_LEFT_OUT = frozenset(f"{_FOUND_IN_PLAY} printed lines filename requirements".split())
"""Of a program: what is found out in play, what is compared by functions, and what was asked before it was there."""


@contextmanager
def lines_run() -> Iterator[set[tuple[str, int]]]:
    """The lines of generated code that are run in this block, by file."""
    found: set[tuple[str, int]] = set()

    def enter(frame: FrameType, event: str, _: Any) -> Any:
        return inside if is_of_program(frame.f_code.co_filename) else None

    def inside(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            found.add((frame.f_code.co_filename, frame.f_lineno))
        return inside

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield found
    finally:
        sys.settrace(before)


@dataclass(frozen=True)
class Anatomy:
    """A program by its functions."""

    program: Program

    @cached_property
    def functions(self) -> dict[str, list[str]]:
        """The lines of each, as they were printed."""
        found: dict[str, list[str]] = {}
        for name, line in self._lines:
            if name:
                found.setdefault(name, []).append(line)
        return found

    @cached_property
    def _lines(self) -> list[Line]:
        name, found = "", []
        for line in self.program.text.split("\n"):
            if line.startswith("def "):
                name = line[4 : line.index("(")]
            elif line and not line.startswith(" "):
                name = ""
            found.append((name, line))
        return found

    @cached_property
    def names(self) -> dict[str, Any]:
        """What the functions know by name: one another, constants, helpers."""
        return self.program.zones[0].seen_by.__globals__

    def lines(self, run: set[tuple[str, int]]) -> set[Line]:
        """The lines of this program's functions, among those run: pairs of a file and a number."""
        return {self._lines[number - 1] for file, number in run if file == self.program.filename}


@dataclass(frozen=True, slots=True)
class Difference:
    """functions: those that differ. lines: those of them that are no longer there. everywhere: more than functions."""

    functions: frozenset[str]
    lines: frozenset[Line]
    everywhere: bool = False


def difference(one: Anatomy, two: Anatomy) -> Difference:
    """How another program differs from one."""
    for program in (one.program, two.program):
        program.rest()
    functions: set[str] = set()
    everywhere = not _Alike(functions)(one.program, two.program)
    names = {name for names in (one.names, two.names) for name in names if not isinstance(names[name], Answers)}
    unlike = {name for name in names if not _is_same_name(name, one, two, functions)}
    lines: set[Line] = set()
    for name, before in one.functions.items():
        after = two.functions.get(name, ())
        if before != after:
            functions.add(name)
            lines |= {(name, line) for line in _replaced(before, after)}
        elif unlike:
            lines |= {(name, line) for line in before if any(other in line for other in unlike)}
    functions.update(name for name, _ in lines)
    return Difference(frozenset(functions), frozenset(lines), everywhere)


def _is_same_name(name: str, one: Anatomy, two: Anatomy, functions: set[str]) -> bool:
    there = name in one.names and name in two.names
    return there and _Alike(functions)(one.names[name], two.names[name])


def _replaced(before: Sequence[str], after: Sequence[str]) -> Sequence[str]:
    """The lines between the equal ones at the beginning and at the end; where some were only added, the one before."""
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    tail = next((at for at in range(most - head) if before[-1 - at] != after[-1 - at]), most - head)
    return before[head : len(before) - tail] or before[max(0, head - 1) : head]


class Programs:
    """The programs of a ruleset as it is, to be found again where a changed one comes to the same."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], list[tuple[Layout, Program]]] = {}

    def make(self, model: Model, players: int, options: Mapping[str, Any], honor: bool) -> Program:
        """The program of a game, which is remembered."""
        layout = specialise(model, players, options, honor)
        program = compile_special(layout, "at once")
        self._known.setdefault(_game_key(layout), []).append((layout, program))
        return program

    def find(self, model: Model, players: int, options: Mapping[str, Any], honor: bool) -> Program:
        """The program of a game: one that is known, or else a new one."""
        layout = specialise(model, players, options, honor)
        for known, program in self._known.get(_game_key(layout), ()):
            if _comes_to_the_same(known, layout):
                return program
        return compile_special(layout, "at once")


def _game_key(layout: Layout) -> tuple[Any, ...]:
    return layout.model.id, layout.n, layout.honor, repr(layout.options)


def _comes_to_the_same(one: Layout, two: Layout) -> bool:
    """Whether all that a program is made from is equal; what could be chosen no longer matters when it is chosen."""
    settled: dict[str, Any] = {"options": {}, "variants": {}, "shipped": False}
    unchosen = [
        replace(layout.model, **settled, players=one.model.players, requirements=_open(layout)) for layout in (one, two)
    ]
    return with_changes(one, model=unchosen[0]) == with_changes(two, model=unchosen[1])


def _open(layout: Layout) -> tuple[Requirement, ...]:
    """The requirements that are not met before there are cards to look at."""
    return tuple(rule for rule in layout.model.requirements if not _is_settled(layout, rule.law))


def _is_settled(layout: Layout, law: Typed) -> bool:
    try:
        layout.constant(law)
    except (NotConstant, Unanswerable):
        return False
    return True


class _Alike:
    """Whether two values of two programs are the same, but for what their printed functions do.

    other: gets the functions in whose place another one stands.
    """

    def __init__(self, other: set[str]) -> None:
        self._other = other
        self._met: set[tuple[int, int]] = set()

    def __call__(self, one: Any, two: Any) -> bool:
        if one is two or (id(one), id(two)) in self._met:
            return True
        if type(one) is not type(two):
            return False
        if isinstance(one, FunctionType):
            self._met.add((id(one), id(two)))
            return self._functions(one, two)
        if isinstance(one, Later):
            return self(one(), two())
        if names := _fields_of(one):
            self._met.add((id(one), id(two)))
            return all(self(getattr(one, name), getattr(two, name)) for name in names if name not in _LEFT_OUT)
        if hasattr(one, "__dict__"):
            return self(vars(one), vars(two))
        if isinstance(one, tuple | list):
            return len(one) == len(two) and all(map(self, one, two))
        if isinstance(one, dict):
            return self(list(one), list(two)) and self(list(one.values()), list(two.values()))
        return bool(one == two)

    def _functions(self, one: FunctionType, two: FunctionType) -> bool:
        if not self(one.__defaults__, two.__defaults__):
            return False
        printed = [is_of_program(found.__code__.co_filename) for found in (one, two)]
        if all(printed):
            if one.__name__ != two.__name__:
                self._other.add(one.__name__)
            return True
        cells = [[cell.cell_contents for cell in found.__closure__ or ()] for found in (one, two)]
        if any(printed) or one.__code__ != two.__code__ or not self(*cells):
            return False
        known = [found.__globals__ for found in (one, two)]
        return known[0] is known[1] or all(self(*(found.get(n) for found in known)) for n in _names_in(one.__code__))


def _fields_of(one: Any) -> tuple[str, ...]:
    """The fields of a struct or of an instance of a data class."""
    found: tuple[str, ...] = getattr(one, "__struct_fields__", ())
    return tuple(field.name for field in fields(one) if field.compare) if is_dataclass(one) else found


def _names_in(code: CodeType) -> set[str]:
    inner = [_names_in(part) for part in code.co_consts if isinstance(part, CodeType)]
    return set(code.co_names).union(*inner)
