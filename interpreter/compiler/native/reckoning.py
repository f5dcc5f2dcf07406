"""Numbers, bits and comparisons in native code: what bounds do not prove is tested, and stops the match."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from interpreter.compiler.native.native_kinds import (
    FLAG,
    LENGTH,
    MOST,
    NONE,
    Bits,
    FrameKind,
    Group,
    Known,
    Maybe,
    Number,
    OneOf,
    Row,
    Span,
    Thing,
    Value,
    as_group,
    as_number,
    known,
)
from interpreter.compiler.native.native_locals import Locals
from interpreter.compiler.native.not_native import NotNative

KNOWN: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
LAST_BIT = 63
"""The number of the last bit of a machine word, which cannot be shifted further."""
_PLAIN = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}
_TESTS = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}


class Reckoning(Locals):
    """Operators and conditions."""

    # ---- operators --------------------------------------------------------------------------------

    def operate(self, op: str, one: Value, two: Value) -> Value:
        """What an operator makes of two numbers. Raises NotNative."""
        if isinstance(one.kind, Known) and isinstance(two.kind, Known):
            try:
                return known(KNOWN[op](one.kind.value, two.kind.value))
            except (TypeError, ZeroDivisionError, ValueError) as error:
                raise NotNative(str(error)) from error
        (a, left), (b, right) = self.plain(one), self.plain(two)
        if one.kind == Known(0) and (op in ("&", "*") or (op in ("<<", ">>") and b.low >= 0)):
            return known(0)
        if op in ("//", "%"):
            return self._divided(op, a, left, b, right)
        if op in ("<<", ">>"):
            return self._shifted(op, a, left, b, right)
        if op in ("&", "|", "^"):
            return self._bits(op, a, left, b, right)
        ends = [KNOWN[op](x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        found = Number(min(ends), max(ends))
        if not (a.wide or b.wide) and found.wide:
            return self._checked(op, left, right, found)
        return self._plainly(op, a, left, b, right, found)

    def _checked(self, op: str, left: str, right: str, found: Number) -> Value:
        """A sum, difference or product that may be too large."""
        name = f"{'s' + _PLAIN[op]}"
        pair = self.name_of(f"call {{i64, i1}} @llvm.{name}.with.overflow.i64(i64 {left}, i64 {right})")
        over = self.name_of(f"extractvalue {{i64, i1}} {pair}, 1")
        self.demand(self.name_of(f"xor i1 {over}, true"))
        at = self.name_of(f"extractvalue {{i64, i1}} {pair}, 0")
        to = Number(max(found.low, -MOST), min(found.high, MOST))
        for test in (f"icmp sge i64 {at}, {-MOST}", f"icmp sle i64 {at}, {MOST}"):
            self.demand(self.name_of(test))
        return Value(to, (at,))

    def _plainly(self, op: str, a: Number, left: str, b: Number, right: str, found: Number) -> Value:
        if max(found.high, -found.low).bit_length() + 1 > self.layout.bits:
            raise NotNative("a number of more bits than there are cards")
        both = Number(min(a.low, b.low, found.low), max(a.high, b.high, found.high))
        left, right = self.resized(left, a, both), self.resized(right, b, both)
        at = self.name_of(f"{_PLAIN[op]} {self.word(both)} {left}, {right}")
        return Value(found, (self.resized(at, both, found),))

    def _bits(self, op: str, a: Number, left: str, b: Number, right: str) -> Value:
        if op == "&" and b == Number(1, 1) and left in self.shifted:
            return self._last_bit(left)
        size = max(x.bit_length() for x in (a.low, a.high, b.low, b.high))
        low, high = (0 if min(a.low, b.low) >= 0 else -(1 << size)), (1 << size) - 1
        if op == "&":
            tops = [kind.high for kind in (a, b) if kind.low >= 0]
            low, high = (0, min(tops)) if tops else (low, high)
        return self._plainly(op, a, left, b, right, Number(low, high))

    def _divided(self, op: str, a: Number, left: str, b: Number, right: str) -> Value:
        if a.wide or b.wide:
            raise NotNative("a division of bits")
        if b.low <= 0 <= b.high:
            self.demand(self.name_of(f"icmp ne i64 {right}, 0"))
        rest = self.name_of(f"srem i64 {left}, {right}")
        quotient = self.name_of(f"sdiv i64 {left}, {right}")
        if a.low < 0 or b.low < 0:  # both round down, as in Python
            signs = self.name_of(f"icmp slt i64 {self.name_of(f'xor i64 {rest}, {right}')}, 0")
            uneven = self.name_of(f"icmp ne i64 {rest}, 0")
            down = self.name_of(f"and i1 {signs}, {uneven}")
            quotient = self.name_of(f"sub i64 {quotient}, {self.name_of(f'zext i1 {down} to i64')}")
            more = self.name_of(f"select i1 {down}, i64 {right}, i64 0")
            rest = self.name_of(f"add i64 {rest}, {more}")
        size = max(abs(b.low), abs(b.high))
        if op == "%":
            return Value(Number(0 if b.low >= 0 else -size, size - 1 if b.low > 0 else size), (rest,))
        size = max(abs(a.low), abs(a.high))
        return Value(Number(0 if a.low >= 0 and b.low >= 0 else -size, size), (quotient,))

    def _shifted(self, op: str, a: Number, left: str, b: Number, right: str) -> Value:
        most = self.layout.bits - 2
        if b.wide:
            raise NotNative("a shift by bits")
        if op == ">>":
            if b.low < 0 or b.high > most:
                self.demand(self.name_of(f"icmp ule i64 {right}, {most}"))
            ends = [end >> max(0, min(most, by)) for end in (a.low, a.high) for by in (b.low, b.high)]
            found = Number(min(ends), max(ends))
            if not a.wide and b.high > LAST_BIT:  # of a machine word nothing is left by then but its sign
                right = self.name_of(f"call i64 @llvm.umin.i64(i64 {right}, i64 {LAST_BIT})")
            at = self.name_of(f"ashr {self.word(a)} {left}, {self.resized(right, b, a)}")
            at = self.resized(at, a, found)
            if a.wide and a.low >= 0:
                self.shifted[at] = a, left, right, max(0, min(most, b.high))
            return Value(found, (at,))
        room = most - max(a.high.bit_length(), a.low.bit_length())
        if room < 0:
            raise NotNative("a shift of too many bits")
        if b.low < 0 or b.high > room:
            self.demand(self.name_of(f"icmp ule i64 {right}, {room}"))
        by = max(0, min(b.high, room))
        found = Number(min(a.low << by, a.low), max(a.high << by, a.high))
        if by > LAST_BIT and not found.wide:  # it is 0
            return Value(found, (left,))
        if found.wide and a == Number(1, 1):
            return Value(found, (self.bit_at(self.word(found), right, by),))
        left, right = self.resized(left, a, found), self.resized(right, b, found)
        return Value(found, (self.name_of(f"shl {self.word(found)} {left}, {right}"),))

    def bit_at(self, word: str, at: str, most: int) -> str:
        """The number with the bit of a number alone, from a table: to shift so many bits takes longer.

        word: of more than a machine word. at: an i64 from 0 to most.
        """
        table = self.module.words(word, [str(1 << by) for by in range(most + 1)])
        where = self.name_of(f"getelementptr [{most + 1} x {word}], ptr {table}, i64 0, i64 {at}")
        return self.name_of(f"load {word}, ptr {where}")

    def _last_bit(self, at: str) -> Value:
        """Whether bits have the one that they were shifted by to the last place."""
        kind, bits, by, most = self.shifted[at]
        word = self.word(kind)
        found = self.name_of(f"and {word} {bits}, {self.bit_at(word, by, most)}")
        return self.flag(self.name_of(f"icmp ne {word} {found}, 0"))

    def negative(self, of: Value) -> Value:
        return self.operate("-", known(0), of)

    def inverted(self, of: Value) -> Value:
        kind, at = self.plain(of)
        if isinstance(of.kind, Known):
            return known(~of.kind.value)
        to = Number(-1 - kind.high, -1 - kind.low)
        return Value(to, (self.resized(self.name_of(f"xor {self.word(kind)} {at}, -1"), kind, to),))

    def absolute(self, of: Value) -> Value:
        """A number without its sign."""
        kind, at = self.plain(of)
        if isinstance(of.kind, Known):
            return known(abs(of.kind.value))
        if kind.wide:
            raise NotNative("bits without a sign")
        low, high = sorted((abs(kind.low), abs(kind.high)))
        found = self.name_of(f"call i64 @llvm.abs.i64(i64 {at}, i1 false)")
        return Value(Number(0 if kind.low <= 0 <= kind.high else low, high), (found,))

    # ---- bits -------------------------------------------------------------------------------------

    def counted_bits(self, of: Value) -> Value:
        """How many bits a number has."""
        kind, at = self.plain(of)
        if isinstance(of.kind, Known):
            return known(of.kind.value.bit_count())
        if kind.low < 0:
            raise NotNative("bits of a negative number")
        word = self.word(kind)
        found = self.name_of(f"call {word} @llvm.ctpop.{word}({word} {at})")
        to = Number(0, kind.high.bit_length())
        return Value(to, (self.resized(found, kind, to),))

    def bit_length(self, of: Value) -> Value:
        kind, at = self.plain(of)
        if isinstance(of.kind, Known):
            return known(of.kind.value.bit_length())
        if kind.low < 0:
            raise NotNative("bits of a negative number")
        word = self.word(kind)
        size = self.layout.bits if kind.wide else 64
        zeros = self.name_of(f"call {word} @llvm.ctlz.{word}({word} {at}, i1 false)")
        to = Number(0, kind.high.bit_length())
        return Value(to, (self.resized(self.name_of(f"sub {word} {size}, {zeros}"), kind, to),))

    def low_bit_number(self, kind: Number, at: str) -> Value:
        """The number of the lowest bit, of those that there are."""
        word = self.word(kind)
        found = self.name_of(f"call {word} @llvm.cttz.{word}({word} {at}, i1 true)")
        to = Number(0, max(0, kind.high.bit_length() - 1))
        return Value(to, (self.resized(found, kind, to),))

    # ---- conditions -------------------------------------------------------------------------------

    def flag(self, test: str) -> Value:
        """An i1 as a number."""
        if test in ("true", "false"):
            return known(test == "true")
        made = self.name_of(f"zext i1 {test} to i64")
        self.tests[made] = test, len(self.lines)
        return Value(FLAG, (made,))

    def asked(self, value: Value) -> str:
        """Whether a value holds that nobody asks for otherwise: an i1. Raises NotNative."""
        if value.parts and value.parts[0] in self.tests and isinstance(value.kind, Number):
            test, lines = self.tests[value.parts[0]]
            if lines == len(self.lines) and not self.dead:
                self.lines.pop()  # the number that the flag was made into
            return test
        return self.truth(value)

    def opposite(self, test: str) -> str:
        """Whether something does not hold: an i1."""
        if test in ("true", "false"):
            return "true" if test == "false" else "false"
        return self.name_of(f"xor i1 {test}, true")

    def truth(self, value: Value) -> str:
        """Whether a value counts as true: an i1. Raises NotNative."""
        match value.kind:
            case Thing():
                return "true"  # there are always more draws
            case Known(value=of):
                return "true" if of else "false"
            case Number() as kind:
                if kind.low > kind.high and not kind.text:
                    return "false"
                if value.at in self.tests:
                    return self.tests[value.at][0]
                found = self.name_of(f"icmp ne {self.word(kind)} {value.at}, 0")
                unwanted = ([NONE] if kind.none else []) + ([self.module.text("")] if kind.text else [])
                for number in unwanted:
                    other = self.name_of(f"icmp ne {self.word(kind)} {value.at}, {number}")
                    found = self.name_of(f"and i1 {found}, {other}")
                return found
            case Bits(mask):
                return self.truth(Value(mask, value.parts))
            case Row(item=None):
                return "false"
            case Row():
                return self.name_of(f"icmp ne {LENGTH} {self.name_of(f'load {LENGTH}, ptr {value.at}')}, 0")
            case Span():
                low, high = self.ends(value)
                return self.asked(self.compared("<", low, high))
            case Maybe(of):
                there, inner = self.name_of(f"icmp ne i64 {value.parts[0]}, 0"), Value(of, value.parts[1:])
                if isinstance(of, Group) and of.items:
                    return there
                return self.truth(self.choose(there, lambda: self.flag(self.truth(inner)), lambda: known(False)))
            case OneOf(values):
                return self._any_of([int(bool(one.value)) for one in values], value)
            case FrameKind():
                return "true"
        group = as_group(value.kind)
        if group is not None:
            return "true" if group.items else "false"
        raise NotNative(f"whether {value.kind} holds")

    def _any_of(self, flags: list[int], value: Value) -> str:
        if len(set(flags)) == 1:
            return "true" if flags[0] else "false"
        table = self.module.table(flags)
        return self.name_of(f"icmp ne i64 {self.looked_up(table, len(flags), value.at)}, 0")

    def compared(self, op: str, one: Value, two: Value) -> Value:
        """What a comparison of two values says. Raises NotNative."""
        if isinstance(one.kind, Known) and isinstance(two.kind, Known) and op in KNOWN:
            return known(KNOWN[op](one.kind.value, two.kind.value))
        if op in ("is", "is not"):
            return self._same(op == "is", one, two)
        if op in ("==", "!="):
            return self._equal(op == "==", one, two)
        (a, left), (b, right) = self.plain(one), self.plain(two)
        ends = {KNOWN[op](x, y) for x in (a.low, a.high) for y in (b.low, b.high)}
        if len(ends) == 1:
            return known(ends.pop())
        both = Number(min(a.low, b.low), max(a.high, b.high))
        left, right = self.resized(left, a, both), self.resized(right, b, both)
        return self.flag(self.name_of(f"icmp {_TESTS[op]} {self.word(both)} {left}, {right}"))

    def _same(self, yes: bool, one: Value, two: Value) -> Value:
        if isinstance(one.kind, Known) and isinstance(two.kind, Known):
            return known((one.kind.value is two.kind.value) is yes)
        if two.kind == Known(None):
            return self._is_none(yes, one)
        if isinstance(one.kind, FrameKind) and isinstance(two.kind, FrameKind):
            return self.flag(self.name_of(f"icmp {'eq' if yes else 'ne'} i64 {one.at}, {two.at}"))
        return self._equal(yes, one, two)

    def _is_none(self, yes: bool, one: Value) -> Value:
        match one.kind:
            case Number(none=True) as kind:
                if kind.low > kind.high and not kind.text:
                    return known(yes)
                return self.flag(self.name_of(f"icmp {'eq' if yes else 'ne'} {self.word(kind)} {one.at}, {NONE}"))
            case Maybe():
                return self.flag(self.name_of(f"icmp {'eq' if yes else 'ne'} i64 {one.parts[0]}, 0"))
            case OneOf(values):
                return self.flag(self._any_of([int((v.value is None) is yes) for v in values], one))
        return known(not yes)

    def _equal(self, yes: bool, one: Value, two: Value) -> Value:
        a, b = as_number(one.kind), as_number(two.kind)
        if a is not None and b is not None:
            (_, left), (_, right) = self.number(one), self.number(two)
            apart = a.low > b.high or b.low > a.high or a.low > a.high or b.low > b.high
            if apart and not (a.none and b.none) and not (a.text and b.text):
                return known(not yes)
            both = Number(min(a.low, b.low), max(a.high, b.high))
            left, right = self.resized(left, a, both), self.resized(right, b, both)
            return self.flag(self.name_of(f"icmp {'eq' if yes else 'ne'} {self.word(both)} {left}, {right}"))
        groups = as_group(one.kind), as_group(two.kind)
        if groups[0] is not None and groups[1] is not None:
            return self._equal_groups(yes, one, two)
        if isinstance(one.kind, OneOf) and isinstance(two.kind, Known):
            return self.flag(self._any_of([int((v.value == two.kind.value) is yes) for v in one.kind.values], one))
        if isinstance(two.kind, OneOf) and isinstance(one.kind, Known):
            return self._equal(yes, two, one)
        for first, second in ((one, two), (two, one)):
            if isinstance(first.kind, Maybe) and isinstance(second.kind, Known) and second.kind.value is None:
                return self._is_none(yes, first)
        if (a is None) is not (b is None):
            return known(not yes)
        if isinstance(one.kind, Row) and isinstance(two.kind, Row | Known):
            return self.equal_lists(yes, one, two)
        raise NotNative(f"{one.kind} compared with {two.kind}")

    def choose(self, test: str, yes: Callable[[], Value], no: Callable[[], Value]) -> Value:
        """One of two values; only what is wanted is worked out. test: an i1. Raises NotNative."""
        raise NotImplementedError

    def equal_lists(self, yes: bool, one: Value, two: Value) -> Value:
        """Whether two lists have equal members. Raises NotNative."""
        raise NotImplementedError

    def _equal_groups(self, yes: bool, one: Value, two: Value) -> Value:
        first, second = self.members(one), self.members(two)
        if len(first) != len(second):
            return known(not yes)
        found = "true"
        for a, b in zip(first, second, strict=True):
            found = self.name_of(f"and i1 {found}, {self.asked(self.compared('==', a, b))}")
        return self.flag(found if yes else self.name_of(f"xor i1 {found}, true"))
