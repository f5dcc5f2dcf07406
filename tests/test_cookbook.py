"""The recipes of rulesets/README.md run as they stand: each overlay is valid and short, and its scenario passes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.api.validation import validate
from interpreter.proofs.scenario_runner import run_scenario
from interpreter.proofs.scenarios import load_scenarios

TEXT = (Path(__file__).resolve().parents[1] / "rulesets" / "README.md").read_text(encoding="utf-8")
RECIPES = re.findall(r"^### (.+?)\n.*?```yaml\n(.*?)```\n+```yaml scenario\n(.*?)```", TEXT, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("title", "overlay", "scenario"), RECIPES, ids=[title for title, *_ in RECIPES])
def test_a_recipe_does_what_it_says(title: str, overlay: str, scenario: str, tmp_path: Path) -> None:
    (tmp_path / "house.yaml").write_text(overlay, encoding="utf-8")
    (tmp_path / "proof.yaml").write_text(scenario, encoding="utf-8")
    assert validate(tmp_path / "house.yaml") == []
    assert len(overlay.splitlines()) <= 15
    for found in load_scenarios(tmp_path / "proof.yaml"):
        outcome = run_scenario(found)
        assert outcome.passed, outcome


def test_every_recipe_is_run_and_half_of_them_are_tiny() -> None:
    assert len(RECIPES) == len(re.findall(r"^### ", TEXT, re.MULTILINE)) >= 30
    assert sum(len(overlay.splitlines()) <= 8 for _, overlay, _ in RECIPES) * 2 >= len(RECIPES)
