"""What a value of a program can be: the closed set of types.

A type is data, and says no more than is known. A number has bounds, and may tell what it numbers: a card and a player
are both numbers, but no card is a player. A number of which that is not known may number anything.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

MANY = 1 << 2048
"""More than a number, or the bits of the largest pack, can be: bounds that are not known."""


class Type(Struct, frozen=True, gc=False):
    """What a value can be."""


class Number(Type, frozen=True):
    """A whole number from `low` to `high`. of: what it numbers (a card, a player, a place), "" if that is not known."""

    low: int = -MANY
    high: int = MANY
    of: str = ""


class Bits(Type, frozen=True):
    """A set of cards or players as bits of a number. of: what the numbers of its bits number."""

    of: str


class Many(Type, frozen=True):
    """A list, a tuple or a range of values that are alike. size: how many there are, -1 if that is not known."""

    item: Type
    size: int = -1


class Group(Type, frozen=True):
    """A fixed number of values, each with its own type. rest: of further ones that may follow; None for no such."""

    items: tuple[Type, ...]
    rest: Type | None = None


class Keyed(Type, frozen=True):
    """A table by keys."""

    key: Type
    value: Type


class Function(Type, frozen=True):
    """What is called; nothing is said of what it is given."""

    result: Type


class Maybe(Type, frozen=True):
    """A value of some type, or none."""

    of: Type


class Thing(Type, frozen=True):
    """Of that there is one kind, and nothing is reckoned with it: the state, a frame, a meld, a text, none."""

    name: str


NEVER = Thing("never")
"""No value at all: of what an empty list consists."""
NOTHING, WORD, FLAG = Thing("none"), Thing("text"), Number(0, 1, "flag")
CONDITION = Thing("condition")
"""Whatever only counts as yes or no."""
ANYTHING = Thing("anything")
"""What a move gives, or what is kept of it: its form tells what it is."""
ANY_NUMBER, COUNT = Number(), Number(0, MANY)
MELD, EVENT, FRAME, DICE, STATE, LOG, FAULT, STAGE, SPAN = map(
    Thing, ("meld", "event", "frame", "dice", "state", "log", "fault", "stage", "place in the ruleset")
)
CARD, PLAYER, TEAM, PLACE, SUIT, RANK, PIECE = (
    Number(of=of) for of in ("card", "player", "team", "place", "suit", "rank", "piece")
)
CARDS, PLAYERS = Bits("card"), Bits("player")


class Contradiction(Exception):
    """Something can't be what it would have to be."""


def without_none(of: Type) -> Type:
    return of.of if isinstance(of, Maybe) else NEVER if of == NOTHING else of


def maybe(of: Type) -> Type:
    """A type, or none."""
    return (
        NOTHING if of == NEVER else of if of in (NOTHING, ANYTHING, CONDITION) or isinstance(of, Maybe) else Maybe(of)
    )


def joined(one: Type, two: Type) -> Type:
    """What can be either. Raises Contradiction if nothing can."""
    if one == two or two == NEVER:
        return one
    if one == NEVER:
        return two
    if ANYTHING in (one, two):
        return ANYTHING
    if NOTHING in (one, two) or isinstance(one, Maybe) or isinstance(two, Maybe):
        return maybe(joined(without_none(one), without_none(two)))
    match one, two:
        case Number(), Number():
            return Number(min(one.low, two.low), max(one.high, two.high), _numbers(one, two))
        case (Bits() as bits, Number(low, of="")) | (Number(low, of=""), Bits() as bits) if low >= 0:
            return bits
        case Group(items, rest), Group(others, more) if len(items) == len(others):
            further = [of for of in (rest, more) if of is not None]
            both = (joined_or(ANYTHING, *pair) for pair in zip(items, others, strict=True))
            return Group(tuple(both), joined_or(ANYTHING, *further) if further else None)
        case Many() | Group(), Many() | Group():
            size = size_of(one) if size_of(one) == size_of(two) else -1
            return Many(joined(item_of(one), item_of(two)), size)
        case Keyed(), Keyed():
            return Keyed(joined(one.key, two.key), joined(one.value, two.value))
        case Function(), Function():
            return Function(joined(one.result, two.result))
    raise Contradiction(f"either {told(one)} or {told(two)}")


