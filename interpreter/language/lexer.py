"""Cuts short texts into words, signs and numbers, as the place in the grammar allows them.

A word is cut out first and looked up then; Lark's contextual lexer makes one large pattern for each set of tokens that
can follow, which takes longer than reading a ruleset. Where nothing is found that can follow, Lark is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

Match = Callable[[str, int], re.Match[str] | None]

NAME = "NAME"
"""The token that any word may be."""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*").match


class Terminal(NamedTuple):
    """A kind of token: what it looks like, a pattern or a plain text, and whether it is looked for before others."""

    name: str
    pattern: str
    plain: bool
    priority: int
    widest: int


class Lexer:
    """Finds the tokens that Lark's contextual lexer finds, or none."""

    def __init__(self, terminals: Sequence[Terminal], ignored: Sequence[str]) -> None:
        """ignored: the names of those that stand between others and say nothing."""
        ordered = sorted(terminals, key=lambda t: (-t.priority, -t.widest, -len(t.pattern), t.name))
        words = [t for t in ordered if t.plain and t.pattern.isidentifier()]
        self._words = {t.pattern: t.name for t in words}
        """The words of the language that are nothing else anywhere, and their tokens."""
        self._patterns = {t.name: re.escape(t.pattern) if t.plain else t.pattern for t in ordered if t not in words}
        """All other tokens, those that come before others first."""
        self._before_words = [t.name for t in ordered if t.priority > 0 and t not in words]
        self._matches: dict[str, Match] = {}
        self.skip = re.compile(f"(?:{'|'.join(self._patterns[name] for name in ignored)})*").match
        """Finds what says nothing from a place on."""
        self._tried: dict[tuple[int, bool], list[tuple[str, Match]]] = {}

    def token(self, text: str, begin: int, state: int, accepted: Collection[str]) -> tuple[str, int]:
        """The token that stands somewhere, and where it ends; "" where none fits.

        state: a number for the tokens that can follow.
        """
        word = _WORD(text, begin)
        key = state, word is None
        for name, match in self._tried.get(key) or self._to_try(key, accepted):
            found = match(text, begin)
            if found is not None:
                return name, found.end()
        if word is not None:
            kind = self._words.get(word[0], "")
            if kind in accepted:
                return kind, word.end()
            if NAME in accepted:
                return NAME, word.end()
        return "", begin

    def _to_try(self, key: tuple[int, bool], accepted: Collection[str]) -> list[tuple[str, Match]]:
        """What may stand in a state where there is a sign or number, or before it is looked what a word is."""
        names = self._patterns if key[1] else self._before_words
        found = [(name, self._match(name)) for name in names if name in accepted and name != NAME]
        self._tried[key] = found
        return found

    def _match(self, name: str) -> Match:
        if name not in self._matches:
            self._matches[name] = re.compile(self._patterns[name]).match
        return self._matches[name]
