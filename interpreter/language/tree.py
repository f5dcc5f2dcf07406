"""What the trees are made of between a text and a program: nodes that never change once they are made.

Structs of msgspec rather than data classes: there are a hundred kinds of nodes, and making that many data classes
would take as long as checking a ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from interpreter.base.memory import forget_oldest

__all__ = ["TreeNode", "field", "fields", "parts_of", "replace", "values_of", "walk", "walk_of", "walked_once"]


Kind = TypeVar("Kind")


class TreeNode(Struct, frozen=True, gc=False):
    """One node: of a syntax tree, of the typed tree, or of the model of a ruleset."""


def fields(node: TreeNode | type[TreeNode]) -> tuple[str, ...]:
    """The names of a node's fields, in order."""
    return node.__struct_fields__


WITHOUT_NODES = frozenset(("span", "type", "item", "rule", "how"))
"""Fields in which there is nothing to be played: places, types, and texts for those who learn the game."""
_PARTS: dict[type, tuple[str, ...] | None] = {}


def parts_of(kind: type) -> tuple[str, ...] | None:
    """The fields of a class of nodes in which there can be nodes; None for anything else."""
    if kind not in _PARTS:
        _PARTS[kind] = None
        if issubclass(kind, TreeNode):
            _PARTS[kind] = tuple(name for name in fields(kind) if name not in WITHOUT_NODES)
    return _PARTS[kind]


def values_of(node: TreeNode) -> tuple[Any, ...]:
    """What stands in those fields of a node in which there can be nodes, in order."""
    kind = type(node)
    return (_VALUES[kind] if kind in _VALUES else _values(kind))(node)


_VALUES: dict[type, Callable[[Any], tuple[Any, ...]]] = {}
"""Class -> what gets those values."""


def _values(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    parts = parts_of(kind) or ()
    found: Callable[[Any], tuple[Any, ...]]
    if len(parts) > 1:
        found = attrgetter(*parts)
    else:
        found = lambda node: tuple([getattr(node, name) for name in parts])  # noqa: E731
    _VALUES[kind] = found
    return found


def walk(node: Any) -> Iterator[Any]:
    """Every typed node inside a model, a stage, an effect or an expression; each before what is inside it."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if kind in _WALKED_ONCE:
            yield from _all_in(node)
        elif kind is tuple or kind is list:
            waiting += node[::-1]
        elif kind is dict:
            waiting += reversed(node.values())
        else:
            inside = _INSIDE[kind] if kind in _INSIDE else _inside(kind)
            if inside is not None:
                yield node
                waiting += inside(node)


def walk_of(node: Any, *kinds: type) -> list[Any]:
    """The nodes of these classes only, in the same order."""
    waiting, found = [node], list[Any]()
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if kind in _WALKED_ONCE:
            found += [inner for inner in _all_in(node) if type(inner) in kinds]
        elif kind is tuple or kind is list:
            waiting += node[::-1]
        elif kind is dict:
            waiting += reversed(node.values())
        else:
            inside = _INSIDE[kind] if kind in _INSIDE else _inside(kind)
            if inside is not None:
                waiting += inside(node)
                if kind in kinds:
                    found.append(node)
    return found


_WALKED_ONCE: set[type] = set()
_walked: dict[int, tuple[Any, list[Any]]] = {}
"""Nodes by what tells them apart, with all that is inside them; the last ones asked for."""
MOST_WALKED = 256


def walked_once(kind: type[Kind]) -> type[Kind]:
    """A class of nodes that are large, and are walked again and again: what is inside one is found once."""
    _WALKED_ONCE.add(kind)
    return kind


def _all_in(node: Any) -> list[Any]:
    known = _walked.get(id(node))
    if known is None or known[0] is not node:
        if len(_walked) >= MOST_WALKED:
            forget_oldest(_walked)
        known = _walked[id(node)] = node, [node, *walk([getattr(node, name) for name in parts_of(type(node)) or ()])]
    return known[1]


_INSIDE: dict[type, Callable[[Any], tuple[Any, ...]] | None] = {str: None, int: None, bool: None, type(None): None}
"""Class -> what gets the values of its fields in which there can be nodes, the last first; None if it is no node."""


def _inside(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    parts = parts_of(kind)
    found: Callable[[Any], tuple[Any, ...]] | None = None
    if parts is not None and len(parts) > 1:
        found = attrgetter(*reversed(parts))
    elif parts:
        only = attrgetter(*parts)
        found = lambda node: (only(node),)  # noqa: E731
    elif parts is not None:
        found = lambda node: ()  # noqa: E731
    _INSIDE[kind] = found
    return found
