"""The core worked out, where it asks nothing of a match: what never changes is found before play.

An expression becomes a function of its locals, made of one small function for each node. It says what the printed code
would say, since both call the same library. Whatever is worked out before play is worked out here: the rows of tables,
and what options and players settle before there are cards.
"""

from __future__ import annotations

import operator
from collections import ChainMap
from collections.abc import Callable
from functools import partial
from typing import Any

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr
from interpreter.engine.library import HELPERS, SAFE

Locals = dict[str, Any]
Worked = Callable[[Locals], Any]

VARIABLES = "v"
"""Among the locals, the values of variables by slot."""

_REACHES: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "is": operator.is_, "is not": operator.is_not, "in": lambda one, two: one in two,
    "not in": lambda one, two: one not in two, "+": operator.add, "-": operator.sub, "*": operator.mul,
    "//": operator.floordiv, "%": operator.mod, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
_REACHES_ONE: dict[type[Expr], Callable[[Any], Any]] = {
    c.Not: operator.not_, c.Negative: operator.neg, c.Inverted: operator.invert, c.CountBits: int.bit_count,
}  # fmt: skip


class Evaluator:
    """Makes functions of expressions. names: the tables that these may name, to which more may be added."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.known = ChainMap(names, HELPERS, SAFE)

    def value(self, node: Expr, held: Locals | None = None) -> Any:
        """What an expression is for values of its locals. Raises what working it out raises."""
        return self.function(node)(held or {})

    def function(self, node: Expr) -> Worked:
        return _FORMS[type(node)](self, node)

    def one(self, reach: Callable[[Any], Any], node: Expr) -> Worked:
        """What is made of the value of an expression."""
        of = self.function(node)
        return lambda held: reach(of(held))

    def two(self, reach: Callable[[Any, Any], Any], left: Expr, right: Expr) -> Worked:
        """What is made of the values of two."""
        one, two = self.function(left), self.function(right)
        return lambda held: reach(one(held), two(held))

    def several(self, nodes: tuple[Expr, ...]) -> Callable[[Locals], tuple[Any, ...]]:
        """Of a group, what each member is; those that are spread, one after the other."""
        if any(isinstance(node, c.Spread) for node in nodes):
            parts = [(self.function(n.of if isinstance(n, c.Spread) else n), isinstance(n, c.Spread)) for n in nodes]
            return lambda held: tuple(x for of, spread in parts for x in (of(held) if spread else (of(held),)))
        match [self.function(node) for node in nodes]:
            case []:
                return lambda held: ()
            case [one]:
                return lambda held: (one(held),)
            case [one, two]:
                return lambda held: (one(held), two(held))
            case found:
                return lambda held: tuple([of(held) for of in found])

    def members(self, node: c.Loop | c.Ordered) -> Callable[[Locals], Any]:
        """Goes through what a loop goes through: its variable holds one member after the other."""
        variable, domain = node.variable, self.function(node.domain)
        where = None if node.where is None else self.function(node.where)

        def through(held: Locals) -> Any:
            for member in domain(held):
                held[variable] = member
                if where is None or where(held):
                    yield member

        return through


def _lit(e: Evaluator, node: c.Lit) -> Worked:
    value = node.value
    return lambda held: value


def _name(e: Evaluator, node: c.Name) -> Worked:
    name = node.name
    return lambda held: held[name]


def _known(e: Evaluator, node: c.Table | c.Ref) -> Worked:
    value = e.known[node.name]
    return lambda held: value


def _slot(e: Evaluator, node: c.Slot) -> Worked:
    at = e.function(node.at)
    return lambda held: held[VARIABLES][at(held)]


def _call(e: Evaluator, node: c.Call) -> Worked:
    function, args = e.known[node.function], e.several(node.args)
    return lambda held: function(*args(held))


def _called(e: Evaluator, node: c.Called) -> Worked:
    of, args = e.function(node.of), e.several(node.args)
    return lambda held: of(held)(*args(held))


def _method(e: Evaluator, node: c.Method) -> Worked:
    name, of, args = node.name, e.function(node.of), e.several(node.args)
    return lambda held: getattr(of(held), name)(*args(held))


def _between(e: Evaluator, node: c.Between) -> Worked:
    low, of, high = e.function(node.low), e.function(node.of), e.function(node.high)
    return lambda held: low(held) <= of(held) <= high(held)


def _joined(e: Evaluator, node: c.And | c.Or) -> Worked:
    parts, decides = [e.function(part) for part in node.parts], isinstance(node, c.Or)

    def worked(held: Locals) -> Any:
        found: Any = not decides
        for part in parts:
            found = part(held)
            if bool(found) is decides:
                break
        return found

    return worked


def _if(e: Evaluator, node: c.If) -> Worked:
    test, then, otherwise = e.function(node.test), e.function(node.then), e.function(node.otherwise)
    return lambda held: then(held) if test(held) else otherwise(held)


def _lambda(e: Evaluator, node: c.Lambda) -> Worked:
    params, body = node.params, e.function(node.body)
    return lambda held: lambda *given: body({**held, **dict(zip(params, given, strict=True))})


def _loop(e: Evaluator, node: c.Loop) -> Worked:
    through, value = e.members(node), e.function(node.value)
    match node.kind:
        case "any":
            return lambda held: any(value(held) for _ in through(held))
        case "all":
            return lambda held: all(value(held) for _ in through(held))
        case "first":
            return lambda held: next((value(held) for _ in through(held)), None)
        case "count":
            return lambda held: sum(1 for _ in through(held))
    return lambda held: [value(held) for _ in through(held)]


def _ordered(e: Evaluator, node: c.Ordered) -> Worked:
    variable, through, by = node.variable, e.members(node), e.function(node.by)

    def worked(held: Locals) -> Any:
        found = list(through(held))
        if node.kind == "first":
            return min(found, key=lambda member: by({**held, variable: member}), default=None)
        return sorted(found, key=lambda member: by({**held, variable: member}))

    return worked


def _fold(e: Evaluator, node: c.Fold) -> Worked:
    return e.one(sum if node.kind == "sum" else partial(SAFE[node.kind], default=0), node.of)


def _list(e: Evaluator, node: c.List) -> Worked:
    items = e.several(node.items)
    return lambda held: list(items(held))


_FORMS: dict[type[Expr], Callable[[Evaluator, Any], Worked]] = {
    c.Lit: _lit, c.Name: _name, c.Table: _known, c.Ref: _known, c.Slot: _slot, c.Call: _call, c.Called: _called,
    c.Method: _method, c.Between: _between, c.And: _joined, c.Or: _joined, c.If: _if, c.Lambda: _lambda, c.Loop: _loop,
    c.Ordered: _ordered, c.Fold: _fold, c.List: _list,
    c.Item: lambda e, node: e.two(operator.getitem, node.of, node.at),
    **dict.fromkeys((c.Op, c.Compare), lambda e, node: e.two(_REACHES[node.op], node.left, node.right)),
    **dict.fromkeys(_REACHES_ONE, lambda e, node: e.one(_REACHES_ONE[type(node)], node.of)),
    c.Tuple: lambda e, node: e.several(node.items),
    c.End: lambda e, node: e.one(lambda cards: cards[node.at] if cards else None, node.cards),
}  # fmt: skip
"""Of the rest, all ask something of the match."""
