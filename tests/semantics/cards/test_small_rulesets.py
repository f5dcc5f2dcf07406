"""Rules of play that a ruleset of a few lines shows best: several packs on honour, options of each player, bounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import Ruleset, load, replay
from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError

HEAD = """
format: 1
id: small
name: Small
players: {min: 2, max: 2}
"""
TURNS_OF_THEIR_OWN = """
pack: {standard: 2, only: [A]}
ranks: [A]
zones: {stock: {pack: true}, hand: {each: player, seen by: owner}, pile: {}}
state: {n: {type: integer, lasts: turn}}
flow:
  match: {setup: deal 4 from stock to hand, do: [t]}
  t:
    kind: turn
    first: P2
    turns: 8
    actions:
      throw: {when: n = 1, choose: {card: {from: hand}}, effect: move card to pile}
      toss: {when: n = 1, choose: {cards: {from: hand, count: 2}}, effect: move cards to pile}
      wait: {effect: add 1 to n; stay}
"""
OF_EACH = """
options:
  favourite: {type: suit, default: hearts, each: player}
  lucky: {type: card, default: ad, each: player}
  dropped: {type: list of rank, default: [A], each: player}
pack: {standard: 1, only: [A, 10]}
ranks: [10, A]
zones: {stock: {pack: true}}
state: {chosen: {type: suit, optional: true, lasts: match}, fits: {type: flag, lasts: match}}
flow:
  match: {do: [t]}
  t: {kind: turn, first: P1, turns: 2, actions: {go: {effect: EFFECT}}}
"""
FINES = """
pack: {standard: 1, only: [A]}
ranks: [A]
zones: {stock: {pack: true}}
state: {paid: {type: integer, lasts: match}}
flow:
  match: {do: [t]}
  t:
    kind: turn
    first: P1
    turns: 9
    actions:
      owe: {choose: {n: {number: 0..20}}, effect: call fine with fee = n}
      forget: {effect: call fine}
  fine:
    kind: ask
    with: {fee: {type: integer, min: 1, max: 9, optional: true}}
    players: P1
    actions: {pay: {effect: add 1 to paid}, raise: {effect: add 5 to fee; add fee to paid}}
"""
MEASURED_ROWS = """
pack: {standard: 1, only: [A, K]}
ranks: [K, A]
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, pile: {}}
state: {total: {type: integer, lasts: match}, wanted: {type: suit, optional: true, lasts: match}}
cards:
  A: {choose: {suit: {suits: all}}, effect: set wanted to suit}
  K: {effect: add 10 to total}
flow:
  match: {setup: deal 4 from stock to hand, do: [t]}
  t:
    kind: turn
    first: P1
    turns: 4
    actions:
      throw:
        choose: {card: {from: hand}}
        row: card
        measured: {far: 1..9}
        effect: move card to pile; add far to total
"""
FACE_DOWN = """
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, pile: {}, heap: {seen by: none}}
define: {cover(c): {effect: turn down c}}
flow:
  match: {do: [t]}
  t:
    kind: turn
    first: P1
    turns: 9
    actions:
      lay: {choose: {card: {from: hand}}, effect: EFFECT}
      dig: {choose: {card: {from: pile}}, effect: move card to heap}
      rake: {choose: {cards: {from: pile, count: 2}}, effect: move cards to heap}
