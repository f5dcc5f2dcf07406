"""The recipes of rulesets/README.md run as they stand: each overlay is valid and short, and its scenario passes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.api.validation import validate
from interpreter.proofs.scenario_runner import run_scenario
from interpreter.proofs.scenarios import load_scenarios

TEXT = (Path(__file__).resolve().parents[1] / "rulesets" / "README.md").read_text(encoding="utf-8")
RECIPES = re.findall(r"^### (.+?)\n.*?```yaml\n(.*?)```\n+```yaml scenario\n(.*?)```", TEXT, re.DOTALL | re.MULTILINE)
STALE = "W309"
"""That a text of the rulebook was left out, which the cookbook tells of at its beginning."""
BOTH = re.findall(r"^```yaml both\n(.*?)```", TEXT, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("title", "overlay", "scenario"), RECIPES, ids=[title for title, *_ in RECIPES])
def test_a_recipe_does_what_it_says(title: str, overlay: str, scenario: str, tmp_path: Path) -> None:
    (tmp_path / "house.yaml").write_text(overlay, encoding="utf-8")
    (tmp_path / "proof.yaml").write_text(scenario, encoding="utf-8")
    assert [found for found in validate(tmp_path / "house.yaml") if found.code != STALE] == []
    assert len(overlay.splitlines()) <= 15
    for found in load_scenarios(tmp_path / "proof.yaml"):
        outcome = run_scenario(found)
        assert outcome.passed, outcome


def test_every_recipe_is_run_and_half_of_them_are_tiny() -> None:
    assert len(RECIPES) == len(re.findall(r"^### ", TEXT, re.MULTILINE)) >= 30
    assert sum(len(overlay.splitlines()) <= 8 for _, overlay, _ in RECIPES) * 2 >= len(RECIPES)


# ---- rules that stack -----------------------------------------------------------------------------------


def pair(scenario: str, folder: Path) -> tuple[str, list[str], str]:
    """The game of a scenario, the two files that it lays on it, written into a folder, and the line that names them."""
    for _, overlay, _ in RECIPES:
        found = re.search(r"^id: (\S+)$", overlay, re.MULTILINE)
        assert found is not None
        (folder / f"{found[1]}.yaml").write_text(overlay, encoding="utf-8")
    game = re.search(r"^game: (\S+)$", scenario, re.MULTILINE)
    line = re.search(r"^with: \[(\S+), (\S+)\]$", scenario, re.MULTILINE)
    assert game is not None and line is not None
    return game[1], [line[1], line[2]], line[0]


def passes(scenario: str, folder: Path) -> bool:
    (folder / "both.yaml").write_text(scenario, encoding="utf-8")
    (found,) = load_scenarios(folder / "both.yaml")
    return run_scenario(found).passed


@pytest.mark.parametrize("scenario", BOTH, ids=lambda text: re.findall(r"^name: (.*)$", text, re.MULTILINE)[0])
def test_two_recipes_act_together_in_both_orders_and_neither_alone_is_enough(scenario: str, tmp_path: Path) -> None:
    game, names, line = pair(scenario, tmp_path)
    for order in (names, names[::-1]):
        ruleset = load(game, [tmp_path / name for name in order])
        assert {found.code for found in ruleset.warnings} <= {STALE}
        assert passes(scenario.replace(line, f"with: [{', '.join(order)}]"), tmp_path)
    for name in names:
        assert not passes(scenario.replace(line, f"with: [{name}]"), tmp_path)


@pytest.mark.parametrize("scenario", [text for text in BOTH if "nine" not in text])
def test_without_base_there_is_a_warning_that_one_recipe_loses(scenario: str, tmp_path: Path) -> None:
    game, names, _ = pair(scenario, tmp_path)
    later = tmp_path / names[1]
    text = later.read_text(encoding="utf-8")
    without = re.sub(r"base; |; base\b|base (or|\+|-) ", "", text)
    assert "base" not in without
    later.write_text(without, encoding="utf-8")
    warnings = load(game, [tmp_path / name for name in names]).warnings
    assert [found.code for found in warnings if found.code != STALE] == ["W302"]


def test_there_are_six_pairs_of_recipes() -> None:
    assert len(BOTH) == 6
