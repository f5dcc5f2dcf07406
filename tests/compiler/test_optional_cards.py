"""A card that may be none is drawn at random as it is chosen move by move, whether a law demands one or not."""

from __future__ import annotations

from pathlib import Path

import pytest
from walks import stepwise

from interpreter.api.game import load
from interpreter.compiler import print_game

SHEDDING = """\
format: 1
id: shedding
name: Shedding
players: {min: 3, max: 3}
pack: {standard: 1, only: 7..A}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  away: {seen by: none}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {do: [deal], winners: highest score}
  deal: {setup: "shuffle stock; deal 10 from stock to hand", do: [laying, counting]}
  laying:
    kind: ask
    actions:
      lay:
        choose: {card: {from: hand, optional: true}}
        must: LAWS
        effect: if card != none then move card from hand of actor to away; add place of card.rank to score of P1 end
  counting: {kind: effect, effect: "add count of hand of P1 to score of P1"}
"""


@pytest.mark.parametrize("law", ["card != none", "card = none or card.suit != hearts"])
def test_it_goes_in_bulk_as_move_by_move(tmp_path: Path, law: str) -> None:
    path = tmp_path / "shedding.yaml"
    path.write_text(SHEDDING.replace("LAWS", f'{{one: {{law: "{law}", message: lay one}}}}'))
    ruleset = load(path)
    game = ruleset.game()
    assert game.playouts(30, seed=3) == stepwise(game, 30, seed=3)
    drawn = print_game(ruleset.model, 3, {}, False).partition("def decide·laying(")[2].partition("\ndef ")[0]
    assert ("count·laying·lay(" not in drawn) is (law == "card != none")
