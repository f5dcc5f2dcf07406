"""Loops of the expression language: any, all, first, count, sum, and the sets they choose from."""

from __future__ import annotations

from typing import Any

from interpreter.compiler import core as c
from interpreter.compiler.algebra import both, joined, without
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.cards import as_list, bits_of, cards, condition_bits, places_asked
from interpreter.compiler.lower.combined import as_placed, in_turn
from interpreter.compiler.lower.definitions import asks_literal
from interpreter.compiler.lower.hoisting import THESE
from interpreter.compiler.lower.lowering import Lowering
from interpreter.compiler.lower.melds import least_outside
from interpreter.compiler.lower.trees import is_cards
from interpreter.compiler.made import local_name
from interpreter.engine.packets import mask_of
from interpreter.language import typed as t
from interpreter.language.tree import replace

MOST_WRITTEN = 90
"""Up to so many parts, a question about each of a few players is written out."""
FEW_WORTHS = 4
"""Of cards that are worth so many different things at most, those of each are counted."""
LOOKED_AT_AGAIN = 6
"""A set of so many parts at most is looked at once for each of them."""


def quantified(e: Lowering, node: t.Quant) -> Expr:
    own = local_name(node.variable)
    inner = bits_of(e, node.domain, (node.where, node.variable))
    bits = None if inner is None else condition_bits(e, node.body, node.variable)
    if inner is not None and bits is not None:
        if node.kind == "any":
            return c.Compare("!=", both(inner, bits), c.ZERO)
        return c.Not(without(inner, bits))
    heap = places_asked(e, node.domain, "is empty", node.body, node.variable, node.where)
    if heap and node.kind == "any":
        return c.Compare("in", heap[1], heap[0])
    held, domain = e.of(node.body), e.group(node.domain)
    members = _members_known(e, domain)
    if members is not None:
        return _of_each(e, node, held, domain, members)
    if domain == THESE and not e.inline and node.domain.type == t.PLAYERS and node.where is None:
        written = _of_these(e, node, held)
        if written is not None:
            return written
    where = None if node.where is None else e.of(node.where)
    domain = e.counted(domain, node.domain, e.bounds.steps(node), (node.where, node.body))
    return c.Loop(node.kind, own, domain, where, held)


def _members_known(e: Lowering, domain: Expr) -> tuple[int, ...] | None:
    """Through what a loop goes, if these are always the same numbers."""
    items = e.tables.constants.get(domain.name) if isinstance(domain, c.Table) and not e.inline else None
    known = isinstance(items, tuple | range) and all(type(item) is int for item in items)
    return tuple(items) if known else None  # type: ignore[arg-type]


