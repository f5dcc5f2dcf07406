"""The least that is left outside of melds, said in the plainer way of native code."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.compiler.native.meld_plans import Plan, earlier
from interpreter.compiler.native.meld_search import lay_out, no_melds
from interpreter.engine.budget import charge
from interpreter.engine.melds.outside import MOST_TRIED
from interpreter.engine.melds.search import STEP
from interpreter.engine.packets import bits
from interpreter.engine.position import Position
from interpreter.engine.program import RuleError

MOST_MELDS = 60
"""Melds among which the best are looked for; where there are more the Python lane looks."""


def left_outside(s: Position, kinds: tuple[Plan, ...], cards: int, worth: Sequence[int]) -> int:
    """`meld_library.least_outside`. worth: by card."""
    total = 0
    for card in bits(cards):
        total += worth[card]
    found = no_melds()
    for plan in kinds:
        if plan.wild and (cards & plan.wild).bit_count() > 1:
            raise RuleError("of several wild cards each is one by itself here")
        lay_out(s, found, plan, earlier(s.program, False, True), cards)
    if not found:
        return total
    masks: list[int] = []
    worths: list[int] = []
    for _, meld in found:
        own = 0
        for card in bits(meld):
            own += worth[card]
        masks.append(meld)
        worths.append(own)
    return total - most_inside(s, masks, worths)


def most_inside(s: Position, masks: list[int], worths: list[int]) -> int:
    """`outside.most_inside`, which may know some answers already: here it counts at least as many steps."""
    many = len(masks)
    if many == 1:
        charge(s, STEP * 2)
        return max(0, worths[0])
    if many > MOST_MELDS:
        raise RuleError("too many melds")
    best = tried = 0
    left, sums = [(1 << many) - 1], [0]
    while left:
        now, value = left.pop(), sums.pop()
        best = max(best, value)
        if now:
            tried += 1 + now.bit_count()
            if tried > MOST_TRIED:
                raise RuleError("too many ways")
            lowest = lowest_of(masks, now)
            others = 0
            for at in bits(now):
                if not masks[at] & lowest:
                    others |= 1 << at
            for at in bits(now & ~others):
                left.append(fitting(masks, others, masks[at]))
                sums.append(value + worths[at])
            left.append(others)
            sums.append(value)
    charge(s, STEP * (1 + tried + many))
    return best


def lowest_of(masks: list[int], among: int) -> int:
    """The lowest card of some melds, as a bit."""
    cards = 0
    for at in bits(among):
        cards |= masks[at]
    return cards & -cards


def fitting(masks: list[int], among: int, cards: int) -> int:
    """Those of some melds of which no card is taken."""
    found = 0
    for at in bits(among):
        if not masks[at] & cards:
            found |= 1 << at
    return found
