"""The search for melds, said in the plainer way of native code: the same melds in the same order, as pairs of numbers.

`found` is always a list that they are laid into. What a search counts among the steps of a move is the same, too.
"""

from __future__ import annotations

from typing import Any

from interpreter.compiler.native.meld_plans import FIELD, KIND, SHOWN, START, Pair, Plan, earlier, plans, plans_of
from interpreter.engine.budget import charge
from interpreter.engine.melds.combinations import Meld
from interpreter.engine.melds.search import AGAIN, MANY, MOST_KEPT, MOST_TRIED, STEP, TRIED
from interpreter.engine.packets import bits, nth_card
from interpreter.engine.position import Position
from interpreter.engine.program import Program
from interpreter.engine.rule_errors import RuleError

PARTS = Meld._fields
NO_CARD, WILD = -1, 4096
"""In place of a card: none, and any of the wild ones."""


def no_melds() -> list[Pair]:
    """A list into which melds are laid."""
    return []


def up_to(number: int) -> range:
    """The numbers from 0, which are gone through in a loop however few they are."""
    return range(number)


def any_size(number: int) -> int:
    """A number of cards, of which native code is not to know which it is: one function serves all."""
    return number


def any_flag(holds: bool) -> bool:
    """A flag, likewise."""
    return holds


def any_face(face: int) -> int:
    """A face, and not none, likewise."""
    return face


def lay_kinds(s: Position, found: list[Pair], kinds: tuple[Plan, ...], cards: int, by_rank: bool) -> None:
    """`meld_library.melds_in`: the melds of some kinds, the kinds in their order."""
    first = len(found)
    for plan in kinds:
        new = len(found)
        lay_out(s, found, plan, earlier(s.program, by_rank), cards)
        if new > first:
            drop_known(s.program, found, first, new)


def drop_known(program: Program, found: list[Pair], first: int, new: int) -> None:
    """Take out the new melds that are found before, too: the same cards, standing for the same. new: where they begin.

    first: from where on they are looked for.
    """
    at = new
    while at < len(found):
        if is_known(program, found, first, new, found[at]):
            found.pop(at)
        else:
            at += 1


def is_known(program: Program, found: list[Pair], first: int, new: int, meld: Pair) -> bool:
    for at in range(first, new):
        other = found[at]
        if other[1] == meld[1] and shown(program, other) == shown(program, meld):
            return True
    return False


def lay_out(s: Position, found: list[Pair], plan: Plan, before: tuple[int, ...], cards: int) -> None:
    """`Search.melds`: all combinations that some cards hold.

    before: card -> the cards before it that are as good; see `meld_plans.earlier`.
    """
    begun = s.spent
    charge(s, STEP)
    wild = cards & plan.wild if plan.wild else 0
    least = plan.kind.low - min(wild.bit_count(), plan.kind.wilds[1])
    low, high = any_size(plan.kind.low), any_size(plan.kind.high)
    for at in up_to(len(plan.lanes)):
        x = cards & plan.lanes[at]
        if (x or plan.all_wild) and x.bit_count() >= least:
            in_lane(s, found, plan, before, at, x, wild, low, high, any_flag(False))
    tried = (s.spent - begun) // STEP
    if tried > MOST_TRIED:
        raise RuleError("too many ways")
    charge(s, (AGAIN - STEP) * max(0, tried - MOST_KEPT))


def lay_exactly(s: Position, found: list[Pair], plan: Plan, cards: int) -> None:
    """`text.melds_of`: the combinations of which some cards are all."""
    size = any_size(cards.bit_count())
    charge(s, STEP * size)
    if not plan.kind.low <= size <= plan.kind.high:
        return
    begun = s.spent
    wild = cards & plan.wild if plan.wild else 0
    own = cards & ~wild
    for at in up_to(len(plan.lanes)):
        if (own or plan.all_wild) and not own & ~plan.lanes[at]:
            x = own & plan.lanes[at]
            in_lane(s, found, plan, earlier(s.program, False), at, x, wild, size, size, any_flag(True))
            if own:
                break
    tried = (s.spent - begun) // STEP
    if tried > MOST_TRIED:
        raise RuleError("too many ways")
    charge(s, (TRIED - STEP) * tried)


