"""Scenarios: proofs of rules, written in YAML.

A scenario fixes a game and a position and takes steps in order: moves, and checks of what the rules make of them.
`load_scenarios` reads a file; `scenario_runner` plays what is read here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from interpreter.base.diagnostics import Report, Span, suggest
from interpreter.language.overlay import Source, files_in, is_path, lies_in, names_ruleset, shipped
from interpreter.language.shape import check_shape
from interpreter.language.source import Listing, Node, Scalar, parse_documents, read_file, to_plain
from interpreter.language.source import Mapping as MappingNode

CODES: dict[str, str] = {
    "E701": "the game or an overlay of a scenario is not there, or lies where a scenario may not lead",
    "E702": "two scenarios of a file have the same name",
    "E703": "a check of an error that follows no move",
}

MOST_SAVES = 20
"""The most steps `save` in a scenario."""
MOST_SCENARIOS, MOST_PLAYED_ON = 500, 100_000
"""In one file: scenarios, and random moves that they play on, together."""
MOVES = ("move", "together")


@dataclass(frozen=True, slots=True)
class Step:
    """One move or check. kind: "move", "together", "legal", "expect", ...; node: what it says."""

    number: int
    kind: str
    node: Node
    span: Span

    @property
    def text(self) -> str:
        """The step on one line, as it is written in flow style."""
        body = _flow(self.node)
        return body if self.kind == "move" else f"{self.kind}: {body}"


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario of a file. node: all of it, with places."""

    file: str
    node: MappingNode
    name: str
    steps: tuple[Step, ...]

    @property
    def span(self) -> Span:
        return self.node.span

    def head(self, key: str, default: Any = None) -> Any:
        """The plain value of a key such as `players` or `given`."""
        found = self.node.get(key)
        return default if found is None else to_plain(found)

    def source(self) -> tuple[Source, tuple[Source, ...]]:
        """The ruleset it is about, and the overlays that `with` lays on it."""
        game = self.node.entries["game"]
        base: Source = game if isinstance(game, MappingNode) else self.locate(text_of(game))
        laid = self.head("with", [])
        return base, tuple(self.locate(str(item)) for item in ([laid] if isinstance(laid, str) else laid))

    def locate(self, name: str) -> Source:
        """A shipped id as it is, a path from the scenario's folder."""
        return Path(os.path.normpath(Path(self.file).parent / name)) if is_path(name) else name


# ---- reading ------------------------------------------------------------------------------------------


def load_scenarios(path: str | Path, within: Iterable[Path] = ()) -> list[Scenario]:
    """The scenarios of a file: a single one, a list, `{scenarios: [...]}`, or a stream of these.

    within: folders besides its own in which the rulesets may lie that it names.
    Raises RulesetError with everything that is wrong with the file.
    """
    report = Report()
    text = read_file(Path(path), report)
    found = [] if text is None else parse_scenarios(text, str(path), report, within)
    report.raise_errors()
    return found


def scenario_files(paths: Iterable[str | Path]) -> list[Path]:
    """Files as they are named, and the YAML files of folders, by name, without the rulesets that lie among them.

    A ruleset that is named stands for the scenario files beside it that name it, if there are some. Of a folder no file
    is taken, nor read, to which a link out of it leads. A folder in it that cannot be looked into, as when its path is
    too long, is taken in place of its files: reading it tells why.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        inside = _files_below(path) if path.is_dir() else []
        within = [file for file in inside if lies_in(file, path)]
        found += [file for file in within if not _is_ruleset(file)] if path.is_dir() else _beside(path) or [path]
    return list(dict.fromkeys(found))


def _files_below(folder: Path) -> list[Path]:
    """The YAML files of a folder and of those in it, and the folders that cannot be looked into though one may."""
    found, waiting = list[Path](), [folder]
    while waiting:  # folders may stand in one another deeper than functions may
        at = waiting.pop()
        try:
            with os.scandir(at) as inside:
                entries = list(inside)
        except PermissionError:
            continue
        except OSError:
            found.append(at)
            continue
        found += [Path(entry) for entry in entries if entry.name.endswith((".yaml", ".yml"))]
        waiting += [Path(entry) for entry in entries if entry.is_dir(follow_symlinks=False)]
    return sorted(found)


def _beside(path: Path) -> list[Path]:
    """The scenario files in the folder of a ruleset in which its file's name occurs."""
    if not path.is_file() or not _is_ruleset(path):
        return []
    inside = [file for file in files_in(path.parent) if file != path and lies_in(file, path.parent)]
    others = [file for file in inside if not _is_ruleset(file)]
    return [file for file in others if path.name in (read_file(file, Report()) or "")]


def _is_ruleset(file: Path) -> bool:
    """Whether a file among scenarios is a ruleset or overlay, by its keys at the left margin."""
    text = read_file(file, Report())
    if text is None or re.search(r"^format:", text, re.MULTILINE) is None:
        return False
    return re.search(r"^(- )?(game|scenarios):", text, re.MULTILINE) is None


