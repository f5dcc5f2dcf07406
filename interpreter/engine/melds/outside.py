"""The combinations of a hand that leave the least outside of them."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.engine.packets import bits
from interpreter.engine.program import RuleError

MOST_TRIED = 100_000
"""Steps of one search for the best way."""


def most_inside(melds: Sequence[int], worth: dict[int, int]) -> tuple[int, int]:
    """The most that disjoint combinations can be worth together, and the steps that it took. Raises RuleError.

    melds: each as the bits of its cards. worth: card -> what is counted for it.
    """
    worths = {meld: sum([worth[card] for card in bits(meld)]) for meld in melds}
    if len(worths) == 1:
        return max(0, *worths.values()), 1
    known: dict[int, int] = {}
    tried = 0

    def most(left: list[int]) -> int:
        """left: combinations of which no card is taken yet."""
        nonlocal tried
        union = 0
        for meld in left:
            union |= meld
        if union in known:  # what is left is settled by the cards that are
            return known[union]
        tried += 1 + len(left)
        if tried > MOST_TRIED:
            raise RuleError("there are too many ways to lay out so many cards")
        lowest = union & -union
        ways = [meld for meld in left if meld & lowest]
        others = [meld for meld in left if not meld & lowest]
        limit = sum([max(0, worth[card]) for card in bits(union)])
        best = 0
        for meld in ways:
            value = worths[meld]
            fitting = [other for other in others if not other & meld]
            if fitting:
                value += most(fitting)
            if value > best:
                best = value
                if best == limit:
                    break
        if best < limit and others:
            best = max(best, most(others))
        known[union] = best
        return best

    ordered = sorted(worths, key=lambda meld: -worths[meld])
    return (most(ordered) if ordered else 0), 1 + tried
