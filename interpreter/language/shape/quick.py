"""Whether a file has the right shape: most have, and then nobody has to look for what is wrong, or read jsonschema.

Only what our schemas use is known here. Where jsonschema might see something in another way it is left to decide.
"""

from __future__ import annotations

import re
from typing import Any

SILENT = frozenset({"title", "description", "$comment", "$schema", "$id", "then", "else", "x-dsl", "x-mapping"})
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
    if type(value) not in KNOWN:
        raise _Doubt
    return all(_holds(keyword, wanted, schema, value) for keyword, wanted in schema.items() if keyword not in SILENT)


def _holds(keyword: str, wanted: Any, schema: dict[str, Any], value: Any) -> bool:
    match keyword:
        case "type":
            return any(type(value) in TYPES[name] for name in ([wanted] if isinstance(wanted, str) else wanted))
        case "enum":
            return any(_is_same(each, value) for each in wanted)
        case "const":
            return _is_same(wanted, value)
        case "anyOf":
            return any(_fits(each, value) for each in wanted)
        case "not":
            return not _fits(wanted, value)
        case "if":
            return _fits(schema.get("then" if _fits(wanted, value) else "else", True), value)
        case "properties" | "required" | "propertyNames" | "minProperties" | "maxProperties":
            return not isinstance(value, dict) or _holds_of_keys(keyword, wanted, value)
        case "additionalProperties" | "patternProperties":
            return not isinstance(value, dict) or _holds_of_others(keyword, wanted, schema, value)
        case "items" | "minItems" | "maxItems":
            return not isinstance(value, list) or _holds_of_list(keyword, wanted, value)
        case "pattern" | "minLength" | "maxLength":
            return not isinstance(value, str) or _holds_of_text(keyword, wanted, value)
        case "minimum" | "maximum":
            if type(value) not in (int, float):
                return True
            return bool(value >= wanted if keyword == "minimum" else value <= wanted)
    raise _Doubt


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values are the same; not whether 1 is 1.0 or yes."""
    if one == other and type(one) is not type(other):
        raise _Doubt
    return bool(one == other)


def _holds_of_keys(keyword: str, wanted: Any, value: dict[str, Any]) -> bool:
    match keyword:
        case "properties":
            return all(_fits(wanted[key], part) for key, part in value.items() if key in wanted)
        case "required":
            return all(key in value for key in wanted)
        case "propertyNames":
            return all(_fits(wanted, key) for key in value)
        case "minProperties":
            return bool(len(value) >= wanted)
    return bool(len(value) <= wanted)


def _holds_of_others(keyword: str, wanted: Any, schema: dict[str, Any], value: dict[str, Any]) -> bool:
    """Entries that are not named: those whose keys fit a pattern, and all that are left."""
    patterns = schema.get("patternProperties", {})
    if keyword == "patternProperties":
        pairs = ((pattern, key) for pattern in patterns for key in value if re.search(pattern, key))
        return all(_fits(patterns[pattern], value[key]) for pattern, key in pairs)
    named = schema.get("properties", {})
    others = (key for key in value if key not in named and not any(re.search(pattern, key) for pattern in patterns))
    return all(_fits(wanted, value[key]) for key in others)


def _holds_of_list(keyword: str, wanted: Any, value: list[Any]) -> bool:
    if keyword == "items":
        return all(_fits(wanted, item) for item in value)
    return bool(len(value) >= wanted if keyword == "minItems" else len(value) <= wanted)


def _holds_of_text(keyword: str, wanted: Any, value: str) -> bool:
    if keyword == "pattern":
        return re.search(wanted, value) is not None
    return bool(len(value) >= wanted if keyword == "minLength" else len(value) <= wanted)