def is_meld(s: Position, kind: str, cards: int) -> bool:
    """`meld_library.is_meld`."""
    found = no_melds()
    for plan in plans_of(s.program, (kind,)):
        lay_exactly(s, found, plan, cards)
    return len(found) > 0


# ---- one lane -------------------------------------------------------------------------------------------


def step(s: Position, size: int) -> None:
    """Count a combination, or what one begins with. size: how many cards that are."""
    charge(s, STEP + STEP * (size // MANY))


def in_lane(
    s: Position, found: list[Pair], plan: Plan, before: tuple[int, ...], lane: int, x: int, wild: int, low: int,
    high: int, whole: bool,
) -> None:  # fmt: skip
    """`Search._within`: the combinations of a lane. x: its cards that are not wild."""
    if plan.kind.orders:
        in_order(s, found, plan, before, plan.keys[lane], x, wild, low, high, whole)
    else:
        of_one(s, found, plan, before, plan.keys[lane], x, wild, low, high)


def of_one(
    s: Position, found: list[Pair], plan: Plan, before: tuple[int, ...], key: int, x: int, wild: int, low: int,
    high: int,
) -> None:  # fmt: skip
    """`Search._alike`: cards of one rank, or of one suit."""
    kind = plan.kind
    fewest, most = kind.naturals
    face = plan.number << KIND | (key + 1)
    some, spare = kind.wilds[0], min(wild.bit_count(), kind.wilds[1])
    if some > spare:
        return
    for number in range(max(fewest, low - spare), min(most, high - some, x.bit_count()) + 1):
        own = lowest(x, number)
        while True:
            last = out_of_turn(before, x, own)
            if not last:
                for others in range(max(some, low - number), min(spare, high - number) + 1):
                    step(s, number + others)
                    found.append((face, own | lowest(wild, others) if wild else own))
                last = highest(own)
            own = next_set(x, own, last)
            if not own:
                break


def out_of_turn(before: tuple[int, ...], x: int, own: int) -> int:
    """The lowest of the cards taken before which one that is as good is left, as a bit."""
    if before:
        left = x & ~own
        for card in bits(own):
            if left & before[card]:
                return 1 << card
    return 0


def next_set(x: int, own: int, last: int) -> int:
    """The next way to take as many of some cards, as `combinations` goes through them; nothing after the last.

    last: of those taken the one that gives way first, as a bit; with it go those above.
    """
    while last:
        above, number = x & ~(last | last - 1), (own & ~(last - 1)).bit_count()
        if above.bit_count() >= number:
            return own & last - 1 | lowest(above, number)
        last = highest(own & last - 1)
    return 0


def highest(cards: int) -> int:
    """The highest of some cards, as a bit."""
    return 1 << cards.bit_length() - 1 if cards else 0


def lowest(cards: int, number: int) -> int:
    """So many cards, as bits."""
    found = 0
    for card in bits(cards):
        if number <= 0:
            break
        found |= 1 << card
        number -= 1
    return found


def in_order(
    s: Position, found: list[Pair], plan: Plan, before: tuple[int, ...], key: int, x: int, wild: int, low: int,
    high: int, whole: bool,
) -> None:  # fmt: skip
    """`Search._consecutive`: cards that follow one another."""
    spare = min(wild.bit_count(), plan.kind.wilds[1])
    first = len(found)
    for begin, size in plan.orders:
        new = len(found)
        for at in range(size):
            start, most = begin + at, min(high, size if plan.kind.wrap else size - at)
            charge(s, STEP * (most // MANY))
            if most >= low and (spare or (x & plan.held[start] and x & plan.held[start + low - 1])):
                grow(s, found, plan, before, key, x, wild, low, start, most, spare, whole)
        if len(plan.orders) > 1:
            drop_known(s.program, found, first, new)


def grow(
    s: Position, found: list[Pair], plan: Plan, before: tuple[int, ...], key: int, x: int, wild: int, low: int,
    start: int, most: int, spare: int, whole: bool,
) -> None:  # fmt: skip
    """`Search._grow`: what begins at one place. most: ranks from there on; spare: the wild cards to be used at most."""
    lacks, lack = [0], 0
    for rank in range(start, start + most):
        if not x & plan.held[rank]:
            lack += 1
            if lack > spare:
                break
        lacks.append(lack)
    reached = len(lacks) - 1
    if reached < low:
        return
    kind = plan.kind
    face = plan.number << KIND | start << START | (key + 1)
    taken = [NO_CARD]
    at = own = used = 0
    while True:
        step(s, at)
        if at >= low and kind.naturals[0] <= at - used <= kind.naturals[1] and used >= kind.wilds[0]:
            found.append((face, own | lowest(wild, used) if wild else own))
        last = card = NO_CARD
        further = at < reached and lacks[max(at + 1, low)] - lacks[at] <= spare - used
        while card == NO_CARD:
            if further:
                card = following(before, x & plan.held[start + at], last, spare - used, whole)
            if card == NO_CARD:
                if not at:
                    return
                last = taken.pop()
                at -= 1
                if last == WILD:
                    used -= 1
                else:
                    own &= ~(1 << last)
                further = True
        taken.append(card)
        at += 1
        if card == WILD:
            used += 1
        else:
            own |= 1 << card


def following(before: tuple[int, ...], here: int, last: int, left: int, whole: bool) -> int:
    """What is tried at a rank after a card, or first: its cards, then a wild one, of which so many are left."""
    if last == WILD:
        return NO_CARD
    for card in bits(here):
        if card > last and not (before and here & before[card]):
            return card
    return WILD if left > 0 and not (whole and here) else NO_CARD


# ---- what a meld is -------------------------------------------------------------------------------------


def cards_of(s: Position, meld: Pair | None) -> list[int]:
    """`meld_library.cards_of_meld`."""
    if meld is None:
        return []
    plan = plans(s.program)[meld[0] >> KIND]
    return in_line(plan, meld[0], meld[1])


def in_line(plan: Plan, face: int, cards: int) -> list[int]:
    """The cards of a meld from low to high; of a set the wild ones last."""
    wild = cards & plan.wild
    own = cards & ~wild
    if not plan.kind.orders:
        return [*bits(own), *bits(wild)]
    found = []
    start = face >> START & FIELD
    for at in range(start, start + cards.bit_count()):
        here = own & plan.held[at]
        card = nth_card(here or wild, 0)
        found.append(card)
        if not here:
            wild &= wild - 1
    return found


def number_of_cards(s: Position, meld: Pair | None) -> int | None:
    """`meld_library.size_of_meld`."""
    return None if meld is None else meld[1].bit_count()


def part_of(s: Position, meld: Pair | None, part: int) -> Any:
    """`meld_library.part_of_meld`."""
    if meld is None:
        return None
    plan = plans(s.program)[meld[0] >> KIND]
    return part_of_kind(s.program, plan, meld[0], meld[1], part)


def part_of_kind(program: Program, plan: Plan, face: int, cards: int, part: int) -> Any:
    kind = plan.kind
    if part == PARTS.index("kind"):
        return kind.name
    if part == PARTS.index("suit"):
        return (face & FIELD) - 1 if kind.same == "suit" else None
    if kind.orders:
        start = face >> START & FIELD
        return plan.ranks[start if part == PARTS.index("low") else start + cards.bit_count() - 1]
    if kind.same == "rank":
        return (face & FIELD) - 1
    ranks: list[Any] = [program.card_rank[card] for card in bits(cards & ~plan.wild)]
    if not ranks:
        return None
    return min(ranks) if part == PARTS.index("low") else max(ranks)


def shown(program: Program, meld: Pair) -> list[int]:
    """What puts melds of a kind in order, as `text.by_face`: of each card its face, and what it stands for."""
    plan = plans(program)[meld[0] >> KIND]
    return faces_of(program, plan, meld[0], meld[1])


def faces_of(program: Program, plan: Plan, face: int, cards: int) -> list[int]:
    found = []
    at = face >> START & FIELD
    for card in in_line(plan, face, cards):
        stands = 0
        if plan.wild >> card & 1:
            key = face & FIELD
            rank = plan.ranks[at] + 1 if plan.kind.orders else key if plan.kind.same == "rank" else 0
            stands = 1 + (rank << START) + (key if plan.kind.same == "suit" else 0)
        found.append((program.first_copy[card] << SHOWN) + stands)
        at += 1
    return found