def _numbers(one: Number, two: Number) -> str:
    """What either of two numbers numbers. Raises Contradiction if one numbers something else than the other."""
    if one.of == two.of:
        return one.of
    if one.of and two.of and "flag" not in (one.of, two.of):  # a condition reckons as 0 or 1
        raise Contradiction(f"either {told(one)} or {told(two)}")
    return ""


def joined_all(types: Iterable[Type]) -> Type:
    found: Type = NEVER
    for one in types:
        found = joined(found, one)
    return found


def joined_or(otherwise: Type, *types: Type) -> Type:
    """What can be any of several, and something else if they have nothing in common."""
    try:
        return joined_all(types)
    except Contradiction:
        return otherwise


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value may be what is wanted, as far as the types say: what is perhaps none may be there."""
    if wanted in (ANYTHING, CONDITION) or given in (NEVER, ANYTHING, CONDITION):
        return True
    match given, wanted:
        case Maybe(of), _:
            return fits(of, wanted) or (isinstance(wanted, Maybe) or wanted == NOTHING)
        case _, Maybe(of):
            return given == NOTHING or fits(given, of)
        case Number(), Number():
            alike = given.of in ("", "flag") or wanted.of in ("", given.of)
            return alike and given.low <= wanted.high and given.high >= wanted.low
        case Number(of=""), Bits():
            return given.high >= 0
        case Bits(), Number(of=""):
            return True
        case Many() | Group(), Many() | Group():
            sizes = {size_of(given), size_of(wanted)} - {-1}
            return len(sizes) < 2 and all(fits(a, b) for a, b in _side_by_side(given, wanted))
        case Keyed(), Keyed():
            return fits(given.key, wanted.key) and fits(given.value, wanted.value)
        case Function(), Function():
            return fits(given.result, wanted.result)
    return given == wanted


def _side_by_side(one: Type, two: Type) -> list[tuple[Type, Type]]:
    """The members of two lists or groups that stand in the same place."""
    match one, two:
        case Group(items), Group(others):
            return list(zip(items, others, strict=False))
        case Group(items), _:
            return [(item, item_of(two)) for item in items]
        case _, Group(items):
            return [(item_of(one), item) for item in items]
    return [(item_of(one), item_of(two))]


def item_of(of: Type) -> Type:
    """What the members are that one goes through. Raises Contradiction for what has none."""
    match of:
        case Many(item):
            return item
        case Group(items, rest):
            return joined_or(ANYTHING, *items, *(() if rest is None else (rest,)))  # as what is chosen for a move
        case Maybe(inner):
            return item_of(inner)
        case Keyed(key):
            return key
    if of in (ANYTHING, NEVER, NOTHING):
        return of if of == ANYTHING else NEVER
    raise Contradiction(f"{told(of)} has no members")


def size_of(of: Type) -> int:
    """How many members there are, -1 if that is not known."""
    return of.size if isinstance(of, Many) else len(of.items) if isinstance(of, Group) and of.rest is None else -1


def told(of: Type) -> str:
    """A type in words."""
    match of:
        case Number(low, high, name):
            low_high = "" if of == FLAG or (low == -MANY and high == MANY) else f" from {_bound(low)} to {_bound(high)}"
            return f"a {name or 'number'}{low_high}"
        case Bits(name):
            return f"{name}s as bits"
        case Many(item, size):
            return f"a list of {'' if size < 0 else f'{size} of '}{told(item)}"
        case Group(items):
            return f"a group of ({', '.join(map(told, items))})"
        case Keyed(key, value):
            return f"a table of {told(value)} by {told(key)}"
        case Function(result):
            return f"a function that gives {told(result)}"
        case Maybe(inner):
            return f"{told(inner)} or none"
        case Thing(name):
            return name
    raise TypeError(of)


def _bound(number: int) -> str:
    return "any" if abs(number) >= MANY else str(number)
