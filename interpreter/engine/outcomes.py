"""Outcomes of chance that were fixed beforehand, by the place where they come about."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from interpreter.base.diagnostics import suggest
from interpreter.base.signs import shortened
from interpreter.engine.chance import ChanceError
from interpreter.engine.position import Position

CHANCE_PLACES = ("shuffle", "first dealer", "draw", "random", "deck")
"""Where chance can be fixed beforehand."""


def outcomes_of(chance: Mapping[str, Any], stages: Collection[str]) -> dict[str, list[Any]]:
    """Fixed outcomes as lists by place: `shuffle deal`, `first dealer`, `draw`, `random`, `deck`.

    stages: the names after which a shuffle can be called. Raises ChanceError.
    """
    found: dict[str, list[Any]] = {}
    for place, value in chance.items():
        if place not in CHANCE_PLACES:
            hint = suggest(str(place), CHANCE_PLACES, "places")
            raise ChanceError(f"chance: there is no '{shortened(str(place))}'; {hint}")
        if place == "shuffle":
            if not isinstance(value, Mapping):
                raise ChanceError("chance: write the order of a shuffle by its stage, {shuffle: {deal: [2C, ...]}}")
            for stage, orders in value.items():
                several = isinstance(orders, list | tuple) and orders and isinstance(orders[0], list | tuple)
                if stage not in stages:
                    hint = suggest(str(stage), stages, "stages")
                    raise ChanceError(f"chance: no stage is called '{shortened(str(stage))}'; {hint}")
                listed = orders if several else [orders]
                found[f"shuffle {stage}"] = [_cards(order, f"the shuffle of {stage}") for order in listed]
        else:
            cards = _cards(value, place)
            found[place] = [cards] if place == "deck" else cards
    return found


def _cards(value: Any, what: str) -> list[str]:
    """Cards or other outcomes, in order. Raises ChanceError."""
    if isinstance(value, str):
        return value.replace(",", " ").split()
    if not isinstance(value, Sequence):
        raise ChanceError(f"{what}: a list is needed, not {shortened(repr(value))}")
    return [str(v) for v in value]


def take_chance(s: Position, place: str) -> Any:
    """The next outcome that was fixed for a place, or None."""
    given = s.chance.get(place)
    return given.pop(0) if given else None


def no_outcome(s: Position, place: str, why: str) -> ChanceError:
    """The error of the outcome that was taken last for a place."""
    return ChanceError(f"{place}: {why}", place, len(s.chance.get(place, ())))


def take_shuffle(s: Position, stage: str, kept: Sequence[int]) -> list[int] | None:
    """Cards in the order that was fixed (given top first), the others below in the order of their numbers."""
    place = f"shuffle {stage}"
    names: list[str] | None = take_chance(s, place)
    if names is None:
        place = "deck"
        names = take_chance(s, place)
    if names is None:
        return None
    left = sorted(kept)
    top = []
    for name in names:
        card = card_among(s, name, left, place)
        left.remove(card)
        top.append(card)
    return left[::-1] + top[::-1]


def card_among(s: Position, name: str, cards: Sequence[int], place: str) -> int:
    """The card that was fixed for a place of chance, among those that can come there. Raises ChanceError."""
    wanted = s.program.by_name.get(name.upper())
    for card in cards:
        if wanted is not None and s.program.first_copy[card] == wanted:
            return card
    raise no_outcome(s, place, f"'{shortened(name)}' is not among the cards that can come here")
