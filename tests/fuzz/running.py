"""Many cases in several processes, each bounded in memory and time; and what is told of them."""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from fuzz.bases import bases
from fuzz.judging import Case, Verdict
from fuzz.watching import guard

PATIENCE = 300.0
"""So many seconds a process is waited for, whatever else goes on: some work of Python's own hears no alarm."""


COLLECTED = 20
"""After so many cases, about, what they have left is looked for."""


def try_case(seed: int, number: int, folder: Path, share: float) -> Verdict:
    """One case in a folder of its own, which is empty before and gone afterwards."""
    own = folder / "case"
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir(parents=True)
    return Case(seed, number, own, share).run()


def _work(pipe: Connection, seed: int, share: float, folder: str) -> None:
    """A process: numbers come, verdicts go."""
    guard()
    parent = os.getppid()
    gc.freeze()
    gc.disable()  # what a case leaves is collected after it: looking for it meanwhile takes a sixth of the time
    while True:
        while not pipe.poll(5.0):
            if os.getppid() != parent:
                return  # who asked is gone
        number = pipe.recv()
        if number is None:
            return
        try:
            verdict = try_case(seed, number, Path(folder), share)
        except Exception:  # of the fuzzer itself
            import traceback

            verdict = Verdict(number, "?", findings={"the fuzzer fails": traceback.format_exc(limit=-6)})
        pipe.send(verdict)
        if number % COLLECTED == 0:
            gc.collect()


@dataclass
class _Worker:
    process: Any
    pipe: Connection
    folder: str
    number: int = -1
    began: float = 0.0


def verdicts(seed: int, numbers: Iterable[int], share: float, jobs: int) -> Iterator[Verdict]:
    """The verdicts of cases in the order in which they are reached. A process that does not answer is ended."""
    waiting = iter(numbers)
    workers: list[_Worker] = []
    try:
        workers = [_worker(seed, share) for _ in range(jobs)]
        for worker in workers:
            _give(worker, waiting)
        while any(worker.number >= 0 for worker in workers):
            busy = {worker.pipe: worker for worker in workers if worker.number >= 0}
            for pipe in wait(list(busy), timeout=1.0):
                worker = busy[pipe]  # type: ignore[index]
                try:
                    yield worker.pipe.recv()
                except EOFError:
                    yield _lost(worker, "its process died")
                    workers[workers.index(worker)] = worker = _worker(seed, share)
                _give(worker, waiting)
            for at, worker in enumerate(workers):
                if worker.number >= 0 and time.monotonic() - worker.began > PATIENCE:
                    yield _lost(worker, "its process does not answer")
                    workers[at] = _worker(seed, share)
                    _give(workers[at], waiting)
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.join()
            shutil.rmtree(worker.folder, ignore_errors=True)


def _worker(seed: int, share: float) -> _Worker:
    bases()  # read once, before processes part
    ours, theirs = multiprocessing.Pipe()
    folder = tempfile.mkdtemp(prefix="houserules-fuzz-")
    process = multiprocessing.get_context("fork").Process(target=_work, args=(theirs, seed, share, folder), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, folder)


def _give(worker: _Worker, waiting: Iterator[int]) -> None:
    worker.number, worker.began = next(waiting, -1), time.monotonic()
    if worker.number >= 0:
        worker.pipe.send(worker.number)


def _lost(worker: _Worker, why: str) -> Verdict:
    """What is told of a case whose process is gone; what it was trying still lies in its folder."""
    worker.process.kill()
    worker.process.join()
    files = sorted(Path(worker.folder).glob("case/*.yaml"))
    text = "\n".join(file.read_text("utf-8", "replace") for file in files)
    shutil.rmtree(worker.folder, ignore_errors=True)
    told = f"after {time.monotonic() - worker.began:.0f} seconds"
    return Verdict(worker.number, "?", True, text=text, findings={f"no answer: {why}": told})


@dataclass
class Tally:
    """What came of many cases."""

    cases: int = 0
    counted: int = 0
    valid: int = 0
    through: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    first: dict[str, Verdict] = field(default_factory=dict)

    def add(self, verdict: Verdict) -> list[str]:
        """Returns the findings that are new."""
        self.cases += 1
        self.counted += verdict.counted
        self.valid += verdict.counted and verdict.valid
        self.through += verdict.through
        self.kinds[verdict.kind] += 1
        new = [name for name in verdict.findings if name not in self.findings]
        for name in verdict.findings:
            self.findings[name] += 1
            if name not in self.first or len(verdict.text) < len(self.first[name].text):
                self.first[name] = verdict
        return new

    def text(self) -> str:
        share = 100 * self.valid / max(1, self.counted)
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(self.kinds.items()))
        lines = [
            f"{self.cases} cases ({kinds})",
            f"{self.counted} are other than their parents, {self.valid} of these are valid ({share:.0f}%)",
            f"{self.through} were put through everything",
            f"{len(self.findings) or 'no'} findings",
        ]
        for name, number in self.findings.most_common():
            lines.append(f"  {number:6} {name} (case {self.first[name].number})")
        return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Tries rulesets that strangers might send."
    )
    parser.add_argument("--cases", type=int, default=2_000, help="how many (2000)")
    parser.add_argument("--seed", type=int, default=0, help="where chance begins (0)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (one for each core)")
    parser.add_argument(
        "--share", type=float, default=0.25, help="how many of the valid ones are put through everything (0.25)"
    )
    parser.add_argument("--of", metavar="FOLDER", help="the checkout whose interpreter is tried (this one)")
    parser.add_argument("--show", action="store_true", help="print the case, with --cases 1")
    parser.add_argument("--keep", metavar="FOLDER", help="where the shortest case of each finding is written")
    flags = parser.parse_args(arguments)
    tally = Tally()
    began = time.monotonic()
    numbers = range(flags.first, flags.first + flags.cases)
    for verdict in verdicts(flags.seed, numbers, flags.share, flags.jobs):
        for name in tally.add(verdict):
            told = verdict.findings[name].strip().replace("\n", "\n    ")[-1200:]
            print(f"case {verdict.number} ({verdict.kind}): {name}\n    {told}")
            print(
                f"    again: python -m tests.fuzz --seed {flags.seed} --first {verdict.number} --cases 1 --show\n",
                flush=True,
            )
        if flags.show:
            print(verdict.text)
        if tally.cases % 500 == 0:
            taken = time.monotonic() - began
            print(
                f"{tally.cases} of {flags.cases}, {taken:.0f} s, {len(tally.findings)} findings",
                file=sys.stderr,
                flush=True,
            )
    if flags.keep:
        _keep(Path(flags.keep), tally)
    print(tally.text())
    print(
        f"seed {flags.seed}, cases {flags.first} to {flags.first + flags.cases - 1}, "
        f"{time.monotonic() - began:.0f} seconds"
    )
    return 1 if tally.findings else 0


def _keep(folder: Path, tally: Tally) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for at, (name, verdict) in enumerate(sorted(tally.first.items())):
        told = "\n".join(f"# {line}" for line in f"{name}\n{verdict.findings[name]}".splitlines())
        text = f"{told}\n# case {verdict.number} ({verdict.kind}), {tally.findings[name]} times\n{verdict.text}"
        (folder / f"{at:03}.yaml").write_bytes(text.encode("utf-8", "surrogatepass"))
