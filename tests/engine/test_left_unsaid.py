"""On honour a move without the one thing that must be said: what holds instead is done, or the move is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import IllegalMove
from interpreter.api.game import State

RULES = """\
format: 1
id: left
name: Left
players: {min: 2, max: 2}
pack: {standard: PACKS}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  pile: {each: 1..2}
  discard: {}
flow:
  match: {setup: deal HELD from stock to hand; move 1 from stock to pile of 1, do: [go]}
  go:
    kind: turn
    turns: 40
    actions:
      shed: {choose: {card: {CHOSEN}MORE}SAID, effect: move card to discard}
      draw: {effect: move 1 from stock to hand}
honor: {penalty: nothing}
"""
ONE = "from: hand, said: true, else: bottom of hand"
SEVERAL = "from: hand, count: 1..2, said: true, else: top 2 of hand"
MANY = "from: hand, count: 1..9, said: true, else: top 2 of hand"
ONLY = "{standard: 1, only: 7..A}"
ANNOUNCED = ', say: "{card}!"'


def begun(
    folder: Path, chosen: str, more: str = "", said: str = "", packs: int = 1, held: int = 5, rules: str = RULES
) -> State:
    path = folder / "left.yaml"
    rules = rules.replace("PACKS", str(packs)).replace("HELD", str(held)).replace("CHOSEN", chosen)
    path.write_text(rules.replace("MORE", more).replace("SAID", said), encoding="utf-8")
    return interpreter.load(path).game(2, enforcement="honor").start(seed=3, log=True)


def shed(state: State) -> list[str]:
    found: list[str] = state.view(0)["zones"]["discard"]["cards"]
    return found


def faults(state: State) -> list[str]:
    return [fault.law for fault in state.position.faults]


@pytest.mark.parametrize("text", ["shed", "shed unsaid"])
@pytest.mark.parametrize("said", ["", ANNOUNCED])
@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize(("chosen", "gone", "held"), [(ONE, 1, 5), (SEVERAL, 2, 5), (MANY, 2, 24)])
def test_what_holds_instead_is_carried_out_and_is_a_fault(
    text: str, said: str, packs: int, chosen: str, gone: int, held: int, tmp_path: Path
) -> None:
    state = begun(tmp_path, chosen, said=said, packs=packs, held=held)
    hand = state.view(0)["zones"]["hand"]["P1"]["cards"]
    state.play(0, text)
    assert len(shed(state)) == gone and set(shed(state)) <= set(hand)
    assert faults(state)[0] == "card"


@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize(
    "chosen",
    [
        "from: hand, said: true, else: top of stock",
        "from: hand, said: true, else: bottom of discard",
        "from: hand, count: 1..2, said: true, else: hand",
        "from: hand, count: 1..2, said: true, else: none",
    ],
)
def test_what_cannot_be_chosen_instead_is_not_possible(chosen: str, packs: int, tmp_path: Path) -> None:
    state = begun(tmp_path, chosen, packs=packs)
    before = state.to_json()
    for text in ("shed", "shed unsaid"):
        with pytest.raises(IllegalMove, match="not_possible"):
            state.play(0, text)
    assert "shed" not in map(str, state.possible_moves(0))
    assert state.to_json() == before and not state.over


@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize(
    ("chosen", "more"),
    [
        (ONE, ""),
        (SEVERAL, ""),
        (ONE, ", suit: {suits: all, said: true, else: card.suit}"),
        ('from: "(hand, pile of 1)", said: true, else: top of pile of 1', ""),
        ("from: hand of left of actor, said: true, else: top of hand of left of actor", ""),
        (ONE, ", loudly: {flag: true, said: true, else: true}, times: {number: 1..2}"),
    ],
)
@pytest.mark.parametrize("said", ["", ANNOUNCED])
def test_whatever_is_listed_can_be_read_back_and_carried_out(
    chosen: str, more: str, packs: int, said: str, tmp_path: Path
) -> None:
    state = begun(tmp_path, chosen, more, said, packs)
    listed = state.possible_moves(0)
    assert any(str(move).partition('"')[0].split() == ["shed"] or "unsaid" in str(move) for move in listed)
    for move in listed:
        one, two = state.copy(), state.copy()
        one.play(0, move)
        two.play(0, str(move))
        assert one.to_json() == two.to_json(), move


def test_what_follows_is_not_asked_of_a_card_that_is_not_there(tmp_path: Path) -> None:
    chosen = "from: hand, said: true, else: top of discard"
    state = begun(tmp_path, chosen, ", suit: {suits: all, said: true, else: card.suit}")
    with pytest.raises(IllegalMove, match="not_possible"):
        state.play(0, "shed")


@pytest.mark.parametrize("packs", [1, 2])
def test_a_named_card_of_several_packs_is_the_one_that_is_there(packs: int, tmp_path: Path) -> None:
    state = begun(tmp_path, "kinds: pack, said: true, else: bottom of hand", packs=packs)
    state.play(0, "shed")
    assert faults(state) == ["card"]


def test_cards_that_are_too_many_to_be_listed_can_be_said(tmp_path: Path) -> None:
    state = begun(tmp_path, MANY, ", times: {number: 1..2}", held=24)
    hand = state.view(0)["zones"]["hand"]["P1"]["cards"]
    state.copy().play(0, "shed unsaid 1")
    state.play(0, f"shed {' '.join(hand[3:6])} 2")
    assert sorted(shed(state)) == sorted(hand[3:6]) and not faults(state)


@pytest.mark.parametrize("more", ["", ", loud: {flag: true}"], ids=["alone", "with a flag behind"])
def test_words_of_several_that_must_be_said_are_read_back(tmp_path: Path, more: str) -> None:
    """Whether something was said is known by all its words, not by the first."""
    chosen = "from: hand}, how: {choice: [no trumps, low], said: true, else: low"
    state = begun(tmp_path, chosen, more)
    moves = [move for move in state.legal_moves(0) if move.action == "shed"]
    assert {str(move).split(" ", 2)[2] for move in moves} >= {"no trumps", "low"}
    for move in moves:
        assert state.parse(0, str(move)).args == move.args


@pytest.mark.parametrize("numbers", ["20..60", "-3..-1"])
def test_a_number_before_it_is_no_card(tmp_path: Path, numbers: str) -> None:
    """Neither a number beyond the cards of the pack nor one below nothing is taken for a card that is not seen."""
    chosen = f"number: {numbers}}}, suit: {{suits: all, said: true, else: spades"
    rules = RULES.replace("move card to discard", "move top of hand to discard").replace("{standard: PACKS}", ONLY)
    state = begun(tmp_path, chosen, said=', say: "Mine"', rules=rules)
    unsaid = [move for move in state.possible_moves(0) if move.action == "shed" and move.args[1] is None]
    assert unsaid
    for move in unsaid:
        assert state.parse(0, str(move)).args == move.args
        after = state.copy()
        after.play(0, move)
        assert faults(after)[0] == "suit"


def test_what_is_not_said_is_not_listed_where_what_holds_instead_is_nothing_of_the_game(tmp_path: Path) -> None:
    """Also with the wrong words."""
    state = begun(tmp_path, ONE, ", n: {number: 0..3, said: true, else: '51'}", ', say: "Mine"')
    for move in state.possible_moves(0):
        state.copy().play(0, move)
