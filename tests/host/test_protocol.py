"""What a page and the server tell each other."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from interpreter.base.resources import find
from interpreter.interfaces.host import page_files
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.changes import changes
from tests.host.applying import changed


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
        '{"type": "move", "id": "a", "move": "' + "x" * (p.LONGEST_MOVE + 1) + '"}',
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
        pytest.param(
            {"a": [{"id": "x", "n": 1}, {"id": "z"}]},
            {"a": [{"id": "x", "n": 2}, {"id": "y"}, {"id": "z"}]},
            [[["a"], 1, 0, [{"id": "y"}]], [["a", 0, "n"], 2]],
            id="something comes between",
        ),
        pytest.param(
            {"a": [{"id": "x"}, {"id": "y"}, {"id": "z", "n": 1}]},
            {"a": [{"id": "x"}, {"id": "z", "n": 2}]},
            [[["a"], 1, 1, []], [["a", 1, "n"], 2]],
            id="something between goes",
        ),
        pytest.param(
            {"a": [["P1", "2C"]]}, {"a": [["P1", "2C"], ["P2", "9C"]]}, [[["a"], 1, 0, [["P2", "9C"]]]], id="more"
        ),
        pytest.param(1, [1], [[[], [1]]], id="altogether new"),
    ],
)
def test_changes_make_the_new_of_the_old(old: object, new: object, found: list[object]) -> None:
    before = json.dumps(old)
    assert changes(old, new) == found
    assert changed(old, found) == new
    assert json.dumps(old) == before


ENTRIES = st.lists(
    st.fixed_dictionaries({"id": st.sampled_from("uvwxyz"), "n": st.integers(0, 1)}),
    unique_by=lambda entry: entry["id"],
)


@given(ENTRIES, ENTRIES)
def test_whichever_entries_come_go_and_change_the_new_list_is_made_of_the_old(old: list[Any], new: list[Any]) -> None:
    assert changed({"a": old}, changes({"a": old}, {"a": new})) == {"a": new}


def test_the_page_is_of_the_version_of_the_server() -> None:
    assert f"export const VERSION = {p.VERSION};" in (page_files.FOLDER / "socket.js").read_text("utf-8")
    assert f"const LONGEST = {p.LONGEST_MESSAGE};" in (page_files.FOLDER / "socket.js").read_text("utf-8")


def test_a_move_that_is_no_message_is_refused_by_its_id() -> None:
    text = json.dumps({"type": "move", "id": "a", "move": "play 7H", "more": 1})
    error = msgspec.DecodeError("why")
    assert p.answer_to_none(text, error) == p.Refused("a", "That cannot be sent: why")
    for other in ('{"type": "move", "id": "../x"}', '{"type": "chat", "id": "a"}', "[", '"a"', "{}"):
        assert p.answer_to_none(other, error) == p.Failure("That is no message: why")
