"""Whoever asks who sits beside nobody is told so."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter

BEFORE_ANYBODY_DEALS = """\
format: 1
id: small
name: Small
players: {{min: 2, max: 4}}
pack: {{standard: 1}}
zones:
  stock: {{pack: true}}
  hand: {{each: player, seen by: owner}}
flow:
  match: {{do: [drawing, rounds]}}
  drawing:
    kind: turn
    actions:
      go: {{effect: "{effect}"}}
  rounds: {{first dealer: random, next dealer: left of dealer, do: [drawing_more], until: false}}
  drawing_more:
    kind: turn
    actions:
      go: {{effect: move 1 from stock to hand}}
"""


@pytest.mark.parametrize(
    "effect",
    [
        "let p be left of dealer",
        "let p be across from dealer",
        "let p be next after dealer",
        "let n be seat of dealer",
        "for p in players by seat of dealer do move 1 from stock to hand of p end",
        "pass turn to left of dealer",
    ],
)
def test_a_neighbour_of_nobody_is_told_as_a_value_that_is_none(tmp_path: Path, effect: str) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(BEFORE_ANYBODY_DEALS.format(effect=effect), encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    before = state.view(0)
    with pytest.raises(interpreter.RuleError, match=r"small.yaml:14:\d+: .*a value is none where there must be one"):
        state.play(0, state.legal_moves(0)[0])
    assert state.view(0) == before


NOBODY_BEGINS = """\
format: 1
id: small
name: Small
players: {min: 2, max: 4}
pack: {standard: 1}
zones:
  stock: {pack: true}
  hand: {each: player, seen by: owner}
state:
  marked: {type: player, optional: true, lasts: match}
flow:
  match: {first dealer: P1, do: [deals], until: false}
  deals: {next dealer: left of dealer, setup: deal 5 from stock to hand, do: [drawing]}
  drawing:
    kind: turn
    first: left of dealer
    turns: 1
    actions:
      go: {effect: move 1 from hand to stock}
"""


@pytest.mark.parametrize(
    ("said", "instead", "place"),
    [
        ("first dealer: P1", "first dealer: leader", "12:25"),
        ("first dealer: P1", "first dealer: marked", "12:25"),
        ("first dealer: P1", "first dealer: dealer", "12:25"),
        ("first dealer: P1", "first dealer: (if marked = P1 then P2 else dealer)", "12:26"),
        ("next dealer: left of dealer", "next dealer: marked", "13:24"),
        ("first: left of dealer", "first: marked", "16:12"),
        ("first: left of dealer", "first: leader", "16:12"),
    ],
)
def test_who_is_to_begin_or_deal_is_somebody(tmp_path: Path, said: str, instead: str, place: str) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(NOBODY_BEGINS.replace(said, instead), encoding="utf-8")
    told = rf"small.yaml:{place}: .*this is none, but a player is needed here"
    with pytest.raises(interpreter.RuleError, match=told):
        state = interpreter.load(path).game().start(seed=1)
        for _ in range(4):
            state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
            state.view(0)


@pytest.mark.parametrize("first", ["dealer", "(if P1 = P2 then P1 else dealer)", "whoever"])
def test_where_nobody_is_the_dealer_yet_nobody_begins(tmp_path: Path, first: str) -> None:
    path = tmp_path / "small.yaml"
    text = BEFORE_ANYBODY_DEALS.format(effect="move 1 from stock to hand").replace(
        "kind: turn\n    actions", f"kind: turn\n    first: {first}\n    actions", 1
    )
    path.write_text(text.replace("flow:", "define: {whoever: dealer}\nflow:"), encoding="utf-8")
    with pytest.raises(interpreter.RuleError, match="this is none, but a player is needed here"):
        interpreter.load(path).game().start(seed=1)
