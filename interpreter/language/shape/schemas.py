"""The schemas: as one validator for each kind of file, and what they say of a place in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

import msgspec

from interpreter.base.resources import find

Kind = Literal["ruleset", "scenario"]
Path = tuple[str | int, ...]
Schema = dict[str, Any]


@cache
def validator(kind: Kind) -> Any:
    """The compiled validator. jsonschema is imported here: it takes longer than most commands that need no file."""
    from jsonschema import Draft202012Validator, validators

    def is_integer(_checker: object, value: object) -> bool:
        return type(value) is int  # 3.0 is no number of players

    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", is_integer)
    extend: Any = validators.extend  # it has no types
    return extend(Draft202012Validator, type_checker=checker)(schema_of(kind))


def schema_of(kind: Kind) -> Schema:
    """The schema of a kind of file, with all that it refers to."""
    return _inlined(f"{kind}.schema.json")


@cache
def _file(name: str) -> Schema:
    """What a file of schemas says. What it refers to in itself is said with the file, as from elsewhere."""
    text = find(f"schema/{name}").read_text(encoding="utf-8")
    schema: Schema = msgspec.json.decode(text.replace('"#/', f'"{name}#/'))
    return schema


@cache
def written(reference: str) -> Schema:
    """The schema at "FILE#/POINTER" as it is written: what it refers to stands elsewhere."""
    name, _, pointer = reference.partition("#")
    schema = _file(name)
    for step in pointer.split("/")[1:]:
        schema = schema[step]
    return schema


@cache
def _inlined(reference: str) -> Schema:
    """The schema at "FILE#/POINTER", with every reference in it replaced by what it means.

    jsonschema would take longer to resolve references than to validate. Nothing in our schemas refers to itself.
    """
    result: Schema = _inline(written(reference))
    return result


def keys_of(name: str) -> frozenset[str]:
    """The keys that the schema of rulesets gives to one of its definitions, such as "stage"."""
    return frozenset(written(f"ruleset.schema.json#/$defs/{name}")["properties"])


def _inline(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_inline(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {
        whole(key) if key.startswith("^") else key: whole(value) if key == "pattern" else _inline(value)
        for key, value in schema.items()
        if key not in ("$ref", "$defs")
    }
    reference = schema.get("$ref")
    if not isinstance(reference, str):  # a property may be called $ref
        return rest
    target = _inlined(reference)
    clash = [key for key in rest if key in target and key not in ("title", "description", "$comment")]
    if clash:
        raise ValueError(f"{reference} and what stands beside it both have {clash}")
    return {**target, **rest}


def whole(pattern: Any) -> Any:
    """A pattern that ends with the text: Python's `$` would let a line break follow."""
    return pattern[:-1] + r"\Z" if isinstance(pattern, str) and pattern.endswith("$") else pattern


def schemas_within(schema: Any, step: str | int) -> Iterator[Schema]:
    """The schemas for an entry or item of what `schema` describes, the most telling first."""
    if not isinstance(schema, dict):
        return
    if isinstance(step, int):
        found = schema.get("items")
    else:
        found = schema.get("properties", {}).get(step)
        if found is None and isinstance(schema.get("additionalProperties"), dict):
            found = schema["additionalProperties"]
    if isinstance(found, dict):
        yield found
    for branch in ("then", "else"):
        yield from schemas_within(schema.get(branch), step)
