"""Locals of a native function while it is written: where they lie, what they can be, and loops that settle it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from interpreter.compiler.native.blocks import Blocks
from interpreter.compiler.native.native_context import Context
from interpreter.compiler.native.native_kinds import (
    Bits,
    FrameKind,
    Group,
    Kind,
    Known,
    Maybe,
    OneOf,
    Row,
    Value,
    as_number,
    item_of,
    joined,
    kept_in,
    parts_of,
    widened,
)
from interpreter.compiler.native.not_native import NotNative

FEW_TIMES = 3
"""So often something is written before what grows is taken to grow without end."""
MOST_TIMES = 24
"""How often a function or a loop is written until its kinds are settled."""
Slots = tuple[Kind, tuple[str, ...], tuple[str, ...]]


@dataclass(slots=True)
class Turns:
    """A loop while it is written. times: how often it was. read: the locals that were asked for in it."""

    times: int
    read: set[str] = field(default_factory=set)
    stale: bool = False
    """Whether one of those can be more by now than when it was asked for: the next turn would find that."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a function to which what was written since can be taken back."""

    lines: int
    loops: int
    ends: tuple[int, int]
    names: tuple[dict[str, Any], ...]
    slots: frozenset[str]
    spaces: int
    rest: dict[str, Any]


class Locals(Blocks):
    """Locals by their names.

    What is known of a local grows while the function is written. What was laid into it before is right as long as it
    lies in memory as before, and what was asked of it before is, too, but in loops: these are written again.
    """

    loops: list[tuple[str, str]]

    def __init__(self, module: Context, name: str) -> None:
        self.turns: list[Turns] = []
        """The loops that are being written."""
        super().__init__(module, name)

    def begin(self) -> None:
        super().begin()
        self.turns.clear()
        self.renamed: dict[str, str] = {}
        """Variables of comprehensions that are gone through -> the locals that hold them."""
        self.narrowed: dict[str, Value] = {}
        """Locals of which it is known just now what they hold."""
        self.slots: dict[str, Slots] = {}
        """Of each local what it can be, and the types and places of its parts."""
        self.laid: dict[str, list[tuple[int, str, Kind]]] = {}
        """Where known values, or lists that hold nothing, were laid into locals that can be nothing else so far: where
        that stands, and what marks it."""
        self.lost: set[str] = set()
        """The locals that lie otherwise by now than when something was laid into them."""
        self.early: set[str] = set()
        """What lies in the frame and was laid late into earlier lines: it stays where what is later is taken back."""
        self.lent: set[str] = set()
        """The locals that can be lists which lie elsewhere, and so as these lie there."""
        self.returns: list[tuple[int, Value]] = []
        """Where something is given back, and what."""
        self.left: list[tuple[int, str]] = []
        """Where a loop is left from within, and where that goes on."""

    # ---- locals -----------------------------------------------------------------------------------

    def local(self, name: str) -> Value:
        """What a local holds. Raises NotNative where nothing was laid into it yet."""
        own = self.versions.get(name, name)
        kind = None if own is None else self.kinds.get(own)
        if own is not None and self.turns:
            self.turns[-1].read.add(own)
        if kind is None or own is None:
            self.unsettled = True
            raise NotNative(f"'{name}' is used before it is set")
        return self._from_slots(own, kind)

    def _from_slots(self, name: str, kind: Kind) -> Value:
        _, words, slots = self._slots_of(name, kind)
        return Value(kind, tuple(self.name_of(f"load {word}, ptr {at}") for word, at in zip(words, slots, strict=True)))

    def _slots_of(self, name: str, kind: Kind) -> Slots:
        found = self.slots.get(name)
        if found is None or (found[0] is not kind and found[0] != kind):
            if found is not None and _lie_alike(found[0], kind):
                made = kind, found[1], found[2]
            else:
                words = tuple(self.layout.word(part) for part in parts_of(kind))
                made = kind, words, tuple(self.space(word) for word in words)
                if found is not None and not self._laid_late(name, made):
                    self.lost.add(name)
            self.slots[name] = found = made
        return found

    def _laid_late(self, name: str, made: Slots) -> bool:
        """Write what was laid into a local while it could be nothing else; whether that can be said in its words."""
        kind, words, slots = made
        if name not in self.laid:
            return False
        for at, mark, before in self.laid.pop(name):
            if at >= len(self.lines) or self.lines[at] != mark:
                continue  # that was taken back
            written, dead, spaces = self.lines, self.dead, len(self.spaces)
            self.lines, self.dead = [], False
            parts = self.new_row(kind.item).parts if isinstance(kind, Row) else _said(before, kind, self.literal)
            for part, word, slot in zip(parts or (), words, slots, strict=parts is not None):
                self.line(f"store {word} {part}, ptr {slot}")
            written[at] = "\n".join(self.lines)
            self.lines, self.dead = written, dead
            self.early.update(slots, [*self.spaces][spaces:])
            if parts is None:
                return False
        return True

    def _lay_into(self, name: str, kind: Kind, value: Value) -> None:
        """Lay a value into a local of its kind."""
        _, words, slots = self._slots_of(name, kind)
        for part, word, at in zip(value.parts, words, slots, strict=True):
            self.line(f"store {word} {part}, ptr {at}")

    def set_local(self, name: str, value: Value, endless: bool = False) -> None:
        """Lay a value into a local, which from then on may be that, too.

        What cannot be the same (a list here, bits there) is kept in another local from here on. endless: where the
        local grows by this it would go on to do so.
        """
        own, is_lent = name, isinstance(value.kind, Row) and value.at not in self.rows
        for version in range(4):
            own = f"{name}~{version}" if version else name
            before = self.kinds.get(own)
            try:
                kind = value.kind if before is None else joined(before, value.kind)
            except NotNative:
                continue
            if before is None or not is_lent or _lies_as(value.kind, kind):
                break
        else:
            raise NotNative(f"'{name}' is too many different things")
        self.versions[name] = own
        if is_lent and value.kind != Row(None):
            self.lent.add(own)
        if kind != before:
            self.learn(own, kind if before is None else self.widened(kind, endless))
        kind = self.kinds[own]
        self._lay_into(own, kind, self.coerced(value, kind))
        if (isinstance(kind, Known) or kind == Row(None)) and not self.dead:
            self.count += 1
            self.laid.setdefault(own, []).append((len(self.lines), f"  ; {self.count}", kind))
            self.line(f"; {self.count}")

    def learn(self, own: str, kind: Kind) -> None:
        """A local can be more than was known."""
        self.kinds[own] = kind
        for turns in self.turns:
            turns.stale = turns.stale or own in turns.read

    def grown(self, name: str, item: Kind) -> Value:
        """A local list that can hold something else, too, as far as that lies alike where it lies. Raises NotNative."""
        own = self.versions.get(name, name)
        if own is not None and own in self.kinds:
            kind = joined(self.kinds[own], Row(item))
            if kind != self.kinds[own] and (own not in self.lent or _lies_as(self.kinds[own], kind)):
                self.learn(own, kind)
        return self.local(name)

    def widened(self, kind: Kind, endless: bool = False) -> Kind:
        """What something can be, if it has grown often: then it may be any number, so that this comes to an end."""
        often = max([self.times, *(turns.times for turns in self.turns)]) > FEW_TIMES
        return widened(kind, self.layout.bits) if endless or often else kind

    def item_kind(self, value: Value) -> Kind | None:
        return item_of(value.kind)

    # ---- what is written again ---------------------------------------------------------------------

    def turned(self, write: Callable[[], None]) -> None:
        """Write a loop, again and again until what its turns ask for is what they leave behind. Raises NotNative."""
        for times in range(MOST_TIMES):
            mark, turns = self.mark(), Turns(times)
            self.turns.append(turns)
            try:
                write()
            finally:
                self.turns.pop()
            if not turns.stale:
                if self.turns:
                    self.turns[-1].read |= turns.read
                return
            self.back_to(mark)
        raise NotNative("what a loop works with does not settle")

    def mark(self) -> Mark:
        names = dict(self.versions), dict(self.narrowed), dict(self.renamed)
        rest = {name: getattr(self, name) for name in KEPT}
        ends = len(self.returns), len(self.left)
        return Mark(len(self.lines), len(self.loops), ends, names, frozenset(self.slots), len(self.spaces), rest)

    def back_to(self, mark: Mark) -> None:
        """Take back what was written since. What locals can be, and what is given back, stays known."""
        del self.lines[mark.lines :]
        del self.loops[mark.loops :]
        del self.returns[mark.ends[0] :]
        del self.left[mark.ends[1] :]
        self.versions, self.narrowed, self.renamed = mark.names
        for name in self.slots.keys() - mark.slots:
            del self.slots[name]
            self.laid.pop(name, None)
            self.lost.discard(name)
        held = self.early.union(*(spaces for _, _, spaces in self.slots.values()))
        for name in [*self.spaces][mark.spaces :]:
            if name not in held:
                self.room -= self.spaces.pop(name)[1]
        for name, value in mark.rest.items():
            setattr(self, name, value)


