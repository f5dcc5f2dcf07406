"""Texts for those who learn a game, `how` and `rule`: what stands in them is settled by options and players alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.base.diagnostics import Report, suggest
from interpreter.language import syntax
from interpreter.language import typed as t
from interpreter.language.check.before_play import known_in_play
from interpreter.language.check.entries import child, entries, listing, text_of
from interpreter.language.check.expressions import Expressions
from interpreter.language.check.names import Names, Scope
from interpreter.language.model import Advice, DefineInstance, TableDef, TableSlot
from interpreter.language.overlay.parts import ASPECTS
from interpreter.language.parser import parse_words
from interpreter.language.shape import keys_of
from interpreter.language.source import Mapping as Keys
from interpreter.language.source import Node, Scalar

SETTLED = frozenset(("everyone", "players", "honor"))
"""What options and players settle, besides options."""
_ENTRIES = {"flow": "stage", "zones": "zone", "cards": "card_row"}
"""Collections of which an entry's keys may be described though they are not there: an overlay could say them."""


class Advices:
    """Reads these texts, and looks at all of them when everything that they can name is known."""

    def __init__(self, names: Names, expressions: Expressions) -> None:
        self._names, self._expressions = names, expressions
        self._read: list[Advice] = []

    def rule(self, node: Node | None) -> tuple[Advice, ...]:
        """The texts of a law, an action or a row: one, or several of which those are told that hold."""
        return tuple(self._advice(item) for item in listing(node) if not _is_nothing(item))

    def how(self, root: Keys) -> dict[str, tuple[Advice, ...]]:
        """The texts about the whole game. root: the ruleset, in which also lies what they say they are about."""
        node = root.get("how")
        found = {aspect: tuple(self._part(child(node, aspect), root)) for aspect in ASPECTS}
        return {aspect: texts for aspect, texts in found.items() if texts}

    def _part(self, node: Node | None, root: Keys) -> Iterator[Advice]:
        texts = [node] if isinstance(node, Scalar) else [text for _, text, _ in entries(node)]
        for text in texts:
            if not _is_nothing(text):
                for place in listing(child(text, "of")):
                    self._check_place(place, root)
                yield self._advice(text)

    def _check_place(self, place: Node, root: Keys) -> None:
        """What a text describes has to be there."""
        at: Node | None = root
        way = text_of(place).split(".")
        for number, step in enumerate(way):
            inner = at.entries if isinstance(at, Keys) else {}
            named = {name.split("(")[0].strip(): node for name, node in inner.items()}
            if step not in named:
                if number == len(way) - 1 == 2 and way[0] in _ENTRIES and step in keys_of(_ENTRIES[way[0]]):
                    return
                message = f"the text describes '{text_of(place)}', which is not there"
                self._expressions.report.error("E531", place.span, message, suggest(step, named, "names"))
                return
            at = named[step]

    def _advice(self, node: Node) -> Advice:
        text, when = (node, None) if isinstance(node, Scalar) else (child(node, "text"), child(node, "when"))
        assert isinstance(text, Scalar)
        self._expressions.reads(text)
        pieces = tuple(self._piece(piece) for piece in parse_words(text, self._expressions.report) or ())
        condition = None if when is None else self._expressions.node(when, Scope(), t.FLAG)
        advice = Advice(pieces, condition, text.span)
        self._read.append(advice)
        return advice

    def _piece(self, piece: str | syntax.Expr) -> str | t.Typed | TableSlot:
        """A piece of text, an expression, or a table over cards, which is told whole."""
        if isinstance(piece, syntax.Name) and piece.text in self._names.tables and self._names.tables[piece.text][2]:
            self._names.used.add(("values", piece.text))
            return TableSlot(piece.text)
        return piece if isinstance(piece, str) else self._expressions.check(piece, Scope())

    def check(self, tables: Mapping[str, TableDef], instances: Mapping[str, DefineInstance], report: Report) -> None:
        """Nothing that such a text names is only known in play: it is told before."""
        for advice in self._read:
            asked = [piece for piece in (*advice.pieces, advice.when) if not isinstance(piece, str | TableSlot | None)]
            for node, what in known_in_play(asked, tables, instances, SETTLED):
                message = f"'{what}' is only known in play, and this text is told before"
                hint = "name options, 'count of everyone', and what is reckoned from them; or say it in words"
                at = node.span if node.span.file == advice.span.file else advice.span
                report.error("E505", at, message, hint)


def _is_nothing(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None
