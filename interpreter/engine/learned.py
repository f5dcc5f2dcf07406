"""What moves told of things that stay as they are if the moves are taken back, as far as everybody can tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from interpreter.engine.available import action_named
from interpreter.engine.common_knowledge import CommonKnowledge
from interpreter.engine.events import ALL, Event
from interpreter.engine.failures import by_rules
from interpreter.engine.legal import actors
from interpreter.engine.otherwise import Told, tells_who
from interpreter.engine.packets import as_tuple, mask_of
from interpreter.engine.position import Position, Redrawn
from interpreter.engine.program import StageCode, VariableCode, ZoneCode
from interpreter.engine.redrawing import (
    DRAWN,
    LEARNED,
    LOOKED,
    TRIED,
    has_looked,
    names_in,
    tells_of_hands,
    times_tried,
    was_shown,
)
from interpreter.engine.sight import Eyes, counted_to, owner_of
from interpreter.engine.whence import Sighting, dealt_anew, holder_of, may_have_uncovered, shuffled
from interpreter.language.keywords import COUNT_OF

MOST_TRIED = 2
"""So often moves are taken back until all cards are dealt anew of which it was only tried whether they tell of hidden
cards: what comes about seldom is missed, and that it did not come about is told each time."""


class Answer(NamedTuple):
    """why_not: why moves are not taken back with other chance; "" if they can be. tried: how often then, since all
    cards were dealt anew, it was only tried whether they tell of hidden cards."""

    why_not: str
    tried: int = 0


def answer(
    back: Position,
    course: Sequence[Position],
    sightings: Sequence[Sighting],
    eyes: int,
    behind: Sequence[Redrawn],
) -> Answer:
    """Whether moves are taken back with other chance.

    back: the state before them. course: the states in which each was made, and the last. sightings: what was seen
    since. eyes: bits of the players who keep what they have seen. behind: where chance was drawn anew since.
    """
    if may_have_uncovered(course[-1], back):  # before anything is asked that hangs on which card it was
        return Answer(LOOKED)
    told = has_told(back, course, sightings, eyes)  # first, for everybody knows that: what follows hangs on more
    if told == Told.SOMETHING:
        return Answer(LEARNED)
    tried = max(times_tried(back), *(again.tried for again in behind), 0) + (told == Told.PERHAPS)
    if told == Told.PERHAPS and tried > MOST_TRIED:
        return Answer(TRIED)
    if (any(again.shown for again in behind) or was_shown(back)) and tells_of_hands(back, sightings, eyes):
        return Answer(DRAWN)
    # whatever chance would give: else whoever asks again and again learns that
    if has_looked(back, sightings, eyes):
        return Answer(LOOKED)
    return Answer("", min(tried, MOST_TRIED))


@by_rules
def has_told(back: Position, course: Sequence[Position], sightings: Iterable[Sighting], eyes: int = ALL) -> Told:
    """Whether since an earlier state somebody may have been told of what is hidden and stays: what anybody's moves, or
    stages that began or ended, ask of it, and cards of somebody else, but for those that these have played themselves.
    Where the rules hide how many cards lie somewhere, that always counts among several who keep what they have seen.

    back: that state. course: the states in which something was decided since, and the last. sightings: what was seen
    since. eyes: bits of the players who keep what they have seen.
    """
    s, common = course[-1], CommonKnowledge(back)
    common.read(back.log or ())
    told = _has_asked(back, course, common, eyes)
    if back.program.hides_counts and (eyes & (1 << back.program.n) - 1).bit_count() > 1:
        return Told.SOMETHING  # what was shown there to one of them the answer would tell to the others
    if _has_shown(s, back, sightings, eyes, common) or _has_mixed(s, back):
        return Told.SOMETHING
    return told


def _has_asked(back: Position, course: Sequence[Position], common: CommonKnowledge, eyes: int) -> Told:
    """Whether what was done hung on something that not all who have moved know, or what was offered on something that
    not all know who decide. What others chose in secret counts as anything that they might have chosen."""
    s = course[-1]
    stages, made, everybody = s.program.stages, s.record_moves[len(back.record_moves) :], (1 << s.program.n) - 1
    secrets = s.program.secrets()
    begun = {stage.index for stage in stages if s.changes[stage.index] != back.changes[stage.index]}
    going_on = begun | {frame.stage for state in course for frame in state.stack}
    asked, offered, at_any_time = set(secrets.tells), set[str](), set[str]()
    secretly = set[StageCode]()  # stages in which others may have done something in secret
    for index in going_on:
        offered |= secrets.stages[index].offers_by
        at_any_time |= secrets.stages[index].offers_anytime_by
        if index in begun:
            asked |= secrets.stages[index].asks
        if begun or any(state.stack and state.stack[-1].stage == index for state in course[:-1]):
            asked |= secrets.stages[index].asks_behind_moves
        if index in begun or any(state.trick_number != back.trick_number for state in course):
            asked |= secrets.stages[index].asks_behind_tricks
    for state, (_, player, text, _) in zip(course, made, strict=False):
        action = action_named(state, text.partition(" ")[0])
        asked |= frozenset() if action is None else secrets.actions[action]
        stage = stages[state.stack[-1].stage]
        if stage.kind == "simultaneous" and eyes & everybody & ~(1 << player):
            secretly.add(stage)
    for state in course if s.program.n > 1 else ():
        if not state.over and secrets.stages[state.stack[-1].stage].is_done_unnoticed:
            secretly.add(stages[state.stack[-1].stage])
    for stage in secretly:
        asked = asked.union(*(secrets.actions[other] for other in stage.actions))
        if secrets.stages[stage.index].shows_by_choice:
            return Told.SOMETHING
    movers, known = mask_of({player for _, player, _, _ in made}), _Known(back, course, common)
    if not (
        all(known.is_known(name, movers) for name in asked)
        and all(map(known.is_offered, offered))
        and all(known.is_known(name, everybody) for name in at_any_time)
    ):
        return Told.SOMETHING
    told = Told.NOTHING
    for index in going_on:
        hidden = {name for name in secrets.stages[index].players_by if not known.is_known(name, movers)}
        if not hidden <= known.zones.keys():
            return Told.SOMETHING
        if hidden:
            told = max(told, tells_who(back, course, stages[index], as_tuple(movers)))
    return told


class _Known:
    """Looks up whether something is known to players, so that it tells nothing to ask of it."""

    def __init__(self, back: Position, course: Sequence[Position], common: CommonKnowledge) -> None:
        self._back, self._course, self._common = back, course, common
        self._eyes = [Eyes(state, back) for state in course]
        s = course[-1]
        self._program = s.program
        self.zones = {zone.name: zone for zone in s.program.zones}
        """By their names."""
        news = (s.log or [])[len(back.log or ()) :]
        self._news = news[: next((at for at, event in enumerate(news) if dealt_anew(s, back, event)), len(news))]

    def is_known(self, name: str, players: int) -> bool:
        """Whether all these players (bits) know it."""
        variable = self._speaks_of(name)
        if variable is not None:
            return all(_see(state, eyes, variable, players, news) for state, eyes, news in self._news_of(variable))
        if name.startswith(COUNT_OF):
            return self._is_counted(self.zones[name.removeprefix(COUNT_OF)])
        return name in self.zones and all(self._knows(self.zones[name], player) for player in as_tuple(players))

    def is_offered(self, name: str) -> bool:
        """Whether what this name stands for is known to all who decide, each time that they do."""
        variable, deciders = self._speaks_of(name), [mask_of(actors(state)) for state in self._course]
        if variable is None:
            return all(self.is_known(name, players) for players in set(deciders))
        decided = zip(self._course, self._eyes, deciders, strict=True)
        return all(_see(state, eyes, variable, players, None) for state, eyes, players in decided)

    def _speaks_of(self, name: str) -> VariableCode | None:
        """A variable that speaks of a card, which is seen by who sees the card where it lies."""
        variable = self._program.variables.get(name)
        return variable if variable is not None and variable.seen_by is None and variable.kind == "card" else None

    def _news_of(self, variable: VariableCode) -> list[tuple[Position, Eyes, list[int | None] | None]]:
        """The states, who sees what in each, and of which cards a variable spoke before: these have been seen, or were
        not to be."""
        slots = slice(variable.base, variable.base + variable.size)
        before = [None, *(state.v[slots] for state in self._course[:-1])]
        return [*zip(self._course, self._eyes, before, strict=True)]

    def _knows(self, zone: ZoneCode, player: int) -> bool:
        """Whether a player knows what lay in a zone then and what has come there since, before all was dealt anew."""
        places = range(zone.base, zone.base + zone.size)
        labels = {self._program.places[place] for place in places}
        came = (event for event in self._news if event.kind == "cards" and event.target in labels)
        swaps = (event for event in self._news if event.kind == "swap")
        homes = (event.words.removeprefix("to ") for event in self._news if event.kind == "gather")
        return (
            all(self._common.knows(place, player) for place in places)
            and all(event.seen >> player & 1 for event in came)
            and not any(labels.intersection(event.words.split(" and ")) for event in swaps)
            and labels.isdisjoint(homes)
        )

    def _is_counted(self, zone: ZoneCode) -> bool:
        """Whether everybody has seen all the time how many cards lie at each place of a zone."""
        everybody = (1 << self._program.n) - 1
        asked = ((state, owner) for state in self._course for owner in zone.owners)
        eyes = (counted_to(self._back, state, zone.count_seen_by, owner) for state, owner in asked)
        return all(seen & everybody == everybody for seen in eyes)


def _see(s: Position, eyes: Eyes, variable: VariableCode, players: int, before: Sequence[int | None] | None) -> bool:
    """Whether players see the cards of which a variable speaks where they lie. before: of which it spoke before, which
    do not count."""
    spoken = s.v[variable.base : variable.base + variable.size]
    news = [card for at, card in enumerate(spoken) if before is None or card != before[at]]
    cards = [card for card in news if card is not None and card >= 0]
    return all(eyes.at(card, eyes.where(card)) & players == players for card in cards)


def _has_shown(s: Position, back: Position, sightings: Iterable[Sighting], eyes: int, common: CommonKnowledge) -> bool:
    """Whether a card of somebody, who saw it, came to light for somebody else, other than for all and by a move of its
    owner that names it: what the rules do behind a move is nobody's own."""
    everybody = (1 << s.program.n) - 1
    movers: list[tuple[int | None, frozenset[str]]] = []
    for event in (s.log or [])[len(back.log or ()) :]:
        if event.kind == "move":
            movers.append((event.player, _named(event, eyes & everybody)))
        else:
            movers.append(movers[-1] if movers else (None, frozenset()))
    shown = set[tuple[int, str]]()
    for one in sorted(sightings):
        owner = holder_of(back, one.origin, one.unseen, common.looked)
        if owner is None:
            continue
        news = one.seen & one.unseen & everybody & ~(1 << owner)
        openly = one.lies or not eyes & everybody & ~one.seen  # else which card it was must make no difference
        if openly and not one.lies and movers[one.at][0] == owner and one.card in movers[one.at][1]:
            shown.add((owner, one.card))
        if news & eyes and not (openly and (owner, one.card) in shown):
            return True
    return False


def _named(move: Event, players: int) -> frozenset[str]:
    """The cards that a move names, as far as all of some players (bits) read of them."""
    reads = [move.cards[player] for player in as_tuple(players)] if move.cards else [move.words]
    return frozenset[str].intersection(*(frozenset(names_in(read)) for read in reads or [move.words]))


def _has_mixed(s: Position, back: Position) -> bool:
    """Whether cards of somebody were shuffled among some others: of what is drawn of these it is told that they are
    among them. Not where all are dealt anew."""
    movers = {player for _, player, _, _ in s.record_moves[len(back.record_moves) :]}
    owners = {owner_of(back, origin) for origin in shuffled(s, back)} - {None}
    return bool(owners) and owners != movers
