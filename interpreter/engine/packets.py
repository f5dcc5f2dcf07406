"""Cards as a place keeps them: their bits where nothing looks at their order, else a list, bottom first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import getitem, itemgetter
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


for _ in range(8):
    _add_byte()
_A, _B, _C, _D, _E, _F, _G, _H = _BY_BYTE


def bits(mask: int) -> tuple[int, ...]:
    """The numbers of the set bits, ascending; looked up 8 at a time, those of a pack or of players at once."""
    if mask < 256:
        return _A[mask]
    if not mask >> 64:
        a, b, c, d, e, f, g, h = mask.to_bytes(8, "little")
        return (*_A[a], *_B[b], *_C[c], *_D[d], *_E[e], *_F[f], *_G[g], *_H[h])
    parts = mask.to_bytes((mask.bit_length() + 7) >> 3, "little")
    while len(parts) > len(_BY_BYTE):
        _add_byte()
    return tuple(chain.from_iterable(map(getitem, _BY_BYTE, parts)))


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


def names_of(names: Sequence[str], cards: Sequence[int]) -> tuple[str, ...]:
    """The names of cards, in their order; several are looked up at once."""
    return itemgetter(*cards)(names) if len(cards) > 1 else tuple([names[card] for card in cards])


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
