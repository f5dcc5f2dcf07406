"""How often each law refused something, and how often each action and each row of `cards` was played.

It is counted while the matches of a simulation are played once more, move by move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from interpreter.analysis.offers import maybe_refused, offers_something, possible_of
from interpreter.analysis.plan import Plan
from interpreter.analysis.simulation import in_order
from interpreter.api.game import Game, State
from interpreter.api.random_play import deal_stage, measures_of
from interpreter.base.memory import no_collecting
from interpreter.engine import legal
from interpreter.engine.available import action_named, open_actions
from interpreter.engine.chance import Dice, derive
from interpreter.engine.failures import Ruled
from interpreter.engine.meaning import Offer
from interpreter.engine.moves import Move
from interpreter.engine.playing import make
from interpreter.engine.position import Position, Unkept
from interpreter.engine.program import ActionCode
from interpreter.engine.stuck import stuck
from interpreter.players.bot_matches import bot_matches

Name = tuple[str, ...]
"""Of an action: stage, action; of a law: stage, action, law."""


@dataclass(slots=True)
class Counts:
    """refused: at how many decisions a law forbade something that was possible. played: moves of each action. rows:
    moves that took each row of `cards`. decisions: how many were looked at.
    """

    decisions: int = 0
    refused: Counter[Name] = field(default_factory=Counter)
    played: Counter[Name] = field(default_factory=Counter)
    rows: Counter[str] = field(default_factory=Counter)

    def add(self, other: Counts) -> None:
        self.decisions += other.decisions
        self.refused += other.refused
        self.played += other.played
        self.rows += other.rows


def count(plan: Plan, games: int, workers: int = 1, tell: Callable[[int], None] = lambda done: None) -> Counts:
    """Count in the first matches of a plan, which must be strict and without real time. tell: hears how many are done.

    Whoever interrupts gets what has been counted so far. Raises RuleError.
    """
    counts = Counts()
    try:
        with closing(in_order(plan, range(games), workers, _counted)) as coming:
            for done, found in enumerate(coming, start=1):
                counts.add(found)
                tell(done)
    except KeyboardInterrupt:
        if not counts.decisions:
            raise
    return counts


def _counted(plan: Plan, numbers: range) -> Iterator[Counts]:
    for number in numbers:
        eye = _Eye(Dice(derive(plan.seed, number) + 2))
        if plan.players.skill == "random":
            with no_collecting():
                _play_randomly(plan, number, eye)
        else:
            who = plan.players
            how = (plan.game, 1, plan.seed, plan.deals, plan.limit, who.skill, who.manners, number, False, eye.look)
            for _ in bot_matches(*how):
                pass
        yield eye.counts


def _play_randomly(plan: Plan, number: int, eye: _Eye) -> None:
    """The match of that number as `playouts` plays it, a move at a time."""
    own = derive(plan.seed, number)
    state, dice = plan.game.start(seed=own, log=False), Dice(own + 1)
    s = state.position
    s.record_moves = Unkept()
    s.halt_after = None if plan.deals is None else (deal_stage(plan.game.program), plan.deals)
    while not s.over and not s.halted and eye.counts.decisions < plan.limit:
        actors = legal.actors(s)
        if not actors:
            raise stuck(s, s.current)
        player = actors[dice.below(len(actors))] if len(actors) > 1 else actors[0]
        moves = legal.legal_moves(s, player)
        if not len(moves):
            raise stuck(s, player)
        move = moves[dice.below(len(moves))] if len(moves) > 1 else moves[0]
        eye.look(state, player, move)
        action = action_named(s, move.action)
        measures = {} if action is None else measures_of(s, player, action, move, dice)
        make(s, player, move, measures=measures)


class _Eye:
    """Looks at each decision of a match."""

    def __init__(self, dice: Dice) -> None:
        """dice: for those moves that are held against laws where there are very many."""
        self.counts, self.dice = Counts(), dice

    def look(self, state: State, player: int, move: Move) -> None:
        s, counts = state.position, self.counts
        counts.decisions += 1
        for action, frame in open_actions(s, player):
            if action.talk:
                continue
            name = s.program.stages[action.stage if action.anytime else frame.stage].name, action.name
            if action.name == move.action:
                counts.played[name] += 1
                self._count_row(s, player, action, move)
            if action.laws:
                with Ruled(s):
                    counts.refused.update((*name, action.laws[law].name) for law in self._refusing(s, player, action))

    def _refusing(self, s: Position, player: int, action: ActionCode) -> set[int]:
        """The laws that refuse something which is possible."""
        possible = possible_of(s, player, action)
        if possible is None:  # less is lawful; which law refuses the rest is known where there is just one
            return {0} if len(action.laws) == 1 else set()
        if not offers_something(action, possible):
            return set()
        tried = maybe_refused(action, possible, action.legal(s, player), self.dice)
        return {law for args in tried for law in action.broken(s, player, *args)}

    def _count_row(self, s: Position, player: int, action: ActionCode, move: Move) -> None:
        if not action.row_names:
            return
        with Ruled(s):
            args = Offer(s, player, action).possible(move.args)
        at = next(number for number, param in enumerate(action.params) if param.name == action.row_param)
        card = None if args is None else args[at]
        row = None if card is None else action.row_names.get(s.program.cards[card])
        if row is not None:
            self.counts.rows[row] += 1


def figures(game: Game, counts: Counts) -> dict[str, Any]:
    """What was counted of everything that a game has: also what never happened."""
    laws, actions = [], []
    rows: dict[str, int] = {}
    for stage in game.program.stages:
        for action in (*stage.actions, *stage.anytime):
            if action.talk:
                continue
            name = stage.name, action.name
            actions.append({"stage": stage.name, "action": action.name, "played": counts.played[name]})
            for law in action.laws:
                refused = counts.refused[(*name, law.name)]
                laws.append({"stage": stage.name, "action": action.name, "law": law.name, "refused": refused})
            rows.update((row, counts.rows[row]) for row in action.row_names.values())
    return {"decisions": counts.decisions, "laws": laws, "actions": actions, "rows": rows}
