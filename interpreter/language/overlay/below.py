"""`base` in a text of the effect language: what the text is laid on."""

from __future__ import annotations

import re
from dataclasses import replace

from interpreter.language.overlay.parts import VALUE_ROW, VALUE_ROWS, KeyPath, Part, depends
from interpreter.language.shape.schemas import schemas_within, validator
from interpreter.language.source import Listing, Mapping, Node, Scalar

_WORD = re.compile(r'"[^"\n]*"|#[^\n]*|(?<![\w.])base\b')
_LANGUAGE = ("expr", "effect", "players", "range")


def laid_on(node: Node, base: Node, part: Part) -> Node:
    """The node, the texts in which `base` occurs knowing what they are laid on."""
    match node:
        case Scalar() if _says(node):
            return replace(node, below=base)
        case Listing() if part is VALUE_ROWS or part is VALUE_ROW:
            return Listing(tuple(laid_on(item, base, part) for item in node.items), node.span)
        case Mapping() if part is VALUE_ROW or depends(node, part):
            entries = {key: value if key == "by" else laid_on(value, base, part) for key, value in node.entries.items()}
            return Mapping(entries, node.keys, node.span)
    return node


def says_base(node: Node) -> bool:
    """Whether `base` occurs in a text, or in any inside."""
    if isinstance(node, Scalar):
        return _says(node)
    return any(map(says_base, node.items if isinstance(node, Listing) else node.entries.values()))


def _says(node: Scalar) -> bool:
    return isinstance(node.value, str) and "base" in node.text and "base" in _WORD.findall(node.text)


def goes_on(path: KeyPath, node: Node) -> bool:
    """Whether what is set at a path belongs to the effect language and says `base`: what is below counts still."""
    return says_base(node) and (path[:1] == ("define",) or not isinstance(node, Listing)) and is_language(path)


def is_language(path: KeyPath) -> bool:
    """Whether what stands at a path belongs to the effect language."""
    found = [validator("ruleset").schema]
    for step in path:
        found = [inner for schema in found for inner in schemas_within(schema, step)]
    return any(schema.get("x-dsl") in _LANGUAGE for schema in found)
