"""How bots play on honour: what they forget, what they notice, what they claim without having noticed anything.

A bot judges others as a person does: by what it has seen. It imagines the table as it may have been before a move
(`worlds`), with the cards that the move has shown where they came from, and makes there the move that it has seen and
heard. What is a fault in each of a few such worlds is taken for one, so now and then a bot is mistaken, as people are.
The list of faults of the match is never looked at; what shows only later (that somebody could have followed suit, say)
goes unnoticed.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from interpreter.engine.claims import claim_moves
from interpreter.engine.failures import Ruled
from interpreter.engine.legal import listable_moves
from interpreter.engine.notation import IllegalMove
from interpreter.engine.packets import as_tuple
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.view import sees_value
from interpreter.players.determinization import Worlds
from interpreter.players.good_faith import lawful_moves
from interpreter.players.open_course import knows_course
from interpreter.players.random_bot import RandomBot

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.events import Event
    from interpreter.engine.moves import Move

WORLDS, FEWEST = 6, 3
"""How many tables have to agree that a move is a fault; and how many at least where there is no time for all of them:
who has none for these claims nothing."""
BY_LAW = 4
"""One slip of so many breaks a law, where something could be left unsaid instead."""
LOOKED_AT = 500
"""Of very many possible moves, so many are looked at for a slip."""
FINELY = 1_000_000


@dataclass(frozen=True, slots=True)
class Manners:
    """How somebody plays on honour, as chances from 0 to 1. Raises ValueError for others.

    forgets: that something owed is left unsaid, or a law forgotten. notices: that a fault that the player could see is
    claimed. bluffs: that a claim is made against whoever moved, without a reason.
    """

    forgets: float = 0.0
    notices: float = 0.0
    bluffs: float = 0.0

    def __post_init__(self) -> None:
        for name in self.__slots__:
            chance = getattr(self, name)
            if not isinstance(chance, int | float) or not 0 <= chance <= 1:
                raise ValueError(f"{name} is a chance from 0 to 1, not {chance!r}")

    def __bool__(self) -> bool:
        return bool(self.forgets or self.notices or self.bluffs)


PERFECT = Manners()
"""Forgets nothing, and claims nothing."""
USUAL = Manners(forgets=0.1, notices=0.5)
"""How bots play with people: now and then there is something to catch, and people are caught."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A move as a player has seen and heard it: who, what, with which words, and where its cards came from."""

    mover: int
    text: str
    cards: dict[int, Counter[int]]


class HonourBot(RandomBot):
    """A bot that plays as another does, but for its manners. In strict play there is no difference."""

    def __init__(self, player: RandomBot, manners: Manners, seed: int) -> None:
        super().__init__(seed)
        self._player = player
        self._manners = manners
        self.watches = bool(manners.notices or manners.bluffs)

    def choose(self, state: State, player: int) -> Move | None:
        move = self._player.choose(state, player)
        if move is None or not state.game.program.honor or not self._happens(self._manners.forgets):
            return move
        return self._slip(state, player, move)

    def measures(self, state: State, player: int, move: Move) -> dict[str, int]:
        return self._player.measures(state, player, move)

    def reaction(self) -> int:
        return self._player.reaction()

    def claim(self, before: State, state: State, player: int, until: float = math.inf) -> Move | None:
        with Ruled(state.position):
            return self._claim(before, state, player, until)

    def _claim(self, before: State, state: State, player: int, until: float) -> Move | None:
        offered = [] if not state.game.program.honor or state.over else claim_moves(state.position, player)
        open_against = {move.args[0]: move for move in offered if move.args}
        if not open_against:
            return None
        found = seen_move(before, state, player)
        if found is None or found.mover == player:
            return None
        if self._happens(self._manners.notices):
            for offender in sorted(self._offenders(before, player, found, until) - {player}):
                if offender in open_against:
                    return open_against[offender]
        return open_against.get(found.mover) if self._happens(self._manners.bluffs) else None

    def _happens(self, chance: float) -> bool:
        return chance > 0 and self._dice.below(FINELY) < chance * FINELY

    def _slip(self, state: State, player: int, move: Move) -> Move:
        """A move as somebody makes it who forgets: with too little said, or one like it that breaks a law.

        It is the move itself where there is none such.
        """
        possible = [m for m in islice(listable_moves(state.position, player), LOOKED_AT) if m.action == move.action]
        silent = [m for m in possible if m.text == move.text and m != move and "?" not in (m.words or "")]
        if silent and self._dice.below(BY_LAW):
            return silent[self._dice.below(len(silent))]
        lawful = {m.text for m in islice(lawful_moves(state, player)[0], LOOKED_AT)}
        wrong = [m for m in possible if m.text not in lawful and "?" not in (m.words or "")]
        slips = wrong or silent or [move]
        return slips[self._dice.below(len(slips))]

    def _offenders(self, before: State, player: int, seen: Seen, until: float) -> set[int]:
        """Who has committed a fault, as far as the player can tell until then."""
        if not knows_course(before):
            return set()
        worlds = Worlds(before, player, seen.cards)
        certain: set[int] | None = None
        for number in range(WORLDS):
            if until < math.inf and time.monotonic() >= until:
                return (certain or set()) if number >= FEWEST else set()
            world = worlds.world(self._dice)
            if not number:
                _give_the_benefit_of_doubt(before, world, player, seen)
            world.position.faults = []  # what is paid for already is no fault of this move
            try:
                move = world.parse(seen.mover, seen.text)
                world.play(seen.mover, move, **self._player.measures(world, seen.mover, move))
            except (IllegalMove, RuleError):
                continue  # the move cannot have been made at this table
            here = {fault.offender for fault in world.position.faults}
            certain = here if certain is None else certain & here
            if not certain:
                break
        return certain or set()


