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


def no_places() -> list[int]:
    """A list into which places of melds in a list are laid."""
    return []


def more_apart(
    s: Position, found: Ways, fresh: list[Pair], there: list[Pair], chosen: list[Pair], begins: list[int],
    tried: list[int], frees: list[int], kinds: tuple[Plan, ...], low: int, high: int, by_rank: bool, steps: int,
) -> bool:  # fmt: skip
    """`meld_library.melds_apart_in`, up to where melds are found of which it is to be asked what each has to be.

    Those are `fresh`, and whoever goes on lays down what is left of them behind `there`. False: the search is over.
    frees: the cards that are left at each depth, at first all; begins, tried: where in `there` the melds of each depth
    begin, and which is tried next. steps: what is counted for asking of one what it has to be.
    """
    while True:
        if len(begins) < len(frees):
            if len(chosen) >= low:
                found.append([*chosen])
            begins.append(len(there))
            tried.append(len(there))
            if len(chosen) < min(high, MOST_CARDS):
                fresh.clear()
                lay_kinds(s, fresh, kinds, frees[-1], by_rank)
                charge(s, 1 + len(fresh) * (CHOSEN + steps))
                return True
        at = tried[-1]
        while at < len(there) and chosen and comes_before(s.program, there[at], chosen[-1]):
            at += 1
        tried[-1] = at + 1
        if at < len(there):
            chosen.append(there[at])
            frees.append(frees[-1] & ~there[at][1])
        elif not chosen:
            found.sort(key=lambda way: -size_of_all(way))
            return False
        else:
            less_deep(there, chosen, begins, tried, frees)


def more_asked(
    s: Position, found: Ways, fresh: list[Pair], there: list[Pair], chosen: list[Pair], begins: list[int],
    tried: list[int], frees: list[int], names: Ways, wanted: list[tuple[int, int, int]], by_rank: bool, steps: int,
) -> bool:  # fmt: skip
    """`meld_library.melds_asked_in`, likewise.

    wanted: of each the number of its kind, and from how many cards to how many. names: as of `add_way`.
    """
    if not wanted:
        found.append([*chosen])
        return False
    while True:
        depth = len(chosen)
        kind, low, high = wanted[depth]
        if len(begins) < len(frees):
            begins.append(len(there))
            tried.append(len(there))
            fresh.clear()
            lay_out(s, fresh, plans(s.program)[kind], earlier(s.program, by_rank), frees[-1])
            charge(s, 1 + len(fresh) * (CHOSEN + steps))
            return True
        again = depth > 0 and wanted[depth - 1] == (kind, low, high)  # of two alike the order is the same
        at = tried[-1]
        while at < len(there):
            if low <= there[at][1].bit_count() <= high:
                if not again or not comes_before(s.program, there[at], chosen[-1]):
                    break
            at += 1
        tried[-1] = at + 1
        if at < len(there) and depth + 1 < len(wanted):
            chosen.append(there[at])
            frees.append(frees[-1] & ~there[at][1])
        elif at < len(there):
            add_way(s.program, found, names, chosen, there[at])
        elif not chosen:
            found.sort(key=lambda way: -size_of_all(way))
            return False
        else:
            less_deep(there, chosen, begins, tried, frees)


def lay_apart(
    s: Position, found: Ways, kinds: tuple[Plan, ...], low: int, high: int, by_rank: bool, steps: int, cards: int
) -> None:
    """`meld_library.melds_apart_in`, whatever each has to be."""
    fresh, there, chosen = no_melds(), no_melds(), no_melds()
    begins, tried, frees = no_places(), no_places(), [cards]
    while more_apart(s, found, fresh, there, chosen, begins, tried, frees, kinds, low, high, by_rank, steps):
        there += fresh


def lay_asked(
    s: Position, found: Ways, names: Ways, wanted: list[tuple[int, int, int]], by_rank: bool, steps: int, cards: int
) -> None:
    """`meld_library.melds_asked_in`, whatever each has to be."""
    fresh, there, chosen = no_melds(), no_melds(), no_melds()
    begins, tried, frees = no_places(), no_places(), [cards]
    while more_asked(s, found, fresh, there, chosen, begins, tried, frees, names, wanted, by_rank, steps):
        there += fresh


def less_deep(there: list[Pair], chosen: list[Pair], begins: list[int], tried: list[int], frees: list[int]) -> None:
    """All melds of a depth have been tried."""
    del there[begins.pop() :]
    tried.pop()
    frees.pop()
    chosen.pop()


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
