"""What a kind of combination asks for, and a combination that was made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Face = tuple[int | None, int | None]
"""The rank and the suit that a wild card stands for; None where any would do."""


class Meld(NamedTuple):
    """A combination of cards. low, high: ranks; of several parts those of the first.

    cards: low to high; of a set those that stand for themselves first. stands: for each of them the face that it stands
    for, None if it is its own. suit: of all of them, or None.
    """

    kind: str
    cards: tuple[int, ...]
    stands: tuple[Face | None, ...]
    low: int | None
    high: int | None
    suit: int | None


@dataclass(frozen=True, slots=True)
class MeldKind:
    """A kind of combination in one game. low, high: how many cards it has.

    same: what its cards have in common. orders: for cards that follow one another, the orders in which they may, as
    ranks from low to high; none for others. each: how many cards of each rank follow one another. wrap: whether the
    highest rank is followed by the lowest. naturals: the fewest and the most cards that are not wild. wilds: the
    fewest and the most that are. parts: in place of all that but wilds, the kinds of which it consists; then low and
    high are their sums.
    """

    name: str
    low: int
    high: int
    same: Literal["", "rank", "suit"] = ""
    orders: tuple[tuple[int, ...], ...] = ()
    each: int = 1
    wrap: bool = False
    naturals: tuple[int, int] = (1, 2_000)
    wilds: tuple[int, int] = (0, 2_000)
    parts: tuple[MeldKind, ...] = ()


@dataclass(frozen=True, slots=True)
class Cards:
    """What is known of the cards of a game, by their numbers. alike: card -> the first of those that are as good."""

    ranks: tuple[int | None, ...]
    suits: tuple[int | None, ...]
    alike: tuple[int, ...]

    @property
    def as_single(self) -> Cards:
        """The cards of a game in which every card is one by itself."""
        return Cards(self.ranks, self.suits, tuple(range(len(self.ranks))))

    @property
    def by_rank(self) -> Cards:
        """The cards of a game in which suits do not count."""
        first: dict[int, int] = {}
        alike = []
        for card, rank in enumerate(self.ranks):
            alike.append(self.alike[card] if rank is None else first.setdefault(rank, card))
        return Cards(self.ranks, self.suits, tuple(alike))
