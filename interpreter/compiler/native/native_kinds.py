"""What a value can be in native code, as far as that is known when it is made.

A kind says how many words of the machine a value takes (`parts`): none where the value is known, one for a number or a
list (by its place in memory), several for a group. Numbers have bounds, which decide how many bits they take and which
checks can be left out. None and texts are numbers of their own, far below all others.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from interpreter.compiler.native.not_native import NotNative

SHORT = 6
"""Members that a known tuple has at most to be taken apart where it may be another one."""
MOST = (1 << 62) - 1
"""Numbers of one machine word go from -MOST to MOST; what lies below stands for none and for texts.

In more than a word these are the same numbers. Where they can be, no number lies below -MOST.
"""
NONE = -(1 << 63)
FIRST_TEXT = NONE + 1


class Kind(Struct, frozen=True):
    """What a value can be."""


class Number(Kind, frozen=True):
    """A whole number, a flag (0 or 1), bits; or none, or a text, where that can be. low > high: no number at all."""

    low: int
    high: int
    none: bool = False
    text: bool = False

    @property
    def wide(self) -> bool:
        """Whether it takes more than one machine word."""
        return self.low < -MOST or self.high > MOST

    @property
    def kept(self) -> str:
        """What it takes in memory: as few bits as it can be; texts take a machine word."""
        if self.text or self.wide or self.low > self.high:
            return "wide" if self.wide else "i64"
        if self.none:
            size = max(-self.low, self.high).bit_length() + 1  # the least number of so many bits stands for none
            return "i8" if size <= 8 else "i16" if size <= 16 else "i32" if size <= 32 else "i64"
        size = self.high.bit_length() if self.low >= 0 else max(-1 - self.low, self.high).bit_length() + 1
        return "i8" if size <= 8 else "i16" if size <= 16 else "i32" if size <= 32 else "i64"

    @property
    def plain(self) -> bool:
        """Whether it is a number in any case."""
        return not (self.none or self.text)


class Known(Kind, frozen=True, eq=False):
    """One value that is known beforehand, of any type of Python."""

    value: Any

    def _is_said(self) -> bool:
        """Whether it is known by what it says, and not by where it is."""
        return self.value is None or isinstance(self.value, (int, str))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Known):
            return False
        if self.value is other.value:
            return True
        return type(self.value) is type(other.value) and self._is_said() and bool(self.value == other.value)

    def __ne__(self, other: object) -> bool:  # else they differ wherever they are two
        return not self == other

    def __hash__(self) -> int:
        return hash(self.value) if self._is_said() else id(self.value)

    def __repr__(self) -> str:
        return f"Known({str(self.value)[:60]})"


class OneOf(Kind, frozen=True):
    """One of several known values, by its number."""

    values: tuple[Known, ...]


class Group(Kind, frozen=True):
    """A fixed number of values."""

    items: tuple[Kind, ...]


class Row(Kind, frozen=True):
    """A list in memory. item: what its members are; None: nobody has laid anything into it yet."""

    item: Kind | None


class Maybe(Kind, frozen=True):
    """A group, or none."""

    of: Kind


class Bits(Kind, frozen=True):
    """The numbers of the bits of a number, ascending, as `bits` gives them; not written down as a list."""

    mask: Number


class Span(Kind, frozen=True):
    """The numbers from one to before another, ascending."""

    low: Number
    high: Number


class Subsets(Kind, frozen=True):
    """The ways to take so many of the members of a list, from a least to a most number; they are not written down."""

    members: Row


class Thing(Kind, frozen=True):
    """The match, its zones, its variables, its pieces, the dice: there is one of each."""

    name: str


class FrameKind(Kind, frozen=True):
    """A running stage, by its place among all that there can be."""


STATE, ZONES, SLOTS, PIECES = Thing("state"), Thing("zones"), Thing("slots"), Thing("pieces")
ANSWERS = Thing("answers")
"""Where the Python lane keeps answers that it has found: here nothing is kept."""
DICE, HALVES = Thing("dice"), Thing("halves")
FRAME = FrameKind()
FLAG = Number(0, 1)
ANY_NUMBER = Number(-MOST, MOST)
WORD = Number(-MOST, MOST, none=True, text=True)
LENGTH = "i16"
"""How a list writes down how many members it has, and how many it has room for, before these."""
MOST_ROOM = 1 << 15
ONE_WORD = ("i64",)


class Value(Struct, frozen=True):
    """A kind, and what holds it: names or literals of LLVM, as many as the kind has parts."""

    kind: Kind
    parts: tuple[str, ...] = ()

    @property
    def at(self) -> str:
        """The only part."""
        (part,) = self.parts
        return part


def known(value: Any) -> Value:
    return Value(Known(value))


NOTHING = known(None)


def as_number(kind: Kind) -> Number | None:
    """A kind as a number, none or a text; None if it is something else."""
    match kind:
        case Number():
            return kind
        case Known(value=None):
            return Number(1, 0, none=True)
        case Known(value=str()):
            return Number(1, 0, text=True)
        case Known(value=int(value)):
            return Number(int(value), int(value))
    return None


def joined_numbers(one: Number, two: Number) -> Number:
    none, text = one.none or two.none, one.text or two.text
    some = [kind for kind in (one, two) if kind.low <= kind.high] or [one]
    low, high = min(kind.low for kind in some), max(kind.high for kind in some)
    if low < -MOST and (none or text):  # it could be the number that stands for one of those
        raise NotNative("bits below zero, or none")
    return Number(low, high, none, text)


def as_group(kind: Kind) -> Group | None:
    """A kind as a group: a known tuple is one."""
    if isinstance(kind, Group):
        return kind
    if isinstance(kind, Known) and isinstance(kind.value, tuple):
        return Group(tuple(Known(item) for item in kind.value))
    return None


def item_of(kind: Kind) -> Kind | None:
    """What the members of a list are; raises NotNative for what is none."""
    match kind:
        case Row(item):
            return item
        case Subsets(members):
            return members
        case Bits(mask):
            return Number(0, max(0, mask.high.bit_length() - 1))
        case Span(low, high):
            return Number(low.low, max(low.low, high.high - 1))
        case Known(value=tuple() | list() | range() as values):
            return joined_all([Known(value) for value in values])
        case Group(items):
            return joined_all(items)
    raise NotNative(f"a list is wanted, not {kind}")


def joined_all(kinds: Any) -> Kind | None:
    found: Kind | None = None
    for kind in kinds:
        found = kind if found is None else joined(found, kind)
    return found


def joined(one: Kind, two: Kind) -> Kind:
    """What can be either. Raises NotNative if nothing can."""
    if one == two:
        return one
    first, second = as_number(one), as_number(two)
    if first is not None and second is not None:
        return joined_numbers(first, second)
    tables = [*_tables(one), *_tables(two)]
    if len(tables) > 1 and all(len(table.value) > SHORT for table in tables):
        return OneOf(tuple(dict.fromkeys(tables)))
    groups = as_group(one), as_group(two)
    if groups[0] is not None and groups[1] is not None and len(groups[0].items) == len(groups[1].items):
        pairs = zip(groups[0].items, groups[1].items, strict=True)
        return Group(tuple(joined(a, b) for a, b in pairs))
    if isinstance(one, Row | Bits | Span) or isinstance(two, Row | Bits | Span):
        if first is None and second is None and not isinstance(one, Maybe) and not isinstance(two, Maybe):
            a, b = item_of(one), item_of(two)
            return Row(a if b is None else b if a is None else joined(a, b))
    return _perhaps(one, two)


def _tables(kind: Kind) -> tuple[Known, ...]:
    """The known tuples that something can be; none if it can be anything else."""
    found = kind.values if isinstance(kind, OneOf) else (kind,)
    return tuple(k for k in found if isinstance(k, Known) and isinstance(k.value, tuple)) or (Known(()),)


def _perhaps(one: Kind, two: Kind) -> Kind:
    """Two kinds of which one may be none; or two known things."""
    for first, second in ((one, two), (two, one)):
        group = as_group(second)
        if first == Known(None) and group is not None and len(group.items) <= SHORT:
            return Maybe(group)
        if first == Known(None) and not isinstance(second, Known | OneOf | Number):
            return second if isinstance(second, Maybe) else Maybe(second)
        if isinstance(first, Maybe) and second == Known(None):
            return first
    for first, second in ((one, two), (two, one)):
        if isinstance(first, Maybe):
            return Maybe(joined(first.of, second.of if isinstance(second, Maybe) else second))
    groups = as_group(one), as_group(two)
    if groups[0] is not None and groups[1] is not None:
        a, b = item_of(one), item_of(two)
        return Row(a if b is None else b if a is None else joined(a, b))
    things = [kind.values if isinstance(kind, OneOf) else (kind,) for kind in (one, two)]
    if all(isinstance(kind, Known) for kind in (*things[0], *things[1])):
        return OneOf(tuple(dict.fromkeys((*things[0], *things[1]))))
    raise NotNative(f"either {one} or {two}")


def parts_of(kind: Kind) -> tuple[str, ...]:
    """The LLVM types of the parts of a value; wide numbers stand as "wide"."""
    match kind:
        case Number(low, high):
            return ONE_WORD if low >= -MOST and high <= MOST else ("wide",)
        case Bits(mask):
            return parts_of(mask)
        case OneOf() | FrameKind():
            return ("i64",)
        case Row():
            return ("ptr",)
        case Span(low, high):
            return (*parts_of(low), *parts_of(high))
        case Subsets():
            return ("ptr", "i64", "i64")
        case Group(items):
            return tuple(part for item in items for part in parts_of(item))
        case Maybe(of):
            return ("i64", *parts_of(of))
    return ()


def kept_in(kind: Kind) -> tuple[str, ...]:
    """The LLVM types of the parts of a value in memory, but for those of lists."""
    match kind:
        case Number():
            return (kind.kept,)
        case FrameKind():
            return ("i8",)
        case Group(items):
            return tuple(part for item in items for part in kept_in(item))
        case Maybe(of):
            return ("i8", *kept_in(of))
        case Row():
            return ()
    return parts_of(kind)


def widened(kind: Kind, bits: int) -> Kind:
    """What may hold any number in place of one within bounds, so that growing comes to an end. bits: of the widest."""
    if not isinstance(kind, Number):
        return kind
    if kind.wide:
        return Number(min(kind.low, 0), (1 << (bits - 2)) - 1, kind.none, kind.text)
    return Number(-MOST if kind.low < 0 else 0, MOST, kind.none, kind.text)


def bits_of(word: str) -> int:
    return int(word[1:])


def short_none(word: str) -> int:
    """How none is written in so many bits."""
    return -(1 << (bits_of(word) - 1))


def is_short(kind: Kind, word: str) -> bool:
    """Whether a number that may be none lies in fewer bits than none has otherwise."""
    return isinstance(kind, Number) and kind.none and not kind.wide and bits_of(word) < 64
