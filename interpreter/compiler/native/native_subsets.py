"""The ways to take some members of a list, in native code: gone through one after the other, and never written down."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler.native import twins
from interpreter.compiler.native.methods import Methods
from interpreter.compiler.native.native_kinds import MOST, Number, Row, Subsets, Value, known
from interpreter.compiler.native.not_native import NotNative

SIZE = Number(0, MOST)
PLACE = Number(0, 4096)


class Choices(Methods):
    """Sets of members."""

    def subsets(self, members: Value, sizes: list[Value]) -> Value:
        """The ways to take so many: from the first size on, or to the second. Raises NotNative."""
        row = self.listed(members)
        if row.kind == Row(None):
            row = self.new_row(Number(0, 0), 1)
        assert isinstance(row.kind, Row)
        if not 1 <= len(sizes) <= 2:
            raise NotNative("sets of more than two sizes")
        many = self.length(row)
        ends = [self.plain(size)[1] for size in sizes]
        low = self.name_of(f"call i64 @llvm.smax.i64(i64 {ends[0]}, i64 0)")
        high = many.at
        if len(ends) > 1:
            high = self.name_of(f"call i64 @llvm.smin.i64(i64 {ends[1]}, i64 {many.at})")
        return Value(Subsets(row.kind), (row.at, low, high))

    def number_of_subsets(self, value: Value) -> Value:
        row, low, high = self._parts(value)
        made = self.call(known(twins.choices_of), [self.length(row), low, high], {})
        return self.members(made)[1]

    def each_subset(self, value: Value, body: Callable[[Value], None]) -> None:
        self.turned(lambda: self._each_subset_once(value, body))

    def _each_subset_once(self, value: Value, body: Callable[[Value], None]) -> None:
        row, low, high = self._parts(value)
        assert isinstance(row.kind, Row) and row.kind.item is not None
        places, more = self.new_row(PLACE), self.space("i64")
        self._note_more(more, self.call(known(twins.first_subset), [places, low, high], {}))
        head, inside = self.label(), self.label()
        with self._loop() as (again, after):
            self.open(head)
            flag = self.name_of(f"load i64, ptr {more}")
            self.branch(self.name_of(f"icmp ne i64 {flag}, 0"), inside, after)
            self.open_only(inside)
            chosen = self.new_row(row.kind.item)
            self.each(places, lambda place: self.append(chosen, self.item(row, place)))
            before = dict(self.versions)
            body(chosen)
            self._note_versions(before)
            self.open(again)
            many = self.length(row)
            self._note_more(more, self.call(known(twins.next_subset), [places, many, high], {}))
            self.go(head)
            self.open_only(after)

    def _note_more(self, where: str, found: Value) -> None:
        _, at = self.number(self.flag(self.truth(found)))
        self.line(f"store i64 {at}, ptr {where}")

    def _parts(self, value: Value) -> tuple[Value, Value, Value]:
        assert isinstance(value.kind, Subsets)
        row, low, high = value.parts
        return Value(value.kind.members, (row,)), Value(SIZE, (low,)), Value(SIZE, (high,))
