"""Suits and cards of one's own are called as the ruleset calls them, whatever letters and names they have."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

import interpreter
from interpreter.api.game import Game
from interpreter.interfaces.fullscreen.faces import Faces
from interpreter.interfaces.terminal.screen import Screen
from interpreter.rulebook.book import texts
from interpreter.rulebook.chapters import book
from interpreter.words.voice import Voice

LATIN = """\
format: 1
id: latin
name: Latin
players: {min: 2, max: 2}
pack: {standard: 1}
ranks: [A, 2..7, J, Q, K]
suits:
  coins: {letter: D, colour: red}
  cups: {letter: C, colour: red}
  swords: {letter: S, colour: black}
  hearts: {letter: H, colour: black}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, board: {seen by: everyone}}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {setup: deal 3 from stock to hand; move 4 from stock to board, do: [playing, count], winners: highest score}
  playing:
    kind: turn
    first: P1
    turns: 1 each
    actions:
      take:
        tell: "{actor} {verb: take} {cards} with {played}"
        choose: {played: {from: hand}, cards: {from: board, count: 1..2}}
        effect: move (played, cards) to stock
  count: {effect: for p in players do if 7D in hand of p and JH in hand of p then add 1 to score of p end end}
"""


@pytest.fixture
def latin(tmp_path: Path) -> Game:
    (tmp_path / "latin.yaml").write_text(LATIN, "utf-8")
    return interpreter.load(tmp_path / "latin.yaml").game()


def test_no_suit_is_shown_as_another_that_has_its_letter(latin: Game) -> None:
    screen = Screen(Console(file=io.StringIO(), force_terminal=False), latin)
    screen._symbols = True
    assert screen.styled("7D, KC, JS and QH").plain == "7D, KC, JS and Q♥"
    assert Faces(latin).styled("7D, KC, JS and QH").plain == "7D, KC, JS and Q♥"
    hearts = interpreter.load("hearts").game()
    assert Faces(hearts).styled("7D, KC, JS and QH").plain == "7♦, K♣, J♠ and Q♥"


def test_a_rulebook_calls_no_suit_by_the_name_of_another(latin: Game) -> None:
    told = " ".join(texts(book(latin).sections))
    assert "7D" in told and "diamonds" not in told and "jack of hearts" in told


def test_cards_that_are_chosen_beside_others_are_told_by_their_own_name(latin: Game) -> None:
    state = latin.start(seed=1)
    move = next(move for move in state.legal_moves(0) if len(move.args[1]) == 2)
    played, *taken = str(move).split()[1:]
    lines = [line.text for line in Voice(state.position, ["Anna", "Ben"]).told(0, state.play(0, move))]
    assert lines[0].replace("♥", "H") == f"You take {taken[0]} and {taken[1]} with {played}."


def test_what_a_card_counts_as_is_not_told_of_one_that_is_called_by_its_position(tmp_path: Path) -> None:
    """Nor of another card whose number that happens to be."""
    path, refusals = tmp_path / "unseen.yaml", set()
    path.write_text(
        "format: 1\nid: unseen\nname: Unseen\nextends: spades\n"
        "zones: {hand: {seen by: all p in everyone where p != owner}}\n",
        encoding="utf-8",
    )
    game = interpreter.load(path).game()
    for seed in range(6):
        state = game.start(seed=seed)
        for made in range(40):
            player = state.actors[0]
            for typed in ("play 1", "play 2", "play 3"):
                try:
                    state.copy().play(player, typed)
                except interpreter.IllegalMove as refused:
                    refusals.add(Voice(state.position).refusal(player, refused))
            moves = state.legal_moves(player)
            state.play(player, moves[made * 5 % len(moves)])
    assert refusals and not any("counts as" in refusal for refusal in refusals)
