"""What stands in the body of a function, found out once for all passes, so that each can tell where it has no work."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr, Statement


class Contents(NamedTuple):
    """How often each local stands there, where it is set, too; how often each function is called; how often each kind
    of expression stands there."""

    named: Counter[str]
    called: Counter[str]
    kinds: Counter[type[Expr]]


def contents_of(body: list[Statement]) -> Contents:
    named: list[str] = []
    called: list[str] = []
    kinds: list[type[Expr]] = []
    for node in c.expressions(body):
        kind = type(node)
        kinds.append(kind)
        if kind is c.Name:
            named.append(node.name)  # type: ignore[attr-defined]
        elif kind is c.Call:
            called.append(node.function)  # type: ignore[attr-defined]
    return Contents(Counter(named), Counter(called), Counter(kinds))
