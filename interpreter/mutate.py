"""Do the scenarios prove the rules? Changes a ruleset in one place and sees whether a scenario fails.

A mutant is the merged ruleset with one law, row, action or stage of a list left out, one number moved by one, one
condition of an `if` turned round, or one thing shown to everybody that was hidden, or the reverse. It is noticed when
it no longer validates or when a scenario of that ruleset fails; the others are the rules that nobody proves.
"""

from __future__ import annotations

import linecache
import multiprocessing
import os
import re
import signal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Any

from interpreter.diagnostics import Report, RulesetError, Span
from interpreter.game import Ruleset, load
from interpreter.overlay import Source, is_path, resolve, shipped
from interpreter.scenarios import Scenario, load_scenarios, run_scenario, scenario_files
from interpreter.source import Listing, Node, Scalar, parse_text, read_file
from interpreter.source import Mapping as MappingNode

SHOWN = 10
SECONDS = 10.0
"""A scenario that takes longer under a mutant never ends: the change has been noticed."""

Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A ruleset with one change. words: names that scenarios which touch the place are likely to use."""

    what: str
    path: Place
    span: Span
    root: MappingNode
    words: tuple[str, ...] = ()


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
            share = f"{100 * noticed // total}%" if total else "none"
            lines.append(f"{ruleset}: {noticed} of {total} changes were noticed ({share})")
            lines += [f"  not noticed: {one}" for one in missed]
        return "\n".join(lines)


# ---- mutants ------------------------------------------------------------------------------------------

# What is about the ruleset and not a rule, names of things, and bounds that only guard against mistakes.
_UNTOUCHED = frozenset(
    "format id name about family credits notes doc best message ranks orders suits refuse extends say label".split()
)
_BRANCH = re.compile(r"\bif ((?:(?!\bif\b|\bthen\b)[^;\n\"])+?) then\b")
_NUMBER = re.compile(r'"[^"\n]*"|(?<!\w)\d+(?!\w)')


def mutants(root: MappingNode) -> Iterator[Mutant]:
    """Every change of a merged ruleset, in the order of its places."""
    for change in _changes(root, ()):
        yield Mutant(change.what, change.path, change.span, _rebuilt(root, change.path, change.put), change.words)


@dataclass(frozen=True, slots=True)
class _Change:
    """What to put at a path; None takes the entry or item out."""

    what: str
    path: Place
    span: Span
    put: Node | None
    words: tuple[str, ...]


def _changes(node: Node, path: Place) -> Iterator[_Change]:
    match node:
        case MappingNode():
            noun = _noun(path)
            for key, value in node.entries.items():
                here = (*path, key)
                if (not noun and key in _UNTOUCHED) or _is_guard(here, node):
                    continue
                if noun and not (noun == "row" and key in ("by", "doc")):
                    yield _Change(f"{noun} '{key}' of {_where(path)} dropped", here, node.keys[key], None, _words(here))
                yield from _changes(value, here)
        case Listing():
            in_flow = path[:1] == ("flow",)
            for at, item in enumerate(node.items):
                if in_flow and path[-1:] == ("score",):
                    what = f"row {at + 1} of {_where(path)} dropped"
                    yield _Change(what, (*path, at), item.span, None, _words(path))
                elif in_flow and path[2:] == ("do",) and isinstance(item, Scalar) and len(node.items) > 1:
                    what = f"stage '{item.text}' of {_where(path[:-1])} left out"
                    yield _Change(what, (*path, at), item.span, None, (item.text, *_words(path)))
                yield from _changes(item, (*path, at))
        case Scalar():
            yield from _shifts(node, path)
            yield from _turned(node, path)
            yield from _uncovered(node, path)


def _noun(path: Place) -> str:
    """What an entry of the mapping at a path is called, if entries are dropped there."""
    match path:
        case ("require",) | ("flow", _, *_, "must"):
            return "law"
        case ("cards",) | ("values", _):
            return "row"
        case ("flow", _, "actions" | "anytime"):
            return "action"
    return ""


def _is_guard(path: Place, parent: MappingNode) -> bool:
    """Bounds of variables guard against mistakes; numbers that are ranks are names. Neither is changed."""
    match path:
        case ("state", _, "min" | "max") | ("values", _, "by" | "doc"):
            return True
        case ("options", _, "default"):
            kind = parent.entries.get("type")
            return isinstance(kind, Scalar) and kind.text.endswith(("rank", "card"))
    return False


def _shifts(node: Scalar, path: Place) -> Iterator[_Change]:
    """Each number in a scalar, one higher; texts that are spoken or quoted are left alone."""
    if type(node.value) is int:
        number = node.value + 1
        shifted = replace(node, value=number, text=str(number))
        yield _Change(f"{node.value} in {_where(path)} made {number}", path, node.span, shifted, _words(path))
        return
    if not isinstance(node.value, str):
        return
    for found in _NUMBER.finditer(node.text):
        if found[0].startswith('"'):
            continue
        number = int(found[0]) + 1
        text = f"{node.text[: found.start()]}{number}{node.text[found.end() :]}"
        span = node.place(found.start(), len(found[0]))
        what = f"{found[0]} in {_where(path)} made {number}"
        yield _Change(what, path, span, replace(node, value=text, text=text), _words(path))


def _turned(node: Scalar, path: Place) -> Iterator[_Change]:
    """Each condition of an `if`, turned round: what it decides is the other branch."""
    if not isinstance(node.value, str) or path[-1] in ("doc", "message"):
        return
    for found in _BRANCH.finditer(node.text):
        text = f"{node.text[: found.start(1)]}not ({found[1]}){node.text[found.end(1) :]}"
        span = node.place(found.start(1), len(found[1]))
        yield _Change(
            f"'if {_short(found[1])}' in {_where(path)} turned round", path, span, _said(node, text), _words(path)
        )


def _uncovered(node: Scalar, path: Place) -> Iterator[_Change]:
    """Who sees a zone or variable: everybody what somebody saw, nobody what everybody saw."""
    match path:
        case ("zones" | "state", _, "seen by" | "count seen by"):
            other = "none" if node.text == "everyone" else "everyone"
            what = f"'{path[2]}: {node.text}' of {path[1]} made {other}"
            yield _Change(what, path, node.span, _said(node, other), _words(path))


def _said(node: Scalar, text: str) -> Scalar:
    return replace(node, value=text, text=text)


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


def _where(path: Place) -> str:
    """`values, points, QS` reads "QS of points"."""
    unsaid = ("flow", "values", "options", "must", "actions", "anytime", "define", "zones", "state", "cards")
    names = [str(step) for step in path if isinstance(step, str) and step not in unsaid]
    return " of ".join(reversed(names)) or str(path[0] if path else "the ruleset")


def _words(path: Place) -> tuple[str, ...]:
    return tuple(str(step) for step in reversed(path) if isinstance(step, str))


def _rebuilt(node: Node, path: Place, put: Node | None) -> Any:
    """A copy of the tree with another node at a path, or none."""
    if not path:
        return put
    step, rest = path[0], path[1:]
    if isinstance(node, MappingNode):
        entries = dict(node.entries)
        if not rest and put is None:
            del entries[str(step)]
        else:
            entries[str(step)] = _rebuilt(entries[str(step)], rest, put)
        return MappingNode(entries, {key: node.keys[key] for key in entries}, node.span)
    assert isinstance(node, Listing) and isinstance(step, int)
    items = list(node.items)
    if not rest and put is None:
        del items[step]
    else:
        items[step] = _rebuilt(items[step], rest, put)
    return Listing(tuple(items), node.span)


# ---- scenarios on another ruleset ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Subject:
    """A scenario with the ruleset at the bottom of what it plays, and the overlays laid on that."""

    scenario: Scenario
    base: str
    laid: tuple[MappingNode, ...]


def _subject(scenario: Scenario) -> _Subject | None:
    """None if the files cannot be read; the scenario fails then anyway."""
    game, laid = scenario.source()
    report = Report()
    layers: list[MappingNode] = []
    source: Source | None = game
    while source is not None:
        node = _read(source, report)
        if node is None:
            return None
        extends = node.entries.get("extends")
        if not isinstance(extends, Scalar):
            break
        layers.insert(0, node)
        source = _extended(extends.text, Path(node.span.file).parent)
    layers += [node for node in (_read(item, report) for item in laid) if node is not None]
    if report.failed or source is None:
        return None
    return _Subject(scenario, source if isinstance(source, str) else str(source), tuple(map(_free, layers)))


def _extended(name: str, folder: Path) -> Source:
    """What `extends` names: a shipped ruleset or a file beside the overlay."""
    if not is_path(name) and name in shipped():
        return name
    return folder / (name if is_path(name) else f"{name}.yaml")


def _read(source: Source, report: Report) -> MappingNode | None:
    if isinstance(source, MappingNode):
        return source
    path = Path(source) if isinstance(source, Path) else shipped().get(str(source), Path(str(source)))
    text = read_file(path, report)
    node = None if text is None else parse_text(text, str(path), report)
    return node if isinstance(node, MappingNode) else None


def _free(overlay: MappingNode) -> MappingNode:
    """An overlay without `extends`: it is laid on a ruleset that has no file."""
    entries = {key: value for key, value in overlay.entries.items() if key not in ("extends", "needs")}
    return MappingNode(entries, {key: overlay.keys[key] for key in entries}, overlay.span)


class _TimeUp(BaseException):
    """Not an Exception: nothing between here and the alarm may take it for an error of the rules."""


def _ring(_signal: int, _frame: FrameType | None) -> None:
    raise _TimeUp


def _fails(subject: _Subject, root: MappingNode, loaded: dict[Any, Ruleset], seconds: float) -> bool:
    """Whether a scenario fails, breaks down or does not end on a ruleset that lies in `root`."""

    def bring(_: Scenario) -> Ruleset:
        key = tuple(map(id, subject.laid))
        if key not in loaded:
            loaded[key] = load(root, subject.laid)
        return loaded[key]

    before = signal.signal(signal.SIGALRM, _ring)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            return not run_scenario(subject.scenario, bring).passed
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _TimeUp:
        return True
    finally:
        signal.signal(signal.SIGALRM, before)


def _is_noticed(mutant: Mutant, subjects: Sequence[_Subject], seconds: float) -> bool:
    try:
        plain = load(mutant.root)
    except RulesetError:
        return True
    loaded: dict[Any, Ruleset] = {(): plain}
    return any(_fails(s, mutant.root, loaded, seconds) for s in _likely_first(mutant, subjects))


def _likely_first(mutant: Mutant, subjects: Sequence[_Subject]) -> list[_Subject]:
    """Scenarios that use the names around the change, the nearest name counting most; short ones before long ones."""

    def rank(subject: _Subject) -> tuple[int, int]:
        text = " ".join(step.text for step in subject.scenario.steps)
        text += f" {subject.scenario.name} {subject.scenario.head('options')} {subject.scenario.head('given')}"
        hits = sum(8 >> at for at, word in enumerate(mutant.words[:4]) if word in text)
        return -hits, len(subject.scenario.steps)

    return sorted(subjects, key=rank)


# ---- all of them --------------------------------------------------------------------------------------

_work: tuple[list[Mutant], Sequence[_Subject], float] = ([], (), SECONDS)
"""Of a worker process: what it tries its mutants on."""


def _begin_work(root: MappingNode, subjects: Sequence[_Subject], seconds: float) -> None:
    global _work
    _work = list(mutants(root)), subjects, seconds


def _try(number: int) -> bool:
    every, subjects, seconds = _work
    noticed = _is_noticed(every[number], subjects, seconds)
    for name in [name for name in linecache.cache if name.startswith("<houserules ")]:
        del linecache.cache[name]  # the text of each game compiled; there will be thousands
    return noticed


def run(
    paths: Iterable[str | Path], jobs: int | None = None, only: Sequence[str] = (), seconds: float = SECONDS
) -> MutationReport:
    """Mutate the rulesets that the scenarios of some files play, and say which changes went unnoticed.

    paths: scenario files, or folders of them. jobs: processes (default: one for each core). only: rulesets to
    mutate, by id or path; all if empty. Raises RulesetError for a file that cannot be read.
    Needs the main thread of a POSIX system: an alarm cuts what does not end.
    """
    report = MutationReport()
    found: dict[str, list[_Subject]] = {}
    for path in scenario_files(paths):
        for scenario in load_scenarios(path):
            if not run_scenario(scenario).passed:
                report.broken.append(f"{scenario.file}: {scenario.name}")
                continue
            subject = _subject(scenario)
            if subject is not None and (not only or subject.base in only):
                found.setdefault(subject.base, []).append(subject)
    for base, subjects in found.items():
        _run_ruleset(base, subjects, jobs or os.cpu_count() or 1, seconds, report)
    return report


def table_rows(paths: Iterable[str | Path], seconds: float = SECONDS) -> Iterator[tuple[Missed, bool]]:
    """Each row of a table dropped, and whether a scenario notices; of the rulesets that the scenarios of files play."""
    found: dict[str, list[_Subject]] = {}
    for path in scenario_files(paths):
        for scenario in load_scenarios(path):
            subject = _subject(scenario)
            if subject is not None:
                found.setdefault(subject.base, []).append(subject)
    for base, subjects in found.items():
        resolved = resolve(base, Report())
        rows = [] if resolved is None else [m for m in mutants(resolved.node) if _drops_row(m)]
        sound = [s for s in subjects if run_scenario(s.scenario).passed] if rows else []
        for mutant in rows:
            yield Missed(base, mutant.what, mutant.span), _is_noticed(mutant, sound, seconds)


def _drops_row(mutant: Mutant) -> bool:
    return len(mutant.path) == 3 and mutant.path[0] == "values" and mutant.what.startswith("row ")


def _run_ruleset(base: str, subjects: list[_Subject], jobs: int, seconds: float, report: MutationReport) -> None:
    findings = Report()
    resolved = resolve(base, findings)
    findings.raise_errors()
    assert resolved is not None
    every = list(mutants(resolved.node))
    if jobs == 1:
        results = [_is_noticed(mutant, subjects, seconds) for mutant in every]
    else:
        with multiprocessing.Pool(jobs, _begin_work, (resolved.node, subjects, seconds)) as pool:
            results = pool.map(_try, range(len(every)), chunksize=1)
    report.noticed[base] = sum(results)
    missed = [Missed(base, m.what, m.span) for m, noticed in zip(every, results, strict=True) if not noticed]
    report.missed[base] = missed
