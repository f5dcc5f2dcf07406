"""Melds that lie on the table, as native code keeps them: face and cards for each place of which the rules ask."""

from __future__ import annotations

from functools import lru_cache

from interpreter.compiler.native.meld_plans import FIELD, KIND, SHOWN, STANDS, START, Pair, Plan, plans
from interpreter.compiler.native.meld_search import any_face, faces_of, in_line, lay_exactly, no_melds, up_to
from interpreter.compiler.native.twins import asked_beforehand
from interpreter.engine.budget import charge
from interpreter.engine.melds.laid import COMPARED
from interpreter.engine.packets import as_mask
from interpreter.engine.position import Position
from interpreter.engine.program import Program

NO_MELD: Pair = (-1, 0)


@asked_beforehand
@lru_cache(maxsize=16)
def laid_places(program: Program) -> tuple[int, ...]:
    """The places of which the rules ask which meld lies there, in the order in which `s.laid` keeps them."""
    return tuple(sorted(program.meld_places))


@asked_beforehand
@lru_cache(maxsize=16)
def numbers_of_places(program: Program) -> tuple[int, ...]:
    """Place -> its number among those; -1 for others."""
    places = laid_places(program)
    return tuple(places.index(place) if place in places else -1 for place in range(len(program.places)))


def lay_meld(s: Position, meld: Pair | None, place: int) -> None:
    """`laid.lay_meld`."""
    at = numbers_of_places(s.program)[place]
    if meld is not None and at >= 0:
        lay_at(s, at, (meld[0], meld[1]))


def meld_at(s: Position, place: int) -> Pair | None:
    """`laid.meld_at`."""
    at = numbers_of_places(s.program)[place]
    if at < 0:
        return None
    face, cards = laid_at(s, at)
    if face >= 0:
        face, cards = continued(s, face, cards, as_mask(s.z[place]))
    return (face, cards) if face >= 0 else None


def laid_at(s: Position, at: int) -> Pair:
    """What `s.laid` keeps of the place of a number, `NO_MELD` if nothing; where sets share their room, these do."""
    found: Pair = s.laid[at]  # type: ignore[assignment]
    return found


def lay_at(s: Position, at: int, meld: Pair) -> None:
    """Keep that, likewise."""
    s.laid[at] = meld  # type: ignore[assignment]


def renew_melds(s: Position) -> None:
    """`laid.renew_melds`."""
    for at in up_to(len(laid_places(s.program))):
        face, cards = laid_at(s, at)
        if face >= 0:
            now = as_mask(s.z[laid_places(s.program)[at]])
            if now != cards:
                lay_at(s, at, continued(s, face, cards, now))


def meld_extends(s: Position, meld: Pair | None, card: int | None) -> bool:
    """`laid.meld_extends`."""
    if meld is None or card is None or card < 0 or meld[1] >> card & 1:
        return False
    return continued(s, meld[0], meld[1], meld[1] | 1 << card)[0] >= 0


def continued(s: Position, face: int, cards: int, now: int) -> Pair:
    """`laid.continued`: the meld that other cards are; `NO_MELD` if they are none."""
    if now == cards:
        return face, cards
    own = any_face(face)
    plan = plans(s.program)[own >> KIND]
    return continued_as(s, plan, own, cards, now)


def continued_as(s: Position, plan: Plan, face: int, cards: int, now: int) -> Pair:
    found = no_melds()
    lay_exactly(s, found, plan, now)
    charge(s, COMPARED * len(found))
    for after in found:
        if goes_on(s.program, plan, faces_of(s.program, plan, face, cards), after):
            return after
    return NO_MELD


def goes_on(program: Program, plan: Plan, gone: list[int], after: Pair) -> bool:
    """Whether what has stayed of a meld stands for what it did, and cards have come for which wild ones stood.

    gone: how the meld before showed its cards, of which those are taken that have stayed.
    """
    come = []
    for one in faces_of(program, plan, after[0], after[1]):
        if one in gone:
            gone.remove(one)
        else:
            come.append(one)
    for one in gone:
        stands = one & STANDS
        if not stands or not has_come(program, stands, come):
            return False
        for other in come:
            if one >> SHOWN == other >> SHOWN:
                return False
    return True


def has_come(program: Program, stands: int, come: list[int]) -> bool:
    """Whether the card has come for which a wild one stood."""
    return any(not one & STANDS and is_face(program, stands, one >> SHOWN) for one in come)


def is_face(program: Program, stands: int, card: int) -> bool:
    """Whether a card is what a wild one stands for. stands: as `faces_of` says it."""
    rank, suit = (stands - 1) >> START, (stands - 1) & FIELD
    return (not rank or program.card_rank[card] == rank - 1) and (not suit or program.card_suit[card] == suit - 1)


def replaced_wild(s: Position, meld: Pair | None, card: int | None) -> int | None:
    """`laid.replaced_wild`."""
    if meld is None or card is None or card < 0:
        return None
    own = any_face(meld[0])
    plan = plans(s.program)[own >> KIND]
    return replaced(s.program, plan, own, meld[1], card)


def replaced(program: Program, plan: Plan, face: int, cards: int, card: int) -> int | None:
    for one, wild in zip(faces_of(program, plan, face, cards), in_line(plan, face, cards), strict=True):
        if one & STANDS and is_face(program, one & STANDS, card):
            return wild
    return None