"""
HELD_ONE = {"at": "t", "current": "P1", "hand": {"P1": "AC KC", "P2": "AD KD"}, "rest": "stock"}


def made(tmp_path: Path, text: str) -> Ruleset:
    path = tmp_path / "small.yaml"
    path.write_text(HEAD + text)
    return load(path)


@pytest.mark.parametrize("move", ["throw AC", "toss AC AD"])
def test_a_move_out_of_turn_moves_cards_of_several_packs_from_where_they_lie(tmp_path: Path, move: str) -> None:
    given = {"at": "t", "current": "P1", "hand": {"P1": "AC AH", "P2": "AC AD AD"}, "rest": "stock"}
    state = made(tmp_path, TURNS_OF_THEIR_OWN).game(enforcement="honor").start(given=given)
    state.play(0, "wait")
    state.play(1, move)
    assert sorted(state.zone("pile")) == move.split()[1:]
    assert sum(len(state.zone(name)) for name in ("stock", "hand", "pile")) == 8
    assert (state.zone("hand", 0), len(state.zone("hand", 1))) == (["AC", "AH"], 3 - len(state.zone("pile")))


@pytest.mark.parametrize(
    "effect",
    [
        "move card to pile face down",
        "move card to pile; turn down card",
        "move card to pile; cover(card)",
        "move card to pile; turn down all c in pile where c = card",
    ],
)
def test_a_card_that_lies_face_down_where_all_see_the_others_is_chosen_by_position(tmp_path: Path, effect: str) -> None:
    given = {"at": "t", "current": "P1", "hand": {"P1": "AD", "P2": "2C"}, "pile": "KC", "rest": "stock"}
    state = made(tmp_path, FACE_DOWN.replace("EFFECT", effect)).game().start(given=given)
    assert [str(m) for m in state.legal_moves(0) if m.action == "dig"] == ["dig KC"]
    state.play(0, "lay AD")
    offered = {str(move) for move in [*state.legal_moves(1), *state.possible_moves(1)]}
    assert "dig 1" in offered
    assert not any("AD" in text for text in offered)
    known = len(state.view(1)["log"])
    state.play(1, "dig 1")
    assert state.zone("heap") == ["AD"]
    assert not any("AD" in str(event) for event in state.view(1)["log"][known:])


def test_an_option_of_each_player_is_what_its_type_says(tmp_path: Path) -> None:
    effect = "'set chosen to favourite; if favourite = hearts and lucky = AD then set fits end'"
    game = made(tmp_path, OF_EACH.replace("EFFECT", effect)).game()
    state = game.start(seed=1)
    state.play(0, "go")
    values = state.view(0)["values"]
    assert (values["chosen"], values["fits"]) == ("hearts", True)


def test_a_state_with_a_list_of_each_player_is_restored(tmp_path: Path) -> None:
    game = made(tmp_path, OF_EACH.replace("EFFECT", "set fits")).game(options={"dropped": [["A"], ["10", "A"]]})
    state = game.start(seed=1)
    state.play(0, "go")
    assert game.restore(state.to_json()).to_json() == state.to_json()


@pytest.mark.parametrize("fee", [0, 10])
def test_a_stage_is_not_called_with_a_number_out_of_its_bounds(tmp_path: Path, fee: int) -> None:
    state = made(tmp_path, FINES).game().start(seed=1)
    with pytest.raises(RuleError, match=f"'fee' would become {fee}, but it goes from 1 to 9"):
        state.play(0, f"owe {fee}")
    assert state.phase == "t"


def test_the_argument_of_a_stage_stays_within_its_bounds(tmp_path: Path) -> None:
    state = made(tmp_path, FINES).game().start(seed=1)
    state.play(0, "owe 9")
    with pytest.raises(RuleError, match="'fee' would become 14, but it goes from 1 to 9"):
        state.play(0, "raise")
    state.play(0, "pay")
    state.play(1, "owe 4")
    state.play(0, "raise")
    assert state.view(0)["values"]["paid"] == 10


def test_an_argument_that_may_be_none_may_be_left_out_though_it_has_bounds(tmp_path: Path) -> None:
    state = made(tmp_path, FINES).game().start(seed=1)
    state.play(0, "forget")
    assert state.phase == "fine"


def test_the_row_of_a_card_and_what_is_measured_go_together(tmp_path: Path) -> None:
    state = made(tmp_path, MEASURED_ROWS).game().start(given=HELD_ONE)
    state.play(0, "throw AC hearts", far=3)
    state.play(1, "throw KD", far=4)
    values = state.view(0)["values"]
    assert (values["total"], values["wanted"]) == (17, "hearts")
    with pytest.raises(IllegalMove, match="far is a number from 1 to 9"):
        state.play(0, "throw KC", far=10)


def test_a_state_after_a_tick_in_which_all_was_refused_is_restored(tmp_path: Path) -> None:
    game = made(tmp_path, FINES).game()
    state = game.start(seed=1)
    state.play_together([(0, "grab 1", {"x": -1})])
    assert replay(state.record()).to_json() == game.restore(state.to_json()).to_json() == state.to_json()


def test_a_saved_state_marks_refused_moves_in_one_way_only(tmp_path: Path) -> None:
    game = made(tmp_path, FINES).game()
    state = game.start(seed=1)
    state.play_together([(0, "owe 99", {})])
    data = json.loads(state.to_json())
    data["moves"][0][3]["refused"] = {"x": -1}
    with pytest.raises(ValueError, match="this is not a saved state of this game"):
        game.restore(json.dumps(data))
