"""Cards of places that not everybody sees go in the same order in both lanes."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from tests.native.alike import stepped_alike
from tests.small import APART, TAKEN, TIED, hiding

CHOOSING = """\
      bury: {choose: {cards: {from: hand, count: 3}}, effect: move cards to heap}
      sink: {choose: {cards: {from: hand, count: 3}}, effect: for c in cards do move c to heap end}
      again: {effect: "gather all to stock; shuffle stock; deal 5 from stock to hand; move 2 from stock to kitty"}
      on: {effect: move 2 from stock to pool}
"""
EFFECTS = (*APART, *TIED, *TAKEN)
GROUPS = [EFFECTS[at : at + 10] for at in range(0, len(EFFECTS), 10)]


@pytest.mark.parametrize("effects", GROUPS, ids=lambda effects: effects[0])
def test_cards_go_in_the_same_order_in_both_lanes(effects: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "hiding.yaml"
    path.write_text(hiding(*effects, more=CHOOSING), encoding="utf-8")
    game = interpreter.load(path).game()
    assert [stepped_alike(game, seed, 120) for seed in range(6)] == [""] * 6
