"""Moves are taken back again and again, or after cards were named: neither tells where hidden cards lie."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import Game, State

RULES = """\
format: 1
id: again
name: Again
players: {{min: 2, max: 2}}
pack: {{standard: 1}}
zones:
  stock: {{pack: true, seen by: none}}
  hand: {{each: player, seen by: owner}}
  row: {{each: player, seen by: none}}
  pouch: {{each: player, seen by: owner, count seen by: owner}}
  pool: {{seen by: none}}
  line: {{seen by: none}}
state: {{score: {{each: player, type: integer, lasts: match}}, armed: {{type: flag, lasts: match}}}}
flow:
  match: {{do: [deal, play]}}
  deal:
    effect: |
      shuffle stock; deal 3 from stock to hand; deal 6 from stock to row; deal 2 from stock to pouch
      move 3 from stock to pool; move 2 from stock to line; show line to everyone; shuffle line; {setup}
  play:
    kind: turn
    turns: 40 each
    first: P1
    until: {until}
    actions:
      wait: {{}}
      arm: {{effect: set armed}}
      peek: {{effect: show top of row of P2 to actor; stay}}
      pick: {{effect: move 1 at random from row of P2 to hand; stay}}
      name: {{choose: {{k: {{kinds: pack}}}}, effect: stay}}
      draw: {{effect: move 1 from stock to hand}}
      take: {{effect: move 1 from pool to hand; stay}}
      look: {{effect: if (top of hand).colour = red then show top of pouch of actor to actor end}}
      weigh: {{effect: if (top of line).rank > (bottom of line).rank then add 1 to score end; stay}}
"""


def game_of(folder: Path, setup: str = "add 0 to score of P1", until: str = "false", pouch: str = "") -> Game:
    path = folder / "again.yaml"
    text = RULES.format(setup=setup, until=until)
    path.write_text(text.replace("seen by: owner, count seen by: owner", pouch) if pouch else text, encoding="utf-8")
    return interpreter.load(path).game()


def answer(state: State, stay: int | None = None, people: tuple[int, ...] = (0,), seed: int = 6) -> str:
    """Why moves are not taken back; "" if they are."""
    try:
        state.undo(seed, stay, people)
    except ValueError as why_not:
        return str(why_not)
    return ""


@pytest.mark.parametrize("move", ["peek", "pick"])
def test_cards_that_nobody_had_seen_come_to_light_once_before_whomever_they_lie(tmp_path: Path, move: str) -> None:
    state = game_of(tmp_path).start(seed=3)
    accepted = 0
    for seed in range(8):
        state.play(0, move)
        accepted += not answer(state, 0, seed=2 * seed)
    assert accepted == 1


def test_that_a_card_was_named_does_not_let_the_answer_tell_who_draws_it(tmp_path: Path) -> None:
    answers = set()
    game = game_of(tmp_path, pouch="seen by: owner")
    for seed in range(200):
        state = game.start(seed=seed)
        state.play(0, "name QS")
        state.play(0, "wait")
        state.play(1, "draw")
        answers.add(answer(state, 2, people=(0, 1)))
    assert len(answers) == 1


def test_where_counts_are_hidden_nothing_is_taken_back_among_several(tmp_path: Path) -> None:
    """The answer would tell what one of them was shown in secret."""
    game, answers = game_of(tmp_path), set()
    for seed in range(20):
        state = game.start(seed=seed)
        state.play(0, "wait")
        state.play(1, "look")
        answers.add(answer(state, 0, people=(0, 1)))
    assert len(answers) == 1 and answers != {""}


def test_what_came_from_where_counts_are_hidden_may_have_been_seen(tmp_path: Path) -> None:
    setup = (
        "if (top of pouch of P2).colour = red then show top of pouch of P2 to P2 end; move 1 from pouch of P2 to pool"
    )
    game, answers = game_of(tmp_path, setup, pouch="seen by: none, count seen by: none"), set()
    for seed in range(40):
        state = game.start(seed=seed)
        state.play(0, "take")
        answers.add(answer(state, 0))
    assert len(answers) == 1


def test_who_knows_which_cards_lie_there_does_not_know_their_order(tmp_path: Path) -> None:
    state = game_of(tmp_path).start(seed=1)
    state.play(0, "weigh")
    assert "what was learned stays learned" in answer(state)


def test_that_a_place_of_hidden_count_is_empty_is_not_seen_by_everybody(tmp_path: Path) -> None:
    state = game_of(tmp_path, until="armed and pouch of P2 is empty").start(seed=1)
    state.play(0, "arm")
    assert "what was learned stays learned" in answer(state)
    state = game_of(tmp_path, until="armed and hand of P2 is empty").start(seed=1)
    state.play(0, "arm")
    assert answer(state) == ""
