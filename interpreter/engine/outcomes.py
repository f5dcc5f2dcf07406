"""Outcomes of chance that do not follow from a seed, by the place where they come about.

They were fixed beforehand, or are drawn from the operating system when they come about.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from typing import Any

from interpreter.base.arithmetic import whole
from interpreter.base.diagnostics import suggest
from interpreter.base.signs import shortened
from interpreter.engine.budget import charge
from interpreter.engine.chance import ChanceError
from interpreter.engine.notation import place_text
from interpreter.engine.position import Position
from interpreter.engine.program import RuleError
from interpreter.engine.sight import cards_at

CHANCE_PLACES = ("shuffle", "first dealer", "draw", "random", "deck")
"""Where chance can be fixed beforehand."""
PLACE = 5
"""Steps that count for a place that is looked through for equal cards."""
MOST_DRAWN = 800_000
"""Letters of what is drawn for one match: the first line of its record tells it, with everything else about it."""


class Outside(dict[str, Any]):
    """Outcomes that are drawn from the operating system's source, where nothing else is fixed.

    It is given to a start in place of fixed outcomes, and holds what has come about, in the form that fixes it: a match
    that is started with that, and makes the same moves, goes the same way. So the seed of such a match tells nothing.
    """

    def outcomes(self, place: str) -> list[Any]:
        """What has come about at a place; the list is the one that is kept."""
        kind, _, stage = place.partition(" ")
        if kind != "shuffle":
            found: list[Any] = self.setdefault(place, [])
            return found
        return self.setdefault(kind, {}).setdefault(stage, [])  # type: ignore[no-any-return]


class Drawing(dict[str, list[Any]]):
    """The outcomes that a position has not come to yet, of which there are always more: the next one is drawn.

    A copy of the position has only those that are fixed, so that what is tried out there tells nothing of what comes.
    """

    def __init__(self, fixed: Mapping[str, list[Any]], came: Outside) -> None:
        super().__init__(fixed)
        self.came = came
        self._letters = _letters(came)

    def __bool__(self) -> bool:
        return True

    def draw(self, place: str, options: Sequence[str]) -> Any:
        """One of several outcomes, or of a shuffle their order; it is kept. Raises RuleError where there is no room."""
        found: Any
        if place.startswith("shuffle "):
            found = list(options)  # of a place in which nothing lies, too
            secrets.SystemRandom().shuffle(found)
        else:
            found = secrets.choice(options)
        self.keep(place, found)
        return found

    def keep(self, place: str, found: Any) -> None:
        """Keep what has come about. Raises RuleError where there is no room."""
        letters = self._letters + _letters(found)
        if letters > MOST_DRAWN:
            raise RuleError("more has been shuffled and drawn in this match than its record can hold")
        self._letters = letters
        self.came.outcomes(place).append(found)

    def forget(self) -> None:
        """Whatever was to come about next will be drawn anew."""
        for place, waiting in self.items():
            kept = self.came.outcomes(place)
            del kept[len(kept) - len(waiting) :]
        self.clear()
        self._letters = _letters(self.came)


def _letters(outcomes: Any) -> int:
    """How many letters outcomes take in a record, with what stands between them."""
    return len(json.dumps(outcomes, separators=(",", ":"), ensure_ascii=False)) + 1


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


def take_chance(s: Position, place: str, options: Callable[[], Sequence[str]]) -> Any:
    """The next outcome that was fixed for a place, or that is drawn there from outside; None where the seed tells it.

    options: what can come about, as it would be fixed.
    """
    given = s.chance.get(place)
    if given:
        return given.pop(0)
    return s.chance.draw(place, options()) if type(s.chance) is Drawing else None


def no_outcome(s: Position, place: str, why: str) -> ChanceError:
    """The error of the outcome that was taken last for a place."""
    return ChanceError(f"{place}: {why}", place, len(s.chance.get(place, ())))


def take_shuffle(s: Position, stage: str, kept: Sequence[int]) -> list[int] | None:
    """Cards in the order that was fixed (given top first), the others below in the order of their numbers."""
    place = f"shuffle {stage}"
    if not s.chance.get(place) and s.chance.get("deck"):
        place = "deck"
    names: list[str] | None = take_chance(s, place, lambda: _names(s, kept))
    if names is None:
        return None
    left = sorted(kept)
    top = []
    for name in names:
        card = card_among(s, name, left, place)
        left.remove(card)
        top.append(card)
    return left[::-1] + top[::-1]


def take_card(s: Position, place: str, cards: Sequence[int]) -> int | None:
    """The card that comes about among several; None where the seed tells it. Raises ChanceError."""
    given = s.chance.get(place)
    if given:
        return card_among(s, str(given.pop(0)), cards, place)
    if type(s.chance) is not Drawing:
        return None
    card = secrets.choice(cards)
    s.chance.keep(place, _told_apart(s, card, cards))
    return card


def _names(s: Position, cards: Sequence[int]) -> list[str]:
    return [s.program.cards[card] for card in cards]


def _told_apart(s: Position, card: int, cards: Sequence[int]) -> str:
    """A card as it is fixed where it comes about among others: of equal ones also with the place where it lies, as
    moves name it (`AC@hand.P2`), and its number among those that lie there (`AC#2`), as far as it needs them."""
    first, name = s.program.first_copy, s.program.cards[card]
    equal = {one for one in cards if first[one] == first[card]}
    if len(equal) == 1:
        return name
    charge(s, PLACE * len(s.z) + len(s.program.cards))
    lying = _as_they_lie(s, equal)
    place = next(at for at, one in lying if one == card)
    there = [one for at, one in lying if at == place]
    where = f"@{place_text(s.program, place)}" if len(there) < len(lying) else ""
    return name + where + (f"#{there.index(card) + 1}" if len(there) > 1 else "")


def _as_they_lie(s: Position, cards: Container[int]) -> list[tuple[int, int]]:
    """(place, card) of cards, place by place, at each from the top. Where they lie in no order, those come first that
    lie face up, and last those that lie face down: the others there are told apart by nothing."""
    found: list[tuple[int, int]] = []
    for place, kept in enumerate(s.z):
        there = [card for card in cards_at(s, place) if card in cards] if kept else []
        if type(kept) is int:
            there.sort(key=lambda card: (s.down >> card & 1) - (s.up >> card & 1))
        found += [(place, card) for card in there]
    return found


def card_among(s: Position, word: str, cards: Sequence[int], place: str) -> int:
    """The card that was fixed for a place of chance, among those that can come there, as `_told_apart` tells them; of a
    name alone the first. Raises ChanceError."""
    named, counted, number = word.partition("#")
    name, placed, where = named.partition("@")
    wanted, first = s.program.by_name.get(name.upper()), s.program.first_copy
    found: Iterable[int] = (card for card in cards if wanted is not None and first[card] == wanted)
    if counted or placed:
        lying = _as_they_lie(s, frozenset(found))
        found = [card for at, card in lying if not placed or place_text(s.program, at) == where]
        which = whole(number) or 0 if counted else 1
        found = found[which - 1 : which] if which > 0 else []
    for card in found:
        return card
    raise no_outcome(s, place, f"'{shortened(word)}' is not among the cards that can come here")
