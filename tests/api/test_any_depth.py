"""Whether rules can be used does not hang on who asks, and from how far up: what `play` records, `replay` can read."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

import interpreter
from interpreter.base.depth import ROOM, as_deep_as_anywhere

RULES = """\
format: 1
id: deep
name: Deep
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, open: {}}
flow:
  match: {setup: deal 4 from stock to hand, do: [main], winners: everyone}
  main:
    kind: turn
    turns: 9
    actions:
      lay: {choose: {card: {from: hand}}, when: "card in (NAMES)", effect: move card to open}
"""


def from_farther_up(calls: int, ask: Callable[[], bool]) -> bool:
    return from_farther_up(calls - 1, ask) if calls else ask()


@pytest.mark.parametrize("names", [420, 460, 500, 560, 620, 680, 800])
def test_rules_can_be_used_from_anywhere_or_nowhere(names: int, tmp_path: Path) -> None:
    path = tmp_path / "deep.yaml"
    path.write_text(RULES.replace("NAMES", ", ".join((["open", "hand", "AS", "KS"] * 200)[:names])), encoding="utf-8")

    def can_be_used() -> bool:
        try:
            interpreter.load(path).game()
        except interpreter.RulesetError:
            return False
        return True

    found = []
    for calls in (0, 60, 250):
        path.write_text(path.read_text("utf-8") + f"# {calls}\n", encoding="utf-8")  # nothing is kept of it
        found.append(from_farther_up(calls, can_be_used))
    assert found == [True, True, True]


def test_there_is_as_much_room_wherever_it_is_asked_and_none_is_left_behind() -> None:
    before, found = sys.getrecursionlimit(), set[int]()

    def room(calls: int) -> int:
        try:
            return room(calls + 1)
        except RecursionError:
            return calls

    def ask() -> bool:
        with as_deep_as_anywhere():
            found.add(room(0))
        return True

    asked = [Thread(target=from_farther_up, args=(calls, ask)) for calls in (0, 50, 300)]
    for thread in asked:
        thread.start()
    for thread in asked:
        thread.join()
    assert len(found) == 1 and abs(found.pop() - ROOM) < 20 and sys.getrecursionlimit() == before
