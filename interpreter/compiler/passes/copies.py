"""What stands under a name for nothing stands where it is used: literals, and what is reckoned and used once."""

from __future__ import annotations

from collections import Counter
from functools import partial

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr, Statement
from interpreter.compiler.passes.contents import Contents, contents_of
from interpreter.language.tree import replace

FAR = 30
"""So many statements further on a local is looked for."""
MOST_LOOKED_AT = 100_000
"""Parts of expressions that are looked at for one function."""


def without_copies(body: list[Statement], before: Contents | None = None) -> list[Statement]:
    """A body in which locals that are set once to a literal, or to a reckoning that is used once, are gone.

    before: what stands in it, if that is known.
    """
    if not any(type(node) is c.Set and type(node.target) is c.Name for node in c.statements(body)):
        return body
    named = (contents_of(body) if before is None else before).named
    return _Copies(named, c.set_in(body)).block(body)


class _Copies:
    """named: how often each local stands anywhere, where it is set, too. times_set: how often it is set."""

    def __init__(self, named: Counter[str], times_set: Counter[str]) -> None:
        self._named = named
        self._times_set = times_set
        self._left = MOST_LOOKED_AT

    def block(self, body: list[Statement]) -> list[Statement]:
        found: list[Statement] = []
        rest = list(reversed(body))
        while rest:
            first = rest.pop()
            match first:
                case c.Set(c.Name(name), value) if last := self._last_use(name, value, rest):
                    for at in range(last, 0, -1):
                        rest[-at] = c.changed(rest[-at], partial(c.put_in, given={name: value}))
                    rest[-1] = _with_note(rest[-1], first.note)
                case c.Set(c.Name(name), value) if self._named[name] == 1 and _is_plain(value):
                    pass
                case _:
                    found.append(c.with_blocks(first, self.block))
        return found

    def _last_use(self, name: str, value: Expr, rest: list[Statement]) -> int:
        """In how many of the statements that follow a local can give way to its value; 0 if it has to stay.

        rest: what follows in its block, the next statement last.
        """
        uses = self._named[name] - 1
        literal = isinstance(value, c.Lit) and not isinstance(value.value, str | tuple)
        if self._times_set[name] != 1 or not uses or not (literal or (uses == 1 and _is_reckoned(value))):
            return 0
        made_of = {node.name for node in c.walk(value) if isinstance(node, c.Name)}
        for at in range(1, min(len(rest), FAR) + 1):
            statement = rest[-at]
            uses -= self._times_named(statement, name)
            changed = any(c.set_in([statement])[part] for part in made_of)
            if not uses:
                compound = isinstance(statement, c.When | c.Each | c.While)
                return 0 if changed and compound else at
            if changed:
                return 0
        return 0

    def _times_named(self, statement: Statement, name: str) -> int:
        """How often a local stands in a statement; never, as soon as enough has been looked at."""
        found = 0
        for node in c.expressions([statement]):
            self._left -= 1
            found += isinstance(node, c.Name) and node.name == name
            if self._left < 0:
                return 0
        return found


def _with_note(statement: Statement, note: str) -> Statement:
    """A statement with the comment of one that is gone, unless it has its own."""
    return replace(statement, note=getattr(statement, "note", "") or note) if note else statement


def _is_plain(value: Expr) -> bool:
    """Whether a value is there, and nothing is done to have it."""
    return isinstance(value, c.Lit | c.Name | c.Table | c.Field)


def _is_reckoned(value: Expr) -> bool:
    """Whether a value is made of numbers and locals alone."""
    match value:
        case c.Lit(number):
            return type(number) is int
        case c.Name():
            return True
        case c.Op("+" | "-" | "*", left, right):
            return _is_reckoned(left) and _is_reckoned(right)
    return False
