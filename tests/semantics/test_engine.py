"""The sentences of the semantics of the machine, each with a small made-up ruleset: the scenarios beside this file."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenario_cases import cases, check

from interpreter import validate
from interpreter.proofs.scenarios import Scenario

FOLDER = Path(__file__).parent
RULESETS = sorted((FOLDER / "rulesets").glob("*.yaml"))


@pytest.mark.parametrize(("scenario", "problem"), list(cases(sorted(FOLDER.glob("*.yaml")), FOLDER)))
def test_sentence(scenario: Scenario | None, problem: str) -> None:
    check(scenario, problem)


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_the_rulesets_of_these_tests_have_no_errors(path: Path) -> None:
    assert [d for d in validate(path) if d.severity == "error"] == []
