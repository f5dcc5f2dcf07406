"""What moves told of things that stay as they are if the moves are taken back, as far as everybody can tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.engine.common_knowledge import CommonKnowledge
from interpreter.engine.events import ALL
from interpreter.engine.failures import by_rules
from interpreter.engine.legal import actors
from interpreter.engine.packets import as_tuple, mask_of
from interpreter.engine.position import Position
from interpreter.engine.program import StageCode, VariableCode, ZoneCode
from interpreter.engine.sight import eyes_at, lying_at, owner_of
from interpreter.engine.whence import Sighting, dealt_anew, holder_of, shuffled
from interpreter.language.keywords import COUNT_OF


@by_rules
def has_learned(s: Position, back: Position, sightings: Iterable[Sighting], eyes: int = ALL) -> bool:
    """Whether since an earlier state somebody may have been told of what is hidden and stays: what anybody's moves, or
    stages that began or ended, ask of it, and cards of somebody else, but for those that these have played themselves.

    back: that state. sightings: what was seen since. eyes: bits of the players who keep what they have seen.
    """
    common = CommonKnowledge(back)
    common.read(back.log or ())
    return _has_asked(s, back, common) or _has_shown(s, back, sightings, eyes, common) or _has_mixed(s, back)


def _has_asked(s: Position, back: Position, common: CommonKnowledge) -> bool:
    """Whether what was done hung on something that not all who have moved know, or what was offered on something that
    not all know who decide."""
    made = [(player, text.partition(" ")[0]) for _, player, text, _ in s.record_moves[len(back.record_moves) :]]
    stages, names = s.program.stages, {action for _, action in made}
    begun = {stage.index for stage in stages if s.changes[stage.index] != back.changes[stage.index]}
    going_on = begun | {frame.stage for position in (back, s) for frame in position.stack}
    asked, offered = set(s.program.tells), set[str]()
    for index in going_on:
        stage: StageCode = stages[index]
        offered |= stage.offers_by
        if index in begun:
            asked |= stage.asks
        if index in begun or s.trick_number != back.trick_number:
            asked |= stage.asks_behind_tricks
        for action in (*stage.actions, *stage.anytime):
            if action.name in names or names.intersection(action.also):
                asked |= action.asks
    movers, known = mask_of({player for player, _ in made}), _Known(s, back, common)
    then, now = (mask_of(actors(position)) for position in (back, s))
    return not (
        all(known.is_known(name, movers, movers, movers) for name in asked)
        and all(known.is_known(name, movers, then, now) for name in offered)
    )


class _Known:
    """Looks up whether something is known to players, so that it tells nothing to ask of it."""

    def __init__(self, s: Position, back: Position, common: CommonKnowledge) -> None:
        self._s, self._back, self._common = s, back, common
        self._zones = {zone.name: zone for zone in s.program.zones}
        news = (s.log or [])[len(back.log or ()) :]
        self._news = news[: next((at for at, event in enumerate(news) if dealt_anew(s, event)), len(news))]

    def is_known(self, name: str, players: int, then: int, now: int) -> bool:
        """Whether all these players (bits) know it. then, now: those for whom a card is looked at of which a variable
        speaks, and which lies where only some see it."""
        if name.startswith(COUNT_OF):
            return self._is_counted(self._zones[name.removeprefix(COUNT_OF)])
        if name in self._zones:
            return all(self._knows(self._zones[name], player) for player in _bits(players))
        variable = self._s.program.variables.get(name)
        if variable is None or variable.seen_by is not None or variable.kind != "card":
            return False
        return self._is_seen(variable, then, now)

    def _knows(self, zone: ZoneCode, player: int) -> bool:
        """Whether a player knows what lay in a zone then and what has come there since, before all was dealt anew."""
        places = range(zone.base, zone.base + zone.size)
        labels = {self._s.program.places[place] for place in places}
        came = (event for event in self._news if event.kind == "cards" and event.target in labels)
        swaps = (event for event in self._news if event.kind == "swap")
        return (
            all(self._common.knows(self._back, place, player) for place in places)
            and all(event.seen >> player & 1 for event in came)
            and not any(labels.intersection(event.words.split(" and ")) for event in swaps)
        )

    def _is_counted(self, zone: ZoneCode) -> bool:
        """Whether everybody sees how many cards lie at each place of a zone, then and now."""
        everybody = (1 << self._s.program.n) - 1
        eyes = (zone.count_seen_by(position, owner) for position in (self._back, self._s) for owner in zone.owners)
        return all(seen & everybody == everybody for seen in eyes)

    def _is_seen(self, variable: VariableCode, then: int, now: int) -> bool:
        """Whether players see the cards of which a variable speaks where they lie: of those of which it spoke then, and
        of others of which it speaks now."""
        slots = range(variable.base, variable.base + variable.size)
        before, after = ([position.v[slot] for slot in slots] for position in (self._back, self._s))
        news = [card for card, old in zip(after, before, strict=True) if card != old]
        return _see(self._back, before, then) and _see(self._s, news, now)


def _see(s: Position, cards: Iterable[int | None], players: int) -> bool:
    """Whether players see these cards where they lie."""
    lying = [card for card in cards if card is not None and card >= 0]
    return all(eyes_at(s, card, lying_at(s, card)) & players == players for card in lying)


def _has_shown(s: Position, back: Position, sightings: Iterable[Sighting], eyes: int, common: CommonKnowledge) -> bool:
    """Whether a card of somebody, who saw it, came to light for somebody else, other than by a move of its owner."""
    movers: list[int | None] = []
    for event in (s.log or [])[len(back.log or ()) :]:
        movers.append(event.player if event.kind == "move" else movers[-1] if movers else None)
    shown: dict[tuple[int, str], int] = {}
    everybody = (1 << s.program.n) - 1
    for at, card, origin, seen, unseen in sorted(sightings):
        owner = holder_of(back, origin, unseen, common.looked)
        if owner is None:
            continue
        news = seen & unseen & everybody & ~(1 << owner)
        if at < len(movers) and movers[at] == owner:
            shown[owner, card] = shown.get((owner, card), 0) | news
        if news & eyes & ~shown.get((owner, card), 0):
            return True
    return False


def _has_mixed(s: Position, back: Position) -> bool:
    """Whether cards of somebody were shuffled among some others: of what is drawn of these it is told that they are
    among them. Not where all are dealt anew."""
    movers = {player for _, player, _, _ in s.record_moves[len(back.record_moves) :]}
    owners = {owner_of(back, origin) for origin in shuffled(s, back)} - {None}
    return bool(owners) and owners != movers


def _bits(players: int) -> Iterator[int]:
    return iter(as_tuple(players))
