"""Runs scenario files and says how they went: `houserules test`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.base.diagnostics import Diagnostic, RulesetError, render

if TYPE_CHECKING:
    from interpreter.proofs.scenarios import Scenario

Say = Callable[[str], None]
Tell = Callable[[int, int, str], None]
"""Hears how much is done of how much, and of what."""
HOME = Path("tests/scenarios")
ENOUGH = 0.95
"""The share of changes to a ruleset that its scenarios have to notice."""


def prove(
    paths: list[Path],
    mutating: bool,
    verbose: bool,
    say: Say,
    covering: bool = False,
    tell: Tell = lambda done, total, of: None,
) -> bool:
    """Run the scenarios under some paths; whether all is well. Nothing to run is not well.

    mutating: run them against changed rulesets instead; well is when ENOUGH of the changes are noticed.
    covering: say what they reach instead; well is when all of them pass. tell: hears how far it is.
    """
    from interpreter.proofs.scenarios import scenario_files

    within = [path for path in paths if path.is_dir()] if paths else [Path()]
    if not paths:
        paths = [HOME if HOME.is_dir() else Path()]
    files = scenario_files(paths)
    if mutating:
        return _mutate(files, within, say, tell)
    if covering:
        return _cover(files, within, say, tell)
    scenarios, well = _read(files, within, say)
    if not scenarios:
        if well:
            say(f"no scenarios under {', '.join(map(str, paths))}")
        return False
    return _run(scenarios, verbose, say, tell) and well


def _run(scenarios: list[Scenario], verbose: bool, say: Say, tell: Tell) -> bool:
    from interpreter.proofs.scenario_runner import Shelf, run_scenario

    failed, shelf = 0, Shelf()
    for number, scenario in enumerate(scenarios):
        tell(number, len(scenarios), "")
        outcome = run_scenario(scenario, shelf)
        failed += not outcome.passed
        if verbose or not outcome.passed:
            say(outcome.report())
    files = len({scenario.file for scenario in scenarios})
    told = f"{len(scenarios) - failed} passed" + (f", {failed} failed" if failed else "")
    say(f"{told} ({files} file{'' if files == 1 else 's'})")
    return not failed


def _read(files: list[Path], within: list[Path], say: Say) -> tuple[list[Scenario], bool]:
    """The scenarios of some files; whether all could be read."""
    from interpreter.proofs.scenarios import load_scenarios

    found: list[Scenario] = []
    well = True
    for file in files:
        try:
            found += load_scenarios(file, within)
        except RulesetError as error:
            say("\n".join(_rendered(d) for d in error.diagnostics))
            well = False
    return found, well


def _rendered(found: Diagnostic) -> str:
    text: str | None = None
    if found.line is not None:  # without a place it could not be read, or never ends
        try:
            text = Path(found.file).read_text("utf-8-sig", "replace")
        except (OSError, ValueError):
            pass
    return render(found, text)


def _mutate(files: list[Path], within: list[Path], say: Say, tell: Tell) -> bool:
    from interpreter.proofs import mutation

    report = mutation.run(files, within=within, tell=tell)
    say(report.text())
    enough = [noticed >= ENOUGH * (noticed + len(report.missed[name])) for name, noticed in report.noticed.items()]
    return bool(enough) and not report.broken and all(enough)


def _cover(files: list[Path], within: list[Path], say: Say, tell: Tell) -> bool:
    from interpreter.proofs import coverage

    found = coverage.run(files, within, tell)
    say(found.text() or "no scenarios there")
    return bool(found.there) and not found.broken
