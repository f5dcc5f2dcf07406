"""A native function while it is written: its lines, its locals, and how values come to and from memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.compiler.native.flat_state import ALIGNED, Family, Place
from interpreter.compiler.native.native_context import Callee, Context
from interpreter.compiler.native.native_kinds import (
    FLAG,
    LENGTH,
    MOST,
    NONE,
    Bits,
    FrameKind,
    Group,
    Kind,
    Known,
    Maybe,
    Number,
    OneOf,
    Row,
    Span,
    Thing,
    Value,
    as_number,
    bits_of,
    is_short,
    known,
    parts_of,
    short_none,
)
from interpreter.compiler.native.not_native import NotNative
from interpreter.compiler.native.runtime import frame_in
from interpreter.compiler.native.set_room import OF_SET


class Blocks(Callee):
    """Lines of LLVM, and the memory that they use."""

    def __init__(self, module: Context, name: str) -> None:
        self.module, self.layout, self.name = module, module.layout, name
        self.kinds: dict[str, Kind] = {}
        """Of each local, what it can be in the whole function."""
        self.result: Kind | None = None
        """What the function gives back; None if it does not come back."""
        self.given: frozenset[str] = frozenset()
        """The parts of its arguments."""
        self.at_line = 0
        self.times = 0
        """How often the function has been written."""
        self.begin()

    def begin(self) -> None:
        """Begin the text afresh."""
        self.lines: list[str] = []
        self.versions: dict[str, str | None] = {}
        """Which of several locals is meant by a name just now; None: that is not known."""
        self.spaces: dict[str, tuple[str, int]] = {}
        """What lies in the frame of the function, by name: of which type, and how many bytes that takes."""
        self.room = 0
        """Bytes of the frame of the function."""
        self.firsts: dict[str, str] = {}
        """What instructions at the beginning of the function make, by these: they ask for nothing but its arguments."""
        self.rows: set[str] = set()
        """The lists that lie in the frame of the function."""
        self.whole: set[str] = set()
        """Those of which the members follow upon what stands before them, as far as that is known."""
        self.count = 0
        self.dead = False
        self.may_fault = False
        self.unsettled = False
        """Whether what was written is not true of what is known by now: it is to be written again."""
        self.doubtful: tuple[dict[str, Kind], Kind | None] | None = None
        """What was known when something was given up for the first time."""
        self.stops: set[int] = set()
        """Why the match may be stopped here."""
        self.block = "entry"
        self.tests: dict[str, tuple[str, int]] = {}
        """Flags that were made of an i1: that, and how many lines there were then."""
        self.shifted: dict[str, tuple[Number, str, str, int]] = {}
        """Wide bits that were shifted to the right: their kind, they, by how many (an i64), and by how many at most."""

    # ---- lines ------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        if not self.dead:
            self.lines.append("  " + text)

    def name_of(self, text: str) -> str:
        """Give what an instruction makes a name."""
        self.module.gives()
        self.count = number = self.count + 1
        if not self.dead:
            self.lines.append(f"  %t{number} = {text}")
        return f"%t{number}"

    def once(self, text: str) -> str:
        """Give what an instruction makes a name; it stands at the beginning of the function, once for all who ask."""
        if text not in self.firsts:
            self.count += 1
            self.firsts[text] = f"%e{self.count}"
        return self.firsts[text]

    def label(self) -> str:
        self.count += 1
        return f"L{self.count}"

    def open(self, label: str) -> None:
        """Begin a block; what went before goes on in it."""
        if not self.dead:
            self.line(f"br label %{label}")
        self.dead = False
        self.lines.append(f"{label}:")
        self.block = label

    def go(self, label: str) -> None:
        self.line(f"br label %{label}")
        self.dead = True

    def branch(self, test: str, yes: str, no: str) -> None:
        """Go one way or the other. test: an i1."""
        self.line(f"br i1 {test}, label %{yes}, label %{no}")
        self.dead = True

    def fault(self, code: int = 1) -> None:
        """Stop this match: the Python lane plays it."""
        if self.dead:
            return
        self.may_fault = True
        self.go(self._stop(code))

    def _stop(self, code: int) -> str:
        """Where a match is stopped: one block for each function and reason."""
        self.may_fault = True
        self.stops.add(code)
        return f"stop{code}"

    def demand(self, test: str) -> None:
        """Go on only where something holds. test: an i1."""
        if test == "true" or self.dead:
            return
        fine = self.label()
        self.line(f"br i1 {test}, label %{fine}, label %{self._stop(1)}, !prof !0")
        self.open_only(fine)

    def open_only(self, label: str) -> None:
        """Begin a block to which nothing falls through."""
        self.dead = True
        self.open(label)

    def space(self, kind: str, room: int = 0) -> str:
        """Room in the frame of the function. room: in bytes, of what is no single word."""
        self.count += 1
        room = ALIGNED + (room or (0 if kind == "ptr" else bits_of(kind) // 8))
        self.room += room
        self.spaces[f"%m{self.count}"] = kind, room
        return f"%m{self.count}"

    # ---- words ------------------------------------------------------------------------------------

    def word(self, kind: Kind) -> str:
        """The LLVM type of a kind of one part."""
        if isinstance(kind, Number) and not kind.wide:
            return "i64"
        (part,) = parts_of(kind)
        return self.layout.word(part)

    def literal(self, value: Any) -> str:
        """A known number, none or text as a word."""
        if value is None:
            return str(NONE)
        if isinstance(value, str):
            return str(self.module.text(value))
        return str(int(value))

    def number(self, value: Value) -> tuple[Number, str]:
        """A value as a number, none or text. Raises NotNative."""
        kind = as_number(value.kind)
        if kind is None:
            raise NotNative(f"a number is wanted, not {value.kind}")
        if isinstance(value.kind, Known):
            return kind, self.literal(value.kind.value)
        return kind, value.at

    def plain(self, value: Value) -> tuple[Number, str]:
        """A value as a number that is there; stops where it is none. Raises NotNative."""
        kind, at = self.number(value)
        if not kind.plain:
            if kind.low > kind.high:
                self.fault()
                raise NotNative("a number is wanted where there is none")
            self.demand(self.name_of(f"icmp sge {self.word(kind)} {at}, {-MOST}"))
            kind = Number(kind.low, kind.high)
        return kind, at

    def resized(self, at: str, kind: Number, to: Number) -> str:
        """A number in the bits of another kind, which it fits."""
        if self.word(kind) == self.word(to):
            return at
        if kind.plain and kind.low == kind.high:
            return str(kind.low)
        wide = self.layout.word("wide")
        return self.name_of(f"sext i64 {at} to {wide}" if to.wide else f"trunc {wide} {at} to i64")

    def coerced(self, value: Value, kind: Kind) -> Value:
        """A value as another kind that has room for it; stops where it does not fit. Raises NotNative."""
        if value.kind == kind:
            return value
        match kind:
            case Number():
                return self._as_number(value, kind)
            case Known():
                raise NotNative(f"{value.kind} is not {kind}")
            case OneOf(values):
                if isinstance(value.kind, Known) and value.kind in values:
                    return Value(kind, (str(values.index(value.kind)),))
                if isinstance(value.kind, OneOf) and all(one in values for one in value.kind.values):
                    table = self.module.table([values.index(one) for one in value.kind.values])
                    return Value(kind, (self.looked_up(table, len(value.kind.values), value.at),))
            case Group(items):
                parts = [self.coerced(v, k) for v, k in zip(self.members(value), items, strict=True)]
                return Value(kind, tuple(p for part in parts for p in part.parts))
            case Maybe(of):
                return self._as_maybe(value, kind, of)
            case Row(item):
                return self._as_row(value, item)
            case FrameKind() | Thing():
                raise NotNative(f"{value.kind} is no frame")
            case Bits(mask):
                if isinstance(value.kind, Bits):
                    return Value(kind, (self.resized(value.at, value.kind.mask, mask),))
                if isinstance(value.kind, Known) and value.kind.value == ():
                    return Value(kind, ("0",))
            case Span(low, high):
                if isinstance(value.kind, Span):
                    ends = self.ends(value)
                    return Value(kind, (self._as_number(ends[0], low).at, self._as_number(ends[1], high).at))
        raise NotNative(f"{value.kind} is not {kind}")

    def _as_number(self, value: Value, to: Number) -> Value:
        kind, at = self.number(value)
        if kind.low <= kind.high and to.low > to.high:
            raise NotNative("a number where there can be none")
        if kind.low <= kind.high and (kind.low < to.low or kind.high > to.high):
            at = self._fitted(kind, at, to)
        else:
            at = self.resized(at, kind, to)
        if (kind.none and not to.none) or (kind.text and not to.text):
            word = self.word(to)
            allowed = [f"icmp sge {word} {at}, {-MOST}"]
            allowed += [f"icmp eq {word} {at}, {NONE}"] if to.none else []
            allowed += [f"icmp slt {word} {at}, {-MOST}"] if to.text else []
            if kind.low > kind.high:
                allowed = allowed[1:]
            found = "false"
            for test in allowed:
                found = self.name_of(f"or i1 {found}, {self.name_of(test)}")
            self.demand(found)
        return Value(to, (at,))

    def _fitted(self, kind: Number, at: str, to: Number) -> str:
        """A number that may be outside the bounds of where it goes."""
        word = self.word(kind)
        tests = []
        if kind.low < to.low:
            tests.append(f"icmp sge {word} {at}, {to.low}")
        if kind.high > to.high:
            tests.append(f"icmp sle {word} {at}, {to.high}")
        fine = "true"
        for test in tests:
            fine = self.name_of(f"and i1 {fine}, {self.name_of(test)}")
        if not kind.plain:  # none and texts are judged afterwards
            beyond = self.name_of(f"icmp slt {word} {at}, {-MOST}")
            fine = self.name_of(f"or i1 {fine}, {beyond}")
        self.demand(fine)
        return self.resized(at, kind, to)

    def _as_maybe(self, value: Value, kind: Kind, of: Kind) -> Value:
        if value.kind == Known(None):
            return Value(kind, ("0", *self.nothing(of)))
        if isinstance(value.kind, Maybe):
            inner = self.coerced(Value(value.kind.of, value.parts[1:]), of)
            return Value(kind, (value.parts[0], *inner.parts))
        return Value(kind, ("1", *self.coerced(value, of).parts))

    def nothing(self, kind: Kind) -> tuple[str, ...]:
        """Parts of which nobody asks what they are."""
        return tuple("null" if part == "ptr" else "0" for part in parts_of(kind))

    def _as_row(self, value: Value, item: Kind | None) -> Value:
        if isinstance(value.kind, Row):
            if value.kind.item is None:
                return self.new_row(item)
            if item is not None and self._lie_alike(value.kind.item, item):
                return Value(Row(item), value.parts)
            own = self.new_row(item)
            self.copy_items(value, own)
            return own
        own = self.new_row(item)
        self.fill(own, value)
        return own

    def _lie_alike(self, one: Kind, two: Kind) -> bool:
        """Whether members of one kind can be read as those of another."""
        if isinstance(one, Number) and isinstance(two, Number):
            fits = two.low <= one.low and one.high <= two.high
            return fits and one.kept == two.kept and one.none <= two.none and one.text <= two.text
        if isinstance(one, Group) and isinstance(two, Group) and len(one.items) == len(two.items):
            return all(self._lie_alike(a, b) for a, b in zip(one.items, two.items, strict=True))
        return one == two

    def fill(self, own: Value, value: Value) -> None:
        """Lay the members of any list into one in memory. Raises NotNative."""
        raise NotImplementedError

    def copy_items(self, value: Value, own: Value) -> None:
        """Copy a list in memory, member by member. Raises NotNative."""
        raise NotImplementedError

    # ---- groups -----------------------------------------------------------------------------------

    def members(self, value: Value) -> list[Value]:
        """The members of a group. Raises NotNative."""
        if isinstance(value.kind, Known) and isinstance(value.kind.value, tuple | list):
            return [known(item) for item in value.kind.value]
        if isinstance(value.kind, Bits):
            raise NotNative("bits as a group")
        if isinstance(value.kind, Maybe):
            self.demand(self.name_of(f"icmp ne i64 {value.parts[0]}, 0"))
            return self.members(Value(value.kind.of, value.parts[1:]))
        if not isinstance(value.kind, Group):
            raise NotNative(f"a group is wanted, not {value.kind}")
        found, at = [], 0
        for kind in value.kind.items:
            size = len(parts_of(kind))
            found.append(Value(kind, value.parts[at : at + size]))
            at += size
        return found

    def grouped(self, values: Sequence[Value]) -> Value:
        """Values as a group; known ones make a known tuple."""
        if all(isinstance(value.kind, Known) for value in values):
            return known(tuple(value.kind.value for value in values if isinstance(value.kind, Known)))
        kinds = tuple(value.kind for value in values)
        return Value(Group(kinds), tuple(part for value in values for part in value.parts))

    def ends(self, value: Value) -> tuple[Value, Value]:
        """The ends of a span of numbers."""
        assert isinstance(value.kind, Span)
        return Value(value.kind.low, value.parts[:1]), Value(value.kind.high, value.parts[1:])

    # ---- memory -----------------------------------------------------------------------------------

    function: Any
    """The function of Python that is being written."""

    def own(self, name: str) -> str:
        """Where a word of our own lies."""
        return self.once(f"getelementptr %State, ptr %s, i32 0, i32 {self.layout.own[name]}")

    def field(self, place: Place) -> str:
        found = self.name_of(f"getelementptr %State, ptr %s, i32 0, i32 {place.index}")
        self.whole.add(found)
        return found

    def frame_field(self, frame: str, place: Place) -> str:
        made = self.once if frame in self.given else self.name_of
        safe = made(frame_in(self.layout.room_for_frames, frame))
        where = f"i32 0, i32 {self.layout.frames}, i64 {safe}, i32 {place.index}"
        return self.name_of(f"getelementptr %State, ptr %s, {where}")

    def member_of(self, family: Family, at: str, low: int) -> str:
        """Where a place or variable lies. at: its number, which is in bounds; low: the least one."""
        array, number = family.places[low]
        if number != low:
            at = self.name_of(f"sub i64 {at}, {low - number}")
        return self.name_of(f"getelementptr %State, ptr %s, i32 0, i32 {array}, i64 {at}")

    def load(self, pointer: str, kind: Kind, word: str = "") -> Value:
        """What lies in memory; a list stays there."""
        match kind:
            case Row():
                return Value(kind, (pointer,))
            case Group(items):
                return self._loaded(pointer, kind, items, 0)
            case Maybe(of):
                inner = self.load(self._inside(pointer, kind, 1), of)
                return Value(kind, (self.load(pointer, FLAG).at, *inner.parts))
            case Number() | FrameKind() | OneOf() | Bits():
                if word == OF_SET and self.layout.sets is not None:
                    pointer = self.name_of(f"call ptr @set_of(ptr %s, ptr {pointer})")
                    word = self.layout.sets.word
                own, word = self.word(kind), word or self.layout.memory(kind)
                found = self.name_of(f"load {word}, ptr {pointer}")
                if word != own:
                    signed = isinstance(kind, Number) and (kind.low < 0 or kind.none)
                    change = "trunc" if bits_of(word) > bits_of(own) else "sext" if signed else "zext"
                    found = self.name_of(f"{change} {word} {found} to {own}")
                    if is_short(kind, word):
                        none = self.name_of(f"icmp eq i64 {found}, {short_none(word)}")
                        found = self.name_of(f"select i1 {none}, i64 {NONE}, i64 {found}")
                return Value(kind, (found,))
        return Value(kind)

    def _loaded(self, pointer: str, kind: Kind, items: tuple[Kind, ...], first: int) -> Value:
        parts: list[str] = []
        for at, item in enumerate(items):
            if parts_of(item):
                parts += self.load(self._inside(pointer, kind, at + first), item).parts
        return Value(kind, tuple(parts))

    def _inside(self, pointer: str, kind: Kind, at: int) -> str:
        memory = self.layout.memory(kind)
        return self.name_of(f"getelementptr {memory}, ptr {pointer}, i32 0, i32 {at}")

    def store(self, value: Value, pointer: str, kind: Kind, word: str = "", inner: bool = False) -> None:
        """Lay a value into memory. inner: a list in something else, whose room is not written down yet.

        Raises NotNative.
        """
        if inner and isinstance(kind, Row):
            self.begin_row(pointer, kind, self.layout.short(kind))
        if isinstance(kind, Row) and not isinstance(value.kind, Row):
            self.fill(Value(kind, (pointer,)), value)
            return
        before, value = value.kind, self.coerced(value, kind)
        if word == OF_SET:
            cards = f"{self.word(kind)} {value.at}"
            self.demand(self.name_of(f"call i1 @lay_set(ptr %s, ptr {pointer}, {cards})"))
            return
        match kind:
            case Row():
                self.copy_items(value, Value(kind, (pointer,)))
            case Group(items):
                for number, (part, item) in enumerate(zip(self.members(value), items, strict=True)):
                    if parts_of(item):
                        self.store(part, self._inside(pointer, kind, number), item, inner=True)
            case Maybe(of):
                self.store(Value(FLAG, value.parts[:1]), pointer, FLAG)
                if before != Known(None):
                    self._store_inner(value, pointer, kind, of)
            case Number() | FrameKind() | OneOf() | Bits():
                own, word, at = self.word(kind), word or self.layout.memory(kind), value.at
                settled = isinstance(before, Known) and as_number(before) is not None
                if is_short(kind, word):
                    if before == Known(None):
                        at = str(short_none(word))
                    elif not settled:
                        none = self.name_of(f"icmp eq i64 {at}, {NONE}")
                        at = self.name_of(f"select i1 {none}, i64 {short_none(word)}, i64 {at}")
                if word != own and not settled:
                    change = "trunc" if bits_of(word) < bits_of(own) else "sext"
                    at = self.name_of(f"{change} {own} {at} to {word}")
                self.line(f"store {word} {at}, ptr {pointer}")

    def _store_inner(self, value: Value, pointer: str, kind: Kind, of: Kind) -> None:
        """What a Maybe holds, if it holds anything."""
        there, after = self.label(), self.label()
        self.branch(self.name_of(f"icmp ne i64 {value.parts[0]}, 0"), there, after)
        self.open_only(there)
        self.store(Value(of, value.parts[1:]), self._inside(pointer, kind, 1), of, inner=True)
        self.open(after)

    def new_row(self, item: Kind | None, capacity: int = 0) -> Value:
        """An empty list of our own."""
        capacity = capacity or self.layout.room(item)
        own = Row(item)
        pointer = self.space(self.layout.memory(own, capacity), self.layout.bytes_of(own, capacity))
        self.rows.add(pointer)
        self.whole.add(pointer)
        self.line(f"store {LENGTH} 0, ptr {pointer}")
        self.begin_row(pointer, own, capacity)
        return Value(own, (pointer,))

    def begin_row(self, pointer: str, kind: Row, capacity: int) -> None:
        """Write down before the members of a list for how many there is room, and that they follow."""
        self.line(f"store {LENGTH} {capacity}, ptr {self.name_of(f'getelementptr {LENGTH}, ptr {pointer}, i32 1')}")
        if self.layout.shared is not None:
            inner = self.word_in(kind)
            end = f"getelementptr ({{{self.layout.head}, [0 x {inner}]}}, ptr null, i64 0, i32 3)"
            far = f"ptrtoint (ptr {end} to {LENGTH})"
            self.line(f"store {LENGTH} {far}, ptr {self.name_of(f'getelementptr {LENGTH}, ptr {pointer}, i32 2')}")

    def word_in(self, row: Row) -> str:
        """The LLVM type of a member of a list."""
        return "i64" if row.item is None else self.layout.memory(row.item)

    def looked_up(self, table: str, size: int, at: str) -> str:
        """A row of a table of words, whose number is in bounds."""
        where = self.name_of(f"getelementptr [{size} x i64], ptr {table}, i64 0, i64 {at}")
        return self.name_of(f"load i64, ptr {where}")
