"""Cards that are named: the choice tells nothing of where they lie, and equal cards are one."""

from __future__ import annotations

from pathlib import Path

from walks import stepwise

import interpreter
from interpreter.api.game import load
from interpreter.api.validation import validate

GUESSES = """\
format: 1
id: guesses
name: Guesses
players: {min: 2, max: 3}
pack: {standard: 2, only: 9..10, add: {priest: 3}}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {do: [play], setup: "shuffle stock; deal 3 from stock to hand", winners: highest score}
  play:
    kind: turn
    first: P1
    turns: 40
    actions:
      guess:
        choose: {k: {kinds: pack}, whom: {players: others}}
        effect: if any c in hand of whom has c is k then add 1 to score of actor end
"""


def test_each_name_is_offered_once_whoever_holds_the_card(tmp_path: Path) -> None:
    (tmp_path / "guesses.yaml").write_text(GUESSES)
    assert validate(tmp_path / "guesses.yaml") == []
    game = load(tmp_path / "guesses.yaml").game(players=2)
    names = [f"{rank}{suit}" for rank in ("9", "10") for suit in "CDHS"] + ["priest"]
    for seed in range(5):
        state = game.start(seed=seed)
        assert [str(move) for move in state.legal_moves(0)] == [f"guess {name} P2" for name in names]
        for name in names:
            tried = state.copy()
            tried.play(0, f"guess {name.lower()} P2")
            assert tried.scores == [name in state.zone("hand", 1), 0]
            assert interpreter.replay(tried.record()).scores == tried.scores


def test_matches_in_bulk_and_move_by_move_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "guesses.yaml").write_text(GUESSES)
    game = load(tmp_path / "guesses.yaml").game(players=3)
    assert game.playouts(10, seed=2) == stepwise(game, 10, seed=2)


def test_names_of_hidden_cards_are_warned_of(tmp_path: Path) -> None:
    (tmp_path / "guesses.yaml").write_text(GUESSES.replace("kinds: pack", "kinds: hand of left of actor"))
    assert [d.code for d in validate(tmp_path / "guesses.yaml")] == ["W603"]


def test_a_list_of_suits_says_which_there_are_and_in_which_order(tmp_path: Path) -> None:
    rules = GUESSES.replace("pack: {", "suits: [spades, hearts]\npack: {").replace("deal 3", "deal 2")
    (tmp_path / "guesses.yaml").write_text(rules)
    state = load(tmp_path / "guesses.yaml").game(players=2).start(seed=1)
    assert [str(move).split()[1] for move in state.legal_moves(0)] == ["9S", "9H", "10S", "10H", "priest"]
