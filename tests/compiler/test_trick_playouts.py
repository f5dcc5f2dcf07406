"""Tricks that are played at random in one loop go as they go move by move, wherever the loop has to stop."""

from __future__ import annotations

from pathlib import Path

import pytest
from walks import stepwise

from interpreter.api.game import load
from interpreter.api.random_play import play_randomly
from interpreter.engine.chance import Dice

TRICKS = """\
format: 1
id: tricks
name: Tricks
players: {min: 4, max: 4}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  trick: {seen by: everyone}
  taken: {each: player, seen by: none}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {do: [deal], winners: highest score}
  deal: {setup: "shuffle stock; deal 13 from stock to hand", do: [tricks]}
  tricks:
    kind: trick
    leader: P1
    rank: place of card.rank
    follow: {must: {follow: card.suit = led or void in led}}
    on card: "ON CARD"
    on trick: "move all from trick to taken of winner; add 1 to score of winner; ON TRICK"
"""
NOTHING = "if false then set score of P1 to 0 end"


def rules(folder: Path, on_card: str = NOTHING, on_trick: str = NOTHING) -> Path:
    path = folder / "tricks.yaml"
    path.write_text(TRICKS.replace("ON CARD", on_card).replace("ON TRICK", on_trick))
    return path


@pytest.mark.parametrize("limit", [1, 2, 5, 7, 50, 51, 52, 1_000])
def test_a_limit_may_lie_within_a_trick(tmp_path: Path, limit: int) -> None:
    game = load(rules(tmp_path)).game()
    assert game.playouts(9, seed=3, limit=limit) == stepwise(game, 9, seed=3, limit=limit)


def test_a_trick_that_has_begun_is_played_to_its_end(tmp_path: Path) -> None:
    at_once, in_parts = (load(rules(tmp_path)).game().start(seed=1).position for _ in range(2))
    one, other = Dice(5), Dice(5)
    assert play_randomly(at_once, one, 52) == 52
    for many in (3, 6, 2, 1, 40):
        assert play_randomly(in_parts, other, many) == many
    assert in_parts.over and in_parts.v == at_once.v


@pytest.mark.parametrize("on_card", ["if card = QS then reverse end", "if card = QS then finish deal end"])
def test_a_card_may_change_who_plays_next(tmp_path: Path, on_card: str) -> None:
    game = load(rules(tmp_path, on_card=on_card)).game()
    assert game.playouts(9, seed=3, limit=60) == stepwise(game, 9, seed=3, limit=60)


@pytest.mark.parametrize(
    "on_trick", ["if score of winner = 3 then reverse end", "if score of winner = 3 then finish deal end"]
)
def test_a_trick_may_change_how_it_goes_on(tmp_path: Path, on_trick: str) -> None:
    game = load(rules(tmp_path, on_trick=on_trick)).game()
    assert game.playouts(9, seed=3) == stepwise(game, 9, seed=3)
