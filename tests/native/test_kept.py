"""Machine code that is kept is ready at once: nothing is read or imported that only the making of it asks for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import interpreter
from interpreter.api.native_lane import SWITCH
from interpreter.compiler.native.machine_code import digest_of

MAKING = "interpreter.compiler.native.native_kinds", "interpreter.compiler.native.module"
READY = f"""
import sys
import interpreter
from interpreter.api.native_lane import prepare
game = interpreter.load("pig").game()
before = set(sys.modules)
assert prepare(game).built is not None
print(*[name for name in {MAKING} if name in sys.modules and name not in before])
"""


def ready(folder: Path) -> list[str]:
    """What a process of its own has imported for the making of machine code, which is kept in a folder."""
    there = {**os.environ, "XDG_CACHE_HOME": str(folder), "HOME": str(folder), SWITCH: "1"}
    done = subprocess.run([sys.executable, "-c", READY], env=there, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_what_is_kept_is_ready_without_what_makes_it(tmp_path: Path) -> None:
    made = ready(tmp_path)
    assert "interpreter.compiler.native.module" in made
    assert ready(tmp_path) == []


def test_sources_that_are_written_anew_make_other_machine_code(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    one, two = tmp_path / "one.py", inner / "two.py"
    found = [digest_of(str(tmp_path))]
    for path, text in ((one, "a = 1"), (two, "b = 1"), (one, "a = 2")):
        path.write_text(text, "utf-8")
        found.append(digest_of(str(tmp_path)))
    before = one.stat()
    one.write_text("a = 3", "utf-8")
    os.utime(one, ns=(before.st_atime_ns, before.st_mtime_ns))  # as long as before, and of the same time
    found.append(digest_of(str(tmp_path)))
    two.unlink()
    found.append(digest_of(str(tmp_path)))
    assert len(set(found)) == len(found)
    (inner / "more.txt").write_text("nothing that runs", "utf-8")
    (inner / "__pycache__").mkdir()
    (inner / "__pycache__" / "two.py").write_text("", "utf-8")
    assert digest_of(str(tmp_path)) == found[-1]


ORDERED = """\
format: 1
id: ordered
name: Ordered
players: {min: 2, max: 2}
pack: {standard: 1}
suits:
SUITS
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {repeat: deal, until: any p in players has score of p >= 20, winners: highest score, first dealer: P1}
  deal: {setup: "gather all to stock; shuffle stock; deal 5 from stock to hand", do: [drawing], next dealer: left}
  drawing:
    kind: turn
    first: left of dealer
    turns: 3 each
    actions:
      draw: {effect: "if (top of stock).suit = hearts then add 2 to score end; move 1 from stock to hand"}
"""
SUITS = [f"  {name}: {{letter: {name[0].upper()}, colour: red}}" for name in ("clubs", "diamonds", "hearts", "spades")]


def test_rules_in_another_order_are_other_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By their order cards are numbered, and what a seed deals goes by these numbers."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path, found, digests = tmp_path / "ordered.yaml", list[str](), list[str]()
    for suits in (SUITS, SUITS[::-1]):
        path.write_text(ORDERED.replace("SUITS", "\n".join(suits)), encoding="utf-8")
        for lane in "10":
            monkeypatch.setenv(SWITCH, lane)
            game = interpreter.load(path).game()
            found.append(str(game.playouts(200, seed=1)))
            digests.append(game.ruleset.digest)
    assert found[0] == found[1] != found[2] == found[3]
    assert digests[0] == digests[1] != digests[2]
