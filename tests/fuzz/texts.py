"""Changes of what is no ruleset's tree: records, scenarios, and plain text."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from fuzz.mutating import PATHS, PAYLOADS
from fuzz.places import Path, Tree, put, without

STRANGE = (
    "\x00", "\t", "\r", "\u2028", "\ufeff", "\ud7ff", "🂡", "é", "٣", "²", "&a", "*a", "!!python/object:os.system",
    "%YAML 1.1", "{", "}", "[", "]", "{}", "[]", "null", "~", "on", "1e9", "0x10", "-1", "9" * 40, "1.5", "''",
    '"', "|",
    ">", "- ", ": ", "? ", "<<: ", "#", "...", "---", "replace: true", "extends: hearts", "extends: ../../etc/passwd",
)  # fmt: skip
_WORD = re.compile(r"[A-Za-z_]\w*|\d+|[^\w\s]")


def edited(text: str, dice: random.Random) -> str:
    """A text with one place changed as a hand slips, or as no hand would."""
    found = list(_WORD.finditer(text))
    if not found:
        return text + dice.choice(STRANGE)
    at, other = dice.choice(found), dice.choice(found)
    start = dice.randrange(len(text) + 1)
    lines = text.split("\n")
    line = dice.randrange(len(lines))
    match dice.randrange(8):
        case 0:
            return text[: at.start()] + other[0] + text[at.end() :]
        case 1:
            return text[: at.start()] + text[at.end() :]
        case 2:
            return text[:start] + dice.choice(STRANGE) + text[start:]
        case 3:
            return text[:start] + text[start : start + 30] * dice.choice((2, 10, 500)) + text[start:]
        case 4:
            return text[:start]
        case 5:
            lines.insert(dice.randrange(len(lines)), lines.pop(line))
        case 6:
            lines[line] = " " * dice.randrange(1, 5) + lines[line]
        case _:
            lines[line] = lines[line][dice.randrange(1, 5) :]
    return "\n".join(lines)


def paths(tree: Tree, path: Path = ()) -> list[Path]:
    """Where everything in a tree stands."""
    found: list[Path] = [path]
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        found += paths(value, (*path, key))
    return found


def _at(tree: Tree, path: Path) -> Tree:
    for step in path:
        tree = tree[step]
    return tree


def altered(tree: Tree, others: Sequence[Tree], dice: random.Random) -> Tree:
    """A scenario with something of another one in it, or a value changed."""
    path = dice.choice([path for path in paths(tree) if path])
    value = _at(tree, path)
    match dice.randrange(6):
        case 0:
            return without(tree, path)
        case 1:
            other = dice.choice(others)
            same = [one for one in paths(other) if one and one[-1] == path[-1]]
            return put(tree, path, _at(other, dice.choice(same))) if same else tree
        case 2 if isinstance(tree.get("steps"), list):
            other = dice.choice(others)
            steps = [*tree["steps"], *other.get("steps", [])]
            dice.shuffle(steps)
            return {**tree, "steps": steps[: dice.randrange(1, len(steps) + 1)] if steps else steps}
        case 3 if isinstance(value, str):
            words = value.split(" ")
            words[dice.randrange(len(words))] = dice.choice(
                ("P1", "P9", "2C", "QS", "none", "x", "99", "P0", dice.choice(PAYLOADS))
            )
            return put(tree, path, " ".join(words))
        case 4 if type(value) is int:
            return put(tree, path, dice.choice((0, 1, value + 1, -value, 10**9, True, "x")))
        case _:
            return put(
                tree, path, dice.choice((None, 0, "x", [], {}, [1], {"P1": "2C"}, "2C 2C", dice.choice(PAYLOADS)))
            )


def altered_record(lines: list[Any], dice: random.Random) -> list[Any]:
    """The lines of a record with something changed in one of them."""
    at = dice.randrange(len(lines)) if dice.random() < 0.6 else 0
    line = lines[at]
    found = [path for path in paths(line) if path and path != ("h",)]
    if not found:
        return lines
    path = dice.choice(found)
    value = _at(line, path)
    match dice.randrange(7):
        case 0:
            return [*lines[:at], *lines[at + 1 :]] if len(lines) > 1 else lines
        case 1:
            return [*lines[: at + 1], line, *lines[at + 1 :]]
        case 2 if len(lines) > 2:
            one = dice.randrange(1, len(lines))
            return put(lines, (at, "move"), lines[one].get("move")) if at else lines
        case 3:
            return (
                put(lines, (0, *path), dice.choice((None, [], {}, 3, -1, 10**30, "x", True, 1.5, [[]], {"x": 1})))
                if at == 0
                else put(lines, (at, *path), dice.choice((None, -1, 10**30, "x", [], "P99", True)))
            )
        case 4:
            return put(lines, (0, "from"), [dice.choice(PATHS)] if dice.random() < 0.5 else dice.choice(PAYLOADS))
        case 5 if isinstance(value, str):
            hostile = dice.choice(PAYLOADS)
            return put(lines, (at, *path), hostile if dice.random() < 0.5 else f"{value} {hostile}")
        case _:
            keys = "chance given variants people table measures begin end refused tick undo".split()
            key = dice.choice(keys)
            value = dice.choice(
                (
                    {"random": ["x"]},
                    {"deck": ["2C"]},
                    {"at": "match"},
                    {"hand": {"P1": "2C"}},
                    3,
                    "x",
                    [],
                    {"x": -1},
                    10**20,
                    None,
                )
            )
            return put(lines, (at, key), value)


def last_line(text: str) -> str:
    lines = [line for line in text.strip().split("\n") if re.match(r"\s*\w+(Error|Exception|Exit)\b", line)]
    return re.sub(r"'[^']*'|\d+", "…", lines[-1].strip())[:80] if lines else "?"
