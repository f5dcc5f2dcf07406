"""Between which numbers an expression lies: what always or never holds is not asked, and what cannot leave its bounds
is not looked at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import interpreter
from interpreter.api.game import Game

BIDS = """\
format: 1
id: bids
name: Bids
players: {min: 2, max: 4, default: 3}
pack: {standard: 1}
ranks: [A, 2..10, J, Q, K]
options: {most: {type: integer, default: 9, min: 1, max: 20}}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
state:
  score: {each: player, type: integer, lasts: match}
  bid: {each: player, type: integer, min: 0, max: 9, lasts: match}
  maybe: {type: integer, min: 0, max: 9, optional: true, lasts: match}
define:
  sum_of_bids: sum bid of p for p in players
  twice(n): n + n
flow:
  match: {do: [bidding], winners: highest score}
  bidding:
    kind: turn
    turns: 6
    actions:
      say: {choose: {n: {number: LOW..HIGH}}, must: {high: {law: LAW}}, effect: set bid to WHAT}
"""


@pytest.fixture
def game(tmp_path: Path) -> Callable[..., Game]:
    """Makes the game with one law on a number, its ends, and what a bid becomes."""

    def made(law: str = "n >= 0", low: str = "0", high: str = "9", what: str = "n") -> Game:
        path = tmp_path / "bids.yaml"
        path.write_text(BIDS.replace("LAW", law).replace("LOW", low).replace("HIGH", high).replace("WHAT", what))
        return interpreter.load(path).game()

    return made


def body(text: str, function: str) -> str:
    """What a function does, with its name's line."""
    return text.partition(f"def {function}(")[2].partition("\ndef ")[0]


@pytest.mark.parametrize(
    ("law", "low", "high"),
    [
        ("n >= 0", "0", "9"),
        ("n + 1 > 0", "0", "9"),
        ("n <= most", "0", "9"),
        ("not n > 9", "0", "9"),
        ("n + sum_of_bids >= 0", "0", "9"),
        ("n < 10", "0", "9 - sum_of_bids"),
        ("n >= bid of left of actor", "9", "12"),
        ("count of hand >= 0", "0", "9"),
    ],
)
def test_what_always_holds_of_numbers_is_not_asked(game: Callable[..., Game], law: str, low: str, high: str) -> None:
    assert "legal·bidding·say = possible·bidding·say" in game(law, low, high).program.text


@pytest.mark.parametrize(
    ("law", "low", "high"),
    [
        ("n > 0", "0", "9"),
        ("n <= 8", "0", "9"),
        ("n < most", "0", "9"),
        ("n >= bid of left of actor", "8", "12"),
        ("n + maybe >= 0", "0", "9"),  # none is not at least 0
        ("twice(n - 5) >= 0", "0", "9"),  # the parameter of a definition may be anything
        ("n >= score", "0", "9"),
    ],
)
def test_what_may_not_hold_is_asked(game: Callable[..., Game], law: str, low: str, high: str) -> None:
    assert "legal·bidding·say = possible·bidding·say" not in game(law, low, high).program.text


def test_what_cannot_leave_its_bounds_is_not_looked_at(game: Callable[..., Game]) -> None:
    assert "out_of_bounds" not in body(game().program.text, "apply·bidding·say")
    assert "out_of_bounds" in body(game(high="10").program.text, "apply·bidding·say")
    assert "out_of_bounds" in body(game(what="n + bid").program.text, "apply·bidding·say")


@pytest.mark.parametrize(("high", "counted"), [("9 - sum_of_bids", False), ("9 + score", True)])
def test_few_numbers_are_not_counted_against_the_limit(game: Callable[..., Game], high: str, counted: bool) -> None:
    assert ("counted(" in body(game(high=high).program.text, "possible·bidding·say")) == counted


def test_the_same_moves_are_lawful_whether_that_is_settled_or_not(game: Callable[..., Game]) -> None:
    states = [game(law).start(seed=1) for law in ("n + sum_of_bids >= 0", "n + sum_of_bids >= score")]
    for number in range(6):
        moves = [[str(move) for move in state.legal_moves(state.actors[0])] for state in states]
        assert moves[0] == moves[1] and len(moves[0]) == 10
        for state in states:
            state.play(state.actors[0], f"say {number}")


PILES = """\
format: 1
id: piles
name: Piles
players: {min: 2, max: 2}
pack: {standard: 1}
ranks: [A, 2..10, J, Q, K]
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: everyone}
  pile: {each: 1..2, seen by: everyone}
state:
  score: {each: player, type: integer, lasts: match}
  kept: {type: integer, min: 0, max: 0, lasts: match}
define:
  size(s): count of s
  sizes(s): sum 1 for c in s
flow:
  match: {do: [dealing, turns], winners: highest score}
  dealing: {effect: "deal 5 from stock to hand; move 3 from stock to pile of 1"}
  turns:
    kind: turn
    turns: 2
    actions:
      stay_so: {}
      ask: {when: "WHEN"}
      keep: {effect: set kept to size(stock)}
"""


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ("any x in pile has count of x > 1", True),  # a place is no set, and holds several cards
        ("count of (top (size(top 1 of stock)) of hand) = 1 and size(hand) > 3", True),
        ("count of (top (size(top 1 of stock)) of hand) = 1 and size(hand) < 2", False),
        ("count of (top (sizes(top 0 of stock)) of hand) = 0 and sizes(hand) > 3", True),
        ("size((1..9000)) > 2000", True),
        ("size(((1..9000), (9001..9003))) > 9000", True),
    ],
)
def test_what_is_known_of_a_count_is_so_for_every_set_that_is_given(tmp_path: Path, when: str, holds: bool) -> None:
    path = tmp_path / "piles.yaml"
    path.write_text(PILES.replace("WHEN", when))
    state = interpreter.load(path).game().start(seed=1)
    assert ("ask" in [str(move) for move in state.legal_moves(state.actors[0])]) == holds
    with pytest.raises(interpreter.RuleError, match="'kept' would "):
        state.play(state.actors[0], "keep")


def test_sets_that_are_too_large_together_are_not_put_together(tmp_path: Path) -> None:
    path = tmp_path / "piles.yaml"
    many = ", ".join(f"({at}0001..{at + 1}0000)" for at in range(11))
    path.write_text(PILES.replace("WHEN", f"size(({many})) > size(stock)"))
    state = interpreter.load(path).game().start(seed=1)
    with pytest.raises(interpreter.RuleError, match="more than 100,000 things are put together"):
        state.legal_moves(state.actors[0])


def test_the_least_that_is_left_outside_of_melds_is_a_sum(tmp_path: Path) -> None:
    path = tmp_path / "left.yaml"
    text = BIDS.replace("define:\n", "define:\n  rest: least 10 for c in hand outside pair\n")
    text = text.replace("define:\n", "melds: {pair: {same: rank, size: 2}}\ndefine:\n")
    text = text.replace("match: {do", "match: {setup: deal 5 from stock to hand, do")
    path.write_text(text.replace("LOW..HIGH", "0..9").replace("LAW", "rest > 10").replace("WHAT", "n"), "utf-8")
    assert len(interpreter.load(path).game().start(seed=1).legal_moves(0)) == 10  # none of the hand is melded
