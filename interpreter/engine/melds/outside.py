"""The combinations of a hand that leave the least outside of them."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.engine.packets import bits
from interpreter.engine.rule_errors import RuleError

MOST_TRIED = 100_000
"""Steps of one search for the best way."""


def most_inside(melds: Sequence[int], worth: dict[int, int]) -> tuple[int, int]:
    """The most that disjoint combinations can be worth together, and the steps that it took. Raises RuleError.

    melds: each as the bits of its cards. worth: card -> what is counted for it.
    """
    worths = {meld: sum([worth[card] for card in bits(meld)]) for meld in melds}
    if len(worths) == 1:
        return max(0, *worths.values()), 1
    best = _Best(worth, worths)
    return best.of(sorted(worths, key=lambda meld: -worths[meld])), 1 + best.tried


class _Best:
    """A search for the best way. Not a function within a function: that holds itself, and is left to the collector.

    worth: of each card. worths: of each combination.
    """

    __slots__ = ("_known", "_worth", "_worths", "tried")

    def __init__(self, worth: dict[int, int], worths: dict[int, int]) -> None:
        self._worth = worth
        self._worths = worths
        self._known: dict[int, int] = {}
        self.tried = 0

    def of(self, left: list[int]) -> int:
        """The most that disjoint ones of some combinations are worth. left: those of which no card is taken yet."""
        if len(left) < 2:
            return max(0, self._worths[left[0]]) if left else 0
        union = 0
        for meld in left:
            union |= meld
        if union in self._known:  # what is left is settled by the cards that are
            return self._known[union]
        self.tried += 1 + len(left)
        if self.tried > MOST_TRIED:
            raise RuleError("there are too many ways to lay out so many cards")
        lowest = union & -union
        others = [meld for meld in left if not meld & lowest]
        limit = sum([max(0, self._worth[card]) for card in bits(union)])
        best = 0
        for meld in left:
            if meld & lowest:
                value = self._worths[meld] + self.of([other for other in others if not other & meld])
                best = max(best, value)
                if best == limit:
                    break
        if best < limit:
            best = max(best, self.of(others))
        self._known[union] = best
        return best
