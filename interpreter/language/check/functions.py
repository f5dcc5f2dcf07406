"""What can be asked with `NAME of X` and is not declared: the functions of the language, and what each is given."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.base.diagnostics import suggest
from interpreter.language import syntax as ast
from interpreter.language import typed as t
from interpreter.language.check.expression_reader import ExpressionReader
from interpreter.language.check.kinds import index_asked
from interpreter.language.check.names import Scope
from interpreter.language.operations import FUNCTIONS
from interpreter.language.tree import replace
from interpreter.language.typed import Typed


def _count(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    inner = expressions.check(node.arguments[0], scope)
    if inner.type.kind not in ("set", "list", "unknown", "place"):
        what = node.arguments[0]
        name = what.text if isinstance(what, ast.Name) else "MELD"
        hint = f"how many cards a meld has is '{name}.size'" if inner.type.kind == "meld" else ""
        expressions.report.error("E502", inner.span, f"this is {inner.type}; 'count of' needs a zone or a set", hint)
    return t.Op("count", (inner,), t.INTEGER, node.span)


def _random(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    inner = expressions.check(node.arguments[0], scope)
    if not scope.random:
        expressions.report.error(
            "E505", node.span, "chance has a place in effects only", "draw in an effect, into a variable"
        )
    if inner.type.kind not in ("set", "list", "unknown"):
        expressions.report.error("E502", inner.span, f"this is {inner.type}; 'random of' needs a zone or a set")
    item = inner.type.item or t.UNKNOWN
    return t.Op("random", (inner,), item, node.span, scope.stage)


def _top(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    several = len(node.arguments) > 1  # `top of (a, b)` is given one set
    place = expressions.cards(ast.Group(node.arguments, node.span) if several else node.arguments[0], scope)
    return t.Op(node.function, (place,), replace(t.CARD, optional=True), node.span)


def _next_after(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    who = expressions.check(node.arguments[0], scope, t.PLAYER)
    among: Typed = t.Builtin("players", t.PLAYERS, node.span)
    if len(node.arguments) > 1:
        among = expressions.check(node.arguments[1], scope, t.PLAYERS)
    return t.Op("next after", (who, among), t.PLAYER, node.span)


def _extreme(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    name = node.arguments[0]
    assert isinstance(name, ast.Name)
    if name.text in expressions.names.variables:
        variable = expressions.names.variables[name.text]
        if variable.dims in (("player",), ("team",)) and variable.type.kind == "integer":
            expressions.names.used.add(("state", name.text))
            return t.Op(node.function, (), t.PLAYERS, node.span, name.text)
    known = [n for n, v in expressions.names.variables.items() if v.dims in (("player",), ("team",))]
    hint = suggest(name.text, known, "such variables")
    expressions.report.error("E501", name.span, f"'{node.function}' needs a number that each player has", hint)
    return t.Const(None, t.PLAYERS, node.span)


def _void(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    suit = expressions.check(node.arguments[0], scope, t.SUIT)
    actor = expressions.actor(scope, node.span, "'void in' has no meaning")
    stages = expressions.names.stages
    if stages and not any(stage.kind == "trick" for stage in stages.values()):
        hint = "whether a hand has none of a suit is 'not (any c in hand has c.suit = SUIT)'"
        message = "'void in' is about the hand from which tricks are played, and here are none"
        expressions.report.error("E505", node.span, message, hint)
    return t.Op("void", (suit, actor), t.FLAG, node.span, scope.stage)


def _number_of(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    name = node.arguments[0]
    if isinstance(name, ast.Name) and name.text in expressions.names.stages:
        return t.Op("number of", (), t.INTEGER, node.span, name.text)
    hint = suggest(name.text, expressions.names.stages, "stages") if isinstance(name, ast.Name) else ""
    if hint.startswith("stages:") or not hint:
        hint = "how often a stage has begun is its number; how many cards lie somewhere is 'count of ZONE'"
    expressions.report.error("E509", name.span, "'number of' needs the name of a stage", hint)
    return expressions.unknown(node.span)


def _can(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    name, who = (*node.arguments, None, None)[:2]
    if not isinstance(name, ast.Name) or name.text not in expressions.names.actions:
        hint = suggest(name.text, expressions.names.actions, "actions") if isinstance(name, ast.Name) else ""
        expressions.report.error("E509", node.span, "can(ACTION, PLAYER) needs the name of an action", hint)
        return t.Const(False, t.FLAG, node.span)
    player = expressions.actor(scope, node.span, "say who") if who is None else expressions.check(who, scope, t.PLAYER)
    stages = expressions.names.actions[name.text]
    stage = scope.stage if scope.stage in stages else stages[0] if len(stages) == 1 else t.ANYWHERE
    return t.Op("can", (player,), t.FLAG, node.span, f"{stage}.{name.text}")


def _place_in(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    rank = expressions.check(node.arguments[0], scope, t.RANK)
    order = ""
    if len(node.arguments) > 1:
        name = node.arguments[1]
        order = name.text if isinstance(name, ast.Name) else ""
        if order not in expressions.names.orders:
            expressions.report.error(
                "E501", name.span, "there is no such order", suggest(order, expressions.names.orders, "orders")
            )
    return t.Op("place of", (rank,), t.INTEGER, node.span, order)


def _distance(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    around = len(node.arguments) == 3 and isinstance(node.arguments[2], ast.Name) and node.arguments[2].text == "around"
    if len(node.arguments) not in (2, 3) or (len(node.arguments) == 3 and not around):
        expressions.report.error(
            "E504", node.name_span, "'distance' takes two ranks, and the word around if the ranks turn the corner"
        )
        return t.Const(0, t.INTEGER, node.span)
    args = tuple(expressions.check(a, scope, t.RANK) for a in node.arguments[:2])
    return t.Op("distance around" if around else "distance", args, t.INTEGER, node.span)


def _item(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    if len(node.arguments) != 2:
        expressions.report.error("E504", node.name_span, f"'{node.function}' takes a number and a list")
        return expressions.unknown(node.span)
    number = expressions.check(node.arguments[0], scope, t.INTEGER)
    group = expressions.check(node.arguments[1], scope)
    if group.type.kind not in ("list", "unknown"):
        expressions.report.error("E502", group.span, f"this is {group.type}, but a list is needed here")
    return t.Op(node.function, (number, group), group.type.item or t.UNKNOWN, node.span)


def _owner(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    place = expressions.check(node.arguments[0], scope)
    if place.type.kind not in ("place", "unknown"):
        expressions.report.error("E502", place.span, f"this is {place.type}, but a place is needed here")
    zone, op, owner = place.type.zone, f"{node.function} of", node.function == "owner"
    if zone in expressions.names.zones and index_asked(op, expressions.names.zones[zone].dims) is None:
        why = "belong to no player" if owner else "have no numbers"
        expressions.report.error("E502", place.span, f"the places of '{zone}' {why}")
    return t.Op(op, (place,), t.PLAYER if owner else t.INTEGER, node.span, zone)


def _tricks_of(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    who = expressions.check(node.arguments[0], scope)
    if who.type.kind == "team":
        return t.Op("team tricks", (who,), t.INTEGER, node.span)
    return t.Op("tricks of", (expressions.fit(who, t.PLAYER),), t.INTEGER, node.span)


def _length(expressions: ExpressionReader, node: ast.Apply, scope: Scope) -> Typed:
    inner = expressions.check(node.arguments[0], scope)
    if inner.type.kind not in ("list", "text", "unknown"):
        expressions.report.error("E502", inner.span, f"this is {inner.type}; 'length of' needs a list or a text")
    return t.Op("count", (inner,), t.INTEGER, node.span)


SPECIAL: dict[str, Callable[[ExpressionReader, ast.Apply, Scope], Typed]] = {
    "count": _count,
    "random": _random,
    "top": _top,
    "bottom": _top,
    "newest": _top,
    "next after": _next_after,
    "lowest": _extreme,
    "highest": _extreme,
    "void in": _void,
    "number": _number_of,
    "can": _can,
    "place": _place_in,
    "distance": _distance,
    "item": _item,
    "cycle": _item,
    "owner": _owner,
    "index": _owner,
    "tricks": _tricks_of,
    "length": _length,
}
"""The functions that look at what they are given before they know what it should be."""

ASKED = frozenset((*FUNCTIONS, *SPECIAL))
"""Words that stand before `of`, so nothing that does so too can be called that."""
