"""Outcomes of chance that do not follow from a seed, by the place where they come about.

They were fixed beforehand, or are drawn from the operating system when they come about.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from interpreter.base.arithmetic import whole
from interpreter.base.diagnostics import suggest
from interpreter.base.signs import shortened
from interpreter.engine.budget import charge
from interpreter.engine.chance import ChanceError
from interpreter.engine.notation import place_text
from interpreter.engine.packets import as_tuple
from interpreter.engine.position import Position
from interpreter.engine.rule_errors import RecordIsFull
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

    def by_place(self) -> Iterator[tuple[str, list[Any]]]:
        """What has come about, by the places of `outcomes`."""
        for place, found in self.items():
            if place == "shuffle":
                yield from ((f"shuffle {stage}", orders) for stage, orders in found.items())
            else:
                yield place, found


Mark = tuple[dict[str, list[Any]], dict[str, int]]
"""By place what is still to come about, and how much has."""


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
            raise RecordIsFull("more has been shuffled and drawn in this match than its record can hold")
        self._letters = letters
        self.came.outcomes(place).append(found)

    def mark(self) -> Mark:
        """Where it stands, to go back there."""
        waiting = {place: found[:] for place, found in self.items()}
        return waiting, {place: len(found) for place, found in self.came.by_place()}

    def back_to(self, mark: Mark) -> None:
        """What has come about since will be drawn anew."""
        self.clear()
        self.update(mark[0])
        for place, found in self.came.by_place():
            del found[mark[1].get(place, 0) :]
        self._letters = _letters(self.came)

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
                # none at all is no order of no cards: so it is when the only shuffle was taken back
                several = isinstance(orders, list | tuple) and (not orders or isinstance(orders[0], list | tuple))
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


def take_shuffle(s: Position, stage: str, source: int) -> list[int] | None:
    """The cards of a place as fixed (given top first), the others below in the order of their numbers."""
    place = f"shuffle {stage}"
    if not s.chance.get(place) and s.chance.get("deck"):
        place = "deck"
    kept = as_tuple(s.z[source])
    names: list[str] | None = take_chance(s, place, lambda: _names(s, kept))
    if names is None:
        return None
    left, top = _Left(s, source), []
    for name in names:
        card = left.take(_read(s, name))
        if card is None:
            raise _not_among(s, name, place)
        top.append(card)
    return sorted(set(kept).difference(top), reverse=True) + top[::-1]


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
    lying = _as_they_lie(s, equal)
    place = next(at for at, one in lying if one == card)
    there = [one for at, one in lying if at == place]
    where = f"@{place_text(s.program, place)}" if len(there) < len(lying) else ""
    return name + where + (f"#{there.index(card) + 1}" if len(there) > 1 else "")


def _as_they_lie(s: Position, cards: Container[int]) -> list[tuple[int, int]]:
    """(place, card) of cards, place by place, at each from the top. Where they lie in no order, those come first that
    lie face up, and last those that lie face down: the others there are told apart by nothing."""
    charge(s, PLACE * len(s.z) + len(s.program.cards))
    found: list[tuple[int, int]] = []
    for place, kept in enumerate(s.z):
        if kept:
            there = [card for card in cards_at(s, place) if card in cards]
            if type(kept) is int:
                there.sort(key=lambda card: (s.down >> card & 1) - (s.up >> card & 1))
            found += [(place, card) for card in there]
    return found


class _Told(NamedTuple):
    """A card that was fixed, as `_told_apart` tells it. where: the place that is named with it. which: its number among
    those that lie there. None: it is told without."""

    face: int | None
    where: str | None
    which: int | None

    def number(self) -> int:
        """Which one it is of those that it can be, from 1."""
        return 1 if self.which is None else self.which


def _read(s: Position, word: str) -> _Told:
    named, counted, number = word.partition("#")
    name, placed, where = named.partition("@")
    which = (whole(number) or 0) if counted else None
    return _Told(s.program.by_name.get(name.upper()), where if placed else None, which)


def card_among(s: Position, word: str, cards: Sequence[int], place: str) -> int:
    """The card that was fixed for a place of chance, among those that can come there, as `_told_apart` tells them; of a
    name alone the first. Raises ChanceError."""
    told, first = _read(s, word), s.program.first_copy
    found = [card for card in cards if first[card] == told.face]
    if told.where is not None or told.which is not None:
        lying = _as_they_lie(s, frozenset(found))
        found = [card for at, card in lying if told.where in (None, place_text(s.program, at))]
    if not 0 < told.number() <= len(found):
        raise _not_among(s, word, place)
    return found[told.number() - 1]


def _not_among(s: Position, word: str, place: str) -> ChanceError:
    return no_outcome(s, place, f"'{shortened(word)}' is not among the cards that can come here")


class _Left:
    """The cards of one place that a fixed order has not told yet: they are looked through once, and not for each."""

    def __init__(self, s: Position, place: int) -> None:
        self._label = place_text(s.program, place)
        self._lying: dict[int, list[int]] = {}
        self._lowest: dict[int, list[int]] = {}
        there, first = cards_at(s, place), s.program.first_copy
        for card in there:
            self._lying.setdefault(first[card], []).append(card)
        for card in sorted(there, reverse=True):
            self._lowest.setdefault(first[card], []).append(card)

    def take(self, told: _Told) -> int | None:
        """The card that is told next, as `card_among` finds it; None if it is not there."""
        lying = [] if told.face is None else self._lying.get(told.face, [])
        if told.where not in (None, self._label) or not 0 < told.number() <= len(lying):
            return None
        assert told.face is not None
        lowest = self._lowest[told.face]
        if told.where is None and told.which is None:
            card = lowest.pop()
            lying.remove(card)
        else:
            card = lying.pop(told.number() - 1)
            lowest.remove(card)
        return card
