"""Random play in bulk is the same as random play step by step, only faster."""

from __future__ import annotations

import gc
import random
from pathlib import Path

import pytest
from walks import SHIPPED, Setting, ruleset, stepwise
from where import TESTS

import interpreter
from interpreter import Game, Playouts


def counts_of(name: str) -> tuple[int, ...]:
    return ruleset(name).players.counts


FEW = [
    *(Setting(name, "strict", players) for name in SHIPPED for players in (3, 4, 5) if players in counts_of(name)),
    *(Setting(name, "honor") for name in SHIPPED),
]
"""On honour nothing is played in one loop, so one number of players is enough."""


def game_of(setting: Setting) -> Game:
    game = setting.game()
    assert game is not None
    return game


@pytest.mark.parametrize("setting", FEW, ids=str)
def test_a_match_in_bulk_is_the_match_step_by_step(setting):
    game = game_of(setting)
    assert game.playouts(2, seed=5, limit=700) == stepwise(game, 2, seed=5, limit=700)


@pytest.mark.parametrize(
    "setting", [Setting("hearts"), Setting("hearts", "honor"), Setting("hearts", "strict", 5)], ids=str
)
@pytest.mark.parametrize("deals", [1, 2, 3])
def test_halted_after_some_deals(setting, deals):
    game = game_of(setting)
    found = game.playouts(4, seed=1, deals=deals)
    told = stepwise(game, 4, seed=1, deals=deals)
    assert (found.decisions, found.scores) == (told.decisions, told.scores)
    assert found.unfinished == 4 and found.wins == (0,) * game.players
    assert all(sum(scores) % 26 == 0 and sum(scores) >= 26 * deals for scores in found.scores)


def test_a_match_that_ends_within_the_deals_is_finished():
    game = game_of(Setting("hearts", options=(("target", 1),)))
    found = game.playouts(5, seed=1, deals=1)
    assert found.unfinished in range(6)
    assert sum(found.wins) >= 5 - found.unfinished
    assert game.playouts(5, seed=1, deals=100).unfinished == 0


@pytest.mark.parametrize("limit", [0, 1, 2, 5, 17, 56, 57, 100])
def test_the_limit_counts_decisions_to_the_last(limit):
    game = game_of(Setting("hearts"))
    found = game.playouts(3, seed=2, limit=limit)
    assert found.decisions == (limit,) * 3
    assert found.unfinished == 3 and found.wins == (0, 0, 0, 0)
    assert found == stepwise(game, 3, seed=2, limit=limit)


def test_whole_matches_are_counted():
    found = game_of(Setting("hearts")).playouts(20, seed=3)
    assert found.games == len(found.decisions) == len(found.scores) == 20
    assert found.unfinished == 0
    assert sum(found.wins) >= 20
    assert all(max(scores) >= 100 for scores in found.scores)


def test_matches_of_a_series_are_different_and_do_not_depend_on_how_many_there_are():
    game = game_of(Setting("hearts"))
    many = game.playouts(10, seed=4)
    few = game.playouts(4, seed=4)
    assert many.decisions[:4] == few.decisions and many.scores[:4] == few.scores
    assert len(set(many.scores)) > 5
    assert game.playouts(4, seed=5).scores != few.scores
    assert game.playouts(0, seed=5) == Playouts(0, 0, (), (), (0, 0, 0, 0))


@pytest.mark.parametrize("name", SHIPPED)
def test_the_global_generator_is_neither_used_nor_needed(name):
    game = game_of(Setting(name))
    results = []
    for disturbance in (1, 2):
        random.seed(disturbance)
        before = random.getstate()
        results.append(game.playouts(3, seed=6, limit=300))
        assert random.getstate() == before
    assert results[0] == results[1]


def test_the_garbage_collector_is_left_as_it_was():
    game = game_of(Setting("hearts"))
    assert gc.isenabled()
    game.playouts(1, seed=1, deals=1)
    assert gc.isenabled()
    gc.disable()
    try:
        game.playouts(1, seed=1, deals=1)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_who_takes_no_part_in_tricks_is_passed_over_step_by_step_as_in_bulk(tmp_path):
    path = tmp_path / "resting.yaml"
    path.write_text(
        "format: 1\nid: resting\nextends: hearts\noptions: {pass_count: {default: 0}}\n"
        "flow: {tricks: {players: p where p != dealer, lead: {must: {opening: null}}}}\n"
    )
    game = interpreter.load(path).game()
    assert game.program.stages[game.program.by_stage["tricks"]].playout is not None
    assert game.playouts(2, seed=3, limit=100) == stepwise(game, 2, seed=3, limit=100)
    state = game.start(seed=3)
    for _ in range(3):
        assert state.actors != [state.position.dealer]
        state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    assert state.position.trick_number == 2


def test_what_it_takes_to_list_moves_is_counted_for_each_decision_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "many.yaml"
    path.write_text(
        """
format: 1
id: many
name: Many
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
flow:
  match: {setup: deal 10 from stock to hand, do: [offering]}
  offering:
    kind: turn
    turns: 100
    actions:
      offer: {choose: {mine: {from: hand}, r: {ranks: all}, s: {suits: all}, n: {number: "1..8"}}}
""".lstrip(),
        encoding="utf-8",
    )
    assert interpreter.load(path).game().playouts(1, seed=1).decisions == (100,)


def test_a_law_for_the_lead_may_ask_for_the_suit_led_in_bulk(tmp_path: Path) -> None:
    base = (TESTS / "mistakes/base.yaml").read_text(encoding="utf-8")
    (tmp_path / "base.yaml").write_text(base, encoding="utf-8")
    law = "card.suit != led or void in led"
    overlay = f"format: 1\nid: asked\nextends: base.yaml\nflow: {{tricks: {{lead: {{must: {{suit: {law}}}}}}}}}\n"
    (tmp_path / "asked.yaml").write_text(overlay, encoding="utf-8")
    assert interpreter.load(tmp_path / "asked.yaml").game().playouts(2, seed=1, limit=25).decisions == (25, 25)
