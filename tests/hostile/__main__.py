"""`python -m tests.hostile`: how long the largest rulesets take to be validated, and how much memory."""

from __future__ import annotations

import multiprocessing
import sys

from tests.hostile.large import FEW, LARGE, MANY, OVERLAID, UNDER
from tests.hostile.measuring import measured


def main() -> int:
    longest, most = 0.0, 0
    context = multiprocessing.get_context("spawn")  # so that each has its own memory
    files = [(f"{name}, players {n}", (made(n),)) for name, made in LARGE.items() for n in (FEW, MANY)]
    files += [(f"overlaid: {name}", (UNDER, *texts)) for name, texts in OVERLAID.items()]
    for name, texts in files:
        with context.Pool(1) as pool:
            seconds, memory, error = pool.apply(measured, texts)
        longest, most = max(longest, seconds), max(most, memory)
        print(f"{seconds:5.2f} s {memory:4} MB  {name}  {error[:150]}", flush=True)
    print(f"{longest:5.2f} s {most:4} MB  at most")
    return 0


if __name__ == "__main__":
    sys.exit(main())
