"""Sets of cards, players and numbers, as generated text puts them together. Cards lie bottom first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, islice
from math import comb
from typing import Any

from interpreter.base.arithmetic import NoValue

MOST_ITEMS = 1_000
"""Items that a list has at most which a variable holds."""
MOST_NUMBERS = 10_000
"""Numbers that a range has at most which is gone through."""

MOST_TOGETHER = 100_000
"""Members that sets have at most which are put together."""


def numbers(low: int | None, high: int | None) -> range:
    """The numbers from one to another; none where an end is none or the first is more. Raises NoValue if too many."""
    if low is None or high is None:
        return range(0)
    if high - low >= MOST_NUMBERS:
        many = f"there are more than {MOST_NUMBERS:,} numbers to go through"
        raise NoValue(f"from {low} to {high} {many}", in_play=many)
    return range(low, high + 1)


def union(*sets: Iterable[Any]) -> list[Any]:
    """The members of several sets, each once, in their order. Raises NoValue if they are too many together."""
    found = list(islice(chain.from_iterable(sets), MOST_TOGETHER + 1))
    if len(found) > MOST_TOGETHER:
        raise NoValue(f"more than {MOST_TOGETHER:,} things are put together here")
    return list(dict.fromkeys(found))


def without(members: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """The members of a set that are not among others, in their order."""
    gone = set(others)
    return [member for member in members if member not in gone]


def joined(items: Iterable[Any], added: Iterable[Any]) -> tuple[Any, ...]:
    """A list with others at its end. Raises NoValue if it would be too long."""
    found = (*items, *added)
    if len(found) > MOST_ITEMS:
        raise NoValue(f"the list would have more than {MOST_ITEMS:,} items")
    return found


def less(items: Iterable[Any], taken: Iterable[Any]) -> tuple[Any, ...]:
    """A list from which others are taken out, each once, the first that is equal."""
    gone = Counter(taken)
    left = []
    for item in items:
        if gone[item] > 0:
            gone[item] -= 1
        else:
            left.append(item)
    return tuple(left)


class Subsets:
    """All ways to take `low` to `high` of some members; made when they are gone through.

    The smallest first, each with its members in their order.
    """

    __slots__ = ("_members", "_sizes")

    def __init__(self, members: Iterable[Any], low: int, high: int) -> None:
        self._members = tuple(members)
        self._sizes = range(max(0, low), min(len(self._members), high) + 1)

    def __len__(self) -> int:
        return sum(comb(len(self._members), size) for size in self._sizes)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return chain.from_iterable(combinations(self._members, size) for size in self._sizes)


def sets_from(members: Iterable[Any], *sizes: int | None) -> Subsets | tuple[()]:
    """All ways to take so many of some members: from the first size on, or to the second; none for a size of none."""
    found = tuple(members)
    if None in sizes:
        return ()
    low, high = (*sizes, len(found))[:2]
    return Subsets(found, low, high)  # type: ignore[arg-type]


def first_of(number: int | None, members: Iterable[Any]) -> list[Any]:
    """So many members at most, in their order."""
    return list(islice(members, max(0, number or 0)))


def top_of(number: int | None, cards: Sequence[int]) -> list[int]:
    """So many of the upper cards at most, as they lie."""
    return list(cards[max(0, len(cards) - number) :]) if number is not None and number > 0 else []


def bottom_of(number: int | None, cards: Sequence[int]) -> list[int]:
    """So many of the lower cards at most, as they lie."""
    return list(cards[: max(0, number or 0)])


def card_at(number: int | None, cards: Sequence[int]) -> int | None:
    """The card at a place, counted from the top, from 1; none if there is none."""
    return cards[-number] if number is not None and 1 <= number <= len(cards) else None


OF_SETS: tuple[Callable[..., Any], ...] = (
    numbers, union, without, joined, less, sets_from, first_of, top_of, bottom_of, card_at,
)  # fmt: skip
"""What generated text calls of these."""
