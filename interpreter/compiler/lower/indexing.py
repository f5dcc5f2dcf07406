"""Places and slots by their index."""

from __future__ import annotations

from math import prod

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr
from interpreter.compiler.layout import Family
from interpreter.compiler.lower.lowering import Lowering
from interpreter.language import typed as t
from interpreter.language.typed import Typed


def offset(e: Lowering, index: tuple[Typed, ...], family: Family) -> Expr:
    """The number of a place or slot from its index; missing dimensions count as their first."""
    number = family.base
    parts: list[Expr] = []
    for at, (part, size, start) in enumerate(zip(index, family.sizes, family.starts, strict=False)):
        step = prod(family.sizes[at + 1 :])
        found = _face_number(e, part) if part.type.kind == "card" else e.of(part)
        if isinstance(found, c.Lit) and type(found.value) is int:
            if not 0 <= found.value - start < size:
                return c.call("nowhere")
            number += (found.value - start) * step
            continue
        if part.type.kind == "integer":
            found = c.call("inside", found, c.Lit(start), c.Lit(size))
        if e.may_miss(part):
            found = c.call("required", found)
        parts.append(found if step == 1 else c.Op("*", found, c.Lit(step)))
    if number or not parts:
        parts.insert(0, c.Lit(number))
    return c.add(*parts)


def _face_number(e: Lowering, card: Typed) -> Expr:
    """A card as the number of its face, which equal cards share; none for none, and for a card that is not there."""
    found, first = e.of(card), e.layout.first_copy
    faces = {one: number for number, one in enumerate(sorted(set(first)))}
    if isinstance(found, c.Lit) and type(found.value) is int:
        return c.Lit(faces[first[found.value]])
    if len(faces) == len(first):
        return found
    return c.call("of_card", e.tables.table(tuple(faces[one] for one in first), "face"), found)


def slot(e: Lowering, node: t.VarRef) -> Expr:
    return offset(e, node.index, e.layout.variables[node.name])


def place(e: Lowering, node: t.ZoneRef) -> Expr:
    """The number of the place a zone reference means."""
    if len(node.index) == 1 and node.index[0].type.kind == "place":
        return e.of(node.index[0])
    return _place(e, node)


def _place(e: Lowering, node: t.ZoneRef) -> Expr:
    """The place, or the first of those, that begin with the index: of the first zone it is reckoned, too, so that it is
    no player or suit."""
    family = e.layout.zones[node.name]
    found = offset(e, node.index, family)
    reckoned = family.base or isinstance(found, c.Lit) or (isinstance(found, c.Op) and found.op in "+*")
    return found if reckoned else c.add(c.ZERO, found)


def ends(e: Lowering, node: t.ZoneRef) -> tuple[Expr, Expr]:
    """The first of all places that begin with the index, and the one behind the last."""
    family = e.layout.zones[node.name]
    span = prod(family.sizes[len(node.index) :])
    start = _place(e, node)
    if isinstance(start, c.Lit):
        return start, c.Lit(start.value + span)
    return start, c.add(start, c.Lit(span))


def places(e: Lowering, node: t.ZoneRef) -> Expr:
    """All places that begin with the index."""
    return c.call("range", *ends(e, node))


def holder(e: Lowering, pieces: t.TokenRef) -> Expr:
    """Who holds the pieces that are meant; -1 for the table."""
    return c.Lit(-1) if pieces.holder is None else e.of(pieces.holder)
