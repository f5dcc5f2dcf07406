"""What keys hold, as plainly as `check` asks for it: entries with their places, texts, lists, flags."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.base.diagnostics import Span
from interpreter.language.source import Listing, Mapping, Node, Scalar

MAX_ROWS = 60
"""The most rows of a value that is given by rows."""


def entries(node: Node | None) -> Iterator[tuple[str, Node, Span]]:
    """The entries of a mapping with the place of each key; nothing for anything else."""
    if isinstance(node, Mapping):
        for name, value in node.entries.items():
            yield name, value, node.keys[name]


def child(node: Node | None, name: str) -> Node | None:
    return node.entries.get(name) if isinstance(node, Mapping) else None


def text_of(node: Node | None, default: str = "") -> str:
    return node.text if isinstance(node, Scalar) else default


def folded(text: str) -> str:
    """A text that is told, on one line: so it can stand on several in a file."""
    first, *others = re.split("[\n\t]", text)
    if not others:
        return text
    between = filter(None, map(str.strip, others[:-1]))
    return " ".join((first.rstrip(), *between, others[-1].lstrip()))


def is_word(text: str) -> bool:
    """Whether moves can name something so: on one line, without the quotes in which speech stands."""
    return '"' not in text and text.isprintable()


def listing(node: Node | None) -> tuple[Node, ...]:
    if node is None:
        return ()
    return node.items if isinstance(node, Listing) else (node,)


def items(node: Node | None) -> tuple[Node, ...]:
    """What stands in a list, or in a mapping by name."""
    return tuple(node.entries.values()) if isinstance(node, Mapping) else listing(node)


def rows_of(node: Node) -> Iterator[tuple[Node | None, Node | None, Span]]:
    """The rows of a definition, by name or in a list: condition, value, place; None for what is not there."""
    if isinstance(node, Mapping):
        for name, row, at in entries(node):
            if name == "else":
                yield Scalar(name, name, at, "plain"), row, at
            elif isinstance(row, Mapping):
                yield child(row, "when"), child(row, "value"), at
            else:
                yield from rows_of(Listing((row,), at))
    for row in node.items if isinstance(node, Listing) else ():
        pair = row.items if isinstance(row, Listing) and len(row.items) == 2 else (None, None)
        yield pair[0], pair[1], row.span


def is_true(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is True


def whole(node: Node | None, default: int) -> int:
    return node.value if isinstance(node, Scalar) and type(node.value) is int else default
