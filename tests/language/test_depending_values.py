"""Values that depend with `by`: which rows are enough."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.rulebook.book import texts
from interpreter.rulebook.chapters import book

RULES = """\
format: 1
id: small
name: Small
players: {{min: 2, max: 4}}
options:
  packs: {{type: integer, choices: [1, 2, 4], default: 1}}
  open: {{type: flag, default: false}}
  way: {{type: choice, choices: [left, right], default: left}}
  most: {{type: integer, min: 1, max: 2, default: 1}}
pack: {{standard: {standard}}}
zones:
  stock: {{pack: true}}
  hand: {{each: player, seen by: owner}}
flow:
  match: {{do: [laying], winners: players}}
  laying: {{kind: turn, actions: {{pass: {{effect: stay}}}}}}
"""


def faults(folder: Path, standard: str = "1") -> list[str]:
    path = folder / "small.yaml"
    path.write_text(RULES.format(standard=standard), encoding="utf-8")
    return [f"{d.line} {d.code}" for d in interpreter.validate(path) if d.severity == "error"]


@pytest.mark.parametrize(
    "rows",
    [
        "{by: packs, 1: 1, 2: 2, 4: 1}",
        "{by: packs, 1..3: 1, 4: 2}",
        "{by: open, true: 1, false: 2}",
        "{by: way, left: 1, right: 2}",
        "{by: packs, 1: 1, else: 2}",
        "{by: players, 2: 1, 3..4: 2}",
    ],
)
def test_no_else_is_needed_where_each_choice_of_an_option_or_number_of_players_has_its_row(
    rows: str, tmp_path: Path
) -> None:
    assert faults(tmp_path, standard=rows) == []


@pytest.mark.parametrize(
    "rows", ["{by: packs, 1: 1, 2: 2}", "{by: most, 1: 1, 2: 2}", "{by: way, left: 1}", "{by: players, 2: 1, 4: 2}"]
)
def test_an_else_is_needed_where_a_value_may_have_no_row(rows: str, tmp_path: Path) -> None:
    assert faults(tmp_path, standard=rows) == ["10 E519"]


TABLE = """\
format: 1
id: prizes
name: Prizes
about: Everybody takes the prize, once.
players: {min: 2, max: 2}
options:
  most: {type: integer, min: 1, max: 9, default: 5}
pack: {standard: 1}
zones: {stock: {pack: true}}
state: {score: {each: player, type: integer, lasts: match}}
values:
  prize: {by: most, 1..9: 7, 3..5: 4, 5: 3, 9: 1}
flow:
  match: {do: [taking], winners: highest score}
  taking: {kind: turn, turns: 1 each, actions: {take: {effect: add prize to score of actor; shuffle stock}}}
"""


@pytest.mark.parametrize(("most", "prize"), [(1, 7), (4, 4), (5, 3), (9, 1)])
def test_the_narrowest_row_of_a_table_counts_and_the_rulebook_tells_it(most: int, prize: int, tmp_path: Path) -> None:
    path = tmp_path / "prizes.yaml"
    path.write_text(TABLE, encoding="utf-8")
    game = interpreter.load(path).game(options={"most": most})
    state = game.start()
    state.play(state.actors[0], "take")
    assert sorted(state.scores) == [0, prize]
    assert f"score goes up by {prize}." in " ".join(texts(book(game).sections))


def test_an_option_with_bounds_is_used_by_a_table(tmp_path: Path) -> None:
    path = tmp_path / "prizes.yaml"
    path.write_text(TABLE, encoding="utf-8")
    assert interpreter.validate(path) == []
    path.write_text(TABLE.replace("add prize to", "add 2 to"), encoding="utf-8")
    assert [d.message for d in interpreter.validate(path)] == ["the table 'prize' is never used"]
