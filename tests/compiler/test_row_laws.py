"""Laws in rows of `cards`: random play in bulk and step by step is the same, and too many are refused."""

from __future__ import annotations

import random
from pathlib import Path

from walks import stepwise

from interpreter.api.game import load
from interpreter.api.validation import validate

SHEDS = """\
format: 1
id: sheds
name: Sheds
players: {min: 3, max: 3}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, heap: {}}
state: {score: {each: player, type: integer, lasts: match}}
cards:
  7:
    choose: {victim: {players: others, optional: count of hand < 3}}
    must: {rich: {law: victim = none or count of hand of victim >= count of hand, message: "not {victim}"}}
    effect: if victim != none then add 1 to score of victim end
  red: {must: {late: count of heap > 6}, effect: add 2 to score of actor}
  KS: {must: {never: false}}
flow:
  match: {do: [play], setup: "shuffle stock; deal 6 from stock to hand", winners: lowest score}
  play:
    kind: turn
    first: P1
    turns: 60
    actions:
      lay: {choose: {card: {from: hand}}, row: card, effect: move card to heap}
      keep: {}
"""


def test_matches_in_bulk_and_move_by_move_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "sheds.yaml").write_text(SHEDS)
    assert validate(tmp_path / "sheds.yaml") == []
    game = load(tmp_path / "sheds.yaml").game()
    together = game.playouts(30, seed=4)
    assert together.unfinished == 0
    assert together == stepwise(game, 30, seed=4)


def test_what_is_lawful_breaks_no_law_of_its_row(tmp_path: Path) -> None:
    (tmp_path / "sheds.yaml").write_text(SHEDS)
    game = load(tmp_path / "sheds.yaml").game()
    seen = set()
    for seed in range(20):
        state, draw = game.start(seed=seed), random.Random(seed)
        while not state.over:
            player = state.actors[0]
            lawful = [str(move) for move in state.legal_moves(player)]
            hands = {f"P{p + 1}": len(state.zone("hand", p)) for p in range(3)}
            own, heap = hands[f"P{player + 1}"], len(state.zone("heap"))
            for card in state.zone("hand", player):
                victims = [q for q in hands if q != f"P{player + 1}" and hands[q] >= own] + ["none"] * (own < 3)
                wanted = {f"lay {card}"} if card[0] != "7" else {f"lay {card} {v}" for v in victims}
                if card == "KS" or (card[0] != "7" and card[-1] in "HD" and heap <= 6):
                    wanted = set()
                assert {move for move in lawful if move.split()[:2] == ["lay", card]} == wanted
                seen.add((card[0] == "7", bool(wanted)))
            state.play(player, draw.choice(lawful))
    assert seen == {(True, True), (True, False), (False, True), (False, False)}


def test_too_many_laws_of_rows_are_refused(tmp_path: Path) -> None:
    laws = ", ".join(f"law_{n}: count of heap > {n}" for n in range(40))
    rows = "\n".join(f"  {rank}: {{must: {{{laws}}}}}" for rank in (2, 3, 4, 5, 6, 8, 9, 10, "J", "Q", "K"))
    (tmp_path / "sheds.yaml").write_text(SHEDS.replace("  KS: {must: {never: false}}", rows).replace("  red:", "  AH:"))
    found = validate(tmp_path / "sheds.yaml")
    assert [d.code for d in found] == ["E521"]
    assert found[0].message == "all 'row' together take 402 laws, and 400 are allowed"
