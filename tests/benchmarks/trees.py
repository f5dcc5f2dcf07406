"""Whether bots that search a tree beat those that try each move at random: `python -m tests.benchmarks.trees`.

`[PAIRS] [TRIALS] [GAME...]`. Both make so many trials for a decision. They play one deal of each seed, in every other
seat, and then change seats and play it again. Printed is by how much those that search a tree end up ahead of the
others, as scores or places are compared, with its 95% interval, and the seconds of processor time that both thought.
"""

from __future__ import annotations

import sys
from statistics import mean, stdev
from time import process_time

import interpreter
from interpreter.api.game import Game, State
from interpreter.api.random_play import deal_stage
from interpreter.compiler.native.search_tree import DEEPEST
from interpreter.engine.chance import derive
from interpreter.engine.moves import Move
from interpreter.engine.standing import standings
from interpreter.players import monte_carlo
from interpreter.players.monte_carlo import EFFORT, ThinkingBot, Thought

GAMES = "hearts", "spades", "euchre", "setback", "crazy-eights", "president", "truco", "uno"
LIMIT = 1_500
"""Decisions of one deal."""


class Searcher(ThinkingBot):
    """A bot whose tree is so deep; 0: without one."""

    def __init__(self, seed: int, effort: int, deepest: int) -> None:
        super().__init__(seed, effort)
        self.deepest, self.seconds = deepest, 0.0

    def choose(self, state: State, player: int) -> Move | None:
        begun = process_time()
        try:
            return super().choose(state, player)
        finally:
            self.seconds += process_time() - begun

    def _thought(self, state: State, player: int, moves: object) -> Move:
        own = self._dice, self._habits, self._effort
        return Thought(state, player, moves, *own, deepest=self.deepest).best()  # type: ignore[arg-type]


def ahead(game: Game, seed: int, effort: int, odd: int, seconds: list[float]) -> float:
    """By how much the bots with a tree end a deal ahead. odd: whether they have the odd seats (1) or the even ones (0).

    seconds: that all bots have thought, without a tree and with one, to which these are added.
    """
    state = game.start(seed=seed)
    s = state.position
    s.halt_after = (deal_stage(game.program), 1)
    before = standings(s)
    deep = [player % 2 == odd for player in range(game.players)]
    bots = [Searcher(derive(seed, player + 1), effort, DEEPEST * own) for player, own in enumerate(deep)]
    for _ in range(LIMIT):
        if state.over or s.halted:
            break
        player = state.actors[0]
        move = bots[player].choose(state, player)
        assert move is not None
        state.play(player, move)
    for player, bot in enumerate(bots):
        seconds[deep[player]] += bot.seconds
    gains = [after - first for after, first in zip(standings(s), before, strict=True)]
    sides = [[gain for gain, own in zip(gains, deep, strict=True) if own is side] for side in (True, False)]
    return mean(sides[0]) - mean(sides[1])


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    effort = int(sys.argv[2]) if len(sys.argv) > 2 else EFFORT
    monte_carlo.MOST_STEPS = 10**9  # the same number of trials in long deals, too
    for name in sys.argv[3:] or GAMES:
        game, seconds = interpreter.load(name).game(), [0.0, 0.0]
        found = []
        for number in range(pairs):
            seed = derive(77, number)
            found.append(mean(ahead(game, seed, effort, odd, seconds) for odd in (0, 1)))
        half = 1.96 * stdev(found) / len(found) ** 0.5
        told = f"{name}, {effort} trials: {mean(found):+.3f} a deal with a tree, 95% interval ±{half:.3f}"
        print(f"{told}; thought {seconds[1]:.1f} s with it, {seconds[0]:.1f} s without", flush=True)


if __name__ == "__main__":
    main()
