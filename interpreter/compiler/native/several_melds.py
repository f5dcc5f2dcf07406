"""Several melds that are chosen together, said in the plainer way of native code: the same ways in the same order."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.compiler.native.meld_plans import KIND, Pair
from interpreter.compiler.native.meld_search import melds_in, no_melds, shown
from interpreter.engine.budget import charge
from interpreter.engine.position import Position
from interpreter.engine.program import Program
from interpreter.language.asked_melds import MOST_CARDS


def ways_apart(
    s: Position, kinds: tuple[str, ...], cards: int, low: int, high: int, by_rank: bool, steps: int
) -> list[list[Pair]]:
    """`meld_library.melds_apart_in`, whatever each has to be; steps: what is counted for asking that of one."""
    found: list[list[Pair]] = []
    there, chosen = no_melds(), no_melds()
    begins: list[int] = []
    tried: list[int] = []
    free, most = cards, min(high, MOST_CARDS)
    deeper = True
    while True:
        if deeper:
            if len(chosen) >= low:
                found.append(chosen)
            begins.append(len(there))
            tried.append(len(there))
            if len(chosen) < most:
                there += melds_in(s, kinds, free, by_rank)
                if steps:
                    charge(s, 1 + (len(there) - begins[-1]) * steps)
        at = tried[-1]
        while at < len(there) and chosen and comes_before(s.program, there[at], chosen[-1]):
            at += 1
        tried[-1] = at + 1
        deeper = at < len(there)
        if deeper:
            meld = there[at]
            chosen.append(meld)
            free &= ~meld[1]
        else:
            if not chosen:
                return largest_first(found)
            del there[begins.pop() :]
            tried.pop()
            free |= chosen.pop()[1]


def largest_first(found: list[list[Pair]]) -> list[list[Pair]]:
    """The ways with the most cards first; those of as many as they were found."""
    sizes = [size_of_all(way) for way in found]
    ordered = []
    most = max(sizes, default=0)
    for less in range(most + 1):
        for size, way in zip(sizes, found, strict=True):
            if size == most - less:
                ordered.append(way)
    return ordered


def size_of_all(melds: Sequence[Pair]) -> int:
    total = 0
    for _, cards in melds:
        total += cards.bit_count()
    return total


def comes_before(program: Program, one: Pair, two: Pair) -> bool:
    """Whether a meld comes before another by its kind and its faces."""
    first, second = one[0] >> KIND, two[0] >> KIND
    if first != second:
        return first < second
    shows, others = shown(program, one), shown(program, two)
    for a, b in zip(shows, others, strict=False):
        if a != b:
            return a < b
    return len(shows) < len(others)
