"""What only counts as yes or no is not made to be yes or no first, and nothing is denied twice."""

from __future__ import annotations

from interpreter.compiler import core as c
from interpreter.compiler.algebra import joined
from interpreter.compiler.core import Expr, Statement

_OPPOSITES = {
    "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "is": "is not", "is not": "is",
    "in": "not in", "not in": "in",
}  # fmt: skip
_ASKING = frozenset((c.Not, c.If, c.Loop, c.Ordered))
"""The kinds of expressions that ask conditions."""


def plain_conditions(body: list[Statement]) -> list[Statement]:
    """A body in which conditions are said plainly."""
    return [plain for statement in body for plain in _plain(statement)]


def _plain(node: Statement) -> list[Statement]:
    """A statement; of a branch that is settled, what is done."""
    asks = isinstance(node, c.When | c.While)
    found = c.with_blocks(c.rebuilt(node, condition if asks else value), plain_conditions)
    match found:
        case c.When(c.Lit(settled), then, otherwise):
            return then if settled else otherwise
    return [found]


def value(node: Expr) -> Expr:
    """An expression whose value is wanted; what stands in it may be a condition."""
    if type(node) not in _ASKING:
        return c.rebuilt(node, value)
    match node:
        case c.Not(of):
            return _denied(condition(of), as_flag=True)
        case c.If(test, then, otherwise):
            asked = condition(test)
            if isinstance(asked, c.Lit):
                return value(then if asked.value else otherwise)
            return c.If(asked, value(then), value(otherwise))
        case c.Loop(kind, variable, domain, where, of):
            where = _where(where)
            return c.Loop(kind, variable, value(domain), where, condition(of) if kind in ("any", "all") else value(of))
        case c.Ordered(kind, variable, domain, where, by):
            return c.Ordered(kind, variable, value(domain), _where(where), value(by))
    return c.rebuilt(node, value)


def _where(node: Expr | None) -> Expr | None:
    """The condition of a loop; none if it always holds."""
    found = None if node is None else condition(node)
    return None if found == c.TRUE else found


def condition(node: Expr) -> Expr:
    """An expression that only counts as yes or no."""
    match node:
        case c.Call("bool", (of,)):
            return condition(of)
        case c.Not(of):
            return _denied(condition(of), as_flag=False)
        case c.And(parts):
            return joined("and", list(map(condition, parts)))
        case c.Or(parts):
            return joined("or", list(map(condition, parts)))
        case c.Compare("is" | "is not" as op, c.Lit(there), c.Lit(None)):
            return c.Lit((there is None) == (op == "is"))
        case c.Compare("!=", of, c.Lit(0)) if isinstance(of, c.Op) and of.op == "&":
            return value(of)
    return value(node)


def _denied(found: Expr, as_flag: bool) -> Expr:
    """The opposite of a condition that is said plainly already, as yes or no, or so that it only counts as that."""
    match found:
        case c.Lit(settled):
            return c.Lit(not settled)
        case c.Not(of):
            return c.call("bool", of) if as_flag and not _is_flag(of) else of
        case c.Compare(op, left, right) if op in _OPPOSITES:
            return c.Compare(_OPPOSITES[op], left, right)  # type: ignore[arg-type]
        case c.Or(parts) if not as_flag or any(map(_is_denial, parts)):
            return c.And(tuple(_denied(part, as_flag) for part in parts))
        case c.And(parts) if any(map(_is_denial, parts)):
            return c.Or(tuple(_denied(part, as_flag) for part in parts))
    return c.Not(found)


def _is_denial(node: Expr) -> bool:
    """Whether a condition says that something is not so, so that its opposite is plainer."""
    match node:
        case c.Not():
            return True
        case c.Compare(op):
            return op in ("!=", "is not", "not in")
    return False


def _is_flag(node: Expr) -> bool:
    """Whether a value certainly is yes or no."""
    match node:
        case c.Compare() | c.Between() | c.Not():
            return True
        case c.And(parts) | c.Or(parts):
            return all(map(_is_flag, parts))
        case c.Loop(kind):
            return kind in ("any", "all")
    return False
