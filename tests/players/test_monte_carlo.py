"""Bots that think: what they manage, what they must not look at, and that they come to an end."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import interpreter
from interpreter.api.game import Game, State
from interpreter.engine import legal
from interpreter.engine.chance import Dice, derive, shuffle
from interpreter.engine.moves import Move
from interpreter.players.bot_matches import bot_matches
from interpreter.players.determinization import Worlds
from interpreter.players.monte_carlo import (
    EFFORT,
    EFFORTS,
    LOOKED_AT,
    MOST_ROUND,
    MOST_SPENT,
    MOST_STEPS,
    RACERS,
    SKILLS,
    ThinkingBot,
    Thought,
    new_bot,
)
from interpreter.players.random_bot import RandomBot


def match(game: Game, bots: Sequence[RandomBot], seed: int, most: int = 5_000) -> State:
    """A match between bots; not finished if they make `most` moves."""
    state = game.start(seed=seed)
    for _ in range(most):
        if state.over:
            break
        player = state.actors[0]
        move = bots[player].choose(state, player)
        assert move is not None
        state.play(player, move, **bots[player].measures(state, player, move))
    return state


def thinkers(game: Game, effort: int, seed: int = 0) -> list[RandomBot]:
    return [ThinkingBot(derive(seed, player), effort) for player in range(game.players)]


def deals(state: State) -> int:
    return state.position.runs[state.game.program.by_stage["deal"]]


@pytest.mark.parametrize(
    ("name", "options", "effort"),
    [("hearts", {}, 8), ("setback", {}, 16), ("spades", {"target": 100}, 8)],
    ids=["hearts", "setback", "spades"],
)
def test_whole_matches_end(name, options, effort):
    game = interpreter.load(name).game(options=options)
    state = match(game, thinkers(game, effort), seed=1)
    assert state.over and deals(state) <= 25


def test_equal_seeds_give_equal_matches():
    game = interpreter.load("setback").game(options={"target_score": 7})
    first, again, other = (match(game, thinkers(game, 12, seed), seed=2).record() for seed in (5, 5, 6))
    assert first == again != other


def test_bids_are_near_what_is_taken():
    game = interpreter.load("spades").game()
    bots = thinkers(game, 20)
    bids: list[int] = []
    for seed in range(3):
        state = game.start(seed=seed)
        while state.phase == "bidding":
            player = state.actors[0]
            move = bots[player].choose(state, player)
            assert move is not None
            if move.action == "bid":
                bids.append(move.args[0])
            state.play(player, move)
    assert abs(sum(bids) / len(bids) - 13 / 4) < 1.25


@pytest.mark.parametrize(
    ("hand", "calls"),
    [
        ("AS KS QS JS 10S 2S", {"bid 3", "bid 4"}),
        ("3C 4D 5H 6C 7D 8H", {"pass"}),
    ],
    ids=["strong", "weak"],
)
def test_strong_hands_bid_and_weak_ones_pass(hand, calls):
    game = interpreter.load("setback").game()
    said = []
    for seed in range(4):
        own, rest = hand.split(), [card for card in game.program.cards if card not in hand.split()]
        shuffle(Dice(seed), rest)
        deck = [*own[:3], *rest[:9], *own[3:], *rest[9:]]
        state = game.start(seed=seed, chance={"first dealer": "P4", "shuffle": {"deal": deck}})
        said.append(str(ThinkingBot(seed).choose(state, 0)))
    assert sum(call in calls for call in said) >= 3


def test_thinking_pairs_beat_random_pairs():
    game = interpreter.load("setback").game(options={"target_score": 11})
    won = 0
    for seed in range(10):
        mine = seed % 2
        bots = [ThinkingBot(seed, 16) if player % 2 == mine else RandomBot(seed + player) for player in range(4)]
        won += mine in match(game, bots, seed).winners
    assert won >= 9  # by chance alone this happens once in a hundred times


def test_a_thinking_player_beats_random_ones():
    game = interpreter.load("hearts").game(options={"target": 50})
    won = 0
    for seed in range(8):
        mine = seed % 4
        bots = [ThinkingBot(seed, 40) if player == mine else RandomBot(seed + player) for player in range(4)]
        won += mine in match(game, bots, seed).winners
    assert won >= 6  # by chance alone this happens once in two hundred times


@pytest.mark.parametrize(
    "name",
    ["hearts", "setback", "spades", "euchre", "yaniv"],
    ids=lambda name: getattr(name, "stem", name),
)
def test_a_move_does_not_depend_on_what_is_hidden(name):
    game = interpreter.load(name).game()
    state, dice = game.start(seed=8), Dice(8)
    compared = 0
    for number in range(60):
        if state.over:
            break
        player = state.actors[dice.below(len(state.actors))]
        moves = state.legal_moves(player)
        if number % 6 == 0 and len(moves) > 1:
            world = Worlds(state, player).world(Dice(number))
            world.position.log = state.log
            assert world.view(player) == state.view(player)
            assert ThinkingBot(3, 6).choose(world, player) == ThinkingBot(3, 6).choose(state, player)
            compared += 1
        state.play(player, moves[dice.below(len(moves))])
    assert compared >= 3


def test_a_decision_changes_nothing():
    state = interpreter.load("setback").game().start(seed=4)
    before = state.to_json()
    ThinkingBot(1).choose(state, state.actors[0])
    assert state.to_json() == before


@pytest.mark.parametrize("target", [1000, 2], ids=["the match goes on", "the match ends"])
def test_a_trial_ends_with_its_deal_and_does_not_deal_the_next(target):
    state = interpreter.load("hearts").game(options={"target": target}).start(seed=4)
    thought = Thought(state, 0, state.legal_moves(0), Dice(1), {}, 10)
    world = thought.worlds.world(thought.dice)
    thought._play_on(world.position, Dice(2), [])
    assert deals(world) == thought.deals == 1
    assert world.position.draws == 0  # nothing has been shuffled
    assert world.over == (target == 2)
    assert sum(world.scores) in (26, 78)  # but what the deal has brought counts


def test_who_has_one_move_makes_it_without_thinking(monkeypatch):
    given = {"at": "tricks", "current": "P1", "hand": {"P1": "2C", "P2": "3C", "P3": "4C", "P4": "5C"}}
    state = interpreter.load("setback").game().start(given=given)
    monkeypatch.setattr(Thought, "best", None)
    assert str(ThinkingBot(1).choose(state, 0)) == "play 2C"
    assert ThinkingBot(1).choose(state, 1) is None


def test_a_trick_that_counts_is_taken():
    given = {
        "at": "tricks", "current": "P2", "trick number": 5, "bid": 3, "bidder": "P1", "trump": "spades",
        "high": "KS", "high_side": "T1", "low": "2S", "low_side": "T1",
        "hand": {"P1": "AH 3H", "P2": "10H 4D", "P3": "5H 6D", "P4": "7H 8D"}, "taken": {"T2": ["AC"]},
    }  # fmt: skip
    state = interpreter.load("setback").game().start(given=given)
    for move in ("P2 play 10H", "P3 play 5H", "P4 play 7H"):
        state.play(int(move[1]) - 1, move[3:])
    assert [str(ThinkingBot(seed).choose(state, 0)) for seed in range(5)] == ["play AH"] * 5


def test_choices_of_many_cards_are_thought_over_by_their_cards():
    given = {
        "at": "passing", "number": {"deal": 1},
        "hand": {"P1": "QS AS KS 2C 3C 4C 2D 3D 4D 2H 3H 5C 5D"}, "rest": "deal", "dealer": "P4",
    }  # fmt: skip
    state = interpreter.load("hearts").game().start(given=given)
    passed = [str(ThinkingBot(seed).choose(state, 0)) for seed in range(4)]
    assert sum(card in move for move in passed for card in ("QS", "AS", "KS")) >= 8


GIVING = """\
format: 1
id: giving
name: Giving
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, gone: {}}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {first dealer: P1, repeat: deal, until: number of deal = 3, winners: highest score}
  deal: {setup: "gather all to stock; shuffle stock; deal 26 from stock to hand", do: [giving], next dealer: left}
  giving:
    kind: turn
    first: left of dealer
    turns: 1 each
    actions:
