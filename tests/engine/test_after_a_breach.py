"""A move that breaks a law is carried out with what has become of its cards by then."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import interpreter
from interpreter.api.game import State
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


TRICKS = """\
format: 1
id: revoke
name: Revoke
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  trick: {}
  taken: {each: player}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {first dealer: P3, setup: shuffle stock; deal 17 from stock to hand, do: [tricks]}
  tricks:
    kind: trick
    leader: left of dealer
    follow: {must: {follow: card.suit = led or void in led}}
    lead: {must: {low: card.rank < 9 or not (any c in hand has c.rank < 9)}}
    on trick: move all from trick to taken of winner; add 1 to score of winner
honor:
  lapses: {after: 1, ends of: trick}
  penalty: take back fault
"""


def plays(state: State, player: int, *, lawful: bool) -> str:
    """A play that breaks a law or none, made."""
    right = set(map(str, state.legal_moves(player)))
    moves = [str(move) for move in state.possible_moves(player) if str(move).startswith("play")]
    found = next(move for move in moves if (move in right) is lawful)
    state.play(player, found)
    return found


def revoking(folder: Path, seed: int = 1) -> State:
    path = folder / "revoke.yaml"
    path.write_text(TRICKS, "utf-8")
    return interpreter.load(path).game(enforcement="honor").start(seed=seed)


@pytest.mark.parametrize("others", [0, 1])
def test_a_card_taken_back_out_of_a_trick_is_no_play_and_another_is_played_for_it(tmp_path: Path, others: int) -> None:
    state = revoking(tmp_path)
    plays(state, 0, lawful=True)
    plays(state, 1, lawful=False)
    if not others:
        state.play(2, "claim P2")
    else:
        state.play(0, "claim P2")
    assert [len(state.zone("hand", player)) for player in range(3)] == [16, 17, 17]
    assert state.actors[0] == 1 and [card for _, card in state.view(0)["trick"]] == state.zone("trick")
    plays(state, 1, lawful=True)
    assert state.actors[0] == 2
    plays(state, 2, lawful=True)
    assert sum(state.value("score").values()) == 1 and not state.zone("trick")


@pytest.mark.parametrize("others", [0, 1])
def test_who_led_it_leads_again_and_those_who_followed_take_theirs_back(tmp_path: Path, others: int) -> None:
    state = revoking(tmp_path)
    plays(state, 0, lawful=False)
    if others:
        plays(state, 1, lawful=True)
    state.play(2, "claim P1")
    assert state.actors[0] == 0 and state.view(0)["trick"] == [] and state.zone("trick") == []
    assert [len(state.zone("hand", player)) for player in range(3)] == [17, 17, 17]
    for player in range(3):
        plays(state, player, lawful=True)
    assert sum(state.value("score").values()) == 1


@pytest.mark.parametrize("seed", range(6))
def test_a_match_goes_on_whoever_is_caught(tmp_path: Path, seed: int) -> None:
    state, chance = revoking(tmp_path, seed), random.Random(seed)
    while not state.over:
        player = state.actors[0]
        lawful = chance.random() < 0.7
        wrong = {*map(str, state.possible_moves(player))} - {*map(str, state.legal_moves(player))}
        plays(state, player, lawful=lawful or not any(move.startswith("play") for move in wrong))
        caught = next((fault for fault in state.position.faults if not fault.ends), None) if not state.over else None
        if caught is not None and chance.random() < 0.7:
            state.play((caught.offender + 1) % 3, f"claim P{caught.offender + 1}")
    assert sum(state.value("score").values()) == 17
    assert interpreter.replay(state.record()).to_json() == state.to_json()
