"""Lists in native code: laid down, copied, changed, put in order."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler.native.native_kinds import (
    LENGTH,
    MOST,
    Bits,
    Group,
    Kind,
    Known,
    Maybe,
    Number,
    OneOf,
    Row,
    Span,
    Value,
    as_number,
    item_of,
    known,
)
from interpreter.compiler.native.native_lists import Rows
from interpreter.compiler.native.not_native import NotNative


class Changes(Rows):
    """What is done to lists."""

    def append(self, row: Value, value: Value) -> None:
        """Lay a member at the end of a list; stops where there is no room. Raises NotNative."""
        assert isinstance(row.kind, Row)
        if row.kind.item is None:
            raise NotNative("a list of which nobody knows what it holds")
        value = self.coerced(value, row.kind.item)
        size = self.name_of(f"load {LENGTH}, ptr {row.at}")
        self._have_room(row, "ult", size)
        at = self.name_of(f"zext {LENGTH} {size} to i64")
        self.store(value, self.place_of(row, at), row.kind.item, inner=True)
        self.line(f"store {LENGTH} {self.name_of(f'add {LENGTH} {size}, 1')}, ptr {row.at}")

    def _have_room(self, row: Value, test: str, size: str) -> None:
        """Stop where a list has no room, unless it shares its room with others, which leave some.

        test: how so many members are compared with the room, for there to be enough: "ult", "ule".
        """
        assert isinstance(row.kind, Row)
        room = self.name_of(f"load {LENGTH}, ptr {self.name_of(f'getelementptr {LENGTH}, ptr {row.at}, i32 1')}")
        fine, shared = self.name_of(f"icmp {test} {LENGTH} {size}, {room}"), self.layout.shared
        if shared is None or row.at in self.whole or self.word_in(row.kind) != shared.word:
            self.demand(fine)
            return
        short, on = self.label(), self.label()
        self.branch(fine, on, short)
        self.open_only(short)
        wanted = self.name_of(f"zext {LENGTH} {size} to i64")
        if test == "ult":
            wanted = self.name_of(f"add i64 {wanted}, 1")
        self.demand(self.name_of(f"call i1 @widen(ptr %s, ptr {row.at}, i64 {wanted})"))
        self.open(on)

    def fill(self, own: Value, value: Value) -> None:
        assert isinstance(own.kind, Row)
        self.line(f"store {LENGTH} 0, ptr {own.at}")
        if value.kind == Row(None) or (isinstance(value.kind, Known) and not value.kind.value):
            return
        self.each(value, lambda item: self.append(own, item))

    def copy_items(self, value: Value, own: Value) -> None:
        if value.parts == own.parts:
            return
        if value.kind == Row(None):
            self.line(f"store {LENGTH} 0, ptr {own.at}")
            return
        if value.kind != own.kind:
            assert isinstance(value.kind, Row) and isinstance(own.kind, Row)
            if value.kind.item is None or own.kind.item is None or not self._lie_alike(value.kind.item, own.kind.item):
                self.fill(own, value)
                return
        size = self.name_of(f"load {LENGTH}, ptr {value.at}")
        self._have_room(own, "ule", size)
        assert isinstance(own.kind, Row)
        inner = self.word_in(own.kind)
        end = self.name_of(f"getelementptr {inner}, ptr null, {LENGTH} {size}")
        length = self.name_of(f"ptrtoint ptr {end} to i64")
        start, source = self.place_of(own, "0"), self.place_of(value, "0")
        self.line(f"call void @llvm.memmove.p0.p0.i64(ptr {start}, ptr {source}, i64 {length}, i1 false)")
        self.line(f"store {LENGTH} {size}, ptr {own.at}")

    def listed(self, value: Value) -> Value:
        """A list of our own with the members of another. Raises NotNative."""
        if isinstance(value.kind, Maybe):
            (value,) = self._there(value, value.kind.of)
        item = item_of(value.kind)
        if item is None:
            return Value(Row(None), ("null",))
        item = self.loose(item)
        own = self.new_row(item)
        self.fill(own, value)
        return own

    def loose(self, item: Kind) -> Kind:
        """What members of a new list can be: a single known number is a number."""
        found = as_number(item)
        return item if found is None else found

    def pop(self, row: Value, at: Value | None) -> Value:
        """Take a member out of a list: the last, or the one of a number. Raises NotNative."""
        assert isinstance(row.kind, Row)
        if row.kind.item is None:
            raise NotNative("an item of nothing")
        size = self.length(row)
        own = self.index_in(size, known(-1) if at is None else at)
        found = self.item_at(row, own)
        if any(isinstance(kind, Row) for kind in [row.kind.item, *getattr(row.kind.item, "items", ())]):
            raise NotNative("a list is taken out of a list")
        if at is not None:
            self.close_up(row, own)
        else:
            self._resize(row, size, -1)
        return found

    def close_up(self, row: Value, at: str) -> None:
        """Take out the member of a number that is in bounds."""
        size = self.length(row)
        rest = self.name_of(f"sub i64 {size.at}, {at}")
        self._slide(row, self.name_of(f"add i64 {at}, 1"), at, self.name_of(f"sub i64 {rest}, 1"))
        self._resize(row, size, -1)

    def insert(self, row: Value, at: Value, value: Value) -> None:
        """Lay a member before that of a number, which is 0 to the length. Raises NotNative."""
        assert isinstance(row.kind, Row) and row.kind.item is not None
        kind, number = self.plain(at)
        if kind.low < 0:  # counted from the end
            self.demand(self.name_of(f"icmp sge i64 {number}, 0"))
        size = self.length(row)
        number = self.name_of(f"call i64 @llvm.smin.i64(i64 {number}, i64 {size.at})")
        value = self.coerced(value, row.kind.item)
        self._have_room(row, "ult", self.name_of(f"trunc i64 {size.at} to {LENGTH}"))
        self._slide(row, number, self.name_of(f"add i64 {number}, 1"), self.name_of(f"sub i64 {size.at}, {number}"))
        self.store(value, self.place_of(row, number), row.kind.item, inner=True)
        self._resize(row, size, 1)

    def _slide(self, row: Value, source: str, target: str, number: str) -> None:
        assert isinstance(row.kind, Row) and row.kind.item is not None
        inner = self.layout.memory(row.kind.item)
        end = self.name_of(f"getelementptr {inner}, ptr null, i64 {number}")
        length = self.name_of(f"ptrtoint ptr {end} to i64")
        one, two = self.place_of(row, target), self.place_of(row, source)
        self.line(f"call void @llvm.memmove.p0.p0.i64(ptr {one}, ptr {two}, i64 {length}, i1 false)")

    def _resize(self, row: Value, size: Value, by: int) -> None:
        now = self.name_of(f"add i64 {size.at}, {by}")
        self.line(f"store {LENGTH} {self.name_of(f'trunc i64 {now} to {LENGTH}')}, ptr {row.at}")

    def contains(self, of: Value, value: Value) -> Value:
        """Whether a list has a member. Raises NotNative."""
        if isinstance(of.kind, Known) and isinstance(value.kind, Known):
            return known(value.kind.value in of.kind.value)
        if isinstance(of.kind, Known) and isinstance(of.kind.value, frozenset | set):
            of = known(tuple(of.kind.value))
        if of.kind == Row(None):
            return known(False)
        if isinstance(of.kind, OneOf):
            raise NotNative("whether something is in one of several lists")
        if isinstance(of.kind, Bits):
            return self._has_bit(of, value)
        found = self.space("i64")
        self.line(f"store i64 0, ptr {found}")

        def look(item: Value) -> None:
            hit, on = self.label(), self.label()
            self.branch(self.asked(self.compared("==", item, value)), hit, on)
            self.open_only(hit)
            self.line(f"store i64 1, ptr {found}")
            self.go(self.loops[-1][1])
            self.open_only(on)

        self.each(of, look)
        return Value(Number(0, 1), (self.name_of(f"load i64, ptr {found}"),))

    def _has_bit(self, of: Value, value: Value) -> Value:
        assert isinstance(of.kind, Bits)
        mask, (_, at) = of.kind.mask, self.number(value)
        size = mask.high.bit_length()
        inside = self.name_of(f"icmp ult i64 {at}, {size}")
        safe = self.name_of(f"select i1 {inside}, i64 {at}, i64 0")
        shifted = self.operate(">>", Value(mask, of.parts), Value(Number(0, max(0, size - 1)), (safe,)))
        bit = self.truth(self.operate("&", shifted, known(1)))
        return self.flag(self.name_of(f"and i1 {inside}, {bit}"))

    def sort(self, row: Value, key: Callable[[Value], Value] | None = None) -> None:
        """Put a list in order, equal ones as they were: each goes below those that are more. Raises NotNative."""
        assert isinstance(row.kind, Row)
        if row.kind.item is None:
            return
        item = row.kind.item
        kept = self.space(self.layout.memory(item), self.layout.bytes_of(item))
        place = self.space("i64")

        def put_in(at: Value) -> None:
            self.store(self.item_at(row, at.at), kept, item, inner=True)
            self.line(f"store i64 {at.at}, ptr {place}")
            head, look, move, done = self.label(), self.label(), self.label(), self.label()
            self.open(head)
            now = self.name_of(f"load i64, ptr {place}")
            self.branch(self.name_of(f"icmp sgt i64 {now}, 0"), look, done)
            self.open_only(look)
            before = self.name_of(f"sub i64 {now}, 1")
            other, own = self.item_at(row, before), self.load(kept, item)
            pair = (own, other) if key is None else (key(own), key(other))
            self.branch(self.less(*pair), move, done)
            self.open_only(move)
            self.store(self.item_at(row, before), self.place_of(row, now), item, inner=True)
            self.line(f"store i64 {before}, ptr {place}")
            self.go(head)
            self.open_only(done)
            last = self.name_of(f"load i64, ptr {place}")
            self.store(self.load(kept, item), self.place_of(row, last), item, inner=True)

        self._counted(lambda: self.length(row), put_in, known(1))

    def less(self, one: Value, two: Value) -> str:
        """Whether one number or group comes before another: an i1. Raises NotNative."""
        if as_number(one.kind) is not None:
            return self.asked(self.compared("<", one, two))
        first, second = self.members(one), self.members(two)
        if len(first) != len(second):
            raise NotNative("groups of different sizes in order")
        found = "false"
        for a, b in reversed(list(zip(first, second, strict=True))):
            same = self.asked(self.compared("==", a, b))
            found = self.name_of(f"select i1 {same}, i1 {found}, i1 {self.less(a, b)}")
        return found

    def part(self, of: Value, low: Value | None, high: Value | None) -> Value:
        """Neighbouring members, as a list of our own. Raises NotNative."""
        if isinstance(of.kind, Maybe):
            (of,) = self._there(of, of.kind.of)
        ends = [None if end is None else end.kind for end in (low, high)]
        if all(end is None or isinstance(end, Known) for end in ends):
            whole = slice(*(None if end is None else end.value for end in ends))  # type: ignore[attr-defined]
            if isinstance(of.kind, Known) and isinstance(of.kind.value, tuple | str):
                return known(of.kind.value[whole])
            if isinstance(of.kind, Group):
                return self.grouped(self.members(of)[whole])
        if of.kind == Row(None):
            return of
        source = of if isinstance(of.kind, Row) else self.listed(of)
        assert isinstance(source.kind, Row)
        size = self.length(source)
        start, stop = self._bound(low, size, known(0)), self._bound(high, size, size)
        own = self.new_row(source.kind.item)
        span = Span(Number(0, MOST), Number(0, MOST))
        self.each(Value(span, (start, stop)), lambda at: self.append(own, self.item_at(source, at.at)))
        return own

    def _bound(self, end: Value | None, size: Value, otherwise: Value) -> str:
        """An end of a slice as a number from 0 to the length."""
        kind, at = self.plain(otherwise if end is None else end)
        if kind.low < 0:
            back = self.name_of(f"add i64 {at}, {size.at}")
            under = self.name_of(f"icmp slt i64 {at}, 0")
            at = self.name_of(f"select i1 {under}, i64 {back}, i64 {at}")
            at = self.name_of(f"call i64 @llvm.smax.i64(i64 {at}, i64 0)")
        return self.name_of(f"call i64 @llvm.smin.i64(i64 {at}, i64 {size.at})")
