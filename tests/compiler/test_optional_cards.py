"""A card that may be none is drawn at random as it is chosen move by move, whether a law demands one or not."""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path

import pytest
from walks import ENFORCEMENTS, stepwise

from interpreter import IllegalMove
from interpreter.api.game import load
from interpreter.api.settled import Enforcement
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


CHOSEN = {
    "a meld": "meld: set, from: hand",
    "melds": "melds: set, count: 1..2, from: hand",
    "cards": "from: hand, count: 1..2",
    "a card": "from: hand",
    "a player": "players: others",
}


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
@pytest.mark.parametrize("what", CHOSEN)
def test_it_is_none_only_where_it_may_be(tmp_path: Path, what: str, enforcement: Enforcement) -> None:
    path, asked = tmp_path / "shedding.yaml", f"x: {{{CHOSEN[what]}, optional: open}}"
    text = SHEDDING.replace("must: LAWS", "").replace("card: {from: hand, optional: true}", asked)
    text = text.replace("lay:\n", "open_it: {effect: set open to true; stay}\n      lay:\n")
    text = text.replace("integer, lasts: match}}", "integer, lasts: match}, open: {type: flag, lasts: match}}")
    text = re.sub("effect: if card.*", "effect: stay", text)
    path.write_text(text.replace("flow:", "melds: {set: {same: rank, size: 2..}}\nflow:", 1))
    state = load(path).game(enforcement=enforcement).start(seed=1)
    for may in (False, True):
        assert ("lay none" in map(str, state.possible_moves(0))) is may
        with nullcontext() if may else pytest.raises(IllegalMove):
            state.play(0, "lay none")
        state.play(0, "open_it")
