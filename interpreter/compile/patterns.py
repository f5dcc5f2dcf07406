"""Which cards a pattern of a table means, and how closely."""

from __future__ import annotations

from typing import Any


def best_row(patterns: list[str], card: tuple[str, str, str, str], ranks: tuple[str, ...]) -> int | None:
    """The most specific pattern that a card matches: card, then rank or suit, then colour or range, then else."""
    best, level = None, 0
    for at, pattern in enumerate(patterns):
        found = match_level(pattern, card, ranks)
        if found > level:
            best, level = at, found
    return best


def match_level(pattern: str, card: tuple[str, str, str, str], ranks: tuple[str, ...]) -> int:
    """How closely a pattern says a card: 4 the card, 3 rank or suit, 2 colour or range, 1 else, 0 not at all."""
    name, rank, suit, colour = card
    if pattern == "else":
        return 1
    if pattern == name or (not rank and _added(pattern) == name):
        return 4
    if rank and pattern in (rank, suit):
        return 3
    if rank and pattern == colour:
        return 2
    low, dots, high = pattern.partition("..")
    if dots and rank and ranks.index(low) <= ranks.index(rank) <= ranks.index(high):
        return 2
    return 0


def _added(pattern: str) -> str:
    return {"joker": "JK", "big_joker": "JB", "little_joker": "JL"}.get(pattern, pattern)


def mask_of(cards: Any) -> int:
    found = 0
    for card in cards:
        if card is not None and card >= 0:
            found |= 1 << card
    return found
