"""Looking at trees of the core, and rebuilding them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from operator import attrgetter, is_
from typing import Any, TypeVar

from interpreter.compiler.core.node_kinds import (
    Each,
    Expr,
    Field,
    Follow,
    Item,
    Lit,
    Name,
    Op,
    Ref,
    Set,
    Slot,
    Statement,
    Table,
    Tuple,
    Update,
    When,
    While,
    Zone,
)
from interpreter.language.tree import TreeNode, fields, replace

Node = TypeVar("Node", Expr, Statement)
_KINDS = {kind: "one" for kind in ("Expr", "Expr | None")} | {"tuple[Expr, ...]": "several"}


@cache
def _parts_of(kind: type[TreeNode]) -> tuple[tuple[str, bool], ...]:
    """The fields of a kind of node in which expressions stand, and whether these are several."""
    hints = {name: _KINDS.get(kind.__annotations__.get(name, ""), "") for name in fields(kind)}
    return tuple((name, how == "several") for name, how in hints.items() if how)


def children(node: Expr) -> Iterable[Expr]:
    """The expressions directly inside another."""
    return _inside(type(node))(node)


@cache
def _inside(kind: type[TreeNode]) -> Callable[[Any], Iterable[Expr]]:
    """What gets the expressions directly inside a node of a kind."""
    names, several = [name for name, _ in _parts_of(kind)], [several for _, several in _parts_of(kind)]
    if not names:
        return lambda node: ()
    if several == [True]:
        return attrgetter(names[0])
    if len(names) > 1 and not any(several) and kind.__name__ not in ("Loop", "Ordered"):  # whose conditions may be none
        return attrgetter(*names)
    return partial(_each_of, _parts_of(kind))


def _each_of(parts: tuple[tuple[str, bool], ...], node: Expr) -> Iterable[Expr]:
    found: list[Expr] = []
    for name, several in parts:
        value = getattr(node, name)
        if several:
            found += value
        elif value is not None:
            found.append(value)
    return found


def walk(node: Expr) -> Iterator[Expr]:
    """An expression and all that stand in it."""
    todo = [node]
    while todo:
        found = todo.pop()
        yield found
        todo += _inside(type(found))(found)


def is_within(node: Expr, size: int) -> bool:
    """Whether an expression has so many parts at most."""
    todo = [node]
    while todo:
        size -= 1
        if size < 0:
            return False
        todo.extend(children(todo.pop()))
    return True


def size(node: Expr) -> int:
    return sum(1 for _ in walk(node))


def times_named(node: Expr, name: str) -> int:
    """How often a local is named in an expression."""
    return sum(isinstance(part, Name) and part.name == name for part in walk(node))


def rebuilt(node: Node, change: Callable[[Expr], Expr]) -> Node:
    """An expression or a statement with the expressions directly in it changed; itself if they stay the same."""
    changes: dict[str, Any] = {}
    for name, several in _parts_of(type(node)):
        old = getattr(node, name)
        if several:
            new: Any = tuple([change(part) for part in old])
            if not all(map(is_, old, new)):
                changes[name] = new
        elif old is not None and (new := change(old)) is not old:
            changes[name] = new
    return replace(node, **changes) if changes else node


def put_in(node: Expr, given: Mapping[str, Expr]) -> Expr:
    """An expression with others in the place of locals; sums of literals that come of it are worked out.

    Made names are never those of a loop inside it.
    """
    if isinstance(node, Name):
        return given.get(node.name, node)
    found = rebuilt(node, lambda part: put_in(part, given))
    return found if found is node else worked_out(found)


def worked_out(node: Expr) -> Expr:
    """A sum or product of two numbers that are written out, as one; any other expression as it is."""
    match node:
        case Op("+" | "*" as op, Lit(left), Lit(right)) if type(left) is type(right) is int:
            return Lit(left + right if op == "+" else left * right)
    return node


def exchanged(node: Expr, known: Mapping[Expr, Expr]) -> Expr:
    """An expression in which some that stand in it are exchanged for others."""
    if node in known:
        return known[node]
    return rebuilt(node, lambda part: exchanged(part, known))


def is_at_hand(node: Expr) -> bool:
    """Whether it costs next to nothing to look twice: a local, a number, a slot, something of the state."""
    match node:
        case Name() | Table() | Ref() | Field():
            return True
        case Lit(value):
            return not isinstance(value, str | tuple) and not (type(value) is int and value < 0)
        case Slot(at) | Zone(at) | Item(Name() | Table(), at):
            return _is_number_at_hand(at)
    return False


def _is_number_at_hand(at: Expr) -> bool:
    match at:
        case Name() | Table():
            return True
        case Lit(value):
            return type(value) is int and value >= 0
        case Op("+" | "*", left, right):
            return _is_number_at_hand(left) and _is_number_at_hand(right)
    return False


# ---- looking at statements --------------------------------------------------------------------------------


_BLOCKS: dict[type[Statement], tuple[str, ...]] = {
    When: ("otherwise", "then"), Each: ("body",), While: ("body",), Follow: ("whole", "short"),
}  # fmt: skip
"""The blocks inside statements, the last first."""


def statements(body: list[Statement]) -> Iterator[Statement]:
    """All statements of a body, those inside others too."""
    todo = body[::-1]
    while todo:
        statement = todo.pop()
        yield statement
        for name in _BLOCKS.get(type(statement), ()):
            todo += getattr(statement, name)[::-1]


def expressions(body: list[Statement]) -> Iterator[Expr]:
    """All expressions of a body, and those that stand in them."""
    todo: list[Expr] = []
    for statement in statements(body):
        for name, _ in _parts_of(type(statement)):
            todo.append(getattr(statement, name))
            while todo:
                found = todo.pop()
                yield found
                todo += _inside(type(found))(found)


def changed(node: Statement, change: Callable[[Expr], Expr]) -> Statement:
    """A statement, and those inside it, with the expressions in them changed."""
    return with_blocks(rebuilt(node, change), lambda body: [changed(inner, change) for inner in body])


def with_blocks(node: Statement, change: Callable[[list[Statement]], list[Statement]]) -> Statement:
    """A statement with the blocks inside it changed."""
    blocks = _BLOCKS.get(type(node))
    return replace(node, **{name: change(getattr(node, name)) for name in blocks[::-1]}) if blocks else node


def set_in(body: list[Statement]) -> Counter[str]:
    """How often each local is set."""
    found: Counter[str] = Counter()
    for statement in statements(body):
        match statement:
            case Set(Name(name)) | Update(Name(name)):
                found[name] += 1
            case Set(Tuple(items)):
                found.update(item.name for item in items if isinstance(item, Name))
            case Each(variables):
                found.update(variables)
    return found
