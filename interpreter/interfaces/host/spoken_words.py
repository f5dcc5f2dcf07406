"""What may be said with a move by who may not talk: phrases of the rules, one behind the other, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

SIGNS = frozenset(" .,;:!?'\"-/()")
"""What stands between words."""
MOST_FOR_ANYTHING = 3
"""Words that can stand where a phrase leaves open what it is."""
Pieces = Sequence[str | Sequence[str]]


def said_in(move: str) -> str:
    """What is said with a move, as it stands in its text."""
    return move.partition('"')[2]


def is_phrases(said: str, phrases: Iterable[Pieces], names: Collection[str]) -> bool:
    """Whether a text is made of phrases. Pieces of a phrase: texts, and lists of what can stand there; where a list is
    empty, a few numbers and `names`."""
    phrases = list(phrases)
    known = [[_ways(piece) for piece in phrase] for phrase in phrases]
    signs = SIGNS | {sign for phrase in phrases for piece in phrase for way in piece for sign in way}
    named = {word for name in names for word in _words(name)}
    words = _words(said)
    if not all(re.match(r"\w", sign) or sign in signs for sign in said):
        return False
    ends = [False] * (len(words) + 1)
    ends[0] = True
    for at in range(len(words)):
        if ends[at]:
            for phrase in known:
                for end in _ends(words, at, phrase, named):
                    ends[end] = True
    return ends[-1]


def _ends(words: Sequence[str], at: int, phrase: Iterable[list[list[str]] | None], named: Collection[str]) -> set[int]:
    """Where a phrase that begins at a word can end."""
    ends = {at}
    for piece in phrase:
        if piece is None:
            ends = {
                end + more
                for end in ends
                for more in range(1, MOST_FOR_ANYTHING + 1)
                if end + more <= len(words)
                and all(word.isdecimal() or word in named for word in words[end : end + more])
            }
        else:
            ends = {end + len(way) for end in ends for way in piece if words[end : end + len(way)] == way}
    return ends


def _ways(piece: str | Sequence[str]) -> list[list[str]] | None:
    """What can stand for a piece, in words; None: anything."""
    if isinstance(piece, str):
        return [_words(piece)]
    return [_words(way) for way in piece] or None


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
