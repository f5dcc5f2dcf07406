"""How long a rulebook may be: what is documented is told wherever it is used, so a few lines could fill a shelf."""

from __future__ import annotations

from interpreter.base.signs import ToldError

MAX_LETTERS = 1_000_000
"""Of a whole book: some thirty times the longest of a shipped game."""
CARD_DRAWN = 100
"""Letters that a card counts besides: a page draws it."""
MAX_SAID = 10 * MAX_LETTERS
"""Of all phrases that are looked for on the way to it, many of which are parts of one another."""


class TooLong(ToldError):
    """A rulebook that would be longer than anybody reads."""


def check_length(letters: int, title: str, in_all: bool = False) -> None:
    """Raise TooLong if so many letters are too many for the book of a game. in_all: of all phrases."""
    if letters > (MAX_SAID if in_all else MAX_LETTERS):
        raise TooLong(
            f"the rulebook of '{title}' has more than {MAX_LETTERS:,} letters, so it is not told: what "
            "stands in 'doc', and what things are called, is said wherever they are used, and could be shorter"
        )