KEPT = "dead", "block", "unsettled", "doubtful", "may_fault"
"""What is as it was where what was written is taken back."""


def _lie_alike(one: Kind, two: Kind) -> bool:
    """Whether what was laid into a local of one kind is right where it can be another, too."""
    if one == two:
        return True
    match one, two:
        case (Group(first), Group(second)):
            return len(first) == len(second) and all(map(_lie_alike, first, second))
        case (Maybe(of), Maybe(other)):
            return _lie_alike(of, other)
        case (Row(item), Row(other)):
            return item is not None and other is not None and _flat(item) and _lies_as(one, two)
        case (OneOf(few), OneOf(many)):
            return many[: len(few)] == few
        case (Known(), _) | (_, Known()) | (FrameKind(), _) | (Bits(), _):
            return False
    first_number, second_number = as_number(one), as_number(two)
    return first_number is not None and second_number is not None and first_number.wide == second_number.wide


def _lies_as(one: Kind, two: Kind) -> bool:
    """Whether the members of one list lie as those of another; one that holds nothing has none."""
    if not isinstance(one, Row) or not isinstance(two, Row) or one.item is None or two.item is None:
        return True
    return kept_in(one.item) == kept_in(two.item) and _lie_alike(one.item, two.item)


def _flat(kind: Kind) -> bool:
    """Whether a member of a list is numbers alone."""
    return all(map(_flat, kind.items)) if isinstance(kind, Group) else as_number(kind) is not None


def _said(kind: Kind, to: Kind, literal: Callable[[Any], str]) -> tuple[str, ...] | None:
    """A known value in the words of another kind, as far as these can be told without reckoning."""
    if not isinstance(kind, Known):
        return None
    if as_number(kind) is not None and as_number(to) is not None:
        return (literal(kind.value),)
    if isinstance(to, OneOf) and kind in to.values:
        return (str(to.values.index(kind)),)
    if isinstance(to, Maybe) and kind.value is None:
        return ("0", *("null" if part == "ptr" else "0" for part in parts_of(to.of)))
    return None
