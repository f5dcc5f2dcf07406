"""Of very much that has happened a reader is told the end. Where that begins hangs on nothing others alone know."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.engine.events import Event, told_last
from interpreter.interfaces.host.hosted_match import MOST_RETOLD, HostedMatch
from interpreter.interfaces.terminal.telling import MOST_EVENTS, Telling
from interpreter.words.voice import Voice

RULES = """\
format: 1
id: boxes
name: Boxes
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  one_box: {each: player, seen by: owner, count seen by: owner}
  other_box: {each: player, seen by: owner, count seen by: owner}
state: {rounds: {type: integer, lasts: match}}
flow:
  match: {setup: shuffle stock; deal 5 from stock to one_box, do: [sorting], winners: everyone}
  sorting:
    kind: turn
    first: P1
    turns: 1000 each
    actions:
      wait: {effect: add 1 to rounds}
      sort:
        choose: {k: {number: 0..2000, seen by: actor}}
        effect: for n in 1..k do move 1 from one_box to other_box; move 1 from other_box to one_box end; add 1 to rounds
"""


def played(folder: Path, k: int) -> HostedMatch:
    path = folder / "boxes.yaml"
    path.write_text(RULES, encoding="utf-8")
    match = HostedMatch(interpreter.load(path).game(), ["Anna", "Ben"])
    for reader in (0, 1, None):
        match.welcome(reader)
    for _ in range(4):
        match.play(0, f"sort {k}", None, None)
        match.play(1, "wait", None, None)
    return match


@pytest.mark.parametrize("reader", [1, None])
def test_how_much_others_did_unseen_is_not_told_by_what_is_left_out(reader: int | None, tmp_path: Path) -> None:
    little, much = (played(tmp_path, k) for k in (1, 1_500))
    assert len(much.state.log or ()) > 2 * MOST_RETOLD > 10 * len(little.state.log or ())
    assert little.welcome(reader).lines == much.welcome(reader).lines
    found = []
    for match in (little, much):
        telling = Telling(match.state, Voice(match.state.position, match.names), (1,))
        found.append((list(telling.news(1)), list(telling.log(1))))
    assert found[0] == found[1] and len(much.state.log or ()) > 2 * MOST_EVENTS


@pytest.mark.parametrize("most", [0, 1, 3, 9])
def test_only_events_that_all_are_told_are_counted(most: int) -> None:
    events = [Event("note", None, str(at), told=1 << at % 3 | 1) for at in range(10_000)]
    left_out, last = told_last(events, 0b11, most)
    assert last == events[left_out:] and sum(event.told & 0b11 == 0b11 for event in last) == most
    assert events[left_out - 1].told & 0b11 == 0b11
    assert told_last(events[:5], 0b11, 9) == (0, events[:5])
