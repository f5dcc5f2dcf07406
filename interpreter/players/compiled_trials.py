"""Trials of plays to tricks as machine code: just those that would be made in Python, only faster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from interpreter.api.native_trials import Trial, TrialLane, trial_lane, tried
from interpreter.api.native_worlds import Unwritten, numbers_of, whole_table
from interpreter.api.state import State
from interpreter.engine.chance import Dice
from interpreter.engine.moves import Move

if TYPE_CHECKING:
    from interpreter.players.determinization import Worlds

LUCKS = 1 << 32
"""How many kinds of luck there are for the trials in one world."""


class CompiledTrials:
    """The trials of one decision about a card for a trick.

    moves: all that the player can do. deal, deals: the stage whose runs are deals, and how many of them may end.
    limit: of the decisions after a play that is tried.
    """

    def __init__(
        self, state: State, player: int, worlds: Worlds, moves: Sequence[Move], deal: int, deals: int, limit: int
    ) -> None:
        self._game, self._player, self._worlds = state.game, player, worlds
        self._how = player, deal, deals, limit
        self._lane: TrialLane | None = trial_lane(state.game) if _are_plays(state, moves) else None
        self._common: list[int | None] | None = None
        """The numbers of which all worlds are made; None where each is made in Python."""
        if self._lane is not None and self._lane.built is not None:
            unknown = worlds.unknown()
            try:
                self._common = None if unknown is None else numbers_of(worlds.base, self._lane.slots, unknown)
            except Unwritten:
                self._lane = None

    def took(self, since: float) -> None:
        """Python has made trials since then: whether these are worth compiling depends on how long that takes."""
        if self._lane is not None and self._lane.built is None:
            self._lane.seconds += perf_counter() - since

    def of(self, number: int, moves: Sequence[Move], dice: Dice) -> Iterator[tuple[list[Trial | None], Replay]]:
        """The trials of moves in so many worlds, or in fewer where no more can be made so; None: one for Python.

        The dice, of who thinks, are then where they would be if Python had made those worlds.
        """
        lane = self._lane
        if lane is None or lane.built is None:
            return
        cards, before = [move.args[0] for move in moves], dice.copy()
        if self._common is not None:
            for taken, trials in tried(lane, self._game, number, cards, self._common, dice, None, *self._how):
                yield trials, Replay(self._worlds, before, taken)
            return
        for _ in range(number):
            before = dice.copy()
            world = self._worlds.world(dice)
            try:
                numbers = numbers_of(world.position, lane.slots, whole_table(world.position))
                found = tried(lane, self._game, 1, cards, numbers, dice, world.position.seed, *self._how)
            except Unwritten:
                found = []
            if not found:
                dice.draws, dice.halves = before.draws, before.halves
                return
            yield found[0][1], Replay(self._worlds, before, 0)


class Replay:
    """A world in which machine code has made trials, for those that have to be made again.

    dice: those of who thinks; taken: the choices they made until that world was begun.
    """

    def __init__(self, worlds: Worlds, dice: Dice, taken: int) -> None:
        self._worlds, self._dice, self._taken = worlds, dice, taken

    def world(self) -> tuple[State, int]:
        """The world, and the luck of all trials in it."""
        dice = self._dice.copy()
        dice.skip(self._taken)
        return self._worlds.world(dice), dice.below(LUCKS)


def _are_plays(state: State, moves: Sequence[Move]) -> bool:
    """Whether all moves are plays of a card to a trick that is played out at random in one loop."""
    s = state.position
    if s.over or s.program.honor or s.program.multi:
        return False
    stage = s.program.stages[s.stack[-1].stage]
    play = stage.plain_play
    if stage.kind != "trick" or stage.playout is None or play is None:
        return False
    return all(move.maker is play and len(move.args) == 1 and type(move.args[0]) is int for move in moves)
