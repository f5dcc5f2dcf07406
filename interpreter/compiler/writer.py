"""A program while it is made: statement after statement, in blocks and functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from interpreter.base.diagnostics import Span
from interpreter.compiler import core as c
from interpreter.compiler.core import Expr, Statement
from interpreter.compiler.made import local_name
from interpreter.language.typed import Type


class Within:
    """While it goes on, another block is written. No generator: there are thousands of blocks in a program."""

    __slots__ = ("_body", "_out", "_outside")

    def __init__(self, out: Writer, body: list[Statement]) -> None:
        self._out, self._body = out, body

    def __enter__(self) -> None:
        self._outside, self._out.body = self._out.body, self._body

    def __exit__(self, *raised: object) -> None:
        self._out.body = self._outside


class Writer:
    """Collects functions, and statements where something is being written."""

    def __init__(self) -> None:
        self.parts: list[c.Part] = []
        self.functions: dict[str, tuple[str, ...]] = {}
        """Every function that is written, with the names of its parameters."""
        self.aliases: dict[str, str] = {}
        """Further names of functions."""
        self.declared: dict[str, Mapping[str, Type]] = {}
        """Function -> what is declared of the names of the ruleset in it."""
        self._now: Mapping[str, Type] = {}
        self.body: list[Statement] = []
        """The block that is being written."""
        self._names = 0

    # ---- statements -----------------------------------------------------------------------------

    def add(self, statement: Statement) -> None:
        self.body.append(statement)

    def set(self, target: Expr, value: Expr, span: Span | None = None, note: str = "") -> None:
        self.body.append(c.Set(target, value, span, note))

    def update(self, target: Expr, op: str, value: Expr, span: Span | None = None) -> None:
        self.body.append(c.Update(target, op, value, span))  # type: ignore[arg-type]

    def do(self, value: Expr, span: Span | None = None) -> None:
        self.body.append(c.Do(value, span))

    def give(self, value: Expr, span: Span | None = None) -> None:
        self.body.append(c.Return(value, span))

    def go_on(self) -> None:
        """Take the next round of a loop."""
        self.body.append(c.Continue())

    def when(self, test: Expr, span: Span | None = None, note: str = "") -> Within:
        then: list[Statement] = []
        self.body.append(c.When(test, then, [], span, note))
        return Within(self, then)

    def otherwise(self) -> Within:
        """What is done if the condition just written does not hold."""
        before = self.body[-1]
        assert isinstance(before, c.When)
        return Within(self, before.otherwise)

    def each(self, variable: str | tuple[str, ...], domain: Expr, span: Span | None = None) -> Within:
        body: list[Statement] = []
        self.body.append(c.Each((variable,) if isinstance(variable, str) else variable, domain, body, span))
        return Within(self, body)

    def loop(self, test: Expr) -> Within:
        body: list[Statement] = []
        self.body.append(c.While(test, body))
        return Within(self, body)

    def within(self, body: list[Statement]) -> Within:
        return Within(self, body)

    # ---- functions ------------------------------------------------------------------------------

    def function(self, name: str, *params: str, span: Span | None = None, only_looks: bool = False) -> Within:
        """A function of the program, and its body. Raises AssertionError if there is one of this name."""
        self._claim(name)
        self.functions[name] = tuple(param.partition("=")[0] for param in params)
        self.declared[name] = self._now
        body: list[Statement] = []
        self.parts.append(c.Function(name, params, body, span, only_looks))
        return Within(self, body)

    @contextmanager
    def declaring(self, types: Mapping[str, Type]) -> Iterator[None]:
        """Within, names of the ruleset are of these types in the functions that are written."""
        before, self._now = self._now, {local_name(name): of for name, of in types.items()}
        yield
        self._now = before

    def alias(self, name: str, of: str) -> None:
        self._claim(name)
        self.aliases[name] = of
        self.parts.append(c.Alias(name, of))

    def _claim(self, name: str) -> None:
        if name in self.functions or name in self.aliases:
            raise AssertionError(f"'{name}' is written twice")

    def remark(self, text: str) -> None:
        """A comment, whatever the text."""
        self.parts.append(c.Remark(text))

    def place(self, span: Span) -> None:
        """A comment with the place of what follows, after an empty line."""
        self.remark("")
        self.remark(f"{span.file.rsplit('/', 1)[-1]}:{span.line}")

    def fresh(self, stem: str) -> c.Name:
        """A local that nothing else uses."""
        self._names += 1
        return c.Name(f"{stem}{self._names}")
