"""The bots around a match at one terminal: when each is due, what it does then, what it claims."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interpreter.engine.claims import claim_moves, is_open
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.standing import kind_of_phase
from interpreter.engine.stuck import stuck
from interpreter.players.good_faith import lawful_moves
from interpreter.players.random_bot import Bot, RandomBot

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.events import Event
    from interpreter.engine.moves import Move

PAUSE = 450
"""Milliseconds that a bot takes for its turn when a person watches: enough to read what it did. It thinks within them,
so that they tell nobody whether it had a choice; only who thinks longer takes longer."""
MOMENT = 2_200
"""Milliseconds that a bot takes where claims are open: enough to notice what was wrong, and to type a claim."""
SPEECH = 1_500
"""Milliseconds more in a race on honour, for a person must type what is said."""
GRACE = 1_300
"""Milliseconds that a bot takes to claim, besides its reaction: a person who watches can be first."""
LOOKING = 1.0
"""Seconds in which bots look for faults after a move, all together, where people wait for the next."""


@dataclass(slots=True)
class Others:
    """bots: by player. people: those who play, too. play: makes a move, at a time if that matters."""

    state: State
    bots: dict[int, Bot]
    people: tuple[int, ...]
    play: Callable[[int, Move, int | None, dict[str, int]], list[Event]]
    _due: dict[int, int] = field(default_factory=dict)
    _extra: set[int] = field(default_factory=set)
    """Bots that have acted although nobody waited for them, since somebody did for whom the match waited."""
    _claims: dict[int, tuple[int, Move]] = field(default_factory=dict)
    """What bots are about to claim, and when."""
    _thought: tuple[int, int, Move | None] | None = None
    """Who has thought of a move before it is due, after how many moves of the match, and which it is, if any."""

    @property
    def are_idle(self) -> bool:
        """Whether nobody is about to do anything."""
        return not self._due and not self._claims

    def forget(self) -> None:
        """Whatever they were about to do has nothing to do with the match any more."""
        self._due.clear()
        self._claims.clear()
        self._extra.clear()
        self._thought = None

    def play_at_random(self) -> None:
        """Nobody thinks any more, unless they look after faults: some who think wait for ever for each other."""
        if not self.state.game.program.honor:
            self.bots = {player: RandomBot(player) for player in self.bots}

    def schedule(self, now: int, quick: bool) -> None:
        """Give each bot that has something to do a time to do it; take it from those that have not.

        quick: without delay, because nobody watches and nothing is timed.
        """
        ready = [p for p in self.state.actors if p in self.bots] + self._bystanders()
        self._due = {p: due for p, due in self._due.items() if p in ready}
        for player in ready:
            if player not in self._due:
                pause = 0 if quick else self._pause(player)
                self._due[player] = now + pause
                if pause and not is_open_to_several(self.state):  # else others may act before it is due
                    self._thought = (player, self._made, self.bots[player].choose(self.state, player))

    @property
    def _made(self) -> int:
        """How many moves were made in the match."""
        return len(self.state.position.record_moves)

    def _pause(self, player: int) -> int:
        if is_open_to_several(self.state):
            typing = SPEECH if self.people and self.state.game.program.honor else 0
            return self.bots[player].reaction() + typing
        return MOMENT if self.people and is_open(self.state.position) else PAUSE

    def first_due(self) -> int:
        """When a bot does something next."""
        return min([*self._due.values(), *(at for at, _ in self._claims.values())])

    def is_due(self, now: int) -> bool:
        return not self.are_idle and self.first_due() <= now

    def _bystanders(self) -> list[int]:
        """Bots for whom the match does not wait and who may act all the same, as far as they can tell: once each until
        it moves on."""
        state = self.state
        if kind_of_phase(state.position) not in ("race", "simultaneous"):
            return []
        actors = state.actors
        others = [p for p in self.bots if p not in actors and p not in self._extra]
        return [p for p in others if len(lawful_moves(state, p)[0])]

    def act(self, now: int, end: int | None) -> None:
        """Let the bot act whose time came first: claims go before moves."""
        claiming = [(at, player) for player, (at, _) in self._claims.items() if at <= now]
        if claiming:
            bot = min(claiming)[1]
            _, move = self._claims.pop(bot)
            if move in claim_moves(self.state.position, bot):
                with suppress(RuleError):  # nobody has to claim what the rules cannot carry out
                    self.play(bot, move, end, {})
            return
        bot = min(self._due, key=lambda p: (self._due[p], p))
        del self._due[bot]
        self._move(bot, end)

    def _move(self, bot: int, end: int | None) -> None:
        thought, self._thought = self._thought, None
        if thought is not None and thought[:2] == (bot, self._made):
            move = thought[2]
        else:
            move = self.bots[bot].choose(self.state, bot)
        awaited = bot in self.state.actors
        if move is None:
            raise stuck(self.state.position, bot, self.people or None)
        self.play(bot, move, end, self.bots[bot].measures(self.state, bot, move))
        if awaited:
            self.moved_on()
        else:
            self._extra.add(bot)

    def moved_on(self) -> None:
        """Somebody has acted for whom the match waited."""
        self._extra.clear()

    def watchers(self) -> list[int]:
        """Those who look after faults, while any can be claimed."""
        return [p for p, bot in self.bots.items() if bot.watches] if is_open(self.state.position) else []

    def watch(self, watchers: Iterable[int], before: State, events: Iterable[Event], now: int, timed: bool) -> None:
        """Let bots notice what is to be claimed. Once somebody has claimed it, nobody else needs to."""
        if any(event.kind == "claim" and " upheld" in event.words for event in events):
            self._claims.clear()
        until = time.monotonic() + LOOKING if self.people else math.inf  # else the same seed gives the same match
        for player in watchers:
            claim = self.bots[player].claim(before, self.state, player, until)
            if claim is not None and player not in self._claims:
                pause = GRACE + self.bots[player].reaction() if timed else 0
                self._claims[player] = now + pause, claim


def is_open_to_several(state: State) -> bool:
    """Whether it may matter who moves first."""
    return kind_of_phase(state.position) in ("race", "simultaneous") or len(state.actors) > 1


def is_open_at_any_time(state: State) -> bool:
    """Whether somebody may have to be quick: in a race, and where all choose and may do something else besides."""
    kind, s = kind_of_phase(state.position), state.position
    besides = any(s.program.stages[frame.stage].anytime for frame in s.stack)
    return kind == "race" or (kind == "simultaneous" and besides)
