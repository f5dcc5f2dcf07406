"""Cards that not all see come as they lie and never in the order of the pack, which would tell which is lower."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter

RULES = """\
format: 1
id: unseen
name: Unseen
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  bag: {each: player, seen by: none}
  pile: {seen by: none}
  open: {}
state:
  mark: {type: card, optional: true, lasts: match}
  marked: {type: cards, lasts: match, seen by: none}
  n: {type: integer, lasts: match}
define:
  grab(c): {effect: set mark to c}
  use: {effect: "set marked to hand of left of actor; set n to count of marked; grab(top of hand)"}
flow:
  match: {setup: shuffle stock; deal 6 from stock to hand, do: [go]}
  go: {kind: turn, first: P1, actions: {take: {effect: "EFFECT"}, other: {effect: "use; move mark to bag"}}}
"""
THEIRS = "hand of left of actor"
EFFECTS = [
    f"for c in {THEIRS} do set mark to c end; move mark to open",
    f"for c in {THEIRS} do grab(c) end; move mark to open",
    f"for c in {THEIRS} do if n = 0 then show c to everyone; set n to 1 end end",
    f"for c in {THEIRS} do if count of marked < 1 then add c to marked end end; move marked to open",
    f"let x be {THEIRS}; show top 1 of x to everyone",
    f"set marked to {THEIRS}; show last 1 of marked to everyone",
    f"let x be {THEIRS}; move x to bag; move x to pile; move 1 from pile to open",
    f"set marked to {THEIRS}; move marked to bag; move 1 from marked to open",
]


@pytest.mark.parametrize("effect", EFFECTS)
def test_no_card_of_a_stranger_s_ruleset_comes_in_the_order_of_the_pack(effect: str, tmp_path: Path) -> None:
    path = tmp_path / "unseen.yaml"
    path.write_text(RULES.replace("EFFECT", effect), encoding="utf-8")
    game = interpreter.load(path).game()
    places = set()
    for seed in range(20):
        state = game.start(seed=seed)
        cards = game.program.cards
        hand = sorted(state.zone("hand", 1), key=cards.index)
        events = state.play(0, "take")
        told = [place for event in events for place, card in enumerate(hand) if card in event.text().split()]
        places.add(told[-1])
    assert len(places) > 2, "it may be any of them"
