"""A card that is moved twice, or that something else has moved meanwhile, is taken from where it lies now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import pytest

import interpreter
from interpreter.engine.packets import as_tuple

ONE, TWO = "card: {from: hand}", "cards: {from: hand, count: 2}"
EFFECTS = [
    (ONE, "move card to chest; move card to heap"),
    (ONE, "move card to chest; move card to hand; move card to heap"),
    (ONE, "if card.suit = hearts then move card to chest end; move card to heap"),
    (ONE, "move all from hand to chest; move card to heap"),
    (ONE, "gather hand to stock; move card to heap"),
    (ONE, "deal 1 from hand to chest; move card to heap"),
    (ONE, "swap hand, chest; move card to heap"),
    (ONE, "put_away(card); move card to heap"),
    (ONE, "move card to chest; put_away(card)"),
    (ONE, "put_away(card); put_away(card); move card to hand"),
    (ONE, "for c in hand do move c to chest; move c to heap end"),
    (ONE, "for c in hand do move card to chest; move c to heap end"),
    (ONE, "for c in hand do for d in hand do move d to chest end; move c to heap end"),
    (ONE, "for c in hand do put_away(c); move c to heap end"),
    (TWO, "move cards to chest; move cards to heap"),
    (TWO, "move 2 from hand to heap; move cards to chest"),
    (TWO, "for c in cards do move c to chest end; move cards to heap"),
    (TWO, "move all c in cards where c.suit = hearts to chest; move cards to heap"),
    (f"{ONE}, other: {{from: hand}}", "move card to chest; move other to heap"),
    (f"{ONE}, {TWO}", "move cards to chest; move card to heap"),
    (ONE, "move (card, card) to heap"),
    (f"{ONE}, other: {{from: hand}}", "move (card, other) to heap"),
    (ONE, "move (left_pile, right_pile, far_pile) to heap"),
    (ONE, "move 3 at random from (left_pile, right_pile, far_pile) to heap"),
    ("card: {from: far_pile}", "move all from left_pile to heap; move card to chest"),
    ("card: {from: far_pile}", "deal all from left_pile to chest; move card to heap"),
    ("card: {from: far_pile}", "swap left_pile, chest; move card to heap"),
    ("card: {from: kept_pile}", "move 1 from stock to kept_pile; move card to heap"),
]


def load(folder: Path, text: str) -> interpreter.Ruleset:
    path = folder / "own.yaml"
    path.write_text(dedent(text), encoding="utf-8")
    return interpreter.load(path)


def ruleset(folder: Path, choose: str, effect: str) -> interpreter.Ruleset:
    text = f"""
        format: 1
        id: twice
        name: Twice
        players: {{min: 2, max: 2}}
        pack: {{standard: 1, only: "7..A"}}
        zones:
          stock: {{pack: true, seen by: none}}
          hand: {{each: player, seen by: owner}}
          chest: {{each: player, seen by: owner, faces: down}}
          heap: {{seen by: everyone, shows: top}}
          left_pile: {{refill: {{from: right_pile, keep: 0, on: empty}}}}
          right_pile: {{refill: {{from: far_pile, keep: 0, on: empty}}}}
          far_pile: {{}}
          waiting_pile: {{refill: {{from: kept_pile, keep: 1, on: empty}}}}
          kept_pile: {{}}
        define: {{put_away(c): {{effect: move c to chest}}}}
        flow:
          match:
            first dealer: P1
            setup: shuffle stock; deal 6 from stock to hand; call fill
            do: [play]
            winners: none
          fill:
            effect: |
              move 1 from stock to left_pile; move 1 from stock to right_pile; move 3 from stock to far_pile
              move 1 from stock to kept_pile
          play:
            kind: turn
            turns: 4
            actions:
              wait: {{}}
              go: {{choose: {{{choose}}}, effect: "{effect}"}}
        """
    return load(folder, text)


def lying(state: interpreter.State) -> Sequence[int]:
    return sorted(card for kept in state.position.z for card in as_tuple(kept))


@pytest.mark.parametrize("log", [True, False])
@pytest.mark.parametrize(("choose", "effect"), EFFECTS)
def test_each_card_lies_in_one_place_whatever_moves_it_twice(tmp_path, choose, effect, log):
    game = ruleset(tmp_path, choose, effect).game()
    state = game.start(seed=4, log=log)
    for at in (7, 3, 11, 0):
        offered = state.legal_moves(state.actors[0])
        state.play(state.actors[0], offered[at % len(offered)])
        assert lying(state) == list(range(len(game.program.cards)))
    game.playouts(3, seed=1)


def test_the_log_says_from_where_a_card_goes_the_second_time(tmp_path):
    state = ruleset(tmp_path, *EFFECTS[0]).game().start(seed=4)
    told = [str(event).strip() for event in state.play(0, state.legal_moves(0)[1])]
    assert [line.split(" ", 1)[1] for line in told[1:]] == ["hand P1 -> chest P1", "chest P1 -> heap"]


PLAYED = """
    format: 1
    id: played
    name: Played
    players: {min: 2, max: 2}
    pack: {standard: 1, only: "7..A"}
    zones:
      stock: {pack: true, seen by: none}
      hand: {each: player, seen by: owner}
      trick: {seen by: everyone}
      taken: {each: player, seen by: none}
      heap: {seen by: everyone}
    cards: {else: {effect: move card to heap}}
    flow:
      match: {first dealer: P1, setup: shuffle stock; deal 4 from stock to hand, do: [tricks], winners: none}
      tricks:
        kind: trick
        leader: P1
        actions: {play: {row: card, effect: move card to taken; move card to trick}}
        on trick: move all from trick to taken of winner
    """


def test_a_card_that_was_played_lies_in_the_trick(tmp_path):
    state = load(tmp_path, PLAYED).game().start(seed=1)
    while not state.over:
        state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
        assert lying(state) == list(range(32))
    assert len(state.zone("heap")) == 8
