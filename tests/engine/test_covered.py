"""A card that is covered where only the top card shows its face lies face up for nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter

RULES = """\
format: 1
id: covered
name: Covered
players: {{min: 2, max: 2}}
pack: {{standard: 1}}
zones:
  stock: {{pack: true, seen by: none}}
  well: {{shows: top}}
  table: {{}}
state: {{score: {{each: player, type: integer, lasts: match}}, seen: {{type: integer, lasts: match}}}}
flow:
  match:
    first dealer: P1
    scores: {score}
    setup: move 2H to well; move QS to well; move KD to table; {setup}
    do: [go]
  go: {{kind: turn, turns: 2, actions: {{act: {{effect: "{effect}"}}}}}}
"""


def begun(folder: Path, score: str = "0", setup: str = "stay", effect: str = "stay") -> interpreter.State:
    path = folder / "covered.yaml"
    path.write_text(RULES.format(score=score, setup=setup, effect=effect), encoding="utf-8")
    return interpreter.load(path).game().start(seed=1)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("2H is face up", False),
        ("2H is face down", True),
        ("QS is face up", True),
        ("KD is face up", True),
        ("AC is face up", False),
        ("top of well is face up", True),
        ("bottom of well is face up", False),
        ("bottom of table is face up", True),
        ("count c in well where c is face up = 1", True),
        ("count c in pack where c is face up = 2", True),
        ("any c in well has c is face down", True),
    ],
)
def test_only_the_top_card_lies_face_up(asked: str, found: bool, tmp_path: Path) -> None:
    state = begun(tmp_path, effect=f"if {asked} then set seen to 1 end")
    state.play(state.actors[0], "act")
    assert state.value("seen") == found


def test_scores_that_ask_which_cards_lie_face_up_tell_nothing_of_covered_ones(tmp_path: Path) -> None:
    for setup, shown in (("stay", 0), ("move 2H to stock", 0), ("move 2H to well", 1)):
        state = begun(tmp_path, "if 2H is face up then 1 else 0", setup)
        assert state.view(1)["scores"] == [shown, shown]


def test_a_pile_that_is_turned_over_names_none_of_the_cards_that_nobody_has_seen(tmp_path: Path) -> None:
    path = tmp_path / "turned.yaml"
    path.write_text(
        RULES.format(score="0", setup="move 3 from stock to heap face down", effect="flip heap")
        .replace("well: {shows: top}", "well: {shows: top}\n  heap: {seen by: none, shows: top}")
        .replace("go: {kind: turn, turns: 2, actions: {", "go: {kind: turn, turns: 3, actions: {draw: "
                 "{choose: {card: {from: heap}}, effect: move card to table}, "),
        encoding="utf-8",
    )  # fmt: skip
    state = interpreter.load(path).game().start(seed=1)
    state.play(state.actors[0], "act")
    player, (top,) = state.actors[0], state.view(0)["zones"]["heap"]["cards"]
    assert top is not None
    assert {str(move) for move in state.legal_moves(player)} == {"act", f"draw {top}", "draw 2", "draw 3"}
    state.play(player, "draw 3")
    told = [text for text in state.view(0)["log"] if "heap" in text]
    assert not any(card in text for text in told for card in state.zone("heap")[1:]), told
