"""A match of a stranger's ruleset has to have room on the stack, and its code an end."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.api import native_lane
from interpreter.api.playouts import matches

HEAPS = """\
format: 1
id: heaps
name: Heaps
players: {{min: 2, max: 2}}
pack: {{standard: {packs}}}
zones:
  stock: {{pack: true, seen by: none}}
  hand: {{each: player, seen by: owner}}
  heap: {{each: 1..{heaps}, seen by: everyone}}
state: {{score: {{each: player, type: integer, lasts: match, max: 1000}}}}
flow:
  match: {{setup: shuffle stock; deal 5 from stock to hand, do: [playing], winners: highest score}}
  playing:
    kind: turn
    until: score of P1 > 30
    actions:
      lay: {{effect: move 1 from stock to heap of 1; move top of heap of 1 to heap of 7; add 1 to score of actor}}
"""


@pytest.mark.parametrize(("packs", "heaps"), [(16, 900), (1, 1000)])
def test_what_has_no_room_on_the_stack_is_played_in_python(
    packs: int, heaps: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(native_lane.SWITCH, "1")
    file = tmp_path / "heaps.yaml"
    file.write_text(HEAPS.format(packs=packs, heaps=heaps), "utf-8")
    own = interpreter.load(file).game()
    with pytest.raises(native_lane.NativeError, match="so many places and variables"):
        list(matches(own, 1, 1, 1, 100))
