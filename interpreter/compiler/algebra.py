"""Sets of cards as bits, and conditions: put together so that what is settled falls away."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr


def both(one: Expr, two: Expr) -> Expr:
    """The bits in both sets."""
    if c.ZERO in (one, two):
        return c.ZERO
    if two == c.PACK:
        return one
    return two if one == c.PACK else c.Op("&", one, two)


def others(bits: Expr) -> Expr:
    """All cards of the pack that are not in a set."""
    return c.Op("&", c.PACK, c.Inverted(bits))


def without(one: Expr, two: Expr) -> Expr:
    """The bits of one set that are not in the other."""
    match two:
        case c.Op("&", c.PACK, c.Inverted(of)):
            return both(one, of)
    return others(two) if one == c.PACK else both(one, c.Inverted(two))


def in_all(sets: Iterable[Expr]) -> Expr:
    """The bits that are in each of some sets, of which there is one at least."""
    found, *rest = sets
    for bits in rest:
        found = both(found, bits)
    return found


def in_any(sets: Iterable[Expr]) -> Expr:
    """The bits that are in any of some sets."""
    kept = [bits for bits in sets if bits != c.ZERO]
    if c.PACK in kept:
        return c.PACK
    match kept:
        case [c.If(test, c.PACK, c.ZERO), bits]:
            return c.If(test, c.PACK, bits)
        case []:
            return c.ZERO
    while len(kept) > FLAT:  # else it would be as deep as there are sets
        kept = [_in_few(kept[at : at + FLAT]) for at in range(0, len(kept), FLAT)]
    return _in_few(kept)


def _in_few(sets: list[Expr]) -> Expr:
    found = sets[0]
    for bits in sets[1:]:
        found = c.Op("|", found, bits)
    return found


FLAT = 32
"""Sets that are put together one after another."""


def chosen(test: Expr, then: Expr, otherwise: Expr) -> Expr:
    """The bits of one of two sets of which a condition on each card tells, itself as bits."""
    return c.Op("|", c.Op("&", then, test), c.Op("&", otherwise, c.Inverted(test)))


def all_if(test: Expr) -> Expr:
    """The whole pack if a condition holds, else nothing."""
    if isinstance(test, c.Lit):
        return c.PACK if test.value else c.ZERO
    return c.If(test, c.PACK, c.ZERO)


def joined(op: str, parts: list[Expr]) -> Expr:
    """`and` or `or` of some conditions; nothing in an expression has an effect, so one can settle it."""
    decides, neutral = (c.FALSE, c.TRUE) if op == "and" else (c.TRUE, c.FALSE)
    kept = [part for part in parts if part != neutral]
    if decides in kept:
        return decides
    if not kept:
        return neutral
    if len(kept) == 1:
        return kept[0]
    return c.And(tuple(kept)) if op == "and" else c.Or(tuple(kept))


def denied(test: Expr) -> Expr:
    """The opposite of a condition."""
    return c.Lit(not test.value) if isinstance(test, c.Lit) else c.Not(test)


def either(test: Expr, then: Expr, otherwise: Expr) -> Expr:
    """One of two values."""
    if isinstance(test, c.Lit):
        return then if test.value else otherwise
    return c.If(test, then, otherwise)
