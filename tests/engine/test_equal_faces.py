"""Of equal cards it is told only which they are: what is chosen, refused and replayed goes by their faces."""

from __future__ import annotations

from pathlib import Path

import pytest
from walks import ENFORCEMENTS

import interpreter
from interpreter import Game
from interpreter.api.playouts import matches
from interpreter.engine.chance import Dice
from interpreter.players.bot_matches import bot_matches
from interpreter.players.random_bot import RandomBot
from interpreter.players.realtime import Race, Speed

HEAD = """\
format: 1
id: twice
name: Twice
players: {min: 2, max: 2}
pack: {standard: 2}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, open: {}}
state: {score: {each: player, type: integer, lasts: match, max: 90}}
"""
NAMING = """\
flow:
  match: {setup: shuffle stock; deal 10 from stock to hand, repeat: play, until: number of play > 5}
  play:
    kind: turn
    first: P1
    turns: 4
    actions:
      name: {choose: {k: {kinds: FROM}}, effect: add place of k.rank to score}
"""
RACE = """\
flow:
  match: {setup: shuffle stock; deal 9 from stock to hand, repeat: play, until: number of play > 5}
  play:
    kind: race
    until: hand of P1 is empty
    actions:
      two: {choose: {cards: {from: hand, count: 2}}, effect: move cards to open}
"""
STILL = """\
flow:
  match: {setup: deal 2 from stock to hand, repeat: play, until: number of play > 5}
  play:
    kind: race
    players: p where hand of p is not empty
    actions: {lay: {choose: {card: {from: hand}}, effect: move card to open}}
"""


def game(folder: Path, flow: str, enforcement: str = "strict") -> Game:
    path = folder / "twice.yaml"
    path.write_text(HEAD + flow, encoding="utf-8")
    return interpreter.load(path).game(enforcement=enforcement)  # type: ignore[arg-type]


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
@pytest.mark.parametrize("source", ["hand", "stock", "pack", "all c in hand where c.suit = hearts"])
def test_a_name_of_equal_cards_is_the_same_offered_and_read(source: str, enforcement: str, tmp_path: Path) -> None:
    own = game(tmp_path, NAMING.replace("FROM", source), enforcement)
    for seed in range(12):
        state, dice = own.start(seed=seed), Dice(seed)
        for _ in range(6):
            player = state.actors[0]
            moves = state.legal_moves(player)
            if not len(moves):
                break
            move = moves[dice.below(len(moves))]
            assert state.parse(player, str(move)) == move
            try:
                state.play(player, move)
            except interpreter.RuleError:  # beyond 90 points: nothing has happened then
                pass
            assert interpreter.replay(state.record()).log == state.log
        assert own.restore(state.to_json()).log == state.log


def test_a_refusal_names_the_same_cards_again(tmp_path: Path) -> None:
    own = game(tmp_path, RACE)
    for seed in range(30):
        state = own.start(seed=seed)
        moves = list(state.legal_moves(0))
        other = next(move for move in moves[1:] if str(move).split()[1] == str(moves[0]).split()[1])
        state.play_together([(0, moves[0], {}), (0, other, {})])
        assert interpreter.replay(state.record()).log == state.log
        assert own.restore(state.to_json()).log == state.log
    assert "cannot be chosen" in str(state.log[-1])


@pytest.mark.parametrize("how", ["at random", "bots", "in time"])
def test_a_race_in_which_nobody_can_do_anything_is_told_at_its_place(how: str, tmp_path: Path) -> None:
    own = game(tmp_path, STILL)
    with pytest.raises(interpreter.RuleError, match="'play'"):
        if how == "in time":
            state = own.start(seed=1)
            Race(state, {p: (RandomBot(p + 1), Speed()) for p in range(2)}, 1).run(100)
        else:
            list(bot_matches(own, 1, 1, None, 100, "medium") if how == "bots" else matches(own, 1, 1, None, 100))
