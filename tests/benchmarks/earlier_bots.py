"""Whether a bot that thinks beats that of an earlier version: `python -m tests.benchmarks.earlier_bots --old FOLDER`.

FOLDER: an earlier version of this project (`git archive COMMIT | tar -x`), whose bot plays in a process of its own.
Both play by its rulesets and from the same seeds; each match is played twice, with the seats exchanged. Both think for
equally long: how many trials the bot of today makes follows from how long the two thought in the match before. What is
compared is what the two sides of a match have won: the mean difference with its 95% interval.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import interpreter
from interpreter import Game
from interpreter.engine.chance import derive
from interpreter.players import monte_carlo
from interpreter.players.monte_carlo import EFFORT, ThinkingBot

GAMES: dict[str, dict[str, Any]] = {"hearts": {"target": 30}, "spades": {"target": 150}, "euchre": {}}
LIMIT = 3_000
"""Decisions of one match."""
ACQUAINTED = 4
"""Pairs of matches that are played first, until code is compiled and the number of trials has been found."""
EARLIER = """
import json, sys, time
import interpreter
from interpreter.thinking import ThinkingBot
game = interpreter.load(sys.argv[1]).game(options=json.loads(sys.argv[2]))
for line in sys.stdin:
    what, *given = json.loads(line)
    if what == "start":
        state = game.start(seed=given[0])
        bots = [ThinkingBot(seed) for seed in given[1]]
    elif what == "play":
        state.play(*given)
    else:
        before = time.thread_time()
        move = bots[given[0]].choose(state, given[0])
        print(json.dumps([str(move), time.thread_time() - before]), flush=True)
"""


class Earlier:
    """The bot of an earlier version in a process of its own."""

    def __init__(self, folder: Path, name: str) -> None:
        made = [sys.executable, "-c", EARLIER, str(folder / "rulesets" / f"{name}.yaml"), json.dumps(GAMES[name])]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(made, cwd=folder, stdin=pipe, stdout=pipe, text=True)

    def tell(self, *what: Any) -> None:
        assert self._process.stdin is not None
        print(json.dumps(what), file=self._process.stdin, flush=True)

    def choose(self, player: int) -> tuple[str, float]:
        """What it plays, and the seconds of processor time that it has thought, compilers beside it apart."""
        self.tell("choose", player)
        assert self._process.stdout is not None
        move, seconds = json.loads(self._process.stdout.readline())
        return move, seconds


class Clock:
    """How long each of the two has thought, and with how many trials the newer one thinks as long."""

    def __init__(self) -> None:
        self.effort = EFFORT
        self._lately = [[0.0, 0], [0.0, 0]]
        self._all = [[0.0, 0], [0.0, 0]]

    def add(self, side: int, seconds: float) -> None:
        """Count a decision. side: 0 of the earlier one, 1 of the newer one."""
        for thought in (self._lately[side], self._all[side]):
            thought[0] += seconds
            thought[1] += 1

    def adjust(self) -> None:
        """Change the number of trials, behind a match, as its decisions say."""
        (earlier, many), (newer, number) = self._lately
        if many and number and newer:
            wanted = earlier / many / (newer / number) * self.each(0) / self.each(1)  # what was too much is made up for
            self.effort = max(1, round(self.effort * min(1.5, max(1 / 1.5, wanted))))
        self._lately = [[0.0, 0], [0.0, 0]]

    def begin(self) -> None:
        """Forget what has been counted: what was played to become acquainted does not count."""
        self._all = [[0.0, 0], [0.0, 0]]

    def each(self, side: int) -> float:
        """Seconds of a decision."""
        return self._all[side][0] / max(1, self._all[side][1])


def gain(game: Game, earlier: Earlier, seats: Sequence[int], seed: int, clock: Clock) -> float:
    """What the side of today wins more than the other in one match, between -1 and 1. seats: 1 where today's sits."""
    state = game.start(seed=seed)
    seeds = [derive(seed, player + 1) for player in range(game.players)]
    bots = [ThinkingBot(one) for one in seeds]
    earlier.tell("start", seed, seeds)
    for _ in range(LIMIT):
        if state.over:
            break
        player = state.actors[0]
        if seats[player]:
            before = time.thread_time()
            bots[player]._effort = clock.effort
            move = str(bots[player].choose(state, player))
            seconds = time.thread_time() - before
        else:
            move, seconds = earlier.choose(player)
        if len(state.legal_moves(player)) > 1:
            clock.add(seats[player], seconds)
        state.play(player, move)
        earlier.tell("play", player, move)
    clock.adjust()
    share = sum(seats[player] for player in state.winners) / max(1, len(state.winners))
    return 2 * share - 1 if state.winners else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.earlier_bots", description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES), help=f"of {', '.join(GAMES)}; all if none is named")
    parser.add_argument("--old", type=Path, required=True, help="a folder with the earlier version")
    parser.add_argument("--matches", type=int, default=40, help="pairs of matches of each game (40)")
    asked = parser.parse_args()
    monte_carlo.MOST_STEPS = 10**9  # what bounds the bot of today is the time of the other one
    for name in asked.games:
        game = interpreter.load(asked.old / "rulesets" / f"{name}.yaml").game(options=GAMES[name])
        earlier, clock, gains = Earlier(asked.old.resolve(), name), Clock(), []
        for seed in range(-ACQUAINTED, asked.matches):
            sides = [[(player + first) % 2 for player in range(game.players)] for first in range(2)]
            found = statistics.mean(gain(game, earlier, seats, derive(7, seed % 2**32), clock) for seats in sides)
            if seed < 0:
                clock.begin()
                continue
            gains.append(found)
            mean = statistics.mean(gains)
            half = 1.96 * statistics.stdev(gains) / sqrt(len(gains)) if len(gains) > 1 else 1.0
            times = " and ".join(f"{clock.each(side) * 1000:.1f}" for side in range(2))
            told = f"{name}: {mean:+.2f} (95% interval {mean - half:+.2f} to {mean + half:+.2f}) in {len(gains)} pairs"
            if seed + 1 == asked.matches or seed % 10 == 9:
                print(f"{told}; {times} ms a decision, {clock.effort} trials", flush=True)


if __name__ == "__main__":
    main()
