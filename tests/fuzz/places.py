"""Where things stand in a ruleset: every value of a tree with what the schema says it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from interpreter.base.resources import find

Path = tuple[str | int, ...]
Tree = Any
"""Plain data: mappings, lists and scalars, as YAML has them."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One value of a tree.

    kind: the name of its definition in the schema, such as "zone" or "effect". text: how it is read if it is a text of
    the effect language ("expr", "effect", "range", "words", "stage", ...), else "". named: whether its keys are names.
    """

    path: Path
    kind: str
    text: str
    named: bool
    value: Tree
    fixed: bool = False
    """Whether it is one of a few words of the language."""


@cache
def _schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(find("schema/ruleset.schema.json").read_text("utf-8"))
    return found


def spots(tree: Tree) -> list[Spot]:
    """Every value of a ruleset, outermost first."""
    return list(_walk(tree, {"$ref": "#/$defs/file"}, ()))


def _walk(value: Tree, schema: dict[str, Any], path: Path) -> Iterator[Spot]:
    schema, kind = _resolved(schema, value)
    named = "propertyNames" in schema
    yield Spot(path, kind, schema.get("x-dsl", ""), named, value, "enum" in schema)
    if isinstance(value, dict):
        known, others = schema.get("properties", {}), schema.get("additionalProperties")
        for key, inner in value.items():
            below = known.get(key, others)
            yield from _walk(inner, below if isinstance(below, dict) else {}, (*path, key))
    elif isinstance(value, list):
        below = schema.get("items")
        for at, inner in enumerate(value):
            yield from _walk(inner, below if isinstance(below, dict) else {}, (*path, at))


def _resolved(schema: dict[str, Any], value: Tree) -> tuple[dict[str, Any], str]:
    """A schema with what it refers to, and the branch of its `if` that fits; and its name."""
    kind = ""
    while True:
        if "$ref" in schema:
            kind = schema["$ref"].rpartition("/")[2]
            schema = {**_schema()["$defs"][kind], **{key: part for key, part in schema.items() if key != "$ref"}}
        elif "if" in schema:
            rest = {key: part for key, part in schema.items() if key not in ("if", "then", "else")}
            schema = {**rest, **schema.get("then" if _fits(schema["if"], value) else "else", {})}
        else:
            return schema, kind


def _fits(condition: dict[str, Any], value: Tree) -> bool:
    if "$ref" in condition:
        condition = _schema()["$defs"][condition["$ref"].rpartition("/")[2]]
    if condition.get("type") == "object" and not isinstance(value, dict):
        return False
    if not all(key in value for key in condition.get("required", ())) if isinstance(value, dict) else False:
        return False
    return not condition.get("anyOf") or any(_fits(one, value) for one in condition["anyOf"])


@cache
def keys_of(kind: str) -> tuple[str, ...]:
    """The keys that a mapping of a kind may have."""
    found = _schema()["$defs"].get(kind, {}).get("properties", {})
    return tuple(key for key in found if key not in ("replace", "before", "after"))


@cache
def words_of(kind: str, key: str) -> tuple[Any, ...]:
    """The words that are allowed at a key, where these are few."""
    found = _schema()["$defs"].get(kind, {}).get("properties", {}).get(key, {})
    found, _ = _resolved(found, None)
    if "enum" in found:
        return tuple(word for word in found["enum"] if word is not None)
    return (True, False) if "boolean" in found.get("type", ()) and "string" not in found.get("type", ()) else ()


# ---- changing trees ---------------------------------------------------------------------------------------------


def at(tree: Tree, path: Path) -> Tree:
    for step in path:
        tree = tree[step]
    return tree


def put(tree: Tree, path: Path, value: Tree) -> Tree:
    """A copy of the tree with another value at a path; what is not on the way is shared."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(tree, list):
        copy: Any = list(tree)
        copy[int(step)] = put(tree[int(step)], rest, value)
        return copy
    copy = dict(tree)
    copy[step] = put(tree.get(step, {}), rest, value)
    return copy


def without(tree: Tree, path: Path) -> Tree:
    """A copy of the tree without what stands at a path."""
    parent = at(tree, path[:-1])
    if isinstance(parent, list):
        return put(tree, path[:-1], [*parent[: int(path[-1])], *parent[int(path[-1]) + 1 :]])
    return put(tree, path[:-1], {key: value for key, value in parent.items() if key != path[-1]})


def with_key(tree: Tree, path: Path, key: str, value: Tree) -> Tree:
    """A copy in which the mapping at a path has one entry more, or another value there."""
    return put(tree, (*path, key), value)
