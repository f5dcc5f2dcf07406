"""Operations that are a node of the core over their values, whatever game they stand in.

What they come to is said here alone: for what options and players settle before there are cards, for what is worked
out of tables, and for what is printed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr
from interpreter.language.operations import OPERATIONS

COMPARES: dict[str, Any] = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
RECKONS: dict[str, Any] = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}
_CALLS = {"greater": "max", "lesser": "min", "item": "item", "cycle": "cycle", "count": "len"}
OF_LIBRARY = {row.name: row.library for row in OPERATIONS.values() if row.library}
"""Operation -> the function of `engine/library` that it is."""


def _group(*members: Expr) -> Expr:
    return c.Tuple(members)


PLAIN: dict[str, Callable[..., Expr]] = {
    **{op: partial(c.Op, sign) for op, sign in RECKONS.items()},
    **{op: partial(c.Compare, sign) for op, sign in COMPARES.items()},
    **{op: partial(c.call, function) for op, function in (_CALLS | OF_LIBRARY).items()},
    "in": partial(c.Compare, "in"),
    "is empty": lambda members: c.Compare("==", c.call("len", members), c.ZERO),
    "not": c.Not,
    "group": _group,
}
