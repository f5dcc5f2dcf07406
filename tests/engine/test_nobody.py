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


@pytest.mark.parametrize("said", ["set sure to dealer", "set sure to first p in gang", "set sure to leader"])
def test_nobody_is_not_kept_where_somebody_has_to_be(tmp_path: Path, said: str) -> None:
    path = tmp_path / "small.yaml"
    state = "state: {sure: {type: player, lasts: match}, gang: {type: players, lasts: match}}\nflow:"
    text = BEFORE_ANYBODY_DEALS.format(effect="move 1 from stock to hand").replace("flow:", state)
    text = text.replace("kind: turn\n    actions", "kind: turn\n    first: sure\n    actions", 1)
    path.write_text(text.replace("match: {do", f"match: {{setup: {said}, do"), encoding="utf-8")
    with pytest.raises(interpreter.RuleError, match=r":\d+: .*this is none, but a player is needed here"):
        interpreter.load(path).game().start(seed=1)


ASKED_BY_ZONES = """\
format: 1
id: small
name: Small
players: {min: 2, max: 2}
pack: {standard: 1}
tokens: {spoon: {}}
zones:
  stock: {pack: true, refill: {from: discard, when: "can(shed, P1)"}}
  hand: {each: player, seen by: "p where can(shed, p)"}
  discard: {}
flow:
  match: {setup: set out 9 of spoon; deal 5 from stock to hand, do: [go]}
  go:
    kind: turn
    turns: 4
    on turn: take spoon
    actions: {shed: {choose: {card: {from: hand}}, effect: move card to discard; move 1 from stock to hand}}
"""


def test_what_zones_ask_of_moves_is_answered_and_whose_turn_begins_takes_a_piece(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(ASKED_BY_ZONES, encoding="utf-8")
    assert [told.code for told in interpreter.validate(path) if told.severity == "error"] == []
    state = interpreter.load(path).game().start(seed=1)
    state.play(0, state.legal_moves(0)[0])
    assert state.position.tokens["spoon"].count(0) == state.position.tokens["spoon"].count(1) == 1


@pytest.mark.parametrize(
    "effect",
    [
        "put back first x in spoon of actor",
        "take first x in spoon of actor",
        "let x be first y in spoon of actor; take x",
    ],
)
def test_what_is_done_with_no_piece_is_not_done(tmp_path: Path, effect: str) -> None:
    path = tmp_path / "small.yaml"
    text = ASKED_BY_ZONES.replace("effect: move card to discard;", f'effect: "move card to discard; {effect};')
    path.write_text(text.replace("hand}}\n", 'hand"}}\n').replace("    on turn: take spoon\n", ""), encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    before = list(state.position.tokens["spoon"])
    state.play(0, state.legal_moves(0)[0])
    assert state.position.tokens["spoon"] == before
    assert [event.kind for event in state.log or () if event.kind == "pieces"] == ["pieces"]  # set out, and no more
