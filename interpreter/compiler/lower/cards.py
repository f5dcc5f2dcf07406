"""Sets of cards, and conditions on cards as the bits of those for which they hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.compiler import core as c
from interpreter.compiler.algebra import all_if, both, chosen, in_all, in_any, joined, others, without
from interpreter.compiler.constant import Unanswerable
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.definitions import use, written_out
from interpreter.compiler.lower.indexing import ends, place
from interpreter.compiler.lower.lowering import Lowering
from interpreter.compiler.lower.table_names import named_after
from interpreter.compiler.lower.trees import is_cards, may_be_none_of, written_in
from interpreter.compiler.lower.uses import one_local
from interpreter.compiler.made import local_name
from interpreter.engine.packets import mask_of
from interpreter.language import typed as t
from interpreter.language.check.equal_cards import go_by_face
from interpreter.language.typed import Typed

SMALL, LARGE = 60, 3_000
"""Parts of what may stand in several places of an expression, and of a set that is put together of others."""
CardSet = tuple[str, Expr]
"""("mask" or "list", expression)."""


def cards(e: Lowering, node: Typed) -> CardSet:
    """A set of cards, as bits where it can be."""
    return e.once(node, "cards", lambda: _cards(e, node))  # type: ignore[no-any-return]


def _cards(e: Lowering, node: Typed) -> CardSet:
    match node:
        case t.ZoneRef(name, index):
            missing = [part for part in index if e.may_miss(part)]
            kind, found = e.kept[name], c.Zone(place(e, node))
            if not missing:
                return kind, found
            there = [e.of(part) for part in missing]
            nothing: Expr = c.ZERO if kind == "mask" else c.NOTHING
            if not all(c.is_within(part, SMALL) for part in there):  # it would be looked at twice, in whatever it is
                return kind, e.of_somebody(node, nothing)
            return kind, c.If(joined("and", [c.is_there(part) for part in there]), found, nothing)
        case t.Builtin("pack"):
            return "mask", c.PACK
        case t.Select("all", variable, _, domain, where, None):
            kind, inner = cards(e, domain)
            if where is None:
                return kind, inner
            bits = condition_bits(e, where, variable)
            if kind == "mask" and bits is not None:
                return "mask", both(inner, bits)
            members = e.counted(as_list((kind, inner)), domain, e.bounds.steps(node), (where,))
            own = local_name(variable)
            return "list", c.Loop("list", own, members, e.of(where), c.Name(own))
        case t.If(condition, then, otherwise):
            one, two = cards(e, then), cards(e, otherwise)
            if one[0] == two[0]:
                return one[0], e.either(condition, lambda: one[1], lambda: two[1])
            return "list", e.either(condition, lambda: as_list(one), lambda: as_list(two))
        case t.Op("group", ()):
            return "mask", c.ZERO
        case t.Op("union" | "without") if not e.inline and e.uses(node):
            return _put_together(e, node)
        case t.Instance(key) if not e.inline:
            if not e.uses(node):
                return _worked_out(e, node)
            return cards(e, e.model.instances[key].body)[0], use(e, node)
    if not e.uses(node):
        return _worked_out(e, node)
    given = e.raw(node)
    return "list", c.Or((given, c.NOTHING)) if may_be_none_of(node) else given


def _put_together(e: Lowering, node: t.Op) -> CardSet:
    """What several sets hold, or one without another; in order where the first of them is."""
    parts = [cards(e, arg) for arg in node.args]
    if node.op == "without":
        kind, all_of_it = parts[0]
        left_out = with_equal_ones(e, node, parts[1])
        if kind == "mask":
            return "mask", without(all_of_it, as_mask(left_out))
        return "list", c.call("without", all_of_it, as_list(left_out))
    if all(kind == "mask" for kind, _ in parts):
        return "mask", in_any(found for _, found in parts)
    return "list", c.call("union", *map(as_list, parts))


def goes_by_face(e: Lowering, node: t.Op) -> bool:
    """Whether an operation takes equal cards for one, and there are equal ones."""
    return e.layout.multi and go_by_face(node, e.model.instances)


def with_equal_ones(e: Lowering, node: t.Op, found: CardSet) -> CardSet:
    """The second set of `in` or `without`: where that goes by the face, with all cards that are equal to one of it."""
    if not goes_by_face(e, node):
        return found
    match node.args[1]:
        case t.Op("group", args) if all(isinstance(arg, t.Const) for arg in args):
            return "mask", in_any(c.Item(c.Table("COPIES"), _face(e, e.of(arg))) for arg in args)
    return "mask", c.call("with_copies", c.Table("COPIES"), c.Table("FIRST"), as_list(found))


def _worked_out(e: Lowering, node: Typed) -> CardSet:
    try:
        return "mask", c.Lit(mask_of(e.tables.value(node) or ()))
    except Unanswerable as fault:
        return "mask", e.no_value(fault)


def as_list(found: CardSet) -> Expr:
    return found[1] if found[0] == "list" else c.call("bits", found[1])


def as_mask(found: CardSet) -> Expr:
    kind, of = found
    if kind == "mask":
        return of
    return c.call("mask_of_packet" if c.is_at_hand(of) else "mask_of", of)


def bits_of(e: Lowering, domain: Typed, *conditions: tuple[Typed | None, str]) -> Expr | None:
    """The cards of a domain for which conditions hold, as bits; None if that cannot be said."""
    if not is_cards(domain) or e.inline:
        return None
    kind, inner = cards(e, domain)
    if kind != "mask":
        return None
    for condition, variable in conditions:
        if condition is not None:
            found = condition_bits(e, condition, variable)
            if found is None:
                return None
            inner = both(inner, found)
    return inner


# ---- conditions -----------------------------------------------------------------------------------------


def condition_bits(e: Lowering, node: Typed, variable: str) -> Expr | None:
    """The cards for which a condition on one of them holds, as bits; None if it must be asked card by card."""
    found: Expr | None = e.once(node, f"bits {variable}", lambda: _condition_bits(e, node, variable))
    return found if found is None or c.is_within(found, LARGE) else None


def bits_of_each(e: Lowering, conditions: Iterable[Typed], variable: str) -> list[Expr] | None:
    """For each condition the cards for which it holds; None if one must be asked card by card."""
    found = [condition_bits(e, condition, variable) for condition in conditions]
    known = [bits for bits in found if bits is not None]
    return known if len(known) == len(found) else None


def _condition_bits(e: Lowering, node: Typed, variable: str) -> Expr | None:
    needs = e.uses(node)
    if variable not in needs:
        return all_if(e.of(node))
    local, variables = one_local(needs)
    if local == variable:
        rows = e.tables.rows(node, variable, variables)
        if rows is not None:
            masks = {held: mask_of([card for card, holds in enumerate(row) if holds]) for held, row in rows.items()}
            return e.row(masks, variables, f"{named_after(node)}_cards")
    match node:
        case t.Op("and" | "or", args):
            parts = bits_of_each(e, args, variable)
            return parts if parts is None else in_all(parts) if node.op == "and" else in_any(parts)
        case t.Op("not", (inner,)):
            found = condition_bits(e, inner, variable)
            return None if found is None else others(found)
        case t.Op("=" | "!=", (left, right)):
            same = _equal_bits(e, left, right, variable) or _equal_bits(e, right, left, variable)
            return same if same is None or node.op == "=" else others(same)
        case t.Op("in", (t.Local(name), group)) if name == variable and variable not in e.uses(group):
            return as_mask(with_equal_ones(e, node, cards(e, group))) if is_cards(group) else None
        case t.If(condition, then, otherwise):
            where = condition_bits(e, condition, variable)
            one, two = condition_bits(e, then, variable), condition_bits(e, otherwise, variable)
            return None if where is None or one is None or two is None else chosen(where, one, two)
        case t.Instance(key, args) if not (e.model.instances[key].uses_actor or e.unexpected(node)):
            return condition_bits(e, written_in(e.model.instances[key], args), variable)
    return None


def _equal_bits(e: Lowering, side: Typed, other: Typed, variable: str) -> Expr | None:
    """The cards for which `side`, which may depend on the card, equals `other`, which does not."""
    if variable in e.uses(other) or not c.is_within(e.of(other), LARGE):
        return None
    if variable not in e.uses(side):
        return c.If(c.Compare("==", e.of(side), e.of(other)), c.PACK, c.ZERO)
    match side:
        case t.Local(name) if name == variable:
            return c.Item(c.Table("COPIES"), _face(e, e.of(other)))
        case t.Op("suit" | "rank" | "colour" as op, (t.Local(name),)) if name == variable:
            asked = e.of(other)
            found = c.Item(c.Table(f"IN_{op.upper()}"), asked)
            return e.kept_as(found, (), led=True) if asked == c.LED else found
    several = e.layout.multi and side.type.kind == "card"
    sorted_out = None if several else _sorted_bits(e, side, other, variable)
    if sorted_out is not None:
        return sorted_out
    match side:
        case t.If(condition, then, otherwise):
            test = condition_bits(e, condition, variable)
            one, two = (_equal_bits(e, branch, other, variable) for branch in (then, otherwise))
            if test is None or one is None or two is None:
                return None
            both_ways = chosen(test, one, two)
            return both_ways if c.is_within(both_ways, LARGE) else None
        case t.Instance(key, args) if not (e.model.instances[key].uses_actor or e.unexpected(side)):
            return _equal_bits(e, written_in(e.model.instances[key], args), other, variable)
    return None


def _face(e: Lowering, card: Expr) -> Expr:
    """The first of the cards that are equal to a card, or none."""
    return of_card(c.Table("FIRST"), card) if e.layout.multi else card


def of_card(table: Expr, card: Expr) -> Expr:
    """What a table says of a card; none of none."""
    if isinstance(card, c.Lit) and type(card.value) is int:
        return c.Item(table, card)
    if isinstance(card, c.End):
        return c.If(card.cards, c.Item(table, c.Item(card.cards, c.Lit(card.at))), c.NONE)
    if c.is_at_hand(card):
        return c.If(c.is_none(card), c.NONE, c.Item(table, card))
    return c.call("of_card", table, card)


def _sorted_bits(e: Lowering, side: Typed, other: Typed, variable: str) -> Expr | None:
    """The cards for which two values are equal, by a table: for each value of `side`, the cards that have it."""
    local, variables = one_local(e.uses(side))
    values = e.tables.rows(side, variable, variables) if local == variable else None
    if values is None or any(not isinstance(v, int | str | None) for row in values.values() for v in row):
        return None
    rows: dict[Any, dict[Any, int]] = {}
    for held, row in values.items():
        rows[held] = {}
        for card, value in enumerate(row):
            rows[held][value] = rows[held].get(value, 0) | 1 << card
    asked = e.of(other)
    found = c.method(e.row(rows, variables, f"{named_after(side)}_cards"), "get", asked, c.ZERO)
    return e.kept_as(found, variables, led=True) if asked == c.LED else found


# ---- whether there are any ------------------------------------------------------------------------------


def emptiness(e: Lowering, node: t.Op) -> Expr | None:
    """`NUMBER = 0` and the like, where the number counts cards; None if it is anything else.

    That there are any cards is asked of places at once, instead of counting what lies in them.
    """
    match node:
        case t.Op("=" | "!=" | ">", (number, t.Const(0))) if number.type.kind == "integer":
            anything = _anything(e, number)
            if anything is not None:
                return c.Not(anything) if node.op == "=" else c.call("bool", anything)
    return None


def _anything(e: Lowering, number: Typed) -> Expr | None:
    """What holds if a number of cards is not 0."""
    match number:
        case t.Op("+", parts):
            each = [found for found in (_anything(e, part) for part in parts) if found is not None]
            return c.Or(tuple(each)) if len(each) == len(parts) else None
        case t.Op("count", (found,)) if found.type.kind == "place":
            return c.Zone(e.of(found))
        case t.Op("count", (found,)) if is_cards(found):
            return cards(e, found)[1]
        case t.Fold("sum", variable, _, domain, None, value) if value is not None:
            heap = places_asked(e, domain, "count", value, variable, None)
            return None if heap is None else c.call("any", heap[0])
        case t.Instance(key, args) if not (e.inline or e.unexpected(number)):
            instance = e.model.instances[key]
            anything = None if instance.uses_actor else _anything(e, instance.body)
            return None if anything is None else written_out(instance, [e.of(arg) for arg in args], anything)
    return None


def places_asked(
    e: Lowering, domain: Typed, op: str, asked: Typed, variable: str, where: Typed | None
) -> tuple[Expr, Expr] | None:
    """(all places of a zone, an empty one), where the same question is asked of each of them."""
    match domain, asked:
        case t.ZoneRef(name), t.Op(own, (t.Local(local) | t.ZoneRef(_, (t.Local(local),)),)) if (
            own == op and local == variable and where is None and domain.type != t.CARDS
        ):
            return c.Zones(*ends(e, domain)), c.List(()) if e.kept[name] == "list" else c.ZERO
    return None
