"""Looking into typed expressions and rebuilding them."""

from __future__ import annotations

from typing import Any

from interpreter.language import typed as t
from interpreter.language.model import DefineInstance
from interpreter.language.tree import fields, replace
from interpreter.language.typed import NODES, Typed, children


def find_local(node: Typed, name: str) -> t.Local | None:
    if isinstance(node, t.Local):
        return node if node.name == name else None
    for inner in children(node):
        found = find_local(inner, name)
        if found is not None:
            return found
    return None


def substitute(node: Typed, bound: dict[str, Typed]) -> Typed:
    """The expression with locals replaced by other expressions."""
    if isinstance(node, t.Local):
        return bound.get(node.name, node)
    changes: dict[str, Any] = {}
    for name in fields(node):
        value = getattr(node, name)
        if isinstance(value, NODES) and name != "source":
            changes[name] = substitute(value, bound)
        elif isinstance(value, tuple) and any(isinstance(v, NODES) for v in value):
            changes[name] = tuple(substitute(v, bound) if isinstance(v, NODES) else v for v in value)
    return replace(node, **changes) if changes else node


def written_in(instance: DefineInstance, args: tuple[Typed, ...]) -> Typed:
    """The body of a definition, with arguments in the place of its parameters."""
    return substitute(instance.body, {n: a for (n, _), a in zip(instance.params, args, strict=True)})


def is_cards(node: Typed) -> bool:
    return node.type.kind == "set" and node.type.item is not None and node.type.item.kind == "card"
