"""What stops a match is told in the words of rulesets."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.engine.program import why


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OverflowError("int too large to convert to float"), "a number is too large"),
        (MemoryError(), "there is not memory enough for it"),
        (ZeroDivisionError("integer division or modulo by zero"), "this divides by 0"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_failure_is_told_as_what_it_is(error: Exception, told: str) -> None:
    assert why(error) == told


TALKATIVE = """
format: 1
id: talkative
name: Talkative
players: {min: 2, max: 2}
pack: {standard: 8}
zones: {stock: {pack: true}}
flow:
  match: {do: [go], winners: none}
  go: {kind: ask, actions: {tell_all: {effect: 'for c in pack do note "{pack}{pack}{pack}{pack}" end; stay'}}}
"""


def test_a_move_tells_no_more_than_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "talkative.yaml"
    path.write_text(TALKATIVE, encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    with pytest.raises(interpreter.RuleError, match="tells more than 400,000 letters at once"):
        state.play(0, "tell_all")
    assert len(state.log or ()) < 10


def test_many_short_notes_count_together(tmp_path: Path) -> None:
    path = tmp_path / "talkative.yaml"
    often = 'for n in 1..9000 do note "{pack}" end'
    text = TALKATIVE.replace('for c in pack do note "{pack}{pack}{pack}{pack}" end', often)
    path.write_text(text.replace("standard: 8", "standard: 1, only: [A, K]"), encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    with pytest.raises(interpreter.RuleError, match="tells more than 400,000 letters at once"):
        state.play(0, "tell_all")
