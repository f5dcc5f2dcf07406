"""Every scenario under tests/scenarios, each a test of its own."""

from __future__ import annotations

import pytest
from scenario_cases import cases, check
from where import TESTS

from interpreter.proofs.scenarios import Scenario, scenario_files

FOLDER = TESTS / "scenarios"


@pytest.mark.parametrize(("scenario", "problem"), list(cases(scenario_files([FOLDER]), FOLDER)))
def test_scenario(scenario: Scenario | None, problem: str) -> None:
    check(scenario, problem)


def test_there_are_scenarios() -> None:
    assert scenario_files([FOLDER])
