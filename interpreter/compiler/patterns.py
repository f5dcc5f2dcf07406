"""Which cards a pattern of a table means, and how closely."""

from __future__ import annotations

from collections.abc import Sequence


class Rows:
    """The rows of a table over cards by their patterns, found without trying one after the other."""

    def __init__(self, patterns: Sequence[str], ranks: tuple[str, ...]) -> None:
        self._ranges: dict[str, int] = {}
        self._rows: dict[str, int] = {}
        self._added: dict[str, int] = {}
        for at, pattern in enumerate(patterns):
            self._rows.setdefault(pattern, at)
            self._added.setdefault(_added(pattern), at)
            low, dots, high = pattern.partition("..")
            if dots:
                for rank in ranks[ranks.index(low) : ranks.index(high) + 1]:
                    self._ranges.setdefault(rank, at)

    def best(self, card: tuple[str, str, str, str]) -> int | None:
        """The most specific row for a card: the card, then its rank or suit, then colour or range, then else."""
        name, rank, suit, colour = card
        levels: tuple[tuple[int | None, ...], ...] = ((self._added.get(name),),)
        if rank:
            rows = self._rows
            levels = (rows.get(name),), (rows.get(rank), rows.get(suit)), (rows.get(colour), self._ranges.get(rank))
        for level in levels:
            found = [at for at in level if at is not None]
            if found:
                return min(found)
        return self._rows.get("else")


def _added(pattern: str) -> str:
    return {"joker": "JK", "big_joker": "JB", "little_joker": "JL"}.get(pattern, pattern)
