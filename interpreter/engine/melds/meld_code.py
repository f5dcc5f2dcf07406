"""A kind of combination as a program keeps it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from interpreter.engine.melds.combinations import Meld, MeldKind
from interpreter.engine.melds.search import Search
from interpreter.engine.situation import Situation


@dataclass(frozen=True, slots=True)
class MeldCode:
    """A kind of combination in a program. wild: the cards that may stand for others, as bits.

    search: finds those that players tell apart; by_rank: those that differ in more than suits; single: those that
    differ in any card. openly: whether all may know which cards are wild. named, texts: what has been found of how
    moves name melds, and write them.
    """

    kind: MeldKind
    wild: Callable[[Situation], int]
    search: Search
    by_rank: Search
    single: Search
    openly: bool
    named: dict[Meld, Meld] = field(compare=False)
    texts: dict[Meld, str] = field(compare=False)


def wilds_are_known(melds: Mapping[str, MeldCode]) -> bool:
    """Whether all may know which cards are wild, for melds of every kind."""
    return all(kind.openly for kind in melds.values())
