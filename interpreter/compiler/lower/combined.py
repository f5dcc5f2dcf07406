"""Sets that are put together, and parts of what lies in order, where they are gone through."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.compiler import core as c
from interpreter.compiler.bounds.limits import SUBSET
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.cards import as_list, copies_of
from interpreter.language import typed as t

if TYPE_CHECKING:
    from interpreter.compiler.lower.expressions import Expressions

Handler = Callable[["Expressions", t.Op], Expr]


def _part(function: str) -> Handler:
    return lambda e, node: c.call(function, e.of(node.args[0]), e.group(node.args[1]))


def _union(e: Expressions, node: t.Op) -> Expr:
    return c.call("union", *map(e.group, node.args))


def _without(e: Expressions, node: t.Op) -> Expr:
    members, left_out = node.args
    copies = copies_of(e, left_out)
    return c.call("without", e.group(members), e.group(left_out) if copies is None else as_list(copies))


def _subsets(e: Expressions, node: t.Op) -> Expr:
    group, *sizes = node.args
    found = c.call("sets_from", e.group(group), *map(e.of, sizes))
    if e.inline or not e.bounds.is_heavy(SUBSET * e.bounds.size(node)):
        return found
    return c.asked("each_of", found, c.Lit(SUBSET))


SETS: dict[str, Handler] = {
    "union": _union,
    "without": _without,
    "subsets": _subsets,
    "first": _part("first_of"),
    "drawn": lambda e, node: c.asked("drawn_from", e.of(node.args[0]), e.group(node.args[1])),
    "top cards": _part("top_of"),
    "bottom cards": _part("bottom_of"),
    "card number": _part("card_at"),
}
