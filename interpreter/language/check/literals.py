"""Arithmetic on plain numbers: what has no value in any game is wrong wherever it stands."""

from __future__ import annotations

from interpreter.base.arithmetic import LARGEST, OF_NUMBERS, TOO_LARGE, NoValue, divided
from interpreter.base.diagnostics import Report
from interpreter.language import typed as t
from interpreter.language.typed import Typed


def number(node: Typed) -> int | None:
    """The value of an expression of plain numbers; None if it is anything else, or has no value."""
    match node:
        case t.Const(value) if type(value) is int:
            return value
        case t.Op(op, (left, right)) if op in OF_NUMBERS:
            one, two = number(left), number(right)
            try:
                found = None if one is None or two is None else OF_NUMBERS[op](one, two)
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
    elif one is not None and two is not None and abs(OF_NUMBERS[node.op](one, two)) > LARGEST:
        report.error("E508", node.span, TOO_LARGE)
    else:
        return node
    return t.Const(None, t.UNKNOWN, node.span)
