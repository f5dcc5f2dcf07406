"""What can be said with a move by somebody who may not talk."""

from __future__ import annotations

import pytest

from interpreter.interfaces.host.spoken_words import is_phrases, said_in

PHRASES = [["Last card!"], ["I want", ["hearts", "♠ spades"]], ["That makes", []]]


@pytest.mark.parametrize(
    ("said", "may"),
    [
        ("", True),
        ("last card", True),
        ("Last card! I want hearts", True),
        ("i want ♠ spades", True),
        ("that makes 31", True),
        ("that makes 31 for 10H", False),
        ("that makes 10H 10H", True),
        ("I want", False),
        ("last card is the king", False),
        ("last card <b>", False),
    ],
)
def test_phrases_alone_can_be_said_one_behind_the_other(said: str, may: bool) -> None:
    assert is_phrases(said, PHRASES, ["10H"]) is may


def test_what_is_said_with_a_move_stands_in_quotes() -> None:
    assert said_in('play 7H "last card"') == 'last card"'
    assert said_in("play 7H") == ""
