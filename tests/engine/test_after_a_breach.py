"""A move that breaks a law is carried out with what has become of its cards by then."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.api.state import State
from interpreter.engine.packets import as_tuple

HEAD = """\
format: 1
id: breach
name: Breach
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  heap: {}
  pit: {seen by: none}
  trick: {}
flow:
  match: {first dealer: P1, setup: shuffle stock; deal 20 from stock to hand, do: [go]}
"""
BROKEN = "must: {never: {law: not honor, on breach: 'EFFECT'}}"
ONE = f"{{x: {{choose: {{c: {{from: hand}}}}, {BROKEN}, effect: move c to heap}}}}"
TWO = f"{{x: {{choose: {{cs: {{from: hand, count: 2}}}}, {BROKEN}, effect: move cs to heap}}}}"
TRICK = f"kind: trick, leader: P1, count: 1, lead: {{{BROKEN}}}, on trick: nothing"
PAIR = f"kind: trick, leader: P1, count: 1, actions: {{play: {{count: 2}}}}, lead: {{{BROKEN}}}, on trick: nothing"


def broken(folder: Path, stage: str, effect: str) -> State:
    """After a move that breaks a law which is followed by an effect."""
    path = folder / "breach.yaml"
    path.write_text(HEAD + f"  go: {{{stage.replace('EFFECT', effect)}}}\nhonor: {{penalty: nothing}}\n", "utf-8")
    state = interpreter.load(path).game(enforcement="honor").start(seed=4)
    state.play(0, state.possible_moves(0)[0])
    return state


@pytest.mark.parametrize(
    ("stage", "effect"),
    [
        (f"kind: turn, first: P1, turns: 2, actions: {ONE}", "move c to pit"),
        (f"kind: turn, first: P1, turns: 2, actions: {ONE}", "move all from hand to pit"),
        (f"kind: turn, first: P1, turns: 2, actions: {ONE}", "swap hand of P1, hand of P2"),
        (f"kind: turn, first: P1, turns: 2, actions: {ONE}", "if count of pit = 0 then move 20 from hand to pit end"),
        (f"kind: turn, first: P1, turns: 2, actions: {TWO}", "move cs to stock; shuffle stock"),
        (f"kind: ask, actions: {ONE}", "move c to pit"),
        (TRICK, "move card to pit"),
        (TRICK, "gather hand of actor to stock"),
        (PAIR, "move cards to pit"),
    ],
)
def test_no_card_lies_twice_that_what_follows_a_breach_has_moved(tmp_path: Path, stage: str, effect: str) -> None:
    state = broken(tmp_path, stage, effect)
    lying = [card for packet in state.position.z for card in as_tuple(packet)]
    assert sorted(lying) == list(range(52))
    assert len(state.zone("heap")) + len(state.zone("trick")) in (1, 2)


def test_what_was_chosen_goes_from_where_it_lies_then(tmp_path: Path) -> None:
    state = broken(tmp_path, f"kind: turn, first: P1, turns: 2, actions: {ONE}", "move c to pit")
    assert [str(event) for event in state.log][-1].startswith("  ") and "pit -> heap" in str(state.log[-1])
