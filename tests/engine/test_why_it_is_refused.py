"""A refusal tells nothing that its player may not know: with another hidden number it is the same to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest
from walks import ENFORCEMENTS

import interpreter
from interpreter import IllegalMove
from interpreter.api.game import State
from interpreter.api.settled import Enforcement

RULES = """\
format: 1
id: secret
name: Secret
players: {min: 3, max: 3}
options:
  goals: {type: list of melds, default: [[set 3], [run 4..], [set 3, set 3]]}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  laid: {}
state:
  secret: {type: integer, min: 0, max: 9, lasts: match, seen by: P2}
melds:
  set: {same: rank, size: 3..}
  run: {same: suit, consecutive: rank, size: 3..}
flow:
  match: {setup: "shuffle stock; deal 6 from stock to hand; set secret to NUMBER", do: [go], winners: none}
  go:
    kind: KIND
    ASKED
    actions:
      x: ACTION
honor: {penalty: nothing}
"""
HANDS = "2C 7D KS 9H 3C 3D 2D 7C QS 9D 4C 4D 2H 7S JS 9C 5C 5D".split()
SAID = "{choose: {n: {number: 1..9, where: n <= secret}, s: {suits: all, said: true, else: spades}}, effect: stay}"
COUNTED = "{choose: {cards: {from: hand, count: 1..(secret + 2)}}, effect: move cards to laid}"
GOAL = "if secret < 3 then 1 else if secret < 6 then 2 else 3"
ASKED = f'{{choose: {{m: {{melds: "item({GOAL}, goals)", from: hand, optional: true}}}}, effect: stay}}'
WILD = "wild: card.rank = 2 and secret = 8"
FEW = "all c in hand where c.rank > 3 or secret > 5"
AMONG = f'{{choose: {{m: {{meld: set, from: "{FEW}", optional: true}}}}, effect: stay}}'
OTHER = "p: {players: others, where: secret > 5 or p is P3}"
ROW = f"{{choose: {{n: {{number: 1..9, where: n <= secret}}, {OTHER}}}, effect: stay}}"
TYPED = [
    "x", "x none", "x nothing", "x 2C", "x 7D", "x 2C 7D", "x 2C 2D 2H", "x 2C 7D KS 9H 3C 3D", "x 3C 4C 5C 6C",
    "x 4 hearts", "x 7 hearts", "x 12 hearts", "x 5", "x 5 nobody", "x 4 P3", "x 7 P3", "x 4 P1", "x 7 P1", "x 7 P2",
    "x 2C 3C /", "x JS", "x 4 hearts 2C", "x 7 hearts 2C",
]  # fmt: skip


def match(folder: Path, action: str, kind: str, number: int, enforcement: Enforcement) -> State:
    asked = {"turn": "first: P1\n    turns: 3 each", "ask": "players: P2"}.get(
        kind, "players: all p in everyone where p is not P1"
    )
    if kind == "race":
        asked += "\n    until: secret > 9"
    text = RULES.replace("KIND", kind).replace("ASKED", asked).replace("ACTION", action).replace("NUMBER", str(number))
    if action is AMONG:
        text = text.replace("  set: {same: rank,", f"  set: {{same: rank, {WILD},")
    (folder / "secret.yaml").write_text(text, "utf-8")
    game = interpreter.load(folder / "secret.yaml").game(enforcement=enforcement)
    return game.start(seed=1, deck=[*HANDS, *(card for card in game.program.cards if card not in HANDS)])


def answers(state: State) -> tuple[list[str], dict[str, str]]:
    """What P1 can do, and what P1 is told of what P1 tries."""
    found = {}
    for text in TYPED:
        try:
            state.copy().play(0, text)
        except IllegalMove as refused:
            found[text] = str(refused)
    return [str(move) for move in state.possible_moves(0)], found


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
@pytest.mark.parametrize("kind", ["turn", "ask", "race", "simultaneous"])
@pytest.mark.parametrize("action", [SAID, COUNTED, ASKED, AMONG, ROW], ids=["said", "counted", "asked", "among", "row"])
def test_with_the_same_offers_it_is_the_same(tmp_path: Path, action: str, kind: str, enforcement: Enforcement) -> None:
    by_offers: dict[tuple[str, ...], dict[str, str]] = {}
    same = 0
    for number in range(9):
        offered, found = answers(match(tmp_path, action, kind, number, enforcement))
        before = by_offers.setdefault(tuple(offered), found)
        same += before is not found
        assert found == before
    assert same or kind == "turn"
