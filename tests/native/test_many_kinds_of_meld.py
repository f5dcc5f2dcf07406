"""However many kinds of meld there are, what lies on the table is of its own kind, in both lanes."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.api import native_lane

RULES = """\
format: 1
id: kinds
name: Kinds
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  laid: {each: 1..24, seen by: everyone}
state:
  score: {each: player, type: integer, lasts: match}
melds:
OTHERS
  set: {same: rank, size: 3..4}
flow:
  match: {setup: shuffle stock; deal 13 from stock to hand, do: [go], winners: highest score}
  go:
    kind: turn
    first: P1
    turns: 15 each
    actions:
      lay:
        choose: {m: {meld: set, from: hand}, z: {zones: laid, where: z is empty}}
        effect: move m to z; add 1 to score
      lay_off:
        choose: {card: {from: hand}, z: {zones: laid, where: z is not empty}}
        must: {fits: 'extends(meld of z, card)'}
        effect: move card to z; add 10 to score
      draw: {when: stock is not empty, effect: move 1 from stock to hand}
      pass: {when: stock is empty}
"""


@pytest.mark.parametrize("others", [5, 14, 15, 40])
def test_a_card_is_laid_off_on_a_meld_of_a_late_kind(
    others: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kinds.yaml"
    kinds = "\n".join(f"  k{at:02}: {{same: suit, size: 13}}" for at in range(others))
    path.write_text(RULES.replace("OTHERS", kinds), encoding="utf-8")
    game, played = interpreter.load(path).game(), []
    for lane in ("0", "1"):
        monkeypatch.setenv(native_lane.SWITCH, lane)
        played.append(game.playouts(100, seed=1, limit=40))
    assert played[0] == played[1]
