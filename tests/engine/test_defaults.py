"""What a variable goes back to may hang on others: where that cannot be, the match stops at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import RuleError

SMALL = """\
format: 1
id: small
name: Small
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true}}
state:
  several: {type: list of integer, lasts: match}
  none_yet: {type: integer, optional: true, lasts: match}
  high: {type: integer, lasts: match, default: 99}
  made: {type: integer, lasts: LASTS, min: 0, max: 10, default: "DEFAULT"}
  other: {each: player, type: integer, lasts: LASTS, min: 0, max: 10, default: "DEFAULT"}
flow:
  match: {do: [go]}
  go:
    kind: turn
    turns: 4
    actions: {a: {effect: "EFFECT"}}
"""


def written(folder: Path, default: str, lasts: str = "match", effect: str = "add 1 to high") -> Path:
    path = folder / "small.yaml"
    text = SMALL.replace("LASTS", lasts).replace("DEFAULT", default).replace("EFFECT", effect)
    path.write_text(text, encoding="utf-8")
    assert not [told for told in interpreter.validate(path) if told.severity == "error"]
    return path


@pytest.mark.parametrize(
    ("default", "told"),
    [
        ("item(3, several)", "the list has no such item"),
        ("5 div count of several", "this divides by 0"),
        ("cycle(1, several)", "the list is empty"),
        ("none_yet + 1", "this is none, but a number is needed here"),
        ("high", "'made' would become 99, but it goes from 0 to 10"),
    ],
)
@pytest.mark.parametrize("lasts", ["match", "go", "turn"])
def test_a_match_does_not_begin_with_what_cannot_be(tmp_path: Path, default: str, told: str, lasts: str) -> None:
    game = interpreter.load(written(tmp_path, default, lasts)).game()
    for begin in (lambda: game.start(seed=1), lambda: game.playouts(3, seed=1)):
        with pytest.raises(RuleError, match=told) as stopped:
            begin()
        assert stopped.value.span is not None and stopped.value.span.line in (11, 12)


@pytest.mark.parametrize("cleared", ["made", "other", "other of P2"])
def test_nor_does_a_variable_go_back_to_what_cannot_be(tmp_path: Path, cleared: str) -> None:
    path = written(tmp_path, "count of several * 6", effect=f"add (1, 2) to several; clear {cleared}")
    state = interpreter.load(path).game().start(seed=1)
    before = state.view(0)
    with pytest.raises(RuleError, match="would become 12, but it goes from 0 to 10"):
        state.play(0, "a")
    assert state.view(0) == before
