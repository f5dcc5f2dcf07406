"""Deals of Spit end, whatever variant is played, and nobody counts as stuck who is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from layouts import check_deals, way_forward, ways

import interpreter

GAMES = dict(ways())


@pytest.mark.parametrize("name", GAMES)
def test_deals_end_and_nobody_is_stuck_who_is_not(name: str) -> None:
    assert check_deals(GAMES[name](), deals=5, seed=1) > 50


def test_a_variant_that_is_another_game_loads_its_ruleset() -> None:
    game = interpreter.load("spit").game(variants=["five_card_hand"], options={"target_score": 5})
    assert game.ruleset.id == "spit-five" and "target_score" in game.ruleset.options
    other = interpreter.load("spit-five").game(options={"target_score": 5})
    assert game.start(seed=1).position.z == other.start(seed=1).position.z


def test_a_way_that_is_not_forbidden_is_found(tmp_path: Path) -> None:
    """The search would notice a definition that overlooks a way: here the space beside a pile that hides cards."""
    path = tmp_path / "blind.yaml"
    path.write_text("format: 1\nid: blind\nname: Blind\nextends: spit\ndefine: {could_uncover(p): false}\n")
    game = interpreter.load(path).game(options={"spit_when": "stuck"})
    with pytest.raises(AssertionError, match="is not stuck"):
        check_deals(game, deals=20, seed=1)
    assert way_forward(game.start(seed=1), 0) is None
