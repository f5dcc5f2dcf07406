"""How functions are written that carry out effects, and that answer: what they count, ask once, and remember."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from interpreter.base.diagnostics import Span
from interpreter.compiler import core as c
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.definitions import slots_of
from interpreter.compiler.lower.effects import Effects
from interpreter.compiler.lower.expressions import Expressions
from interpreter.compiler.lower.hoisting import THESE, first_asked
from interpreter.compiler.writer import Writer
from interpreter.engine.budget import AUTOMATIC
from interpreter.engine.library import Answers
from interpreter.language.typed import Effect, Typed

MOST_REMEMBERED = 1_000
"""Answers of one definition that are kept."""
_SOMEBODY = ("first", "first_dealer", "next_dealer")
"""Functions of a stage that have to name a player. Where nobody leads to a trick the machine says so."""
_SETTLED = {"when": c.TRUE, "until": c.FALSE}
"""What there is no need to ask."""


class Functions:
    """Writes functions. at: what is being lowered."""

    def __init__(self, e: Expressions, effects: Effects, out: Writer, at: Span) -> None:
        self._e = e
        self._effects = effects
        self.out = out
        self.at = at

    def function(self, name: str, effects: tuple[Effect, ...] | None, *params: str) -> None:
        """A function that carries out an effect; nothing is written for no effect."""
        if effects:
            self.out.place(effects[0].span)
            with self.out.function(name, "s", *params):
                self.begin(effects)
                self._effects.block(effects)

    def begin(self, nodes: Iterable[Typed | Effect | None], times: int = 1, little: int = AUTOMATIC) -> None:
        """How a function of the machine's begins: it counts what is not counted within it, unless that is little."""
        self._e.bounds.forget()
        light = times * self._e.bounds.light(nodes)
        if light > little:
            self.out.do(c.asked("charge", c.Lit(light)), self.at)

    def value(
        self,
        name: str,
        node: Typed | None,
        *params: str,
        group: bool = False,
        hook: str = "",
        little: int = AUTOMATIC,
    ) -> None:
        """A function that answers; nothing is written where options have decided it. hook: what a stage asks by it.
        little: what is not counted."""
        if node is None:
            return
        with self.asking_once(node) as before:
            asked = self._e.group if group else self._e.number if node.type.kind == "integer" else self._e.of
            found = asked(node)
        if hook in _SOMEBODY and self._e.may_be_nobody(node):
            found = c.call("somebody", found)
        if found == _SETTLED.get(hook):
            return
        self.out.remark("")
        with self.out.function(name, "s", *params):
            self.begin((node,), little=little)
            self.answer(found, before, node.span)

    def answer(self, found: Expr, before: Expr | None, span: Span) -> None:
        if before is not None and c.times_named(found, THESE.name):
            self.out.set(THESE, before)
        self.out.give(found, span)

    @contextmanager
    def asking_once(self, node: Typed | None) -> Iterator[Expr | None]:
        """Whom an answer is about, worked out beforehand, if it certainly asks that."""
        about = None if node is None else first_asked(node, self._e.model.instances)
        if about is None or slots_of(self._e, self._e.model.instances[about.key].body) is None:
            yield None
            return
        before = self._e.of(about)
        self._e.these = about.key
        try:
            yield before
        finally:
            self._e.these = ""

    def remember(self, function: str, slots: list[int], value: Expr, span: Span) -> None:
        """An answer that depends on a few slots: worked out once for the values they have."""
        name, key, found = f"A·{function}", c.Name("key"), c.Name("found")
        answers = c.Table(name)
        self._e.tables.constants[name] = Answers()
        low, high = slots[0], slots[-1]
        near: Expr = c.Tuple(tuple(c.Slot(c.Lit(at)) for at in slots))
        if high - low + 1 == len(slots):
            near = c.call("tuple", c.Slots(low, high + 1))
        out = self.out
        out.set(key, near)
        out.set(found, c.method(answers, "get", key))
        with out.when(c.is_none(found)):
            with out.when(c.Compare(">", c.call("len", answers), c.Lit(MOST_REMEMBERED))):
                out.do(c.method(answers, "clear"))
            out.set(found, value, span)
            out.set(c.Item(answers, key), found, span)
        out.give(found)
