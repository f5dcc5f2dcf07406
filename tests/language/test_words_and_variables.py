"""Words as values, variables for each card and rank, sets and lists in variables, tables that know their card."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import interpreter
from interpreter.api.game import State

BASE = """\
format: 1
id: small
name: Small
players: {{min: 2, max: 2}}
options:
  contract: {{type: choice, choices: [no_tricks, no_last, hearts_count], default: no_last}}
pack: {{standard: {packs}}}
zones:
  stock: {{pack: true, seen by: none}}
  hand: {{each: player, seen by: owner}}
  heap: {{}}
state:
  seen: {{type: integer, lasts: match}}
  played: {{each: rank, type: integer, lasts: match}}
  laid_by: {{each: card, type: player, optional: true, lasts: match}}
  worth: {{each: [player, card], type: integer, lasts: match}}
  kept: {{type: cards, lasts: match}}
  own: {{each: player, type: cards, lasts: match, seen by: owner}}
  row: {{type: list of integer, lasts: match}}
values:
  rising: {{hearts: place of card.rank + seen, else: seen}}
  height: {{hearts: place of card.rank + 1, QS: 13, 7..9: if card.suit = clubs then 1 else place of card.rank, else: 0}}
define:
  asked: {define}
flow:
  match: {{do: [dealing, playing]}}
  dealing: {{effect: "shuffle stock; deal 5 from stock to hand"}}
  playing:
    kind: turn
    actions:
      go:
        choose: {{card: {{from: hand}}}}
        effect: |
          {effect}
