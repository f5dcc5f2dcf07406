"""Kinds of combination as the program knows them."""

from __future__ import annotations

from interpreter.compiler.linking.linked import Linked
from interpreter.compiler.meld_kinds import kinds_of, wild_among
from interpreter.engine.melds.combinations import Cards
from interpreter.engine.melds.meld_code import MeldCode
from interpreter.engine.melds.search import Kept, Search
from interpreter.language.check.openness import is_open


def meld_codes(of: Linked) -> dict[str, MeldCode]:
    """The kinds by name, each with what finds its melds."""
    layout = of.layout
    cards = Cards(tuple(layout.card_rank), tuple(layout.card_suit), tuple(layout.first_copy))
    kept = Kept()
    return {
        kind.name: MeldCode(
            kind, of.names[f"wild·{kind.name}"],
            Search(kind, cards, kept), Search(kind, cards.by_rank, kept), Search(kind, cards.as_single, kept),
            all(is_open(wild_among(part), layout.model) for part in (own, *own.parts)),
            kept.of_search(), kept.of_search(),
        )
        for kind, own in zip(kinds_of(layout), layout.model.melds.values(), strict=True)
    }  # fmt: skip
