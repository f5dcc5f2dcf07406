"""`python -m tests.fuzz --cases 100000`: broken input must get an answer, in time, and touch nothing."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))  # tests import their helpers by their own names

from fuzz.cases import case
from fuzz.trying import attempt, guard

_folder = ""
_seed = 0


def _begin(seed: int) -> None:
    global _folder, _seed
    _seed, _folder = seed, tempfile.mkdtemp(prefix="houserules-fuzz-")
    guard()


def _try(number: int) -> tuple[int, str, str]:
    one = case(_seed, number)
    return number, one.kind, attempt(one, Path(_folder))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=2_000, help="how many (2000)")
    parser.add_argument("--seed", type=int, default=0, help="where chance begins (0)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (one for each core)")
    parser.add_argument("--show", action="store_true", help="print the text of the case, with --cases 1")
    flags = parser.parse_args()
    if flags.show:
        print(case(flags.seed, flags.first).text)
    kinds: Counter[str] = Counter()
    failed = 0
    numbers = range(flags.first, flags.first + flags.cases)
    with multiprocessing.Pool(flags.jobs, _begin, (flags.seed,)) as pool:
        for number, kind, wrong in pool.imap_unordered(_try, numbers, chunksize=8):
            kinds[kind] += 1
            if wrong:
                failed += 1
                print(f"case {number} ({kind}): {wrong.strip()}")
                print(
                    f"  again: python -m tests.fuzz --seed {flags.seed} --first {number} --cases 1 --show\n", flush=True
                )
            if sys.stderr.isatty() and sum(kinds.values()) % 50 == 0:
                print(f"\r{sum(kinds.values())} of {flags.cases}", end="", file=sys.stderr)
    told = ", ".join(f"{count} of kind {kind}" for kind, count in sorted(kinds.items()))
    print(f"{sum(kinds.values())} cases ({told}): {failed or 'nothing'} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
