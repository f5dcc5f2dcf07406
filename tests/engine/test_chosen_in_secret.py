"""What others have chosen in secret: neither the log nor what is answered to taking moves back tells of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import State

RULES = """\
format: 1
id: secret
name: Secret
players: {only: [3], default: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  gift: {each: player, seen by: owner}
  pile: {seen by: everyone}
state:
  guessed: {each: player, type: flag, lasts: match, seen by: owner}
  wish: {each: player, type: suit, lasts: match, seen by: owner}
flow:
  match: {setup: "shuffle stock; deal 5 from stock to hand", do: [choosing, playing]}
  choosing:
    kind: simultaneous
    actions: {ACTIONS}
  playing:
    kind: turn
    turns: 5 each
    actions: {lay: {choose: {c: {from: hand}}, effect: move c to pile}}
"""
KEEP = "keep: {}, "
GIVE = "give: {choose: {c: {from: hand}}, effect: move c to gift}"


def made(path: Path, actions: str, choices: str) -> State:
    (path / "rules.yaml").write_text(RULES.replace("ACTIONS", actions))
    state = interpreter.load(path / "rules.yaml").game().start(seed=3)
    for player, choice in zip((0, 2, 1), choices.split(", "), strict=False):
        state.play(player, choice if choice != "give" else f"give {state.zone('hand', player)[0]}")
    return state


def answer(state: State, people: tuple[int, ...], stay: int = 0) -> str:
    try:
        state.copy().undo(seed=5, stay=stay, people=people)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("action", "choices"),
    [
        (
            "guess: {choose: {s: {suits: all, seen by: actor}}, "
            "effect: if (top of stock).suit = s then set guessed of actor end}",
            ("guess hearts", "guess spades"),
        ),
        ("peek: {effect: show top of stock to actor}", ("peek",)),
        ("take: {effect: move 1 from stock to gift of actor}", ("take",)),
        ("turn: {effect: turn up top of gift of P1}", ("turn",)),
        ("over: {effect: finish choosing}", ("over",)),
    ],
)
@pytest.mark.parametrize("before", ["keep", "keep, keep"])
def test_it_is_the_same_whatever_others_chose(
    tmp_path: Path, action: str, choices: tuple[str, ...], before: str
) -> None:
    """While others choose still, and when all have chosen."""
    for people in ((0,), (0, 1), (0, 1, 2)):
        told = set()
        for choice in ("keep", *choices):
            told.add(answer(made(tmp_path, KEEP + action, f"{before}, {choice}"), people))
        assert len(told) == 1


def test_what_shows_nobody_a_card_is_taken_back_whatever_it_was(tmp_path: Path) -> None:
    wish = "wish: {choose: {s: {suits: all, seen by: actor}}, effect: set wish of actor to s}"
    for actions, choices in ((GIVE, ("give",)), (KEEP + wish, ("keep", "wish hearts"))):
        for choice in choices:
            state = made(tmp_path, actions, f"{choices[0]}, {choice}")
            assert [answer(state, people) for people in ((0,), (0, 1, 2))] == ["", ""]


def test_an_own_choice_is_taken_back_as_ever(tmp_path: Path) -> None:
    peek = KEEP + "peek: {effect: show top of stock to actor}"
    assert answer(made(tmp_path, peek, "keep"), (0,)) == ""
    assert "looked at" in answer(made(tmp_path, peek, "peek"), (0,))


def test_who_chooses_once_more_has_chosen_once(tmp_path: Path) -> None:
    state = made(tmp_path, KEEP + "look: {effect: stay}", "look")
    assert "P1 has chosen" not in state.view(1)["log"]
    state.play(0, "look")
    state.play(0, "keep")
    assert state.view(1)["log"][-1] == "P1 has chosen" and state.view(1)["log"].count("P1 has chosen") == 1
    assert state.view(0)["log"][-3:] == ["P1 look", "P1 look", "P1 keep"]