"""
GIVE = "      give: {choose: {cards: {from: hand, count: 5}}, effect: move cards to gone; WORTH}\n"


def given_by_thinkers(path, actions: str, seeds: int) -> list[Move]:
    """What bots do in a ruleset of one decision each, with `actions`, of which there are very many moves."""
    path.write_text(GIVING + actions, encoding="utf-8")
    game, found = interpreter.load(path).game(), []
    for seed in range(seeds):
        state = game.start(seed=seed)
        player = state.actors[0]
        assert len(state.legal_moves(player)) > LOOKED_AT
        move = ThinkingBot(seed).choose(state, player)
        assert move is not None
        found.append(move)
    return found


def test_one_move_is_not_lost_among_very_many_of_another_action(tmp_path):
    actions = "      keep: {effect: add 9 to score}\n" + GIVE.replace("WORTH", "subtract 9 from score")
    assert [str(move) for move in given_by_thinkers(tmp_path / "giving.yaml", actions, 4)] == ["keep"] * 4


def test_few_cards_are_not_lost_among_the_choices_of_many(tmp_path):
    actions = GIVE.replace("count: 5", "count: 1..6").replace("WORTH", "subtract 9 * count of cards from score")
    assert [len(move.args[0]) for move in given_by_thinkers(tmp_path / "giving.yaml", actions, 4)] == [1] * 4


def test_of_very_many_choices_the_best_cards_are_chosen_together(tmp_path):
    worth = "add sum place of c.rank for c in cards to score"
    actions = GIVE.replace("count: 5", "count: 8").replace("WORTH", worth)
    moves = given_by_thinkers(tmp_path / "giving.yaml", actions, 12)
    ranks = "2 3 4 5 6 7 8 9 10 J Q K A".split()
    worths = [sum(ranks.index(card[:-1]) + 1 for card in str(move).split()[1:]) for move in moves]
    assert sum(worths) / len(worths) > 81  # by chance 56, and what does best among 400 choices by chance is 78


def test_what_finding_moves_takes_is_bounded(tmp_path):
    """Each of the two has 6,760 moves that have to be listed, also in every trial of the other."""
    path = tmp_path / "giving.yaml"
    path.write_text(
        GIVING + "      point: {choose: {a: {from: hand}, b: {from: hand}, n: {number: 1..10}}}\n", encoding="utf-8"
    )
    state = interpreter.load(path).game().start(seed=1)
    player = state.actors[0]
    thought = Thought(state, player, state.legal_moves(player), Dice(1), {}, 1000)
    thought.best()
    assert MOST_SPENT <= thought.spent <= MOST_SPENT + 20_000_000
    assert thought.steps < 100


@pytest.mark.parametrize("name", ["dutch-blitz", "spit"])
def test_a_decision_is_bounded(name):
    state = interpreter.load(name).game().start(seed=1)
    player = state.actors[0]
    moves = state.legal_moves(player)
    thought = Thought(state, player, moves, Dice(1), {}, 50)
    thought.best()
    assert thought.steps <= MOST_STEPS + MOST_ROUND * len(moves)


@pytest.mark.parametrize("players", [4, 12])
def test_in_a_race_of_many_nobody_is_asked_more_often(players, monkeypatch):
    state = interpreter.load("bicycle-spoons").game(players=players).start(seed=1)
    while len(state.legal_moves(state.actors[0])) < 5:  # whoever has a card too many passes one on
        state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    asked: list[int] = []
    actors = legal.actors
    monkeypatch.setattr(legal, "actors", lambda s: asked.append(s.program.n) or actors(s))
    Thought(state, state.actors[0], state.legal_moves(state.actors[0]), Dice(1), {}, EFFORT).best()
    # first to become acquainted with the stage, and then for the move
    assert MOST_STEPS * 4 <= sum(asked) <= 2 * MOST_STEPS * RACERS + 20 * MOST_ROUND * players


def test_a_simulation_with_bots_that_think():
    game = interpreter.load("setback").game(players=2, options={"target_score": 7})
    played = list(bot_matches(game, 2, 3, None, 5_000, "thinking"))
    assert all(one.over and one.winners and max(one.scores) >= 7 for one in played)
    assert played == list(bot_matches(game, 2, 3, None, 5_000, "thinking"))
    short = list(bot_matches(game, 1, 3, 1, 5_000, "random"))
    assert not short[0].over and short[0].decisions < 40


def test_bots_by_their_skill():
    kinds = {
        "easy": RandomBot,
        "medium": ThinkingBot,
        "hard": ThinkingBot,
        "random": RandomBot,
        "thinking": ThinkingBot,
    }
    assert {skill: type(new_bot(skill, 1)) for skill in SKILLS} == kinds


def test_a_harder_level_tries_more_out():
    state = interpreter.load("hearts").game().start(seed=3)
    assert 0 == EFFORTS["easy"] < EFFORTS["medium"] < EFFORTS["hard"]
    assert new_bot("hard", 4).choose(state, 0) == new_bot("thinking", 4).choose(state, 0)


def test_a_bot_thinks_no_longer_than_it_may(monkeypatch):
    """The clock is set forward by a second with each look at it."""
    monkeypatch.setattr("interpreter.players.monte_carlo.monotonic", iter(range(1_000)).__next__)
    state = interpreter.load("hearts").game(options={"pass_count": 0}).start(seed=3)
    moves = state.legal_moves(state.actors[0])
    thought = Thought(state, state.actors[0], moves, Dice(1), {}, 60, seconds=1.5)
    assert len(thought.ranking()) == len(moves)
    assert thought.steps <= 3 * MOST_ROUND * len(moves)


def test_a_trial_ends_when_the_time_is_up(monkeypatch):
    """The clock goes by a second with each move that is tried: rules may take long for one."""
    thoughts: list[Thought] = []
    monkeypatch.setattr("interpreter.players.monte_carlo.monotonic", lambda: sum(each.steps for each in thoughts))
    state = interpreter.load("crazy-eights").game(enforcement="honor").start(seed=3)
    moves = state.legal_moves(state.actors[0])
    thoughts.append(Thought(state, state.actors[0], moves, Dice(1), {}, 60, seconds=5))
    assert len(thoughts[0].ranking()) == len(moves)
    assert thoughts[0].steps <= 7


def test_moves_are_ranked_with_what_their_trials_have_brought():
    state = interpreter.load("hearts").game(options={"pass_count": 0}).start(seed=5)
    while len(state.legal_moves(state.actors[0])) < 3:
        state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    player = state.actors[0]
    ranked = Thought(state, player, state.legal_moves(player), Dice(1), {}, 60).ranking()
    assert {rated.move for rated in ranked} == set(state.legal_moves(player))
    assert ranked[0].gain is not None and len(ranked[0].outcomes) >= len(ranked[-1].outcomes) > 0


SHIFTING = """
format: 1
id: shifting
name: Shifting
players: {min: 2, max: 2}
pack: {standard: 1, only: [7]}
zones:
  stock: {pack: true, seen by: none}
  space: {each: [player, 1..3], seen by: everyone}
  away: {seen by: everyone}
