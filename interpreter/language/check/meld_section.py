"""Kinds of combination: what a ruleset says of them."""

from __future__ import annotations

from typing import Literal

from interpreter.base.diagnostics import Report, Span, suggest
from interpreter.language import typed as t
from interpreter.language.check.entries import child, entries, is_true, listing, text_of
from interpreter.language.check.expressions import Expressions
from interpreter.language.check.names import Names, Scope
from interpreter.language.check.reserved import check_name
from interpreter.language.check.values import Values
from interpreter.language.keywords import STATEMENTS
from interpreter.language.model import MeldDef
from interpreter.language.source import Mapping, Node
from interpreter.language.typed import Typed

OPENERS = frozenset(STATEMENTS) - {"if", "for"}
"""Words with which effects begin and nothing else: a kind may be called so, `set` above all."""
RANKS = "ranks"
"""The order of the ranks themselves, where several orders are named."""


_Same = Literal["", "rank", "suit"]
_SAME: dict[str, _Same] = {"rank": "rank", "suit": "suit"}
_Shape = tuple[_Same, tuple[str, ...], Typed | None, bool, tuple[Typed, Typed | None] | None]
"""What the cards have in common, the orders in which they follow one another, how many of each rank, whether around
the corner, and how many there are."""


class Melds:
    """Reads the kinds of combination of one ruleset."""

    def __init__(self, root: Mapping, names: Names, expressions: Expressions, values: Values, report: Report) -> None:
        self._root = root
        self._names = names
        self._expressions = expressions
        self._values = values
        self._report = report

    def declare(self) -> None:
        """Their names, so that they can be used."""
        for name, node, span in entries(self._root.get("melds")):
            if name not in OPENERS:
                check_name(name, span, "kind of meld", self._names, self._report)
            elif (other := self._names.what_is(name)) is not None:
                self._report.error("E518", span, f"'{name}' already names a {other}")
            doc = text_of(child(node, "doc"))
            self._names.melds[name] = MeldDef(name, "", (), None, False, None, None, None, None, (), doc, span)

    def details(self) -> None:
        """Read what the kinds of melds say, when all names are known."""
        for name, node, span in entries(self._root.get("melds")):
            self._names.melds[name] = self._kind(name, node, span)

    def _kind(self, name: str, node: Node, span: Span) -> MeldDef:
        parts = child(node, "parts")
        wild, naturals, wilds = (child(node, key) for key in ("wild", "naturals", "wilds"))
        for number in (naturals, wilds):
            if number is not None and wild is None:
                message = f"none of the cards of '{name}' is wild, so all are natural"
                self._report.error("E519", number.span, message, "say which cards are wild: wild: card is joker")
        scope = Scope().bind("card", t.Local("card", t.CARD, span, itself=True))
        return MeldDef(
            name,
            *(self._shape(node, span, name) if parts is None else self._joined(node)),
            None if wild is None else self._expressions.node(wild, scope, t.FLAG),
            self._number(naturals),
            self._number(wilds),
            () if parts is None else tuple(self._part(name, at, n) for at, n in enumerate(listing(parts), 1)),
            text_of(child(node, "doc")),
            span,
        )

    def _part(self, name: str, number: int, node: Node) -> MeldDef:
        said = f"part {number} of '{name}'"
        return MeldDef(name, *self._shape(node, node.span, said), None, None, None, (), "", node.span)

    def _joined(self, node: Node) -> _Shape:
        """Of what consists of parts, nothing else says what it is."""
        for key, value, _ in entries(node):
            if key in ("same", "consecutive", "order", "wrap", "each", "size"):
                hint = f"say '{key}' in the part that it is about"
                self._report.error("E519", value.span, f"what has parts has no '{key}' of its own", hint)
        return "", (), None, False, None

    def _shape(self, node: Node, span: Span, said: str) -> _Shape:
        """What its cards have in common and how they follow one another."""
        same = _SAME.get(text_of(child(node, "same")), "")
        follows = child(node, "consecutive") is not None
        said = said if said.startswith("part") else f"'{said}'"
        if not (same or follows):
            hint = "same: rank, same: suit or consecutive: rank; or parts"
            self._report.error("E519", span, f"{said} does not say what makes its cards a meld", hint)
        if same == "rank" and follows:
            at = child(node, "consecutive") or node
            hint = "same: suit, or 'each: 2' for pairs that follow one another"
            self._report.error("E519", at.span, "cards of the same rank do not follow one another", hint)
        for key in ("order", "wrap", "each"):
            value = child(node, key)
            if value is not None and not follows:
                hint = "add 'consecutive: rank', or leave it out"
                self._report.error("E519", value.span, f"'{key}' is about cards that follow one another", hint)
        each, size = child(node, "each"), child(node, "size")
        if size is None:
            hint = "size: 3, size: 3..4, or size: 3.. for three or more"
            self._report.error("E519", span, f"{said} does not say how many cards it has", hint)
        return (
            same,
            self._orders(child(node, "order")) if follows else (),
            None if each is None else self._expressions.node(each, Scope(), t.INTEGER),
            is_true(child(node, "wrap")),
            self._number(size),
        )

    def _number(self, node: Node | None) -> tuple[Typed, Typed | None] | None:
        """How many cards there are of a sort; None where it is not said."""
        return None if node is None else self._values.open_range(node, Scope())

    def _orders(self, node: Node | None) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for item in listing(node):
            name = text_of(item)
            if name != RANKS and name not in self._names.orders:
                hint = suggest(name, [*self._names.orders, RANKS], "orders")
                self._report.error("E501", item.span, f"no order is called '{name}'", hint)
            else:
                found["" if name == RANKS else name] = None
        return tuple(found) or ("",)
