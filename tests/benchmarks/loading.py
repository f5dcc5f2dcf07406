"""Processor time that a shipped game takes to get ready: `python -m tests.benchmarks.loading`.

Each figure is the median of several fresh processes. Every module that could be needed is imported before the clock
starts, and no ruleset is looked at before; the clock is the processor time of the process, so that other programs of
the machine matter little. `load and game` is `load(id).game()`: strict, default options, default number of players, the
Python lane. `validate` is `validate(id)` alone. `--old FOLDER` measures another checkout in turn with this one.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOUND = 80.0
"""Milliseconds that each of the two may take."""

ONCE = """
import importlib, pkgutil, sys, time
import jsonschema, lark, yaml
import interpreter
for wing in ("base", "language", "engine", "compiler", "api"):
    package = importlib.import_module(f"interpreter.{wing}")
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if ".native" not in found.name:
            importlib.import_module(found.name)
known = set(sys.modules)
load, validate = interpreter.load, interpreter.validate  # which any checkout has
before = time.process_time()
{work}
took = (time.process_time() - before) * 1000
late = sorted(set(sys.modules) - known)
if late:
    print("imported late:", *late, file=sys.stderr)
print(took)
"""
WORK = {"load and game": "load({name!r}).game()", "validate": "validate({name!r})"}


def once(folder: Path, work: str, name: str) -> float:
    """Milliseconds of processor time that it takes in a fresh process."""
    code = ONCE.replace("{work}", WORK[work].format(name=name))
    ran = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    if ran.stderr:
        print(ran.stderr.strip(), file=sys.stderr)
    return float(ran.stdout)


def medians(folders: list[Path], work: str, name: str, times: int) -> list[float]:
    """One median for each folder; they take turns."""
    rounds = [[once(folder, work, name) for folder in folders] for _ in range(times)]
    return [statistics.median(found) for found in zip(*rounds, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.loading", description=__doc__)
    parser.add_argument("games", nargs="*", help="ids of shipped games; all if none is named")
    parser.add_argument("--times", type=int, default=5, help="fresh processes for each figure (5)")
    parser.add_argument("--old", type=Path, help="another checkout to be measured in turn with this one")
    asked = parser.parse_args()
    games = asked.games or sorted(path.stem for path in (ROOT / "rulesets").glob("*.yaml"))
    folders = [ROOT, asked.old.resolve()] if asked.old else [ROOT]
    slow = dict.fromkeys(WORK, 0)
    for name in games:
        line = f"  {name:<16}"
        for work in WORK:
            found = medians(folders, work, name, asked.times)
            slow[work] += found[0] > BOUND
            line += f"  {work} {found[0]:>5.0f} ms" + (f" (was {found[1]:.0f})" if asked.old else "")
        print(line, flush=True)
    for work, many in slow.items():
        print(f"  {work}: {len(games) - many} of {len(games)} within {BOUND:.0f} ms")


if __name__ == "__main__":
    main()
