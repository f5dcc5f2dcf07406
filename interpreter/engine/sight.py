"""Who sees cards where they lie, and what the log tells of them on their way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, groupby
from typing import Any

from interpreter.engine.budget import charge
from interpreter.engine.events import ALL, Event, new_event
from interpreter.engine.packets import as_tuple, bits, mask_of, mask_of_packet, names_of
from interpreter.engine.position import Position
from interpreter.engine.program import ZoneCode

PACKET = 50
"""Steps that are counted for a packet of those in which cards are told of that are not all seen alike."""


def zone_at(s: Position, place: int) -> ZoneCode:
    """The zone that a place belongs to."""
    program = s.program
    return program.zones[program.place_zone[place]]


def owner_of(s: Position, place: int) -> int | None:
    """The player before whom a place lies; None of one that shows its top, which is for all to go by."""
    zone = zone_at(s, place)
    return zone.owners[place - zone.base] if zone.dims[:1] == ("player",) and not zone.shows_top else None


def lying_at(s: Position, card: int) -> int:
    """The place where a card lies."""
    for place, kept in enumerate(s.z):
        if card in kept if type(kept) is list else kept >> card & 1:
            return place
    raise AssertionError("a card lies nowhere")


def all_lying_at(s: Position, cards: Sequence[int]) -> dict[int, int]:
    """Cards -> the places where they lie, which are looked through once for them all."""
    if len(cards) < 2:
        return {card: lying_at(s, card) for card in cards}
    wanted = frozenset(cards)
    return {card: place for place in _filled(s) for card in as_tuple(s.z[place]) if card in wanted}


def _filled(s: Position) -> Iterable[int]:
    """The places where cards lie: of tens of thousands mostly few."""
    return compress(range(len(s.z)), s.z)


def place_by_place(s: Position, cards: Sequence[int]) -> list[int]:
    """Cards by the places where they lie, those of one place as they are given: which comes first tells of no face."""
    if len(cards) < 2:
        return list(cards)
    return sorted(cards, key=all_lying_at(s, cards).__getitem__)


def watchers(s: Position, place: int) -> int:
    """Bits of the players who see the faces of cards lying at a place, turned-up ones apart."""
    settled = s.program.watched[place]
    if settled is not None:
        return settled
    zone = zone_at(s, place)
    return zone.seen_by(s, zone.owners[place - zone.base])


def eyes_at(s: Position, card: int, place: int) -> int:
    """Who sees the face of a card at the place where it lies, as bits of players."""
    found = _eyes_in_any_case(s, card, place)
    return watchers(s, place) if found is None else found


def _eyes_in_any_case(s: Position, card: int, place: int) -> int | None:
    """Who sees a card that is turned or covered; None of one that is seen as the place is."""
    if s.program.tops[place] and s.z[place][-1:] != [card]:  # whichever way it faces
        return 0
    if s.up >> card & 1:
        return ALL
    return 0 if s.down >> card & 1 else None


class Eyes:
    """Who sees what lies in a state that stays as it is: what the rules say of a place is asked once.

    asker: the state to which it is counted what that takes, where it is another one.
    """

    __slots__ = ("_asker", "_depths", "_lying", "_s", "_watched", "names")

    def __init__(self, s: Position, asker: Position | None = None) -> None:
        self._s, self._asker = s, s if asker is None else asker
        self._watched: dict[int, int] = {}
        self._lying: dict[int, int] = {}
        self._depths: dict[int, int] = {}
        self.names: dict[tuple[int, bool, bool, int], int] = {}
        """What a player calls a card: by player, whether cards are blind and named with their places, and card."""

    def at(self, card: int, place: int) -> int:
        """Who sees the face of a card at the place where it lies, as bits of players."""
        found = _eyes_in_any_case(self._s, card, place)
        return self.of(place) if found is None else found

    def of(self, place: int) -> int:
        """Who sees the faces of cards that lie at a place, turned and covered ones apart."""
        found = self._watched.get(place)
        if found is None:
            found = self._watched[place] = counted_to(self._asker, self._s, watchers, place)
        return found

    def where(self, card: int) -> int:
        """The place where a card lies."""
        if not self._lying:
            self._find_all()
        return self._lying[card]

    def depth(self, card: int, place: int) -> int:
        """How many cards lie above one at the place where it lies, which is looked through once."""
        if card not in self._depths:
            self._depths.update((one, at) for at, one in enumerate(cards_at(self._s, place)))
        return self._depths[card]

    def _find_all(self) -> None:
        charge(self._asker, len(self._s.z) + len(self._s.program.cards))
        self._lying = {one: place for place in _filled(self._s) for one in as_tuple(self._s.z[place])}

    def look_round(self) -> None:
        """Ask of each place, and where all cards lie, so that what follows takes nothing."""
        self._find_all()
        for place in range(len(self._s.z)):
            self.of(place)


def counted_to(asker: Position, s: Position, question: Callable[..., int], *given: Any) -> int:
    """What a state answers to a question. What it takes is counted to the state that asks."""
    if asker is s:
        return question(s, *given)
    spent, s.spent = s.spent, 0
    try:
        found = question(s, *given)
        charge(asker, s.spent)
    finally:
        s.spent = spent
    return found


def eyes_of(s: Position, cards: Sequence[int]) -> int:
    """Who sees the faces of all these cards where they lie, as bits of players; nobody where one lies nowhere."""
    charge(s, len(s.z) + len(s.program.cards))
    seen, left, turned = ALL, mask_of(cards), s.up | s.down
    for place, kept in enumerate(s.z):
        there = left & (kept if type(kept) is int else mask_of(kept))
        if there:
            left ^= there
            if there & turned or s.program.tops[place]:
                for card in as_tuple(there):
                    seen &= eyes_at(s, card, place)
            else:
                seen &= watchers(s, place)
            if not left:
                return seen
    return 0


def knowing(s: Position, seen: int, one: int, two: int) -> int:
    """Who learns at all that cards go from one place to another, or that something happens to them in a single one.

    Not who neither sees them nor may know how many lie there: each line less or more would tell a count.
    """
    if seen == ALL or not s.program.hides_counts:
        return ALL
    return seen | _counting(s, one) | (0 if one == two else _counting(s, two))


def _counting(s: Position, place: int) -> int:
    zone = zone_at(s, place)
    return zone.count_seen_by(s, zone.owners[place - zone.base])


def cards_at(s: Position, place: int) -> tuple[int, ...]:
    """The cards at a place, top first (ascending where order does not count)."""
    kept = s.z[place]
    return bits(kept) if type(kept) is int else tuple(reversed(kept))


def log_card(
    s: Position, card: int, source: int, target: int, beneath: bool = False, facing: str | None = None
) -> None:
    """Log that a card goes from one place to another, seen by whoever sees it before or after."""
    log, program = s.log, s.program
    if log is None:
        return
    if facing is None and not s.hidden and not (s.up | s.down) >> card & 1:
        way, tops = program.between.get((source, target)), program.tops
        if way is not None and not (tops[source] and s.z[source][-1] != card) and not (beneath and tops[target]):
            log.append(way[card])
            return
    if facing == "up":
        seen = ALL
    else:
        seen = eyes_at(s, card, source)
        if facing is None and not (program.tops[target] and beneath and s.z[target]):
            seen |= ALL if s.up >> card & 1 else watchers(s, target)
    if s.hidden:  # a simultaneous choice is seen by nobody but the one who makes it
        seen &= s.hidden
    if program.hides_counts and seen != ALL:
        log_cards_as(s, (card,), source, target, "" if facing is None else f"face {facing}", seen)
        return
    passages = program.passages if facing is None else program.turned[facing]
    log.append(passages[source, target, card, seen])


def log_cards(
    s: Position,
    cards: Iterable[int],
    source: int,
    target: int,
    beneath: bool = False,
    facing: str | None = None,
    dealt: bool = False,
) -> None:
    """Log that cards go from one place to another, each seen by whoever sees it before or after. dealt: that they come
    as they lie, the top card first."""
    cards, program = tuple(cards), s.program
    words = "" if facing is None else f"face {facing}"
    if len(cards) == 1:
        log_card(s, cards[0], source, target, beneath, facing)
        return
    if not s.up and not s.down and facing is None and not program.shows_tops:
        one, two = program.watched[source], program.watched[target]
        seen = (watchers(s, source) if one is None else one) | (watchers(s, target) if two is None else two)
        if s.hidden:  # a simultaneous choice is seen by nobody but the one who makes it
            seen &= s.hidden
        log_cards_as(s, cards, source, target, words, seen)
        return
    before, after, down, tops = watchers(s, source), watchers(s, target), s.down, s.program.tops
    if facing is not None:
        after = ALL if facing == "up" else 0
    mask = mask_of_packet(cards)
    if not (s.up & mask or s.hidden) and (facing is not None or not tops[target]):  # mostly they are all seen alike
        turned = down & mask
        if turned == mask or not (turned or tops[source]):
            log_cards_as(s, cards, source, target, words, after if turned else before | after)
            return
    shown = s.z[source][-1] if tops[source] and s.z[source] else None
    new_top = cards[-1] if cards and not (beneath and s.z[target]) else None
    found: list[tuple[int, int]] = []
    for card in cards:
        up = s.up >> card & 1
        if tops[source] and card != shown:
            seen = 0
        else:
            seen = ALL if up else 0 if down >> card & 1 else before
        if facing is not None or not tops[target] or card == new_top:
            seen |= ALL if up and facing is None else after
        found.append((seen & s.hidden if s.hidden else seen, card))
    for eyes, packet in seen_alike(s, source, found, dealt):
        charge(s, PACKET)
        log_cards_as(s, packet, source, target, words, eyes)


def seen_alike(
    s: Position, place: int, cards: Iterable[tuple[int, int]], dealt: bool = False
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Cards of a place in packets that certain players see (bits), one behind the other. cards: (who sees it, card).

    They may come in the order of the pack, in which it would tell between which of the others those are that are seen:
    they are told of as they lie, and where the place keeps no order, those together that are seen alike. dealt: that
    they come as they lie, the top card first.
    """
    cards, kept = list(cards), s.z[place]
    if type(kept) is int:
        cards.sort(key=_eyes_of)
    elif not dealt and len({eyes for eyes, _ in cards}) > 1:
        lying = {card: at for at, card in enumerate(kept)}
        cards.sort(key=lambda one: lying[one[1]])
    for eyes, packet in groupby(cards, _eyes_of):
        yield eyes, tuple([card for _, card in packet])


def _eyes_of(one: tuple[int, int]) -> int:
    return one[0]


def log_openly(s: Position, moved: int, source: int, target: int) -> None:
    """Log that cards (bits), which everybody sees, go from one place to another."""
    assert s.log is not None
    shown, places = names_of(s.program.cards, bits(moved)), s.program.places
    s.log.append(new_event(Event, ("cards", None, "", shown, places[source], places[target], ALL, ALL)))


def log_cards_as(s: Position, cards: tuple[int, ...], source: int, target: int | None, words: str, seen: int) -> None:
    """Log a packet that certain players see, and that goes from one place to another (None: that stays)."""
    if s.log is None or not cards:
        return
    program, told = s.program, ALL
    if program.hides_counts:
        told = knowing(s, seen, source, source if target is None else target)
    places = program.places
    goal = "" if target is None else places[target]
    shown = names_of(program.cards, cards)
    s.log.append(new_event(Event, ("cards", None, words, shown, places[source], goal, seen, told)))
