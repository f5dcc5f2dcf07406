"""Melds in expressions: which kinds are meant, what is asked of a meld, and what makes cards one."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.base.diagnostics import Report, Span, suggest
from interpreter.language import syntax as ast
from interpreter.language import typed as t
from interpreter.language.check.entries import listing, text_of
from interpreter.language.check.expression_reader import ExpressionReader
from interpreter.language.check.names import Names, Scope
from interpreter.language.source import Node
from interpreter.language.tree import replace
from interpreter.language.typed import Type, Typed, set_of

PARTS = ("kind", "size", "low", "high", "suit", "cards")
"""What can be asked of a meld, behind a dot."""


def kinds_in(node: Node, names: Names, report: Report) -> tuple[str, ...]:
    """The kinds that a key names; those that are not declared are reported."""
    return _declared([(text_of(item), item.span) for item in listing(node)], names, report)


def _kinds_written(node: ast.Expr, names: Names, report: Report) -> tuple[str, ...]:
    """The kinds that stand in a text, as a name or as several in brackets."""
    written = node.items if isinstance(node, ast.Group) else (node,)
    return _declared([(one.text if isinstance(one, ast.Name) else "", one.span) for one in written], names, report)


def _declared(written: Iterable[tuple[str, Span]], names: Names, report: Report) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for name, span in written:
        if name in names.melds:
            names.used.add(("melds", name))
            found[name] = None
        else:
            hint = suggest(name, names.melds, "kinds of meld") if names.melds else "declare it: melds: {NAME: {...}}"
            report.error("E501", span, f"no kind of meld is called '{name}'", hint)
    return tuple(found)


def part_of(expressions: ExpressionReader, meld: Typed, name: str, span: Span) -> Typed:
    """`m.high` and the like."""
    if name not in PARTS:
        hint = suggest(name, PARTS, "a meld has")
        expressions.report.error("E501", span, f"melds have no '{name}'", hint)
        return expressions.unknown(span)
    names = tuple(expressions.names.melds)
    kinds = {"kind": Type("choice", symbols=names), "size": t.INTEGER, "low": t.RANK, "high": t.RANK, "suit": t.SUIT}
    kind = kinds.get(name, t.CARDS)
    optional = kind.kind != "set" and (meld.type.optional or name == "suit")
    return t.Op(f"meld {name}", (meld,), replace(kind, optional=optional), span)


def is_kind(expressions: ExpressionReader, found: Typed, word: str, span: Span) -> Typed | None:
    """`CARDS is run`, and `m is run` of a meld; None if it asks something else."""
    names = expressions.names
    if word not in names.melds or names.what_is(word) is not None:
        return None
    if found.type.kind == "meld":
        names.used.add(("melds", word))
        kind = part_of(expressions, found, "kind", span)
        return t.Op("=", (kind, t.Const(word, replace(kind.type, optional=False), span)), t.FLAG, span)
    if found.type.kind == "place":
        found = t.ZoneRef(found.type.zone, (found,), t.CARDS, found.span)
    if found.type.kind != "set" or found.type.item is None or found.type.item.kind != "card":
        return None
    names.used.add(("melds", word))
    return t.Op("is meld", (found,), t.FLAG, span, word)


def _meld_of(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    """`meld of PLACE`."""
    found = expressions.cards(node.arguments[0], scope)
    if not isinstance(found, t.ZoneRef) or found.type != t.CARDS:
        if found.type.kind != "unknown":
            hint = "whether other cards are a meld is asked by 'CARDS is KIND'"
            expressions.report.error("E502", found.span, "'meld of' needs a zone that is one place", hint)
        return expressions.unknown(node.span)
    return t.Op("meld of", (found,), replace(t.MELD, optional=True), node.span)


def _with_card(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    """`extends(MELD, CARD)`: whether it does; `replaced(MELD, CARD)`: the wild card that stands for it."""
    if len(node.arguments) != 2:
        hint = f"{node.function}(meld of ZONE, card)"
        expressions.report.error("E504", node.name_span, f"'{node.function}' takes a meld and a card", hint)
        return expressions.unknown(node.span)
    meld = expressions.check(node.arguments[0], scope, replace(t.MELD, optional=True))
    card = expressions.check(node.arguments[1], scope, replace(t.CARD, optional=True))
    return t.Op(node.function, (meld, card), _GIVEN[node.function], node.span)


def melds_from(expressions: ExpressionReader, node: ast.Melds, scope: Scope) -> Typed:
    """`melds of (set, run) from CARDS`: all melds of these kinds that the cards hold."""
    kinds = _kinds_written(node.kinds, expressions.names, expressions.report)
    cards = expressions.cards(node.group, scope)
    return t.Op("melds", (cards,), set_of(t.MELD), node.span, " ".join(kinds))


_GIVEN = {"extends": t.FLAG, "replaced": replace(t.CARD, optional=True)}
ASKED_OF_MELDS = {"meld": _meld_of, "extends": _with_card, "replaced": _with_card}
"""Functions of melds; what a ruleset declares by these names goes before them."""


def least(expressions: ExpressionReader, node: ast.Fold, scope: Scope) -> Typed:
    """`least E for c in CARDS outside (set, run)`."""
    assert node.value is not None and node.outside is not None
    kinds = _kinds_written(node.outside, expressions.names, expressions.report)
    through, inner, local = expressions.loop(node.variable, node.domain, scope, node.name_span)
    if through.type.kind != "unknown":
        through = expressions.fit(through, t.CARDS)
    where = None if node.where is None else expressions.check(node.where, inner, t.FLAG)
    amount = expressions.check(node.value, inner, t.INTEGER)
    return t.Fold("least", local.name, local.type, through, where, amount, t.INTEGER, node.span, kinds)
