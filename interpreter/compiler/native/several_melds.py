"""Several melds that are chosen together, said in the plainer way of native code: the same ways in the same order."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.compiler.native.meld_plans import KIND, Pair, Plan, copies_of, earlier, plans
from interpreter.compiler.native.meld_search import in_line, lay_kinds, lay_out, no_melds, shown
from interpreter.engine.budget import charge
from interpreter.engine.melds.meld_library import CHOSEN
from interpreter.engine.packets import bits
from interpreter.engine.position import Position
from interpreter.engine.program import Program
from interpreter.language.asked_melds import MOST_CARDS

Ways = list[list[Pair]]
"""Ways to choose several melds; those with the most cards come first, and of as many cards those found first."""


def no_ways() -> Ways:
    """A list into which ways are laid."""
    return []


def lay_apart(
    s: Position, found: Ways, kinds: tuple[Plan, ...], cards: int, low: int, high: int, by_rank: bool, steps: int
) -> None:
    """`meld_library.melds_apart_in`, whatever each has to be. steps: what is counted for asking that of one."""
    there, chosen = no_melds(), no_melds()
    begins: list[int] = []
    tried: list[int] = []
    free, most = cards, min(high, MOST_CARDS)
    deeper = True
    while True:
        if deeper:
            if len(chosen) >= low:
                found.append([*chosen])
            begins.append(len(there))
            tried.append(len(there))
            if len(chosen) < most:
                lay_kinds(s, there, kinds, free, by_rank)
                charge(s, 1 + (len(there) - begins[-1]) * (CHOSEN + steps))
        at = tried[-1]
        while at < len(there) and chosen and comes_before(s.program, there[at], chosen[-1]):
            at += 1
        tried[-1] = at + 1
        deeper = at < len(there)
        if deeper:
            meld = there[at]
            chosen.append(meld)
            free &= ~meld[1]
        elif not chosen:
            found.sort(key=lambda way: -size_of_all(way))
            return
        else:
            del there[begins.pop() :]
            tried.pop()
            free |= chosen.pop()[1]


def lay_asked(
    s: Position, found: Ways, wanted: list[tuple[int, int, int]], cards: int, by_rank: bool, steps: int
) -> None:
    """`meld_library.melds_asked_in`, whatever each has to be.

    wanted: of each the number of its kind, and from how many cards to how many. steps: as above.
    """
    names = no_ways()
    there, chosen = no_melds(), no_melds()
    begins: list[int] = []
    tried: list[int] = []
    free = cards
    if not wanted:
        found.append([*chosen])
        return
    deeper = True
    while True:
        depth = len(chosen)
        kind, low, high = wanted[depth]
        if deeper:
            begins.append(len(there))
            tried.append(len(there))
            lay_out(s, there, plans(s.program)[kind], earlier(s.program, by_rank), free)
            charge(s, 1 + (len(there) - begins[-1]) * (CHOSEN + steps))
        again = depth > 0 and wanted[depth - 1] == (kind, low, high)  # of two alike the order is the same
        at = tried[-1]
        while at < len(there):
            if low <= there[at][1].bit_count() <= high:
                if not again or not comes_before(s.program, there[at], chosen[-1]):
                    break
            at += 1
        tried[-1] = at + 1
        deeper = at < len(there) and depth + 1 < len(wanted)
        if deeper:
            meld = there[at]
            chosen.append(meld)
            free &= ~meld[1]
        elif at < len(there):
            add_way(s.program, found, names, chosen, there[at])
        elif not chosen:
            found.sort(key=lambda way: -size_of_all(way))
            return
        else:
            del there[begins.pop() :]
            tried.pop()
            free |= chosen.pop()[1]


def add_way(program: Program, found: Ways, names: Ways, chosen: list[Pair], last: Pair) -> None:
    """Lay down a way in the order of its faces, unless one of the same faces is there. names: these of each way."""
    way, name = no_melds(), no_melds()
    for meld in [*chosen, last]:
        at = len(way)
        while at > 0 and is_less(program, meld, way[at - 1]):
            at -= 1
        way.insert(at, meld)
    for face, cards in way:
        name.append((face, first_copies(program, cards)))
    if name not in names:
        names.append(name)
        found.append(way)


def first_copies(program: Program, cards: int) -> int:
    """So many of equal cards as there are among some, the first."""
    if not program.multi:
        return cards
    found = 0
    for card in bits(cards):
        left = copies_of(program)[card] & ~found
        found |= left & -left
    return found


def is_less(program: Program, one: Pair, two: Pair) -> bool:
    """Whether a meld comes before another by its faces, or if these are the same by its cards."""
    if comes_before(program, one, two):
        return True
    return not comes_before(program, two, one) and first_card(program, one) < first_card(program, two)


def first_card(program: Program, meld: Pair) -> int:
    plan = plans(program)[meld[0] >> KIND]
    return in_line(plan, meld[0], meld[1])[0]


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
