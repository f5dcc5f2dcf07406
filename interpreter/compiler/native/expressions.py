"""Expressions of Python as native code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import Any

from interpreter.compiler.native.native_kinds import (
    ANSWERS,
    DICE,
    HALVES,
    NOTHING,
    PIECES,
    SLOTS,
    STATE,
    ZONES,
    FrameKind,
    Kind,
    Known,
    Maybe,
    Number,
    OneOf,
    Row,
    Value,
    as_group,
    as_number,
    joined_all,
    known,
)
from interpreter.compiler.native.not_native import NotNative, TwoKinds
from interpreter.compiler.native.sources import global_of
from interpreter.compiler.native.walks import Walks
from interpreter.engine.library import Answers, Remembered
from interpreter.engine.position import Position

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.BitAnd: "&", ast.BitOr: "|",
    ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
MOST_ANSWERS = 4_000
"""Answers that are found out beforehand."""
UNASKED = object()
"""In place of what is told: nobody asks for it here."""
UNTOLD = Known(UNASKED)


@dataclass(frozen=True, slots=True)
class Inline:
    """A function without a name, which is written out where it is called. maker: of the function in which it stands."""

    node: ast.Lambda
    maker: Any


class Expressions(Walks):
    """What has a value."""

    def value(self, node: ast.expr) -> Value:
        """What an expression says. Raises NotNative."""
        form = _FORMS.get(type(node))
        if form is None:
            raise NotNative(f"an expression of the form {type(node).__name__}")
        return form(self, node)

    def _constant(self, node: ast.Constant) -> Value:
        return known(node.value)

    def _name(self, node: ast.Name) -> Value:
        if node.id in self.narrowed:
            return self.narrowed[node.id]
        name = self.renamed.get(node.id, node.id)
        if name in self.locals or name != node.id:
            return self.local(name)
        found = global_of(self.function, node.id)
        return Value(ANSWERS) if isinstance(found, Answers) else known(found)

    # ---- operators --------------------------------------------------------------------------------

    def _named(self, node: ast.NamedExpr) -> Value:
        value = self.value(node.value)
        self.bind(node.target, value)
        return value

    def _operation(self, node: ast.BinOp) -> Value:
        if isinstance(node.op, ast.Sub) and _is_bit_length(node.left) and _is_one(node.right):
            assert isinstance(node.left, ast.Call) and isinstance(node.left.func, ast.Attribute)
            return self._highest_bit(self.value(node.left.func.value))
        op, one, two = OPERATORS.get(type(node.op)), self.value(node.left), self.value(node.right)
        if op is None:
            raise NotNative("an operator")
        if op == "&" and isinstance(node.right, ast.UnaryOp) and isinstance(node.right.op, ast.Invert):
            return self._without_bits(one, self.value(node.right.operand))
        if op == "*" and isinstance(node.left, ast.List):
            return self._repeated(one, two)
        if UNTOLD in (one.kind, two.kind):
            return Value(UNTOLD)
        if op == "+" and (as_number(one.kind) is None or as_number(two.kind) is None):
            return self.chained([one, two])
        return self.operate(op, one, two)

    def _without_bits(self, one: Value, two: Value) -> Value:
        """The bits of one number that another has not."""
        if isinstance(one.kind, Known) and isinstance(two.kind, Known):
            return known(one.kind.value & ~two.kind.value)
        both = self.operate("&", one, two)
        found, (kind, _) = self.operate("^", one, both), self.plain(one)
        own, at = self.number(found)
        to = Number(0, kind.high) if kind.low >= 0 else own
        return Value(to, (self.resized(at, own, to),))

    def _highest_bit(self, of: Value) -> Value:
        """The number of the highest bit; where there is none, the Python lane says what comes of it."""
        if isinstance(of.kind, Known):
            return known(of.kind.value.bit_length() - 1)
        kind, at = self.plain(of)
        self.demand(self.name_of(f"icmp ne {self.word(kind)} {at}, 0"))
        found = self.operate("-", self.bit_length(of), known(1))
        return Value(Number(0, max(0, kind.high.bit_length() - 1)), found.parts)

    def _repeated(self, one: Value, two: Value) -> Value:
        """A list of equal members."""
        if not isinstance(one.kind, Row):
            raise NotNative("a list so many times")
        item = self.item(one, known(0))
        if not isinstance(two.kind, Known):
            kind, at = self.plain(two)
            row = self.new_row(self.loose(item.kind))
            self._counted(Value(kind, (at,)), lambda at: self.append(row, item))
            return row
        own = self.new_row(one.kind.item, max(1, two.kind.value))
        for _ in range(two.kind.value):
            self.append(own, item)
        return own

    def chained(self, values: Sequence[Value]) -> Value:
        """Lists one after the other."""
        groups = [as_group(value.kind) for value in values]
        if all(group is not None for group in groups):
            return self.grouped([item for value in values for item in self.members(value)])
        items = [self.item_kind(value) for value in values if value.kind != Row(None)]
        own = self.new_row(joined_all([self.loose(kind) for kind in items if kind is not None]))
        if not items:
            return Value(Row(None), ("null",))
        for value in values:
            if value.kind != Row(None):
                self.each(value, lambda item: self.append(own, item))
        return own

    def _unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return self.flag(self.test(node))
        of = self.value(node.operand)
        match node.op:
            case ast.USub():
                return self.negative(of)
            case ast.Invert():
                return self.inverted(of)
        raise NotNative("an operator")

    def _compare(self, node: ast.Compare) -> Value:
        if len(node.ops) == 1:
            return self._pair(node.ops[0], self.value(node.left), self.value(node.comparators[0]))
        values = [self.value(part) for part in (node.left, *node.comparators)]
        tests = []
        for op, one, two in zip(node.ops, values, values[1:], strict=False):
            tests.append(self.asked(self._pair(op, one, two)))
        if "false" in tests:
            return known(False)
        found = "true"
        for test in tests:
            found = test if found == "true" else self.name_of(f"and i1 {found}, {test}")
        return self.flag(found)

    def _pair(self, op: ast.cmpop, one: Value, two: Value) -> Value:
        word = OPERATORS[type(op)]
        if word in ("in", "not in"):
            found = self.contains(two, one)
            if word == "in":
                return found
            return self.flag(self.opposite(self.asked(found)))
        return self.compared(word, one, two)

    def test(self, node: ast.expr) -> str:
        """Whether an expression holds: an i1. Raises NotNative."""
        if isinstance(node, ast.BoolOp):
            return self._test_of(node.values, isinstance(node.op, ast.And))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.opposite(self.test(node.operand))
        return self.asked(self.value(node))

    def ways(self, node: ast.expr, yes: str, no: str) -> str:
        """Go on at one of two labels, as it turns out whether an expression holds. Raises NotNative.

        "yes", "no": everybody goes to that one. "true", "false": it is settled, and nobody goes anywhere.
        """
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return _OPPOSITE[self.ways(node.operand, no, yes)]
        if isinstance(node, ast.BoolOp):
            return self._ways_of(node.values, isinstance(node.op, ast.And), yes, no)
        test = self.test(node)
        if test in ("true", "false"):
            return test
        self.branch(test, yes, no)
        return ""

    def _ways_of(self, nodes: Sequence[ast.expr], both: bool, yes: str, no: str) -> str:
        """`ways` for all of some expressions (both), or for any of them."""
        words, left = ("true", "yes", "false", "no") if both else ("false", "no", "true", "yes"), False
        end, out = (yes, no) if both else (no, yes)
        for node in nodes:
            on = end if node is nodes[-1] else self.label()
            said = self.ways(node, *((on, no) if both else (yes, on)))
            if said == words[2] and left:
                self.go(out)
            if said in words[2:]:
                return words[3] if left else said
            left = left or not said
            if said != words[0]:
                if on == end:
                    return "" if left else words[1]
                self.open_only(on)
        if not left:
            return words[0]
        self.go(end)
        return ""

    def _test_of(self, nodes: Sequence[ast.expr], both: bool) -> str:
        first = self.test(nodes[0])
        if len(nodes) == 1 or self.dead or first == ("false" if both else "true"):
            return first
        if first in ("true", "false"):
            return self._test_of(nodes[1:], both)
        rest = lambda: self.flag(self._test_of(nodes[1:], both))  # noqa: E731 - worked out only if wanted
        settled = lambda: known(not both)  # noqa: E731
        return self.truth(self.choose(first, rest, settled) if both else self.choose(first, settled, rest))

    def _joined(self, node: ast.BoolOp) -> Value:
        return self._one_of(node.values, isinstance(node.op, ast.And))

    def _one_of(self, nodes: Sequence[ast.expr], both: bool) -> Value:
        if len(nodes) == 1:
            return self.value(nodes[0])
        before = self.mark()
        try:
            return self._joined_values(nodes, both)
        except NotNative:  # a list or a number: it is asked only whether it holds
            self.back_to(before)
            self.unsettled = True
            return self.flag(self._test_of(nodes, both))

    def _joined_values(self, nodes: Sequence[ast.expr], both: bool) -> Value:
        first = self.value(nodes[0])
        if self.dead:
            return first
        test = self.truth(first)
        rest = lambda: self._one_of(nodes[1:], both)  # noqa: E731 - worked out only if wanted
        if both:
            return self.choose(test, rest, lambda: self._when_untrue(first))
        return self.choose(test, lambda: self.surely(first), rest)

    def surely(self, value: Value) -> Value:
        """A value that has been found to be there."""
        if isinstance(value.kind, Number) and value.kind.none:
            kind = Number(value.kind.low, value.kind.high, False, value.kind.text)
            return Value(kind, value.parts)
        if isinstance(value.kind, Maybe):
            return Value(value.kind.of, value.parts[1:])
        return value

    def _when_untrue(self, value: Value) -> Value:
        """A value that counts as untrue, as plainly as can be said."""
        if isinstance(value.kind, Number) and value.kind.plain:
            return known(False)
        return value

    # ---- what stands in something -----------------------------------------------------------------

    def _group(self, node: ast.Tuple) -> Value:
        if any(isinstance(item, ast.Starred) for item in node.elts):
            return self.chained(list(self._pieces(node.elts)))
        return self.grouped(list(self._items(node.elts)))

    def _list(self, node: ast.List) -> Value:
        if any(isinstance(item, ast.Starred) for item in node.elts):
            return self.listed(self.chained(list(self._pieces(node.elts))))
        values = list(self._items(node.elts))
        if not values:
            return Value(Row(None), ("null",))
        return self.listed(self.grouped(values))

    def _items(self, nodes: Sequence[ast.expr]) -> Iterator[Value]:
        for node in nodes:
            if isinstance(node, ast.Starred):
                yield from self.members(self.value(node.value))
            else:
                yield self.value(node)

    def _pieces(self, nodes: Sequence[ast.expr]) -> Iterator[Value]:
        for node in nodes:
            yield self.value(node.value) if isinstance(node, ast.Starred) else self.grouped([self.value(node)])

    # ---- fields and items -------------------------------------------------------------------------

    def remembered(self, rows: Remembered, args: list[Value]) -> Value:
        """An answer that asks nothing of the state, out of a table of all that there are. Raises NotNative."""
        keys: list[list[int | None]] = []
        for value in args:
            kind, _ = self.number(value)
            if kind.text or kind.wide or kind.high - kind.low > MOST_ANSWERS:
                raise NotNative("an answer of too many things")
            keys.append([*range(kind.low, kind.high + 1), *([None] if kind.none else [])])
        if prod(map(len, keys)) > MOST_ANSWERS:
            raise NotNative("too many answers")
        index = known(0)
        for value, own in zip(args, keys, strict=True):
            place = self._place_among(value, own)
            index = self.operate("+", self.operate("*", index, known(len(own))), place)
        answers = self.module.answers(rows, tuple(map(tuple, keys)))
        return self.item(known(answers), index)

    def _place_among(self, value: Value, keys: Sequence[int | None]) -> Value:
        """The place of a number among all that it can be: one after the other, and none at the end."""
        if isinstance(value.kind, Known):
            return known(keys.index(value.kind.value))
        kind, at = self.number(value)
        place = self.name_of(f"sub i64 {at}, {kind.low}") if kind.low else at
        if kind.none:
            there = self.name_of(f"icmp sge i64 {at}, {kind.low}")
            place = self.name_of(f"select i1 {there}, i64 {place}, i64 {len(keys) - 1}")
        return Value(Number(0, len(keys) - 1), (place,))

    def _rows(self, node: ast.Dict) -> Value:
        """A table that is written down."""
        keys = [NOTHING if key is None else self.value(key) for key in node.keys]
        values = [self.value(value) for value in node.values]
        if not all(isinstance(value.kind, Known) for value in (*keys, *values)):
            raise NotNative("a table that is made in play")
        return known({k.kind.value: v.kind.value for k, v in zip(keys, values, strict=True)})  # type: ignore[attr-defined]

    def _attribute(self, node: ast.Attribute) -> Value:
        return self.attribute(self.value(node.value), node.attr)

    def attribute(self, of: Value, name: str) -> Value:
        """What a field of something holds. Raises NotNative."""
        match of.kind:
            case Known(value=value):
                if not hasattr(value, name):
                    raise NotNative(f"{of.kind} has no '{name}'")
                return known(getattr(value, name))
            case OneOf(values):
                return self._from_known(tuple(getattr(one.value, name, None) for one in values), self._one_number(of))
            case FrameKind():
                place = self.layout.frame.get(name)
                if place is None:
                    raise NotNative(f"frames have no '{name}'")
                return self.load(self.frame_field(of.at, place), place.kind)
        if of.kind == STATE:
            return self._field(name)
        if of.kind == DICE and name == "halves":
            return Value(HALVES)
        raise NotNative(f"'{name}' of {of.kind}")

    def _one_number(self, of: Value) -> Value:
        """The number of one of several things."""
        assert isinstance(of.kind, OneOf)
        return Value(Number(0, len(of.kind.values) - 1), of.parts)

    def _field(self, name: str) -> Value:
        found = self.layout.known.get(name)
        if found is not None:
            return Value(found)
        if name in ("z", "v", "tokens"):
            return Value({"z": ZONES, "v": SLOTS, "tokens": PIECES}[name])
        place = self.layout.fields.get(name)
        if place is not None:
            return self.load(self.field(place), place.kind)
        own = getattr(Position, name, None)
        if isinstance(own, property):
            return self.call(known(own.fget), [Value(STATE)], {})
        raise NotNative(f"the state's '{name}'")

    def _subscript(self, node: ast.Subscript) -> Value:
        of = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            if node.slice.step is not None:
                return self._stepping(of, node.slice)
            ends = [None if end is None else self.value(end) for end in (node.slice.lower, node.slice.upper)]
            if of.kind in (ZONES, SLOTS):
                if node.slice.lower is None and node.slice.upper is None:
                    raise NotNative("all places")
                return self.grouped([self.place(of, known(at)) for at in self.span_of(*ends)])
            return self.part(of, *ends)
        at = self.value(node.slice)
        if isinstance(of.kind, Known) and isinstance(of.kind.value, Remembered):
            return self.remembered(of.kind.value, self.members(at))
        if of.kind in (ZONES, SLOTS):
            with self.by(node.slice):
                return self.place(of, at)
        if of.kind == PIECES:
            return self.load(self.field(self.pieces_of(at)), self.pieces_of(at).kind)
        return self.item(of, at)

    def _stepping(self, of: Value, part: ast.Slice) -> Value:
        """A list turned round."""
        if part.lower is None and part.upper is None and ast.unparse(part.step or part) == "-1":
            if isinstance(of.kind, Known):
                return known(of.kind.value[::-1])
            own = self.new_row(self.item_kind(of))
            self._backwards(of, lambda item: self.append(own, item))
            return own
        raise NotNative("a slice with steps")

    def span_of(self, low: Value | None, high: Value | None) -> range:
        """Known ends of neighbouring places."""
        ends = [None if end is None else end.kind for end in (low, high)]
        if not all(isinstance(end, Known) for end in ends):
            raise NotNative("places from one that is not known to another")
        return range(ends[0].value, ends[1].value)  # type: ignore[union-attr]

    def pieces_of(self, name: Value) -> Any:
        if not isinstance(name.kind, Known) or name.kind.value not in self.layout.pieces:
            raise NotNative("pieces that are not known")
        return self.layout.pieces[name.kind.value]

    def where(self, of: Value, at: Value) -> tuple[str, Kind, str]:
        """Where a place or variable lies, what it is, and of what its array is made. Raises NotNative."""
        family = self.layout.families[of.kind.name]  # type: ignore[attr-defined]
        size = len(family.kinds)
        bounds, _ = self.number(at)
        low, high = max(bounds.low, 0), min(bounds.high, size - 1)
        if bounds.low > bounds.high or low > high:
            self.fault()
            raise NotNative("there is no such place")
        index = self._within(at, low, high)
        kind = family.kind(low, high)
        pointer = self.member_of(family, index, low)
        return pointer, kind, "" if isinstance(kind, Row) else family.word

    @contextmanager
    def by(self, node: ast.expr) -> Iterator[None]:
        """Where places of two kinds are asked for by a local, this is the local to be looked at."""
        try:
            yield
        except TwoKinds as error:
            if isinstance(node, ast.Name) and node.id in self.locals and node.id not in self.renamed:
                error.name = error.name or node.id
            raise

    def _within(self, at: Value, low: int, high: int) -> str:
        kind, number = self.plain(at)
        if kind.low < low:
            self.demand(self.name_of(f"icmp sge i64 {number}, {low}"))
        if kind.high > high:
            self.demand(self.name_of(f"icmp sle i64 {number}, {high}"))
        return number

    def place(self, of: Value, at: Value) -> Value:
        """What lies at a place, or what a variable holds. Raises NotNative."""
        pointer, kind, word = self.where(of, at)
        return self.load(pointer, kind, word)

    def _call(self, node: ast.Call) -> Value:
        raise NotImplementedError


_OPPOSITE = {"true": "false", "false": "true", "yes": "no", "no": "yes", "": ""}


def _is_bit_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "bit_length"


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


_FORMS: dict[type[ast.expr], Callable[[Expressions, Any], Value]] = {
    ast.Constant: Expressions._constant,
    ast.Name: Expressions._name,
    ast.BinOp: Expressions._operation,
    ast.UnaryOp: Expressions._unary,
    ast.Compare: Expressions._compare,
    ast.BoolOp: Expressions._joined,
    ast.IfExp: Expressions.one_or_other,
    ast.Tuple: Expressions._group,
    ast.List: Expressions._list,
    ast.ListComp: Expressions.comprehension,
    ast.Attribute: Expressions._attribute,
    ast.Subscript: Expressions._subscript,
    ast.Call: lambda maker, node: maker._call(node),
    ast.Lambda: lambda maker, node: known(Inline(node, maker)),
    ast.NamedExpr: Expressions._named,
    ast.JoinedStr: lambda maker, node: known(UNASKED),
    ast.Dict: Expressions._rows,
}
