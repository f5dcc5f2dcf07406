"""What the readers of one match may know of its table, worked out for all of them together.

A reader is a set of players (bits): one who plays, or all of them for somebody who only watches and is told what all
may know. What is still as it was when it was asked for last is the same object as then, so that nobody has to look at
it again to find that it has not changed. What is handed out must not be changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from interpreter.engine.failures import by_rules
from interpreter.engine.melds.laid import meld_shown
from interpreter.engine.melds.text import meld_text
from interpreter.engine.packets import as_tuple, mask_of_packet
from interpreter.engine.position import Position
from interpreter.engine.program import VariableCode, ZoneCode
from interpreter.engine.sight import Eyes, lying_at
from interpreter.engine.standing import plays_tricks, scores
from interpreter.engine.view import PlaceView, key_of, plain, value_eyes

MOST_CHANGES = 100
"""The last changes of places, of which it is kept which place each was."""
Facts = dict[str, Any]
"""Variables and definitions by name; those of which there are several as a mapping by owner."""


class Sight(NamedTuple):
    """What one reader may know.

    places: how each place looks, in the order of `Sights.places`; None where not even the number of cards may be known;
    the same list as before if all of them look as before. trick: [player, card] in the order of play, the card None
    where it is not seen. scores: None for what is not seen. pieces: by name how many lie on the "table", and how many
    each player holds.
    """

    places: list[PlaceView | None]
    trick: list[list[str | None]]
    values: Facts
    scores: list[int | None]
    pieces: dict[str, dict[str, int]]


class _Fact(NamedTuple):
    """A variable or definition. parts: of each owner ("" where there is one value) the value, and who sees it. family:
    that there is one for each owner."""

    name: str
    family: bool
    parts: list[tuple[str, Any, int]]


class _Place:
    """How a place looks to those who see as much of it: whether faces are seen, and whether cards are counted."""

    __slots__ = ("code", "count", "kept", "looks", "number", "turned", "watch")

    def __init__(self, number: int, code: ZoneCode) -> None:
        self.number, self.code = number, code
        self.kept: Any = None
        self.turned = (0, 0)
        self.watch = self.count = 0
        self.looks: dict[tuple[bool, bool], PlaceView | None] = {}


class Sights:
    """zones, values: which of them are wanted; None for all values."""

    def __init__(self, s: Position, zones: Collection[str], values: Collection[str] | None = None) -> None:
        self._s, self._wanted = s, values
        program = s.program
        wanted = [zone for zone in program.zones if zone.base != program.aside and zone.name in zones]
        self.places = [(zone, at) for zone in wanted for at in range(zone.size)]
        """Each zone with the number of each of its places, from 0."""
        self._places = [_Place(zone.base + at, zone) for zone, at in self.places]
        self._shown: dict[int, tuple[int, list[PlaceView | None]]] = {}
        """By reader how all places looked, and after how many changes that was."""
        self._changes: list[int] = []
        """By change, which place has changed."""
        self._changed: dict[int, tuple[int, ...]] = {}
        """By how many changes there were when somebody looked last: which places have changed since."""
        self._keys = {
            name: [key_of(s, code, at) for at in range(code.size)] if code.dims else [""]
            for name, code in program.variables.items()
            if values is None or name in values
        }
        """Of each variable that is wanted, whose its values are."""
        self._facts: list[_Fact] = []
        self._facts_seen: list[int] = []
        self._values: dict[tuple[bool, ...], Facts] = {}
        self._trick: list[tuple[int, int, int]] = []
        self._trick_seen: list[int] = []
        self._tricks: dict[tuple[bool, ...], list[list[str | None]]] = {}
        self._pieces: list[tuple[str, int, list[tuple[int, int, int]]]] = []
        self._pieces_seen: list[int] = []
        self._held: dict[tuple[bool, ...], dict[str, dict[str, int]]] = {}
        self._scores: list[tuple[int, int]] = []
        self._eyes = Eyes(s)
        self._open_scores: list[int | None] | None = None
        """The scores, where everybody sees all of them."""
        self.renew()

    def renew(self) -> None:
        """The match has moved on: find out what has changed."""
        _renew(self._s, self)

    def of(self, who: int) -> Sight:
        """What may be known by each of these players (bits)."""
        return _sight(self._s, self, who)

    # ---- after each move --------------------------------------------------------------------------------

    def _look_round(self) -> None:
        s, self._eyes = self._s, Eyes(self._s)
        self._changes += [at for at, place in enumerate(self._places) if self._look_at(place)]
        if len(self._changes) > MOST_CHANGES:
            self._forget()
        self._changed = {}
        facts = list(_facts(s, self._wanted, self._keys))
        if facts != self._facts:
            self._facts = facts
            self._facts_seen = _some(s, (eyes for fact in facts for _, _, eyes in fact.parts))
            self._values = {}
        trick = [(player, card, self._eyes.at(card, lying_at(s, card))) for player, card in s.plays if plays_tricks(s)]
        if trick != self._trick:
            self._trick = trick
            self._trick_seen = _some(s, (eyes for _, _, eyes in trick))
            self._tricks = {}
        pieces = list(_pieces(s))
        if pieces != self._pieces:
            self._pieces = pieces
            self._pieces_seen = _some(s, (eyes for _, _, held in pieces for _, _, eyes in held))
            self._held = {}
        score_eyes = None if s.over else s.program.score_eyes
        everybody = (1 << s.program.n) - 1
        seen = [everybody if score_eyes is None else score_eyes(s, player) for player in range(s.program.n)]
        found = scores(s) if any(mask & everybody for mask in seen) else [0] * s.program.n
        self._scores = list(zip(found, seen, strict=True))
        self._open_scores = list(found) if score_eyes is None else None

    def _forget(self) -> None:
        """Forget the changes of long ago, and how all looked to readers who have not looked since."""
        gone = len(self._changes) - MOST_CHANGES // 2
        del self._changes[:gone]
        self._shown = {who: (after - gone, looks) for who, (after, looks) in self._shown.items() if after >= gone}

    def _look_at(self, place: _Place) -> bool:
        """Whether it may look otherwise to somebody."""
        s, code = self._s, place.code
        kept = s.z[place.number]
        watch, count = self._eyes.of(place.number), code.count_seen_by(s, code.owners[place.number - code.base])
        turned = (0, 0)
        if s.up or s.down:
            mask = kept if type(kept) is int else mask_of_packet(kept)
            turned = s.up & mask, s.down & mask
        if place.number in s.laid or kept != place.kept or turned != place.turned:
            place.kept = kept if type(kept) is int else kept[:]
            place.turned = turned
            place.looks = {}
        elif watch == place.watch and count == place.count:
            return False
        place.watch, place.count = watch, count
        return True

    # ---- for one reader -----------------------------------------------------------------------------------

    def _sight(self, who: int) -> Sight:
        key = tuple([eyes & who == who for eyes in self._facts_seen])
        values = self._values.get(key)
        if values is None:
            values = self._values[key] = _values(self._facts, who)
        key = tuple([eyes & who == who for eyes in self._trick_seen])
        trick = self._tricks.get(key)
        if trick is None:
            names = self._s.program.cards
            trick = self._tricks[key] = [
                [f"P{player + 1}", names[card] if eyes & who == who else None] for player, card, eyes in self._trick
            ]
        return Sight(
            self._places_of(who),
            trick,
            values,
            self._open_scores or [score if eyes & who == who else None for score, eyes in self._scores],
            self._held_by(who),
        )

    def _places_of(self, who: int) -> list[PlaceView | None]:
        after, known = self._shown.get(who, (0, None))
        if known is None:
            found = [self._look(place, who) for place in self._places]
        else:
            found, changed = known, self._changed.get(after)
            if changed is None:
                changed = self._changed[after] = tuple(set(self._changes[after:]))
            for at in changed:
                look = self._look(self._places[at], who)
                if look is not found[at]:
                    found = known[:] if found is known else found
                    found[at] = look
        self._shown[who] = len(self._changes), found
        return found

    def _look(self, place: _Place, who: int) -> PlaceView | None:
        key = place.watch & who == who, place.count & who == who
        try:
            return place.looks[key]
        except KeyError:
            found = place.looks[key] = self._look_of(place, who, *key)
            return found

    def _look_of(self, place: _Place, who: int, is_watched: bool, is_counted: bool) -> PlaceView | None:
        s, code, names = self._s, place.code, self._s.program.cards
        cards = as_tuple(place.kept)
        found: list[str | None]
        if place.turned == (0, 0) and not s.program.tops[place.number]:
            found = [names[card] for card in cards] if is_watched else [None] * len(cards)
            if code.kept != "mask":
                found.reverse()
        else:
            seen = [card if self._eyes.at(card, place.number) & who == who else None for card in cards]
            if code.shows_top:
                seen[:-1] = [None] * (len(seen) - 1)
            if code.kept == "mask":  # without an order, hidden cards must not betray themselves by their position
                seen = sorted(card for card in seen if card is not None) + [None] * seen.count(None)
            else:
                seen.reverse()
            found = [None if card is None else names[card] for card in seen]
        count, shown = len(found), found[:1] if code.shows_top else found
        if not is_counted:  # a meld would tell that there is nothing beneath
            known: list[str | None] = [card for card in shown if card is not None]
            return {"cards": known} if known else None
        if None not in found and (meld := meld_shown(s, place.number)) is not None:
            return {"count": count, "cards": shown, "meld": meld_text(s.program, meld)}
        return {"count": count, "cards": shown}

    def _held_by(self, who: int) -> dict[str, dict[str, int]]:
        key = tuple([eyes & who == who for eyes in self._pieces_seen])
        found = self._held.get(key)
        if found is None:
            found = self._held[key] = {
                name: {
                    "table": table,
                    **{f"P{player + 1}": count for player, count, eyes in held if eyes & who == who},
                }
                for name, table, held in self._pieces
            }
        return found


@by_rules
def _renew(s: Position, sights: Sights) -> None:
    sights._look_round()


@by_rules
def _sight(s: Position, sights: Sights, who: int) -> Sight:
    return sights._sight(who)


def _facts(s: Position, wanted: Collection[str] | None, keys: Mapping[str, Sequence[str]]) -> Iterator[_Fact]:
    """What somebody at least may know. keys: of each variable that is wanted, whose its values are."""
    everybody = (1 << s.program.n) - 1
    for name, of in keys.items():
        code = s.program.variables[name]
        yield _Fact(name, bool(code.dims), list(_parts(s, code, of, everybody)))
    for name, each, function, seen_by, kind in s.program.shown:
        if wanted is not None and name not in wanted:
            continue
        if not each:
            eyes = seen_by(s, None)
            yield _Fact(name, False, [("", plain(s, kind, function(s)), eyes)] if eyes & everybody else [])
            continue
        letter, number = ("P", s.program.n) if each == "player" else ("T", max(s.program.teams) + 1)
        seen = [(owner, seen_by(s, owner)) for owner in range(number)]
        parts = [(f"{letter}{o + 1}", plain(s, kind, function(s, o)), eyes) for o, eyes in seen if eyes & everybody]
        yield _Fact(name, True, parts)


def _parts(s: Position, code: VariableCode, keys: Sequence[str], everybody: int) -> Iterator[tuple[str, Any, int]]:
    for at, key in enumerate(keys):
        eyes = value_eyes(s, code, at)
        if eyes & everybody:
            yield key, plain(s, code.kind, s.v[code.base + at]), eyes


def _values(facts: list[_Fact], who: int) -> Facts:
    found: Facts = {}
    for fact in facts:
        parts = {key: value for key, value, eyes in fact.parts if eyes & who == who}
        if parts:
            found[fact.name] = parts if fact.family else parts[""]
    return found


def _pieces(s: Position) -> Iterator[tuple[str, int, list[tuple[int, int, int]]]]:
    """Each kind of pieces: how many lie on the table, and (player, how many, who sees it, the player in any case)."""
    for name in s.program.tokens:
        holders, eyes = s.tokens[name], s.program.tokens[name].eyes
        held = [(p, holders.count(p), eyes(s, p) | 1 << p) for p in range(s.program.n) if p in holders]
        yield name, holders.count(-1), held


def _some(s: Position, seen: Iterable[int]) -> list[int]:
    """Who sees something, each once, where that is not everybody: who is of the same of them knows as much."""
    everybody = (1 << s.program.n) - 1
    return [eyes for eyes in dict.fromkeys(seen) if eyes & everybody != everybody]
