"""What the tables of a program settle. Of few members who are always the same, or as many for each, every one is asked
in turn: no loop goes through them. And what a table always tells need not be there first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interpreter.base.english import NUMBER_WORDS
from interpreter.compiler import core as c
from interpreter.compiler.core import Expr, Statement
from interpreter.compiler.lower.definitions import asks_literal
from interpreter.compiler.made import SIGN
from interpreter.compiler.passes.contents import Contents

FEW = 4
"""So many members at most are written out."""
MOST_PARTS = 90
"""So many parts at most, of all members together."""
_LOOPS = (c.Loop, c.Fold)


class KnownTables:
    """constants: the tables of a program. table: adds one of a certain row and kind of name, and gives it."""

    def __init__(self, constants: Mapping[str, Any], table: Callable[[tuple[Any, ...], str], Expr]) -> None:
        self._constants = constants
        self._table = table

    def block(self, body: list[Statement], before: Contents) -> list[Statement]:
        """A body in which nothing is left that is settled so. before: what stood in it before other passes, which add
        nothing of it."""
        if not any(before.kinds[kind] for kind in _LOOPS) and not before.called["required"]:
            return body
        return [c.changed(statement, self._change) for statement in body]

    def _change(self, node: Expr) -> Expr:
        found = c.rebuilt(node, self._change)
        match found:
            case c.Fold("sum", c.Loop("list", variable, domain, where, value)):
                zero = c.ZERO
            case c.Fold("sum", c.Call("present", (c.Loop("list", variable, domain, where, c.Slot() as value),))):
                there = c.is_there(value)
                where, zero = there if where is None or where == there else c.And((there, where)), c.ZERO
            case c.Loop("any" | "all" | "first", variable, domain, where, value):
                zero = c.NONE
            case c.Call("required", (c.Item(c.Table(name), _) as told,)) if _are_numbers(self._constants.get(name)):
                return told
            case _:
                return found
        members = self._members(domain)
        if not members:
            return found
        asked = [
            (None if where is None else c.put_in(where, {variable: member}), c.put_in(value, {variable: member}))
            for member in members
        ]
        written = _written(found, asked, zero)
        fits = written is not None and c.is_within(written, MOST_PARTS) and not asks_literal(written)
        return written if fits else found  # type: ignore[return-value]

    def _members(self, domain: Expr) -> list[Expr]:
        """The members of a domain; none where they are many or not known."""
        match domain:
            case c.Table(name):
                known = self._constants.get(name)
                return [c.Lit(item) for item in known] if known and _are_numbers(known) and len(known) <= FEW else []
            case c.Item(c.Table(name), at) if _is_cheap(at):
                rows = self._constants.get(name)
                if not isinstance(rows, tuple) or not all(map(_are_numbers, rows)):
                    return []
                sizes = {len(row) for row in rows}
                if len(sizes) == 1 and max(sizes) <= FEW:
                    return [c.Item(self._column(rows, name, number), at) for number in range(max(sizes))]
        return []

    def _column(self, rows: tuple[tuple[int, ...], ...], name: str, number: int) -> Expr:
        """The members of a certain number as a table of their own."""
        return self._table(tuple(row[number] for row in rows), f"{name.partition(SIGN)[0]}_{NUMBER_WORDS[number + 1]}")


def _are_numbers(row: Any) -> bool:
    return isinstance(row, tuple | range) and all(type(item) is int for item in row)


def _is_cheap(at: Expr) -> bool:
    """Whether it costs little to find a row again for each of its members."""
    return c.is_at_hand(at) or (isinstance(at, c.Item) and isinstance(at.of, c.Table) and c.is_at_hand(at.at))


def _written(loop: Expr, asked: list[tuple[Expr | None, Expr]], otherwise: Expr) -> Expr | None:
    """A loop, given for each member the condition under which it counts, and what is asked of it."""
    match loop:
        case c.Fold():
            return c.add(*(value if where is None else c.If(where, value, otherwise) for where, value in asked))
        case c.Loop("first"):
            found = otherwise
            for where, value in reversed(asked):
                found = value if where is None else c.If(where, value, found)
            return found
        case c.Loop(kind, _, _, None):
            if not all(isinstance(value, c.Compare | c.Not | c.And | c.Or | c.Between) for _, value in asked):
                return None  # what is asked is no flag
            tests = tuple(value for _, value in asked)
            return c.Or(tests) if kind == "any" else c.And(tests)
    return None
