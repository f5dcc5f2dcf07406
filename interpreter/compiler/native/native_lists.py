"""Lists in native code: gone through, indexed, copied, put in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from interpreter.compiler.native.flat_state import Family
from interpreter.compiler.native.native_kinds import (
    LENGTH,
    Bits,
    Group,
    Kind,
    Known,
    Maybe,
    Number,
    OneOf,
    Row,
    Span,
    Subsets,
    Thing,
    Value,
    as_number,
    item_of,
    joined_all,
    known,
)
from interpreter.compiler.native.not_native import NotNative
from interpreter.compiler.native.reckoning import Reckoning

Body = Callable[[Value], None]
FEW = 4
"""Known members that are gone through one by one, without a loop."""
MOST_GAPS = 3
"""How many times as long a table by its numbers may be as it has members."""


class Rows(Reckoning):
    """Lists, groups, bits and ranges."""

    def begin(self) -> None:
        super().begin()
        self.loops: list[tuple[str, str]] = []
        """Of each loop around: where its next turn begins, where it ends."""

    # ---- going through ----------------------------------------------------------------------------

    def each(self, value: Value, body: Body, asked: Sequence[Family] = ()) -> None:
        """Do something with each member of a list. asked: what is asked of by these as numbers. Raises NotNative."""
        match value.kind:
            case Known(value=dict() as rows):
                self.each(known(tuple(rows)), body, asked)
            case Maybe(of):
                self.each(self._there(value, of)[0], body, asked)
            case Known(value=tuple() | list() | range() as items):
                if all(as_number(Known(item)) is not None for item in items):
                    self._in_runs(items, body, asked)
                else:
                    self._unrolled([known(item) for item in items], body)
            case Group():
                self._unrolled(self.members(value), body)
            case Bits(mask):
                self._each_bit(Value(mask, value.parts), body)
            case Span():
                low, high = self.ends(value)
                self._counted(high, body, low)
            case Subsets():
                self.each_subset(value, body)
            case Row(item):
                if item is not None:
                    self._counted(lambda: self.length(value), lambda at: body(self.item_at(value, at.at)))
            case _:
                raise NotNative(f"{value.kind} is gone through")

    def _note_versions(self, before: dict[str, str | None]) -> None:
        """After what may be done again, or not at all: a name that means another local by then means none."""
        for name in {*before, *self.versions}:
            if name in before and before[name] != self.versions.get(name):
                self.versions[name] = None

    @contextmanager
    def _loop(self, end: str = "") -> Iterator[tuple[str, str]]:
        again, after = self.label(), self.label()
        self.loops.append((again, end or after))
        yield again, after
        self.loops.pop()

    def _in_runs(self, items: Sequence[Any], body: Body, asked: Sequence[Family]) -> None:
        """Go through known numbers: many in a row that mean places or variables of one kind are a loop of their own."""
        runs: list[list[Any]] = []
        for item in items:
            if runs and all(family.are_alike(runs[-1][-1], item) for family in asked):
                runs[-1].append(item)
            else:
                runs.append([item])
        end = self.label()
        for run in runs:
            if len(run) <= FEW:
                self._unrolled([known(item) for item in run], body, end)
            elif isinstance(run[0], int) and run == list(range(run[0], run[0] + len(run))):
                self._counted(known(run[-1] + 1), body, known(run[0]), end)
            else:
                of = known(tuple(run))
                self._counted(known(len(run)), lambda at, of=of: body(self.item(of, at)), end=end)  # type: ignore[misc]
        self.open(end)

    def _unrolled(self, values: Sequence[Value], body: Body, end: str = "") -> None:
        """Once for each value. end: where it goes on if it is left early, other than right after it."""
        after = self.label()
        for value in values:
            self.module.gives()  # each turn is walked, whatever is left of it
            again = self.label()
            self.loops.append((again, end or after))
            body(value)
            self.loops.pop()
            self.open(again)
        self.open(after)

    def _counted(self, to: Value | Callable[[], Value], body: Body, begin: Value | None = None, end: str = "") -> None:
        """For each number from one to before another. end: where it goes on if it is left early, as in `_unrolled`."""
        self.turned(lambda: self._counted_once(to, body, known(0) if begin is None else begin, end))

    def _counted_once(self, to: Value | Callable[[], Value], body: Body, begin: Value, end: str) -> None:
        first, start = self.plain(begin)
        at, head, inside = self.space("i64"), self.label(), self.label()
        if first.wide:
            raise NotNative("numbers that are too large are gone through")
        self.line(f"store i64 {start}, ptr {at}")
        with self._loop(end) as (again, after):
            self.open(head)
            now = self.name_of(f"load i64, ptr {at}")
            kind, limit = self.plain(to() if callable(to) else to)
            self.branch(self.name_of(f"icmp slt i64 {now}, {limit}"), inside, after)
            self.open_only(inside)
            before = dict(self.versions)
            body(Value(Number(first.low, max(first.low, kind.high - 1)), (now,)))
            self._note_versions(before)
            self.open(again)
            following = self.name_of(f"add i64 {now}, 1")
            self.line(f"store i64 {following}, ptr {at}")
            self.go(head)
            self.open_only(after)

    def repeated(self, ask: Callable[[], Value], body: Callable[[], None]) -> None:
        """Do something again and again, as long as something holds before each time."""
        self.turned(lambda: self._repeated_once(ask, body))

    def _repeated_once(self, ask: Callable[[], Value], body: Callable[[], None]) -> None:
        inside = self.label()
        with self._loop() as (again, after):
            self.open(again)
            self.branch(self.asked(ask()), inside, after)
            self.open_only(inside)
            before = dict(self.versions)
            body()
            self._note_versions(before)
            self.go(again)
            self.open_only(after)

    def _each_bit(self, mask: Value, body: Body) -> None:
        self.turned(lambda: self._each_bit_once(mask, body))

    def _each_bit_once(self, mask: Value, body: Body) -> None:
        kind, at = self.plain(mask)
        word, left = self.word(kind), self.space(self.word(kind))
        self.line(f"store {word} {at}, ptr {left}")
        head, inside = self.label(), self.label()
        with self._loop() as (again, after):
            self.open(head)
            now = self.name_of(f"load {word}, ptr {left}")
            self.branch(self.name_of(f"icmp ne {word} {now}, 0"), inside, after)
            self.open_only(inside)
            less = self.name_of(f"sub {word} {now}, 1")
            self.line(f"store {word} {self.name_of(f'and {word} {now}, {less}')}, ptr {left}")
            before = dict(self.versions)
            body(self.low_bit_number(kind, now))
            self._note_versions(before)
            self.open(again)
            self.go(head)
            self.open_only(after)

    # ---- members ----------------------------------------------------------------------------------

    def length(self, value: Value) -> Value:
        """How many members a list has. Raises NotNative."""
        match value.kind:
            case Known(value=tuple() | list() | range() | dict() | str() as items):
                return known(len(items))
            case Group(items=kinds):
                return known(len(kinds))
            case Bits(mask):
                return self.counted_bits(Value(mask, value.parts))
            case Span():
                low, high = self.ends(value)
                many = self.operate("-", high, low)
                kind, at = self.plain(many)
                at = self.name_of(f"call i64 @llvm.smax.i64(i64 {at}, i64 0)")
                return Value(Number(0, max(0, kind.high)), (at,))
            case Row(item=None):
                return known(0)
            case Subsets():
                return self.number_of_subsets(value)
            case Thing(name="answers"):
                return known(0)
            case Thing(name="zones" | "slots" as name):
                return known(len(self.layout.families[name].kinds))
            case Row():
                size = self.name_of(f"load {LENGTH}, ptr {value.at}")
                return Value(Number(0, 4096), (self.name_of(f"zext {LENGTH} {size} to i64"),))
            case Maybe(of):
                (inner,) = self._there(value, of)
                return self.length(inner)
            case OneOf(values):
                sizes = [len(one.value) for one in values]
                size = self.looked_up(self.module.table(sizes), len(sizes), value.at)
                return Value(Number(min(sizes), max(sizes)), (size,))
        raise NotNative(f"how long {value.kind} is")

    def _there(self, value: Value, of: Kind) -> tuple[Value]:
        self.demand(self.name_of(f"icmp ne i64 {value.parts[0]}, 0"))
        return (Value(of, value.parts[1:]),)

    def each_subset(self, value: Value, body: Body) -> None:
        """Do something with each way to take so many of a list. Raises NotNative."""
        raise NotImplementedError

    def number_of_subsets(self, value: Value) -> Value:
        """In how many ways so many can be taken."""
        raise NotImplementedError

    def equal_lists(self, yes: bool, one: Value, two: Value) -> Value:
        same, differ, after = self.space("i64"), self.label(), self.label()
        self.line(f"store i64 0, ptr {same}")
        alike = self.asked(self.compared("==", self.length(one), self.length(two)))
        look = self.label()
        self.branch(alike, look, after)
        self.open_only(look)
        if one.kind != Row(None) and two.kind != Row(None):

            def judge(at: Value) -> None:
                pair = self.item_at(one, at.at), self.item(two, at)
                on = self.label()
                self.branch(self.asked(self.compared("==", *pair)), on, differ)
                self.open_only(on)

            self._counted(self.length(one), judge)
        self.line(f"store i64 1, ptr {same}")
        self.go(after)
        self.open_only(differ)
        self.open(after)
        test = self.name_of(f"icmp eq i64 {self.name_of(f'load i64, ptr {same}')}, {int(yes)}")
        return self.flag(test)

    def place_of(self, row: Value, at: str) -> str:
        """Where a member lies. at: its number, an i64 that is in bounds."""
        assert isinstance(row.kind, Row)
        inner, head = self.word_in(row.kind), self.layout.head
        if self.layout.shared is None or row.at in self.whole:
            first = head.count(LENGTH)
            return self.name_of(f"getelementptr {{{head}, [0 x {inner}]}}, ptr {row.at}, i64 0, i32 {first}, i64 {at}")
        far = self.name_of(f"load {LENGTH}, ptr {self.name_of(f'getelementptr {LENGTH}, ptr {row.at}, i32 2')}")
        return self.name_of(
            f"getelementptr {inner}, ptr {self.name_of(f'getelementptr i8, ptr {row.at}, {LENGTH} {far}')}, i64 {at}"
        )

    def item_at(self, row: Value, at: str) -> Value:
        """A member by its number, an i64 that is in bounds."""
        assert isinstance(row.kind, Row) and row.kind.item is not None
        return self.load(self.place_of(row, at), row.kind.item)

    def item(self, of: Value, at: Value) -> Value:
        """A member by its number, which may count from the end; stops where there is none. Raises NotNative."""
        match of.kind:
            case Known(value=dict() as rows):
                return self._row_of(rows, at)
            case Known(value=tuple() | list() | range() as items):
                return self._from_known(tuple(items), at)
            case Group(items=kinds):
                if isinstance(at.kind, Known) and isinstance(at.kind.value, int):
                    return self.members(of)[at.kind.value]
                own = self.new_row(joined_all(kinds), len(kinds))
                self.fill(own, of)
                return self.item(own, at)
            case Span(low, high):
                index = self.index_in(self.length(of), at)
                place = Value(Number(0, max(0, high.high - low.low)), (index,))
                return self.operate("+", self.ends(of)[0], place)
            case Row(item=None):
                self.fault()
                raise NotNative("an item of nothing")
            case Row():
                return self.item_at(of, self.index_in(self.length(of), at))
            case Bits(mask):
                own = self.new_row(item_of(of.kind), mask.high.bit_length() or 1)
                self.fill(own, of)
                return self.item(own, at)
            case Maybe(of=inner):
                return self.item(self._there(of, inner)[0], at)
            case OneOf(values) if any(isinstance(one.value, dict) for one in values):
                return self.of_each_table(of, lambda table: self.item(table, at))
            case OneOf(values):
                return self._item_of_one(of, values, at)
        raise NotNative(f"an item of {of.kind}")

    def of_each_table(self, of: Value, ask: Callable[[Value], Value]) -> Value:
        """What is asked of one of several known things."""
        raise NotImplementedError

    def _item_of_one(self, of: Value, values: tuple[Known, ...], at: Value) -> Value:
        """A member of one of several known lists: they stand in one table, one after the other."""
        items = [() if one.value is None else tuple(one.value) for one in values]  # of none there is no item
        size = max(len(one) for one in items)
        rows = [item for one in items for item in (*one, *[one[0] if one else None] * (size - len(one)))]
        lengths = [len(one) for one in items]
        long = self.looked_up(self.module.table(lengths), len(items), of.at)
        own = self.index_in(Value(Number(min(lengths), max(lengths)), (long,)), at)
        place = self.name_of(f"add i64 {self.name_of(f'mul i64 {of.at}, {size}')}, {own}")
        return self._from_known(tuple(rows), Value(Number(0, len(rows) - 1), (place,)))

    def index_in(self, length: Value, at: Value) -> str:
        """A number as one from 0 to less than the length; stops where it is none."""
        kind, number = self.plain(at)
        if kind.wide:
            raise NotNative("bits as a number of an item")
        long, many = self.plain(length)
        if kind.low < 0:
            back = self.name_of(f"add i64 {number}, {many}")
            if kind.high < 0:
                number = back
            else:
                under = self.name_of(f"icmp slt i64 {number}, 0")
                number = self.name_of(f"select i1 {under}, i64 {back}, i64 {number}")
        if kind.low < 0 or kind.high >= long.low:
            self.demand(self.name_of(f"icmp ult i64 {number}, {many}"))
        return number

    def _from_known(self, items: tuple[object, ...], at: Value) -> Value:
        """A member of known ones."""
        if not items:
            self.fault()
            raise NotNative("an item of nothing")
        if isinstance(at.kind, Known):
            if not isinstance(at.kind.value, int) or not -len(items) <= at.kind.value < len(items):
                raise NotNative("there is no such item")
            return known(items[at.kind.value])
        bounds, _ = self.number(at)
        own = self.index_in(known(len(items)), at)
        low, high = (max(0, bounds.low), min(len(items) - 1, bounds.high)) if bounds.low >= 0 else (0, len(items) - 1)
        found = self.module.member_kind(items, low, high)
        if isinstance(found, Known):
            return Value(found)
        if isinstance(found, Number):
            return self._word_from(items, found, own)
        if isinstance(found, Group):
            return self._group_from(items, found, own)
        kinds = tuple(Known(item) for item in items[low : high + 1])
        own = self.name_of(f"sub i64 {own}, {low}")
        distinct = tuple(dict.fromkeys(kinds))
        if len(distinct) < len(kinds):
            own = self.looked_up(self.module.table([distinct.index(kind) for kind in kinds]), len(kinds), own)
        return Value(OneOf(distinct), (own,))

    def _word_from(self, items: tuple[object, ...], found: Number, own: str) -> Value:
        """A number, none or text out of a table."""
        word = self.word(found)
        table = self.module.words_of(items, word, self.literal)
        where = self.name_of(f"getelementptr [{len(items)} x {word}], ptr {table}, i64 0, i64 {own}")
        return Value(found, (self.name_of(f"load {word}, ptr {where}"),))

    def _group_from(self, items: tuple[object, ...], found: Group, own: str) -> Value:
        """A group out of a table: each of its members out of one of its own."""
        columns = [self.module.column(items, number) for number in range(len(found.items))]
        return self.grouped([self._from_known(c, Value(Number(0, len(c) - 1), (own,))) for c in columns])

    def _row_of(self, rows: dict[object, object], at: Value) -> Value:
        """What a known table says of a number, text or none; stops where it says nothing."""
        if isinstance(at.kind, Known):
            if at.kind.value not in rows:
                raise NotNative("there is no such row")
            return known(rows[at.kind.value])
        kind, number = self.number(at)
        keys = [key for key in rows if key is None or isinstance(key, int | str)]
        if len(keys) < len(rows) or kind.wide:
            raise NotNative("a table of something else than numbers")
        numbers = sorted(key for key in keys if key is not None and not isinstance(key, str))
        if numbers and FEW < numbers[-1] - numbers[0] + 1 <= MOST_GAPS * len(numbers):
            others = [key for key in keys if key is None or isinstance(key, str)]
            return self._row_by_place(rows, range(numbers[0], numbers[-1] + 1), others, kind, number)
        order = self.name_of("add i64 0, 0")
        fine = "false"
        for place, key in enumerate(keys):
            own = as_number(Known(key))
            assert own is not None
            if own.low <= own.high and not kind.low <= own.low <= kind.high:
                continue
            if (own.none and not kind.none) or (own.text and not kind.text):
                continue
            same = self.name_of(f"icmp eq i64 {number}, {self.literal(key)}")
            order = self.name_of(f"select i1 {same}, i64 {place}, i64 {order}")
            fine = self.name_of(f"or i1 {fine}, {same}")
        self.demand(fine)
        return self._from_known(tuple(rows[key] for key in keys), Value(Number(0, len(keys) - 1), (order,)))

    def _row_by_place(
        self, rows: dict[object, object], numbers: range, others: list[str | None], kind: Number, number: str
    ) -> Value:
        """What a known table says whose numbers lie close together: it is looked up by them, and not sought.

        numbers: from the least to the most of the table, which has gaps. others: its keys that are no numbers.
        """
        own = self.name_of(f"sub i64 {number}, {numbers[0]}")
        fine = "true"
        if kind.low < numbers[0] or kind.high > numbers[-1] or not kind.plain:
            fine = self.name_of(f"icmp ult i64 {own}, {len(numbers)}")
            own = self.name_of(f"select i1 {fine}, i64 {own}, i64 0")
        there = [int(key in rows) for key in numbers]
        if not all(there):
            is_there = self.name_of(f"icmp ne i64 {self.looked_up(self.module.table(there), len(there), own)}, 0")
            fine = is_there if fine == "true" else self.name_of(f"and i1 {fine}, {is_there}")
        for place, key in enumerate(others, len(numbers)):
            if kind.none if key is None else kind.text:
                same = self.name_of(f"icmp eq i64 {number}, {self.literal(key)}")
                own = self.name_of(f"select i1 {same}, i64 {place}, i64 {own}")
                fine = self.name_of(f"or i1 {fine}, {same}")
        if fine != "true":
            self.demand(fine)
        found = (*(rows.get(key, rows[numbers[0]]) for key in numbers), *(rows[key] for key in others))
        return self._from_known(found, Value(Number(0, len(found) - 1), (own,)))
