"""How a trial that Python makes walks down the tree of a decision: as `native_attempts.climb`, in machine code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.api.native_attempts import key_for, known_as, numbers_by_action
from interpreter.compiler.native.habit_book import FEW
from interpreter.compiler.native.search_tree import Tree

if TYPE_CHECKING:
    from interpreter.engine.chance import Dice
    from interpreter.engine.moves import Move
    from interpreter.engine.position import Position
    from interpreter.engine.program import Program
    from interpreter.players.habits import Habit, Habits


class Walk:
    """The walks of one decision. Races are played without a tree: nobody waits for a turn there."""

    def __init__(self, program: Program, habits: Habits, tree: Tree) -> None:
        self.tree = tree
        self._program, self._habits = program, habits
        self._numbers = numbers_by_action(program)
        self._keys: dict[tuple[int, object], int | None] = {}

    def begin(self, s: Position, move: Move) -> None:
        """A trial begins with a move."""
        racing = s.program.stages[s.stack[-1].stage].kind == "race"
        self.tree.begin(None if racing or not self.tree.deepest else self._key(s.stack[-1].stage, move))

    def move(self, s: Position, player: int, moves: Sequence[Move], dice: Dice) -> Move | None:
        """One of the moves of a player; None where the trial is not in the tree, or leaves it here."""
        tree, stage = self.tree, s.stack[-1].stage
        if not tree.climbs:
            return None
        kind = s.program.stages[stage].kind
        if len(moves) > FEW or kind == "race":
            tree.leave()
            return None
        keys = [self._key(stage, move) for move in moves]
        known = [key for key in keys if key is not None]
        if len(known) < len(keys):
            tree.leave()
            return None
        if len(moves) == 1:
            tree.follow(player, known[0])
            return moves[0]
        nodes = tree.reach(player, known)
        if kind == "trick":  # of which no habits are learnt
            habits: list[Habit | None] = [None] * len(moves)
        else:
            habits = [self._habits.known(self._program, stage, move) for move in moves]
        fresh = tree.fresh(nodes, habits)
        at = fresh[dice.below(len(fresh))] if fresh else tree.best(nodes, habits)
        tree.take(player, nodes[at])
        return moves[at]

    def _key(self, stage: int, move: Move) -> int | None:
        said = known_as(self._program, stage, move)
        found = self._keys.get(said, 0)
        if found == 0:
            found = self._keys[said] = key_for(self._program, stage, move, self._numbers)
        return found
