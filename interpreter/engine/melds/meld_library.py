"""What printed programs and moves ask about melds in a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from functools import cache, partial
from typing import Any

from interpreter.engine.budget import charge
from interpreter.engine.melds.combinations import Meld
from interpreter.engine.melds.outside import MOST_TRIED, most_inside
from interpreter.engine.melds.search import AGAIN, MOST_KEPT, STEP, TRIED
from interpreter.engine.melds.text import by_face, melds_of
from interpreter.engine.packets import bits, mask_of_packet
from interpreter.engine.position import Position
from interpreter.engine.rule_errors import RuleError
from interpreter.language.asked_melds import MOST_CARDS, AskedMeld, asked

MOST_WAYS = 50_000
"""The most ways to choose several melds that are listed."""
CHOSEN = 60
"""What a meld counts each time that it could be one of several."""


def melds_in(s: Position, kinds: Sequence[str], cards: int, by_rank: bool) -> list[Meld]:
    """The melds of some kinds that cards hold, the kinds in their order; what is a meld of two counts as the first."""
    found: dict[Any, Meld] = {}
    for name in kinds:
        code = s.program.melds[name]
        search = code.by_rank if by_rank else code.search
        try:
            melds, tried = search.melds(cards, code.wild(s))
        except RuleError:  # it is given up, and took that long all the same: something else may be asked then
            s.spent += TRIED * search.tried
            raise
        charge(s, STEP * tried + (AGAIN - STEP) * max(0, tried - MOST_KEPT))
        if len(kinds) == 1 and not code.kind.parts:  # none of them is found twice
            return list(melds)
        for meld in melds:
            found.setdefault(meld[1:3], meld)
    return list(found.values())


Fits = Callable[[Meld], object]
"""What each of several melds has to be."""


def _fitting(s: Position, melds: list[Meld], fits: Fits | None, steps: int) -> list[Meld]:
    """Those melds that are what each has to be, if anything. steps: what is counted for asking it."""
    charge(s, 1 + len(melds) * (CHOSEN + steps))
    return melds if fits is None else list(filter(fits, melds))


def melds_apart_in(
    s: Position,
    kinds: Sequence[str],
    cards: int,
    low: int,
    high: int,
    by_rank: bool,
    fits: Fits | None = None,
    steps: int = 0,
) -> list[tuple[Meld, ...]]:
    """The ways to choose several melds that have no card in common, those with the most cards first.

    Raises RuleError if there are too many to look at.
    """
    high = min(high, MOST_CARDS)
    found: list[tuple[Meld, ...]] = []
    face = cache(partial(by_face, s.program))

    def choose(chosen: tuple[Meld, ...], free: int, last: tuple[Any, ...]) -> None:
        """Add each way once: in it the melds are in order."""
        if len(chosen) >= low:
            found.append(chosen)
            _check_number(found)
        if len(chosen) < high:
            for meld in _fitting(s, melds_in(s, kinds, free, by_rank), fits, steps):
                place = face(meld)
                if place >= last:
                    choose((*chosen, meld), free & ~mask_of_packet(meld.cards), place)

    choose((), cards, ())
    return sorted(found, key=lambda way: -sum([len(meld.cards) for meld in way]))


def melds_asked_in(
    s: Position, asked_for: Sequence[str], cards: int, by_rank: bool, fits: Fits | None = None, steps: int = 0
) -> list[tuple[Meld, ...]]:
    """The ways to choose the melds that are asked for together, no card in two, those with the most cards first.

    Raises RuleError if there are too many to look at.
    """
    found: dict[tuple[Any, ...], tuple[int, tuple[Meld, ...]]] = {}
    wanted = [asked(text) for text in asked_for]
    face = cache(partial(by_face, s.program))

    def choose(chosen: tuple[tuple[Any, Meld], ...], free: int, size: int) -> None:
        """chosen: each meld with what puts it in order. size: how many cards they have together."""
        if len(chosen) == len(wanted):  # nothing is asked for
            found[()] = 0, ()
            return
        one = wanted[len(chosen)]
        assert one is not None, "options are looked at"
        last = len(chosen) + 1 == len(wanted)
        again = chosen and one == wanted[len(chosen) - 1]  # of two alike the order is the same
        for meld in _fitting(s, melds_in(s, (one.kind,), free, by_rank), fits, steps):
            number = len(meld.cards)
            if one.low <= number <= one.high:
                place = face(meld)
                if again and place < chosen[-1][0]:
                    continue
                ways = (*chosen, (place, meld))
                if not last:
                    choose(ways, free & ~mask_of_packet(meld.cards), size + number)
                    continue
                way = sorted(ways)
                found.setdefault(tuple([place for place, _ in way]), (size + number, tuple([meld for _, meld in way])))
                _check_number(found)

    choose((), cards, 0)
    return [way for _, way in sorted(found.values(), key=_by_size)]


def _by_size(way: tuple[int, tuple[Meld, ...]]) -> int:
    """The ways with the most cards first."""
    return -way[0]


def _check_number(found: Sized) -> None:
    if len(found) > MOST_WAYS:
        raise RuleError(f"there are more than {MOST_WAYS:,} ways to choose several melds of these cards")


def is_meld(s: Position, kind: str, cards: int) -> bool:
    """Whether some cards are a meld, all of them."""
    return bool(melds_of(s, s.program.melds[kind], cards))


def is_meld_from(s: Position, kinds: Sequence[str], cards: int, meld: Meld) -> bool:
    """Whether a meld can be made of some cards, whichever of equal ones are listed."""
    mask = mask_of_packet(meld.cards)
    if mask & ~cards or meld.kind not in kinds:
        return False
    return meld in melds_of(s, s.program.melds[meld.kind], mask)


def are_melds_from(s: Position, kinds: Sequence[str], cards: int, melds: Sequence[Meld], low: int, high: int) -> bool:
    """Whether several melds can be made of some cards, each card for one of them."""
    if not low <= len(melds) <= high:
        return False
    for meld in melds:
        if not is_meld_from(s, kinds, cards, meld):
            return False
        cards &= ~mask_of_packet(meld.cards)
    return True


def are_melds_asked(s: Position, asked_for: Sequence[str], cards: int, melds: Sequence[Meld]) -> bool:
    """Whether several melds that can be made of some cards, each card for one of them, are those asked for together."""
    kinds = s.program.melds
    if not are_melds_from(s, tuple(kinds), cards, melds, len(asked_for), len(asked_for)):
        return False
    return _fulfil([asked(text) for text in asked_for], [(meld.kind, len(meld.cards)) for meld in melds])


def _fulfil(wanted: Sequence[AskedMeld | None], made: Sequence[tuple[str, int]]) -> bool:
    """Whether each of the melds made, a kind and a number of cards, is one of those that are wanted."""
    if not wanted:
        return True
    one, rest = wanted[0], wanted[1:]
    assert one is not None, "options are looked at"
    return any(
        kind == one.kind and one.low <= size <= one.high and _fulfil(rest, [*made[:at], *made[at + 1 :]])
        for at, (kind, size) in enumerate(made)
    )


def part_of_meld(meld: Meld | None, part: int) -> Any:
    """A part of a meld by its number; of none, none."""
    return None if meld is None else meld[part]


def size_of_meld(meld: Meld | None) -> int | None:
    return None if meld is None else len(meld.cards)


def cards_of_meld(meld: Meld | None) -> tuple[int, ...]:
    return () if meld is None else meld.cards


def least_outside(s: Position, kinds: Sequence[str], cards: int, worth: Any) -> int:
    """The least that is left of some cards when melds are laid aside. worth: what is counted of a card, by its number.

    Raises RuleError if there are too many ways to look at.
    """
    of: Callable[[int], int] = worth.__getitem__ if isinstance(worth, tuple) else worth
    held = {card: of(card) for card in bits(cards)}
    total = sum(held.values())
    masks: list[int] = []
    for name in kinds:
        code = s.program.melds[name]
        try:
            found, searched = code.single.masks(cards, code.wild(s))
        except RuleError:
            s.spent += TRIED * code.single.tried
            raise
        charge(s, STEP * searched)
        masks += found
    if not masks:
        return total
    try:
        inside, tried = most_inside(masks, held)
    except RuleError:
        s.spent += STEP * MOST_TRIED
        raise
    charge(s, STEP * (tried + len(masks)))
    return total - inside
