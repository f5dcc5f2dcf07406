"""`python -m tests.meanings --seeds 500`: what random expressions mean by the reference, beside what they come to.

With `--native` moves are made by machine code, too. Rulesets in which something differs are kept in `--keep`.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

from interpreter.api.native_lane import SWITCH
from tests.meanings.running import Tally, tried


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.meanings")
    parser.add_argument("--seeds", type=int, default=100, help="so many pairs of random rulesets (100)")
    parser.add_argument("--first", type=int, default=0, help="the first of them (0)")
    parser.add_argument("--native", action="store_true", help="machine code plays, too")
    parser.add_argument("--keep", type=Path, help="a folder for the rulesets in which something differs")
    args = parser.parse_args()
    warnings.simplefilter("error", SyntaxWarning)
    if args.native:
        os.environ[SWITCH] = "1"
    tally = Tally()
    with TemporaryDirectory() as apart:
        folder: Path = args.keep or Path(apart)
        folder.mkdir(exist_ok=True)
        for seed in range(args.first, args.first + args.seeds):
            before = len(tally.differ)
            tried(seed, folder, tally, args.native)
            print(*tally.differ[before:], sep="\n", end="\n" * (len(tally.differ) > before), flush=True)
    print(tally.told())
    return 1 if tally.differ else 0


if __name__ == "__main__":
    sys.exit(main())
