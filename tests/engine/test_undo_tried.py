"""Who takes part may hang on cards that others hold. Where that is asked card by card, it is known whether a move has
told of them; else it is only tried, which misses what comes about seldom, so that such moves go back twice in a
deal."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import interpreter
from interpreter import Game, State
from interpreter.api.record import replay
from interpreter.engine.learned import MOST_TRIED
from interpreter.engine.redrawing import LEARNED, TRIED
from interpreter.engine.rule_errors import RuleError

RULES = """\
format: 1
id: tried
name: Tried
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  row: {}
state: {armed: {type: flag, lasts: match}}
flow:
  match: {first dealer: P1, repeat: deal, until: 1 = 2, winners: none}
  deal: {setup: gather all to stock; shuffle stock; deal 5 from stock to hand, do: [play], next dealer: left}
  play:
    kind: turn
    players: p where p = P1 or not armed or (CONDITION)
    first: P1
    turns: 9 each
    actions:
      arm: {effect: set armed; stay}
      wait: {}
      end_deal: {effect: clear armed; redeal}
"""
SELDOM = " or ".join(f"not ({card} in hand of p)" for card in ("QS", "KS", "AS"))
ANY = "any c in hand of p has c.rank != 2 or c.suit != clubs or place of c.rank >= count of row"
SOME = "any c in hand of p has c.colour = red"


@cache
def game_of(folder: Path, condition: str) -> Game:
    path = folder / "tried.yaml"
    path.write_text(RULES.replace("CONDITION", condition), encoding="utf-8")
    return interpreter.load(path).game()


def armed(state: State) -> State:
    state.play(0, "arm")
    return state


def test_what_was_only_tried_goes_back_twice(tmp_path: Path) -> None:
    state = game_of(tmp_path, SELDOM).start(seed=1)
    for seed in range(MOST_TRIED):
        armed(state).undo(seed, 0, [0])
    with pytest.raises(ValueError, match=TRIED):
        armed(state).undo(7, 0, [0])


def test_moves_before_count_no_less(tmp_path: Path) -> None:
    """Wherever it goes back to, it is not forgotten that it was tried before, but for cards that are dealt anew."""
    state = game_of(tmp_path, SELDOM).start(seed=1)
    for number in range(MOST_TRIED):
        state.play(0, "wait")
        state.play(1, "wait")
        armed(state).undo(number, 2 * number + 2, [0])
    armed(state)
    for stay in (4, 2, 0):
        with pytest.raises(ValueError, match=TRIED):
            state.copy().undo(7, stay, [0])
    state.undo()
    state.play(0, "end_deal")
    stay = len(state.position.record_moves)
    for seed in range(MOST_TRIED):
        armed(state).undo(seed, stay, [0])
    with pytest.raises(ValueError, match=TRIED):
        armed(state).undo(7, stay, [0])


def test_a_record_and_a_saved_state_keep_the_count(tmp_path: Path) -> None:
    game = game_of(tmp_path, SELDOM)
    state = game.start(seed=1)
    for seed in range(MOST_TRIED):
        armed(state).undo(seed, 0, [0])
        state.play(0, "wait")
        again, restored = replay(state.record()), game.restore(state.to_json())
        assert again.view(0) == restored.view(0) == state.view(0)
        assert again.position.setup.tried == restored.position.setup.tried == state.position.setup.tried
        state.undo()
    for other in (again, restored):
        other.play(1, "wait")
        with pytest.raises(ValueError, match=TRIED):
            armed(other).undo(7, 2, [0])


@pytest.mark.parametrize("seed", range(4))
def test_what_is_asked_card_by_card_is_known(seed: int, tmp_path: Path) -> None:
    state = game_of(tmp_path, ANY).start(seed=seed)
    for number in range(9):
        armed(state).undo(number, 0, [0])
    other = game_of(tmp_path / "..", SOME).start(seed=seed)
    with pytest.raises(ValueError, match=LEARNED):
        armed(other).undo(7, 0, [0])


@pytest.mark.parametrize(
    ("condition", "known"),
    [
        (SOME, True),
        (f"armed or not ({SOME})", True),
        ("all c in hand of p have c.suit = hearts", True),
        (f"({SOME}) and (any c in hand of p has c.rank = 2)", False),
        (f"({SOME}) and count of hand of p > 2", False),
        ("(count c in hand of p where c.colour = red) > 2", False),
        ("any c in hand of p has holder of c = p", False),
        ("any c in hand of p has (any d in hand of p has c.rank = d.rank and c != d)", False),
        ("any c in hand of (left of p) has c.colour = red", False),
        ("any c in stock has c.colour = red", False),
    ],
)  # fmt: skip
def test_whether_it_is_asked_card_by_card(condition: str, known: bool, tmp_path: Path) -> None:
    program = game_of(tmp_path, condition).program
    play = program.secrets().stages[program.by_stage["play"]]
    assert play.players_by and bool(play.players_by_card) == known


def test_it_is_counted_how_long_it_takes_to_try_that(tmp_path: Path) -> None:
    heavy = " or ".join(
        f"(any c in hand of p has any d in hand of p has place of c.rank * place of d.rank > {most})"
        for most in range(400, 420)
    )
    path = tmp_path / "heavy.yaml"
    text = RULES.replace("CONDITION", f"not ({heavy})").replace("seen by: owner}", "seen by: owner, capacity: 5}")
    path.write_text(text, encoding="utf-8")
    state = armed(interpreter.load(path).game().start(seed=3))
    for _ in range(12):
        state.play(state.actors[0], "wait")
    before = state.to_json()
    with pytest.raises(RuleError, match="more than 20,000,000 steps"):
        state.undo(seed=5, stay=0)
    assert state.to_json() == before
