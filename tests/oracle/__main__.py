"""Replays random deals of OpenSpiel's games against ours: `python -m tests.oracle`, or with the names of some games.

Exits with 1 at the first difference. It needs `open_spiel`: `pip install -e '.[bench]'`.
"""

from __future__ import annotations

import argparse
import sys
from time import process_time

from .driver import Difference, Played, play_match
from .games import GAMES


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("games", nargs="*", help=f"which of {', '.join(GAMES)}; all unless said")
    parser.add_argument("--deals", type=int, default=200, help="how many deals of each at least, 200 unless said")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first match; the others follow")
    args = parser.parse_args()
    if unknown := set(args.games) - set(GAMES):
        parser.error(f"not compared: {', '.join(sorted(unknown))}")
    for name in args.games or GAMES:
        begun, played, seed, game = process_time(), Played(), args.seed, GAMES[name]()
        while played.deals < args.deals:
            try:
                played.add(play_match(game, seed))
            except Difference as difference:
                print(f"{name}: a difference: {difference}", file=sys.stderr)
                return 1
            seed += 1
        marks = "".join(f", {mark} {count}" for mark, count in sorted(played.marks.items()))
        print(
            f"{name}: {played.deals} deals, {played.decisions} decisions, no difference"
            f" ({seed - args.seed} matches{marks}; {process_time() - begun:.0f} s)"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
