"""What keys say that is more than a word: values that depend, types, ranges, sets of players."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from interpreter.base.diagnostics import Report, Span, suggest
from interpreter.language import typed as t
from interpreter.language.check.entries import MAX_ROWS, entries, is_word, listing, text_of
from interpreter.language.check.expression_reader import ExpressionReader
from interpreter.language.check.names import Scope
from interpreter.language.check.symbols import as_symbol
from interpreter.language.model import Choice, Depends, Dimension
from interpreter.language.parser import parse_open_range, parse_players, parse_range
from interpreter.language.source import Mapping, Node, Scalar
from interpreter.language.tree import replace
from interpreter.language.typed import Type, Typed

Said = TypeVar("Said")
SIMPLE_TYPES = {
    "integer": t.INTEGER,
    "flag": t.FLAG,
    "text": t.TEXT,
    "card": t.CARD,
    "rank": t.RANK,
    "suit": t.SUIT,
    "player": t.PLAYER,
    "team": t.TEAM,
    "colour": t.COLOUR,
    "players": t.PLAYERS,
    "cards": t.CARDS,
    "number": t.INTEGER,
}


_OF_LISTS = {"list of pairs": t.PAIRS.item, "list of melds": t.ASKED_MELDS}
"""Lists each of whose items is written as a list itself, by what the items are."""
DECIDING = frozenset("integer flag choice text card rank suit colour player unknown".split())
"""Kinds of values that can choose between rows."""


class Values:
    """Reads such values of one ruleset."""

    def __init__(self, expressions: ExpressionReader, report: Report) -> None:
        self._expressions = expressions
        self._report = report

    # ---- values that depend -----------------------------------------------------------------------

    def by(self, node: Mapping, scope: Scope | None = None) -> Typed:
        by = node.entries["by"]
        if text_of(by) == "players":
            return t.Op("count", (t.Builtin("everyone", t.PLAYERS, by.span),), t.INTEGER, by.span)
        found = self._expressions.node(by, scope or Scope())
        if found.type.kind not in DECIDING:
            hint = "'by' takes a number, a word, a card or the like, or a condition"
            self._report.error("E502", found.span, f"this is {found.type}, which has no rows", hint)
            return self._expressions.unknown(by.span)
        return found

    def key(self, text: str, kind: Type, span: Span) -> tuple[int | str, int | str]:
        """A row's key as (low, high): numbers, or a word twice."""
        found = re.fullmatch(r"(\d{1,18})(?:\.\.(\d{1,18}))?", text)
        if kind.kind == "integer":
            if found is None:
                self._report.error(
                    "E508", span, f"'{text}' is no number or range", "rows are numbers or ranges such as 3..4, and else"
                )
                return (0, -1)
            return int(found[1]), int(found[2] or found[1])
        if kind.kind == "choice" and text not in kind.symbols:
            self._report.error(
                "E508", span, f"'{text}' is not one of the values", suggest(text, kind.symbols, "values")
            )
        if kind.kind == "flag" and text not in ("true", "false"):
            self._report.error("E508", span, f"'{text}' is not true or false")
        if kind.kind in ("card", "rank", "suit", "colour", "player"):
            found_symbol = as_symbol(text, span, kind, self._expressions.names)
            if found_symbol is None:
                self._report.error("E508", span, f"'{text}' is no {kind.kind}", "rows are values of what 'by' says")
            else:
                text = str(found_symbol.value)
        return text, text

    def value(self, node: Node, kind: Type | None, scope: Scope | None = None) -> Typed:
        """An expression, or a value that depends: its rows as nested ifs, the narrowest first."""
        where = scope or Scope()
        if not isinstance(node, Mapping):
            return self._expressions.node(node, where, kind)
        *rows, (_, result) = self.cases(
            node, lambda row: self._expressions.node(row, where, kind), self._expressions.unknown(node.span), where
        )
        for test, row in reversed(rows):
            result = t.If(test, row, result, kind or result.type, row.span)
        return result

    def cases(
        self, node: Mapping, read: Callable[[Node], Said], nothing: Said, scope: Scope | None = None
    ) -> list[tuple[Typed, Said]]:
        """The rows of what depends as (condition, row), the narrowest first; the condition of the last always holds.

        nothing: stands for what is missing, after it has been reported.
        """
        by = self.by(node, scope)
        if len(node.entries) > MAX_ROWS:
            message = f"there are {len(node.entries) - 1} rows, and less than {MAX_ROWS} are allowed"
            self._report.error("E404", node.keys["by"], message, "ranges such as 3..4 stand for several")
            return [(t.Const(True, t.FLAG, node.span), nothing)]
        rows = [
            (*self.key(key, by.type, at), read(row), at) for key, row, at in entries(node) if key not in ("by", "else")
        ]
        rows.sort(key=lambda row: _width(row[0], row[1]))
        found = [(_is_between(by, low, high, at), said) for low, high, said, at in rows]
        values = ("true", "false") if by.type.kind == "flag" else by.type.symbols
        if text_of(node.entries["by"]) == "players":
            values = tuple(map(str, self._expressions.names.player_counts))
        elif by.type.kind == "integer" and not isinstance(by, t.OptionRef):  # it need not be one of these
            values = ()
        always = t.Const(True, t.FLAG, node.span)
        if "else" in node.entries:
            found.append((always, read(node.entries["else"])))
        elif rows and values and all(any(_is_in(value, low, high) for low, high, *_ in rows) for value in values):
            found[-1] = (always, found[-1][1])
        else:
            self._report.error("E519", node.keys["by"], "a value that depends needs an 'else' here", "else: VALUE")
            found.append((always, nothing))
        return found

    def settled(self, node: Node, read: Callable[[Node], Said], nothing: Said) -> Said | Choice[Said]:
        """What a key says that is settled before the match: plainly, or by an option or the number of players."""
        if not isinstance(node, Mapping) or "by" not in node.entries:
            return read(node)
        found = self.cases(node, read, nothing)
        if not isinstance(self.by(node), t.OptionRef) and text_of(node.entries["by"]) != "players":
            message = f"this is settled before the match, so it cannot depend on '{text_of(node.entries['by'])}'"
            self._report.error("E505", node.entries["by"].span, message, "by: an option, or players")
        return Choice(tuple(found))

    def depends(self, node: Mapping, kind: Type, read: object = None) -> Depends:
        by = self.by(node)
        rows, otherwise = [], None
        for key, value, span in entries(node):
            if key in ("by", "doc"):
                continue
            found = read(value) if callable(read) else self._expressions.node(value, Scope(), kind)
            if key == "else":
                otherwise = found
            else:
                rows.append((*self.key(key, by.type, span), found))
        return Depends(by, tuple(rows), otherwise, node.span)

    # ---- types, ranges, players -------------------------------------------------------------------

    def choices(self, node: Node | None) -> tuple[str, ...]:
        if isinstance(node, Mapping) and "add" in node.entries:
            return self.nothing_to_add_to(node)
        if isinstance(node, Mapping):
            hint = "list them all, and say in 'require' what must hold"
            self._report.error("E519", node.keys["by"], "choices cannot depend on anything", hint)
            return ()
        for item in listing(node):
            if not is_word(text_of(item)):
                hint = "moves name it, and a quote begins what is said"
                self._report.error("E205", item.span, "a choice is words without quotes, on one line", hint)
        if isinstance(node, Scalar):
            words = re.split(r"\s+or\s+|\s*[/|]\s*", node.text.strip())
            if len(words) > 1:
                self._report.error("E508", node.span, "this is a single choice", f"list them: [{', '.join(words)}]")
                return tuple(words)
        return tuple(text_of(c) for c in listing(node))

    def nothing_to_add_to(self, node: Mapping) -> tuple[str, ...]:
        """Refuse `{add: [...]}` where no list is below."""
        hint = "list them all, without 'add'"
        self._report.error("E305", node.keys["add"], "there is no list below to which 'add' could add", hint)
        return tuple(text_of(word) for word in listing(node.entries["add"]))

    def type_of(self, node: Node | None, choices: tuple[str, ...], span: Span) -> Type | None:
        text = text_of(node)
        if text.startswith("list of "):
            inner = _OF_LISTS.get(text) or self._simple(text.removeprefix("list of "), choices)
            return None if inner is None else Type("list", inner)
        found = self._simple(text, choices)
        if found is None:
            at = span if node is None else node.span
            self._report.error(
                "E508", at, f"there is no type '{text}'", suggest(text, [*SIMPLE_TYPES, "choice"], "types")
            )
        elif text == "choice" and not choices:
            self._report.error("E508", span, "a choice needs its choices", "choices: [one, other]")
            return None
        return found

    def _simple(self, text: str, choices: tuple[str, ...]) -> Type | None:
        if text == "choice":
            return Type("choice", symbols=choices)
        found = SIMPLE_TYPES.get(text)
        return replace(found, symbols=choices) if found is not None and choices else found

    def range(self, node: Node) -> tuple[Typed, Typed] | None:
        """`a..b` as two checked numbers."""
        return self.range_in(node, Scope())

    def range_in(self, node: Node, scope: Scope) -> tuple[Typed, Typed] | None:
        if not isinstance(node, Scalar):
            self._report.error("E502", node.span, "a range such as 1..3 is expected here")
            return None
        found = parse_range(node, self._report)
        if found is None:
            return None
        scope = self._expressions.laid_on(node, scope, self._expressions.node)
        low = self._expressions.check(found.low, scope, t.INTEGER)
        return low, low if found.high is found.low else self._expressions.check(found.high, scope, t.INTEGER)

    def open_range(self, node: Node, scope: Scope) -> tuple[Typed, Typed | None] | None:
        """`a..b`, a single number (twice), `..b`, which begins with 0, or `a..`, which has no upper end (None)."""
        found = parse_open_range(node, self._report) if isinstance(node, Scalar) else None
        if found is None:
            return None
        low = self._expressions.check(found[0], scope, t.INTEGER)
        if found[1] is None:
            return low, None
        return low, low if found[1] is found[0] else self._expressions.check(found[1], scope, t.INTEGER)

    def eyes(self, node: Node | None, dims: tuple[Dimension, ...], default: Typed) -> Typed:
        """A set of players who see something; `owner` is whose it is."""
        if node is None:
            return default
        scope = Scope()
        if dims and dims[0] == "player":
            scope = scope.bind("owner", t.Local("owner", t.PLAYER, node.span))
        elif dims and dims[0] == "team":
            members = t.Op("members of", (t.Local("owner", t.TEAM, node.span),), t.PLAYERS, node.span)
            scope = scope.bind("owner", members)
        return self.player_set(node, scope)

    def player_set(self, node: Node, scope: Scope, among: str = "everyone") -> Typed:
        """Who is meant; `p where CONDITION` looks among everyone, or among those who take part."""
        if not isinstance(node, Scalar):
            self._report.error("E502", node.span, "a set of players is expected here")
            return self._expressions.unknown(node.span)
        tree = parse_players(node, self._report, among)
        scope = self._expressions.laid_on(node, scope, lambda below, outer, _: self.player_set(below, outer, among))
        return self._expressions.unknown(node.span) if tree is None else self._expressions.check(tree, scope, t.PLAYERS)


def _is_between(by: Typed, low: int | str, high: int | str, at: Span) -> Typed:
    """The condition that a row is the one."""
    ends = [t.Const(end == "true" if by.type.kind == "flag" else end, by.type, at) for end in (low, high)]
    if low == high:
        return t.Op("=", (by, ends[0]), t.FLAG, at)
    return t.Op(
        "and", tuple(t.Op(op, (by, end), t.FLAG, at) for op, end in zip((">=", "<="), ends, strict=True)), t.FLAG, at
    )


def _is_in(value: str, low: int | str, high: int | str) -> bool:
    """Whether a value that is listed has its row."""
    if isinstance(low, int) and isinstance(high, int):
        return len(value) <= 18 and value.isdecimal() and low <= int(value) <= high
    return value == low


def _width(low: int | str, high: int | str) -> int:
    """How many values a row is for."""
    return high - low if isinstance(low, int) and isinstance(high, int) else 0
