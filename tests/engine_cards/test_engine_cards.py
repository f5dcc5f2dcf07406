"""Sections 5 to 8 and 12 to 14 of the semantics on small made-up games: every scenario of this folder, each a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter import validate
from interpreter.diagnostics import Report
from interpreter.scenarios import Scenario, parse_scenarios, run_scenario
from interpreter.source import read_file

FOLDER = Path(__file__).parent


def _collected() -> Iterator[Any]:
    for path in sorted(FOLDER.glob("*.yaml")):
        report = Report()
        text = read_file(path, report)
        found = [] if text is None else parse_scenarios(text, str(path), report)
        if report.failed or not found:
            said = "\n".join(map(str, report.sorted())) or f"{path.name} is empty"
            yield pytest.param(None, said, id=f"{path.name}: can be read")
        for scenario in found:
            yield pytest.param(scenario, "", id=f"{path.stem}: {scenario.name}")


@pytest.mark.parametrize(("scenario", "problem"), list(_collected()))
def test_scenario(scenario: Scenario | None, problem: str) -> None:
    if scenario is None:
        pytest.fail(problem, pytrace=False)
    outcome = run_scenario(scenario)
    if not outcome.passed:
        pytest.fail(outcome.report(), pytrace=False)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("rulesets/*.yaml")), ids=lambda p: p.stem)
def test_ruleset_is_sound(path: Path) -> None:
    assert [str(d) for d in validate(path) if d.severity == "error"] == []
