"""The tree that thinking bots search: it finds what trials at random miss, and is the same in both lanes."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.api.game import Game
from interpreter.compiler.native.search_tree import CAPACITY, DEEPEST, FULL, USED, Tree
from interpreter.engine.chance import Dice
from interpreter.players.monte_carlo import EFFORT, Thought, new_bot

ANSWERS = """
format: 1
id: answers
name: Answers
players: {min: 2, max: 2}
pack: {standard: 1, only: [7]}
zones: {stock: {pack: true, seen by: none}}
state:
  score: {each: player, type: integer, lasts: match}
  asked: {type: integer, lasts: round}
flow:
  match: {repeat: round, until: any p in everyone has score of p >= 100, winners: highest score}
  round: {do: [question, answer]}
  question:
    kind: ask
    players: P1
    actions:
      ask: {choose: {n: {number: 0..3}}, effect: set asked to n}
  answer:
    kind: ask
    players: P2
    actions:
      guess:
        choose: {n: {number: 1..3}}
        effect: if asked = n then add 10 to score of P2 end; if asked > 0 and asked != n then add 8 to score of P1 end
"""
"""Of three answers to a question one is right, and anybody finds it: it is best to ask nothing. Trials without a tree
do not know what was asked; what has paid on average does not tell either, as every answer is right as often."""


def answers(folder: Path) -> Game:
    path = folder / "answers.yaml"
    path.write_text(ANSWERS, encoding="utf-8")
    return interpreter.load(path).game()


def asked(game: Game, seed: int, deepest: int) -> str:
    state = game.start(seed=1)
    return str(Thought(state, 0, state.legal_moves(0), Dice(seed), {}, EFFORT, deepest=deepest).best())


def test_the_tree_finds_the_answer_that_trials_without_it_miss(tmp_path: Path) -> None:
    game = answers(tmp_path)
    assert [asked(game, seed, DEEPEST) for seed in range(8)] == ["ask 0"] * 8
    assert "ask 0" not in [asked(game, seed, 0) for seed in range(8)]


def test_one_more_decision_is_enough_for_that(tmp_path: Path) -> None:
    assert [asked(answers(tmp_path), seed, 1) for seed in range(8)] == ["ask 0"] * 8


class Often:
    """What is known of a move from elsewhere."""

    def __init__(self, times: int, mean: float) -> None:
        self.times, self.mean = times, mean


def tried(tree: Tree, key: int, at: int, gain: float, keys: tuple[int, ...] = (5, 6, 7)) -> None:
    """A trial in which the other player answers a move with one of those that are lawful in its world."""
    tree.begin(key)
    nodes = tree.reach(1, keys)
    tree.fresh(nodes, [None] * len(keys))
    tree.take(1, nodes[at])
    tree.learn([-gain, gain], 0, 0)


def test_moves_that_were_never_made_come_first_then_what_has_paid() -> None:
    tree = Tree()
    for at, gain in ((0, 1.0), (2, 5.0)):
        tried(tree, 3, at, gain)
    tree.begin(3)
    nodes = tree.reach(1, (5, 6, 7))
    assert tree.fresh(nodes, [None] * 3) == [1]
    tried(tree, 3, 1, -4.0)
    tree.begin(3)
    assert tree.fresh(nodes, [None] * 3) == [] and tree.best(nodes, [None] * 3) == 2
    tree.begin(4)  # after another move nothing is known of them
    assert tree.fresh(tree.reach(1, (5, 6, 7)), [None] * 3) == [0, 1, 2]


def test_a_bound_grows_with_the_worlds_in_which_a_move_was_lawful() -> None:
    """Of two moves that brought the same, equally often, that is made which could have been made more often."""
    tree = Tree()
    for at, keys in ((0, (5, 6)), (1, (5, 6)), (0, (8, 6)), (0, (8, 6)), (0, (8, 6))):
        tried(tree, 3, at, 1.0, keys)
    tree.begin(3)
    nodes = tree.reach(1, (5, 6))
    assert not tree.fresh(nodes, [None, None]) and tree.best(nodes, [None, None]) == 1


def test_habits_stand_for_trials_of_moves_that_were_never_made() -> None:
    tree = Tree()
    tree.begin(3)
    nodes, habits = tree.reach(1, (5, 6, 7)), [Often(9, 1.0), Often(9, 2.0), Often(0, 0.0)]
    assert tree.fresh(nodes, habits) == [2]  # of which nothing was ever learnt
    habits[2] = Often(1, -1.0)
    assert tree.fresh(nodes, habits) == [] and tree.best(nodes, habits) == 1


def test_a_trial_leaves_the_tree_with_the_node_that_it_adds() -> None:
    tree = Tree()
    tree.begin(3)
    assert tree.climbs
    tree.take(1, tree.reach(1, (5,))[0])
    assert not tree.climbs
    tree.learn([0.0, 0.0], 0, 0)
    tree.begin(3)
    tree.take(1, tree.reach(1, (5,))[0])
    assert tree.climbs
    tree.leave()
    assert not tree.climbs
    tree.begin(None)
    assert not tree.climbs


def test_a_tree_keeps_its_nodes_when_it_grows() -> None:
    tree = Tree()
    for number in range(600):
        tried(tree, 3, 0, float(number), (number + 10,))
    assert tree.words[USED] == 600 and tree.words[CAPACITY] > FULL * 600
    for number in range(600):
        tree.begin(3)
        nodes = tree.reach(1, (number + 10, 9))
        assert tree.fresh(nodes, [None, None]) == [1]


@pytest.mark.parametrize("won", [1, 2])
def test_who_wins_the_match_gains_more_than_any_deal_brings(won: int) -> None:
    tree = Tree()
    for at, gain in ((0, -1.0), (1, 1.0)):
        tried(tree, 3, at, gain)
    for _ in range(4):
        tree.begin(3)
        nodes = tree.reach(1, (5, 6))
        tree.take(1, nodes[0])
        tree.learn([0.0, 0.0], won, 0)
    assert tree.best(nodes, [None, None]) == (1 if won == 1 else 0)


@pytest.mark.parametrize("name", ["spit", "dutch-blitz"])
def test_races_are_tried_without_a_tree(name: str) -> None:
    state = interpreter.load(name).game().start(seed=1)
    player = state.actors[0]
    thought = Thought(state, player, state.legal_moves(player), Dice(1), {}, 4)
    assert thought.ranking() and not thought.walk.tree.words[USED]


def test_melds_of_card_rows_are_known_in_a_tree_too() -> None:
    """A row of a card asks for melds besides the card itself."""
    game = interpreter.load(Path(__file__).parents[1] / "payloads" / "hosts" / "melds.yaml").game()
    for seed in range(3):
        state = game.start(seed=seed)
        bot = new_bot("medium", seed)
        for _ in range(6):
            if state.over:
                break
            player = state.actors[0]
            move = bot.choose(state, player)
            assert move is not None
            state.play(player, move)
