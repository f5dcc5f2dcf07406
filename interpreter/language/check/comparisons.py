"""Conditions about two things: what is compared, what is among others, what a card is."""

from __future__ import annotations

from interpreter.base.diagnostics import Span
from interpreter.language import syntax as ast
from interpreter.language import typed as t
from interpreter.language.check.expression_reader import ExpressionReader
from interpreter.language.check.kinds import comparable
from interpreter.language.check.meld_uses import is_kind
from interpreter.language.check.names import Names, Scope
from interpreter.language.check.references import BUILTINS, RESERVED
from interpreter.language.check.sets import lying_there, plain_word
from interpreter.language.check.symbols import card_pattern
from interpreter.language.tree import replace
from interpreter.language.typed import Type, Typed, set_of


def compare(expressions: ExpressionReader, node: ast.Compare, scope: Scope) -> Typed:
    """`A = B`, `A < B`: one side may say what a word on the other means."""
    left_first = not _is_symbol(node.left, scope, expressions.names)
    first, second = (node.left, node.right) if left_first else (node.right, node.left)
    one = expressions.check(first, scope)
    two = expressions.unfitted(second, scope, one.type)
    if node.op not in ("=", "!="):
        orderable = ("integer", "unknown", "rank")
        for side in (one, two):
            if side.type.kind not in orderable:
                expressions.report.error(
                    "E502", side.span, f"this is {side.type}, which has no order", _how_many(one, two)
                )
                return t.Const(False, t.FLAG, node.span)
    if not comparable(one.type, two.type):
        expressions.report.error("E502", node.span, f"{one.type} is compared with {two.type}", _how_many(one, two))
        return t.Const(False, t.FLAG, node.span)
    sides = (one, two) if left_first else (two, one)
    return t.Op(node.op, sides, t.FLAG, node.span)


def is_so(expressions: ExpressionReader, node: ast.Is, scope: Scope) -> Typed:
    """`X is empty`, `CARD is face up`, `CARD is PATTERN`; of what is no card a comparison."""
    names = expressions.names
    if node.what == "empty":
        found = lying_there(expressions.check(node.item, scope))
        if found.type.kind not in ("set", "list", "unknown"):
            expressions.report.error("E502", found.span, f"this is {found.type}; 'is empty' needs a zone or a set")
        return t.Op("is empty", (found,), t.FLAG, node.span)
    if isinstance(node.what, str):
        return t.Op(node.what, (expressions.check(node.item, scope, t.CARD),), t.FLAG, node.span)
    found = expressions.unfitted(node.item, scope, t.CARD)
    if isinstance(node.what, ast.Range):
        if found.type.kind not in ("card", "unknown"):
            return member(expressions, node.item, node.what, node.span, scope)
        word, named = "..".join(map(plain_word, (node.what.low, node.what.high))), False
    else:
        word = node.what.text
        if (meld := is_kind(expressions, found, word, node.span)) is not None:
            return meld
        named = word in names.zones or word in names.variables or word in scope.locals or word in BUILTINS
    if isinstance(node.what, ast.Name) and (named or found.type.kind not in ("card", "unknown")):  # it is compared
        what = ast.Number(int(word), node.what.span) if word.isdigit() else node.what
        return compare(expressions, ast.Compare("=", node.item, what, node.span), scope)
    pattern = card_pattern(word, node.what.span, names, expressions.report)
    return t.Op("matches", (expressions.fit(found, t.CARD),), t.FLAG, node.span, pattern or "else")


def member(expressions: ExpressionReader, item: ast.Expr, group: ast.Expr, span: Span, scope: Scope) -> Typed:
    """`X in GROUP`: of a list of words X says what they mean, else the group what X means."""
    known: Typed | None = None
    if isinstance(group, ast.Group | ast.Range) and not _is_symbol(item, scope, expressions.names):
        known = expressions.check(item, scope)  # it says what `10` is among ranks
    members: Type | None = None
    if known is not None and known.type.kind not in ("none", "unknown"):
        members = set_of(replace(known.type, optional=True))
    found = lying_there(expressions.unfitted(group, scope, members))
    if found.type.kind not in ("set", "list", "unknown"):
        hint = ""
        if isinstance(group, ast.Binary) and group.op == "-":
            hint = "whether something lies between two values is asked by 'X >= LOW and X <= HIGH'"
        expressions.report.error("E502", found.span, f"this is {found.type}; 'in' needs a zone, a set or a list", hint)
        return t.Const(False, t.FLAG, span)
    member = known or expressions.check(
        item, scope, None if found.type.item is None else replace(found.type.item, optional=True)
    )
    return t.Op("in", (member, found), t.FLAG, span)


def _how_many(one: Typed, two: Typed) -> str:
    """The hint for a set that is compared with a number."""
    for group, number in ((one, two), (two, one)):
        if group.type.kind in ("set", "list") and number.type.kind == "integer":
            name = group.name if isinstance(group, t.Builtin | t.ZoneRef | t.VarRef | t.OptionRef) else "..."
            if name == "players":
                return "how many play is 'count of everyone', how many of them take part here 'count of players'"
            return f"how many there are is 'count of {name}'"
    return ""


def _is_symbol(node: ast.Expr, scope: Scope, names: Names) -> bool:
    """Whether a side of a comparison waits for the other to say what it means."""
    match node:
        case ast.Number() | ast.Text():
            return True
        case ast.Name(text, _):
            return not (text in scope.locals or text in BUILTINS or text in RESERVED or names.what_is(text) is not None)
        case ast.Binary():
            return False
    return False
