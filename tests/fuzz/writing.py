"""Plain data as YAML that a person can read and the interpreter accepts."""

from __future__ import annotations

import json
import re
from typing import Any

_PLAIN = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_ .(),*/+<=!;-]*[A-Za-z0-9_().*])?")
_BREAKS = "\x7f\x85\u2028\u2029\ufeff"
_SPECIAL = re.compile(r"true|false|null|[0-9].*|~", re.IGNORECASE)


def yaml(tree: Any) -> str:
    """The tree as a YAML document."""
    return "\n".join(_lines(tree, 0)) + "\n"


def _lines(tree: Any, depth: int) -> list[str]:
    margin = "  " * depth
    if isinstance(tree, dict) and tree:
        found: list[str] = []
        for key, value in tree.items():
            if isinstance(value, dict) and value and not _is_short(value):
                found += [f"{margin}{_scalar(key)}:", *_lines(value, depth + 1)]
            else:
                found.append(f"{margin}{_scalar(key)}: {_flow(value)}")
        return found
    return [margin + _flow(tree)]


def _is_short(tree: Any) -> bool:
    return len(_flow(tree)) < 90


def _flow(tree: Any) -> str:
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{_scalar(key, True)}: {_flow_item(value)}" for key, value in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(_flow_item(item) for item in tree) + "]"
    return _scalar(tree)


def _flow_item(tree: Any) -> str:
    return _flow(tree) if isinstance(tree, dict | list) else _scalar(tree, True)


def _scalar(value: Any, flow: bool = False) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return str(value)
    plain = _PLAIN.fullmatch(value) and not _SPECIAL.fullmatch(value) and len(value) < 1_000
    if plain and not (flow and "," in value):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return "".join(f"\\u{ord(sign):04x}" if sign in _BREAKS else sign for sign in quoted)
