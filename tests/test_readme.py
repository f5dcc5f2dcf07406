"""The examples of README.md run as they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.api.validation import validate
from interpreter.proofs.scenario_runner import run_scenario
from interpreter.proofs.scenarios import load_scenarios

README = Path(__file__).resolve().parents[1] / "README.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The two YAML examples, in files of the names the text gives them."""
    rule, scenario = blocks("yaml")
    (tmp_path / "grandmas-hearts.yaml").write_text(rule, encoding="utf-8")
    (tmp_path / "grandmas-scenario.yaml").write_text(scenario, encoding="utf-8")
    return tmp_path


def test_the_house_rule_is_valid_and_about_ten_lines(written: Path) -> None:
    path = written / "grandmas-hearts.yaml"
    assert validate(path) == []
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 10


def test_the_scenario_proves_the_house_rule(written: Path) -> None:
    (scenario,) = load_scenarios(written / "grandmas-scenario.yaml")
    outcome = run_scenario(scenario)
    assert outcome.passed, outcome


def test_the_scenario_fails_without_the_house_rule(written: Path) -> None:
    path = written / "grandmas-hearts.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("JD: -10", "JD: -9"), encoding="utf-8")
    (scenario,) = load_scenarios(written / "grandmas-scenario.yaml")
    assert not run_scenario(scenario).passed


def test_the_python_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    polite, match = blocks("python")
    exec(compile(match, "README.md", "exec"), {})
    assert "[" in capsys.readouterr().out
    made: dict[str, Any] = {}
    exec(compile(polite, "README.md", "exec"), made)
    state = interpreter.load("georgia-spoons").game(players=3, enforcement="honor").start(seed=7)
    before, player = state.copy(), state.actors[0]
    state.play(player, made["bot"].choose(state, player))
    other = (player + 1) % 3
    claim = made["bot"].claim(before, state, other)
    assert claim is not None  # with this seed the mover says too little, and it is noticed
    state.play(other, claim)


def test_the_set_up_commands_are_single_lines_that_make_their_own_environment() -> None:
    commands = [b.strip() for b in blocks("sh") if ".venv" in b]
    assert len(commands) == 3
    for command in commands:
        assert "\n" not in command and command.startswith("python3 -m venv .venv &&")
