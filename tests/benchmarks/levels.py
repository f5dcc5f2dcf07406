"""Whether bots of a higher level beat those of a lower one: `python -m tests.benchmarks.levels [MATCHES]`.

In each match one level plays the odd seats and the other the even ones; in the next they change. A match that several
win counts for each of them in part.
"""

from __future__ import annotations

import sys
from math import sqrt

import interpreter
from interpreter import Game
from interpreter.engine.chance import derive
from interpreter.players.monte_carlo import new_bot

GAMES = (("hearts", {"target": 30}), ("spades", {"target": 150}), ("cribbage", {}), ("crazy-eights", {}))
PAIRS = (("hard", "medium"), ("medium", "easy"))
LIMIT = 3_000
"""Decisions of one match."""


def share_won(game: Game, better: str, worse: str, seed: int) -> float:
    """Which part of a match a level wins against another."""
    own = derive(7, seed)
    state = game.start(seed=own)
    levels = [better if player % 2 == seed % 2 else worse for player in range(game.players)]
    bots = [new_bot(level, derive(own, player + 1)) for player, level in enumerate(levels)]
    for _ in range(LIMIT):
        if state.over:
            break
        player = state.actors[0]
        move = bots[player].choose(state, player)
        assert move is not None
        state.play(player, move)
    winners = state.winners
    return sum(levels[player] == better for player in winners) / len(winners) if winners else 0.5


def interval(share: float, n: int, z: float = 1.96) -> tuple[float, float]:
    """The 95% interval of a share. Source: Wilson, JASA 22 (1927)."""
    centre, half = share + z * z / 2 / n, z * sqrt(share * (1 - share) / n + z * z / 4 / n / n)
    return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    for name, options in GAMES:
        game = interpreter.load(name).game(options=options)
        for better, worse in PAIRS:
            share = sum(share_won(game, better, worse, seed) for seed in range(matches)) / matches
            low, high = interval(share, matches)
            told = f"{name}: {better} wins {share:.2f} of {matches} matches against {worse}"
            print(f"{told}, 95% interval {low:.2f} to {high:.2f}", flush=True)


if __name__ == "__main__":
    main()
