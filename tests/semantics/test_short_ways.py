"""The short ways of the engine do what the long ones do: random play in one loop, moves that need nothing more, and
what the log tells of cards and pieces that not everybody sees."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import Game, IllegalMove
from interpreter.api.validation import validate
from interpreter.engine.chance import Dice, derive

TABLE = """\
format: 1
id: table
name: Table
players: {{min: 2, max: 4, default: 3}}
pack: {{standard: 1}}
zones:
  stock: {{pack: true, seen by: none}}
  hand: {{each: player, seen by: owner}}
  pile: {{each: player, seen by: none, count seen by: owner}}
  discard: {{seen by: everyone}}
tokens: {{spoon: {{seen by: owner}}, fork: {{seen by: left of owner}}}}
state:
  score: {{each: player, type: integer, lasts: match}}
  heat: {{type: integer, lasts: match}}
cards:
  7: {{choose: {{victim: {{players: others}}}}, effect: subtract 1 from score of victim}}
flow:
  match:
    setup: |
      shuffle stock
      deal 5 from stock to hand
      deal 2 from stock to pile
      set out 3 of spoon
      set out 3 of fork
      turn up first c in hand of P1
    do: [play]
    winners: highest score
  play:
    kind: turn
    first: P1
    turns: 5 each
    actions: {actions}
"""


def table(folder: Path, actions: str, players: int = 3) -> Game:
    path = folder / "table.yaml"
    path.write_text(TABLE.format(actions=actions), encoding="utf-8")
    return interpreter.load(path).game(players)


LAY = "{lay: {choose: {card: {from: hand}}, row: card, effect: move card to discard}}"
ROUND = "{on: {effect: add 1 to score; add 1 to heat; if heat mod 3 = 1 then set current to left of actor; stay end}}"
ADD = "{add: {choose: {n: {number: 1..4 - heat mod 2}}, effect: add n to score; add n to heat}}"
BIT = "one: {effect: add 1 to score}"
FEW = f"{{add: {{choose: {{n: {{number: 1..3}}}}, when: heat < 9, effect: add n to score; add n to heat}}, {BIT}}}"
SOME = "\n    players: p where score of p < 4"
UNTIL = "\n    until: heat > 5 or count of players < 2"


@pytest.mark.parametrize("ends", ["", SOME, SOME + UNTIL])
@pytest.mark.parametrize("actions", [LAY, ROUND, ADD, FEW])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_in_one_loop_are_turns_step_by_step(actions: str, ends: str, players: int, tmp_path: Path) -> None:
    game = table(tmp_path, actions + ends, players)
    at_once = game.playouts(10, seed=4)
    for number, scores in enumerate(at_once.scores):
        own = derive(4, number)
        state, dice = game.start(seed=own), Dice(own + 1)
        while not state.over:
            moves = state.legal_moves(state.position.current)
            state.play(state.position.current, moves[dice.below(len(moves))] if len(moves) > 1 else moves[0])
        assert tuple(state.scores) == scores


def test_of_cards_that_are_shown_each_is_told_to_who_sees_it(tmp_path: Path) -> None:
    state = table(tmp_path, "{peek: {effect: show hand to left of actor}}").start(seed=1)
    state.play(0, "peek")
    told = [[line for line in state.view(seat)["log"] if line.endswith("shown")] for seat in range(3)]
    assert [line.split()[0:2] for line in told[2]][-1] == ["4", "cards"]
    assert told[0] == told[1] != told[2]


def test_who_does_not_see_pieces_is_told_nothing_of_taking_them(tmp_path: Path) -> None:
    game = table(tmp_path, "{snatch: {effect: take spoon; take fork, label: grabs}, wait: {}}")
    state = game.start(seed=1)
    before = [len(state.view(seat)["log"]) for seat in range(3)]
    state.play(0, "snatch")
    after = [len(state.view(seat)["log"]) for seat in range(3)]
    assert [b - a for a, b in zip(before, after, strict=True)] == [4, 1, 0]  # P2 sees P1's forks alone


def test_what_is_missing_is_told_to_those_who_can_count(tmp_path: Path) -> None:
    state = table(tmp_path, "{grab: {effect: move 5 from pile to discard}}").start(seed=1)
    state.play(0, "grab")
    told = [any(line.startswith("missing") for line in state.view(seat)["log"]) for seat in range(3)]
    assert told == [True, False, False]


@pytest.mark.parametrize("player", [-1, 3, "P1", None, 0.0, True])
def test_who_is_no_player_cannot_move(player: object, tmp_path: Path) -> None:
    state = table(tmp_path, "{wait: {}}").start(seed=1)
    before = state.to_json()
    with pytest.raises(IllegalMove):
        state.play(player, state.legal_moves(0)[0])  # type: ignore[arg-type]
    assert state.to_json() == before


def test_rules_name_nobody_who_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "table.yaml"
    path.write_text(TABLE.format(actions="{pay: {effect: add 1 to score of P3}}"), encoding="utf-8")
    assert ["there is no P3 among 2 players" in found.message for found in validate(path) if found.code == "W602"] == [
        True
    ]
