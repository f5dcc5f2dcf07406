"""Who may not know how many cards lie somewhere does not read whether any of them were chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import Game
from interpreter.words.voice import Voice

RULES = """\
format: 1
id: unseen
name: Unseen
players: {only: [3], default: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  gift: {each: player, seen by: owner, count seen by: owner}
  store: {each: player, seen by: owner, count seen by: owner}
melds: {pair: {same: suit, size: 2..}}
flow:
  match: {setup: "deal 5 from stock to hand; for p in players do move 6 from stock to gift of p end", do: [play]}
  play: {kind: turn, turns: 5 each, actions: {keep: {ACTION}}}
"""
MOVED = "effect: if x != none then move x to store end"
ACTIONS = {
    "several": "choose: {x: {from: gift, count: 0..3}}, effect: move x to store",
    "one or none": f"choose: {{x: {{from: gift, optional: true}}}}, {MOVED}",
    "a meld or none": f"choose: {{x: {{meld: pair, from: gift, optional: true}}}}, {MOVED}",
    "melds": "choose: {x: {melds: pair, from: gift, count: 0..2}}, effect: for m in x do move m to store end",
}


def game(path: Path, action: str) -> Game:
    (path / "rules.yaml").write_text(RULES.replace("ACTION", action))
    return interpreter.load(path / "rules.yaml").game()


def read_by(game: Game, move: str, player: int) -> tuple[str, str]:
    """The end of a player's log, and the last sentence."""
    state = game.start(seed=3)
    told = len(state.log or ())
    state.play(0, move)
    (line,) = Voice(state.position, ("Anna", "Ben", "Cleo")).told(player, (state.log or [])[told:])
    return state.view(player)["log"][-1], line.text


@pytest.mark.parametrize("name", ACTIONS)
def test_others_read_the_same_of_none_and_of_some(tmp_path: Path, name: str) -> None:
    found = game(tmp_path, ACTIONS[name])
    moves = [str(move) for move in found.start(seed=3).legal_moves(0)]
    none = next(move for move in moves if move in ("keep nothing", "keep none"))
    told = {read_by(found, move, 1) for move in (none, *[move for move in moves if move != none][:4])}
    assert len(told) == 1
    ((log, line),) = told
    assert log == "P1 keep ?" and line.startswith("Anna keeps ") and line.endswith(" or none.")
    assert read_by(found, none, 0)[0] == f"P1 {none}"


def test_who_sees_how_many_lie_there_reads_that_none_were_chosen(tmp_path: Path) -> None:
    found = game(tmp_path, "choose: {x: {from: hand, count: 0..3}}, effect: move x to store")
    assert read_by(found, "keep nothing", 1)[0] == "P1 keep nothing"


def test_of_cards_of_two_parameters_no_number_is_told_either(tmp_path: Path) -> None:
    found = game(tmp_path, "choose: {x: {from: gift, count: 1..2}, y: {from: gift, count: 1}}, effect: move x to store")
    moves = [str(move) for move in found.start(seed=3).legal_moves(0)]
    assert {read_by(found, move, 1)[1] for move in moves[:40]} == {"Anna keeps some cards."}
