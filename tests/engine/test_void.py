"""`void in`: of which suit somebody has no card, as the stage of tricks takes suits."""

from __future__ import annotations

from pathlib import Path

from interpreter import load, validate

RULES = """
format: 1
id: void
name: Void
players: {only: [2]}
pack: {standard: 1}
zones:
  stock: {pack: true}
  hand: {each: player, seen by: owner}
  trick: {}
  taken: {each: player}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match:
    setup: |
      move QS to hand of P1; move JH to hand of P1
      move 2C to hand of P2; move 2D to hand of P2
    do: [tricks]
  tricks:
    kind: trick
    leader: P1
    SUIT
    actions:
      play: {must: {LAW}}
    on trick: move all from trick to taken of winner
"""


def leads(folder: Path, law: str, suit: str = "direction: left") -> list[str]:
    path = folder / "void.yaml"
    path.write_text(RULES.replace("LAW", law).replace("SUIT", suit), encoding="utf-8")
    assert not [d for d in validate(path) if d.severity == "error"]
    return list(map(str, load(path).game().start(seed=1).legal_moves(0)))


def test_it_may_ask_of_the_suit_of_the_card_that_is_played(tmp_path: Path) -> None:
    assert leads(tmp_path, "none_left: void in card.suit") == []
    assert leads(tmp_path, "some_left: not void in card.suit") == ["play JH", "play QS"]


def test_cards_of_the_hand_have_the_suits_of_the_stage_of_tricks(tmp_path: Path) -> None:
    turned = 'suit: "if card is Q then hearts else clubs"'
    assert leads(tmp_path, "none_left: void in card.suit", turned) == ["play QS"]
    assert leads(tmp_path, "none_left: void in clubs or card is Q", turned) == ["play QS"]
    assert leads(tmp_path, "all_counted: not void in hearts and not void in clubs and void in spades", turned) == [
        "play JH",
        "play QS",
    ]
