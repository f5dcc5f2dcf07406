"""Every place of a ruleset or a scenario where a text or a name can stand, as the JSON schemas tell."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

SCHEMAS = Path(__file__).parent.parent.parent / "schema"
ANY = "*"
"""A key that the author chooses, in a path."""
ITEM = "[]"
Schema = dict[str, Any]
Steps = tuple[str | int, ...]
"""The way to a node of a document: keys and numbers of items."""


@dataclass(frozen=True, slots=True)
class Place:
    """kind: "value" (a text can stand there), "key" (the author names the keys there) or "closed" (the schema does).

    path: the way there, with ANY and ITEM for what differs. free: any text will do, and nothing reads it.
    """

    kind: str
    path: tuple[str, ...]
    free: bool = False

    def __str__(self) -> str:
        return f"{'.'.join(self.path) or 'the document'} ({self.kind})"


@cache
def places(name: str) -> tuple[Place, ...]:
    """Those of a schema ("ruleset" or "scenario"), each once, in the order in which the schema tells of them."""
    root = _schema(name)
    walk = _Walk()
    if name == "ruleset":  # what only a file without `extends` must hold is no other place
        told = [*walk.walk({key: value for key, value in root.items() if key != "else"}, name, ())]
    else:  # one scenario, what else a file of several has, and in neither the patches of rulesets again
        walk.passed.add("#/$defs/patch")
        told = [*walk.walk({"$ref": "#/$defs/scenario"}, name, ())]
        walk.passed.add("#/$defs/scenario")
        told += walk.walk(root, name, ())
    found: dict[tuple[str, tuple[str, ...]], Place] = {}
    for place in told:
        key = (place.kind, place.path)
        found[key] = place if key not in found or not place.free else found[key]
    return tuple(p for p in found.values() if p.kind != "closed" or ("key", p.path) not in found)


@cache
def _named(name: str) -> dict[tuple[str, ...], frozenset[str]]:
    """By the path of a mapping, the keys in it that the schema names."""
    found: dict[tuple[str, ...], set[str]] = {}
    for place in places(name):
        for number, step in enumerate(place.path):
            if step not in (ANY, ITEM):
                found.setdefault(place.path[:number], set()).add(step)
    return {path: frozenset(keys) for path, keys in found.items()}


@cache
def _schema(name: str) -> Schema:
    loaded: Schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
    return loaded


class _Walk:
    def __init__(self) -> None:
        self.passed: set[str] = set()
        """References that are not followed."""
        self._seen: set[tuple[int, tuple[str, ...]]] = set()

    def walk(self, schema: Schema, file: str, path: tuple[str, ...]) -> Iterator[Place]:
        """The places in a part of a schema. file: which schema it stands in, path: the way of a document to it."""
        if (id(schema), path) in self._seen:
            return
        self._seen.add((id(schema), path))
        if "$ref" in schema and schema["$ref"] not in self.passed:
            yield from self.walk(*_referred(schema["$ref"], file), path)
        for key in ("then", "else"):
            if key in schema:
                yield from self.walk(schema[key], file, path)
        for key in ("anyOf", "allOf", "oneOf"):
            for inner in schema.get(key, ()):
                yield from self.walk(inner, file, path)
        if "string" in _types(schema):
            yield Place("value", path, not {"x-dsl", "enum", "pattern", "minLength"} & set(schema))
        yield from self._below(schema, file, path)

    def _below(self, schema: Schema, file: str, path: tuple[str, ...]) -> Iterator[Place]:
        further = schema.get("additionalProperties")
        open_to = [*schema.get("patternProperties", {}).values(), *([further] if isinstance(further, dict) else [])]
        named = schema.get("properties", {})
        if open_to or "propertyNames" in schema:
            yield Place("key", path)
        elif named:
            yield Place("closed", path)
        for inner in open_to:
            yield from self.walk(inner, file, (*path, ANY))
        for key, inner in named.items():
            plain = {word: value for word, value in inner.items() if word != "description"}
            same = any(plain == {k: v for k, v in other.items() if k != "description"} for other in open_to)
            yield from self.walk(inner, file, (*path, ANY if same else key))
        if "items" in schema:
            yield from self.walk(schema["items"], file, (*path, ITEM))


def _referred(reference: str, file: str) -> tuple[Schema, str]:
    """A part of a schema, and the schema that it stands in."""
    other, _, pointer = reference.partition("#")
    file = other.removesuffix(".schema.json") or file
    found = _schema(file)
    for step in pointer.strip("/").split("/"):
        found = found[step]
    return found, file


def _types(schema: Schema) -> Sequence[str]:
    types = schema.get("type", ())
    return (types,) if isinstance(types, str) else types


def ways(document: Any, name: str, path: tuple[str, ...]) -> Iterator[Steps]:
    """The ways to all nodes of a document that lie at a path of a schema."""
    return _ways(document, name, path, 0, ())


def _ways(node: Any, name: str, path: tuple[str, ...], at: int, so_far: Steps) -> Iterator[Steps]:
    if at == len(path):
        yield so_far
        return
    step = path[at]
    if step == ITEM and isinstance(node, list):
        for number, item in reversed([*enumerate(node)]):  # what others speak of often stands first
            yield from _ways(item, name, path, at + 1, (*so_far, number))
    elif step == ANY and isinstance(node, dict):
        named = _named(name).get(path[:at], frozenset())
        for key, value in node.items():
            if key not in named:
                yield from _ways(value, name, path, at + 1, (*so_far, key))
    elif isinstance(node, dict) and step in node:
        yield from _ways(node[step], name, path, at + 1, (*so_far, step))