def _give_the_benefit_of_doubt(before: State, world: State, player: int, seen: Seen) -> None:
    """Where a hidden variable holds a card, let it be the one that was shown: so the move may have been in order."""
    shown = [card for place, faces in seen.cards.items() for card in _lying(world, place, faces)]
    for code in world.game.program.variables.values():
        for at in range(code.size) if shown and code.kind == "card" else ():
            if world.position.v[code.base + at] is not None and not sees_value(before.position, code, at, player):
                world.position.v[code.base + at] = shown[0]


def _lying(world: State, place: int, faces: Counter[int]) -> list[int]:
    """Cards with such faces that lie at a place."""
    return [card for card in as_tuple(world.position.z[place]) if world.game.program.first_copy[card] in faces]


def seen_move(before: State, state: State, player: int) -> Seen | None:
    """The move that has been made since `before`, as far as a player could see it; None for one that shows nothing.

    A claim that is upheld shows nothing either: the penalty is for what it was made against.
    """
    if before.log is None or state.log is None:
        return None
    events = [event for event in state.log[len(before.log) :] if event.told >> player & 1]
    at = next((n for n, event in enumerate(events) if event.kind == "move"), None)
    if at is None or any(event.kind == "claim" and " upheld" in event.words for event in events[at:]):
        return None
    mover = events[at].player
    text = (events[at].text(player) or "").partition(" ")[2].removesuffix(" (taken back)")
    if mover is None or not text:
        return None
    said = [event.words for event in events[:at] if event.kind == "say" and event.player == mover]
    return Seen(mover, " ".join([text, *said]), _shown(state, events[at:], text.split(), player))


def _shown(state: State, events: Sequence[Event], words: Sequence[str], player: int) -> dict[int, Counter[int]]:
    """Where the cards that a move names lay before it."""
    places = {label: place for place, label in enumerate(state.game.program.places)}
    left, found = Counter(words), dict[int, Counter[int]]()
    for event, name in _moved(events, player):
        if left[name] > 0 and event.source in places:
            left[name] -= 1
            found.setdefault(places[event.source], Counter())[state.game.program.by_name[name.upper()]] += 1
    return found


def _moved(events: Sequence[Event], player: int) -> Iterator[tuple[Event, str]]:
    """Cards that go from one place to another before the player's eyes, until cards are gathered."""
    for event in events:
        if event.kind == "gather":
            return
        if event.kind == "cards" and event.seen >> player & 1:
            yield from ((event, name) for name in event.cards)
