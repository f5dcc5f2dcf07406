"""Bots at a table: they act in their time. Which move they make is found out elsewhere."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.host.asked_beside import CLAIMS, Denied, Questions
from interpreter.interfaces.host.bot_times import BotTimes, Turn
from interpreter.interfaces.host.hosted_steps import Step
from interpreter.interfaces.host.not_made import Refusal
from interpreter.interfaces.host.race_at_table import Held, RaceAtTable
from interpreter.interfaces.host.stored_table import StoredTable
from interpreter.interfaces.host.table_state import PLAYING

ASIDE, LEAST = 0.15, 0.3
"""Seconds of the time until it acts in which a bot does not think, as its move has to be made again where it thinks and
told here; and that it thinks at least. Whatever is seen of a bot comes when it is due, whether there was anything to
think about or not: who could tell would know what it holds."""
MOST_FAILED = 20
"""Moves of bots in a row that the rules cannot carry out, before the match ends."""


class BotsAtTable:
    """The bots of one table."""

    def __init__(self, table: StoredTable, racing: RaceAtTable, questions: Questions) -> None:
        self._table, self._racing, self._questions = table, racing, questions
        self._times = BotTimes(table.hall.pace)
        self._at_work: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._failed = 0
        """How many moves of theirs in a row the rules could not carry out."""

    def stop(self) -> None:
        """Nobody thinks any more."""
        for task in self._tasks:
            task.cancel()

    def wake(self) -> None:
        """Let bots think that are to act; not while nobody is there to see it."""
        table, standing = self._table, self._table.standing
        if table.state.state != PLAYING or standing is None or table.state.paused or not len(table.crowd):
            return
        levels = self._levels()
        for delay, turn in self._times.turns(standing, levels, self._at_work) if levels else ():
            self._at_work.add(turn.seat)
            task = asyncio.create_task(self._thinks(delay, turn))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _levels(self) -> dict[int, str]:
        """By seat."""
        return {seat: place.bot for seat, place in enumerate(self._table.state.seats) if place.bot}

    async def _thinks(self, delay: float, turn: Turn) -> None:
        """Think, wait until it is time, and act in turn."""
        begun = time.monotonic()
        table, move = self._table, None
        try:
            if turn.level != "easy":
                move = await table.hall.think(table.name, table.state, turn, max(LEAST, delay - ASIDE))
        finally:
            await asyncio.sleep(max(0.0, delay - (time.monotonic() - begun)))
            table.put(self._acts, turn, move)

    async def _acts(self, turn: Turn, move: str | None) -> None:
        self._at_work.discard(turn.seat)
        table, state, standing = self._table, self._table.state, self._table.standing
        if state.state != PLAYING or standing is None or table.match is None or state.paused:
            return
        races = turn.race and standing.race  # it may have come to its end meanwhile
        # Whatever others have done since, it acts if it is still to act: who does something all the time stops nobody.
        due = turn.seat in standing.actors and turn.race is standing.race
        if state.seats[turn.seat].bot and (races or due):
            for found in (move, None) if move and standing.made != turn.made else (move,):
                told = found or await self._any_move(turn.seat, races)
                if told is not None and races:
                    self._racing.arrives(Held(turn.seat, told), time.monotonic(), None)
                    return
                if told is not None:
                    await table.move(turn.seat, told, None)
                    if standing is not table.standing:
                        return
        if not races:
            self.wake()

    async def _any_move(self, seat: int, races: bool) -> str | None:
        """A move at random. In a race a bot of which the rules cannot say what it can do does nothing: it looks again
        when somebody has moved, and nobody waits for it."""
        assert self._table.match is not None
        try:
            return await self._table.match.easy_move(seat)
        except RuleError:
            if not races:
                raise
            return None

    async def go_on(self, seat: int, refusal: Refusal) -> None:
        """What follows upon a bot's move that the rules cannot carry out: another one, or in a race that it looks
        again. Raises RuleError where that is so again and again."""
        table = self._table
        if refusal.fault:
            raise RuntimeError(refusal.fault)
        self._failed += 1
        if self._failed > MOST_FAILED:
            raise RuleError(str(refusal))
        if refusal.instead:
            await table.move(seat, refusal.instead, None)
        elif table.standing is not None and table.standing.race:
            self.wake()

    def was_refused(self, refusal: Refusal) -> None:
        """A bot's move is against the rules. That it is late may be; not again and again while nobody moves."""
        self._failed += 1
        if self._failed > MOST_FAILED:
            raise RuntimeError(f"what a bot may do is refused: {refusal}")

    async def look(self, step: Step) -> None:
        """On honour bots look whether the last move was right, and may say so."""
        self._failed, table = 0, self._table
        if table.state.opened.game.honor and table.match is not None and not step.standing.over:
            claims = list[tuple[int, str]]()
            with suppress(Denied), self._questions.about(CLAIMS):
                claims = await table.match.claims(list(self._levels()))
            for bot, claim in claims:
                table.later(self._times.until_claim(), self._claims, bot, claim)

    async def _claims(self, bot: int, claim: str) -> None:
        """A bot claims a fault, if that can still be done."""
        state = self._table.state
        if state.state == PLAYING and not state.paused and state.seats[bot].bot:
            await self._table.move(bot, claim, None)
