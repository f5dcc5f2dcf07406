"""Looking into typed expressions and rebuilding them."""

from __future__ import annotations

from interpreter.language import typed as t
from interpreter.language.model import DefineInstance
from interpreter.language.tree import replace
from interpreter.language.typed import Typed, walk


def find_local(node: Typed, name: str) -> t.Local | None:
    return next((part for part in walk(node) if isinstance(part, t.Local) and part.name == name), None)


def substitute(node: Typed, bound: dict[str, Typed]) -> Typed:
    """The expression with locals replaced by other expressions."""
    if isinstance(node, t.Local):
        return bound.get(node.name, node)
    return t.rebuilt(node, lambda inner: substitute(inner, bound))  # type: ignore[no-any-return]


def written_in(instance: DefineInstance, args: tuple[Typed, ...]) -> Typed:
    """The body of a definition, with arguments in the place of its parameters."""
    return substitute(instance.body, {n: a for (n, _), a in zip(instance.params, args, strict=True)})


def affirmed(node: Typed) -> tuple[Typed, bool]:
    """(what a condition denies, True), of what denies nothing (itself, False)."""
    match node:
        case t.Op("not", (of,)):
            plain, is_denied = affirmed(of)
            return plain, not is_denied
        case t.Op("!="):
            return replace(node, op="="), True
    return node, False


def is_cards(node: Typed) -> bool:
    return node.type.kind == "set" and node.type.item is not None and node.type.item.kind == "card"


def may_be_none_of(node: Typed) -> bool:
    """Whether it is a set or list that may be none: asked for its members, it has none then."""
    return node.type.kind in ("set", "list") and node.type.optional
