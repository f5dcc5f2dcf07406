"""Small pieces of generated text, and names in it."""

from __future__ import annotations

import re

from interpreter.compiler.made import made
from interpreter.language.model import DefineInstance


def both(one: str, two: str) -> str:
    """The bits in both sets."""
    if "0" in (one, two):
        return "0"
    if two == "PACK":
        return one
    return two if one == "PACK" else f"{one} & {two}"


_SIMPLE = re.compile(r"[\w·]+(\.[a-z_]+|\[[\w· +*]+\])?")


def is_simple(text: str) -> bool:
    """Whether a value is at hand: a local, a slot, something of the state."""
    return _SIMPLE.fullmatch(text) is not None


_IF_THERE = re.compile(r"\(None if ([\w·]+(?:\.[a-z_]+|\[[\w· +*]+\])?) is None else (.*)\)")


def if_there(text: str) -> tuple[str, str] | None:
    """(X, Y) of a text `(None if X is None else Y)`, where X is at hand."""
    found = _IF_THERE.fullmatch(text)
    return (found[1], found[2]) if found is not None and is_closed(found[2]) else None


_LITERAL = re.compile(r"(?<![\w·.\]])-?\d+ is (?:not )?None")


def asks_literal(text: str) -> bool:
    """Whether a text asks if a number that is written out is none."""
    return _LITERAL.search(text) is not None


_END = re.compile(r"\((([\w·]+\[[\w· +*]+\])\[(?:-1|0)\]) if \2 else None\)")


def end_of_place(text: str) -> tuple[str, str] | None:
    """(X, Y) of a text `(X if Y else None)` that is the top or bottom card X of a place Y."""
    found = _END.fullmatch(text)
    return None if found is None else (found[1], found[2])


_ALL_IF = re.compile(r"\(PACK if (.*) else 0\)")
_OTHERS = "(PACK & ~"


def others(bits: str) -> str:
    """All cards of the pack that are not in a set."""
    return f"{_OTHERS}{bits})"


def without(one: str, two: str) -> str:
    """The bits of one set that are not in the other."""
    if two.startswith(_OTHERS) and two.endswith(")") and is_closed(two[len(_OTHERS) : -1]):
        return both(one, two[len(_OTHERS) : -1])
    return both(one, f"~{two}")


_LITERALS = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")


def is_closed(text: str) -> bool:
    """Whether every bracket that is opened in a text is closed in it, and the other way round; literals apart."""
    depth = 0
    for letter in _LITERALS.sub("", text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            return False
    return depth == 0


def combine(parts: list[str], op: str) -> str:
    if op == "and":
        found = parts[0]
        for part in parts[1:]:
            found = both(found, part)
        return found if found == parts[0] else f"({found})"
    kept = [p for p in parts if p != "0"]
    if "PACK" in kept:
        return "PACK"
    if len(kept) == 2 and (test := _ALL_IF.fullmatch(kept[0])) is not None and is_closed(test[1]):
        return f"(PACK if {test[1]} else {kept[1]})"
    return "0" if not kept else kept[0] if len(kept) == 1 else f"({' | '.join(kept)})"


def define_names(instances: dict[str, DefineInstance]) -> dict[str, str]:
    """The names of the functions of definitions, by key; a number tells several argument types apart."""
    counted: dict[str, int] = {}
    found = {}
    for key, instance in instances.items():
        number = counted[instance.name] = counted.get(instance.name, 0) + 1
        found[key] = made("define", instance.name, *([number] if number > 1 else []))
    return found
