"""Expressions whose reading depends on what stands in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from where import ROOT

import interpreter
from interpreter.base.diagnostics import Report
from interpreter.language.check.effects import Effects
from interpreter.language.check.names import Names
from interpreter.language.check.unused import check_unused

BASE = """
format: 1
id: small
name: Small
players: {{min: 2, max: 2}}
pack: {{standard: 1}}
zones:
  stock: {{pack: true}}
  hand: {{each: player, seen by: owner}}
state:
  count_of_it: {{type: integer, lasts: match, default: 7}}
define:
  asked: {expression}
flow:
  match: {{do: [dealing, playing]}}
  dealing: {{effect: "shuffle stock; deal 1 from stock to hand"}}
  playing:
    kind: turn
    turns: 1 each
    actions: {{wait: {{}}}}
"""


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        pytest.param("(first c in hand of P1 where true) is 7", True, id="a card is a seven"),
        pytest.param("(first c in hand of P1 where true) is not 7", False, id="a card is not a seven"),
        pytest.param("(first c in hand of P2 where true) is 7", False, id="another card is no seven"),
        pytest.param("count_of_it is 7", True, id="a number is seven"),
        pytest.param("count_of_it is not 7", False, id="a number is not seven"),
        pytest.param("(first c in hand of P1 where true).suit is clubs", True, id="a suit is compared"),
        pytest.param("(first c in hand of P1 where true).rank is not 9", True, id="a rank is compared"),
        pytest.param("left of P1 is P2", True, id="a player is compared"),
        pytest.param("left of P1 is not current", True, id="with a word of the language too"),
    ],
)
def test_is_matches_a_card_and_compares_anything_else(tmp_path: Path, expression: str, value: bool) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(BASE.format(expression=expression), encoding="utf-8")
    state = interpreter.load(path).game().start(deck=["7C", "9C"])
    assert state.value("asked") is value


@pytest.mark.parametrize("given", ["none", "called"])
@pytest.mark.parametrize(
    ("definition", "value"),
    [
        pytest.param("if s = none then 1 else 2", 1, id="a choice"),
        pytest.param("count c in stock where s = none or c.suit = s", 50, id="a number of cards"),
        pytest.param("s is none", True, id="a question"),
        pytest.param("inner(s)", 1, id="another definition"),
    ],
)
def test_none_as_an_argument_is_the_value_none(tmp_path: Path, definition: str, value: object, given: str) -> None:
    path = tmp_path / "small.yaml"
    text = BASE.format(expression=f"outer({given})\n  outer(s): {definition}\n  inner(t): if t = none then 1 else 2")
    path.write_text(text.replace("state:", "state:\n  called: {type: suit, optional: true, lasts: match}"), "utf-8")
    state = interpreter.load(path).game().start(deck=["7C", "9C"])
    assert state.value("asked") == value


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("(first c in hand of P1 where true).rank in (7, 10)", True),
        ("(first c in hand of P1 where true).rank in (10, 7)", True),
        ("(first c in hand of P1 where true).rank in (7, J)", True),
        ("(first c in hand of P1 where true).rank in (J, 7)", True),
        ("(first c in hand of P1 where true).rank in (9, 10)", False),
        ("(first c in hand of P1 where true).rank not in (10, J)", True),
        ("7 in (9, 10)", False),
        ("count_of_it in (7, 9)", True),
        ("any r in (10, J, 7) has r = (first c in hand of P1 where true).rank", True),
        ("any r in (7, 10, J) has r = (first c in hand of P1 where true).rank", True),
        ("current in (P2, P1)", True),
        ("(first c in hand of P1 where true).suit in (hearts, clubs)", True),
    ],
)
def test_what_is_in_a_group_does_not_hang_on_the_order_written(tmp_path: Path, expression: str, value: bool) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(BASE.format(expression=f"'{expression}'"), encoding="utf-8")
    state = interpreter.load(path).game().start(deck=["7C", "9C"])
    assert state.value("asked") is value


def test_definitions_are_checked_for_whatever_they_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told of a definition that nothing uses holds for every use: of those in use there is nothing to tell."""
    looked_at: list[str] = []

    def look_at_all(names: Names, effects: Effects, report: Report) -> None:
        used, names.used = names.used, set()
        check_unused(names, effects, report)
        looked_at.extend(names.definitions)
        names.used = used

    monkeypatch.setattr("interpreter.language.check.check_unused", look_at_all)
    monkeypatch.setattr("interpreter.api.rules._shipped", {})  # nothing has been checked yet
    for path in sorted(ROOT.glob("rulesets/*.yaml")):
        interpreter.load(path)
    assert len(looked_at) > 100
