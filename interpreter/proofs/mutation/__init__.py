"""Do the scenarios prove the rules? Changes a ruleset in one place and sees whether a scenario fails.

A mutant is the merged ruleset with one law, row, action or stage of a list left out, one number moved by one, one
condition of an `if` turned round, or one thing shown to everybody that was hidden, or the reverse. It is noticed when
it no longer validates or when a scenario of that ruleset fails; the others are the rules that nobody proves.
"""

from __future__ import annotations

import gc
import linecache
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from interpreter.api.game import Ruleset, load
from interpreter.base.diagnostics import Report, RulesetError, Span
from interpreter.base.signs import on_one_line
from interpreter.compiler.made import is_of_program
from interpreter.engine.program import Program
from interpreter.language.overlay import Resolved, is_path, resolve
from interpreter.language.source import Mapping as MappingNode
from interpreter.proofs.impact import Anatomy, Difference, Line, Programs, difference, lines_run
from interpreter.proofs.mutation.mutants import Mutant, defaults, is_copied, mutants, put_back
from interpreter.proofs.mutation.targets import Subject, Subjects
from interpreter.proofs.scenario_runner import SETUP_ERRORS, game_of, run_scenario
from interpreter.proofs.scenarios import load_scenarios, scenario_files

SHOWN = 10
SECONDS = 10.0
"""A scenario that takes longer under a mutant never ends: the change has been noticed."""


@dataclass(frozen=True, slots=True)
class Missed:
    """A change that no scenario noticed."""

    ruleset: str
    what: str
    span: Span

    def __str__(self) -> str:
        return f"{self.span}: {self.what}"


