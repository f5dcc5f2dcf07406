"""What bots try as machine code is what they try in Python: the same worlds, the same outcomes, the same moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import interpreter
from interpreter.api import native_lane, native_trials
from interpreter.api.game import Game, State
from interpreter.api.native_trials import TrialLane, trial_lane
from interpreter.compiler.native.attempts import Attempts, Tried
from interpreter.compiler.native.habit_book import Book
from interpreter.compiler.native.search_tree import CHANCES, ENTRY, MEAN, TABLE, VISITS, Tree
from interpreter.engine.chance import Dice, derive
from interpreter.players import monte_carlo
from interpreter.players.compiled_trials import CompiledTrials
from interpreter.players.monte_carlo import EFFORT, Thought, new_bot

TRICKS = ("euchre", "hearts", "setback", "spades")
"""Shipped games of tricks, of which trials are machine code."""


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Machine code is kept for these tests alone, and used from the first decision on."""
    monkeypatch.setattr(native_lane, "kept_in", lambda: tmp_path_factory.getbasetemp() / "native")
    monkeypatch.setenv(native_lane.SWITCH, "1")


def game(name: str) -> Game:
    found = interpreter.load(name).game()
    found.program.native = None  # programs are kept from test to test
    return found


def decisions(own: Game, seed: int, number: int) -> list[State]:
    """States of a match at random in which somebody has a choice of cards for a trick."""
    state, found = own.start(seed=seed), []
    bot = new_bot("easy", seed)
    while not state.over and len(found) < number:
        player = state.actors[0]
        if own.program.stages[state.position.stack[-1].stage].kind == "trick" and len(state.legal_moves(player)) > 1:
            found.append(state.copy())
        move = bot.choose(state, player)
        assert move is not None
        state.play(player, move)
    return found


def nodes(tree: Tree) -> dict[int, tuple[float, ...]]:
    """What a tree knows of its nodes, by their keys."""
    words, means = tree.words, tree.means
    return {
        words[at]: (words[at + VISITS], means[at + MEAN], words[at + CHANCES])
        for at in range(TABLE, len(words), ENTRY) if words[at]
    }  # fmt: skip


@pytest.mark.parametrize("name", TRICKS)
def test_trials_end_as_those_of_the_python_lane(name: str) -> None:
    own, made, reached = game(name), 0, 0
    for number, state in enumerate(decisions(own, 11, 40)):
        player = state.actors[0]
        moves = state.legal_moves(player)
        thoughts = [Thought(state, player, moves, Dice(derive(3, number)), {}, 60) for _ in range(2)]
        for thought in thoughts:
            for _ in range(number % 7):  # of the dice, some halves are drawn ahead
                thought.dice.below(5)
        one, two = thoughts
        assert one.compiled is not None
        for trials, replay in one.compiled.of(3, moves, one.dice):
            world, luck = two.worlds.world(two.dice), two.dice.below(1 << 32)
            again, same = replay.world()
            assert (again.position.z, again.position.v, same) == (world.position.z, world.position.v, luck)
            for move, trial in zip(moves, trials, strict=True):
                assert trial is not None
                assert one._outcome(trial) == two._try(world, move, Dice(luck))
                made += 1
        assert one.steps == two.steps
        assert nodes(one.walk.tree) == nodes(two.walk.tree)
        reached += len(nodes(one.walk.tree))
        assert one.dice.below(1 << 32) == two.dice.below(1 << 32)
    assert made > 100 and reached > 50


@pytest.mark.parametrize("name", TRICKS)
def test_worlds_are_dealt_by_machine_code_where_what_players_are_told_is_the_same_in_all(name: str) -> None:
    own = game(name)
    for state in decisions(own, 2, 20):
        player = state.actors[0]
        thought = Thought(state, player, state.legal_moves(player), Dice(1), {}, 60)
        assert thought.worlds.unknown() is not None


def chosen(own: Game, levels: Sequence[str], seed: int, number: int) -> list[str]:
    """The first decisions of bots in a match."""
    state, found = own.start(seed=seed), []
    bots = [new_bot(level, derive(seed, player)) for player, level in enumerate(levels)]
    while not state.over and len(found) < number:
        player = state.actors[0]
        move = bots[player].choose(state, player)
        assert move is not None
        found.append(str(move))
        state.play(player, move)
    return found


