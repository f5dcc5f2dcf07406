"""What is told where a match cannot go on: what stands in the way, what came before, and what could be done."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.api.game import Game
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.stuck import stuck

TRICKS = """\
format: 1
id: leaderless
name: Leaderless
players: {min: 2, max: 3}
pack: {standard: 1, only: 2..4}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, trick: {seen by: everyone}}
define: {opener: 2C}
flow:
  match: {setup: shuffle stock; deal 1 from stock to hand, do: [tricks]}
  tricks: {kind: trick, leader: holder of opener}
"""
TURNS = """\
format: 1
id: one-card
name: One card
players: {min: 2, max: 3}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, pile: {seen by: everyone}}
honor: {penalty: nothing}
flow:
  match: {repeat: deal, until: number of deal = 2 and stock is empty}
  deal: {setup: gather all to stock; shuffle stock; deal 1 from stock to hand, do: [laying], next dealer: left}
  laying:
    kind: turn
    first: P1
    turns: 1 each
    actions:
      lay: {choose: {card: {from: hand}}, must: {not_twos: card.rank != 2}, effect: move card to pile}
"""


def game(folder: Path, text: str, enforcement: str = "strict") -> Game:
    path = folder / "it.yaml"
    path.write_text(text, encoding="utf-8")
    return interpreter.load(path).game(enforcement=enforcement)  # type: ignore[arg-type]


def test_where_nobody_leads_the_expression_that_says_who_does_is_named_with_what_it_gave(tmp_path):
    with pytest.raises(RuleError) as found:
        game(tmp_path, TRICKS).start(seed=1, deck=["3C", "4C"])
    message = str(found.value)
    assert "nobody can lead in 'tricks': 'holder of opener' is none (seed 1)" in message
    assert "hint: say who leads then: 'leader: if X is none then left of dealer else X'" in message
    assert found.value.span is not None
    assert TRICKS.splitlines()[found.value.span.line - 1][found.value.span.column - 1 :].startswith("holder of opener")


@pytest.mark.parametrize("log", [True, False], ids=["with a log", "without"])
def test_a_dead_end_on_honour_tells_of_the_move_out_of_turn_before_it_and_the_cure(tmp_path, log):
    state = game(tmp_path, TURNS, "honor").start(seed=1, deck=["8C", "9C"], log=log)
    state.play(1, "lay 9C")  # which stands, so that there is nothing left to lay in turn
    state.play(0, "lay 8C")
    message = str(stuck(state.position, 1))
    assert "a move out of turn came before, and stands: P2 " + ("lay 9C" if log else "in 'laying'") in message
    assert "hint: let such moves be taken back: 'honor: {laws: {in_turn: {breach: taken back}}}'" in message
    assert "add an action that is always possible" not in message


def test_a_dead_end_that_no_move_out_of_turn_has_led_to_keeps_its_own_hint(tmp_path):
    strict = game(tmp_path, TURNS).start(seed=1, deck=["8C", "2C"])
    strict.play(0, "lay 8C")
    state = game(tmp_path, TURNS, "honor").start(seed=1, deck=["8C", "2C"])
    state.play(0, "lay 8C")
    for found in (strict, state):
        message = str(stuck(found.position, 1))
        assert "the law 'not_twos' refuses lay 2C" in message
        assert "out of turn" not in message


@pytest.mark.parametrize("deal", ["deal", "round"])
def test_a_move_out_of_turn_that_was_taken_back_or_lies_in_another_deal_is_not_told(tmp_path, deal):
    taken_back = TURNS.replace("{penalty: nothing}", "{penalty: nothing, laws: {in_turn: {breach: taken back}}}")
    state = game(tmp_path, taken_back, "honor").start(seed=1, deck=["8C", "2C"])
    state.play(1, "lay 2C")
    state.play(0, "lay 8C")
    assert "out of turn" not in str(stuck(state.position, 1))
    text = TURNS.replace("until: number of deal = 2 and stock is empty", "until: number of deal = 3")
    text = text.replace("repeat: deal", f"repeat: {deal}").replace("number of deal", f"number of {deal}")
    text = text.replace("  deal: {", f"  {deal}: {{").replace("turns: 1 each", "turns: 1")
    state = game(tmp_path, text, "honor").start(seed=1)
    state.play(1, str(state.possible_moves(1)[0]))
    state.play(0, str(state.possible_moves(0)[0]))
    assert state.position.runs[state.game.program.by_stage[deal]] == 2
    assert "out of turn" not in str(stuck(state.position, 0))


def test_who_reads_of_anothers_dead_end_is_told_of_no_move_of_theirs(tmp_path):
    strict = game(tmp_path, TURNS).start(seed=1, deck=["8C", "2C"])
    strict.play(0, "lay 8C")
    assert "the law 'not_twos' refuses the one move that is possible" in str(stuck(strict.position, 1, (0,)))
    assert "2C" not in str(stuck(strict.position, 1, (0,))) + str(stuck(strict.position, 1, (0, 1)))
    assert "refuses lay 2C" in str(stuck(strict.position, 1, (1,)))


def test_a_seed_from_which_chance_went_on_elsewhere_is_not_told(tmp_path):
    """It would tell which cards lie where."""
    state = game(tmp_path, TURNS).start(seed=1, deck=["8C", "2C"])
    state.play(0, "lay 8C")
    assert "(seed 1, deal 1)" in str(stuck(state.position, 1))
    state.undo(seed=4711)
    state.play(0, str(state.legal_moves(0)[0]))
    message = str(stuck(state.position, 1))
    assert "no lawful move in 'laying' (deal 1)" in message and "4711" not in message


RACE = """\
format: 1
id: race
name: Race
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}}
state: {done: {type: flag, lasts: match}}
flow:
  match: {do: [racing]}
  racing:
    kind: race
    until: done
    actions:
      slap: {when: actor = P1, must: {not_yet: done}, effect: set done}
      flip: {when: actor = P2, must: {never: done}, effect: set done}
"""


def test_where_nobody_has_a_move_in_a_race_the_laws_are_told_that_stand_in_anybodys_way(tmp_path):
    position = game(tmp_path, RACE).start(seed=1).position
    message = str(stuck(position, 0))
    assert "nobody has a lawful move in 'racing'" in message
    assert "the law 'not_yet' refuses slap" in message and "the law 'never' refuses flip" in message
    assert "hint: let one of these laws give way, or let the race end: see its 'until'" in message
    assert "refuses the one move that is possible" in str(stuck(position, 0, (0,)))
