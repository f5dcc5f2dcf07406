"""Cuts short texts into words, signs and numbers, as the place in the grammar allows them.

Lark's contextual lexer makes one large pattern for each set of tokens that can follow, which takes longer than reading
a ruleset. Here a word is cut out first and looked up then. Whatever is neither a token that can follow nor a name is
left to Lark's lexer, which knows best what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from lark.common import LexerConf
from lark.lexer import ContextualLexer, Lexer, LexerState, PatternStr, Token

Match = Callable[[str, int], re.Match[str] | None]

NAME = "NAME"
"""The token that any word may be."""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*").match


class WordLexer(Lexer):
    """Finds the tokens that Lark's contextual lexer finds; where it finds nothing, that one is asked."""

    def __init__(self, conf: LexerConf, states: Mapping[int, Collection[str]], always_accept: Collection[str] = ()):
        """states: of each state of the parser, the tokens that can follow."""
        self._arguments = conf, states, always_accept
        self._careful: ContextualLexer | None = None
        terminals = sorted(
            conf.terminals, key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name)
        )
        words = [t for t in terminals if isinstance(t.pattern, PatternStr) and t.pattern.value.isidentifier()]
        self._words = {t.pattern.value: t.name for t in words}
        """The words of the language that are nothing else anywhere, and their tokens."""
        self._patterns = {t.name: t.pattern.to_regexp() for t in terminals if t not in words}
        """All other tokens, those that come before others first."""
        self._before_words = {t.name for t in terminals if t.priority > 0}
        self._ignored = re.compile(f"(?:{'|'.join(self._patterns[name] for name in conf.ignore)})*").match
        self._accepted = {state: frozenset(names) for state, names in states.items()}
        self._tried: dict[tuple[int, bool], list[tuple[str, Match]]] = {}

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        text, lines = str(getattr(lexer_state.text, "text", lexer_state.text)), lexer_state.line_ctr
        while True:
            at = lines.char_pos
            found = self._ignored(text, at)
            begin = at if found is None else found.end()
            if begin == len(text):
                return
            kind, end = self._kind(text, begin, _WORD(text, begin), parser_state.position)
            if not kind:
                yield from self._carefully(lexer_state, parser_state)
                return
            token = Token(kind, text[begin:end], begin, end_pos=end)
            lines.char_pos = end
            lexer_state.last_token = token
            yield token

    def _kind(self, text: str, begin: int, word: re.Match[str] | None, state: int) -> tuple[str, int]:
        """The token that stands somewhere, and where it ends; "" where none fits."""
        for name, match in self._tried.get((state, word is None)) or self._to_try(state, word is None):
            found = match(text, begin)
            if found is not None:
                return name, found.end()
        if word is not None:
            kind = self._words.get(word[0], "")
            accepted = self._accepted[state]
            if kind in accepted:
                return kind, word.end()
            if NAME in accepted:
                return NAME, word.end()
        return "", begin

    def _to_try(self, state: int, sign: bool) -> list[tuple[str, Match]]:
        """What may stand in a state where there is a sign or number, or before it is looked what a word is."""
        names = [name for name in self._patterns if name in self._accepted[state] and name != NAME]
        tried = names if sign else [name for name in names if name in self._before_words]
        found: list[tuple[str, Match]] = [(name, re.compile(self._patterns[name]).match) for name in tried]
        self._tried[state, sign] = found
        return found

    def _carefully(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        """As Lark does it, from here on to the end."""
        if self._careful is None:
            conf, states, always = self._arguments
            self._careful = ContextualLexer(conf, dict(states), always)
        return self._careful.lex(lexer_state, parser_state)
