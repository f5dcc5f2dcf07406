"""What stands inside itself again and again is compiled in time: nothing is lowered, printed or said twice a level."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import interpreter

MOST_CALLS = 8_000_000
"""Calls of Python functions that a small ruleset may take; where a level costs twice the one in it, none would do."""

HEAD = """\
format: 1
id: nested
name: Nested
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner, capacity: 1}
state:
  a: {type: flag, lasts: match}
  n: {type: integer, lasts: match}
  s: {type: suit, optional: true, lasts: match}
  p: {type: player, optional: true, lasts: match}
  mark: {type: card, optional: true, lasts: match}
"""
FLOW = """\
flow:
  match: {do: [t], winners: players}
  t:
    kind: turn
    turns: 1 each
    first: P1
    actions:
      go: {when: 'CONDITION'}
      pass: {}
"""


def nested(form: str, depth: int) -> str:
    """A condition with another in the place of X, and so on; V is another variable in each."""
    found = "a"
    for level in range(depth):
        found = form.replace("V", f"c{level}").replace("X", found)
    return found


def chain(key: str, first: str, form: str, depth: int) -> str:
    """Definitions or tables of which each asks the one before."""
    rows = [f"  d{level}: {form.replace('X', f'd{level - 1}')}\n" for level in range(1, depth + 1)]
    return f"{key}:\n  d0: {first}\n{''.join(rows)}"


SORTS = (
    "any V in hand of P1 has (if V is hearts and n > 2 then (if V is black and n > 3 then V.suit else s) "
    "else (if V is red and n > 4 then V.suit else s)) = (if X then s else hearts)"
)
NESTS = {
    "not": ("", nested("not (if X then a else n = 1)", 24)),
    "a player who may be none": ("", nested("count of hand of (if X then p else P1) = 1", 14)),
    "sets of sets": (chain("define", "hand of P1", "all c in X where a", 24), "d24 is not empty"),
    "sets in order": (chain("define", "hand of P1", "all c in X by n", 13), "d13 is not empty"),
    "equal in two ways": ("", nested(SORTS, 8)),
    "tables over cards": (
        chain("values", "{hearts: 1, else: n}", "{hearts: 1, else: X of bottom of stock}", 3),
        "d3 of top of stock > 0",
    ),
    "heights": ("", nested("place of (if X then mark else QS).rank > 2", 20)),
}


@contextmanager
def counting_calls() -> Iterator[None]:
    """Stop where too many functions are called."""
    left = MOST_CALLS

    def called(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal left
        left -= event == "call"
        if left < 0:
            sys.setprofile(None)
            raise AssertionError("this takes more with every level")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        yield
    finally:
        sys.setprofile(before)


def asked(path: Path) -> None:
    """Validate a ruleset, play it a little and tell its rules."""
    assert not [d for d in interpreter.validate(path) if d.severity == "error"]
    ruleset = interpreter.load(path)
    assert len(ruleset.game().program.text) < 100_000
    ruleset.game().start(seed=1).legal_moves(0)


def told(path: Path) -> None:
    from interpreter.interfaces.cli import run

    assert run(["explain", str(path)]) == 0


@pytest.mark.parametrize("ask", [asked, told])
@pytest.mark.parametrize("name", NESTS)
def test_what_is_nested_takes_as_much_for_each_level(name: str, ask: Callable[[Path], None], tmp_path: Path) -> None:
    extra, condition = NESTS[name]
    path = tmp_path / "nested.yaml"
    path.write_text(HEAD + extra + FLOW.replace("CONDITION", condition), "utf-8")
    with counting_calls():
        ask(path)
