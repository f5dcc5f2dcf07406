"""The constants that the generated text of a game refers to: cards, suits, ranks, seats, teams, places."""

from __future__ import annotations

from typing import Any

from interpreter.base.english import NUMBER_WORDS
from interpreter.compiler.layout import NAMED_RANKS, Layout
from interpreter.compiler.place_labels import all_places
from interpreter.engine.events import Passages


def constants_of(layout: Layout) -> dict[str, Any]:
    model = layout.model
    suits: dict[int | None, int] = {None: 0, **dict.fromkeys(range(len(model.suits)), 0)}
    ranks: dict[int | None, int] = {None: 0, **dict.fromkeys(range(len(model.ranks)), 0)}
    for card, (suit, rank) in enumerate(zip(layout.card_suit, layout.card_rank, strict=True)):
        suits[suit] |= 1 << card
        ranks[rank] |= 1 << card
    colours: dict[Any, int] = {None: suits[None]}
    for at, suit_def in enumerate(model.suits):
        colours[suit_def.colour] = colours.get(suit_def.colour, 0) | suits[at]
    copies: dict[Any, int] = {-1: 0, None: 0}
    for card, first in enumerate(layout.first_copy):
        copies[first] = copies.get(first, 0) | 1 << card
    teams, cards, places = layout.teams, tuple(layout.cards), all_places(layout)
    return dict(
        SUIT=tuple(layout.card_suit), RANK=tuple(layout.card_rank), CARDS=cards,
        COLOUR=tuple(None if s is None else model.suits[s].colour for s in layout.card_suit),
        SUITS=tuple(s.name for s in model.suits), RANKS=model.ranks, COLOUR_OF=tuple(s.colour for s in model.suits),
        RANK_WORDS=tuple(rank_word(r) for r in model.ranks), NUMBERS=tuple(NUMBER_WORDS),
        IN_SUIT=suits, IN_RANK=ranks, IN_COLOUR=colours, COPIES=copies, FIRST=tuple(layout.first_copy),
        P=tuple(range(layout.n)), LEFT=tuple((p + 1) % layout.n for p in range(layout.n)),
        RIGHT=tuple((p - 1) % layout.n for p in range(layout.n)), TEAM=teams, PACK=(1 << len(layout.cards)) - 1,
        MEMBERS=tuple(tuple(p for p in range(layout.n) if teams[p] == team) for team in range(layout.team_count)),
        PLACES=places, PASSAGES=Passages(cards, places),
    )  # fmt: skip


def rank_word(rank: str) -> str:
    if rank.isdigit() and int(rank) < len(NUMBER_WORDS):
        return NUMBER_WORDS[int(rank)].capitalize()
    return NAMED_RANKS.get(rank, rank)
