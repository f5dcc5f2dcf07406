"""`python -m tests.payloads`: every payload in every place of rulesets, overlays and scenarios, records and inputs."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))  # tests import their helpers by their own names

import guarding

from payloads.hosts import spots
from payloads.payloads import PAYLOADS
from payloads.sheets import SHEETS, Result, sheet
from payloads.trying import prepare

_folder = Path()


def _begin() -> None:
    global _folder
    _folder = prepare(guarding.scratch())


def _try(number: int) -> list[Result]:
    return list(sheet(number, _folder))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.payloads", description=__doc__)
    parser.add_argument("--sheets", type=int, default=SHEETS, help=f"how many (all, {SHEETS})")
    parser.add_argument("--first", type=int, default=0, help="the number of the first sheet (0)")
    parser.add_argument("--step", type=int, default=1, help="how far the next one is (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (one for each core)")
    flags = parser.parse_args()
    known: set[str] = set()
    tried = taken = failed = 0
    began = time.monotonic()
    numbers = range(flags.first, flags.first + flags.sheets * flags.step, flags.step)
    with multiprocessing.Pool(flags.jobs, _begin) as pool:
        for done, results in enumerate(pool.imap_unordered(_try, numbers), start=1):
            for result in results:
                tried, taken = tried + result.tried, taken + result.taken
                failed += len(result.wrong)
                for wrong in result.wrong:
                    if wrong[:90] not in known:
                        known.add(wrong[:90])
                        print(f"sheet {result.number}, {result.host}: {wrong[:1500]}\n", flush=True)
            if sys.stderr.isatty():
                print(f"\r{done} of {flags.sheets} sheets", end="", file=sys.stderr)
    places = sum(len(spots(kind)) for kind in ("ruleset", "scenario"))
    print(
        f"{len(PAYLOADS)} payloads, {places} places, {len(numbers)} sheets: {tried} tried, {taken} of them in valid "
        f"documents, in {time.monotonic() - began:.0f} s: {failed or 'nothing'} wrong"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
