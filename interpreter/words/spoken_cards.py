"""Cards as people say them: the queen of spades, ten of hearts, a queen."""

from __future__ import annotations

import re

from interpreter.base.english import NUMBER_WORDS
from interpreter.engine.program import Program
from interpreter.words.people import SYMBOLS

RANKS = {
    "ace": "A", "king": "K", "queen": "Q", "jack": "J", "deuce": "2",
    **{NUMBER_WORDS[rank]: str(rank) for rank in range(2, 11)},
    **{rank: rank.upper() for rank in "2 3 4 5 6 7 8 9 10 a k q j".split()},
}  # fmt: skip
"""What a rank of the usual pack is called, and how it is written."""
SUITS = {name: letter for suit, (letter, _) in SYMBOLS.items() for name in (suit, suit.removesuffix("s"))}
_CARD = re.compile(rf"\b(?:the )?({'|'.join(RANKS)}) of ({'|'.join(SUITS)})\b", re.IGNORECASE)


def with_cards(text: str, program: Program) -> str:
    """What somebody has typed, with the cards of this game that are written out in full as moves name them."""

    def named(found: re.Match[str]) -> str:
        card = RANKS[found[1].lower()] + SUITS[found[2].lower()]
        return card if card in program.by_name else found[0]

    return _CARD.sub(named, text)


def rank_of(move: str, program: Program) -> str:
    """The rank of the one card that a move is about; nothing if it is about none, or several."""
    ranks = [program.card_rank[program.by_name[word]] for word in move.split() if word in program.by_name]
    return program.ranks[ranks[0]] if len(ranks) == 1 and ranks[0] is not None else ""


def spoken_rank(text: str) -> str:
    """A rank as cards write it, of a word such as `queen`; nothing if it is none."""
    return RANKS.get(text.lower(), "")


def spoken_number(word: str) -> str:
    """A number that is written out, in figures; any other word as it is."""
    return str(NUMBER_WORDS.index(word.lower())) if word.lower() in NUMBER_WORDS else word
