"""Tricks to which everybody plays several cards at once: the highest single card takes it, whoever played it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from walks import stepwise

import interpreter
from interpreter.api.game import load
from interpreter.api.validation import validate

PAIRS = """\
format: 1
id: pairs
name: Pairs
players: {min: 3, max: 4}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, trick: {seen by: everyone}}
state: {score: {each: player, type: integer, lasts: match}, laid: {type: integer, lasts: match, seen by: everyone}}
define: {kept(p): count c in hand of p where c.suit = led}
flow:
  match: {do: [deal], winners: highest score}
  deal: {setup: "shuffle stock; deal 8 from stock to hand", do: [tricks]}
  tricks:
    kind: trick
    leader: P1
    actions: {play: {count: 2}}
    lead: {must: {one_suit: all c in cards have all d in cards have c.suit = d.suit}}
    follow: {must: {follow_suit: "(count c in cards where c.suit = led) = lesser(2, kept(actor))"}}
    on card: add count of cards to laid
    on trick: add 1 to score of winner
"""


@pytest.fixture
def ruleset(tmp_path: Path) -> Path:
    (tmp_path / "pairs.yaml").write_text(PAIRS)
    assert validate(tmp_path / "pairs.yaml") == []
    return tmp_path / "pairs.yaml"


def test_matches_in_bulk_and_move_by_move_are_the_same(tmp_path: Path) -> None:
    free = PAIRS.replace("    lead: {must: {one_suit: all c in cards have all d in cards have c.suit = d.suit}}\n", "")
    (tmp_path / "pairs.yaml").write_text(free)
    game = load(tmp_path / "pairs.yaml").game()
    assert game.playouts(6, seed=3) == stepwise(game, 6, seed=3)


def test_the_highest_card_of_the_suit_led_takes_the_trick_of_all_cards(ruleset: Path) -> None:
    order = "2 3 4 5 6 7 8 9 10 J Q K A".split()
    for seed in range(4):
        state, draw, leader, scores = load(ruleset).game().start(seed=seed), random.Random(seed), 0, [0, 0, 0]
        while not state.over:
            trick: list[tuple[int, str]] = []
            for at in range(3):
                player = state.actors[0]
                assert player == (leader + at) % 3
                moves = [str(move) for move in state.legal_moves(player)]
                if not moves:  # no two of one suit are left to lead
                    return
                hand = state.zone("hand", player)
                led = trick[0][1][-1] if trick else ""
                held = sum(card[-1] == led for card in hand)
                assert all(sum(card[-1] == led for card in move.split()[1:]) == min(2, held) for move in moves if led)
                move = draw.choice(moves)
                trick += [(player, card) for card in move.split()[1:]]
                state.play(player, move)
            led = trick[0][1][-1]
            leader, _ = max((pair for pair in trick if pair[1][-1] == led), key=lambda pair: order.index(pair[1][:-1]))
            scores[leader] += 1
            assert list(state.scores) == scores and state.value("laid") == 6 * sum(scores)
        assert interpreter.replay(state.record()).scores == state.scores
