"""Scenarios of files as tests: each scenario one, and one for each file that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter.base.diagnostics import Report
from interpreter.language.source import read_file
from interpreter.proofs.scenario_runner import Shelf, run_scenario
from interpreter.proofs.scenarios import Scenario, parse_scenarios

SHELF = Shelf()


def cases(files: Iterable[Path], folder: Path) -> Iterator[Any]:
    """(scenario, "") for each scenario, (None, what is wrong) for each file without any; named after file and rule."""
    for path in files:
        report = Report()
        text = read_file(path, report)
        found = [] if text is None else parse_scenarios(text, str(path), report)
        where = path.relative_to(folder).as_posix()
        if report.failed or not found:
            said = "\n".join(map(str, report.sorted())) or f"{where} is empty"
            yield pytest.param(None, said, id=f"{where}: can be read")
        for scenario in found:
            yield pytest.param(scenario, "", id=f"{where}: {scenario.name}")


def check(scenario: Scenario | None, problem: str) -> None:
    """Fail with the report of the scenario, or with what is wrong with its file."""
    if scenario is None:
        pytest.fail(problem, pytrace=False)
    outcome = run_scenario(scenario, SHELF)
    if not outcome.passed:
        pytest.fail(outcome.report(), pytrace=False)
