"""Which key stands for what: dealt out before the match, and the same until its end.

The rows of the keyboard are those of the table: the home row for one's own cards, the row above it for what lies in
the middle, space and the bottom row for what is done without pointing at anything, digits for players and pieces.

What will need a key is found by a rehearsal: matches at random, of a fixed seed, before the real one. Things that come
up later all the same get the next free key of their row.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interpreter.engine.chance import Dice
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.fullscreen.things import Open, Spots, Thing, Way, opened, owner, places, pointed_first
from interpreter.players.random_bot import RandomBot

if TYPE_CHECKING:
    from interpreter.api.game import Game, State
    from interpreter.engine.program import ActionCode

HOME, ABOVE, BELOW, DIGITS = "asdfghjkl", "qwertyuiop", "zxcvbnm", "1234567890"
POOLS = {
    "own": (*HOME, *BELOW, *ABOVE),
    "middle": (*ABOVE, *DIGITS, *BELOW),
    "action": ("space", *BELOW, *reversed(HOME)),
}
REHEARSED = 3
"""Matches that are rehearsed to see which moves come up."""
DECISIONS = 200
"""Decisions in each match that is rehearsed."""
LISTED, SECONDS = 60_000, 2.0
"""Moves that are listed for all of that, and seconds of processor time that it takes: whoever wants to play waits. A
game that has neither so many moves nor slow rules comes to neither, so that its keys are the same everywhere."""


@dataclass(slots=True)
class Rehearsal:
    """What came up when a game was played at random.

    fans: zones of which single cards are chosen, each with the most cards that a player had in it. own: places as
    their owner sees them, `pile 2`. shared: zones of which also the places of others are used. actions: those without
    anything to point at, each with the others that were open at the same time.
    """

    fans: dict[str, int] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    actions: dict[str, set[str]] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    """The actions that were lawful at some time."""
    begun: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """By stage and zone the actions that were lawful there at some time and begin by pointing at a place of it."""
    listed: int = 0
    """How many moves were listed for that."""

    def watch(self, state: State, player: int) -> None:
        """Take in what is open to a player."""
        view = state.view(player)
        spots = Spots(self.fans, state.game.program.ranks)
        spots.look(view)
        found = opened(state, player, spots)
        self.listed += found.listed
        for zone, label, place in places(view):
            if zone in spots.fans or (found.several and _is_fan(view["player"], label, place["cards"])):
                mine = len(place["cards"]) if owner(label) in (view["player"], None) else 0
                self.fans[zone] = max(self.fans.get(zone, 0), mine)
        self._places(found, f"P{player + 1}")
        actions = found.actions
        self.made |= {way.things[0][1] for way in found.lawful if way.things[0][0] == "action"}
        begun = self.begun.setdefault(state.phase, {})
        for zone, names in beginning(found.lawful).items():
            begun[zone] = list(dict.fromkeys((*begun.get(zone, ()), *names)))
        for name in actions:
            self.actions.setdefault(name, set()).update(actions)

    def _places(self, found: Open, player: str) -> None:
        for way in found.lawful:
            for thing in way.things:
                if thing[0] not in ("place", "slot"):
                    continue
                whose, zone = owner(thing[1]), thing[1].split(" ")[0]
                if whose == player:
                    self.own.add(_relative(thing[1]))
                else:
                    self.shared.add(zone)


def beginning(ways: Iterable[Way]) -> dict[str, list[str]]:
    """By zone the actions of ways that begin by pointing at a place of it."""
    found: dict[str, list[str]] = {}
    for way in ways:
        if way.things[0][0] in ("place", "slot"):
            names = found.setdefault(way.things[0][1].split(" ")[0], [])
            if way.move.action not in names:
                names.append(way.move.action)
    return found


def _is_fan(player: str, label: str, cards: list[str | None]) -> bool:
    return owner(label) == player and len(cards) > 1 and None not in cards


def _relative(label: str) -> str:
    zone, _, *rest = label.split(" ")
    return " ".join([zone, *rest])


def rehearse(game: Game) -> Rehearsal:
    """Play a game at random and see what comes up, as long as that takes no time to speak of. It knows nothing of any
    other match."""
    found, until = Rehearsal(), time.thread_time() + SECONDS
    for number in range(1, REHEARSED + 1):
        if found.listed >= LISTED or time.thread_time() >= until:
            break
        with suppress(RuleError):  # if it comes to that in the real match, it will be told then
            _rehearse(game.start(seed=number), number, found, until)
    return found


def _rehearse(state: State, seed: int, found: Rehearsal, until: float) -> None:
    bot, dice = RandomBot(seed), Dice(seed)
    state.position.log = None  # nobody reads it
    for _ in range(DECISIONS):
        if state.over or found.listed >= LISTED or time.thread_time() >= until:
            break
        actors = state.actors
        player = actors[dice.below(len(actors))]
        found.watch(state, player)
        move = bot.choose(state, player)
        if move is None:
            break
        state.play(player, move, **bot.measures(state, player, move))


class Keys:
    """The keys of one player in a game. shared: zones that lie in the middle, also if every player has one."""

    def __init__(self, rehearsed: Rehearsal, actions: Iterable[ActionCode] = ()) -> None:
        """actions: all of them, in the order of the ruleset."""
        self._begins: dict[str, list[str]] = {}
        """Zone -> the actions that begin at a place of it."""
        for action in actions:
            if action.offered and (zone := pointed_first(action)):
                self._begins.setdefault(zone, []).append(action.name)
        self.shared = set(rehearsed.shared)
        self._rehearsed = rehearsed
        self._keys: dict[Thing, str] = {}
        self._things: dict[str, list[Thing]] = {}
        names = dict.fromkeys(action.name for action in actions)
        for name in sorted(names, key=lambda name: name not in rehearsed.made):
            if name in rehearsed.actions:
                self.of(("action", name))

    @classmethod
    def of_game(cls, game: Game, player: int, rehearsed: Rehearsal | None = None) -> Keys:
        """Keys for a player of a game, which are the same in each of its matches."""
        stages = game.program.stages
        found = rehearse(game) if rehearsed is None else rehearsed
        keys = cls(found, [action for stage in stages for action in (*stage.anytime, *stage.actions)])
        me = f"P{player + 1}"
        zones = [(code.name, label) for code in game.program.zones for label in code.labels]
        for zone, label in zones:
            if zone in keys.shared:
                keys._deal(zone, label, me)
        for zone, label in zones:
            if owner(label) == me and zone not in keys.shared and _relative(label) in found.own:
                keys._deal(zone, label, me)
        return keys

    def _deal(self, zone: str, label: str, player: str) -> None:
        fans = self._rehearsed.fans
        for thing in [("slot", label, str(n)) for n in range(fans[zone])] if zone in fans else [("place", label)]:
            self.of(thing, player)

    @property
    def fans(self) -> Iterable[str]:
        """The zones of which single cards are chosen."""
        return self._rehearsed.fans

    def known(self, thing: Thing) -> str | None:
        """The key that a thing has got."""
        return self._keys.get(thing)

    def things(self, key: str) -> tuple[Thing, ...]:
        """What a key stands for; several actions, where they are never open together."""
        return tuple(self._things.get(key, ()))

    def begun(self, stage: str) -> dict[str, list[str]]:
        """By zone what was lawful in a stage, when it was rehearsed, and begins at a place of it."""
        return self._rehearsed.begun.get(stage, {})

    def begins(self, zone: str) -> list[str]:
        """What may be done in any stage that begins at a place of a zone."""
        rehearsed = (name for zones in self._rehearsed.begun.values() for name in zones.get(zone, ()))
        return list(dict.fromkeys((*rehearsed, *self._begins.get(zone, ()))))

    def is_used(self, zone: str, label: str) -> bool:
        """Whether somebody plays from a place or to it, so that it is drawn also when it is empty."""
        if owner(label) is None or zone in self.shared:
            return self.known(("slot", label, "0") if zone in self.fans else ("place", label)) is not None
        return _relative(label) in self._rehearsed.own

    def all(self) -> Iterable[tuple[str, tuple[Thing, ...]]]:
        """Every key that stands for something, with what it stands for."""
        return [(key, tuple(things)) for key, things in self._things.items()]

    def places(self) -> list[tuple[str, str]]:
        """The places that have keys: zone and label, in the order in which they got them."""
        return [(thing[1].split(" ")[0], thing[1]) for thing in self._keys if thing[0] == "place"]

    def of(self, thing: Thing, player: str = "") -> str | None:
        """The key of a thing, which gets one now if it has none; None if there is none left."""
        if thing not in self._keys:
            key = next((key for key in self._pool(thing, player) if self._is_free(key, thing)), None)
            if key is None:
                return None
            self._keys[thing] = key
            self._things.setdefault(key, []).append(thing)
        return self._keys[thing]

    def _pool(self, thing: Thing, player: str) -> tuple[str, ...]:
        match thing[0]:
            case "action":
                return POOLS["action"]
            case "player" | "piece":
                number = int(thing[1].removeprefix("P"))
                return (str(number % 10), *DIGITS) if number <= 10 else tuple(DIGITS)
        zone = thing[1].split(" ")[0]
        return POOLS["own" if owner(thing[1]) == player and zone not in self.shared else "middle"]

    def _is_free(self, key: str, thing: Thing) -> bool:
        """Whether nothing has the key that could be meant at the same time."""
        together = self._rehearsed.actions
        for other in self._things.get(key, ()):
            if {thing[0], other[0]} == {"player", "piece"}:
                continue
            if thing[0] != "action" or other[0] != "action":
                return False
            if thing[1] not in together or other[1] not in together or other[1] in together[thing[1]]:
                return False
        return True
