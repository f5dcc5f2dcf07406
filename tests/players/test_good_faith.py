"""On honour nobody is told what laws say of hidden cards: no bot plays by it, and no refusal or question tells it."""

from __future__ import annotations

from pathlib import Path

import pytest
from walks import SHIPPED

import interpreter
from interpreter import IllegalMove
from interpreter.api.game import Game, State
from interpreter.interfaces.terminal.menu import SeveralMeant, menu, understand
from interpreter.players import good_faith
from interpreter.players.good_faith import lawful_moves
from interpreter.players.monte_carlo import ThinkingBot, advice
from interpreter.players.random_bot import RandomBot
from interpreter.words.voice import Voice

RULES = """\
format: 1
id: honest
name: Honest
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  board: {seen by: everyone}
state: {score: {each: player, type: integer, lasts: match}}
honor: {claim: claim, during: match, penalty: add 1 to score of claimer}
flow:
  match:
    setup: shuffle stock; deal 6 from stock to hand
    do: [main]
  main:
    KIND
    actions:
      ACTIONS
"""
STEAL = """steal:
        choose: {card: {from: hand of left of actor}, s: {suits: all}}
        must: {told_right: s = card.suit}
        effect: stay"""
BETS = """red: {choose: {card: {from: hand}}, must: {is_red: (top of stock) is red}, effect: move card to board}
      black: {choose: {card: {from: hand}}, must: {is_black: (top of stock) is black}, effect: move card to board}"""
TOUCH = """lay:
        choose: {card: {from: hand}}
        must:
          no_clubs: card.suit != clubs
          guess: {law: card.colour = (top of stock).colour, fault: wrong_guess}
        effect: move card to board"""
SEEDS = range(20)


def game(folder: Path, actions: str, kind: str = "kind: turn") -> Game:
    path = folder / "honest.yaml"
    path.write_text(RULES.replace("ACTIONS", actions).replace("KIND", kind), encoding="utf-8")
    return interpreter.load(path).game(enforcement="honor")


def is_right(state: State, text: str) -> bool:
    """Whether the suit that is named is that of the card which is stolen."""
    _, position, suit = text.split()
    return state.zone("hand", 1)[int(position) - 1][-1] == suit[0].upper()


@pytest.mark.parametrize("effort", [0, 30])
def test_a_bot_does_not_know_what_a_law_says_of_a_card_that_it_does_not_see(effort: int, tmp_path: Path) -> None:
    rules = game(tmp_path, STEAL)
    right = 0
    for seed in SEEDS:
        state = rules.start(seed=seed)
        bot = ThinkingBot(seed, effort) if effort else RandomBot(seed)
        move = bot.choose(state, 0)
        assert move is not None
        right += is_right(state, str(move))
        state.play(0, move)
    assert 0 < right < len(SEEDS) * 3 // 4


def test_where_no_table_can_be_imagined_anything_is_taken_that_can_be_made_but_no_claim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(good_faith, "knows_course", lambda state: False)
    moves, are_lawful = lawful_moves(game(tmp_path, STEAL).start(seed=1), 0)
    assert not are_lawful and len(moves) == 6 * 4 and {move.action for move in moves} == {"steal"}


def test_who_can_list_nothing_else_moves_as_the_laws_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(good_faith, "knows_course", lambda state: False)
    monkeypatch.setattr(good_faith, "listable_moves", lambda s, player: [])
    state = game(tmp_path, STEAL).start(seed=1)
    assert RandomBot(1).choose(state, 0) in state.legal_moves(0)


def test_neither_does_who_gives_advice(tmp_path: Path) -> None:
    rules = game(tmp_path, STEAL)
    found = [(state, advice(state, 0, 0.1)[0].move) for state in (rules.start(seed=seed) for seed in SEEDS)]
    assert not all(is_right(state, str(move)) for state, move in found)


@pytest.mark.parametrize("name", SHIPPED)
def test_of_shipped_games_a_player_can_tell_what_is_lawful(name: str) -> None:
    state, bot = interpreter.load(name).game(enforcement="honor").start(seed=3), RandomBot(3)
    for _ in range(40):
        if state.over:
            break
        player = state.actors[0]
        moves, are_lawful = lawful_moves(state, player)
        assert are_lawful and list(moves) == list(state.legal_moves(player))
        move = bot.choose(state, player)
        assert move is not None
        state.play(player, move, **bot.measures(state, player, move))


@pytest.mark.parametrize("typed", ["99", "steal 1 7"])
def test_an_example_of_a_move_is_any_that_can_be_made(typed: str, tmp_path: Path) -> None:
    rules = game(tmp_path, STEAL)
    told = set()
    for seed in SEEDS:
        state = rules.start(seed=seed)
        with pytest.raises(IllegalMove) as refused:
            state.parse(0, typed)
        told.add(Voice(state.position).refusal(0, refused.value).partition("“steal")[2])
    assert len(told) == 1 and "" not in told


def test_which_one_is_asked_of_all_that_can_be_made(tmp_path: Path) -> None:
    rules = game(tmp_path, BETS)
    for seed in range(4):
        state = rules.start(seed=seed)
        with pytest.raises(SeveralMeant, match=r"red .* or 'black "):
            understand(state, 0, state.zone("hand", 0)[0], menu(state, 0))


def test_a_refused_touch_names_what_no_law_refuses(tmp_path: Path) -> None:
    rules = game(tmp_path, TOUCH, "kind: race\n    until: false")
    for seed in SEEDS:
        state = rules.start(seed=seed)
        clubs = [card for card in state.zone("hand", 0) if card.endswith("C")]
        if clubs:
            with pytest.raises(IllegalMove) as refused:
                state.play(0, f"lay {clubs[0]}")
            others = [f"lay {card}" for card in state.zone("hand", 0) if card not in clubs]
            assert set(refused.value.message.removeprefix("you may ").split(", ")) == set(others)
            assert not any(f": lay {card}" in Voice(state.position).refusal(0, refused.value) for card in others)
