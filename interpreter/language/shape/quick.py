"""Whether a file has the right shape: most have, and then nobody has to look for what is wrong, or read jsonschema.

Only what our schemas use is known here. Where jsonschema might see something in another way it is left to decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from interpreter.language.shape.schemas import Schema, whole, written

SILENT = frozenset(
    ("title", "description", "$comment", "$schema", "$id", "$defs", "then", "else", "x-dsl", "x-mapping")
)
"""Keywords that refuse nothing by themselves."""
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,), "null": (type(None),), "integer": (int,),
    "number": (int, float),
}  # fmt: skip
KNOWN = frozenset(kind for kinds in TYPES.values() for kind in kinds)


class _Doubt(Exception):
    """jsonschema has to decide."""


def is_right(schema: Any, value: Any) -> bool:
    """Whether a value fits a schema for sure; no tells nothing."""
    try:
        return _fits(schema, value)
    except _Doubt:
        return False


def _fits(schema: Any, value: Any) -> bool:
    """Raises _Doubt."""
    if not isinstance(schema, dict):
        return bool(schema)
    kind = type(value)
    if kind not in KNOWN:
        raise _Doubt
    for keyword, wanted in schema.items():
        if keyword in SILENT:
            continue
        known = _KEYWORDS.get(keyword)
        if known is None:
            raise _Doubt
        about, holds = known
        if (about is None or kind in about) and not holds(wanted, schema, value):
            return False
    return True


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values are the same; not whether 1 is 1.0 or yes."""
    if one == other and type(one) is not type(other):
        raise _Doubt
    return bool(one == other)


def _type(wanted: Any, schema: Schema, value: Any) -> bool:
    kind = type(value)
    if isinstance(wanted, str):
        return kind in TYPES[wanted]
    return any(kind in TYPES[name] for name in wanted)


def _if(wanted: Any, schema: Schema, value: Any) -> bool:
    return _fits(schema.get("then" if _fits(wanted, value) else "else", True), value)


def _properties(wanted: Any, schema: Schema, value: Any) -> bool:
    return all(_fits(wanted[key], part) for key, part in value.items() if key in wanted)


def _pattern_properties(wanted: Any, schema: Schema, value: Any) -> bool:
    pairs = ((pattern, key) for pattern in wanted for key in value if _finds(pattern)(key))
    return all(_fits(wanted[pattern], value[key]) for pattern, key in pairs)


def _additional_properties(wanted: Any, schema: Schema, value: Any) -> bool:
    """Entries that are not named, and whose keys fit no pattern."""
    named, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    others = [key for key in value if key not in named and not any(_finds(pattern)(key) for pattern in patterns)]
    return all(_fits(wanted, value[key]) for key in others)


@cache
def _finds(pattern: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(whole(pattern)).search


_OF_KEYS, _OF_LISTS, _OF_TEXTS, _OF_NUMBERS = (frozenset(kinds) for kinds in ((dict,), (list,), (str,), (int, float)))
_KEYWORDS: dict[str, tuple[frozenset[type] | None, Callable[[Any, Schema, Any], bool]]] = {
    "$ref": (None, lambda wanted, schema, value: _fits(written(wanted), value)),
    "type": (None, _type),
    "enum": (None, lambda wanted, schema, value: any(_is_same(each, value) for each in wanted)),
    "const": (None, lambda wanted, schema, value: _is_same(wanted, value)),
    "anyOf": (None, lambda wanted, schema, value: any(_fits(each, value) for each in wanted)),
    "not": (None, lambda wanted, schema, value: not _fits(wanted, value)),
    "if": (None, _if),
    "properties": (_OF_KEYS, _properties),
    "required": (_OF_KEYS, lambda wanted, schema, value: all(key in value for key in wanted)),
    "propertyNames": (_OF_KEYS, lambda wanted, schema, value: all(_fits(wanted, key) for key in value)),
    "minProperties": (_OF_KEYS, lambda wanted, schema, value: len(value) >= wanted),
    "maxProperties": (_OF_KEYS, lambda wanted, schema, value: len(value) <= wanted),
    "patternProperties": (_OF_KEYS, _pattern_properties),
    "additionalProperties": (_OF_KEYS, _additional_properties),
    "items": (_OF_LISTS, lambda wanted, schema, value: all(_fits(wanted, item) for item in value)),
    "minItems": (_OF_LISTS, lambda wanted, schema, value: len(value) >= wanted),
    "maxItems": (_OF_LISTS, lambda wanted, schema, value: len(value) <= wanted),
    "pattern": (_OF_TEXTS, lambda wanted, schema, value: _finds(wanted)(value) is not None),
    "minLength": (_OF_TEXTS, lambda wanted, schema, value: len(value) >= wanted),
    "maxLength": (_OF_TEXTS, lambda wanted, schema, value: len(value) <= wanted),
    "minimum": (_OF_NUMBERS, lambda wanted, schema, value: bool(value >= wanted)),
    "maximum": (_OF_NUMBERS, lambda wanted, schema, value: bool(value <= wanted)),
}
"""Keyword -> the types of which it says something, None for all, and whether what it says holds."""
