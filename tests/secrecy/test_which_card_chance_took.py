"""Which card chance took from among others is told by no way back to those who do not see it: the same move is made
with each card that may come, and matches that look alike to a seat get the same answer, and the same word of who has
seen cards."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from pathlib import Path

import pytest

import interpreter
from interpreter import Game, IllegalMove, RuleError
from interpreter.engine.taking_back import revealed

RULES = """\
format: 1
id: taken
name: Taken
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  stack: {each: player, STACK}
  loot: {each: player, LOOT}
  hand: {each: player, seen by: owner}
flow:
  match: {do: [main], winners: everyone, setup: shuffle stock; deal 3 from stock to stack; deal 2 from stock to hand}
  main:
    kind: turn
    first: P3
    turns: 9
    actions:
      act: {CHOOSEeffect: "GIVE; TAKE"}
"""
STACKS = [f"seen by: {who}{top}" for who, top in product(("none", "owner", "left of owner"), ("", ", shows: top"))]
LOOTS = [f"seen by: {who}{top}" for who, top in product(("none", "owner", "everyone"), ("", ", shows: top"))]
GIVES = ["stay", "move card to stack of P1; stay", "move card beneath stack of P1; stay"]
TAKES = [
    "move 1 at random from stack of P1 to loot",
    "move random of stack of P1 to loot",
    "move 2 at random from stack of P1 to loot",
    "let r be random of stack of P1; show r to actor",
    "let r be random of stack of P1; show r to P1",
    "move 1 at random from (stack of P1, stack of P2) to loot",
]
LIE = {"P1": "KC QC JC", "P2": "9S 8S", "P3": "3H"}
CARDS = ["KC", "QC", "JC", "9S", "8S", "2D"]


def answers(game: Game, text: str, number: int) -> list[set[object]]:
    """For each seat and each way in which the match may look to it, what is answered. number: how many are drawn."""
    found: dict[object, set[object]] = defaultdict(set)
    given = {"at": "main", "current": "P3", "stack": LIE, "hand": {"P3": "2D 3D"}, "rest": "stock"}
    for drawn in product(CARDS, repeat=number):
        try:
            state = game.start(seed=1, given=given, chance={"draw": list(drawn)})
            state.play(2, text)
        except (IllegalMove, RuleError):  # it is not among them
            continue
        other, told = state.copy(), "taken back"
        try:
            other.undo(seed=5)
        except ValueError as why:
            told = str(why)
        for seat in range(3):
            found[seat, repr(state.view(seat))].add((told, tuple(revealed(state.position, 0))))
    return list(found.values())


@pytest.mark.parametrize("take", TAKES)
@pytest.mark.parametrize("give", GIVES)
def test_which_card_was_taken_is_told_by_no_answer(give: str, take: str, tmp_path: Path) -> None:
    gives, compared = give != GIVES[0], 0
    for stack, loot in product(STACKS, LOOTS):
        text = RULES.replace("STACK", stack).replace("LOOT", loot).replace("GIVE", give).replace("TAKE", take)
        path = tmp_path / "taken.yaml"
        path.write_text(text.replace("CHOOSE", "choose: {card: {from: hand}}, " if gives else ""), encoding="utf-8")
        game = interpreter.load(path).game()
        for told in answers(game, "act 2D" if gives else "act", 2 if "2 at random" in take else 1):
            assert len(told) == 1, f"stack {stack}, loot {loot}: {told}"
            compared += 1
    assert compared > 100
