"""`owner of` and `index of`: which of the indexes of a place is a player, and which a number, in whatever order."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load

RULES = """
format: 1
id: indexes
name: Indexes
players: {only: [3]}
pack: {standard: 1}
zones: {stock: {pack: true}, pile: {each: EACH}}
state:
  nth: {type: integer, lasts: match}
  whose: {type: player, lasts: match}
flow:
  match: {do: [go]}
  go: {kind: turn, turns: 9, actions: {x: {choose: {at_it: {zones: pile}}, effect: EFFECT}}}
"""
NUMBER, OWNER = "set nth to index of at_it", "set whose to owner of at_it"


@pytest.mark.parametrize(
    ("each", "place", "nth", "whose"),
    [
        ("[player, 4..6]", "pile.P2.5", 5, "P2"),
        ("[4..6, player]", "pile.5.P2", 5, "P2"),
        ("[rank, 4..6]", "pile.K.5", 5, None),
        ("[4..6, suit]", "pile.5.hearts", 5, None),
        ("[1..2, 4..6]", "pile.1.5", 5, None),
        ("-6..-4", "pile.-5", -5, None),
        ("[suit, player]", "pile.hearts.P3", None, "P3"),
    ],
)
def test_it_is_found(each: str, place: str, nth: int | None, whose: str | None, tmp_path: Path) -> None:
    effect = "; ".join([NUMBER] * (nth is not None) + [OWNER] * (whose is not None))
    path = tmp_path / "indexes.yaml"
    path.write_text(RULES.replace("EACH", each).replace("EFFECT", effect), encoding="utf-8")
    match = load(path).game().start(seed=1)
    match.play(match.actors[0], f"x {place}")
    assert (match.value("nth"), match.value("whose")) == (nth or 0, whose or "P1")
