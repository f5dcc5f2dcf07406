"""The least that is left outside of melds, said in the plainer way of native code."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.compiler.native.meld_plans import Plan, earlier
from interpreter.compiler.native.meld_search import lay_out, no_melds
from interpreter.compiler.native.twins import any_number, asked_beforehand
from interpreter.engine.budget import charge
from interpreter.engine.melds.combinations import MeldKind
from interpreter.engine.melds.outside import MOST_TRIED
from interpreter.engine.melds.search import STEP
from interpreter.engine.packets import bits
from interpreter.engine.position import Position
from interpreter.engine.rule_errors import RuleError

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
        begun, before = s.spent, earlier(s.program, False, True)
        lay_out(s, found, plan, before, cards)
        if plan.kind.orders and is_plain(plan.kind) and not before and not (plan.wild and cards & plan.wild):
            s.spent = begun + STEP * (1 + steps_of_runs(plan, cards))
    if not found:
        return total
    masks: list[int] = []
    worths: list[int] = []
    for _, meld in found:
        if meld not in masks:
            own = 0
            for card in bits(meld):
                own += worth[card]
            masks.append(meld)
            worths.append(own)
            at = len(masks) - 1
            while at > 0 and worths[at - 1] < own:
                masks[at], worths[at] = masks[at - 1], worths[at - 1]
                at -= 1
            masks[at], worths[at] = meld, own
    if len(masks) > MOST_MELDS:
        raise RuleError("too many melds")
    inside, tried = most_inside(masks, worths, worth)
    charge(s, STEP * (tried + len(found)))
    return total - inside


@asked_beforehand
def is_plain(kind: MeldKind) -> bool:
    """Whether combinations without wild cards are found by a short way: one card of a rank is enough, and nothing
    follows the last."""
    return not (kind.each > 1 or kind.wrap or kind.wilds[0])


def steps_of_runs(plan: Plan, cards: int) -> int:
    """What `Search.masks` counts for cards that follow one another, without wild ones."""
    low, high = max(plan.kind.low, plan.kind.naturals[0]), min(plan.kind.high, plan.kind.naturals[1])
    tried = 0
    for lane in plan.lanes:
        x = cards & lane
        if x and x.bit_count() >= plan.kind.low:
            for begin, size in plan.orders:
                first = 0
                for at in range(size + 1):
                    if at == size or not x & plan.held[begin + at]:
                        for start in range(first, at - low + 1):
                            tried += steps_from(plan, x, begin + start, begin + min(start + high, at))
                        first = at + 1
    return tried


def steps_from(plan: Plan, x: int, start: int, end: int) -> int:
    """Those of runs from one rank on."""
    tried, ways = 0, 1
    for rank in range(start, end):
        ways *= (x & plan.held[rank]).bit_count()
        tried += ways
    return tried


def most_inside(masks: list[int], worths: list[int], worth: Sequence[int]) -> tuple[int, int]:
    """`outside.most_inside`, which calls itself: the most, and the steps. The melds that are worth most come first.

    Of each search that goes on there are the cards of all melds that are left, the melds without the lowest of these
    cards, those with it that are still to be tried, what there is at most, the best so far, and the number of the meld
    that is being tried and 2: 1 where the lowest card is left out, 0 where nothing was tried.
    """
    if len(masks) == 1:
        return max(0, worths[0]), 1
    known: list[int] = []
    answers: list[int] = []
    unions: list[int] = []
    others: list[int] = []
    todo: list[int] = []
    limits: list[int] = []
    bests: list[int] = []
    trying: list[int] = []
    tried = found = 0
    left, begins = (1 << len(masks)) - 1, True
    while True:
        if begins:
            union = cards_of(masks, left)
            begins = False
            if left & left - 1 == 0:
                found = 0
                for at in bits(left):
                    found = max(0, worths[at])
            elif union in known:
                found = answers[known.index(union)]
            else:
                tried += 1 + left.bit_count()
                if tried > MOST_TRIED:
                    raise RuleError("too many ways")
                apart = fitting(masks, left, union & -union)
                most = 0
                for card in bits(union):
                    most += max(0, worth[card])
                unions.append(union)
                others.append(apart)
                todo.append(left & ~apart)
                limits.append(most)
                bests.append(any_number(0))
                trying.append(any_number(0))
        if not unions:
            return found, 1 + tried
        top = len(unions) - 1
        if trying[top] > 1:
            bests[top] = max(bests[top], worths[trying[top] - 2] + found)
            if bests[top] == limits[top]:
                todo[top] = 0
        elif trying[top] == 1:
            bests[top] = max(bests[top], found)
        if todo[top]:
            at = lowest_bit(todo[top])
            todo[top] &= todo[top] - 1
            trying[top] = at + 2
            left, begins = fitting(masks, others[top], masks[at]), True
        elif bests[top] < limits[top] and trying[top] != 1:
            trying[top] = 1
            left, begins = others[top], True
        else:
            found = bests[top]
            known.append(unions[top])
            answers.append(found)
            unions.pop()
            others.pop()
            todo.pop()
            limits.pop()
            bests.pop()
            trying.pop()


def cards_of(masks: list[int], among: int) -> int:
    """The cards of some melds."""
    cards = 0
    for at in bits(among):
        cards |= masks[at]
    return cards


def lowest_bit(among: int) -> int:
    """The number of the lowest bit."""
    return (among & -among).bit_length() - 1


def fitting(masks: list[int], among: int, cards: int) -> int:
    """Those of some melds of which no card is taken."""
    found = 0
    for at in bits(among):
        if not masks[at] & cards:
            found |= 1 << at
    return found
