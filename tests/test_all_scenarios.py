"""Every scenario under tests/scenarios, each a test of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter.diagnostics import Report
from interpreter.scenarios import Scenario, parse_scenarios, run_scenario, scenario_files
from interpreter.source import read_file

FOLDER = Path(__file__).parent / "scenarios"


def _collected() -> Iterator[Any]:
    for path in scenario_files([FOLDER]):
        report = Report()
        text = read_file(path, report)
        found = [] if text is None else parse_scenarios(text, str(path), report)
        where = path.relative_to(FOLDER).as_posix()
        if report.failed or not found:
            said = "\n".join(map(str, report.sorted())) or f"{where} is empty"
            yield pytest.param(None, said, id=f"{where}: can be read")
        for scenario in found:
            yield pytest.param(scenario, "", id=f"{where}: {scenario.name}")


@pytest.mark.parametrize(("scenario", "problem"), list(_collected()))
def test_scenario(scenario: Scenario | None, problem: str) -> None:
    if scenario is None:
        pytest.fail(problem, pytrace=False)
    outcome = run_scenario(scenario)
    if not outcome.passed:
        pytest.fail(outcome.report(), pytrace=False)


def test_there_are_scenarios() -> None:
    assert scenario_files([FOLDER])
