"""Chance drawn anew where moves were taken back: what came to light by them is no knowledge of what will come."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.engine.chance import MASK, Dice, derive, shuffle
from interpreter.engine.common_knowledge import CommonKnowledge
from interpreter.engine.events import ALL
from interpreter.engine.failures import by_rules
from interpreter.engine.packets import as_tuple, mask_of
from interpreter.engine.position import Position, Redrawn
from interpreter.engine.program import VariableCode, ZoneCode
from interpreter.engine.sight import Eyes, owner_of
from interpreter.engine.situation import NO_OFFER
from interpreter.engine.view import value_eyes
from interpreter.engine.whence import Sighting, dealt_anew, has_equal_cards, holder_of

_PLAIN, _WORDS = re.compile(r"[A-Za-z0-9_]+"), re.compile(r"\w+")
MIXED = "number"
"""Where there is a place for each of these, cards that nobody knows could as well lie in another of them. A place of a
suit or rank may be the place of those cards, and what lies before a player may be what only that player can have."""
LOOKED = "cards that lay face down have been looked at since, and what was seen stays seen"

DRAWN = "what came to light here was taken back before, and more of it would tell what others hold"
LEARNED = "it may have told of cards or numbers that are hidden, and what was learned stays learned"
TRIED = "who takes part may hang on hidden cards, and to try that out again and again would tell which"


def names_in(said: str) -> set[str]:
    """The words of what is said, names of cards among them: also those that other letters touch."""
    plain = set(_PLAIN.findall(said))
    return plain if said.isascii() else plain.union(_WORDS.findall(said))


class Heard:
    """Names of cards of which the log of a match tells somebody, since all of that name were shuffled. It is read once:
    asked again, only what has been added is.

    eyes: bits of the players who may have heard.
    """

    def __init__(self, eyes: int = ALL) -> None:
        self._eyes, self._read = eyes, 0
        self._names: set[str] = set()
        self._spoken, self._shown = set[str](), set[str]()
        """Cards that were spoken of, and cards that everybody saw."""

    def is_spoken_of(self, s: Position) -> bool:
        """Whether cards were spoken of that not everybody has seen: where these lie makes no difference to it."""
        self.of(s)
        return not self._spoken <= self._shown

    def of(self, s: Position) -> set[str]:
        """The names in the match as it is, which may only have gone on since."""
        log, names, shown, eyes = s.log or [], self._names, self._shown, self._eyes
        everybody = (1 << s.program.n) - 1
        copies = Counter(s.program.cards) if len(log) > self._read else {}
        for event in log[self._read :]:
            if event.kind == "shuffle":
                mixed = {name for name, number in Counter(event.cards).items() if number == copies[name]}
                names -= mixed
                self._spoken -= mixed
                shown -= mixed
            elif event.kind == "cards" and event.seen & eyes:
                names.update(event.cards)
                if event.seen & everybody == everybody:
                    shown.update(event.cards)
            elif event.told & eyes or eyes == ALL:
                spoken = copies.keys() & names_in(event.words)
                names |= spoken
                self._spoken |= spoken
        self._read = len(log)
        return names


@by_rules
def redraw(s: Position, seed: int, heard: Heard | None = None) -> None:
    """Let chance go on from a seed, so that what it has not shown to anybody is not what it was.

    Of the pack, cards that nobody knows change places: who has drawn one and taken that back does not know the next. So
    do, elsewhere, such cards of one zone before one player. Somebody knows a card that was seen since it was shuffled.
    heard: what the log has told, of who does this again and again to a match that goes on.
    """
    s.seed, s.draws = seed & MASK, 0
    again = Redrawn(len(s.record_moves), s.seed)
    shown_at = len(s.log or ()) if again.shown else s.setup.shown_at
    tried = (again.tried, len(s.log or ())) if again.tried else s.setup.tried
    s.setup = s.setup._replace(redrawn=(*s.setup.redrawn, again), shown_at=shown_at, tried=tried)
    names, known = s.program.cards, set[str]() if s.log is None else _known(s, heard or Heard())
    pack = s.z[s.program.pack_place]
    if isinstance(pack, list):
        eyes = Eyes(s)
        unseen = (at for at, card in enumerate(pack) if not eyes.at(card, s.program.pack_place))
        hidden = [at for at in unseen if names[pack[at]] not in known]
        cards = [pack[at] for at in hidden]
        shuffle(s, cards)
        for at, card in zip(hidden, cards, strict=True):
            pack[at] = card
    if s.log is not None:  # else it is not known who has seen what
        for zone in s.program.zones:
            for number, places in enumerate(_families(s, zone)):
                _mix(s, places, known, Dice(derive(s.seed, zone.base + number)))
    s.offered = NO_OFFER


@by_rules
def has_looked(back: Position, sightings: Iterable[Sighting], eyes: int = ALL) -> bool:
    """Whether somebody has seen cards, of nobody or of their own, that would lie face down again where they lay if a
    match went back to where it was: all those of a place, or one of a place of which somebody may know a card, for that
    chance leaves there.

    It is asked of the place, not of the card that came: the answer would tell which it was. Of equal cards nobody tells
    which was seen: whether another one lies there, or in a hand, must make no difference, and any that came to light
    counts.

    back: that state. sightings: what was seen since. eyes: bits of the players who keep that.
    """
    if has_equal_cards(back):
        return came_to_light(back, sightings, eyes)
    heard = Heard()
    common, known = CommonKnowledge(back), _known(back, heard)
    common.read(back.log or ())
    secretly = _speaks_secretly(back) or heard.is_spoken_of(back)
    seen: dict[tuple[int, int], Counter[str]] = {}
    often: dict[tuple[int, int], set[str | tuple[int, str]]] = {}
    apart: dict[tuple[int, int], set[str]] = {}
    among: list[Sighting] = []
    everybody = (1 << back.program.n) - 1
    for one in sightings:
        if one.mixed and one.seen & everybody != everybody:
            among.append(one)
            continue
        openly = one.lies or not eyes & everybody & ~one.seen
        may_be = (one.card,) if openly else back.program.cards  # which it was not all know who are answered
        for player in _players(back, eyes & one.seen):
            if holder_of(back, one.origin, one.unseen, common.looked) in (None, player):
                seen.setdefault((one.origin, player), Counter())[one.card] += 1
                often.setdefault((one.origin, player), set()).update(_times(one, eyes & everybody))
                apart.setdefault((one.origin, player), set()).update(() if one.mixed else may_be)
    if any(_has_seen_through(back, among, player, common) for player in _players(back, eyes)):
        return True
    before = Eyes(back)
    for (place, player), cards in seen.items():
        cards_there = as_tuple(back.z[place])
        lying = Counter(back.program.cards[c] for c in cards_there if not before.at(c, place) >> player & 1)
        if lying and (lying <= cards or lying.total() <= len(often[place, player])):
            return True
        left_there = apart[place, player].intersection(lying)
        might_stay = common.looked[place] or secretly or not known.isdisjoint(lying)
        if left_there and might_stay:  # for chance leaves it there
            return True
    return False


def _has_seen_through(back: Position, among: Iterable[Sighting], player: int, common: CommonKnowledge) -> bool:
    """Whether a player may have seen all cards that were hidden among those with which they were shuffled: by how many
    came, for which ones these were the others do not know.

    among: cards that were shuffled among others, and those that may have come instead.
    """
    own = [one for one in among if one.seen >> player & 1]
    names = {one.card for one in own if not one.possible}
    times = {(one.at, one.card) for one in own if not (one.possible or one.lies)}
    hidden = {
        one.card
        for one in own
        if one.unseen >> player & 1 and holder_of(back, one.origin, one.unseen, common.looked) in (None, player)
    }
    return 0 < len(hidden) <= max(len(names), len(times))


def _times(one: Sighting, eyes: int) -> tuple[str | tuple[int, str], ...]:
    """By what it counts that a card was seen on its way: by the card if all of some players (bits) saw it, else once
    more each time, for the others do not know whether it was the same."""
    if one.lies or one.possible:
        return ()
    return (one.card,) if one.seen & eyes == eyes else ((one.at, one.card),)


def _speaks_secretly(s: Position) -> bool:
    """Whether cards may be spoken of of which not all know: in variables that not all see, whatever these hold, or that
    speak of cards that not all see; with what a stage was called, of which it makes no difference whether it is a card
    or a number; or in moves that were not told alike to all since all cards were dealt anew. Which cards these are must
    make no difference to anybody."""
    everybody, eyes = (1 << s.program.n) - 1, Eyes(s)
    if any(s.program.secrets().stages[frame.stage].handed_in_secret for frame in s.stack):
        return True
    if any(~eyes.at(card, eyes.where(card)) & everybody for card in _handed(s)):
        return True
    for code in s.program.variables.values():
        if code.seen_by is not None:  # a number, too, may have been worked out of a card that lies unseen
            return True
        if any(~eyes.at(card, eyes.where(card)) & everybody for card in _keyed(s, code)):
            return True
        if code.kind in ("card", "set of card"):
            if any(~value_eyes(s, code, at) & everybody for at in range(code.size)):
                return True
    for event in reversed(s.log or ()):
        if dealt_anew(s, s, event):
            return False
        if event.kind == "move" and len(set(event.cards)) > 1:
            return True
    return False


@by_rules
def tells_of_hands(back: Position, sightings: Iterable[Sighting], eyes: int = ALL) -> bool:
    """Whether somebody has seen cards of nobody, or of their own, that lay unseen, while somebody else holds such: once
    they are taken back they are known to lie in no other hand, and one after the other so are all that do.

    Where there are equal cards `has_looked` says more. Which of the cards that others hold somebody has seen before
    makes no difference: the answer would tell whether they are still there.

    back: the state to which it would go back. sightings: what was seen since. eyes: bits of those who keep that.
    """
    before = Eyes(back)
    return not has_equal_cards(back) and any(
        any(not before.at(card, place) >> player & 1 for place, card in _held_by_others(back, player))
        for player in _players(back, eyes)
        if came_to_light(back, sightings, 1 << player)
    )


@by_rules
def came_to_light(back: Position, sightings: Iterable[Sighting], eyes: int = ALL) -> bool:
    """Whether somebody has seen cards of nobody, or of their own, that lay where they may not have seen them: cards
    that nobody had seen are nobody's, before whomever they lie.

    back: the state in which they lay there. sightings: what was seen since. eyes: bits of the players that count.
    """
    common = CommonKnowledge(back)
    common.read(back.log or ())
    return any(
        (one.seen & one.unseen) >> player & 1
        and holder_of(back, one.origin, one.unseen, common.looked) in (None, player)
        for one in sightings
        for player in _players(back, eyes)
    )


def was_shown(back: Position) -> bool:
    """Whether cards had come to light, and were taken back, since all that lie in a state were last shuffled."""
    at = back.setup.shown_at
    return at is not None and not _is_anew(back, at)


def times_tried(back: Position) -> int:
    """How often moves were taken back, since all cards that lie in a state were last shuffled, of which it was only
    tried whether they tell of hidden cards."""
    times, at = back.setup.tried
    return 0 if not times or _is_anew(back, at) else times


def _is_anew(s: Position, at: int) -> bool:
    """Whether all cards were shuffled since so many events."""
    return any(dealt_anew(s, s, event) for event in (s.log or [])[at:])


def _players(s: Position, eyes: int) -> list[int]:
    """The players of whom bits are set."""
    return [player for player in range(s.program.n) if eyes >> player & 1]


def _held_by_others(back: Position, player: int) -> Iterator[tuple[int, int]]:
    """Where cards lie before somebody else, or before nobody and apart from the pack, and which."""
    for place in range(len(back.z)):
        if place != back.program.pack_place and owner_of(back, place) != player:
            for card in as_tuple(back.z[place]):
                yield place, card


def _families(s: Position, zone: ZoneCode) -> list[list[int]]:
    """Places among which cards that nobody knows may change, all but that of the pack."""
    found: dict[tuple[int, ...], list[int]] = {}
    for place in range(zone.base, zone.base + zone.size):
        if place != s.program.pack_place:
            keys = zone.keys[place - zone.base] if zone.keys else ()
            own = tuple(key for dim, key in zip(zone.dims, keys, strict=True) if dim != MIXED)
            found.setdefault(own, []).append(place)
    return list(found.values())


def _known(s: Position, heard: Heard) -> set[str]:
    """Names of cards that somebody may know: they were seen since they were shuffled, or the rules speak of them."""
    names, spoken = s.program.cards, list[int]()
    spoken += [card for meld in s.laid.values() for card in meld.cards]
    spoken += [fault.card for fault in s.faults if fault.card is not None]
    for code in s.program.variables.values():
        spoken += _cards_in(code.kind, s.v[code.base : code.base + code.size])
        spoken += _keyed(s, code)
    spoken += _handed(s)
    return heard.of(s).union(names[card] for card in spoken)


def _handed(s: Position) -> list[int]:
    """The cards with which the stages that are going on were called, and those in turn variables put by meanwhile."""
    found: list[int] = []
    kinds = {code.base + at: code.kind for code in s.program.variables.values() for at in range(code.size)}
    for frame in s.stack:
        for code, value in zip(s.program.stages[frame.stage].takes, frame.args or (), strict=False):
            found += _cards_in(code.kind, [value])
        if frame.saved is not None and frame.saved[1]:
            for slot, value in zip(s.program.turn_slots, frame.saved[1], strict=True):
                found += _cards_in(kinds[slot], [value])
    return found


def _cards_in(kind: str, values: Iterable[Any]) -> list[int]:
    """The cards of which values speak. kind: of what kind they are."""
    if kind == "card":
        return [card for card in values if card is not None and card >= 0]
    return [card for held in values for card in as_tuple(held)] if kind == "set of card" else []


def _keyed(s: Position, code: VariableCode) -> list[int]:
    """The cards of which a variable that each card has says something else than it did in the beginning."""
    if "card" not in code.dims:
        return []
    at, values = code.dims.index("card"), s.v[code.base : code.base + code.size]
    return [key[at] for key, value in zip(code.keys, values, strict=True) if value not in (None, code.begins)]


def _mix(s: Position, places: list[int], known: set[str], dice: Dice) -> None:
    """Let the cards at some places that nobody sees or knows change among them. How each place faces stays."""
    lying = [(place, at, card) for place in places for at, card in enumerate(as_tuple(s.z[place]))]
    eyes = Eyes(s)
    hidden = [each for each in lying if s.program.cards[each[2]] not in known and not eyes.at(each[2], each[0])]
    if len(hidden) < 2:
        return
    cards = [card for _, _, card in hidden]
    down = [s.down >> card & 1 for card in cards]
    shuffle(dice, cards)
    was = mask_of(card for _, _, card in hidden)
    s.down = s.down & ~was | mask_of(card for card, is_down in zip(cards, down, strict=True) if is_down)
    for place in places:
        if type(s.z[place]) is int:
            s.z[place] &= ~was
    for (place, at, _), card in zip(hidden, cards, strict=True):
        if type(s.z[place]) is int:
            s.z[place] |= 1 << card
        else:
            s.z[place][at] = card
