"""Which moves are not taken back: behind which the rules show cards, that draw again and again, by which the answer
would tell what is spoken of in secret, and too many."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import State
from interpreter.engine.redrawing import DRAWN, LEARNED, LOOKED
from interpreter.engine.taking_back import MOST_BACK, course_of

RULES = """\
format: 1
id: back
name: Back
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  kitty: {seen by: KITTY}
  open: {}
  box: {seen by: none}
state: {armed: {type: flag, lasts: match}}
flow:
  match: {first dealer: P1, repeat: deal, until: 1 = 2, winners: none}
  deal: {setup: gather all to stock; shuffle stock; SETUP, do: [play, after], next dealer: left}
  after: {effect: AFTER}
  play:
    kind: turn
    first: FIRST
    turns: 2 each
    anytime: {arm: {effect: set armed}ANYTIME}
    actions:
      draw: {effect: move 1 from stock to hand; stay}
      tidy: {effect: gather box to open; stay}
      name: {choose: {c: {kinds: pack, seen by: owner}}, effect: stay}
      wait: {}
"""
PLAIN = {
    "KITTY": "none", "SETUP": "deal 5 from stock to hand; move 5 from stock to kitty", "AFTER": "clear armed",
    "FIRST": "P1", "ANYTIME": "",
}  # fmt: skip


def begun(folder: Path, **said: str) -> State:
    text = RULES
    for key, plain in PLAIN.items():
        text = text.replace(key, said.get(key, plain))
    path = folder / "back.yaml"
    path.write_text(text, encoding="utf-8")
    return interpreter.load(path).game().start(seed=4)


@pytest.mark.parametrize("shows", ["move all from hand of P2 to open", "show hand of P2 to everyone"])
def test_what_the_rules_show_behind_a_move_is_not_shown_by_its_player(tmp_path: Path, shows: str) -> None:
    state = begun(tmp_path, AFTER=shows)
    for player in (0, 1, 0, 1):
        state.play(player, "wait")
    with pytest.raises(ValueError, match=LEARNED):
        state.undo(9, 2, [0])


@pytest.mark.parametrize("kitty", ["P2", "none"])
def test_what_nobody_owns_is_not_found_out_by_drawing_all_the_rest(tmp_path: Path, kitty: str) -> None:
    deals = "move 5 from stock to hand of P1; move 5 from stock to kitty"
    state = begun(tmp_path, KITTY=kitty, SETUP=deals)
    state.play(0, "draw")
    state.undo(9, 0, [0])
    state.play(0, "draw")
    with pytest.raises(ValueError, match=DRAWN):
        state.undo(10, 0, [0])


def test_to_gather_some_is_not_to_deal_anew(tmp_path: Path) -> None:
    state = begun(tmp_path)
    state.play(0, "draw")
    state.undo(9, 0, [0])
    state.play(0, "tidy")
    state.play(0, "draw")
    with pytest.raises(ValueError, match=DRAWN):
        state.undo(10, 1, [0])


def test_the_answer_does_not_tell_which_card_was_named_in_secret(tmp_path: Path) -> None:
    answers = set()
    for card in ("2C", "drawn"):
        state = begun(tmp_path, FIRST="P2")
        drawn = state.zone("stock")[0]
        state.play(1, f"name {drawn if card == 'drawn' else card}")
        state.play(1, "wait")
        state.play(0, "draw")
        with pytest.raises(ValueError, match=LOOKED) as refused:
            state.undo(8, 2, [0])
        answers.add(str(refused.value))
    assert len(answers) == 1


def test_what_is_offered_at_any_time_is_offered_to_all(tmp_path: Path) -> None:
    snap = ", snap: {when: armed and (top of kitty).colour = red}"
    state = begun(tmp_path, KITTY="P2", FIRST="P2", ANYTIME=snap)
    state.play(0, "arm")
    for people in ([0], None):
        with pytest.raises(ValueError, match=LEARNED):
            state.undo(5, 0, people)
    plain = begun(tmp_path, KITTY="P2", FIRST="P2")
    plain.play(0, "arm")
    plain.undo(5, 0, [0])


def test_as_many_moves_go_at_once_as_are_looked_at(tmp_path: Path) -> None:
    state = begun(tmp_path)
    for _ in range(MOST_BACK + 1):
        state.play(1, "arm")
    with pytest.raises(ValueError, match="more than 500 moves have been made since"):
        state.undo(5, 0)
    course = course_of(state.position, begun(tmp_path).position)
    assert len(course) == MOST_BACK + 2 and {type(one.log) for one in course[:-1]} == {range}
    state.undo(5, 1)
    state.undo(stay=0)


NUMBER = "{type: integer, min: 0, max: 60}"
CALLED = (
    "  called: {with: {n: WITH}, kind: turn, first: P1, turns: 9, actions: {draw: {effect: move 1 from stock to hand}}}"
)


def drawing(folder: Path, done: str, choose: str = "") -> State:
    """P2 has called a stage, in which P1 may draw a card. done: what P2 does for it. choose: what P2 chooses first."""
    text = RULES.replace("      wait: {}\n", f"      wait: {{}}\n      hand_over: {{{choose}effect: '{done}'}}\n")
    if "diary" in done:
        text = text.replace(
            "state: {armed", "state: {diary: {each: player, type: integer, lasts: match, seen by: owner}, armed"
        )
    text = text.replace("state: {", "state: {spoken: {type: card, optional: true, lasts: match}, ")
    text = text.replace("  after:", f"{CALLED.replace('WITH', NUMBER)}\n  after:")
    for key, plain in {**PLAIN, "FIRST": "P2"}.items():
        text = text.replace(key, plain)
    path = folder / "drawing.yaml"
    path.write_text(text, encoding="utf-8")
    return interpreter.load(path).game().start(seed=4)


SECRET = "choose: {k: {number: 0..51, seen by: owner}}, "
HANDED = {
    "a number of an own card": ("", "call called with n = place of (top of hand).rank"),
    "a number of one's own": ("", "call called with n = diary of actor"),
    "what was chosen in secret": (SECRET, "call called with n = k"),
    "what all know, while numbers are kept that not all see": ("", "call called with n = 3; set diary of actor to 3"),
}


@pytest.mark.parametrize("what", HANDED)
def test_the_answer_does_not_tell_with_what_a_stage_was_called(tmp_path: Path, what: str) -> None:
    """The cards that are called by such a number, as all cards have one, would stay where they lie."""
    choose, done = HANDED[what]
    state = drawing(tmp_path, done, choose)
    state.play(1, "hand_over 7" if choose else "hand_over")
    state.play(0, "draw")
    with pytest.raises(ValueError, match=LOOKED):
        state.undo(8, 1, [0])


@pytest.mark.parametrize("spoken", ["top of stock", "bottom of stock"])
def test_the_answer_does_not_tell_of_which_hidden_card_a_variable_speaks(tmp_path: Path, spoken: str) -> None:
    state = drawing(tmp_path, f"set spoken to {spoken}; call called with n = 3")
    state.play(1, "hand_over")
    state.play(0, "draw")
    with pytest.raises(ValueError, match=LOOKED):
        state.undo(8, 1, [0])


@pytest.mark.parametrize(
    ("choose", "done"),
    [
        ("", "call called with n = count of open"),
        ("choose: {k: {number: 0..51}}, ", "call called with n = k"),
        ("", "move 1 from stock to open; set spoken to top of open; call called with n = 3"),
    ],
)
def test_what_all_know_makes_no_secret(tmp_path: Path, choose: str, done: str) -> None:
    state = drawing(tmp_path, done, choose)
    state.play(1, "hand_over 7" if choose else "hand_over")
    state.play(0, "draw")
    state.undo(8, 1, [0])
