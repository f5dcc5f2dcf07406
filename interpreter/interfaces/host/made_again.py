"""Matches that are made again from what is kept of them: their moves, and what chance has given."""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from interpreter.api.recording import written
from interpreter.base.packed import packed
from interpreter.engine.events import Event
from interpreter.engine.outcomes import Outside
from interpreter.engine.playing import made_again
from interpreter.engine.position import Redrawn
from interpreter.engine.situation import RecordedMove

if TYPE_CHECKING:
    from interpreter.api.game import Game, State


class History(Struct):
    """All that makes a match again. notes: what was told at the table besides, each after so many moves."""

    moves: list[RecordedMove] = []
    chance: dict[str, list[Any]] = {}
    redrawn: list[tuple[int, int]] = []
    notes: list[tuple[int, str]] = []


class MakingAgain:
    """A match on its way to where a history leads. notes: those of its notes to which it has come, each with how many
    events the log had then. took: after each move how many seconds of processor time all so far have taken."""

    def __init__(self, game: Game, history: History) -> None:
        self.state: State = game.start(chance=came_about(history.chance))
        self.notes: list[tuple[int, str]] = []
        self.took = array("d")
        self._moves = self._made_again(history)

    def goes_on(self, seconds: float = math.inf) -> bool:
        """Make moves for so many seconds of processor time, one at least; whether there are no more of them."""
        begun = before = time.thread_time()
        for _ in self._moves:
            now = time.thread_time()
            self.took.append((self.took[-1] if self.took else 0.0) + now - before)
            keep_small(self.state)  # else it needs more memory than it did when it was played
            if now - begun >= seconds:
                return False
            before = now
        return True

    def _made_again(self, history: History) -> Iterator[None]:
        begun, redrawn = 0, history.redrawn
        for end, note in [*history.notes, (len(history.moves), None)]:
            now = [Redrawn(moves - begun, seed) for moves, seed in redrawn if moves <= end]
            redrawn = [again for again in redrawn if again[0] > end]
            yield from made_again(self.state.position, history.moves[begun:end], now)
            begun = end
            if note is not None:
                self.notes.append((len(self.state.log or ()), note))


def keep_small(state: State) -> None:
    """Keep what was long ago small: it is read when somebody comes, and when moves are taken back."""
    s = state.position
    s.log, s.record_moves = packed(Event, [] if s.log is None else s.log), packed(RecordedMove, s.record_moves)


def played(game: Game, history: History) -> MakingAgain:
    """A match that stands where a history leads."""
    made = MakingAgain(game, history)
    made.goes_on()
    return made


def came_about(chance: dict[str, list[Any]]) -> Outside:
    """What chance has given in a hosted match, as it fixes what it gives again. chance: by place."""
    came = Outside()
    for place, outcomes in chance.items():
        came.outcomes(place).extend(outcomes)
    return came


def record_of(head: Mapping[str, Any], history: History) -> str:
    """The record of a hosted match, of which nothing is played. head: see `Begun`."""
    came = came_about(history.chance)
    return written({**head, "chance": came} if came else head, history.moves, history.redrawn)


def outcomes_by_place(state: State) -> Iterable[tuple[str, list[Any]]]:
    """What chance has given in a hosted match, by the places of `Outside.outcomes`."""
    came = state.position.setup.chance
    assert isinstance(came, Outside)
    return came.by_place()
