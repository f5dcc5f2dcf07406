"""What can be asked of whoever reads expressions, by what reads one form of them, or what a key holds.

Each form has its own module. What it meets inside of one it hands back to the reader, who knows all forms.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import count

from interpreter.base.diagnostics import Report, Span
from interpreter.language import syntax as ast
from interpreter.language import typed as t
from interpreter.language.check.names import Names, Scope
from interpreter.language.source import Node, Scalar
from interpreter.language.tree import replace
from interpreter.language.typed import Type, Typed


class ExpressionReader(ABC):
    """Says what expressions of one ruleset mean: reports what is wrong, and returns a typed node all the same."""

    def __init__(self, names: Names, report: Report) -> None:
        self.names = names
        self.report = report
        self.uses_actor = False
        """Whether what is being checked asks who acts."""
        self._numbers = count(1)

    @abstractmethod
    def node(self, node: Node, scope: Scope, expected: Type | None = None) -> Typed:
        """Parse and check the text of a scalar, or rows."""

    @abstractmethod
    def laid_on(self, node: Scalar, scope: Scope, read: Callable[[Node, Scope, Type | None], Typed]) -> Scope:
        """The scope of a text, in which `base` is what the text is laid on; that is read as the text is."""

    @abstractmethod
    def check(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        """The expression as a value of the expected type, if one is."""

    @abstractmethod
    def unfitted(self, node: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        """The expression, of whatever type it is; the type that is expected says what its words mean."""

    @abstractmethod
    def fit(self, found: Typed, expected: Type) -> Typed:
        """The expression as a value of the expected type; an error if it is none."""

    @abstractmethod
    def loop(self, variable: str, domain: ast.Expr, scope: Scope, span: Span) -> tuple[Typed, Scope, t.Local]:
        """What is gone through, the scope inside of the loop, and the local name that stands there for one of it."""

    @abstractmethod
    def let(self, variable: str, value: Typed, span: Span, scope: Scope) -> tuple[Scope, t.Local]:
        """The scope in which a name stands for a value, and what it is there."""

    @abstractmethod
    def are_themselves(self, node: Typed) -> bool:
        """Whether cards are meant as they lie somewhere, and not as they are called."""

    def cards(self, node: ast.Expr, scope: Scope) -> Typed:
        """A zone or a place, as cards."""
        return self.fit(self.check(node, scope), t.CARDS)

    def unknown(self, span: Span) -> Typed:
        """What stands for an expression that is wrong; it fits everywhere."""
        return t.Const(None, t.UNKNOWN, span)

    def fresh(
        self, name: str, kind: Type, span: Span, source: t.ZoneRef | None = None, itself: bool = False
    ) -> t.Local:
        """A local with a name of its own, so that bodies put into one another never clash."""
        return t.Local(f"{name}·{next(self._numbers)}", kind, span, source, itself)

    def actor(self, scope: Scope, span: Span, what: str) -> Typed:
        """Who acts; an error that says what follows if nobody does."""
        if scope.actor is None:
            self.report.error("E505", span, f"nobody is acting here, so {what}", "say whose: NAME of PLAYER")
            return self.unknown(span)
        if isinstance(scope.actor, t.Builtin):
            self.uses_actor = True
        return replace(scope.actor, span=span)
