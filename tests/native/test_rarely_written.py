"""Rulesets of which machine code was once another game, or none: cards of several packs that are kept as lists, a
definition that never answers in the middle of an expression, loops that are written out."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.api import native_lane
from interpreter.api.game import Game
from interpreter.api.playouts import matches
from interpreter.compiler.native import module, native_context
from tests.native.alike import stepped_alike

HEAD = """\
format: 1
id: rare
name: Rare
players: {min: 2, max: 5}
pack: {standard: 3}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, open: {seen by: everyone}}
"""
DEALT = """\
state: {ps: {type: players, lasts: match}, score: {each: player, type: integer, lasts: match}}
flow:
  match: {repeat: play, until: any p in everyone has score of p > 30, setup: shuffle stock; deal 4 from stock to hand}
  play:
    kind: turn
    first: P1
    turns: 5
    actions:
"""
HOLDER = (
    DEALT
    + """\
      hold: {when: holder of 3H = P2, effect: add 1 to score}
      more: {effect: add 3 to score}
      join: {effect: add actor to ps; add 1 to score}
      lay: {effect: clear ps; move 2 from hand to open}
"""
)
NAMES = (
    DEALT
    + """\
      name: {choose: {k: {kinds: hand}}, effect: add place of k.rank to score; move 1 from stock to hand}
      other: {choose: {k: {kinds: stock, where: k.suit = hearts}}, effect: add 1 to score}
"""
)
NEVER = """\
values: {points: {hearts: d, QS: 13, red: -3, else: place of card.rank}}
state:
  d: {type: integer, lasts: match, default: 1}
  li: {type: list of integer, lasts: match}
  score: {each: player, type: integer, lasts: match}
define: {nz(x): if x = none then 1 else x}
flow:
  match: {repeat: play, until: any p in everyone has score of p > 60}
  play:
    kind: turn
    first: P1
    turns: 5
    actions:
      hello: {effect: add 1 to score}
      turn: {effect: "clear li; add 2 to li; set d to nz(points of QS) * cycle(d, li); set d to 1"}
"""


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Machine code is kept for a test alone."""
    monkeypatch.setattr(native_lane, "kept_in", lambda: tmp_path / "native")


def game(folder: Path, rules: str, players: int) -> Game:
    path = folder / "rare.yaml"
    path.write_text(HEAD + rules, encoding="utf-8")
    return interpreter.load(path).game(players)


@pytest.mark.parametrize(("rules", "players"), [(HOLDER, 5), (HOLDER, 2), (NAMES, 3), (NEVER, 2)])
def test_both_lanes_play_the_same(rules: str, players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = game(tmp_path, rules, players)
    monkeypatch.setenv(native_lane.SWITCH, "1")
    native = list(matches(own, 60, 5, None, 200))
    monkeypatch.setenv(native_lane.SWITCH, "0")
    assert list(matches(own, 60, 5, None, 200)) == native
    monkeypatch.setenv(native_lane.SWITCH, "1")
    for seed in range(12):
        stepped_alike(own, seed, 60)


def test_loops_that_are_written_out_count_turn_by_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_context, "MOST_VALUES", 20_000)
    pairs = ", ".join(f"[{a}, {b}]" for a in range(5) for b in range(5))
    loops = "'for a in ps do for b in ps do for c in ps do if item(1, a) = 9 then add 1 to score end end end end'"
    rules = (
        f"options: {{ps: {{type: list of pairs, min: 0, max: 9, default: [{pairs}]}}}}\n"
        "state: {score: {each: player, type: integer, lasts: match}}\n"
        "flow:\n  match: {repeat: play, until: any p in everyone has score of p > 60}\n"
        f"  play: {{kind: turn, turns: 5, actions: {{go: {{effect: {loops}}}, more: {{effect: add 1 to score}}}}}}\n"
    )
    own, lines = game(tmp_path, rules, 2), list[int]()
    whole = module.Module.ir
    monkeypatch.setattr(
        module.Module, "ir", lambda self, around: (text := whole(self, around), lines.append(text.count("\n")))[0]
    )
    native_lane.prepare(own)
    assert lines and lines[0] < 40_000


def test_what_cannot_be_read_as_machine_code_is_played_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = game(tmp_path, HOLDER, 2)
    whole = module.Module.ir
    monkeypatch.setattr(module.Module, "ir", lambda self, around: whole(self, around) + "\nno LLVM at all")
    lane = native_lane.prepare(own)
    assert lane.built is None and "fault of houserules" in lane.reason
    monkeypatch.setenv(native_lane.SWITCH, "1")
    with pytest.raises(native_lane.NativeError):
        list(matches(own, 1, 5, None, 20))
