"""What is done with each choice that a list of loops comes to: listed, counted, or picked by its number."""

from __future__ import annotations

from abc import ABC, abstractmethod

from interpreter.base.diagnostics import Span
from interpreter.compiler import core as c
from interpreter.compiler.core import Expr
from interpreter.compiler.writer import Writer

FOUND, ROW, AT = c.Name("found"), c.Name("row"), c.Name("at")
_WAYS = c.Name("ways")


class Choices(ABC):
    """Writes the inside of the loops, and what stands around them.

    nothing: what is given back without a choice. begun: what is found before the first. number: how many were found.
    """

    nothing: Expr
    begun: Expr
    number: Expr

    def __init__(self, out: Writer) -> None:
        self._out = out

    def begin(self) -> None:
        self._out.set(FOUND, self.begun)

    @abstractmethod
    def one(self, given: c.Tuple) -> None:
        """A choice: its arguments."""

    @abstractmethod
    def rows(self, given: c.Tuple, rows: Expr) -> None:
        """Choices that are alike but for what the row of a card adds: a list of further arguments."""

    def several(self, given: tuple[Expr, ...], values: Expr) -> bool:
        """Choices that are alike but for the last argument; False if each is to be gone through."""
        return False

    def end(self, steps: int, span: Span) -> None:
        """steps: what each choice that was found has taken, where that is counted."""
        if steps:
            self._out.do(c.asked("charge", c.Op("*", c.Lit(steps), self.number)), span)
        self._out.give(FOUND)


class Listed(Choices):
    """All choices as a list of groups. stops: whether to stop at the first if that is wished."""

    nothing, begun, number = FOUND, c.List(()), c.call("len", FOUND)

    def __init__(self, out: Writer, stops: bool) -> None:
        super().__init__(out)
        self._stops = stops

    def one(self, given: c.Tuple) -> None:
        self._out.do(c.method(FOUND, "append", given))
        if self._stops:
            with self._out.when(c.Name("first")):
                self._out.give(FOUND)

    def rows(self, given: c.Tuple, rows: Expr) -> None:
        with self._out.each("row", rows):
            self._out.do(c.method(FOUND, "append", c.Op("+", given, ROW) if given.items else ROW))


class Counted(Choices):
    """How many choices there are."""

    nothing, begun, number = c.ZERO, c.ZERO, FOUND

    def one(self, given: c.Tuple) -> None:
        self._out.update(FOUND, "+", c.ONE)

    def rows(self, given: c.Tuple, rows: Expr) -> None:
        self._out.update(FOUND, "+", c.call("len", rows))

    def several(self, given: tuple[Expr, ...], values: Expr) -> bool:
        match values:
            case c.Call("bits", (cards,)):
                self._out.update(FOUND, "+", c.CountBits(cards))
            case _:
                self._out.update(FOUND, "+", c.call("len", values))
        return True


class Picked(Choices):
    """The arguments of choice number `at`."""

    nothing = c.NONE

    def begin(self) -> None:
        """There is nothing to begin with."""

    def one(self, given: c.Tuple) -> None:
        with self._out.when(c.Not(AT)):
            self._out.give(given)
        self._out.update(AT, "-", c.ONE)

    def rows(self, given: c.Tuple, rows: Expr) -> None:
        own = self._out.fresh("found")
        self._out.set(own, rows)
        chosen = c.Item(own, AT)
        self._take(own, c.Op("+", given, chosen) if given.items else chosen)

    def several(self, given: tuple[Expr, ...], values: Expr) -> bool:
        own = self._out.fresh("values")
        self._out.set(own, values)
        self._take(own, c.Tuple((*given, c.Item(own, AT))))
        return True

    def _take(self, values: Expr, chosen: Expr) -> None:
        """One of some values, unless they are too few."""
        self._out.set(_WAYS, c.call("len", values))
        with self._out.when(c.Compare("<", AT, _WAYS)):
            self._out.give(chosen)
        self._out.update(AT, "-", _WAYS)

    def end(self, steps: int, span: Span) -> None:
        """Whoever has counted them has counted this too."""
        self._out.give(c.NONE)