@dataclass(slots=True)
class MutationReport:
    """What became of the mutants, by ruleset. broken: scenarios that fail without any change; they prove nothing."""

    noticed: dict[str, int] = field(default_factory=dict)
    missed: dict[str, list[Missed]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(self.noticed.values()) + sum(map(len, self.missed.values()))

    def text(self) -> str:
        """What is printed: each ruleset with its share, and the changes nobody noticed."""
        lines = [f"fails unchanged, so it is left out: {name}" for name in self.broken[:SHOWN]]
        if len(self.broken) > SHOWN:
            lines.append(f"and {len(self.broken) - SHOWN} more fail unchanged")
        for ruleset, noticed in self.noticed.items():
            missed = self.missed[ruleset]
            total = noticed + len(missed)
            if total:
                lines.append(f"{ruleset}: {noticed} of {total} changes were noticed ({100 * noticed // total}%)")
            else:
                lines.append(f"{ruleset}: there is no rule in it that could be changed")
            lines += [f"  not noticed: {one}" for one in missed]
        return "\n".join(lines)


class _TimeUp(BaseException):
    """Not an Exception: nothing between here and the alarm may take it for an error of the rules."""


def _ring(_signal: int, _frame: FrameType | None) -> None:
    raise _TimeUp


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Raises _TimeUp where the block takes longer."""
    before = signal.signal(signal.SIGALRM, _ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.05)  # again, for what is raised while an object dies is lost
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# ---- the unchanged ruleset ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Proof:
    """A scenario that passes, with what it reaches of its program. program: None where the game itself is refused."""

    subject: Subject
    text: str
    program: Anatomy | None
    lines: frozenset[Line]
    functions: frozenset[str]


class _Rulesets:
    """A ruleset, as it is or changed, with what scenarios lay on it: each loaded once."""

    def __init__(self, root: MappingNode, compiled: Callable[..., Program]) -> None:
        self._root = root
        self._compiled = compiled
        self._found: dict[tuple[int, ...], Ruleset] = {}

    def laid_on(self, laid: tuple[MappingNode, ...] = ()) -> Ruleset:
        key = tuple(map(id, laid))
        if key not in self._found:
            self._found[key] = load(self._root, laid).compiled_by(self._compiled)
        return self._found[key]

    def program(self, subject: Subject) -> Program | None:
        """None where the ruleset or the game is refused."""
        try:
            return game_of(subject.scenario, self.laid_on(subject.laid)).program
        except SETUP_ERRORS:
            return None

    def play(self, subject: Subject) -> bool:
        """Whether a scenario passes."""
        return run_scenario(subject.scenario, lambda _: self.laid_on(subject.laid)).passed


class _Proofs:
    """The scenarios of one ruleset, each played once on it as it is."""

    def __init__(self, found: Resolved, seconds: float, file: str = "") -> None:
        """file: of an overlay whose changes are meant; "" for all of the ruleset."""
        root = found.node
        self.resolved = found
        self.root = root
        self.file = file
        self.seconds = seconds
        self.found: list[_Proof] = []
        self.reached: dict[int, set[str]] = {}
        """By program, the functions that its scenarios call together: what one has found out, others may look up."""
        self.programs = Programs()
        self.rulesets = _Rulesets(root, self.programs.make)
        self._anatomies: dict[int, Anatomy] = {}

    def mutants(self) -> list[Mutant]:
        """The changes of the ruleset; of an overlay, those of what it says itself."""
        if not self.file:
            return list(mutants(self.root))
        removed = {path: span for path, span in self.resolved.removed.items() if span.file == self.file}
        under = _resolved(self.resolved.files[-2]).node
        own = [m for m in mutants(self.root) if m.span.file == self.file and not is_copied(m.path, self.root, under)]
        return [*own, *put_back(self.root, under, removed), *defaults(self.root, under, self.file)]

    def add(self, subject: Subject) -> bool:
        """Play a scenario; whether it passes."""
        program = self.rulesets.program(subject)  # first: printing it is slow where lines are watched
        with lines_run() as run:
            if not self.rulesets.play(subject):
                return False
        scenario = subject.scenario
        words = [scenario.name, scenario.head("options"), scenario.head("given"), *(s.text for s in scenario.steps)]
        text = " ".join(map(str, words))
        if program is None:
            self.found.append(_Proof(subject, text, None, frozenset(), frozenset()))
            return True
        anatomy = self._anatomies.setdefault(id(program), Anatomy(program))
        lines = frozenset(anatomy.lines(run))
        functions = frozenset(name for name, _ in lines)
        self.reached.setdefault(id(program), set()).update(functions)
        self.found.append(_Proof(subject, text, anatomy, lines, functions))
        return True


# ---- a mutant -----------------------------------------------------------------------------------------


class _Trial:
    """The search for a scenario that notices one change."""

    def __init__(self, mutant: Mutant, proofs: _Proofs) -> None:
        self._mutant = mutant
        self._proofs = proofs
        self._rulesets = _Rulesets(mutant.root, proofs.programs.find)
        self._differences: dict[tuple[int, int], Difference] = {}
        """By the program of the ruleset as it is and that of the mutant."""
        self._lines: set[Line] = set()
        self._functions: set[str] = set()
        self._compiled: set[int] = set()

    def is_noticed(self) -> bool:
        try:
            self._rulesets.laid_on()
        except RulesetError:
            return True
        waiting = sorted(self._proofs.found, key=self._rank)
        while waiting:
            known = len(self._differences)
            if self._is_noticed_by(waiting.pop(0)):
                return True
            if len(self._differences) > known:
                waiting.sort(key=self._rank)
        return False

    def _rank(self, proof: _Proof) -> tuple[int, ...]:
        """Where a proof stands in the order in which they are tried, the smallest first.

        First come those that reach what differs, in a program that is there already; then those that use the names
        around the change, the nearest counting most.
        """
        hits = sum(8 >> at for at, word in enumerate(self._mutant.words[:4]) if word in proof.text)
        reaches = (not self._lines.isdisjoint(proof.lines)) + (not self._functions.isdisjoint(proof.functions))
        compiled = proof.program is not None and id(proof.program.program) in self._compiled
        return (-reaches, not compiled, -hits, len(proof.subject.scenario.steps))

    def _is_noticed_by(self, proof: _Proof) -> bool:
        """Whether a scenario fails, breaks down or does not end on the changed ruleset."""
        try:
            with _within(self._proofs.seconds):
                return self._can_reach(proof) and not self._rulesets.play(proof.subject)
        except _TimeUp:
            return True

    def _can_reach(self, proof: _Proof) -> bool:
        program = self._rulesets.program(proof.subject)
        if proof.program is None or program is None:
            return True
        if program is proof.program.program:
            return False
        key = id(proof.program.program), id(program)
        if key not in self._differences:
            found = difference(proof.program, Anatomy(program))
            self._differences[key] = found
            self._lines |= found.lines
            self._functions |= found.functions
            self._compiled.add(key[0])
        found = self._differences[key]
        return found.everywhere or not found.functions.isdisjoint(self._proofs.reached[key[0]])


# ---- all of them --------------------------------------------------------------------------------------

_work: tuple[list[Mutant], _Proofs] | None = None
"""Of the worker processes, which are forked with it: the changes, and what they are tried on."""


def _try(number: int) -> bool:
    assert _work is not None
    every, proofs = _work
    noticed = _Trial(every[number], proofs).is_noticed()
    for name in [name for name in linecache.cache if is_of_program(name)]:
        del linecache.cache[name]  # the text of each game compiled; there will be thousands
    return noticed


def run(
    paths: Iterable[str | Path],
    jobs: int | None = None,
    only: Sequence[str] = (),
    seconds: float = SECONDS,
    within: Sequence[Path] = (),
    tell: Callable[[int, int, str], None] = lambda done, total, of: None,
) -> MutationReport:
    """Mutate the rulesets that the scenarios of some files play, and say which changes went unnoticed.

    paths: scenario files, or folders of them. jobs: processes (default: one for each core). only: rulesets to
    mutate, by id or path; all if empty. within: as of `load_scenarios`. tell: hears how many changes of how many have
    been tried, and of which ruleset. Raises RulesetError for a file that cannot be read. Needs the main thread of a
    POSIX system: an alarm cuts what does not end.
    """
    report = MutationReport()
    for base, proofs in _proofs(paths, within, only, seconds, report.broken).items():
        _run_ruleset(base, proofs, jobs or os.cpu_count() or 1, report, tell)
    return report


def table_rows(paths: Iterable[str | Path], within: Sequence[Path] = ()) -> Iterator[tuple[Missed, bool]]:
    """Each row of a table or score dropped, and each that only says something, and whether a scenario notices; of the
    rulesets that the scenarios of files play."""
    for base, proofs in _proofs(paths, within, (), SECONDS, []).items():
        for mutant in proofs.mutants():
            if _drops_row(mutant, proofs.root):
                yield Missed(base, mutant.what, mutant.span), _Trial(mutant, proofs).is_noticed()


def _drops_row(mutant: Mutant, root: MappingNode) -> bool:
    """Whether a row is dropped of which nobody sees whether it is carried out: of a table, of a score, or only said."""
    match mutant.path:
        case ("values", _, _) | ("flow", _, "score", _):
            return mutant.what.startswith("row ") and mutant.what.endswith(" dropped")
        case ("cards", name):
            rows = root.entries["cards"]
            row = rows.entries.get(str(name)) if isinstance(rows, MappingNode) else None
            return not (isinstance(row, MappingNode) and "effect" in row.entries)
    return False


def _proofs(
    paths: Iterable[str | Path], within: Sequence[Path], only: Sequence[str], seconds: float, broken: list[str]
) -> dict[str, _Proofs]:
    """By ruleset the scenarios that pass on it; the others are told in `broken`.

    What plays an overlay proves what the overlay says, and the ruleset below if others play that as it is.
    """
    subjects = Subjects()
    scenarios = [scenario for path in scenario_files(paths) for scenario in load_scenarios(path, within)]
    overlays = [subjects.overlay(scenario) for scenario in scenarios]
    below = [subjects.find(scenario) for scenario in scenarios]
    bases = {plain.base for plain, overlay in zip(below, overlays, strict=True) if plain and overlay is None}
    found: dict[str, _Proofs] = {}
    for scenario, overlay, plain in zip(scenarios, overlays, below, strict=True):
        meant = [overlay, plain if overlay is None or (plain and plain.base in bases) else None]
        proved = [subject for subject in meant if subject is not None]
        wanted = [subject for subject in proved if not only or subject.base in only]
        if proved and not wanted:
            continue
        for subject in wanted:
            if subject.base not in found:
                file = subject.base if subject is overlay else ""
                found[subject.base] = _Proofs(_resolved(subject.base), seconds, file)
        if not proved or not all([found[subject.base].add(subject) for subject in wanted]):
            broken.append(on_one_line(f"{scenario.file}: {scenario.name}"))
    return found


def _resolved(base: str) -> Resolved:
    findings = Report()
    resolved = resolve(Path(base) if is_path(base) else base, findings)
    findings.raise_errors()
    assert resolved is not None
    return resolved


def _run_ruleset(
    base: str, proofs: _Proofs, jobs: int, report: MutationReport, tell: Callable[[int, int, str], None]
) -> None:
    global _work
    every = proofs.mutants()
    _work = every, proofs
    gc.freeze()  # what is there stays there, so nobody need look whether it is still used
    results: list[bool] = []
    with multiprocessing.get_context("fork").Pool(jobs) if jobs > 1 else nullcontext() as pool:
        tried = map(_try, range(len(every))) if pool is None else pool.imap(_try, range(len(every)), chunksize=1)
        for noticed in tried:
            results.append(noticed)
            tell(len(results), len(every), base)
    gc.unfreeze()
    _work = None
    report.noticed[base] = sum(results)
    missed = [Missed(base, m.what, m.span) for m, noticed in zip(every, results, strict=True) if not noticed]
    report.missed[base] = missed
