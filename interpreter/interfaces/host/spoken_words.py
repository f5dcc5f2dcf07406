"""What may be said with a move by who may not talk: phrases of the rules, one behind the other, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

from interpreter.base.english import NUMBER_WORDS
from interpreter.engine.failures import Ruled
from interpreter.engine.from_words import read_args
from interpreter.engine.meaning import Offer
from interpreter.engine.notation import IllegalMove, params_of
from interpreter.engine.refusing import check_open
from interpreter.engine.rule_errors import RuleError

if TYPE_CHECKING:
    from interpreter.engine.position import Position
    from interpreter.engine.program import ActionCode

SIGNS = frozenset(" .,;:!?'\"-/()")
"""What stands between words."""
MOST_STEPS = 500_000
"""In which it is found out whether a text may be said: some tenths of a second. A sentence takes some hundreds."""
MOST_FOR_ANYTHING = 3
"""Words that can stand where a phrase leaves open what it is."""
Pieces = Sequence[str | Sequence[str]]
Ways = Mapping[int, Set[tuple[str, ...]]]
"""What can stand for a piece, in words, by how many there are."""


def said_in(move: str) -> str:
    """What is said with a move, as it stands in its text."""
    return move.partition('"')[2]


def texts_in(s: Position, player: int, action: ActionCode, move: str) -> list[str]:
    """The words of the player's own in the text of a move that can be made: those that are chosen, in quotes or not,
    and those said. Of one that cannot be nobody hears; that words of it are none to be said would tell why."""
    try:
        with Ruled(s):
            args, words, _ = read_args(s, player, action, move)
            if not _can_be_made(s, player, action, args):
                return []
            chosen = [a for p, a in zip(params_of(s, player, action, args), args, strict=True) if p.form == "text"]
    except (IllegalMove, RuleError):
        return []
    return [text for text in (*chosen, words) if text]


def _can_be_made(s: Position, player: int, action: ActionCode, args: tuple[Any, ...]) -> bool:
    """Whether a move is one that is not refused, whatever is said with it."""
    offer = Offer(s, player, action)
    if s.program.honor:
        return offer.possible(args) is not None
    check_open(s, player, action)
    return offer.lawful(args) is not None


class Sayable:
    """What can be said in one match. phrases: each in pieces: texts, and lists of what can stand there; where a list is
    empty, a few numbers and `names`."""

    def __init__(self, phrases: Iterable[Pieces], names: Collection[str]) -> None:
        phrases = list(phrases)
        self._known = [[_ways(piece) for piece in phrase] for phrase in phrases]
        self._signs = SIGNS | {sign for phrase in phrases for piece in phrase for way in piece for sign in way}
        self._named = {word for name in names for word in _words(name)}

    def allows(self, said: str) -> bool:
        """Whether a text is made of phrases, as far as that is found out in so many steps."""
        words = tuple(_words(said))
        if not all(re.match(r"\w", sign) or sign in self._signs for sign in said):
            return False
        free = [0] * (len(words) + 1)
        for at in range(len(words) - 1, -1, -1):
            if words[at].isdecimal() or words[at] in NUMBER_WORDS or words[at] in self._named:
                free[at] = free[at + 1] + 1
        ends = [False] * (len(words) + 1)
        ends[0] = True
        steps = 0
        for at in range(len(words)):
            for phrase in self._known if ends[at] else ():
                found, took = _ends(words, at, phrase, free)
                steps += took
                if steps > MOST_STEPS:
                    return False
                for end in found:
                    ends[end] = True
        return ends[-1]


def _ends(words: tuple[str, ...], at: int, phrase: Iterable[Ways | None], free: Sequence[int]) -> tuple[set[int], int]:
    """Where a phrase that begins at a word can end, and how many steps it takes to find that out. free: for how many
    words from each on anything stands."""
    ends, steps = {at}, 0
    for piece in phrase:
        steps += len(ends) * (MOST_FOR_ANYTHING if piece is None else len(piece) + sum(piece))
        if not ends or steps > MOST_STEPS:
            break
        if piece is None:
            ends = {end + more for end in ends for more in range(1, min(MOST_FOR_ANYTHING, free[end]) + 1)}
        else:
            ends = {end + length for end in ends for length in piece if words[end : end + length] in piece[length]}
    return ends, steps


def _ways(piece: str | Sequence[str]) -> Ways | None:
    """What can stand for a piece; None: anything."""
    if isinstance(piece, str):
        piece = [piece]
    found: dict[int, set[tuple[str, ...]]] = {}
    for way in piece:
        words = tuple(_words(way))
        found.setdefault(len(words), set()).add(words)
    return found or None


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
