"""Melds as moves tell them: cards low to high, `JK=5H` for one that stands for another; several parted by strokes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from interpreter.engine.budget import charge
from interpreter.engine.melds.combinations import Face, Meld, MeldKind
from interpreter.engine.melds.meld_code import MeldCode
from interpreter.engine.melds.search import MANY, STEP, TRIED
from interpreter.engine.packets import mask_of_packet
from interpreter.engine.position import Position
from interpreter.engine.program import Program
from interpreter.engine.rule_errors import RuleError
from interpreter.language.asked_melds import MOST_CARDS, asked

STANDS = "="
"""Between a wild card and what it stands for."""


def meld_text(program: Program, meld: Meld) -> str:
    """A meld as moves write it. What has been written is kept: many ways to choose several have it in common."""
    code = program.melds[meld.kind]
    text = code.texts.get(meld)
    if text is None:
        pairs = zip(meld.cards, meld.stands, strict=True)
        words = [program.cards[c] + ("" if f is None else STANDS + face_text(program, f)) for c, f in pairs]
        text = " ".join(words)
        code.search.kept.keep(code.texts, meld, text, 1 + len(words) // MANY)
    return text


def say_asked(asked_for: Iterable[str]) -> str:
    """Melds that are asked for together as people say them: `set of 3, run of 4 or more`."""
    said = []
    for one in filter(None, map(asked, asked_for)):
        size = f"{one.low}" if one.low == one.high else f"{one.low} to {one.high}"
        said.append(f"{one.kind.replace('_', ' ')} of {f'{one.low} or more' if one.high == MOST_CARDS else size}")
    return ", ".join(said)


def say_melds(s: Position, melds: Iterable[Meld | None]) -> str:
    """Melds as people say them."""
    return ", ".join(["no meld" if meld is None else meld_text(s.program, meld) for meld in melds]) or "no meld"


def face_text(program: Program, face: Face) -> str:
    """What a wild card stands for: `5H`, or only the rank or the suit where the other does not count."""
    rank, suit = face
    return ("" if rank is None else program.ranks[rank]) + ("" if suit is None else program.letters[suit])


def by_face(program: Program, meld: Meld) -> tuple[Any, ...]:
    """What puts several melds in order: the kind, then the faces of the cards with what they stand for."""
    pairs = zip(meld.cards, meld.stands, strict=True)
    faces = [(program.first_copy[c], *((-1 if x is None else x) for x in f or ())) for c, f in pairs]
    return meld.kind, tuple(faces)


def in_order_of_faces(program: Program, melds: Iterable[Meld]) -> tuple[Meld, ...]:
    """Several melds as one value, in whatever order they come."""
    return tuple(sorted(melds, key=lambda meld: by_face(program, meld)))


def read_meld(s: Position, kinds: Sequence[str], words: Iterable[str]) -> Meld | None:
    """The meld that words mean, in whatever order: of several that fit the first; None if it is none.

    What a wild card stands for may be left out.
    """
    program = s.program
    cards: list[int] = []
    wanted: dict[int, list[str]] = {}
    copies: Counter[int] = Counter()
    for word in words:
        shown, stands, face = word.partition(STANDS)
        first = program.by_name.get(shown.upper())
        if first is None:
            return None
        same = program.copies[first]
        for _ in range(copies[first]):
            same &= same - 1
        if not same:
            return None
        copies[first] += 1
        cards.append((same & -same).bit_length() - 1)
        if stands:
            known = program.by_name.get(face.upper())
            wanted.setdefault(first, []).append(face.upper() if known is None else program.cards[known].upper())
    mask = mask_of_packet(cards)
    found: Meld | None = None
    for name in kinds:
        code = program.melds[name]
        with suppress(RuleError):  # what could be read in too many ways is not read
            for meld in melds_of(s, code, mask):
                if _is_told(program, meld, wanted):
                    return meld
                if found is None and _stands_for(program, meld, wanted):
                    found = meld
    return found


def melds_of(s: Position, code: MeldCode, cards: int) -> tuple[Meld, ...]:
    """The melds of a kind that some cards are, all of them. Raises RuleError where it takes too much to find them."""
    charge(s, STEP * cards.bit_count())
    try:
        found = code.search.exactly(cards, code.wild(s))
    finally:  # also of a search that is given up
        s.spent += TRIED * code.search.tried
    charge(s, 0)
    return found


def read_asked(s: Position, asked_for: Sequence[str], groups: Sequence[Sequence[str]]) -> list[Meld] | None:
    """The melds asked for together that groups of words mean, in whatever order; None if they are others."""
    if len(groups) != len(asked_for):
        return None
    if not groups:
        return []
    for at, text in enumerate(asked_for):
        one = asked(text)
        assert one is not None, "options are looked at"
        meld = read_meld(s, (one.kind,), groups[0]) if one.low <= len(groups[0]) <= one.high else None
        if meld is not None:
            rest = read_asked(s, [*asked_for[:at], *asked_for[at + 1 :]], groups[1:])
            if rest is not None:
                return [meld, *rest]
    return None


def _stands_for(program: Program, meld: Meld, wanted: Mapping[int, Sequence[str]]) -> bool:
    """Whether the cards of a meld stand for what is said of them, as far as anything is."""
    stood = _stood(program, meld)
    return not any(Counter(faces) - Counter(stood.get(card, ())) for card, faces in wanted.items())


def _is_told(program: Program, meld: Meld, wanted: Mapping[int, Sequence[str]]) -> bool:
    """Whether it is said of every card that stands for another what it stands for."""
    stood = _stood(program, meld)
    return wanted.keys() == stood.keys() and all(sorted(wanted[card]) == sorted(stood[card]) for card in stood)


def _stood(program: Program, meld: Meld) -> dict[int, list[str]]:
    """The cards that stand for others, by the first of equal ones -> what they stand for."""
    found: dict[int, list[str]] = {}
    for card, face in zip(meld.cards, meld.stands, strict=True):
        if face is not None:
            found.setdefault(program.first_copy[card], []).append(face_text(program, face).upper())
    return found


def named_meld(s: Position, meld: Meld) -> Meld:
    """A meld as moves name it: of equal cards with the first."""
    program = s.program
    if not program.multi:
        return meld
    code = program.melds[meld.kind]
    if code.kind.parts:
        return read_meld(s, (meld.kind,), meld_text(program, meld).split()) or meld
    named = code.named.get(meld)
    if named is None:
        named = _with_first_copies(program, code.kind, meld)
        code.search.kept.keep(code.named, meld, named, 1 + len(meld.cards) // MANY)
    return named


def _with_first_copies(program: Program, kind: MeldKind, meld: Meld) -> Meld:
    """A meld that has no parts with the first of equal cards, in the order of its faces."""
    first, cards, stands = program.first_copy, meld.cards, meld.stands
    together = kind.each if kind.orders else len(cards)  # so many cards stand in the order of their faces
    if together > 1:
        pairs, shown = list(zip(cards, stands, strict=True)), []
        for at in range(0, len(pairs), together):
            shown += sorted(pairs[at : at + together], key=lambda pair: (pair[1] is not None, first[pair[0]]))
        cards, stands = tuple([card for card, _ in shown]), tuple([face for _, face in shown])
    left: dict[int, int] = {}
    named = []
    for card in cards:
        face = first[card]
        same = left.get(face) or program.copies[face]
        left[face] = same & (same - 1)
        named.append((same & -same).bit_length() - 1)
    return Meld(meld.kind, tuple(named), stands, *meld[3:])


def real_meld(s: Position, cards: int, meld: Meld) -> Meld | None:
    """The meld of some cards that is meant by its faces; None if they are not all there."""
    program, left = s.program, cards
    real: dict[int, int] = {}
    for card in meld.cards:
        same = program.copies[program.first_copy[card]] & left
        if not same:
            return None
        low = same & -same
        left ^= low
        real[card] = low.bit_length() - 1
    return meld._replace(cards=tuple([real[card] for card in meld.cards]))
