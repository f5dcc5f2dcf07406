"""Between which numbers an expression lies, as far as that can be said before anybody plays.

Where a result may leave what a number may be, the text that is printed looks; elsewhere it need not. What is not
known, such as a parameter of a definition, is taken for anything that a number may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from interpreter.base.arithmetic import LARGEST
from interpreter.language import typed as t
from interpreter.language.check.kinds import index_asked
from interpreter.language.model import ParamDef
from interpreter.language.operations import COUNTS
from interpreter.language.typed import Typed

if TYPE_CHECKING:
    from interpreter.compiler.layout import Layout

Range = tuple[int, int]
ANY: Range = (-LARGEST, LARGEST)
A_MILLION: Range = (-1_000_000, 1_000_000)
"""What a variable or an argument may be of which nothing else is said, and more than anything can be counted."""
A_COUNT: Range = (0, 1_000_000)


class Ranges:
    """What numbers can be in one game. size: of a set, zone or list, the most members that it can have."""

    def __init__(self, layout: Layout, size: Callable[[Typed], int]) -> None:
        self.size = size
        self.layout = layout
        self.model = layout.model
        self._known: dict[int, tuple[Typed, Range]] = {}
        self._tables: dict[str, Range] = {}
        self._instances: dict[str, Range] = {}
        self._locals: dict[str, Range] = {}

    @contextmanager
    def choosing(self, params: Iterable[ParamDef]) -> Iterator[None]:
        """Within, the numbers among some parameters lie between their bounds."""
        self._locals = {
            param.name: (self.of(param.bounds[0])[0], self.of(param.bounds[1])[1])
            for param in params
            if param.bounds is not None
        }
        yield
        self._locals = {}

    def settled(self, node: t.Op) -> bool | None:
        """How two numbers that are there compare, where that is always so; None elsewhere, and where one may grow too
        large."""
        (a, b), (c, d) = (self.of(arg) for arg in (node.args if node.op in ("<", "<=") else reversed(node.args)))
        if min(a, c) == -LARGEST or max(b, d) == LARGEST:
            return None
        match node.op:
            case "<" | ">":
                return True if b < c else False if a >= d else None
            case "<=" | ">=":
                return True if b <= c else False if a > d else None
        return None

    def is_within(self, node: Typed, low: Typed, high: Typed) -> bool:
        """Whether a number, if it is there, always lies between two others."""
        least, most = self.of(node)
        return self.of(low)[1] <= least and most <= self.of(high)[0]

    def leaves(self, node: t.Op | t.Fold) -> bool:
        """Whether the result of an operation may be more than a number can be, although its parts are numbers."""
        low, high = self._operate(node) if isinstance(node, t.Op) else self._fold(node)
        return low < -LARGEST or high > LARGEST

    def of(self, node: Typed) -> Range:
        """The least and the most that a number can be."""
        if id(node) not in self._known:
            self._known[id(node)] = node, self._within(node)
        return self._known[id(node)][1]

    def _within(self, node: Typed) -> Range:
        found = self.layout.known(node)
        if type(found) is int:
            return (found, found) if abs(found) <= LARGEST else ANY
        low, high = self._of(node)
        return max(low, -LARGEST), min(high, LARGEST)

    def _of(self, node: Typed) -> Range:
        match node:
            case t.Builtin():
                return A_MILLION
            case t.Local(name) if name in self._locals:
                return self._locals[name]
            case t.StageArgument(stage, name):
                least, most = self.model.stages[stage].bounds[name]
                return self.of(least)[0], self.of(most)[1]
            case t.VarRef(name):
                variable = self.model.variables[name]
                return self.of(variable.minimum)[0], self.of(variable.maximum)[1]
            case t.If(_, then, otherwise):
                return _either(self.of(then), self.of(otherwise))
            case t.TableRef(name):
                return self._table(name)
            case t.Instance(key):
                if key not in self._instances:
                    outside, self._locals = self._locals, {}
                    self._instances[key] = self.of(self.model.instances[key].body)
                    self._locals = outside
                return self._instances[key]
            case t.Let(variable, value, body):
                if value.type.kind == "integer":
                    self._locals[variable] = self.of(value)
                return self.of(body)
            case t.Op():
                return self._operate(node)
            case t.Fold():
                return self._fold(node)
        return ANY

    def _table(self, name: str) -> Range:
        if name not in self._tables:
            self._tables[name] = ANY  # should it lead back to itself
            found: Range = (0, 0)
            for row in self.model.tables[name].rows:
                found = _either(found, self.of(row.value))
            self._tables[name] = found
        return self._tables[name]

    def _operate(self, node: t.Op) -> Range:
        match node:
            case t.Op("count", (inner,)):
                most = self._most_members(inner)
                least = most if isinstance(inner, t.Builtin) and inner.name == "pack" else 0
                return least, most
            case t.Op("item" | "cycle", (_, t.OptionRef(name))):
                numbers = [n for n in self.layout.options[name] or () if type(n) is int]
                return (min(numbers), max(numbers)) if numbers else ANY
            case t.Op("index of"):
                at = index_asked(node.op, self.model.zones[node.name].dims)
                numbers = [] if at is None else [key[at] for key in self.layout.zones[node.name].keys]
                return (min(numbers), max(numbers)) if numbers else ANY
        if node.op in COUNTS:
            return A_COUNT
        if len(node.args) != 2 or node.type.kind != "integer":
            return ANY
        (a, b), (c, d) = self.of(node.args[0]), self.of(node.args[1])
        match node.op:
            case "+":
                return a + c, b + d
            case "-":
                return a - d, b - c
            case "*":
                ends = (a * c, a * d, b * c, b * d)
                return min(ends), max(ends)
            case "div" | "mod":
                most = max(abs(a), abs(b)) if node.op == "div" else max(abs(c), abs(d))
                return -most, most
            case "greater":
                return max(a, c), max(b, d)
            case "lesser":
                return min(a, c), min(b, d)
        return ANY

    def _most_members(self, node: Typed) -> int:
        """The most members of a set, whatever the locals in it stand for: what is kept of it holds everywhere."""
        match node:
            case t.ZoneRef() if node.type == t.CARDS:
                return self.size(node)
            case t.Builtin("pack" | "suits" | "ranks" | "players" | "everyone" | "teams"):
                return self.size(node)
            case t.Select(_, _, _, domain):
                return self._most_members(domain)
        return A_COUNT[1]

    def _fold(self, node: t.Fold) -> Range:
        if node.kind == "count" or node.value is None:
            return A_COUNT
        low, high = self.of(node.value)
        if node.kind in ("sum", "least"):  # the least that all that is left comes to
            members = self._most_members(node.domain)
            return min(0, low) * members, max(0, high) * members
        return min(0, low), max(0, high)


def _either(one: Range, two: Range) -> Range:
    return min(one[0], two[0]), max(one[1], two[1])
