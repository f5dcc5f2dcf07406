"""Loops of the expression language as Python text: any, all, first, count, sum, and the sets they choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiler.hoisting import THESE
from interpreter.compiler.made import put_in
from interpreter.compiler.patterns import mask_of
from interpreter.compiler.snippets import asks_literal, both, without
from interpreter.compiler.walking import is_cards
from interpreter.language import typed as t
from interpreter.language.typed import Typed

if TYPE_CHECKING:
    from interpreter.compiler.expressions import ExpressionCompiler

MOST_WRITTEN = 400
"""Up to so many letters, a question about each of a few players is written out."""


def bits_of(c: ExpressionCompiler, domain: Typed, *conditions: tuple[Typed | None, str]) -> str | None:
    """The cards of a domain for which conditions hold, as bits; None if that cannot be said."""
    if not is_cards(domain) or c.inline:
        return None
    kind, inner = c.cards(domain)
    if kind != "mask":
        return None
    for condition, variable in conditions:
        if condition is None:
            continue
        found = c.condition_bits(condition, variable)
        if found is None:
            return None
        inner = both(inner, found)
    return inner


def quantified(c: ExpressionCompiler, node: t.Quant) -> str:
    variable = node.variable
    inner = bits_of(c, node.domain, (node.where, variable))
    body = None if inner is None else c.condition_bits(node.body, variable)
    if inner is not None and body is not None:
        if node.kind == "any":
            return f"({both(inner, body)} != 0)"
        return f"(not {without(inner, body)})"
    heap = places_asked(c, node.domain, "is empty", node.body, variable, node.where)
    if heap and node.kind == "any":
        return f"({heap[1]} in {heap[0]})"
    held, domain = c.text(node.body), c.group(node.domain)
    items = c.constants.get(domain)
    if not c.inline and isinstance(items, tuple | range) and all(type(item) is int for item in items):
        if node.where is not None:  # of few who are always the same, each is asked
            where = c.text(node.where)
            held = f"({where} and {held})" if node.kind == "any" else f"(not {where} or {held})"
        if len(held) * len(items) <= MOST_WRITTEN:
            each = [put_in(held, {f"x·{variable}": str(item)}) for item in items]
            nothing = "True" if node.kind == "all" else "False"
            text = f"({(' or ' if node.kind == 'any' else ' and ').join(each)})" if each else nothing
            if not asks_literal(text):
                return text
        domain = c.counted(domain, c.bounds.steps(node), (node.where, node.body))
        return f"{node.kind}({held} for x·{variable} in {domain})"
    if domain == THESE and not c.inline and node.domain.type == t.PLAYERS and node.where is None:
        among, joined = (f"%d in {THESE} and", " or ") if node.kind == "any" else (f"%d not in {THESE} or", " and ")
        each = [f"{among % at} {put_in(held, {f'x·{variable}': str(at)})}" for at in range(c.layout.n)]
        text = joined.join(f"({part})" for part in each)
        if len(text) <= MOST_WRITTEN and not asks_literal(text):
            return f"({text})"
    where = "" if node.where is None else f" if {c.text(node.where)}"
    domain = c.counted(domain, c.bounds.steps(node), (node.where, node.body))
    return f"{node.kind}({held} for x·{variable} in {domain}{where})"


def selected(c: ExpressionCompiler, node: t.Select) -> str:
    variable = f"x·{node.variable}"
    if node.kind == "all" and node.by is None and is_cards(node):
        return c.as_list(c.cards(node))
    where = "" if node.where is None else f" if {c.text(node.where)}"
    masked = bits_of(c, node.domain, (node.where, node.variable))
    if masked is not None:
        where = ""
    members = c.group(node.domain) if masked is None else f"bits({masked})"
    inner = f"{variable} for {variable} in {c.counted(members, c.bounds.steps(node), (node.where, node.by))}{where}"
    if node.by is None:
        return f"[{inner}]" if node.kind == "all" else f"next(({inner}), None)"
    by = c.text(node.by)
    key = f"key=lambda {variable}: {f'none_first({by})' if c.may_miss(node.by) else by}"
    return f"sorted(({inner}), {key})" if node.kind == "all" else f"min(({inner}), {key}, default=None)"


def places_asked(
    c: ExpressionCompiler, domain: Typed, op: str, asked: Typed, variable: str, where: Typed | None
) -> tuple[str, str] | None:
    """(all places of a zone, an empty one) as text, where the same question is asked of each of them."""
    match domain, asked:
        case t.ZoneRef(name), t.Op(own, (t.Local(local) | t.ZoneRef(_, (t.Local(local),)),)) if (
            own == op and local == variable and where is None
        ):
            if domain.type != t.CARDS and c.kept[name] is not None:
                start, _, end = c.places(domain).removeprefix("range(").removesuffix(")").partition(", ")
                return f"z[{start}:{end}]", "[]" if c.kept[name] == "list" else "0"
    return None


def folded(c: ExpressionCompiler, node: t.Fold) -> str:
    variable = f"x·{node.variable}"
    masked = bits_of(c, node.domain, (node.where, node.variable))
    if node.kind == "count" and masked is not None:
        return f"({masked}).bit_count()"
    where = "" if node.where is None else f" if {c.text(node.where)}"
    steps, counted = c.bounds.steps(node), (node.where, node.value)
    source = f"{variable} in {c.counted(c.group(node.domain), steps, counted)}{where}"
    if node.kind == "count":
        return f"sum(1 for {source})"
    assert node.value is not None
    heap = places_asked(c, node.domain, "count", node.value, node.variable, node.where)
    if heap and node.kind == "sum" and heap[1] == "[]":
        return f"sum(map(len, {heap[0]}))"
    value = c.text(node.value)
    if masked is not None:
        if node.kind == "sum" and c.uses(node.value) == {node.variable}:
            worths = c.evaluate_cards(node.value, node.variable)
            if worths is not None:
                counting = mask_of([card for card, worth in enumerate(worths) if worth])
                masked = both(masked, repr(counting))
        source = f"{variable} in {c.counted(f'bits({masked})', steps, counted)}"
    default = "" if node.kind == "sum" else ", default=0"
    inner = f"[{value} for {source}]"
    text = f"{node.kind}({f'present({inner})' if c.may_miss(node.value) else inner}{default})"
    return f"within({text})" if node.kind == "sum" and c.ranges.leaves(node) else text
