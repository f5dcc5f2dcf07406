"""What is quickly found to be right is what jsonschema finds right, and whatever is wrong goes to jsonschema."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from where import TESTS

from interpreter.base.diagnostics import Report
from interpreter.base.resources import find
from interpreter.engine.chance import Dice
from interpreter.language.shape.quick import is_right
from interpreter.language.shape.schemas import Kind, validator, written
from interpreter.language.source import parse_text, to_plain

ODD = (
    None,
    True,
    False,
    0,
    1,
    -1,
    10**30,
    1.0,
    2.5,
    "",
    "x",
    "P1",
    "a: b",
    "x" * 3000,
    [],
    [None],
    {},
    {"x": 1},
    {"": {}},
)
ROOT = Path(find("rulesets"))


def plain(path: Path) -> Any:
    node = parse_text(path.read_text("utf-8"), str(path), Report())
    return None if node is None else to_plain(node)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*path, key))


def changed(value: Any, dice: Dice) -> Any:
    """The same with something odd in one place, or with a key more or less."""
    found = copy.deepcopy(value)
    ways = [path for path in places(found) if path]
    *before, last = ways[dice.below(len(ways))]
    holder = found
    for step in before:
        holder = holder[step]
    if isinstance(holder, dict) and dice.below(3) == 0:
        holder[("zq", last.upper() if isinstance(last, str) else "q", "extends")[dice.below(3)]] = holder.pop(last)
    else:
        holder[last] = ODD[dice.below(len(ODD))]
    return found


@pytest.mark.parametrize(
    ("kind", "paths"),
    [
        ("ruleset", [*sorted(ROOT.glob("*.yaml"))[::3], *sorted((TESTS / "mistakes").glob("*.yaml"))[::2]]),
        ("scenario", sorted((TESTS / "scenarios").rglob("*.yaml"))[::9]),
    ],
)
def test_quick_and_thorough_agree(kind: Kind, paths: list[Path]) -> None:
    thorough, schema, dice, both = validator(kind), written(f"{kind}.schema.json"), Dice(1), set()
    for path in paths:
        value = plain(path)
        for each in [value, *(changed(value, dice) for _ in range(12) if isinstance(value, dict | list) and value)]:
            right = thorough.is_valid(each)
            both.add(right)
            if is_right(schema, each) != right:
                assert right, f"{path.name}: {each!r:.500}"  # doubt costs time, a wrong yes would let it pass
    assert both == {True, False}


def test_what_is_right_is_found_without_jsonschema() -> None:
    script = "import sys, interpreter; interpreter.load('hearts').game(); print('jsonschema' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"


@pytest.mark.parametrize(
    ("schema", "value", "right"),
    [
        ({"type": "integer"}, 3, True),
        ({"type": "integer"}, True, False),
        ({"type": ["integer", "null"]}, None, True),
        ({"enum": [1]}, True, False),
        ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"a": 1}, False),
        ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"c": 1}, True),
        ({"not": {"const": "x"}}, "x", False),
        ({"patternProperties": {"^a": {"type": "null"}}, "additionalProperties": False}, {"ab": None}, True),
        ({"patternProperties": {"^a": {"type": "null"}}, "additionalProperties": False}, {"b": None}, False),
        ({"unheard of": 1}, "x", False),
        ({"$ref": "ruleset.schema.json#/$defs/name"}, "x", True),
        ({"$ref": "ruleset.schema.json#/$defs/name"}, "x\n", False),
        ({"type": "string"}, b"x", False),
        (False, 1, False),
        (True, 1, True),
    ],
)
def test_of_each_keyword(schema: Any, value: Any, right: bool) -> None:
    assert is_right(schema, value) is right
