"""Arithmetic on plain numbers: what has no value in any game is wrong wherever it stands."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.base.arithmetic import LARGEST, TOO_LARGE, NoValue, divided
from interpreter.base.diagnostics import Report
from interpreter.language import typed as t
from interpreter.language.typed import Typed

_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": lambda a, b: divided("div", a, b),
    "mod": lambda a, b: divided("mod", a, b),
    "greater": max,
    "lesser": min,
}


def number(node: Typed) -> int | None:
    """The value of an expression of plain numbers; None if it is anything else, or has no value."""
    match node:
        case t.Const(value) if type(value) is int:
            return value
        case t.Op(op, (left, right)) if op in _OPERATIONS:
            one, two = number(left), number(right)
            try:
                found = None if one is None or two is None else _OPERATIONS[op](one, two)
            except NoValue:
                return None
            return None if found is None or abs(found) > LARGEST else found
    return None


def reckoned(node: t.Op, report: Report) -> Typed:
    """The operation itself; an error if its numbers are plain and leave it without a value."""
    one, two = (number(arg) for arg in node.args)
    if node.op in ("div", "mod") and two == 0:
        try:
            divided(node.op, 0, two)
        except NoValue as fault:
            report.error("E508", node.span, str(fault), fault.hint)
    elif one is not None and two is not None and abs(_OPERATIONS[node.op](one, two)) > LARGEST:
        report.error("E508", node.span, TOO_LARGE)
    else:
        return node
    return t.Const(None, t.UNKNOWN, node.span)