"""
DECK = ["2C", "9C", "3C", "9D", "4C", "9H", "5C", "9S", "6C", "10C"]


def started(folder: Path, effect: str = "stay", define: str = "1", packs: int = 1) -> State:
    path = folder / "small.yaml"
    path.write_text(BASE.format(effect=effect, define=define, packs=packs), encoding="utf-8")
    assert [str(d) for d in interpreter.validate(path) if d.severity == "error"] == []
    return interpreter.load(path).game().start(deck=DECK)


@pytest.mark.parametrize(
    ("define", "asked"),
    [
        pytest.param("contract in (no_tricks, no_last)", True, id="among words"),
        pytest.param("contract not in (no_tricks, hearts_count)", True, id="not among words"),
        pytest.param("is_it(no_last)\n  is_it(k): contract = k", True, id="an argument"),
        pytest.param("is_it(no_tricks)\n  is_it(k): contract = k", False, id="another argument"),
        pytest.param("here(no_last)\n  here(k): k = no_tricks or k in (no_last, hearts_count)", True, id="inside"),
        pytest.param("kind = no_last\n  kind: if seen = 0 then no_last else no_tricks", True, id="a result"),
        pytest.param("kind\n  kind: [[seen > 0, no_tricks], [contract = no_last, hearts_count], [else, no_last]]",
                     "hearts_count", id="a result of rows"),
        pytest.param("contract in bad\n  bad: (no_tricks, no_last)", True, id="a set of words with a name"),
        pytest.param("{let: {k: no_last}, value: contract = k}", True, id="a named word"),
        pytest.param("height of QS + height of QH * 100", 1213, id="a row that knows its card"),
        pytest.param("sum height of c for c in hand of P2", 26, id="a row of some cards"),
        pytest.param("height of 9C + height of 7D", 7, id="a condition in a row"),
        pytest.param("rising of 5H + rising of 5C", 4, id="a row that play decides"),
        pytest.param("rising of (first c in hand of P1 where c.rank = K) = none", True, id="of no card"),
    ],
)  # fmt: skip
def test_words_and_tables(tmp_path: Path, define: str, asked: object) -> None:
    assert started(tmp_path, define=define).value("asked") == asked


@pytest.mark.parametrize(
    ("effect", "define", "asked"),
    [
        pytest.param(
            "add 1 to played of card.rank; add 2 to played of K", "played of 2 * 10 + played of K", 12, id="rank"
        ),
        pytest.param("add 1 to played of 10", "played of 10 + played of 9", 1, id="a rank that is a number"),
        pytest.param("add 1 to played of card.rank; clear played", "sum played of r for r in ranks", 0, id="cleared"),
        pytest.param("set laid_by of card to actor", "laid_by of 2C = P1 and laid_by of 3C = none", True, id="card"),
        pytest.param("add 4 to worth of (left of actor, card)", "worth of (P2, 2C) + worth of (P1, 2C)", 4, id="two"),
        pytest.param("set kept to hand", "count of kept", 5, id="cards"),
        pytest.param(
            "set kept to card; add top of stock to kept; add card to kept", "count of kept", 2, id="added once"
        ),
        pytest.param("set kept to hand; subtract (card, 3C) from kept", "count of kept", 3, id="taken out"),
        pytest.param("set kept to hand; move kept to heap", "count of heap", 5, id="moved"),
        pytest.param("set kept to hand; move kept to heap; clear kept", "count of kept", 0, id="cleared cards"),
        pytest.param("set kept to hand", "any c in kept where c.suit = clubs has 2C in kept", True, id="asked"),
        pytest.param(
            "add card to own; add 9C to own of P2", "9C in own of P2 and 9C not in own of P1", True, id="each"
        ),
        pytest.param("set row to (3, 1, 3)", "count of row * 10 + item(1, row)", 33, id="a list"),
        pytest.param("add 5 to row; add (2, 5) to row", "item(3, row) * 10 + count of row", 53, id="at the end"),
        pytest.param("set row to (3, 1, 3); subtract 3 from row", "item(1, row) * 10 + count of row", 12, id="once"),
        pytest.param("set row to (1..4); add 9 to row", "sum n for n in row", 19, id="numbers"),
        pytest.param("set row to 7", "7 in row and count of row = 1", True, id="one"),
        pytest.param("add 1 to row; clear row; set row to none", "row is empty", True, id="none of them"),
    ],
)
def test_what_variables_hold(tmp_path: Path, effect: str, define: str, asked: object) -> None:
    for packs in (1, 2):
        state = started(tmp_path, effect, define, packs)
        state.play(0, "go 2C")
        assert state.value("asked") == asked
        assert state.game.restore(state.to_json()).to_json() == state.to_json()
        json.dumps([state.view(player) for player in range(2)])


def test_equal_cards_share_what_is_kept_for_each_card(tmp_path: Path) -> None:
    state = started(tmp_path, "add 1 to worth of (actor, card); stay", packs=2)
    assert len(state.value("worth")) == 2 * 52
    state.play(0, "go 2C")
    assert state.value("worth", 0)["P1 2C"] == 1


def test_a_set_of_cards_is_seen_by_those_who_see_all_of_them(tmp_path: Path) -> None:
    state = started(tmp_path, "set kept to (card, 9C); set own to card")
    state.play(0, "go 2C")
    assert [("kept" in state.view(p)["values"], "own" in state.view(p)["values"]) for p in range(2)] == [
        (False, True),
        (False, True),
    ]
    assert state.view(1)["values"]["own"] == {"P2": []}


def test_a_list_has_its_limit(tmp_path: Path) -> None:
    state = started(tmp_path, "for n in 1..1001 do add n to row end")
    with pytest.raises(interpreter.RuleError, match="the list would have more than 1,000 items"):
        state.play(0, "go 2C")
    assert state.value("row") == []


SCENARIO = """\
game: small.yaml
name: what variables hold can be given and expected
given:
  at: playing
  current: P1
  hand: {P1: 2C, P2: 3C}
  played: {K: 3, 10: 1}
  laid_by: {QS: P2}
  kept: 2C 3C
  own: {P1: [2C]}
  row: [1, 2]
steps:
  - expect: {played: {K: 3, 10: 1, A: 0}, laid_by: {QS: P2}, kept: [3C, 2C], own: {P1: [2C], P2: []}, row: [1, 2]}
  - P1 go 2C
  - expect: {row: [1, 2, 7], played: {2: 1}}
"""


def test_a_scenario_gives_and_expects_them(tmp_path: Path) -> None:
    started(tmp_path, "add 7 to row; add 1 to played of card.rank")
    scenario = tmp_path / "a-scenario.yaml"
    scenario.write_text(SCENARIO, encoding="utf-8")
    from interpreter.base.diagnostics import Report
    from interpreter.proofs.scenario_runner import run_scenario
    from interpreter.proofs.scenarios import parse_scenarios

    (found,) = parse_scenarios(SCENARIO, str(scenario), Report())
    outcome = run_scenario(found)
    assert outcome.passed, outcome.report()
