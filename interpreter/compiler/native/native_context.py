"""What the native functions of one game have in common while they are written: the tables that they read, what is known
of the game, and one another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import product
from types import FunctionType
from typing import Any

from interpreter.compiler.native.flat_state import Layout
from interpreter.compiler.native.native_kinds import FIRST_TEXT, Kind, Known, joined_all
from interpreter.compiler.native.not_native import NotNative
from interpreter.engine.frames import JUMP
from interpreter.engine.library import Remembered
from interpreter.engine.machine import STEPS
from interpreter.engine.position import Position
from interpreter.engine.program import Program, StageCode

MOST_VALUES = 100_000
"""Instructions that give values, three times those of the longest game that is known: loops within loops are written
out, each time as often as somebody plays."""
WAITING = frozenset(("turn", "trick", "ask", "simultaneous", "race"))
"""The stages in which somebody decides, in strict play."""
AT_A_DECISION = frozenset(("play_randomly", "actors", "count_own", "make_own", "go_on"))
"""What looks at the stage that waits for somebody."""


class Callee:
    """A native function as those know it that call it, once it is written."""

    name: str
    result: Kind | None
    """What it gives back; None if it does not come back."""
    may_fault: bool
    """Whether the match may be stopped in it."""


class Context(ABC):
    """What functions ask for while they are written. `Module` is one, which has them written."""

    def __init__(self, program: Program, template: Position, twins: dict[Any, Any], reads: bool = False) -> None:
        """template: a match of the game before anything has happened. twins: functions -> what is compiled in their
        stead. reads: as of `Layout`."""
        self.program = program
        self.layout = Layout(program, template, reads)
        self.twins = twins
        self.refusals: dict[str, None] = {}
        """What the Python lane has to play, and why: for those who look for what stops matches."""
        self.idle = {STEPS[JUMP]} if "jump" in self.layout.known else set()
        """What is never called, as nothing asks for it."""
        self._tables: dict[tuple[str, tuple[str, ...]], str] = {}
        self._answers: dict[Any, tuple[Any, ...]] = {}
        self._shapes: dict[tuple[int, int, int], tuple[Any, Kind | None]] = {}
        self._columns: dict[tuple[int, int], tuple[Any, tuple[Any, ...]]] = {}
        self._lists: dict[tuple[int, str], tuple[Any, str]] = {}
        """What was found of known tuples, by where these are, with the tuples themselves, which so stay there."""
        self._texts: dict[str, int] = {}
        self._live = _live(program)
        self._values = 0

    @abstractmethod
    def function(self, function: FunctionType, kinds: tuple[Kind, ...]) -> Callee:
        """A function for arguments of these kinds, which is written now if it is not yet. Raises NotNative."""

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
