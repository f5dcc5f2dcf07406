"""Where a set may be none, both lanes play the same, or Python plays alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import interpreter
from interpreter.api import native_lane
from interpreter.api.game import State
from interpreter.api.playouts import matches
from tests.compiler import test_sets_of_none as cases
from tests.compiler.test_sets_of_none import CARDS, MELDS, RULES, game
from tests.native.alike import stepped_alike

KEPT = """\
format: 1
id: kept
name: Kept
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, bid: {}}
state:
  score: {each: player, type: integer, lasts: match}
  oc: {OWNERtype: cards, optional: true, lasts: match}
flow:
  match: {setup: shuffle stock; deal 6 from stock to hand, do: [go], winners: highest score}
  go:
    kind: turn
    turns: 20
    actions:
      keep: {effect: set oc to hand}
      drop: {effect: set oc to none}
      more: {effect: add top of stock to oc}
      less: {effect: subtract bottom of hand from oc}
      lay: {effect: 'add count of oc to score; let q be oc; move q to bid; move 1 from stock to hand'}
      look: {effect: 'for c in oc do add place of c.rank to score end; if oc = none then add 1 to score end'}
      pass_on: {when: hand without oc is not empty, effect: 'move top of (hand without oc) to bid'}
"""
NAMED = """\
format: 1
id: named
name: Named
players: {min: 3, max: 3}
pack: {standard: 2}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, bid: {}}
state:
  score: {each: player, type: integer, lasts: match}
  wish: {type: rank, optional: true, lasts: match}
  whom: {type: player, optional: true, lasts: match}
  held: {type: cards, lasts: match}
define:
  whole(rank): {let: {l: pack}, value: l}
  lying(rank): {let: {l: bid}, value: l}
  alike(rank): {let: {l: all x in pack where x.rank = rank}, value: l}
  own(player): {let: {l: hand of player}, value: l}
flow:
  match: {setup: shuffle stock; deal 6 from stock to hand, do: [go], winners: highest score}
  go:
    kind: turn
    turns: 20 each
    actions:
      shed: {choose: {card: {from: hand}}, effect: move card to bid; set wish to card.rank}
      lose: {effect: set wish to none; set whom to none}
      some: {effect: set wish to 7; set whom to left of actor}
      do: {effect: "DONE"}
"""
SETS = {
    name: f"{name}(if count of hand < 4 then {maybe} else {given})"
    for name, maybe, given in (("whole", "wish", 7), ("lying", "wish", 7), ("alike", "wish", 7), ("own", "whom", "P2"))
}
DONE_WITH = (
    "set held to SET; add count of held to score", "if SET is empty then add 1 to score end",
    "let q be SET; if q = none then add 1 to score end; add count of q to score",
    "let q be (if whom = none then SET else hand); add count of q to score",
    "add count of (hand without SET) to score", "set wish to (first c in SET).rank",
    "if top of SET = none then add 1 to score end", "set held to (SET, hand); add count of held to score",
    "move SET to bid", "if any c in SET has c in hand then add 1 to score end",
)  # fmt: skip
KEEPS_ONE = re.compile("  oc: |  sub: |call sub")
"""Lines of the rules by which a variable or argument may hold a set that is none: Python plays these."""


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(native_lane, "kept_in", lambda: tmp_path / "native")
    monkeypatch.delenv(native_lane.SWITCH, raising=False)


@pytest.mark.parametrize(
    ("chosen", "done"),
    [
        (CARDS, "move d to bid; add count of d to z; let q be d; for c in q do add 1 to z end"),
        (CARDS, "if d = none then add 1 to z end; add count of (hand without d) to z"),
        (MELDS, "for m in d do move m to bid end; add count of d to z"),
    ],
)
def test_both_lanes_play_the_same(chosen: str, done: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = RULES.splitlines(keepends=True)
    monkeypatch.setattr(cases, "RULES", "".join(line for line in lines if not KEEPS_ONE.search(line)))
    own = game(tmp_path, chosen, done)
    assert native_lane.prepare(own).built is not None
    played = list(matches(own, 40, 5, None, 200))
    own.program.native = None
    monkeypatch.setenv(native_lane.SWITCH, "0")
    assert list(matches(own, 40, 5, None, 200)) == played


@pytest.mark.parametrize("done", DONE_WITH)
@pytest.mark.parametrize("of", SETS)
def test_a_set_of_what_may_be_none_is_the_same(
    of: str, done: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "named.yaml"
    path.write_text(NAMED.replace("DONE", done.replace("SET", SETS[of])), encoding="utf-8")
    own = interpreter.load(path).game(3)
    assert native_lane.prepare(own).built is not None
    assert stepped_alike(own, 3, 40) == ""
    played = list(matches(own, 40, 5, None, 300))
    own.program.native = None
    monkeypatch.setenv(native_lane.SWITCH, "0")
    assert list(matches(own, 40, 5, None, 300)) == played


@pytest.mark.parametrize("owner", ["", "each: player, "])
def test_python_plays_variables_that_are_none(owner: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.yaml"
    path.write_text(KEPT.replace("OWNER", owner), encoding="utf-8")
    own = interpreter.load(path).game(2)
    assert native_lane.prepare(own).reason == "a set that may be none"  # machine code would take it for an empty one
    assert type(own.start(seed=1, log=False, native=True)) is State
    assert len(list(matches(own, 40, 5, None, 200))) == 40