def _of_each(e: Lowering, node: t.Quant, held: Expr, domain: Expr, members: tuple[int, ...]) -> Expr:
    """Of few who are always the same, each is asked."""
    own = local_name(node.variable)
    if node.where is not None:
        where = e.of(node.where)
        held = c.And((where, held)) if node.kind == "any" else c.Or((c.Not(where), held))
    if c.is_within(held, MOST_WRITTEN // max(1, len(members))):
        each = [c.put_in(held, {own: c.Lit(item)}) for item in members]
        if not each:
            return c.Lit(node.kind == "all")
        found = joined("or", each) if node.kind == "any" else joined("and", each)
        if not asks_literal(found):
            return found
    domain = e.counted(domain, node.domain, e.bounds.steps(node), (node.where, node.body))
    return c.Loop(node.kind, own, domain, None, held)


def _of_these(e: Lowering, node: t.Quant, held: Expr) -> Expr | None:
    """Of those who are known already, each player who is among them is asked; None if that is too long."""
    own = local_name(node.variable)
    if not c.is_within(held, MOST_WRITTEN // e.layout.n - 3):
        return None
    each: list[Expr] = []
    for at in range(e.layout.n):
        asked = c.put_in(held, {own: c.Lit(at)})
        among = c.Compare("in" if node.kind == "any" else "not in", c.Lit(at), THESE)
        each.append(c.And((among, asked)) if node.kind == "any" else c.Or((among, asked)))
    found = c.Or(tuple(each)) if node.kind == "any" else c.And(tuple(each))
    return None if asks_literal(found) else found


def selected(e: Lowering, node: t.Select) -> Expr:
    own = local_name(node.variable)
    if node.kind == "all" and node.by is None and is_cards(node):
        return as_list(cards(e, node))
    where = None if node.where is None else e.of(node.where)
    if where == c.FALSE:
        return c.NONE if node.kind == "first" and node.item.kind != "set" else c.NOTHING
    masked = bits_of(e, node.domain, (node.where, node.variable))
    members = e.group(node.domain) if masked is None else c.call("bits", masked)
    if masked is not None:
        where = None
    if node.kind == "first" or node.by is not None:
        members = _in_turn(e, node, members)
    members = e.counted(members, node.domain, e.bounds.steps(node), (node.where, node.by))
    found: Expr
    if node.by is None:
        found = c.Loop("list" if node.kind == "all" else "first", own, members, where, c.Name(own))
    else:
        by = e.of(node.by)
        found = c.Ordered(node.kind, own, members, where, c.call("none_first", by) if e.may_miss(node.by) else by)
    return c.Or((found, c.NOTHING)) if node.kind == "first" and node.item.kind == "set" else found


def _in_turn(e: Lowering, node: t.Select, members: Expr) -> Expr:
    """The members from which the first is taken, or which are put in order: those that are equal stay as they come."""
    if not is_cards(node.domain):
        return in_turn(e, node.domain) if node.item.kind == "set" else members
    if e.inline or e.lying.is_named(node):
        return members
    return as_placed(e, node.domain, replace(node, kind="all", by=None), members)


def folded(e: Lowering, node: t.Fold) -> Expr:
    if node.kind == "least":
        return least_outside(e, node)
    own = local_name(node.variable)
    masked = bits_of(e, node.domain, (node.where, node.variable))
    if node.kind == "count" and masked is not None:
        return c.CountBits(masked)
    where = None if node.where is None else e.of(node.where)
    steps, inner = e.bounds.steps(node), (node.where, node.value)
    members = e.counted(e.group(node.domain), node.domain, steps, inner)
    if node.kind == "count":
        return c.Loop("count", own, members, where, c.ONE)
    assert node.value is not None
    heap = places_asked(e, node.domain, "count", node.value, node.variable, node.where)
    if heap and node.kind == "sum" and isinstance(heap[1], c.List):
        return c.Fold("sum", c.call("map", c.Ref("len"), heap[0]))
    value = e.of(node.value)
    if masked is not None:
        where = None
        if node.kind == "sum" and e.uses(node.value) == {node.variable}:
            worths = e.tables.of_cards(node.value, node.variable)
            if worths is not None:
                found = _weighed(masked, worths)
                if found is not None:
                    return c.call("within", found) if e.ranges.leaves(node) else found
                masked = both(masked, c.Lit(mask_of([card for card, worth in enumerate(worths) if worth])))
        members = e.counted(c.call("bits", masked), node.domain, steps, inner)
    values: Expr = c.Loop("list", own, members, where, value)
    found = c.Fold(node.kind, c.call("present", values) if e.may_miss(node.value) else values)
    return c.call("within", found) if node.kind == "sum" and e.ranges.leaves(node) else found


def _weighed(masked: Expr, worths: tuple[Any, ...]) -> Expr | None:
    """What cards are worth together: so many times each of a few worths; None if there are many, or cards without."""
    if None in worths:
        return None
    cards = {worth: mask_of([card for card, own in enumerate(worths) if own == worth]) for worth in set(worths) - {0}}
    if len(cards) > FEW_WORTHS or not c.is_within(masked, LOOKED_AT_AGAIN):
        return None
    counts = [(worth, c.CountBits(both(masked, c.Lit(of)))) for worth, of in sorted(cards.items())]
    if not counts:
        return c.ZERO
    return c.add(*(number if worth == 1 else c.Op("*", c.Lit(worth), number) for worth, number in counts))