flow:
  match:
    setup: move 1 from stock to space of (P1, 1); move 1 from stock to space of (P1, 2)
    do: [run]
    winners: none
  run:
    kind: race
    until: count of away = 2
    actions:
      shift:
        choose:
          source: {zones: space of actor, where: source is not empty}
          target: {zones: space of actor, where: target is empty}
        effect: move top of source to target
      finish: {when: "space of (actor, 3) is not empty", effect: "move all from space of (actor, 3) to away"}
"""


def test_in_a_race_a_bot_moves_nothing_to_and_fro(tmp_path):
    path = tmp_path / "shifting.yaml"
    path.write_text(SHIFTING, encoding="utf-8")
    for seed in range(6):
        state = interpreter.load(path).game().start(seed=1)
        bot, tables = ThinkingBot(seed, effort=4), [str(state.position.z)]
        while not state.over and len(tables) < 8:
            move = bot.choose(state, 0)
            assert move is not None
            state.play(0, move)
            tables.append(str(state.position.z))
        assert len(set(tables[:5])) == len(tables[:5]), seed


def test_in_a_race_a_bot_does_not_go_through_all_orders_of_its_cards(tmp_path):
    path = tmp_path / "shifting.yaml"
    finish = 'finish: {when: "space of (actor, 3) is not empty", effect: "move all from space of (actor, 3) to away"}'
    assert finish in SHIFTING
    give_up = "give_up: {effect: move all from stock to away}"
    text = SHIFTING.replace(finish, give_up).replace("until: count of away = 2", "until: count of away > 0")
    path.write_text(text, encoding="utf-8")
    for seed in range(6):
        state = interpreter.load(path).game().start(seed=1)
        assert str(ThinkingBot(seed, effort=4).choose(state, 0)) == "give_up"
