"""`python -m tests.hostile`: how long the largest rulesets take to be validated, and how much memory."""

from __future__ import annotations

import multiprocessing
import sys

from tests.hostile.large import FEW, LARGE, MANY
from tests.hostile.measuring import measured


def main() -> int:
    longest, most = 0.0, 0
    context = multiprocessing.get_context("spawn")  # so that each has its own memory
    for name, made in LARGE.items():
        for players in (FEW, MANY):
            with context.Pool(1) as pool:
                seconds, memory, error = pool.apply(measured, (made(players),))
            longest, most = max(longest, seconds), max(most, memory)
            print(f"{seconds:5.2f} s {memory:4} MB  {name}, players {players}  {error[:150]}", flush=True)
    print(f"{longest:5.2f} s {most:4} MB  at most")
    return 0


if __name__ == "__main__":
    sys.exit(main())
