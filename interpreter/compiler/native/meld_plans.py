"""Kinds of combination as native code looks for them: what is known of each before anybody plays.

A meld is two numbers there: its face (the kind, where in the orders of its kind it starts, its rank or suit), and its
cards as bits. As wild cards are alike, and the lowest are taken first, these say which card stands for what.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from interpreter.compiler.native.not_native import NotNative
from interpreter.compiler.native.sources import names_of
from interpreter.compiler.native.twins import asked_beforehand
from interpreter.engine.melds.combinations import Cards, MeldKind
from interpreter.engine.packets import bits
from interpreter.engine.program import Program
from interpreter.language.asked_melds import MOST_ASKED, asked

Pair = tuple[int, int]
"""A meld: its face and its cards."""

KIND, START = 12, 6
"""Where in a face the number of the kind begins, and where its start; below that lies the key, and one more."""
FIELD = (1 << START) - 1
"""The bits of a key, or of a start."""
SHOWN = KIND + 1
"""Where a card begins in what is shown of it; below that lies what it stands for, 0 where that is itself."""
STANDS = (1 << SHOWN) - 1
MOST_KINDS = 64
CHOOSING = frozenset(("melds_apart_in",))
"""What chooses as many melds together as somebody likes."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A kind. number: its place among all by name. wild: the cards that may stand for others, as bits.

    lanes: cards within which a combination lies, but for wild ones; keys: their rank or suit, or -1. orders: where each
    order begins in `ranks`, and how many ranks it has; held: for each of `ranks` its cards, as bits, but for wild ones.
    In an order that goes round each rank stands there twice.
    """

    kind: MeldKind
    number: int
    wild: int
    lanes: tuple[int, ...]
    keys: tuple[int, ...]
    orders: tuple[tuple[int, int], ...]
    ranks: tuple[int, ...]
    held: tuple[int, ...]

    @property
    def all_wild(self) -> bool:
        """Whether all of its cards may be wild."""
        return self.kind.naturals[0] == 0


def cards_of(program: Program) -> Cards:
    """What is known of the cards of a game."""
    return Cards(program.card_rank, program.card_suit, program.first_copy)


@asked_beforehand
@lru_cache(maxsize=16)
def plans(program: Program) -> tuple[Plan, ...]:
    """The kinds of a game, by name. Raises NotNative where there are some that only the Python lane knows."""
    if len(program.melds) > MOST_KINDS:
        raise NotNative("too many kinds of meld")
    cards = cards_of(program)
    for alike in (cards.alike, cards.by_rank.alike):
        if list(alike) != sorted(alike):
            raise NotNative("cards that are alike and lie apart")
    return tuple(_plan(program, name, number) for number, name in enumerate(sorted(program.melds)))


@asked_beforehand
@lru_cache(maxsize=64)
def plans_of(program: Program, kinds: tuple[str, ...]) -> tuple[Plan, ...]:
    """Some kinds of a game, in the order in which they are named."""
    return tuple(plan for name in kinds for plan in plans(program) if plan.kind.name == name)


def wanted_by(program: Program, tables: Iterable[Any]) -> dict[str, tuple[int, int, int]]:
    """What is asked for -> the number of the kind, and from how many cards to how many.

    tables: all that functions of the program know by a name; the texts in them are looked through.
    """
    numbers = {plan.kind.name: plan.number for plan in plans(program)}
    found = {}
    todo = list(tables)
    while todo:
        value = todo.pop()
        if isinstance(value, tuple):
            todo += value
        elif isinstance(value, str) and (one := asked(value)) is not None and one.kind in numbers:
            found[value] = numbers[one.kind], one.low, one.high
    return found


def most_together(program: Program) -> int:
    """How many melds are chosen together at most: those that are asked for, as far as these are known."""
    tables = [table for code in program.melds.values() for table in code.wild.__globals__.values()]
    most, todo = 0, [table for table in tables if isinstance(table, tuple)]
    while todo:
        rows = todo.pop()
        most = max(most, sum(isinstance(row, str) and asked(row) is not None for row in rows))
        todo += [row for row in rows if isinstance(row, tuple)]
    return most if 0 < most < MOST_ASKED and not names_of(program.text) & CHOOSING else MOST_ASKED


@asked_beforehand
@lru_cache(maxsize=16)
def copies_of(program: Program) -> tuple[int, ...]:
    """Card -> all that are equal, as bits."""
    return tuple(program.copies[first] for first in program.first_copy)


@asked_beforehand
@lru_cache(maxsize=64)
def earlier(program: Program, by_rank: bool, single: bool = False) -> tuple[int, ...]:
    """Card -> the cards before it that are as good, as bits; nothing where each card is one by itself."""
    cards = cards_of(program)
    alike = (cards.as_single if single else cards.by_rank if by_rank else cards).alike
    found = tuple(_bits_of(range(card), alike, same) for card, same in enumerate(alike))
    return found if any(found) else ()


def _bits_of(cards: Sequence[int], alike: Sequence[int], same: int) -> int:
    return sum(1 << card for card in cards if alike[card] == same)


def _plan(program: Program, name: str, number: int) -> Plan:
    code = program.melds[name]
    kind = code.kind
    if kind.parts:
        raise NotNative("melds that consist of parts")
    if kind.each > 1:
        raise NotNative("melds of several cards of each rank that follow one another")
    try:
        wild = code.wild(None)  # type: ignore[arg-type]  # whoever is wild at any time does not ask the match
    except AttributeError:
        raise NotNative("wild cards that change") from None
    if len({program.first_copy[card] for card in bits(wild)}) > 1:
        raise NotNative("wild cards that differ")
    of_rank: dict[int, int] = {}
    of_suit: dict[int, int] = {}
    for card, (rank, suit) in enumerate(zip(program.card_rank, program.card_suit, strict=True)):
        if rank is not None and suit is not None and not wild >> card & 1:
            of_rank[rank] = of_rank.get(rank, 0) | 1 << card
            of_suit[suit] = of_suit.get(suit, 0) | 1 << card
    whole = {-1: sum(of_rank.values())}
    lanes = dict(sorted((of_rank if kind.same == "rank" else of_suit if kind.same == "suit" else whole).items()))
    ranks: list[int] = []
    orders = []
    for order in kind.orders:
        orders.append((len(ranks), len(order)))
        ranks += order * 2 if kind.wrap else order
    if len(ranks) > FIELD or max(len(program.ranks), len(program.suits)) >= FIELD:
        raise NotNative("too many ranks")
    held = tuple(of_rank.get(rank, 0) for rank in ranks)
    return Plan(kind, number, wild, tuple(lanes.values()), tuple(lanes), tuple(orders), tuple(ranks), held)
