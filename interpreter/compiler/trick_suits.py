"""Which suit and rank a card has in a stage of tricks, and what it is to have none of a suit."""

from __future__ import annotations

from interpreter.language import typed as t
from interpreter.language.model import Model, StageDef
from interpreter.language.tree import replace
from interpreter.language.typed import Typed, walk

CARD = "card"
"""What the suit and the rank of a stage of tricks are about."""


def suit_in(stage: StageDef, card: Typed) -> Typed:
    """The suit of a card in a stage of tricks: none of a trump where trumps are no suit."""
    suit = stage.suit if stage.suit is not None else t.Op("suit", (card,), t.SUIT, stage.span)
    if stage.trump_when is None:
        return suit
    none = t.Const(None, t.NONE, stage.span)
    return t.If(stage.trump_when, none, suit, replace(t.SUIT, optional=True), stage.span)


def rank_in(stage: StageDef, card: Typed) -> Typed:
    """How high a card is in a stage of tricks."""
    return stage.rank if stage.rank is not None else t.Op("rank", (card,), t.RANK, stage.span)


def held_of_suit(model: Model, node: t.Op) -> t.Quant:
    """`void in SUIT` the other way round: some card of the hand from which tricks are played has that suit there."""
    suit, whose = node.args
    stage, own = _trick_stage(model, node.name), t.Local(CARD, t.CARD, node.span)
    found = suit_in(stage, own)
    if any(isinstance(part, t.Local) and part.name == CARD for part in walk(suit)):  # about another card
        own = t.Local(f"{CARD}·held", t.CARD, node.span)
        found = _about(own, found)
    hand = t.ZoneRef(stage.source_zone, (whose,), t.CARDS, node.span)
    same = t.Op("=", (found, suit), t.FLAG, node.span)
    return t.Quant("any", own.name, t.CARD, hand, None, same, t.FLAG, node.span)


def _about(card: t.Local, node: Typed) -> Typed:
    """What is said of a card, of one by another name."""
    if isinstance(node, t.Local):
        return card if node.name == CARD else node
    return t.rebuilt(node, lambda inner: _about(card, inner))  # type: ignore[no-any-return]


def _trick_stage(model: Model, name: str) -> StageDef:
    """The stage of tricks that is meant: the one whose rules these are, else the first there is."""
    stages = [stage for stage in model.stages.values() if stage.kind == "trick"]
    return next((stage for stage in stages if stage.name == name), stages[0])
