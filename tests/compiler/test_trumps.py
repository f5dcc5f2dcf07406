"""Trumps that are no suit: who takes a trick is the same in bulk, move by move, and worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from walks import stepwise

from interpreter.api.game import load
from interpreter.api.validation import validate

TRICKS = """\
format: 1
id: jacks
name: Jacks
players: {min: 3, max: 3}
pack: {standard: 1, only: 7..A}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, trick: {seen by: everyone}}
state: {score: {each: player, type: integer, lasts: match}}
values: {high: {JC: 24, JS: 23, JH: 22, JD: 21, 10: 13, else: 0}}
define:
  is_trump(card): card is J or card.suit = hearts
  height(card): if high of card > 0 then high of card else place of card.rank
flow:
  match: {do: [deal], winners: highest score}
  deal: {setup: "shuffle stock; deal 10 from stock to hand", do: [tricks]}
  tricks:
    kind: trick
    leader: P1
    trump when: is_trump(card)
    rank: height(card)
    follow: {must: {follow: (if is_trump(card) then none else card.suit) = led or void in led}}
    on trick: add 1 to score of winner
"""


def suit(card: str) -> str:
    return "T" if card[:-1] == "J" or card[-1] == "H" else card[-1]


def power(card: str) -> int:
    jacks = ["JD", "JH", "JS", "JC"]
    if card in jacks:
        return 21 + jacks.index(card)
    return 13 if card[:-1] == "10" else {"7": 6, "8": 7, "9": 8, "Q": 11, "K": 12, "A": 13}[card[:-1]]


@pytest.fixture
def ruleset(tmp_path: Path) -> Path:
    (tmp_path / "jacks.yaml").write_text(TRICKS)
    assert validate(tmp_path / "jacks.yaml") == []
    return tmp_path / "jacks.yaml"


def test_matches_in_bulk_and_move_by_move_are_the_same(ruleset: Path) -> None:
    game = load(ruleset).game()
    assert game.playouts(20, seed=3) == stepwise(game, 20, seed=3)


def test_the_highest_trump_takes_the_trick_or_the_highest_of_the_suit_led(ruleset: Path) -> None:
    game = load(ruleset).game()
    for seed in range(10):
        state, leader = game.start(seed=seed), 0
        while not state.over:
            trick: list[tuple[int, str]] = []
            while len(trick) < 3 and not state.over:
                player = state.actors[0]
                assert player == (leader + len(trick)) % 3
                hand = state.zone("hand", player)
                led = None if not trick else suit(trick[0][1])
                wanted = [card for card in hand if led in (None, suit(card))] or hand
                moves = state.legal_moves(player)
                assert sorted(map(str, moves)) == sorted(f"play {card}" for card in wanted)
                card = str(moves[(seed + len(trick)) % len(moves)]).split()[1]
                trick.append((player, card))
                state.play(player, f"play {card}")
            trumps = [pair for pair in trick if suit(pair[1]) == "T"]
            among = trumps or [pair for pair in trick if suit(pair[1]) == suit(trick[0][1])]
            leader = max(among, key=lambda pair: power(pair[1]))[0]
            if not state.over:
                assert state.actors[0] == leader
