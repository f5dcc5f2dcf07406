"""Bounds and beginnings of variables that hang on others: what they are, what is told of them, and in which order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import RuleError, State, load, validate
from interpreter.engine.arranging import PositionError

RULES = """
format: 1
id: bounds
name: Bounds
players: {only: [2]}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  box: {seen by: none, count seen by: none, capacity: "5 + secret mod 7"}
  crate: {capacity: 5 + few mod 7}
  build: {each: suit, seen by: none, count seen by: none, capacity: 1}
  pile: {each: -3..3}
state:
  score: {each: player, type: integer, lasts: match}
  few: {type: integer, lasts: match, min: 0, max: 10}
  secret: {type: integer, lasts: match, seen by: none, min: 0, max: 100}
STATE
flow:
  match:
    setup: set secret to 6
    do: [play]
  play:
    kind: turn
    turns: 20
    actions:
      x: {effect: EFFECT}
      put: {choose: {heap: {zones: pile}}, effect: if index of heap < 0 then set few to 5 end}
"""
NO_NUMBER = "'few' would leave its bounds, but it goes from 0 to 10"


def started(folder: Path, effect: str = "stay", state: str = "", given: dict[str, object] | None = None) -> State:
    path = folder / "bounds.yaml"
    path.write_text(RULES.replace("EFFECT", json.dumps(effect)).replace("STATE\n", state), encoding="utf-8")
    assert not [d for d in validate(path) if d.severity == "error"]
    return load(path).game().start(seed=1, given=given)


def refused(folder: Path, effect: str, state: str = "") -> str:
    match = started(folder, effect, state)
    with pytest.raises(RuleError) as refusal:
        match.play(0, "x")
    return refusal.value.message


@pytest.mark.parametrize(
    ("bounds", "begins"),
    [("min: few + 5, max: 50", 5), ("min: 3, max: few + 20", 3), ("min: -9, max: few - 2", -2), ("min: few - 9", 0)],
)
def test_a_number_begins_with_what_is_nearest_to_0_within_its_bounds(tmp_path: Path, bounds: str, begins: int) -> None:
    state = f"  late: {{type: integer, lasts: match, {bounds}}}\n"
    match = started(tmp_path, 'note "{if late < 5 then 1 else 0}"', state)
    assert match.value("late") == begins
    assert f"note: {int(begins < 5)}" in [str(event) for event in match.play(0, "x")]


def test_a_number_that_has_no_place_to_begin_stops_the_match(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="'late' would become 0, but it goes from 5 to 0"):
        started(tmp_path, state="  late: {type: integer, lasts: match, min: 5, max: few}\n")


def test_a_position_keeps_the_bounds_that_play_can_come_to(tmp_path: Path) -> None:
    state = "  late: {type: integer, lasts: match, max: few + 10}\n"
    assert started(tmp_path, state=state, given={"at": "play", "late": 20}).value("late") == 20
    with pytest.raises(PositionError, match="late is 21, and it goes from -1000000 to 20"):
        started(tmp_path, state=state, given={"at": "play", "late": 21})


def test_variables_begin_behind_those_by_which_they_begin(tmp_path: Path) -> None:
    state = "  late: {type: integer, lasts: play, default: early + 1}\n"
    state += "  early: {type: integer, lasts: match, default: last + 1}\n"
    state += "  last: {type: integer, lasts: turn, default: 6}\n"
    match = started(tmp_path, state=state)
    assert (match.value("early"), match.value("late")) == (7, 8)


def test_the_number_of_a_place_may_be_below_0(tmp_path: Path) -> None:
    match = started(tmp_path)
    match.play(0, "put pile.1")
    assert match.value("few") == 0
    match.play(1, "put pile.-3")
    assert match.value("few") == 5


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        ("set few to 11", "'few' would become 11, but it goes from 0 to 10"),
        ("set hangs to 99", "'hangs' would leave its bounds"),
        ("set few to 20 + secret", NO_NUMBER),
        ("if secret > 5 then set few to 11 else set few to 12 end", NO_NUMBER),
        ("for n in 5..secret do set few to 6 + n end", NO_NUMBER),
        ("for p in players where secret > 5 do set few to 11 end", NO_NUMBER),
        ("for n in 5..6 do set few to 6 + n end", "'few' would become 11, but it goes from 0 to 10"),
        ("if few = 0 then set few to 11 end", "'few' would become 11, but it goes from 0 to 10"),
        ("move 12 from stock to crate", "crate would hold more than 5 cards"),
        ("move 12 from stock to box", "box would hold more cards than it can"),
        ("for c in stock do move c to build of c.suit end", "build would hold more than 1 cards"),
    ],
)
def test_what_stops_a_move_tells_nothing_hidden(tmp_path: Path, effect: str, told: str) -> None:
    state = "  hangs: {type: integer, lasts: match, max: 10 + secret}\n"
    assert refused(tmp_path, effect, state) == told


def test_what_a_stage_is_called_with_is_not_told(tmp_path: Path) -> None:
    called = RULES.replace("flow:\n", "flow:\n  called: {with: {given: integer}, effect: set few to given}\n")
    path = tmp_path / "bounds.yaml"
    path.write_text(called.replace("EFFECT", "call called with given = 20 + secret").replace("STATE\n", ""), "utf-8")
    with pytest.raises(RuleError) as refusal:
        load(path).game().start(seed=1).play(0, "x")
    assert refusal.value.message == NO_NUMBER
