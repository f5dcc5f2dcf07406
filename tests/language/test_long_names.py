"""Whatever a file can name or say is bounded: every place of the schemas is gone over, so that none is forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from interpreter import validate
from interpreter.base.diagnostics import Report, Span
from interpreter.language.parser import parse_effect, parse_expr, parse_words
from interpreter.language.shape import check_shape
from interpreter.language.shape.schemas import Kind, Schema, schema_of
from interpreter.language.source import MAX_NAME, Scalar, parse_text

LANGUAGE = {"expr", "effect", "range", "words", "each", "turns", "players", "meld"}
"""Texts that are bounded, and their names with them, where they are read."""
SAID_OTHERWISE = {"seats", "up"}
"""Lists, but for rulesets that have something else of that name. (A line of the log may be read as a mapping, too.)"""
Step = str | int


@dataclass(frozen=True)
class Place:
    """Where a text or a key may stand. path: to the text, or to the mapping of which `key` is one. beside: what makes
    a mapping on the way such a one in which it may stand, by the length of the path to it."""

    schema: Schema
    path: tuple[Step, ...]
    key: bool
    beside: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        return f"{'/'.join(map(str, self.path))}{'/KEY' if self.key else ''}"


def places(schema: Any, path: tuple[Step, ...] = (), beside: tuple[tuple[int, str], ...] = ()) -> Iterator[Place]:
    """Every place of a schema where an author writes a text or a key of their own."""
    if not isinstance(schema, dict):
        return
    types = schema.get("type", ["object"] if "properties" in schema else [])
    types = [types] if isinstance(types, str) else types
    if "string" in types:
        yield Place(schema, path, key=False, beside=beside)
    inner, keys = schema.get("additionalProperties"), schema.get("propertyNames", {})
    is_open = inner is not False if "additionalProperties" in schema else "if" not in schema
    if "object" in types and (is_open or "patternProperties" in schema):
        yield Place(keys, path, key=True, beside=beside)
    for name, of in schema.get("properties", {}).items():
        yield from places(of, (*path, name), beside)
    for of in [inner, *schema.get("patternProperties", {}).values()]:
        yield from places(of, (*path, begin_of(keys) or "k"), beside)
    yield from places(schema.get("items"), (*path, schema.get("minItems", 1)), beside)
    if path or schema is not schema_of("ruleset"):  # what a ruleset must hold besides that extends nothing
        needed = tuple((len(path), key) for key in schema.get("if", {}).get("required", ()))
        yield from places(schema.get("then"), path, (*beside, *needed))
        yield from places(schema.get("else"), path, beside)


def begin_of(schema: Schema) -> str:
    """How a text begins that a schema wants to look like a player or a move."""
    return "P1 x" if "\\S" in schema.get("pattern", "") else "P1" if schema.get("pattern", "")[:2] == "^P" else ""


def too_long(schema: Schema) -> str:
    """A text that is one letter longer than a schema lets it be, and fine otherwise."""
    begin = begin_of(schema)
    return begin + ("1" if begin == "P1" else "x") * (schema["maxLength"] + 1 - len(begin))


def written(place: Place, text: str) -> str:
    """The smallest file, of one line, that has a text at a place; if it is a key, behind a '? '."""
    made: Any = {text: "x"} if place.key else text
    for depth in range(len(place.path), -1, -1):
        if isinstance(made, dict):
            made |= {key: "x" for at, key in place.beside if at == depth and key not in made}
        if depth:
            step = place.path[depth - 1]
            made = [made] * step if isinstance(step, int) else {step: made}
    said = json.dumps(made)
    return said.replace(f'"{text}":', f'? "{text}" :')


def all_places() -> Iterator[tuple[Kind, Place]]:
    for kind in ("ruleset", "scenario"):
        yield from ((kind, place) for place in places(schema_of(kind)))


def test_every_place_has_a_bound() -> None:
    found = list(all_places())
    assert len(found) > 2_000
    for kind, place in found:
        schema = place.schema
        is_bounded = "maxLength" in schema or "enum" in schema or schema.get("x-dsl") in LANGUAGE
        is_bounded = is_bounded or (place.key and place.path[-1] in SAID_OTHERWISE) or place.path[-2:-1] == ("events",)
        assert is_bounded, f"{kind}: {place}: a text may be of any length: give it a maxLength"


def test_what_is_too_long_is_told_where_it_stands() -> None:
    once = {
        (kind, place.path[-1:], place.key, json.dumps(place.schema, sort_keys=True)): (kind, place)
        for kind, place in all_places()
        if "maxLength" in place.schema
    }
    assert len(once) > 200
    for kind, place in once.values():
        text = too_long(place.schema)
        said, report = written(place, text), Report()
        if kind == "ruleset" and place.path[0] != "extends":
            said = '{"extends": "hearts", ' + said[1:]
        node = parse_text(said, "t.yaml", report)
        assert node is not None, place
        check_shape(node, report, kind)
        count = f"has {len(text):,} letters, and the most is {place.schema['maxLength']:,}"
        told = [
            (found.line, found.column)
            for found in report.diagnostics
            if found.code == "E206" and count in found.message
        ]
        assert told[:1] == [(1, said.index(text))], (str(place), report.diagnostics)


NAME = "x" * (MAX_NAME + 1)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (parse_expr, f"count c in hand where {NAME} of c > 2"),
        (parse_expr, f"any {NAME} in hand has true"),
        (parse_effect, f"let {NAME} be 3"),
        (parse_effect, f"for {NAME} in players do stay end"),
        (parse_effect, f"{NAME}(2, 3)"),
        (parse_words, f"It is {{{NAME}}}."),
    ],
)
def test_names_of_the_language(read: Any, text: str) -> None:
    report = Report()
    assert read(plain(text), report) is None
    assert [found.code for found in report.diagnostics] == ["E206"]
    assert report.diagnostics[0].column == text.index("x" * 5) + 1
    assert "has 51 letters, and the most is 50" in report.diagnostics[0].message
    assert read(plain(text.replace(NAME, NAME[1:])), Report()) is not None


def plain(text: str) -> Scalar:
    span = Span("t.yaml", 1, 1, 1, len(text) + 1)
    return Scalar(text, text, span, "plain")


def test_a_text_in_quotes_is_no_name() -> None:
    report = Report()
    assert parse_expr(plain(f'"{NAME}"'), report) is not None
    assert not report.diagnostics


def test_a_name_among_parameters_that_is_too_long() -> None:
    report = Report()
    node = parse_text(f"extends: hearts\ndefine:\n  fits(a, {NAME}): 3\n", "t.yaml", report)
    assert node is not None
    check_shape(node, report)
    assert [(d.code, d.line, d.column) for d in report.diagnostics if d.code != "E202"] == [("E206", 3, 3)]


def test_validating_long_names_takes_little(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(
        f"format: 1\nid: t\nextends: hearts\nranks: [A, {'x' * 100_000}]\norders:\n  ? {'y' * 90_000}\n  : [A]\n"
    )
    assert [(d.code, d.line, d.column) for d in validate(path)] == [("E206", 4, 12), ("E206", 6, 5)]
