"""A match with one person in real time: the bots' pace, the person's moves, and a clock that can be stopped.

It knows nothing of screens and keys. Whoever owns it asks it again and again to go on to the present moment.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from interpreter.engine.chance import derive
from interpreter.engine.events import told_last
from interpreter.engine.notation import IllegalMove
from interpreter.engine.standing import kind_of_phase
from interpreter.engine.stuck import stands_still
from interpreter.interfaces.fullscreen.reactions import Reactions
from interpreter.players.random_bot import Bot, RandomBot
from interpreter.players.realtime import Race, Speed
from interpreter.words.voice import Voice

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.frames import Frame
    from interpreter.engine.moves import Move

THOUGHT = 0.02
"""Seconds: what a bot's thinking takes beyond them does not count, for it thinks while its reaction goes on."""
MOST_TOLD = 400
"""Events of a move that are told."""


class Keeper(Protocol):
    """Whoever keeps what has happened."""

    def keep(self) -> None: ...


class Sitting:
    """One match. person: the seat of the person, or None if only bots play.

    clock: seconds, as time.monotonic. It stands at first; `go` lets it run. names: what people are called, from
    the first seat on.
    """

    def __init__(
        self,
        state: State,
        person: int | None,
        bots: Mapping[int, tuple[Bot, Speed]],
        seed: int,
        clock: Callable[[], float] = time.monotonic,
        keepers: Sequence[Keeper] = (),
        names: Sequence[str] = (),
    ) -> None:
        self.state, self.person = state, person
        self.voice = Voice(state.position, names)
        self.race_over = False
        """Whether a race has ended, and the clock was stopped so that all can be looked at."""
        self.refused = 0
        """How often the person was refused, or came too late."""
        self._race = Race(state, bots, derive(seed, state.game.program.n + 1), bool(keepers))
        self._body = RandomBot(derive(seed, 0))
        self._reactions = Reactions(state, person)
        self._clock = clock
        self._keepers = keepers
        self._last = 0
        """Where the last move stands in the log."""
        self._stood = state.position.clock
        self._since: float | None = None

    # ---- the clock --------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """Milliseconds of play."""
        ran = 0.0 if self._since is None else self._clock() - self._since
        return self._stood + int(ran * 1000 + 1e-6)

    @property
    def runs(self) -> bool:
        return self._since is not None

    def stop(self) -> None:
        """Time stands still."""
        self._stood, self._since = self.now, None

    def go(self) -> None:
        """Time goes on."""
        self.race_over = False
        if self._since is None:
            self._since = self._clock()

    # ---- what happens -----------------------------------------------------------------------------------

    def advance(self, before_now: bool = False) -> bool:
        """Let everything happen that is due; whether anything has changed. Raises RuleError if nobody can move.

        before_now: but for what is due in this very millisecond, because the person may be about to move in it too.
        """
        changed = self._up_to(self.now if before_now else self.now + 1)
        state = self.state
        if self.runs and not state.over and self._race.due is None:
            if self.person is None or not len(state.legal_moves(self.person)):
                raise stands_still(state.position, None if self.person is None else (self.person,))
        return changed

    def act(self, move: Move | str, begin: int) -> str:
        """Make a move of the person, begun at a time; why it is refused, or nothing. Raises RuleError."""
        assert self.person is not None
        now = self.now
        self._up_to(now)
        if not self.runs or self.state.over:
            return ""
        try:
            parsed = self.state.parse(self.person, str(move))
        except IllegalMove as refusal:
            return self._refused(self.voice.refusal(self.person, refusal))
        before = len(self.state.position.record_moves)
        measures = self._body.measures(self.state, self.person, parsed)
        copy = self.state.copy()
        self._race.reach(self.person, parsed, min(begin, now), now, **measures)
        self._step()
        for _, player, text, extra in self.state.position.record_moves[before:]:
            if player == self.person and text == str(parsed):
                return self._refused("too late: somebody was there at the same moment") if "refused" in extra else ""
        try:
            copy.play(self.person, parsed, min(begin, now), now, **measures)
        except IllegalMove as refusal:
            return self._refused(self.voice.refusal(self.person, refusal))
        return ""

    def _up_to(self, end: int) -> bool:
        """Let everything happen that is due before a time, unless the clock stands; whether anything has changed."""
        tick = self.state.position.tick
        while self.runs and not self.state.over:
            begun = self._clock()
            due = self._race.due  # those who are idle look for something to do
            if due is not None and due < end:
                self._step()
            if self._since is not None and self._clock() - begun > THOUGHT:
                self._since += self._clock() - begun
            if due is None or due >= end:
                break
        return self.state.position.tick != tick

    def _step(self) -> None:
        """Let the next thing happen, and stop the clock when it has ended a race."""
        frame, kind, tick = self.state.position.stack[-1], kind_of_phase(self.state.position), self.state.position.tick
        late, last = self._race.late, len(self.state.log or ())
        self._race.step()
        for player, count in enumerate(self._race.late):
            if count > late[player]:
                self._reactions.came_late(player, self._race.now)
        if self.state.position.tick == tick:
            return
        self._last = last
        self._reactions.look(self.state.position.clock)
        for keeper in self._keepers:
            keeper.keep()
        if kind == "race" and self.person is not None and not _goes_on(frame, self.state):
            self.stop()
            self.race_over = True

    def _refused(self, why: str) -> str:
        self.refused += 1
        return why

    @property
    def came_of_it(self) -> list[str]:
        """The last move and what came of it, as the person knows it; of very much the end."""
        came = (self.state.log or [])[self._last :]
        _, events = told_last(came, 0 if self.person is None else 1 << self.person, MOST_TOLD)
        return [line.text for line in self.voice.told(self.person, events, anew=True)]

    # ---- how it went ------------------------------------------------------------------------------------

    @property
    def moves(self) -> list[int]:
        """How many moves each player has made."""
        return self._reactions.moves

    @property
    def reactions(self) -> list[list[int]]:
        """The reactions of each player in races, in milliseconds."""
        return self._reactions.times

    @property
    def late(self) -> list[int]:
        """How many moves of each player came too late; of the person those that were refused."""
        return [self.refused if p == self.person else count for p, count in enumerate(self._race.late)]


def _goes_on(frame: Frame, state: State) -> bool:
    """Whether a stage is still going on."""
    return not state.over and any(other is frame for other in state.position.stack)