def parse_scenarios(text: str, file: str, report: Report, within: Iterable[Path] = ()) -> list[Scenario]:
    """The scenarios in a text; findings go into `report`. within: as of `load_scenarios`."""
    found: list[Scenario] = []
    folders = [Path(file).parent, *within]
    for document in parse_documents(text, file, report):
        shape = Report()
        check_shape(document, shape, "scenario")
        report.extend(shape.diagnostics)
        if not shape.failed:
            found += [_scenario(node, file, report, folders) for node in _documents(document)]
    _check_amounts(found, report)
    names: dict[str, Span] = {}
    for scenario in found:
        at = scenario.node.entries["name"].span
        if scenario.name in names:
            message = f"a scenario of this name stands in line {names[scenario.name].line} already"
            report.error("E702", at, message, "say in the name what this one proves")
        names.setdefault(scenario.name, at)
    return found


def _check_amounts(found: Sequence[Scenario], report: Report) -> None:
    """Report more scenarios, or random moves, than a file may have."""
    if len(found) > MOST_SCENARIOS:
        message = f"a file has {len(found):,} scenarios, and the most is {MOST_SCENARIOS}"
        report.error("E206", found[MOST_SCENARIOS].node.span, message, "write them in several files")
    steps = [step for scenario in found for step in scenario.steps if step.kind == "play on"]
    played = list(accumulate(int(str(to_plain(step.node))) for step in steps))
    if played and played[-1] > MOST_PLAYED_ON:
        step = next(step for step, so_far in zip(steps, played, strict=True) if so_far > MOST_PLAYED_ON)
        message = f"the steps 'play on' of a file make {played[-1]:,} moves, and the most is {MOST_PLAYED_ON:,}"
        report.error("E206", step.span, message, "play on for less, or in several files")


def _documents(node: Node) -> list[MappingNode]:
    if isinstance(node, MappingNode) and "scenarios" in node.entries:
        node = node.entries["scenarios"]
    items = node.items if isinstance(node, Listing) else (node,)
    return [item for item in items if isinstance(item, MappingNode)]


def _scenario(node: MappingNode, file: str, report: Report, folders: Sequence[Path]) -> Scenario:
    listed = node.get("steps")
    items = listed.items if isinstance(listed, Listing) else ()
    steps = tuple(_step(number, item) for number, item in enumerate(items, start=1))
    for before, step in zip((None, *steps), steps, strict=False):
        if step.kind == "error" and (before is None or before.kind not in MOVES):
            hint = "an error of the set-up is a key of the scenario, beside 'game'"
            report.error("E703", step.span, "'error' says how the move before it must fail, and there is none", hint)
    saves = [step for step in steps if step.kind == "save"]
    if len(saves) > MOST_SAVES:
        message = f"a scenario has {len(saves):,} steps 'save', and the most is {MOST_SAVES}"
        report.error("E206", saves[MOST_SAVES].span, message, "each plays the match again from its beginning")
    scenario = Scenario(file, node, text_of(node.entries["name"]), steps)
    _check_sources(scenario, folders, report)
    return scenario


def _step(number: int, node: Node) -> Step:
    if isinstance(node, MappingNode):
        ((kind, value),) = node.entries.items()
        return Step(number, kind, value, node.keys[kind])
    return Step(number, "move", node, node.span)


def _check_sources(scenario: Scenario, folders: Sequence[Path], report: Report) -> None:
    """Report a game or overlay that is not there, or in none of the folders that are allowed, at the word for it."""
    laid = scenario.node.get("with")
    for node in (scenario.node.entries["game"], *(laid.items if isinstance(laid, Listing) else (laid,))):
        if not isinstance(node, Scalar):
            continue
        source = scenario.locate(node.text)
        if not names_ruleset(node.text) or node.text.startswith("/") or ":" in node.text:
            hint = "name a shipped ruleset, or a .yaml file by its path from this folder"
            report.error("E701", node.span, f"a scenario may not name '{node.text}'", hint)
        elif isinstance(source, Path) and not any(lies_in(source, folder) for folder in folders):
            hint = "name a file beside this one or below, no link out of there; or test a folder in which both lie"
            report.error("E701", node.span, f"a scenario may not name '{node.text}'", hint)
        elif isinstance(source, Path) and not os.path.isfile(source):
            beside = [p.name for p in files_in(source.parent) if str(p) != scenario.file]
            hint = suggest(source.name, beside, "files there")
            report.error("E701", node.span, f"there is no file '{source}'", hint)
        elif isinstance(source, str) and source not in shipped():
            report.error("E701", node.span, f"no ruleset is called '{source}'", suggest(source, shipped(), "rulesets"))


# ---- words --------------------------------------------------------------------------------------------


def text_of(node: Node) -> str:
    """What is written; empty for a mapping or list."""
    return node.text if isinstance(node, Scalar) else ""


def _flow(node: Node) -> str:
    if isinstance(node, MappingNode):
        return "{" + ", ".join(f"{key}: {_flow(value)}" for key, value in node.entries.items()) + "}"
    if isinstance(node, Listing):
        return "[" + ", ".join(map(_flow, node.items)) + "]"
    return node.text
