"""Where a loop plays tricks and nothing else looks at the trick meanwhile, it is kept in locals until the loop ends."""

from __future__ import annotations

from functools import partial

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr, Statement

_FIRST, _ROW, _LED_BY = c.Name("first"), c.Name("row"), c.field("leader")
"""Who has led; and the cards that have been played, in order."""
_OWN: dict[Expr, Expr] = {c.field("trick_number"): c.Name("number")}
"""What the state knows of tricks while they are played, and nothing but the loop asks for."""
_ADVANCE = c.asked("advance")
_CARD = "x·card"


class TrickApart:
    """trick: the place of the trick. plays: the local that holds `s.plays`. laid: how many cards have been played.

    left: who sits at the left of whom.
    """

    def __init__(self, trick: c.Zone, kept: c.Name, plays: c.Name, laid: c.Name, left: Expr) -> None:
        self._laid = laid
        self._known: dict[Expr, Expr] = {trick: kept, plays: laid, **_OWN}
        played = c.call("as_played", _FIRST, _ROW, left)
        self._written: list[Statement] = [
            c.Set(c.CURRENT, c.ACTOR),
            c.Set(trick, kept),
            c.Set(c.PLAYS, played),
            *[c.Set(field, own) for field, own in _OWN.items()],
        ]
        led_by = c.If(plays, c.Item(c.Item(plays, c.ZERO), c.ZERO), _LED_BY)
        self._before: list[Statement] = [
            c.Set(kept, trick),
            c.Set(_FIRST, led_by),
            c.Set(_ROW, c.List(())),
            c.Each(("q", _CARD), plays, [_is_played(c.Name(_CARD))]),
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
        read = {part for value in values for part in c.walk(value)}
        return c.PLAYS not in read and c.CURRENT not in read

    def _block(self, body: list[Statement]) -> list[Statement]:
        """A block in which the locals are asked already; where it is left, the state is told of the trick."""
        found: list[Statement] = []
        for statement in body:
            match statement:
                case c.Set(c.Field("current" | "plays")):
                    continue
                case c.Set(self._laid, c.List(())):
                    statement = c.Set(_ROW, c.List(()))
                case c.Do(c.Method(_, "append", (c.Tuple((_, card)),))):
                    statement = _is_played(card)
                case c.Do(value) if value == _ADVANCE:
                    found += self._written
                case c.Return() if not (found and isinstance(found[-1], c.Do)):
                    found += self._written
                case c.Set(target, value) if target == _LED_BY:
                    found.append(c.Set(_FIRST, value))
            found.append(c.with_blocks(statement, self._block))
        return found


def _is_played(card: Expr) -> Statement:
    return c.Do(c.method(_ROW, "append", card))
