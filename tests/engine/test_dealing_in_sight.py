"""What is dealt from a pile of which everybody sees the top card."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter

RULES = """\
format: 1
id: open_pile
name: Open Pile
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, pile: {shows: top}}
flow:
  match: {first dealer: P1, setup: move 4 from stock to pile, do: [go]}
  go: {kind: turn, turns: 2 each, actions: {share: {effect: "DEAL from pile to hand"}}}
"""


def lines(folder: Path, deal: str, times: int) -> tuple[list[str], list[str]]:
    """What both read of so many moves."""
    path = folder / "open.yaml"
    path.write_text(RULES.replace("DEAL", deal), encoding="utf-8")
    deck = ["2C", "3C", "4C", "5C", *[card for card in PACK if card not in ("2C", "3C", "4C", "5C")]]
    state = interpreter.load(path).game().start(seed=1, deck=deck)
    assert state.view(0)["zones"]["pile"]["cards"] == [top := state.zone("pile")[0]]
    begun = len(state.log)
    for _ in range(times):
        state.play(state.actors[0], "share")
    told = [[text for event in state.log[begun:] if (text := event.text(seat)) is not None] for seat in (0, 1)]
    assert f"  {top} pile -> hand P2" in told[0]
    return told[0], told[1]


PACK = [f"{rank}{suit}" for rank in ["A", *map(str, range(2, 11)), "J", "Q", "K"] for suit in "CDHS"]


@pytest.mark.parametrize(("deal", "times"), [("deal 1", 1), ("deal 1", 2), ("deal 2", 1), ("deal all", 1)])
def test_whoever_saw_the_top_card_reads_where_it_is_dealt(deal: str, times: int, tmp_path: Path) -> None:
    first, second = lines(tmp_path, deal, times)
    assert all("card" in line or "pile" not in line for line in second if "hand P1" in line)
    assert len(first) == len(second)


def test_a_pile_that_is_dealt_to_its_end_stops_no_match(tmp_path: Path) -> None:
    first, _ = lines(tmp_path, "deal 1", 3)
    assert "missing: 2 cards in pile" in first
