"""Sets that are put together: of several things, of numbers, of what others leave, and parts of what lies in order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, groupby, starmap

from interpreter.base.diagnostics import Span
from interpreter.language import syntax as ast
from interpreter.language import typed as t
from interpreter.language.check.expression_reader import ExpressionReader
from interpreter.language.check.names import Scope
from interpreter.language.operations import TAKE_ONE
from interpreter.language.tree import replace
from interpreter.language.typed import Type, Typed, set_of


def lying_there(found: Typed) -> Typed:
    """A place as the cards that lie there, a meld as its cards; anything else as it is."""
    if found.type.kind == "place":
        return t.ZoneRef(found.type.zone, (found,), t.CARDS, found.span)
    if found.type.kind == "meld":
        return t.Op("meld cards", (found,), t.CARDS, found.span)
    return found


def together(
    expressions: ExpressionReader, items: Sequence[ast.Expr], span: Span, scope: Scope, expected: Type | None
) -> Typed:
    """`(a, b)`: several things; where one of them is itself a set, all of its members."""
    wanted = expected.item if expected is not None else None
    checked: dict[int, Typed] = {}
    for at in sorted(range(len(items)), key=lambda at: isinstance(items[at], ast.Number)):  # beside `J` 10 is a rank
        maybe = None if wanted is None else replace(wanted, optional=True)  # of a set, what is none is left out
        found = lying_there(expressions.unfitted(items[at], scope, maybe))
        several = found.type.kind in ("set", "list") and found.type.item is not None
        checked[at] = found if wanted is None else expressions.fit(found, set_of(wanted) if several else wanted)
        wanted = wanted or (found.type.item if several else found.type)
    found_all = [checked[at] for at in range(len(items))]
    kind = set_of(wanted or t.UNKNOWN)
    once = wanted is not None and wanted.kind == "card" and (expected is None or expected.kind != "list")
    if once:  # each card is in it once
        named = {one.value: one for one in reversed(found_all) if isinstance(one, t.Const)}
        found_all = [one for one in found_all if not isinstance(one, t.Const) or one is named[one.value]]
    if not (once and _may_repeat(found_all)) and not any(one.type.kind in ("set", "list") for one in found_all):
        return t.Op("group", tuple(found_all), kind, span)
    parts: list[Typed] = []
    for is_one, run in groupby(found_all, key=lambda one: one.type.kind == (kind.item or kind).kind):
        some = tuple(run)
        parts += [t.Op("group", some, kind, span)] if is_one else [expressions.fit(one, kind) for one in some]
    return t.Op("union", tuple(parts), kind, span)


def _may_repeat(cards: Sequence[Typed]) -> bool:
    """Whether two of several cards can be the same: not if they are named, or come from different places."""
    if len(cards) < 2 or all(isinstance(card, t.Const) for card in cards):
        return False
    places = [card.args[0] for card in cards if isinstance(card, t.Op) and card.op in TAKE_ONE]
    return len(places) < len(cards) or not all(starmap(_are_two_places, combinations(places, 2)))


def _are_two_places(one: Typed, other: Typed) -> bool:
    if not (isinstance(one, t.ZoneRef) and isinstance(other, t.ZoneRef)):
        return False
    pairs = zip(one.index, other.index, strict=False)
    return one.name != other.name or any(
        isinstance(a, t.Const) and isinstance(b, t.Const) and a.value != b.value for a, b in pairs
    )


def numbers(expressions: ExpressionReader, node: ast.Range, scope: Scope, expected: Type | None) -> Typed:
    """`(1..6)`: numbers; where ranks are meant, those from one to another."""
    names = expressions.names
    if expected is not None and expected.item is not None and expected.item.kind == "rank":
        ends = [plain_word(end) for end in (node.low, node.high)]
        if all(end in names.ranks for end in ends):
            low, high = (names.ranks.index(end) for end in ends)
            if low > high:
                message = f"{ends[0]} is higher than {ends[1]}"
                expressions.report.error("E508", node.span, message, "the lower end comes first")
            two = tuple(t.Const(end, t.RANK, node.span) for end in ends)
            return t.Op("numbers", two, set_of(t.RANK), node.span)
        hint = f"ranks, from low to high: {', '.join(names.ranks)}"
        expressions.report.error("E502", node.span, "the ends of a range of ranks are ranks", hint)
        return expressions.unknown(node.span)
    low_end, high_end = (expressions.check(end, scope, t.INTEGER) for end in (node.low, node.high))
    if isinstance(low_end, t.Const) and isinstance(high_end, t.Const):
        if type(low_end.value) is int and type(high_end.value) is int and low_end.value > high_end.value:
            message = f"{low_end.value} is more than {high_end.value}"
            expressions.report.error("E508", node.span, message, "the lower end comes first")
    return t.Op("numbers", (low_end, high_end), set_of(t.INTEGER), node.span)


def without(expressions: ExpressionReader, node: ast.Without, scope: Scope, expected: Type | None) -> Typed:
    """`A without B`: the members of A that are not in B, or are not B."""
    group = lying_there(expressions.unfitted(node.group, scope, expected))
    if group.type.kind != "set" or group.type.item is None:
        if group.type.kind != "unknown":
            hint = "what is asked of what is left stands around it: 'count of (A without B)'"
            message = f"this is {group.type}, of which nothing can be left out"
            expressions.report.error("E502", group.span, message, hint)
        return expressions.unknown(node.span)
    left_out = expressions.check(node.left_out, scope, set_of(group.type.item))
    return t.Op("without", (group, left_out), group.type, node.span)


def subsets(expressions: ExpressionReader, node: ast.Subsets, scope: Scope) -> Typed:
    """`sets of 2..4 from S`: all ways to take so many members out of a set."""
    group = lying_there(expressions.check(node.group, scope))
    if group.type.kind != "set" or group.type.item is None or group.type.item.kind == "set":
        if group.type.kind != "unknown":
            message = f"this is {group.type}, from which no sets are made"
            expressions.report.error("E502", group.span, message, "sets of 2..4 from ZONE, or from another set")
        return expressions.unknown(node.span)
    sizes = [node.low] if node.high is None else [node.low, node.high]
    args = (group, *(expressions.check(size, scope, t.INTEGER) for size in sizes))
    return t.Op("subsets", args, set_of(group.type), node.span)


def some(expressions: ExpressionReader, node: ast.Some, scope: Scope) -> Typed:
    """Some of what lies in order, or the card at a place of it."""
    count = expressions.check(node.count, scope, t.INTEGER)
    if node.which == "first":
        group = expressions.check(node.group, scope)
        return t.Op("first", (count, group), group.type, node.span)
    cards = expressions.cards(node.group, scope)
    if node.which == "number":
        return t.Op("card number", (count, cards), replace(t.CARD, optional=True), node.span)
    return t.Op("bottom cards" if node.which == "bottom" else "top cards", (count, cards), t.CARDS, node.span)


def plain_word(node: ast.Expr) -> str:
    """A word or number as it is written; "" for any other expression."""
    match node:
        case ast.Name(text):
            return text
        case ast.Number(value):
            return str(value)
    return ""
