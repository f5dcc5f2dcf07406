"""Replays random matches of OpenSpiel's spades against ours: `python -m tests.oracle`.

Exits with 1 at the first difference. It needs `open_spiel`: `pip install -e '.[bench]'`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from time import perf_counter

from .matches import Difference, play_match


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("--matches", type=int, default=500, help="how many matches, 500 unless said")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first match; the others follow")
    args = parser.parse_args()
    begun = perf_counter()
    count: Counter[str] = Counter()
    for seed in range(args.seed, args.seed + args.matches):
        try:
            played = play_match(seed)
        except Difference as difference:
            print(f"difference: {difference}", file=sys.stderr)
            return 1
        count.update(decisions=played.decisions, deals=len(played.worth), over=played.over)
        count["won"] += sum(gain > 0 for deal in played.worth for gain in deal)
    print(
        f"{args.matches} matches, {count['deals']} deals, {count['decisions']} decisions, no difference"
        f" ({count['over']} matches came to an end, {count['won']} of {2 * count['deals']} results were above zero,"
        f" {perf_counter() - begun:.0f} s)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
