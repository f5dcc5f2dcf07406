"""Melds that lie on the table: what was laid as one stays one while cards are laid off on it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from interpreter.engine.budget import charge
from interpreter.engine.melds.combinations import Face, Meld
from interpreter.engine.melds.meld_code import wilds_are_known
from interpreter.engine.melds.text import melds_of
from interpreter.engine.packets import as_mask, mask_of_packet
from interpreter.engine.position import Position

COMPARED = 300
"""What it counts among the steps of a move to compare a meld with one that lies there."""


def lay_meld(s: Position, meld: Meld | None, place: int) -> None:
    """A place holds a meld from now on, unless other cards lie there that are no part of it."""
    if meld is not None:
        s.laid[place] = meld


def meld_at(s: Position, place: int) -> Meld | None:
    """The meld that lies at a place, with what was laid off on it; None if other cards came or some are gone."""
    meld = s.laid.get(place)
    return None if meld is None else continued(s, meld, as_mask(s.z[place]))


def meld_shown(s: Position, place: int) -> Meld | None:
    """The meld that lies at a place, where all know which cards are wild: else it would tell which are."""
    if place not in s.laid or not wilds_are_known(s.program.melds):
        return None
    return meld_at(s, place)


def renew_melds(s: Position) -> None:
    """Keep the melds that lie on the table as they are when a move is done."""
    for place, meld in list(s.laid.items()):
        found = continued(s, meld, as_mask(s.z[place]))
        if found is None:
            del s.laid[place]
        else:
            s.laid[place] = found


def meld_extends(s: Position, meld: Meld | None, card: int | None) -> bool:
    """Whether a meld with a card besides is one of its kind, in which all others stand for what they did."""
    if meld is None or card is None or card < 0:
        return False
    cards = mask_of_packet(meld.cards)
    return not cards >> card & 1 and continued(s, meld, cards | 1 << card) is not None


def replaced_wild(s: Position, meld: Meld | None, card: int | None) -> int | None:
    """The wild card of a meld that stands for a card, the first of several; None if none does."""
    if meld is None or card is None or card < 0:
        return None
    program = s.program
    for wild, face in zip(meld.cards, meld.stands, strict=True):
        if face is not None and _is_face(face, program.card_rank[card], program.card_suit[card]):
            return wild
    return None


def _is_face(face: Face, rank: int | None, suit: int | None) -> bool:
    return face[0] in (None, rank) and face[1] in (None, suit)


def continued(s: Position, meld: Meld, cards: int) -> Meld | None:
    """The meld of its kind that cards are in which each of its own stands for what it did; None if they are none.

    A wild card may be gone where the card has come for which it stood.
    """
    if cards == mask_of_packet(meld.cards):
        return meld
    before = _shown(s, meld)
    ways = melds_of(s, s.program.melds[meld.kind], cards)
    charge(s, COMPARED * len(ways))
    for found in ways:
        after = _shown(s, found)
        gone, come = before - after, after - before
        taken = Counter(card for card, _ in before.elements()) - Counter(card for card, _ in after.elements())
        if taken == Counter(card for card, _ in gone.elements()):  # what has stayed stands for what it did
            if all(face is not None and _has_come(s, face, come) for _, face in gone.elements()):
                return found
    return None


def recognise_melds(s: Position) -> None:
    """Cards that lie where the rules ask for a meld are one, if they can be: of the kind that is declared first."""
    for place in s.program.meld_places:
        cards = as_mask(s.z[place])
        for code in s.program.melds.values():
            for meld in melds_of(s, code, cards)[:1]:
                s.laid.setdefault(place, meld)


def as_data(s: Position) -> list[Any]:
    """The melds on the table as JSON data: place, kind, and each card with what it stands for."""
    return [[place, meld.kind, *zip(meld.cards, meld.stands, strict=True)] for place, meld in sorted(s.laid.items())]


def _shown(s: Position, meld: Meld) -> Counter[tuple[int, Face | None]]:
    first = s.program.first_copy
    return Counter((first[c], face) for c, face in zip(meld.cards, meld.stands, strict=True))


def _has_come(s: Position, face: Face, come: Counter[tuple[int, Face | None]]) -> bool:
    """Whether the card has come for which a wild one stood."""
    ranks, suits = s.program.card_rank, s.program.card_suit
    return any(stands is None and _is_face(face, ranks[card], suits[card]) for card, stands in come)
