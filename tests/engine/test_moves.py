"""Moves as values, and lists of moves that cost nothing until they are looked at."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

import interpreter
from interpreter import IllegalMove, Move
from interpreter.engine.moves import Choices, Moves, Offered, nth_subset


def test_moves_are_equal_by_text_and_words():
    assert Move("play", (3,), "play 2C") == Move("play", (3,), "play 2C")
    assert Move("play", (3,), "play 2C") != Move("play", (3,), "play 2C", "Two!")
    assert Move("play", (3,), "play 2C") != "play 2C"
    assert len({Move("play", (3,), "play 2C"), Move("play", (3,), "play 2C"), Move("play", (4,), "play 3C")}) == 2


def test_moves_are_ordered_by_action_then_parameters():
    moves = [
        Move("pass", (), "pass"), Move("play", (None,), "play none"), Move("play", (2,), "play 4C"),
        Move("play", (10,), "play QC"), Move("play", (10,), "play QC", "Queen"),
        Move("play", ((1, 2),), "play 3C 4C"), Move("play", ((1, 3),), "play 3C 5C"),
        Move("play", ("red",), "play red"),
    ]  # fmt: skip
    assert sorted(reversed(moves)) == moves
    assert moves[0] < moves[1] <= moves[1] and moves[2] > moves[1]


def test_a_move_as_text():
    assert str(Move("play", (3,), "play 2C")) == "play 2C"
    assert str(Move("play", (3,), "play 2C", "last card")) == 'play 2C "last card"'
    assert repr(Move("play", (3,), "play 2C")) == "<Move play 2C>"
    assert Move("play", (3,), "play 2C").saying("mau").words == "mau"


@given(st.integers(0, 12), st.integers(0, 12))
def test_subsets_by_number(n, size):
    cards = tuple(range(10, 10 + n))
    assert [nth_subset(cards, size, i) for i in range(comb(n, size))] == list(combinations(cards, size))


def test_moves_by_their_arguments_are_made_when_they_are_looked_at() -> None:
    made: list[int] = []

    def make(args: tuple[int, ...]) -> Move:
        made.append(args[0])
        return Move("lay", args, f"lay {args[0]}")

    found = Moves([[Move("draw", (), "draw")], Offered([(5,), (6,), (7,)], make)])
    assert len(found) == 4 and not made
    six = found[2]
    assert six is found[2] and str(six) == "lay 6" and made == [6]
    assert found.place_of(six) == 2 and found.place_of(Move("lay", (6,), "lay 6")) is None
    assert [str(move) for move in found] == ["draw", "lay 5", "lay 6", "lay 7"] and made == [6, 5, 7]
    assert found[-1] is found[3] and [*map(str, found[1:3])] == ["lay 5", "lay 6"] and six in found
    with pytest.raises(IndexError):
        found[4]


def choices(n: int, low: int, high: int) -> Choices:
    return Choices(
        tuple(range(n)), low, high, lambda cards: Move("pass", (cards,), " ".join(["pass", *map(str, cards)]))
    )


@given(st.integers(0, 7), st.integers(0, 8), st.integers(0, 8))
def test_choices_behave_like_the_list_of_them(n, low, high):
    lazy = choices(n, low, high)
    listed = [str(move) for move in lazy]
    assert len(lazy) == len(listed) == len(set(listed))
    assert [str(lazy[i]) for i in range(len(lazy))] == listed
    assert [str(lazy[i]) for i in range(-len(lazy), 0)] == listed
    assert [str(move) for move in lazy[1:5:2]] == listed[1:5:2]
    assert all(move in lazy for move in lazy)
    for move in list(lazy)[:5]:
        assert str(lazy[lazy.index(move)]) == str(move)
    for outside in (len(lazy), -len(lazy) - 1):
        with pytest.raises(IndexError):
            lazy[outside]


def test_choices_contain_only_what_they_list():
    lazy = choices(5, 2, 3)
    assert lazy[0] in lazy
    assert Move("play", ((0, 1),), "play 0 1") not in lazy
    assert Move("pass", ((0,),), "pass 0") not in lazy
    assert Move("pass", ((0, 9),), "pass 0 9") not in lazy
    assert Move("pass", ((1, 1),), "pass 1 1") not in lazy
    assert lazy[0].saying("hello") not in lazy
    assert "pass 0 1" not in lazy


def test_a_million_choices_cost_nothing():
    lazy = choices(52, 5, 5)
    assert len(lazy) == 2_598_960
    assert str(lazy[2_598_959]) == "pass 47 48 49 50 51"
    assert lazy[1_234_567] in lazy


def test_several_lists_are_one():
    both = Moves([choices(3, 1, 1), [], [Move("knock", (), "knock")]])
    assert [str(move) for move in both] == ["pass 0", "pass 1", "pass 2", "knock"]
    assert len(both) == 4 and str(both[3]) == str(both[-1]) == "knock"
    assert [str(move) for move in both[::2]] == ["pass 0", "pass 2"]
    assert Move("knock", (), "knock") in both and both.index(both[3]) == 3
    assert repr(both) == "<4 moves>"
    with pytest.raises(IndexError):
        both[4]
    with pytest.raises(IndexError):
        both[-5]


# ---- text and back ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("pass 2C 3H 4D", "pass 2C 4D 3H"),
        ("pass 4d 3h 2c", "pass 2C 4D 3H"),
        ("  pass   TH 9c 2S ", "pass 2S 9C 10H"),
        ('pass 2C 3H 4D "there you are"', 'pass 2C 4D 3H "there you are"'),
        ("pass 2C 3H 4D silent", "pass 2C 4D 3H"),
    ],
)
def test_parse_takes_what_people_write(text, canonical):
    state = interpreter.load("hearts").game().start(seed=1)
    move = state.parse(0, text)
    assert sorted(str(move).split()) == sorted(canonical.split())
    assert state.parse(0, str(move)) == move


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no_such_move: a move is an action and what it is about, such as 'play 7C'"),
        ('"hello"', "no_such_move: a move is an action and what it is about, such as 'play 7C'"),
        ("fly", "no_such_move: there is no move 'fly' here; possible now: pass"),
        ("pass 2C 3X", "no_such_move: '3X' is not a card such as 10H"),
        ("pass XX", "no_such_move: 'XX' is not a card such as 10H"),
        ("pass 2C 2C 3C", "no_such_move: there are not so many 2C"),
    ],
)
def test_parse_says_what_is_wrong(text, message):
    state = interpreter.load("hearts").game().start(seed=1)
    with pytest.raises(IllegalMove) as caught:
        state.parse(0, text)
    assert str(caught.value) == message


def test_a_list_of_moves_is_a_snapshot():
    state = interpreter.load("hearts").game().start(seed=1)
    moves = state.legal_moves(0)
    before = [str(move) for move in moves]
    state.play(0, moves[5])
    assert [str(move) for move in moves] == before and len(moves) == len(before)
    assert list(state.legal_moves(0)) == []