@pytest.mark.parametrize("name", TRICKS)
def test_the_same_seed_gives_the_same_decisions_in_both_lanes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = game(name)
    levels = ("medium", "hard") * 4
    native = chosen(own, levels[: own.players], 4, 70)
    lane = trial_lane(own)
    assert lane.built is not None and sum(made for made, _ in lane.stages.values()) > 100
    assert sum(again for _, again in lane.stages.values()) == 0
    monkeypatch.setenv(native_lane.SWITCH, "0")
    assert native == chosen(game(name), levels[: own.players], 4, 70)


real_tries = Attempts.tries


def stopped(
    self: Attempts, worlds: int, moves: Any, numbers: Any, dice: Any, seed: Any, learnt: Any, how: Any, words: int,
    first: int = 0, picks: bool = False,
) -> Tried:  # fmt: skip
    """Makes a world and stops at the first trial in it, of which nothing is learnt."""
    own = (Book(), Tree())
    found = real_tries(self, 1, moves[: first + 1], numbers, dice, seed, own, how, words, first, picks)
    assert found.done >= first
    return found._replace(done=first, stopped=True, rows=[*found.rows[:first], [1] * words])


def test_where_most_trials_of_a_stage_are_stopped_python_makes_all(monkeypatch: pytest.MonkeyPatch) -> None:
    own = game("setback")
    expected = chosen(own, ["hard"] * own.players, 6, 30)
    monkeypatch.setattr(Attempts, "tries", stopped)
    own = game("setback")
    assert chosen(own, ["hard"] * own.players, 6, 30) == expected
    lane = trial_lane(own)
    assert lane.stages and all(made == 0 for made, _ in lane.stages.values())
    most = native_trials.FIRST + 6 * EFFORT  # no decision is begun after those
    assert any(native_trials.FIRST < again <= most for _, again in lane.stages.values())


def test_trials_are_compiled_as_soon_as_python_has_taken_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(native_lane.SWITCH)
    own = game("setback")
    lane: TrialLane = trial_lane(own)
    assert lane.built is None and not lane.reason
    chosen(own, ["hard"] * own.players, 6, 12)
    assert lane.seconds > 0
    lane.seconds = native_trials.PATIENCE + 1
    assert trial_lane(own).built is not None


def test_trials_are_made_quickly_first_and_well_where_they_have_run_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_lane, "kept_in", lambda: None)
    own = game("setback")
    expected = chosen(own, ["hard"] * own.players, 6, 12)
    lane = trial_lane(own)
    assert lane.built is not None and lane.built.made.level == 0 and lane.spent > 0
    lane.spent = 2 * lane.built.made.size * native_lane.TO_IMPROVE / native_lane.GAIN
    assert chosen(own, ["hard"] * own.players, 6, 12) == expected
    assert lane.built.made.level == 1


def test_a_bot_that_people_wait_for_never_waits_for_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_trials, "_compile", lambda *how, **more: pytest.fail("it was compiled"))
    own = game("setback")
    found = 0
    for state in decisions(own, 2, 6):
        player = state.actors[0]
        bot = new_bot("hard", 1, seconds=0.05)
        assert bot.choose(state, player) is not None
        found += 1
        assert monte_carlo.advice(state, player, seconds=0.05)
    assert found == 6
    with pytest.raises(pytest.fail.Exception):
        new_bot("hard", 1).choose(state, player)


def test_without_llvmlite_bots_think_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_trials, "find_spec", lambda name: None)
    monkeypatch.setattr(native_trials, "PATIENCE", -1.0)
    monkeypatch.delenv(native_lane.SWITCH)
    own = game("setback")
    assert trial_lane(own).built is None and trial_lane(own).reason == "llvmlite is not installed"
    assert len(chosen(own, ["hard"] * own.players, 6, 12)) == 12


def test_trials_that_must_be_native_and_cannot_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_trials, "find_spec", lambda name: None)
    own = game("setback")
    with pytest.raises(native_lane.NativeError, match="llvmlite"):
        chosen(own, ["hard"] * own.players, 6, 12)


def test_other_moves_than_plays_to_tricks_are_machine_code_too() -> None:
    own = game("hearts")
    state = own.start(seed=3)
    player = state.actors[0]
    moves = state.legal_moves(player)
    thought = Thought(state, player, moves, Dice(1), {}, 60)
    assert isinstance(thought.compiled, CompiledTrials)
    found = [list(trials) for trials, _ in thought.compiled.of(2, moves[:2], thought.dice)]
    assert [len(trials) for trials in found] == [2, 2] and None not in found[0] + found[1]
