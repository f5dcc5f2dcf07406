"""Sections 5 to 8 and 12 to 14 of the semantics on small made-up games: every scenario of this folder, each a test."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenario_cases import cases, check

from interpreter import validate
from interpreter.proofs.scenarios import Scenario

FOLDER = Path(__file__).parent


@pytest.mark.parametrize(("scenario", "problem"), list(cases(sorted(FOLDER.glob("*.yaml")), FOLDER)))
def test_scenario(scenario: Scenario | None, problem: str) -> None:
    check(scenario, problem)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("rulesets/*.yaml")), ids=lambda p: p.stem)
def test_ruleset_is_sound(path: Path) -> None:
    assert [str(d) for d in validate(path) if d.severity == "error"] == []
