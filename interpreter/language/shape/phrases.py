"""What a schema wants and what stands in a file, in words, with hints at how the one becomes the other."""

from __future__ import annotations

from collections.abc import Container

from interpreter.language.shape.schemas import Schema
from interpreter.language.source import Listing, Mapping, Node, Scalar

SHOWN = 40  # letters of a text that a message quotes
_MEANT = {
    "then": "effect", "does": "effect", "only if": "when", "if": "when", "law": "must", "laws": "must",
    "leading": "lead", "following": "follow", "at the beginning": "setup", "at the end": "cleanup",
    "after each card": "on card", "after each trick": "on trick", "at any time": "anytime", "it ends": "until",
    "when all have chosen": "resolve", "points": "values", "tables": "values", "what words mean": "define",
    "definitions": "define", "variables": "state", "pieces": "tokens", "stages": "flow",
}  # fmt: skip
"""Keys as people write them who know the rulebook of a game and not the language, and those that are meant."""


def types_of(schema: Schema) -> list[str]:
    """The types a schema allows, without null, which only removes."""
    types = schema.get("type", [])
    return [name for name in ([types] if isinstance(types, str) else types) if name != "null"]


def thing_of(schema: Schema) -> str:
    """What a mapping is called in a sentence."""
    types = types_of(schema)
    title = str(schema.get("title", "this mapping"))
    if types and types != ["object"]:  # of several forms, the mapping has a name of its own
        return str(schema.get("x-mapping", "this mapping"))
    return title


def wanted_by(schema: Schema) -> str:
    """What a schema wants, for a sentence: "a whole number", "an option: a mapping with keys such as type"."""
    words = str(schema.get("title", "something else"))
    if types_of(schema) != ["object"] or words.startswith("a mapping"):
        return words
    keys = list(schema.get("properties", {}))
    return f"{words}: a mapping with keys such as {', '.join(keys[:4])}" if keys else f"{words}: a mapping"


def text_of(node: Node) -> str:
    """What is written, as a message quotes it; empty for a mapping or list."""
    return short(node.text) if isinstance(node, Scalar) else ""


def short(text: str) -> str:
    """A text as it is quoted in a message: one line, not too long."""
    line, _, more = text.strip().partition("\n")
    return line[:SHOWN] + "..." if more or len(line) > SHOWN else line


def as_found(node: Node) -> str:
    """What stands in the file, for a sentence: "a list", "the number 7"."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Listing):
        return "a list"
    if node.value is None:
        return "null" if node.text else "nothing"
    if isinstance(node.value, bool):
        return "true" if node.value else "false"
    if isinstance(node.value, str):
        return f"the text '{text_of(node)}'" if node.text else "an empty text"
    return f"the number {node.text}"


def meant_key(key: str, known: Container[str]) -> str:
    """A hint at the key that is meant by a plain word."""
    meant = _MEANT.get(key.lower())
    if key == "play" and "lead" in known:
        return "what holds for playing a card stands under 'lead' or 'follow', or for both under 'actions: {play: ...}'"
    return f"the key for that is '{meant}'" if meant in known else ""


def type_hint(schema: Schema, node: Node) -> str:
    """How the value is written as the type that is wanted, where it only looks like another."""
    types = types_of(schema)
    if not isinstance(node, Scalar):
        return ""
    if "string" in types and not isinstance(node.value, str):
        return f'write it in quotes: "{node.text}"'
    if "boolean" in types and str(node.value).lower() in ("yes", "no", "on", "off"):
        return f"write {'true' if str(node.value).lower() in ('yes', 'on') else 'false'}"
    if types in (["integer"], ["boolean"]) and node.style == "quoted":
        return "write it without quotes"
    if types == ["array"]:
        return f"write it as a list: [{text_of(node)}]"
    return ""


def name_hint(title: str, text: str) -> str:
    """How a name or an id is written, where `title` wants one; perhaps one that is like the text."""
    if not title.startswith("a name"):
        return "an id has letters, digits, - and _, and begins with a letter or digit" if "short name" in title else ""
    better = "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in text.strip()).strip("_")
    rule = "a name has letters, digits and _, and does not begin with a digit"
    return f"{rule}; perhaps '{better}'" if better.isidentifier() and "(" not in text else rule
