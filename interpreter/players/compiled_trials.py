"""Trials as machine code: just those that would be made in Python, only faster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from interpreter.api.game import State
from interpreter.api.native_attempts import key_for
from interpreter.api.native_trials import Attempted, Trial, TrialLane, attempted, is_stopped_often, trial_lane
from interpreter.api.native_worlds import Unwritten, numbers_of, whole_table
from interpreter.compiler.native.habit_book import FEW
from interpreter.compiler.native.search_tree import Tree
from interpreter.engine.chance import Dice
from interpreter.engine.moves import Choices, Move, Moves, Offered

if TYPE_CHECKING:
    from interpreter.players.determinization import Worlds
    from interpreter.players.habits import Habits

LUCKS = 1 << 32
"""How many kinds of luck there are for the trials in one world."""


class Course(NamedTuple):
    """How far a trial goes: the stage whose runs are deals, how many of them may end, and how many decisions may follow
    the move that is tried."""

    deal: int
    deals: int
    limit: int


class CompiledTrials:
    """The trials of one decision.

    moves: all that the player can do, or what is left of it. room: how many steps may still be spent on finding moves.
    """

    def __init__(
        self, state: State, player: int, worlds: Worlds, moves: Sequence[Move], course: Course, habits: Habits,
        room: Callable[[], int], tree: Tree,
    ) -> None:  # fmt: skip
        self._state, self._game, self._player, self._worlds = state, state.game, player, worlds
        self._course, self._room = course, room
        self._stage = 0 if state.over else state.position.stack[-1].stage
        self._moves = moves
        self._tree = tree
        self._lane: TrialLane | None = None if state.over or state.game.program.honor else trial_lane(state.game)
        self._common: list[int | None] | None = None
        """The numbers of which all worlds are made; None where each is made in Python."""
        self._pairs: dict[str, tuple[int, int] | None] = {}
        if self._lane is None or self._lane.built is None:
            return
        unknown = worlds.unknown()
        try:
            self._common = None if unknown is None else numbers_of(worlds.base, self._lane.slots, unknown)
        except Unwritten:
            self._lane = None
            return
        if is_stopped_often(self._lane, self._stage):
            self._lane = None
            return
        self._book = habits.book(self._game.program, self._lane.numbers)
        self._pays = len(moves) <= FEW and self._game.program.stages[self._stage].kind != "trick"

    def took(self, since: float) -> None:
        """Python has made trials since then: whether these are worth compiling depends on how long that takes."""
        if self._lane is not None and self._lane.built is None:
            self._lane.seconds += perf_counter() - since

    def of(
        self, number: int, moves: Sequence[Move], dice: Dice, picks: bool = False
    ) -> Iterator[tuple[Iterable[Trial | None], Replay]]:
        """The trials of moves in so many worlds, or in fewer where no more can be made so; None: one for Python, which
        has to be made before the next is looked at, as trials learn from those before.

        picks: in each world one of the moves is picked as in a trial, and that alone is tried. The dice, of who thinks,
        are then where they would be if Python had made those worlds.
        """
        if self._lane is None or self._lane.built is None:
            return
        pairs = [self._pair(move) for move in moves]
        wanted = [pair for pair in pairs if pair is not None]
        if len(wanted) < len(pairs):
            return
        many = 1 if picks else len(wanted)
        while number > 0:
            before, own, seed = dice.copy(), dice, None
            numbers, worlds = self._common, number
            if numbers is None:
                world = self._worlds.world(dice)
                own, seed, worlds = dice.copy(), world.position.seed, 1
                try:
                    numbers = numbers_of(world.position, self._lane.slots, whole_table(world.position))
                except Unwritten:
                    dice.draws, dice.halves = before.draws, before.halves
                    return
            first = own.copy()
            found = self._attempted(worlds, wanted, numbers, own, seed, 0, picks)
            if seed is not None:
                dice.draws, dice.halves = own.draws, own.halves
            whole = found.done // many
            for at in range(whole):
                start = found.starts[at] if seed is None else 0
                yield found.trials[at * many : (at + 1) * many], Replay(self._worlds, before, start)
            number -= whole
            if found.stopped:
                first.skip(found.starts[whole])
                start = found.starts[whole] if seed is None else 0
                rest = self._parts(found.trials[whole * many :], wanted, numbers, first, seed, picks)
                yield rest, Replay(self._worlds, before, start)
                number -= 1
            elif whole < worlds:  # a world that cannot be made
                if seed is not None:
                    dice.draws, dice.halves = before.draws, before.halves
                return

    def _parts(
        self, trials: list[Trial | None], moves: Sequence[tuple[int, int]], numbers: Sequence[int | None], dice: Dice,
        seed: int | None, picks: bool,
    ) -> Iterator[Trial | None]:  # fmt: skip
        """The trials of a world of which Python makes some: those before, and on from there. dice: before the world."""
        yield from trials
        at, many = len(trials), 1 if picks else len(moves)
        while at < many:
            found = self._attempted(1, moves, numbers, dice.copy(), seed, at, picks)
            yield from found.trials[at:]
            at = found.done + 1

    def _attempted(
        self, worlds: int, moves: Sequence[tuple[int, int]], numbers: Sequence[int | None], dice: Dice,
        seed: int | None, first: int, picks: bool,
    ) -> Attempted:  # fmt: skip
        assert self._lane is not None
        how = self._player, *self._course, int(self._pays), self._room()
        return attempted(
            self._lane, self._game, worlds, moves, numbers, dice, seed, (self._book, self._tree), how, self._stage,
            first, picks,
        )  # fmt: skip

    def _pair(self, move: Move) -> tuple[int, int] | None:
        """The number of a move among all that the player can do, and its key; None where one of them is not known."""
        if not self._pairs:
            everything = self._moves
            if isinstance(everything, Choices | Moves | Offered):
                self._everything = everything
            else:
                for at, one in enumerate(self._state.legal_moves(self._player)):
                    self._pairs[one.text] = self._keyed(at, one)
        if move.text not in self._pairs:
            self._pairs[move.text] = self._keyed(self._everything.place_of(move), move)
        return self._pairs[move.text]

    def _keyed(self, at: int | None, move: Move) -> tuple[int, int] | None:
        assert self._lane is not None
        key = key_for(self._game.program, self._stage, move, self._lane.numbers)
        return None if at is None or key is None else (at, key)


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
