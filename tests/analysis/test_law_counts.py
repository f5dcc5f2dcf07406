"""What laws refuse and what is played, counted in the very matches of a simulation."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.analysis import law_counts, simulation
from interpreter.analysis.law_counts import count
from interpreter.analysis.plan import Plan, Players
from interpreter.analysis.simulation import run

RULES = """\
format: 1
id: laws
name: Laws
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true}, hand: {each: player, seen by: owner}, pile: {seen by: everyone}}
state: {laid: {type: integer, lasts: match, min: 0, max: 9}}
cards:
  A: {effect: nothing}
  QS: {effect: nothing}
flow:
  match: {do: [play], setup: move all from stock to hand of P1}
  play:
    kind: turn
    first: P1
    turns: 3
    actions:
      lay:
        choose: {card: {from: hand}}
        row: card
        must: {only_aces: card.rank = A, never_asked: "count of pile < 9"}
        effect: move card to pile; stay; add 1 to laid; if laid = 3 then finish match end
      rest: {when: count of pile > 9}
"""


def test_laws_actions_and_rows_are_counted_where_they_count(tmp_path: Path) -> None:
    path = tmp_path / "laws.yaml"
    path.write_text(RULES)
    game = interpreter.load(path).game()
    found = law_counts.figures(game, count(Plan(game, 1, None, 100), 5))
    assert found["decisions"] == 15
    assert [(row["law"], row["refused"]) for row in found["laws"]] == [("only_aces", 15), ("never_asked", 0)]
    assert [(row["action"], row["played"]) for row in found["actions"]] == [("lay", 15), ("rest", 0)]
    assert found["rows"] == {"A": 15, "QS": 0}


@pytest.mark.parametrize(
    ("name", "skill", "limit"), [("hearts", "random", 300), ("uno", "random", 200), ("euchre", "medium", 40)]
)
def test_the_matches_are_those_of_the_simulation(name: str, skill: str, limit: int) -> None:
    plan = Plan(interpreter.load(name).game(), 3, None, limit, Players(skill))
    counts = count(plan, 3)
    assert counts.decisions == sum(match.decisions for match in run(plan, 3).played)
    assert sum(counts.played.values()) == counts.decisions


def test_any_number_of_processes_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(interpreter.load("hearts").game(), 3, 1, 1_000)
    alone = count(plan, 12)
    monkeypatch.setattr(simulation, "ALONE", 0)
    monkeypatch.setattr(simulation, "MOST_IN_PART", 3)
    assert count(plan, 12, workers=3) == alone


def test_who_interrupts_gets_what_was_counted() -> None:
    plan = Plan(interpreter.load("hearts").game(), 3, 1, 1_000)

    def interrupt(done: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    assert count(plan, 50, tell=interrupt) == count(plan, 2)
