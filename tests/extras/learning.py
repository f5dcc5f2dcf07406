"""Learning a game through its PettingZoo environment: a linear policy, by REINFORCE, against players at random.

`python -m tests.extras.learning` trains with a fixed seed and says what it gains; it takes less than a minute.
Source: Williams, "Simple statistical gradient-following algorithms for connectionist reinforcement learning", Machine
Learning 8 (1992).
"""

from __future__ import annotations

import time
from typing import Any

import numpy

import interpreter
from interpreter.analysis.intervals import Mean, mean
from interpreter.interfaces.adapters.pettingzoo_env import Env, env

RATE = 0.02
EPISODES = 500
MATCHES = 300


class Policy:
    """One row of weights for each word: the higher its product with the observation, the likelier the word."""

    def __init__(self, words: int, size: int, seed: int) -> None:
        self.weights = numpy.zeros((words, size), numpy.float32)
        self.dice = numpy.random.default_rng(seed)
        self.worth = 0.0

    def choose(self, seen: dict[str, Any]) -> tuple[int, Any]:
        """A word, and in which direction the weights make it likelier."""
        row = numpy.clip(seen["observation"], -2, 2)
        possible = numpy.flatnonzero(seen["action_mask"])
        scores = self.weights[possible] @ row
        chances = numpy.exp(scores - scores.max())
        chances /= chances.sum()
        at = int(self.dice.choice(len(possible), p=chances))
        chances[at] -= 1
        return int(possible[at]), (possible, -chances, row)

    def learn(self, steps: list[Any], gain: float) -> None:
        """Make what was done likelier if it brought more than usual, and less likely otherwise."""
        for possible, direction, row in steps:
            self.weights[possible] += RATE * (gain - self.worth) * numpy.outer(direction, row)
        self.worth += 0.02 * (gain - self.worth)


def play(table: Env, policy: Policy, seat: int, seed: int) -> tuple[float, list[Any]]:
    """One match against players at random; what the policy gains, and its steps."""
    others, steps, gain = numpy.random.default_rng(seed), [], 0.0
    table.reset(seed)
    for agent in table.agent_iter():
        seen, reward, terminated, truncated, _ = table.last()
        own = agent == table.possible_agents[seat]
        if terminated or truncated:
            gain = reward if own else gain
            table.step(None)
        elif own:
            action, step = policy.choose(seen)
            steps.append(step)
            table.step(action)
        else:
            table.step(int(others.choice(numpy.flatnonzero(seen["action_mask"]))))
    return gain, steps


def trained(name: str = "crazy-eights", episodes: int = EPISODES) -> tuple[Mean, Mean]:
    """What a policy gains in a match of one deal against one player at random: before it has learnt, and after."""
    table = env(interpreter.load(name).game(2), deals=1)
    policy = Policy(len(table.table.vocabulary), table.table.layout.size, 1)
    fresh = mean([play(table, policy, number % 2, 1_000_000 + number)[0] for number in range(MATCHES)])
    for number in range(episodes):
        gain, steps = play(table, policy, number % 2, number)
        policy.learn(steps, gain)
    return fresh, mean([play(table, policy, number % 2, 1_000_000 + number)[0] for number in range(MATCHES)])


if __name__ == "__main__":
    begun = time.perf_counter()
    for when, found in zip(("before", "after"), trained(), strict=True):
        low, high = found.interval() or (0.0, 0.0)
        print(f"{when}: {found.value:+.3f} a match ({low:+.3f} to {high:+.3f})")
    print(f"{time.perf_counter() - begun:.0f} s")
