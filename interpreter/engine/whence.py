"""Where cards that came to light have lain before: followed through the log, whichever way they took."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from interpreter.engine.budget import charge, each_of
from interpreter.engine.events import Event
from interpreter.engine.failures import by_rules
from interpreter.engine.packets import as_tuple
from interpreter.engine.position import Position
from interpreter.engine.program import Program
from interpreter.engine.sight import Eyes, owner_of

SHOWN = "shown"
"""What the log says of cards that somebody is shown where they lie."""
SOME = -1
"""Stands among players for any of whom not everybody knows whether they see cards."""
FOLLOWED, SEEN = 20, 300
"""Steps that count for each card that went somewhere, and for each that was seen, which is asked of more than once."""


class Sighting(NamedTuple):
    """A card that somebody sees. at: the number of the event since then, or of the one to come if it lies open now.

    card: its name. origin: the place where it lay then; of several equal cards each may be meant. seen: bits of those
    who see it. unseen: bits of those who may not have seen it where it lay. mixed: whether it was shuffled among some
    others meanwhile, so that nobody can say from which of their places it came. possible: that it may have been seen
    instead of another. lies: that it was not seen on its way, but where it lay after a move.
    """

    at: int
    card: str
    origin: int
    seen: int
    unseen: int
    mixed: bool = False
    possible: bool = False
    lies: bool = False


@by_rules
def sightings(s: Position, back: Position, course: Sequence[Position] = ()) -> list[Sighting]:
    """Each card that was seen since a match was in an earlier state, but for those that were all dealt anew meanwhile.
    Nothing where no log is kept. Raises TooMuch where so many were seen that it takes too long to say what was learned.

    course: states on the way, in each of which it is looked who sees what lies there; if there are any, of a card that
    was taken from among cards of several places it counts that it may have been any of them.
    """
    found: list[Sighting] = []
    if s.log is not None:
        for one in _sightings(s, back, [*course[:-1], s], bool(course)):
            charge(s, SEEN)
            found.append(one)
    return found


@by_rules
def who_saw(s: Position, back: Position, sightings: Iterable[Sighting]) -> list[int]:
    """The players who have seen cards since that they did not see where these lay, as everybody could notice; SOME
    behind them if others may have, for who sees cards there hangs on something hidden.

    back: the earlier state. sightings: what was seen since. It is asked where cards lay and not what somebody
    remembers: that one who drew a card knew it already would tell the others which it may be. Whether SOME is told goes
    by the rules and by what everybody noticed, never by who does see something.
    """
    program, news, n = back.program, (s.log or [])[len(back.log or ()) :], back.program.n
    tells = program.secrets().tells
    if tells and program.hides_counts:  # even what everybody notices may hang on it
        return [SOME]
    everybody = (1 << n) - 1
    apart = (one for one in sightings if not one.mixed)
    counted = not program.hides_counts  # else a card may have gone without anybody else noticing
    noticed = [one for one in apart if (news[one.at].told & everybody == everybody if one.at < len(news) else counted)]
    doubtful = {at for at, eyes in enumerate(program.watched) if eyes is None} if tells else set[int]()
    covered = covered_from_some(program)
    doubtful |= covered if may_have_uncovered(s, back) else set()
    doubtful = _with_those_behind(doubtful, s, news) if doubtful else doubtful
    shown = {at for at, event in enumerate(news) if event.words == SHOWN} if _may_show_others(program) else set[int]()
    clear = [one for one in noticed if one.at not in shown]
    sure = [one for one, at in zip(clear, _places_of(clear, s, news), strict=True) if not at & doubtful]
    found = [player for player in range(n) if any((one.seen & one.unseen) >> player & 1 for one in sure)]
    return [*found, SOME] if doubtful or not counted or any(one.at in shown for one in noticed) else found


def covered_from_some(program: Program) -> set[int]:
    """The places whose top card alone is seen, and not by all."""
    everybody = (1 << program.n) - 1
    return {at for at, eyes in enumerate(program.watched) if program.tops[at] and ~(eyes or 0) & everybody}


def may_have_uncovered(s: Position, back: Position) -> bool:
    """Whether since an earlier state a card was taken from where only some see the top, or those there were mixed or
    exchanged: whether another came to light they alone can tell."""
    labels = {s.program.places[place] for place in covered_from_some(s.program)}
    news = (s.log or [])[len(back.log or ()) :] if labels else []
    return any(event.source in labels or not labels.isdisjoint(event.words.split(" and ")) for event in news)


def _may_show_others(program: Program) -> bool:
    """Whether to whom cards are shown may hang on something hidden: anything that is done, unless that is plain."""
    secrets = program.secrets()
    if secrets.shows_plainly:
        return False
    asked = (stage.asks | stage.asks_behind_moves | stage.asks_behind_tricks for stage in secrets.stages)
    return any(asked) or any(secrets.actions.values())


def _places_of(sightings: Sequence[Sighting], s: Position, news: Sequence[Event]) -> Iterator[set[int]]:
    """For each card that was seen: the places by which it goes who sees it there, and who had seen it."""
    places, lies = _by_label(s.program), dict[str, list[int]]()
    for place, kept in enumerate(s.z):
        for card in as_tuple(kept):
            lies.setdefault(s.program.cards[card], []).append(place)
    for one in sightings:
        ends = (news[one.at].source, news[one.at].target) if one.at < len(news) else ()
        now = [places[end] for end in ends if end in places] if ends else lies.get(one.card, ())
        yield {one.origin, *now}


def _with_those_behind(doubtful: set[int], s: Position, news: Iterable[Event]) -> set[int]:
    """Places, and those to which cards may have come from there: where these lay before must make no difference."""
    places, found = _by_label(s.program), set(doubtful)
    for event in news:
        if event.kind == "cards" and places.get(event.source) in found and event.target in places:
            found.add(places[event.target])
        elif event.kind == "swap" and " and " in event.words:
            both = {places[label] for label in event.words.split(" and ")}
            found |= both if both & found else set()
        elif event.kind == "gather" and event.words.startswith("to "):
            found.add(places[event.words.removeprefix("to ")])
    return found


def _by_label(program: Program) -> dict[str, int]:
    return {label: place for place, label in enumerate(program.places)}


def holder_of(back: Position, origin: int, unseen: int, looked: Sequence[bool]) -> int | None:
    """Who had a card, if anybody: who does not see an own card has it as little as all others, if nobody knows it.

    origin: the place where it lay. unseen: bits of those who may not have seen it there. looked: by place whether
    somebody may know a card there.
    """
    owner = owner_of(back, origin)
    return None if owner is None or (unseen >> owner & 1 and not looked[origin]) else owner


def has_equal_cards(s: Position) -> bool:
    """Whether there are several cards of a name, which nobody tells apart."""
    return len(set(s.program.cards)) < len(s.program.cards)


@by_rules
def shuffled(s: Position, back: Position) -> set[int]:
    """The places where cards lay in an earlier state that were shuffled since, before all were dealt anew."""
    found, ways, places = set[int](), _Ways(back), _by_label(s.program)
    last: Event | None = None
    for _, event, _, _ in _followed(s, back, ways):
        if event.kind == "shuffle" and event is not last:
            last = event
            if dealt_anew(s, back, event):
                found.clear()
            else:  # also of those that have gone on, for not everybody may know which these were
                found |= ways.all_of(places[event.words])
    return found


def dealt_anew(s: Position, back: Position, event: Event) -> bool:
    """Whether all cards were shuffled, but for those that lay aside before and lie there still."""
    if event.kind != "shuffle" or event.words not in s.program.places:
        return False
    aside = s.program.aside
    out = 0 if aside is None else len({*as_tuple(back.z[aside])}.intersection(as_tuple(s.z[aside])))
    return len(event.cards) >= len(s.program.cards) - out


def _followed(
    s: Position, back: Position, ways: _Ways, start: int = 0, end: int | None = None
) -> Iterator[tuple[int, Event, str, frozenset[int]]]:
    """Each card that went somewhere or was shuffled since: the number of the event, it, the card, and from where the
    card may have come. start, end: of which events."""
    places = _by_label(s.program)
    news = (s.log or [])[len(back.log or ()) :]
    for at, event in enumerate(news[start:end], start):
        match event.kind:
            case "cards" if event.source in places:
                source, target = places[event.source], places.get(event.target)
                for card in each_of(s, event.cards, FOLLOWED):
                    yield at, event, card, ways.of(source, card)
                    if target is not None:
                        ways.add(target, card, ways.of(source, card))
            case "shuffle" if event.words in places:  # a deal may be called so, too
                anew = dealt_anew(s, back, event)
                for card in each_of(s, event.cards, FOLLOWED):
                    yield at, event, card, ways.of(places[event.words], card)
                    if anew:
                        ways.forget(places[event.words], card)
                    else:
                        ways.mixed.add(card)
            case "swap" if " and " in event.words:
                one, _, other = event.words.partition(" and ")
                ways.swap(places[one], places[other])
            case "gather" if event.words.startswith("to "):
                charge(s, ways.gather(places[event.words.removeprefix("to ")]))


def _sightings(s: Position, back: Position, course: Iterable[Position], mixing: bool) -> Iterator[Sighting]:
    before = Eyes(back, s)
    ways, hidden, read = _Ways(back), _Hidden(back, before), 0
    lay = {card: place for place, kept in enumerate(back.z) for card in as_tuple(kept)}
    names, places, everybody = s.program.cards, _by_label(s.program), (1 << s.program.n) - 1
    for state in course:
        now = len(state.log or ()) - len(back.log or ())
        for at, event, card, origins in _followed(s, back, ways, read, now):
            if event.kind == "cards":
                openly = not ~event.seen & everybody
                for origin in origins:
                    unseen = hidden.from_whom(origin, card) if openly else hidden.of_any(origin)
                    yield Sighting(at, card, origin, event.seen, unseen, card in ways.mixed)
                for origin in _mixed(s, event, places[event.source], ways) if mixing else ():
                    for other in map(names.__getitem__, as_tuple(back.z[origin])):
                        unseen = hidden.from_whom(origin, other)
                        yield Sighting(at, other, origin, event.seen, unseen, other in ways.mixed, True)
        read, eyes = now, Eyes(state, s)
        for place, kept in enumerate(state.z):
            for number in as_tuple(kept):
                if number in lay and lay[number] in ways.of(place, names[number]):
                    unseen = ~before.at(number, lay[number])
                    name, seen = names[number], eyes.at(number, place)
                    yield Sighting(now, name, lay[number], seen, unseen, name in ways.mixed, lies=True)


def _mixed(s: Position, event: Event, source: int, ways: _Ways) -> frozenset[int]:
    """Where a card may have lain that came from where not all see the cards, and where those of several places lie:
    which one it was must make no difference to those who do not see it. Nothing where all see it, or where it is only
    one place and nothing was shuffled. source: from where it came."""
    everybody = (1 << s.program.n) - 1
    all_see = not s.program.tops[source] and not ~(s.program.watched[source] or 0) & everybody
    if all_see or event.seen & everybody in (0, everybody):
        return frozenset()
    found = ways.all_of(source)
    charge(s, ways.count(source))
    return found if len(found) > 1 or not ways.mixed.isdisjoint(event.cards) else frozenset()


class _Hidden:
    """From whom cards of a place may have been hidden. Where there are equal cards, all of the place count alike: which
    of them is meant nobody knows, and what is hidden beneath must make no difference."""

    def __init__(self, back: Position, eyes: Eyes) -> None:
        self._back, self._alike, self._eyes = back, has_equal_cards(back), eyes
        self._known: dict[int, dict[str, int]] = {}

    def from_whom(self, place: int, card: str) -> int:
        """Bits of those who may not have seen it there."""
        found = self._known.get(place)
        if found is None:
            back = self._back
            found = self._known[place] = {}
            for number in as_tuple(back.z[place]):
                name = "" if self._alike else back.program.cards[number]
                found[name] = found.get(name, 0) | ~self._eyes.at(number, place)
        return found.get("" if self._alike else card, 0)

    def of_any(self, place: int) -> int:
        """Bits of those who may not have seen some card there: for whoever does not know which of them came."""
        self.from_whom(place, "")
        return reduce(or_, self._known[place].values(), 0)


class _Ways:
    """From where cards may have come that lie somewhere, by their names: what has gone on is not taken out."""

    def __init__(self, back: Position) -> None:
        cards = back.program.cards
        self._lie = [{cards[c]: frozenset([place]) for c in as_tuple(kept)} for place, kept in enumerate(back.z)]
        self._anywhere: dict[str, frozenset[int]] = {}
        self.mixed: set[str] = set()
        """Names of cards that were shuffled among some others."""
        for lying in self._lie:
            for card, origins in lying.items():
                self._anywhere[card] = self._anywhere.get(card, frozenset()) | origins

    def of(self, place: int, card: str) -> frozenset[int]:
        """Where cards of a name have lain that may lie at a place now."""
        return self._lie[place].get(card, frozenset())

    def all_of(self, place: int) -> frozenset[int]:
        """Where any of the cards have lain that may lie at a place now."""
        return frozenset[int]().union(*self._lie[place].values())

    def count(self, place: int) -> int:
        """Of how many cards it may be that they lie at a place now."""
        return len(self._lie[place])

    def add(self, place: int, card: str, origins: frozenset[int]) -> None:
        self._lie[place][card] = self.of(place, card) | origins

    def forget(self, place: int, card: str) -> None:
        self._lie[place].pop(card, None)
        self.mixed.discard(card)

    def swap(self, one: int, other: int) -> None:
        self._lie[one], self._lie[other] = self._lie[other], self._lie[one]

    def gather(self, home: int) -> int:
        """What was anywhere may have come home; how much that is."""
        self._lie[home] = dict(self._anywhere)
        return len(self._anywhere)
