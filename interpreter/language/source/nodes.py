"""The nodes: what YAML text becomes, each with the place where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from interpreter.base.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value.

    text: as written, after YAML's unescaping; for a block, its lines without their indentation.
    style: "plain", "quoted" or "block" (a literal `|`).
    indent: the columns before each line of a block.
    """

    value: str | int | float | bool | None
    text: str
    span: Span
    style: str
    indent: int = 0
    below: Node | None = field(default=None, repr=False, compare=False)
    """Of a text in an overlay that says `base`: what it is laid on."""
    read: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What the parser has read in it, and in parts of it: the same text is checked again with every patch."""

    def place(self, offset: int, length: int = 1) -> Span:
        """Return where `text[offset:offset + length]` stands in the file.

        An offset at the end is the place after the last character. Quoted text with escapes answers its whole span.
        """
        if self.style == "block":
            return self._place_in_block(offset, length)
        margin = 1 if self.style == "quoted" else 0
        span = self.span
        if span.line != span.end_line or span.end_column - span.column != len(self.text) + 2 * margin:
            return span
        column = span.column + margin
        start = min(offset, len(self.text))
        end = min(start + length, len(self.text))
        return Span(span.file, span.line, column + start, span.line, column + max(end, start))

    def _place_in_block(self, offset: int, length: int) -> Span:
        shown = len(self.text.rstrip("\n"))  # the end of a block is the end of its last line, not a line below
        start = min(offset, shown)
        line, column = self._line_and_column(start)
        end_line, end_column = self._line_and_column(max(start, min(start + length, shown)))
        return Span(self.span.file, line, column, end_line, end_column)

    def _line_and_column(self, offset: int) -> tuple[int, int]:
        before = self.text.count("\n", 0, offset)
        return self.span.line + 1 + before, self.indent + offset - self.text.rfind("\n", 0, offset)


@dataclass(frozen=True, slots=True)
class Mapping:
    """Values by key, in the order written. Every key is text: `10` is "10", `true` is "true".

    keys: where each key stands.
    """

    entries: dict[str, Node]
    keys: dict[str, Span]
    span: Span

    def get(self, name: str) -> Node | None:
        return self.entries.get(name)


@dataclass(frozen=True, slots=True)
class Listing:
    """Values in a row."""

    items: tuple[Node, ...]
    span: Span


Node = Scalar | Mapping | Listing


def to_plain(node: Node) -> object:
    """Return the data without positions, as a JSON schema validator wants it."""
    if isinstance(node, Mapping):
        return {key: to_plain(value) for key, value in node.entries.items()}
    if isinstance(node, Listing):
        return [to_plain(item) for item in node.items]
    return node.value


def is_absent(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style == "plain" and not node.text


def open_brackets(node: Node) -> int:
    """Return how many round brackets plain text leaves open; negative if it closes more than it opens."""
    if not isinstance(node, Scalar) or node.style != "plain":
        return 0
    return node.text.count("(") - node.text.count(")")


def measure(node: Node) -> tuple[int, int, int]:
    """Return the number of nodes, with aliases counted in full, the depth of a finished node, and how many letters its
    texts have."""
    if isinstance(node, Scalar):
        return 1, 0, len(node.text)
    children = list(node.entries.values()) if isinstance(node, Mapping) else list(node.items)
    sizes = [measure(child) for child in children]
    own = sum(map(len, node.entries)) if isinstance(node, Mapping) else 0
    letters = own + sum(letters for *_, letters in sizes)
    return 1 + sum(size for size, *_ in sizes), 1 + max((depth for _, depth, _ in sizes), default=0), letters
