"""What keys hold, as plainly as `check` asks for it: entries with their places, texts, lists, flags."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.base.diagnostics import Span
from interpreter.language.source import Listing, Mapping, Node, Scalar


def entries(node: Node | None) -> Iterator[tuple[str, Node, Span]]:
    """The entries of a mapping with the place of each key; nothing for anything else."""
    if isinstance(node, Mapping):
        for name, value in node.entries.items():
            yield name, value, node.keys[name]


def child(node: Node | None, name: str) -> Node | None:
    return node.entries.get(name) if isinstance(node, Mapping) else None


def text_of(node: Node | None, default: str = "") -> str:
    return node.text if isinstance(node, Scalar) else default


def listing(node: Node | None) -> tuple[Node, ...]:
    if node is None:
        return ()
    return node.items if isinstance(node, Listing) else (node,)


def is_true(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is True


def whole(node: Node | None, default: int) -> int:
    return node.value if isinstance(node, Scalar) and type(node.value) is int else default
