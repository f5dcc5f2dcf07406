"""Runs scenario files and says how they went: `houserules test`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.diagnostics import Diagnostic, RulesetError, render

if TYPE_CHECKING:
    from interpreter.scenarios import Scenario

Say = Callable[[str], None]
HOME = Path("tests/scenarios")


def prove(paths: list[Path], mutating: bool, verbose: bool, say: Say) -> bool:
    """Run the scenarios under some paths; whether all is well. Nothing to run is not well."""
    from interpreter.scenarios import run_scenario

    if not paths:
        paths = [HOME if HOME.is_dir() else Path()]
    scenarios, well = _read(paths, say)
    if not scenarios:
        if well:
            say(f"no scenarios under {', '.join(map(str, paths))}")
        return False
    if mutating:
        return _mutate(scenarios, say) and well
    failed = 0
    for scenario in scenarios:
        outcome = run_scenario(scenario)
        failed += not outcome.passed
        if verbose or not outcome.passed:
            say(outcome.report())
    files = len({scenario.file for scenario in scenarios})
    told = f"{len(scenarios) - failed} passed" + (f", {failed} failed" if failed else "")
    say(f"{told} ({files} file{'' if files == 1 else 's'})")
    return well and not failed


def _read(paths: list[Path], say: Say) -> tuple[list[Scenario], bool]:
    """The scenarios of files and folders; whether all files could be read."""
    from interpreter.scenarios import load_scenarios

    found: list[Scenario] = []
    well = True
    for path in paths:
        for file in sorted(path.rglob("*.yaml")) if path.is_dir() else [path]:
            if path.is_dir() and _is_ruleset(file):
                continue
            try:
                found += load_scenarios(file)
            except RulesetError as error:
                say("\n".join(_rendered(d) for d in error.diagnostics))
                well = False
    return found, well


def _is_ruleset(file: Path) -> bool:
    """Whether a file in a folder of scenarios is a ruleset that they use, by its keys at the left margin."""
    try:
        text = file.read_text("utf-8", "replace")
    except OSError:
        return False
    return bool(re.search(r"^format:", text, re.MULTILINE)) and not re.search(r"^(- )?(game|scenarios):", text, re.MULTILINE)


def _rendered(found: Diagnostic) -> str:
    try:
        text: str | None = Path(found.file).read_text("utf-8-sig", "replace")
    except (OSError, ValueError):
        text = None
    return render(found, text)


def _mutate(scenarios: list[Scenario], say: Say) -> bool:
    from interpreter import mutate

    return bool(mutate.run(scenarios, say))
