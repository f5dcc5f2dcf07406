"""What a page and the server tell each other."""

from __future__ import annotations

import json

import msgspec
import pytest
from jsonschema import Draft202012Validator

from interpreter.base.resources import find
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.changes import changed, changes


def test_the_schema_of_the_socket_is_the_one_that_is_made_from_the_messages() -> None:
    written = json.loads(find("schema/host.schema.json").read_text("utf-8"))
    assert written == p.schema(), "run python -m interpreter.interfaces.host.protocol"
    Draft202012Validator.check_schema(written)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"type": "dance"}',
        '{"type": "pause", "on": "yes"}',
        '{"type": "pause", "on": true, "more": 1}',
        '{"type": "move", "id": "", "move": "play 7H"}',
        '{"type": "move", "id": "../x", "move": "play 7H"}',
        '{"type": "move", "id": "a", "move": "' + "x" * 3000 + '"}',
        '{"type": "move", "id": "a", "move": "play 7H", "ask": -1}',
        '{"type": "hello", "v": 2, "table": "t", "token": "a b"}',
        '{"type": "order", "what": "shutdown"}',
    ],
)
def test_what_is_not_named_is_no_message(text: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        p.decode(text)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        pytest.param({"a": 1}, {"a": 1}, [], id="nothing"),
        pytest.param({"a": 1, "b": 2}, {"a": 1}, [[["b"]]], id="something is gone"),
        pytest.param({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, [[["a", "c"], 3]], id="deep down"),
        pytest.param({"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 1}, {"b": 5}]}, [[["a", 1, "b"], 5]], id="in a list"),
        pytest.param({"a": ["x", "y"]}, {"a": ["y", "x"]}, [[["a"], ["y", "x"]]], id="a list of texts is sent whole"),
        pytest.param({"a": [{"b": 1}]}, {"a": []}, [[["a"], []]], id="a list of another length is sent whole"),
        pytest.param({"a": 1}, {"a": None}, [[["a"], None]], id="null is a value"),
        pytest.param(1, [1], [[[], [1]]], id="altogether new"),
    ],
)
def test_changes_make_the_new_of_the_old(old: object, new: object, found: list[object]) -> None:
    before = json.dumps(old)
    assert changes(old, new) == found
    assert changed(old, found) == new
    assert json.dumps(old) == before
