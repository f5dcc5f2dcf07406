"""Where a loop plays tricks and nothing else looks at the trick meanwhile, it is kept in locals until the loop ends."""

from __future__ import annotations

from functools import partial

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr, Statement

_FIRST, _ROW = c.Name("first"), c.Name("row")
"""Who has led; and the cards that have been played, in order."""
_OWN: dict[Expr, Expr] = {c.field("trick_number"): c.Name("number")}
"""What the state knows of tricks while they are played, and nothing but the loop asks for."""
_ADVANCE = c.asked("advance")


class TrickApart:
    """trick: the place of the trick. plays: the local that holds `s.plays`, none of which is there before the loop.

    rest: the local that holds who plays after whoever leads, in turn.
    """

    def __init__(self, trick: c.Zone, kept: c.Name, plays: c.Name, rest: c.Name) -> None:
        self._known: dict[Expr, Expr] = {trick: kept, plays: _ROW, **_OWN}
        played = c.call("as_played", _FIRST, rest, _ROW)
        self._written: list[Statement] = [
            c.Set(c.CURRENT, c.ACTOR),
            c.Set(trick, kept),
            c.Set(c.PLAYS, played),
            *[c.Set(field, own) for field, own in _OWN.items()],
        ]
        self._before: list[Statement] = [
            c.Set(kept, trick),
            c.Set(_FIRST, c.ACTOR),
            c.Set(_ROW, c.List(())),
            c.Set(rest, c.NOTHING),
            *[c.Set(own, field) for field, own in _OWN.items()],
        ]

    def body(self, body: list[Statement]) -> list[Statement]:
        """A function that ends with the loop and what it gives; as it is where something looks at the trick."""
        *before, loop, end = body
        assert isinstance(loop, c.While)
        if not self._is_alone(loop.body):
            return body
        asked = [c.changed(statement, partial(c.exchanged, known=self._known)) for statement in loop.body]
        return [*before, *self._before, c.While(loop.test, self._block(asked)), *self._written, end]

    def _is_alone(self, body: list[Statement]) -> bool:
        """Whether the state is handed to nothing but the machine, and neither the turn nor the plays are read."""
        for node in c.expressions(body):
            if isinstance(node, c.Call) and c.STATE in node.args and node != _ADVANCE:
                return False
        values = [st.value for st in c.statements(body) if isinstance(st, c.Set | c.Update | c.Do)]
        values += [st.test for st in c.statements(body) if isinstance(st, c.When | c.While)]
        values += [st.domain for st in c.statements(body) if isinstance(st, c.Each)]
        read = {part for value in values for part in c.walk(value)}
        return c.PLAYS not in read and c.CURRENT not in read

    def _block(self, body: list[Statement]) -> list[Statement]:
        """A block in which the locals are asked already; where it is left, the state is told of the trick."""
        found: list[Statement] = []
        for statement in body:
            match statement:
                case c.Set(c.Field("current" | "plays")):
                    continue
                case c.Set(c.Name("row"), c.List(())):
                    found.append(c.Set(_FIRST, c.ACTOR))
                case c.Do(c.Method(_, "append", (c.Tuple((_, card)),))):
                    statement = c.Do(c.method(_ROW, "append", card))
                case c.Do(value) if value == _ADVANCE:
                    found += self._written
                case c.Return() if not (found and isinstance(found[-1], c.Do)):
                    found += self._written
            found.append(c.with_blocks(statement, self._block))
        return found
