"""The sentences of the semantics of the machine, each with a small made-up ruleset: the scenarios beside this file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter import validate
from interpreter.scenarios import Scenario, load_scenarios, run_scenario

FOLDER = Path(__file__).parent
RULESETS = sorted((FOLDER / "rulesets").glob("*.yaml"))


def _collected() -> Iterator[Any]:
    for path in sorted(FOLDER.glob("*.yaml")):
        for scenario in load_scenarios(path):
            yield pytest.param(scenario, id=f"{path.stem}: {scenario.name}")


@pytest.mark.parametrize("scenario", list(_collected()))
def test_sentence(scenario: Scenario) -> None:
    outcome = run_scenario(scenario)
    if not outcome.passed:
        pytest.fail(outcome.report(), pytrace=False)


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_the_rulesets_of_these_tests_have_no_errors(path: Path) -> None:
    assert [d for d in validate(path) if d.severity == "error"] == []
