"""Reads short texts by the tables that Lark has made of the grammar: the way there where nothing is wrong.

It does what Lark's own parser does with the same tables, and builds our tree at once instead of Lark's. Where a text
does not parse it says only that; Lark reads it again then, and knows what could have stood there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from interpreter.language.lexer import Lexer, Terminal
from interpreter.language.tree_builder import TreeBuilder

END = "$END"


class Extent(NamedTuple):
    """Where in a text something begins and ends."""

    start_pos: int
    end_pos: int


class Word(str):
    """A piece of a text, and where it stands."""

    __slots__ = ("end_pos", "start_pos")

    def __new__(cls, text: str, begin: int, end: int) -> Word:
        made = super().__new__(cls, text[begin:end])
        made.start_pos, made.end_pos = begin, end
        return made

    start_pos: int
    end_pos: int


class _Rule(NamedTuple):
    """What is done when so many parts are complete.

    picked: those that are handed on, with how many that are left out come before each, and whether a part is a list of
    which all are handed on. after: how many are left out at the end. build: what makes a node of them; None: they are
    handed on as a list. alone: whether a single one is handed on as it is.
    """

    origin: str
    parts: int
    picked: tuple[tuple[int, int, bool], ...]
    after: int
    plain: tuple[int, ...] | None
    """The parts handed on where there is nothing else to it."""
    build: Callable[[TreeBuilder, Any, list[Any]], Any] | None
    alone: bool
    passes: bool
    """Whether there is but one part, which is handed on as it is."""


class QuickParser:
    """The parser of the effect language, from the tables of `parser_tables`."""

    def __init__(self, tables: Mapping[str, Any], starts: Sequence[str]) -> None:
        memo = tables["memo"]
        self._memo = memo
        self._tokens: list[str] = tables["tokens"]
        self._rows: list[list[int]] = tables["states"]
        self._states: dict[int, dict[str, int]] = {}
        """What is done at a token: the next state, or -1 - the rule that is complete. Unpacked when first needed."""
        self._rules: dict[int, _Rule] = {}
        self._risen: dict[tuple[int, int, str], int] = {}
        """The state behind two others when rules are done that hand on the one part they have, before a token."""
        self._starts = dict(zip(starts, zip(tables["starts"], tables["ends"], strict=True), strict=True))
        terminals = [memo[n] for n in tables["terminals"]]
        self._lexer = Lexer(
            [
                Terminal(t["name"], p["value"], p["__type__"] == "PatternStr", t["priority"], _widest(p))
                for t in terminals
                for p in (t["pattern"],)
            ],
            tables["ignore"],
        )

    def parse(self, text: str, start: str, builder: TreeBuilder) -> tuple[Any, int] | None:
        """What a text says, and of how many tokens it is; None if it does not parse."""
        state, end = self._starts[start]
        states, values, extents = [state], list[Any](), list[tuple[int, int]]()
        skip, token, unpacked, rules = self._lexer.skip, self._lexer.token, self._states, self._rules
        risen = self._risen
        at = tokens = 0
        while True:
            row = unpacked.get(states[-1]) or self._unpack(states[-1])
            blank = skip(text, at)
            begin = at if blank is None else blank.end()
            kind, at = (END, begin) if begin == len(text) else token(text, begin, states[-1], row)
            while (to := row.get(kind)) is not None and to < 0:
                rule = rules.get(to) or self._rule(to)
                if rule.passes:
                    below, top = states[-2:]
                    states[-1] = risen.get((below, top, kind)) or self._rise(below, top, kind)
                else:
                    _reduce(rule, states, values, extents, builder)
                    row = unpacked.get(states[-1]) or self._unpack(states[-1])
                    states.append(row[rule.origin])
                if kind == END and states[-1] == end:
                    return values[-1], tokens
                row = unpacked.get(states[-1]) or self._unpack(states[-1])
            if to is None:
                return None
            states.append(to)
            values.append(Word(text, begin, at))
            extents.append((begin, at))
            tokens += 1

    def _unpack(self, state: int) -> dict[str, int]:
        row = self._rows[state]
        found = {self._tokens[token]: to for token, to in zip(row[::2], row[1::2], strict=True)}
        self._states[state] = found
        return found

    def _rise(self, below: int, top: int, kind: str) -> int:
        """What comes of a state at a token: an operand goes through the rules of all operators that could be there."""
        origins, found = self._states.get(below) or self._unpack(below), top
        while True:
            to = (self._states.get(found) or self._unpack(found)).get(kind, 0)
            rule = None if to >= 0 else self._rules.get(to) or self._rule(to)
            if rule is None or not rule.passes:
                self._risen[below, top, kind] = found
                return found
            found = origins[rule.origin]

    def _rule(self, number: int) -> _Rule:
        told = self._memo[-1 - number]
        options, expansion = told["options"], told["expansion"]
        absent = _absent(options["empty_indices"], len(expansion))
        picked, before = list[tuple[int, int, bool]](), 0
        for at, part in enumerate(expansion):
            before += absent[at]
            if options["keep_all_tokens"] or not part.get("filter_out"):
                listed = part["__type__"] == "NonTerminal" and part["name"].startswith("_")
                picked.append((before, at, listed))
                before = 0
        name, after = told["alias"] or told["origin"]["name"], before + absent[-1]
        simple = not after and not any(nones or listed for nones, _, listed in picked)
        alone = options["expand1"] and not told["alias"]
        found = _Rule(
            told["origin"]["name"], len(expansion), tuple(picked), after,
            tuple(at for _, at, _ in picked) if simple else None,
            getattr(TreeBuilder, name, None),
            alone, alone and simple and len(expansion) == len(picked) == 1,
        )  # fmt: skip
        self._rules[number] = found
        return found


def _widest(pattern: Mapping[str, Any]) -> int:
    """How long a token can be."""
    return len(pattern["value"]) if pattern["__type__"] == "PatternStr" else int(pattern["_width"][1])


def _absent(empty: Sequence[bool], parts: int) -> list[int]:
    """How many optional parts are left out before each of the parts that are there, and after the last."""
    found = [0]
    for is_absent in empty:
        if is_absent:
            found[-1] += 1
        else:
            found.append(0)
    return found + [0] * (parts + 1 - len(found))


def _reduce(
    rule: _Rule, states: list[int], values: list[Any], extents: list[tuple[int, int]], builder: TreeBuilder
) -> None:
    """Put what a rule makes of its parts in their place."""
    parts = values[-rule.parts :]
    begin, end = extents[-rule.parts][0], extents[-1][1]
    del states[-rule.parts :], values[-rule.parts :], extents[-rule.parts :]
    if rule.plain is not None:
        handed = [parts[at] for at in rule.plain]
    else:
        handed = []
        for nones, at, listed in rule.picked:
            handed += [None] * nones
            handed += parts[at] if listed else (parts[at],)
        handed += [None] * rule.after
    extents.append((begin, end))
    if rule.alone and len(handed) == 1:
        values.append(handed[0])
    elif rule.build is None:
        values.append(handed)
    else:
        values.append(rule.build(builder, Extent(begin, end), handed))
