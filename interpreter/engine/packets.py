"""Cards as a place keeps them: their bits where nothing looks at their order, else a list, bottom first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Kept = Any
"""What a place holds: an int (bits) or a list of card numbers."""
_BY_BYTE: list[tuple[tuple[int, ...], ...]] = []
"""For each run of 8 cards: their bits as a number from 0 to 255 -> the numbers of the cards."""


def _add_byte() -> None:
    base = 8 * len(_BY_BYTE)
    rows: list[tuple[int, ...]] = [()]
    for card in range(base, base + 8):
        rows += [(*row, card) for row in rows]
    _BY_BYTE.append(tuple(rows))


def bits(mask: int) -> tuple[int, ...]:
    """The numbers of the set bits, ascending; looked up 8 at a time."""
    found: tuple[int, ...] = ()
    at = 0
    while mask:
        part = mask & 255
        if part:
            while at >= len(_BY_BYTE):
                _add_byte()
            found += _BY_BYTE[at][part]
        mask >>= 8
        at += 1
    return found


_BIT = tuple(1 << card for card in range(4096)).__getitem__


def mask_of(cards: Iterable[int | None]) -> int:
    """Cards (or players) as bits; none is left out."""
    found = 0
    for card in cards:
        if card is not None:
            found |= 1 << card
    return found


def mask_of_packet(cards: Iterable[int]) -> int:
    """Cards of one packet, which are different ones, as bits."""
    return sum(map(_BIT, cards))


def nth_card(mask: int, at: int) -> int:
    """The card at a place among cards kept as bits, from 0."""
    for _ in range(at):
        mask &= mask - 1
    return (mask & -mask).bit_length() - 1


def by_face(first_copy: Sequence[int], mask: int) -> list[int]:
    """Cards kept as bits, equal ones once: the first of them, in the order of their faces."""
    found = {first_copy[card]: card for card in reversed(bits(mask))}
    return [found[face] for face in sorted(found)]


def as_tuple(kept: Kept) -> tuple[int, ...]:
    """The cards of a place, bottom first (ascending where order does not count)."""
    return bits(kept) if type(kept) is int else tuple(kept)


def as_mask(kept: Kept) -> int:
    """The cards of a place as bits."""
    return kept if type(kept) is int else mask_of_packet(kept)
