"""Why points are scored: the reason is told with them to whoever reads of them, and stands on the sheet."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_narrative import NAMES, told

import interpreter
from interpreter.api.game import State
from interpreter.words.voice import Voice

RULES = """\
format: 1
id: reasons
name: Reasons
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, heap: {seen by: everyone}}
state: {score: {each: player, type: integer, lasts: match}, laid: {each: player, type: integer, lasts: deal}}
define: {because: {effect: add 1 to laid of actor}}
flow:
  match: {first dealer: P1, repeat: deal, until: number of deal = 2}
  deal:
    setup: gather all to stock; shuffle stock; deal 3 from stock to hand
    do: [lay, count, bonus]
    next dealer: left
  lay:
    kind: turn
    first: left of dealer
    turns: 1 each
    actions:
      lay:
        choose: {card: {from: hand}}
        effect: |
          move card to heap
          because
          add 2 to score because "{actor} has laid {card}, from {score of actor} on"
  count:
    effect: 'for p in players do subtract 1 from score of p because "a fee"; add 1 to laid of p end'
  bonus: {kind: score, each: true, score: [{for: P1, points: 5, because: "{laid of P1} cards"}, {for: P2, points: 3}]}
"""


@pytest.fixture
def state(tmp_path: Path) -> State:
    return started(tmp_path, RULES)


def started(folder: Path, text: str) -> State:
    (folder / "reasons.yaml").write_text(text)
    given = {"at": "lay", "dealer": "P1", "current": "P2", "hand": {"P1": "2C", "P2": "4D"}, "rest": "stock"}
    return interpreter.load(folder / "reasons.yaml").game().start(given=given)


def test_a_reason_is_told_with_the_points_and_as_it_was_before_they_count(state: State) -> None:
    events = state.play(1, "lay 4D")
    assert told(state, 1, events)[-1] == "You take 2 points (now 2): you have laid 4♦, from 0 on."
    assert told(state, 0, events)[-1] == "Ben takes 2 points (now 2): Ben has laid 4♦, from 0 on."


def test_rows_of_a_score_give_reasons_and_a_row_without_one_is_told_as_ever(state: State) -> None:
    state.play(1, "lay 4D")
    lines = told(state, 0, state.play(0, "lay 2C"))
    assert "You lose 1 point (now 1): a fee." in lines
    assert "You take 5 points (now 6): 2 cards." in lines and "Ben takes 3 points (now 4)." in lines


def test_the_sheet_has_the_reasons_below_each_deal(state: State) -> None:
    state.play(1, "lay 4D")
    state.play(0, "lay 2C")
    sheet = list(Voice(state.position, NAMES).sheet(0, state.log or []))
    assert not [line for line in sheet if "a fee" in line]  # two for each are few enough, these are more
    rows = list(Voice(state.position, NAMES).sheet(0, [e for e in state.log or [] if "laid" not in str(e)]))
    assert [line.strip() for line in rows if "fee" in line] == ["-1 you: a fee", "-1 Ben: a fee"]


def test_a_reason_is_hidden_with_the_score(tmp_path: Path) -> None:
    state = started(
        tmp_path, RULES.replace("type: integer, lasts: match}", "type: integer, lasts: match, seen by: owner}")
    )
    events = state.play(1, "lay 4D")
    assert "4♦" in told(state, 1, events)[-1]
    assert not [line for line in told(state, 0, events) if "from 0 on" in line]


def test_a_score_that_its_reader_may_not_see_stands_in_no_sheet(tmp_path: Path) -> None:
    """As long as nothing was told of it; who has scored nothing yet stands there with that."""
    hidden = RULES.replace("type: integer, lasts: match}", "type: integer, lasts: match, seen by: owner}")
    for text, other in ((RULES, "0 (+0)"), (hidden, "-")):
        state = started(tmp_path, text)
        log = state.play(1, "lay 4D")
        voice = Voice(state.position, NAMES)
        assert [line.split() for line in list(voice.sheet(1, log))[:2]] == [
            ["Anna", "you"],
            [*other.split(), "2", "(+2)"],
        ]
        shared = list(voice.sheet_to_all([0, 1], log))
        assert bool(shared) == (text is RULES) and "-" not in "".join(shared)


def test_reasons_change_no_match(tmp_path: Path) -> None:
    game = started(tmp_path, RULES).game
    (tmp_path / "plain.yaml").write_text(
        RULES.replace('because "{actor} has laid {card}, from {score of actor} on"', "")
    )
    plain = interpreter.load(tmp_path / "plain.yaml").game()
    assert game.playouts(20, 1).scores == plain.playouts(20, 1).scores
