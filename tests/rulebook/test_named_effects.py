"""An effect that its author has described is told in those words, and with what it is given."""

from __future__ import annotations

import interpreter
from interpreter.rulebook.chapters import book
from interpreter.rulebook.terminal import text


def test_numbers_and_words_that_an_effect_is_given_are_told_behind_its_name():
    found = " ".join(text(book(interpreter.load("cribbage").game()), width=100).split())
    assert "the dealer scores at once (“peg”: 2, “the jack turned up”)." in found
