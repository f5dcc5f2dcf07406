"""What differs between two games, chapter by chapter and stage by stage."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.rulebook.chapters import book
from interpreter.rulebook.differences import differences
from interpreter.rulebook.grouping import WORDING, grouped, text

MINE = """\
format: 1
id: mine
name: Mine
extends: hearts
values: {points: {JD: -10}}
flow:
  tricks: {follow: {must: {no_points_first: null}}}
  deal: {doc: Deal them., next dealer: right}
  toast: {doc: A toast., kind: ask, actions: {drink: {}}, before: count}
"""


def test_what_matters_comes_first_and_wording_last(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(MINE)
    found = grouped(*(book(interpreter.load(source).game()) for source in ("hearts", tmp_path / "mine.yaml")))
    assert [group.title for group in found] == ["Deal", "Tricks", "Toast", "Tables", WORDING]
    assert found[1].lines[0].startswith("no longer: play, Law “no points first”: ")
    assert any("Deal them" in line for line in found[-1].lines)
    assert all(len(line) <= 60 for line in text(found, 60).splitlines())


@pytest.mark.parametrize(("one", "other"), [("hearts", "spades"), ("spit", "spit-five"), ("pig", "bicycle-spoons")])
def test_every_difference_is_in_one_group(one: str, other: str) -> None:
    books = [book(interpreter.load(name).game()) for name in (one, other)]
    lines = [line for group in grouped(*books) for line in group.lines]
    flat = differences(*books)
    assert len(lines) >= len(flat) - 2  # what the course itself says of its stages is told stage by stage
    assert {line for line in flat if "“" not in line} <= set(lines)
