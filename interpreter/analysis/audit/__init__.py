"""Is a ruleset sound? Random matches of many of its games, and what they show: `houserules check`.

Nothing found is no proof that nothing is there; what is found comes with the command that shows it again.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from interpreter.analysis.audit.configurations import Configuration, Fixed, configurations
from interpreter.analysis.audit.findings import Finding, findings
from interpreter.analysis.audit.pairs import Idle, compare
from interpreter.analysis.audit.tally import Tally
from interpreter.analysis.audit.watching import Watch
from interpreter.analysis.simulation import AHEAD, begun_ahead
from interpreter.api.game import Ruleset
from interpreter.api.settled import Enforcement
from interpreter.base.diagnostics import RulesetError
from interpreter.base.memory import no_collecting

__all__ = ["Configuration", "Enforcement", "Findings", "Fixed", "configurations", "run"]

PART = 25
"""Matches that a process plays before it tells what it has seen."""

Part = tuple[int, range]
"""A configuration by its number, and the seeds of its matches."""


PAIRED = 20
"""The fewest matches with which it is asked whether each option matters."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is played. known: what has been seen already, and need not be looked for."""

    ruleset: Ruleset
    games: Sequence[Configuration]
    fixed: Fixed
    seed: int
    limit: int
    known: Tally = field(default_factory=Tally)


@dataclass(slots=True)
class Findings:
    """What the matches of a ruleset showed. games: the games tried; refused: those the ruleset refuses, and why."""

    ruleset: Ruleset
    games: list[Configuration]
    refused: list[tuple[str, str]]
    tally: Tally = field(default_factory=Tally)
    seconds: float = 0.0
    stopped: str = ""
    found: list[Finding] = field(default_factory=list)

    @property
    def well(self) -> bool:
        return not any(finding.severity == "error" for finding in self.found)


def run(
    ruleset: Ruleset,
    matches: int,
    seed: int = 0,
    limit: int = 2_000,
    fixed: Fixed | None = None,
    seconds: int | None = None,
    jobs: int = 1,
    command: str = "",
    tell: Callable[[int], None] = lambda played: None,
) -> Findings:
    """Play matches of a ruleset's games in turn, match i from `seed + i`, and say what is wrong.

    limit: decisions after which a match is cut. seconds: begin no further matches after so many. jobs: processes.
    command: how the caller was called, for the commands that show a finding again. tell: hears how many are played.
    Raises OptionError if `fixed` fits no game.
    """
    fixed = fixed or Fixed()
    begun = time.perf_counter()
    in_time = partial(_is_in_time, begun, seconds)
    games, refused = configurations(ruleset, fixed, seed, matches, in_time)
    report = Findings(ruleset, games, refused)
    job = Job(ruleset, games, fixed, seed, limit)
    names = [name for name in ruleset.options if name not in fixed.options]
    idle: list[Idle] = []
    try:
        with Workers(job, jobs if matches > PART else 1) as workers:
            for part in workers.play(_parts(len(games), matches, seed)):
                report.tally.add(part)
                report.seconds = time.perf_counter() - begun
                tell(len(report.tally.played))
                if not in_time():
                    break
            for part, found in workers.compare(names if matches >= PAIRED and fixed.vary is None else []):
                if not in_time():
                    break
                report.tally.add(part)
                idle += [] if found is None else [found]
        done = len(report.tally.played)
        if done < matches:
            report.stopped = f"stopped after {report.seconds:.0f} seconds: {done} of {matches} matches"
    except KeyboardInterrupt:
        if not report.tally.played:
            raise
        report.stopped = f"interrupted: {len(report.tally.played)} of {matches} matches"
    report.seconds = time.perf_counter() - begun
    report.found = findings(ruleset, report.tally, idle, limit, command)
    return report


def _is_in_time(begun: float, seconds: int | None) -> bool:
    return seconds is None or time.perf_counter() - begun < seconds


def _parts(games: int, matches: int, seed: int) -> Iterator[Part]:
    """The matches in packets: one of each game, then the rest of each game, some at a time."""
    own = [range(seed + number, seed + matches, games) for number in range(min(games, matches))]
    yield from ((number, seeds[:1]) for number, seeds in enumerate(own))
    for at in range(1, max(map(len, own), default=0), PART):
        yield from ((number, seeds[at : at + PART]) for number, seeds in enumerate(own) if len(seeds) > at)


def _play(job: Job, part: Part) -> Tally:
    """One packet of matches."""
    number, seeds = part
    configuration = job.games[number]
    tally = Tally()
    try:
        game = configuration.game(job.ruleset)
    except RulesetError:
        return tally  # a variant whose changes do not fit: 'validate' says so
    tally.know(game)
    tally.games.add(configuration)
    tally.lawful, tally.broken = set(job.known.lawful), set(job.known.broken)
    with no_collecting():
        for seed in seeds:
            Watch(game, configuration, seed, job.limit, tally).play()
    job.known.lawful |= tally.lawful
    job.known.broken |= tally.broken
    return tally


def _compare(job: Job, name: str) -> tuple[Tally, Idle | None]:
    """Matches with and without the values of one option, and whether it made no difference."""
    tally = Tally()
    with no_collecting():
        idle = compare(job.ruleset, name, job.fixed, job.seed, job.limit, tally)
    tally.played.clear()  # matches in pairs are no sample of their own
    return tally, idle


_job: Job | None = None
"""What a worker process plays."""


def _play_part(part: Part) -> Tally:
    assert _job is not None
    return _play(_job, part)


def _compare_option(name: str) -> tuple[Tally, Idle | None]:
    assert _job is not None
    return _compare(_job, name)


class Workers:
    """Processes that share a job, or none: then everything is done here. `with` ends them."""

    def __init__(self, job: Job, jobs: int) -> None:
        self.job, self.jobs = job, jobs
        forks = "fork" in multiprocessing.get_all_start_methods()  # a ruleset is handed on as it lies in memory
        self.pool = multiprocessing.get_context("fork").Pool(jobs, _begin_work, (job,)) if forks and jobs > 1 else None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.terminate()
            self.pool.join()

    def play(self, parts: Iterable[Part]) -> Iterator[Tally]:
        """What each packet showed, in order."""
        pool = self.pool
        if pool is None:
            return (_play(self.job, part) for part in parts)
        coming = begun_ahead(lambda part: pool.apply_async(_play_part, (part,)), parts, AHEAD * self.jobs)
        return (found.get() for found in coming)

    def compare(self, names: Sequence[str]) -> Iterator[tuple[Tally, Idle | None]]:
        """What comparing each option showed, in order."""
        if self.pool is None:
            return (_compare(self.job, name) for name in names)
        return self.pool.imap(_compare_option, names)


def _begin_work(job: Job) -> None:
    global _job
    _job = job
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asked is interrupted, and ends us
