"""Generated text, line by line, with the place in the ruleset from which each line came."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.base.diagnostics import Span
from interpreter.compiler.made import remark


class CodeWriter:
    """Collects lines; `line` notes where in the ruleset it came from."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.spans: dict[int, Span] = {}
        self.functions: dict[str, tuple[str, ...]] = {}
        """Every function that is printed, with its parameters."""
        self.aliases: dict[str, str] = {}
        """Further names of functions."""
        self._indent = 0
        self._names = 0

    def line(self, text: str, span: Span | None = None) -> None:
        self.lines.append("    " * self._indent + text)
        if span is not None and span.line:
            self.spans[len(self.lines)] = span

    @contextmanager
    def block(self, head: str, span: Span | None = None) -> Iterator[None]:
        """A head that ends with a colon, and an indented body, which must not stay empty."""
        self.line(head, span)
        self._indent += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self._indent -= 1

    @contextmanager
    def function(self, name: str, params: str, span: Span | None = None) -> Iterator[None]:
        """A function of the program, and its body. Raises AssertionError if there is one of this name."""
        self._claim(name)
        self.functions[name] = tuple(param.partition("=")[0] for param in params.split(", "))
        with self.block(f"def {name}({params}):", span):
            yield

    def alias(self, name: str, of: str) -> None:
        """Another name for a function."""
        self._claim(name)
        self.aliases[name] = of
        self.line(f"{name} = {of}")

    def _claim(self, name: str) -> None:
        if name in self.functions or name in self.aliases:
            raise AssertionError(f"'{name}' is printed twice")

    def insert(self, at: int, lines: list[str]) -> None:
        """Put lines behind the first `at` lines, indented like the last of these."""
        margin = self.lines[at - 1][: len(self.lines[at - 1]) - len(self.lines[at - 1].lstrip())]
        self.lines[at:at] = [margin + line for line in lines]
        self.spans = {n if n <= at else n + len(lines): span for n, span in self.spans.items()}

    def bring_forward(self, first: int, at: int) -> None:
        """Move the lines behind the first `first` lines up, to follow the first `at` lines."""
        moved = len(self.lines) - first
        self.lines[at:] = self.lines[first:] + self.lines[at:first]
        self.spans = {n if n <= at else n + moved if n <= first else n - first + at: s for n, s in self.spans.items()}

    def blank(self) -> None:
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def comment(self, span: Span) -> None:
        """A comment with the place of what follows."""
        self.remark(f"{span.file.rsplit('/', 1)[-1]}:{span.line}")

    def remark(self, text: str) -> None:
        """A comment in a line of its own, whatever the text."""
        self.line(remark(text).lstrip())

    def fresh(self, stem: str) -> str:
        """A name for a helper variable that nothing else uses."""
        self._names += 1
        return f"{stem}{self._names}"

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"
