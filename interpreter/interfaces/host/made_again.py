"""Matches that are made again from what is kept of them: their moves, and what chance has given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from interpreter.engine.outcomes import Outside
from interpreter.engine.playing import make_again
from interpreter.engine.position import Redrawn

if TYPE_CHECKING:
    from interpreter.api.game import Game
    from interpreter.api.state import State
    from interpreter.interfaces.host.hosted_match import History


def played(game: Game, history: History) -> tuple[State, list[tuple[int, str]]]:
    """A match that stands where a history leads; and its notes, each with how many events the log had then."""
    came = Outside()
    for place, outcomes in history.chance.items():
        came.outcomes(place).extend(outcomes)
    state = game.start(chance=came)
    return state, list(_made_again(state, history))


def _made_again(state: State, history: History) -> Iterator[tuple[int, str]]:
    begun, redrawn = 0, history.redrawn
    for end, note in [*history.notes, (len(history.moves), None)]:
        now = [Redrawn(moves - begun, seed) for moves, seed in redrawn if moves <= end]
        redrawn = [again for again in redrawn if again[0] > end]
        make_again(state.position, history.moves[begun:end], now)
        begun = end
        if note is not None:
            yield len(state.log or ()), note


def outcomes_by_place(state: State) -> Iterable[tuple[str, list[Any]]]:
    """What chance has given in a hosted match, by the places of `Outside.outcomes`."""
    came = state.position.setup.chance
    assert isinstance(came, Outside)
    for place, found in came.items():
        if place == "shuffle":
            yield from ((f"shuffle {stage}", orders) for stage, orders in found.items())
        else:
            yield place, found
