"""Bots try any moves as machine code, bids and passed cards among them, just as in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.api import native_lane, native_trials
from interpreter.api.game import Game, State
from interpreter.api.native_trials import trial_lane
from interpreter.compiler.native import habit_book
from interpreter.compiler.native.attempts import Attempts, Tried
from interpreter.compiler.native.habit_book import ENTRY, KEY, MEAN, TABLE, TIMES, Book, key_of
from interpreter.engine.chance import Dice, derive
from interpreter.language.overlay.files import shipped
from interpreter.players import monte_carlo
from interpreter.players.monte_carlo import Thought, new_bot
from tests.native.test_trials import nodes


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Machine code is kept for these tests alone, and used from the first decision on."""
    monkeypatch.setattr(native_lane, "kept_in", lambda: tmp_path_factory.getbasetemp() / "native")
    monkeypatch.setenv(native_lane.SWITCH, "1")


def game(name: str) -> Game:
    found = interpreter.load(name).game()
    found.program.native = None  # programs are kept from test to test
    return found


def decisions(own: Game, seed: int, number: int) -> Iterator[tuple[State, int]]:
    """States of a match at random, and who decides, where there are several moves."""
    state, dice, bot = own.start(seed=seed), Dice(seed), new_bot("easy", seed)
    found = 0
    while not state.over and found < number:
        player = state.actors[dice.below(len(state.actors))]
        if len(state.legal_moves(player)) > 1:
            yield state.copy(), player
            found += 1
        move = bot.choose(state, player)
        assert move is not None
        state.play(player, move)


def turning_points(own: Game) -> Iterator[tuple[State, int]]:
    """The first decision of each stage that a match reaches."""
    known = set()
    for state, player in decisions(own, 3, 600):
        if state.phase not in known:
            known.add(state.phase)
            yield state, player


@pytest.mark.parametrize("name", shipped())
def test_trials_of_any_moves_end_as_those_of_the_python_lane(name: str) -> None:
    own, made = game(name), 0
    for number, (state, player) in enumerate([*decisions(own, 5, 10), *turning_points(own)]):
        moves = list(state.legal_moves(player)[:12])
        one, two = (Thought(state, player, moves, Dice(derive(3, number)), {}, 60) for _ in range(2))
        for thought in (one, two):
            for _ in range(number % 7):  # of the dice, some halves are drawn ahead
                thought.dice.below(5)
        assert one.compiled is not None
        for trials, replay in one.compiled.of(2, moves, one.dice):
            world, luck = two.worlds.world(two.dice), two.dice.below(1 << 32)
            for move, trial in zip(moves, trials, strict=True):
                spent = two.spent
                expected = two._try(world, move, Dice(luck))
                if trial is None:
                    assert one.spent >= monte_carlo.MOST_SPENT
                    assert one._try_again(move, replay) == expected
                else:
                    made += 1
                    assert one._outcome(trial) == expected
                    assert trial.spent == two.spent - spent
                assert one.steps == two.steps
        assert one.dice.below(1 << 32) == two.dice.below(1 << 32)
        assert nodes(one.walk.tree) == nodes(two.walk.tree)
    assert made > 5


@pytest.mark.parametrize("name", shipped())
def test_any_position_of_a_match_is_written_down_for_machine_code(name: str) -> None:
    """In this match of Gin Rummy cards are laid off."""
    own, written = game(name), 0
    for state, player in decisions(own, 3, 600):
        thought = Thought(state, player, list(state.legal_moves(player)[:2]), Dice(1), {}, 60)
        written += thought.compiled is not None
    assert written


def chosen(own: Game, levels: Sequence[str], seed: int, number: int) -> list[str]:
    """The first decisions of bots in a match."""
    state, dice, found = own.start(seed=seed), Dice(seed), list[str]()
    bots = [new_bot(level, derive(seed, player)) for player, level in enumerate(levels)]
    while not state.over and len(found) < number:
        player = state.actors[dice.below(len(state.actors))]
        move = bots[player].choose(state, player)
        assert move is not None
        found.append(str(move))
        state.play(player, move)
    return found


@pytest.mark.parametrize("name", ["bicycle-spoons", "cribbage", "crazy-eights", "hearts", "president", "truco"])
def test_the_same_seed_gives_the_same_decisions_in_both_lanes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = game(name)
    levels = (("medium", "hard") * 4)[: own.players]
    native = chosen(own, levels, 4, 30)
    lane = trial_lane(own)
    assert lane.built is not None and sum(made for made, _ in lane.stages.values()) > 50
    monkeypatch.setenv(native_lane.SWITCH, "0")
    assert native == chosen(game(name), levels, 4, 30)


ROWS = """
format: 1
id: turned
name: Turned
players: {min: 2, max: 4}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, pile: {}, hand: {each: player, seen by: owner}}
state:
  score: {each: player, type: integer, lasts: match}
  wish: {type: suit, optional: true, lasts: match}
cards:
  A: {choose: {suit: {suits: all}}, effect: set wish to suit}
  3: {choose: {loudly: {flag: true}}, effect: if loudly then add 5 to score of actor end}
  5: {effect: add 2 to score of actor}
flow:
  match:
    setup: shuffle stock; deal 6 from stock to hand; move 1 from stock to pile
    do: [play]
    winners: highest score
  play:
    kind: turn
    first: P1
    turns: 10
    actions:
      turned: {row: top of pile, effect: move 1 from stock to pile}
      throw: {choose: {one: {from: hand}}, effect: move one to pile; add 3 to score of actor}
"""


def test_the_same_text_under_other_rows_is_another_move_in_both_lanes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`turned` says nothing more under a 5, and that nobody is loud under a 3; of other texts the numbers are equal."""
    path = tmp_path / "turned.yaml"
    path.write_text(ROWS, encoding="utf-8")
    native = [chosen(game(str(path)), ["medium"] * 2, seed, 60) for seed in range(12)]
    monkeypatch.setenv(native_lane.SWITCH, "0")
    assert native == [chosen(game(str(path)), ["medium"] * 2, seed, 60) for seed in range(12)]


@pytest.mark.parametrize("name", ["crazy-eights", "setback"])
def test_what_was_learnt_in_python_is_known_to_machine_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is where machine code is made while a match goes on."""
    own = game(name)
    levels = ["hard"] * own.players
    expected = chosen(own, levels, 4, 30)
    own = game(name)
    counted = [0]
    real = native_lane.wanted

    def later() -> bool | None:
        counted[0] += 1
        return real() if counted[0] > 12 else False

    monkeypatch.setattr(native_lane, "wanted", later)
    assert chosen(own, levels, 4, 30) == expected
    assert trial_lane(own).built is not None


def one_by_one(real: Callable[..., Tried]) -> Callable[..., Tried]:
    """Tries one move, and stops at the next."""

    def tries(
        self: Attempts, worlds: int, moves: Any, numbers: Any, dice: Any, seed: Any, learnt: Any, how: Any, words: int,
        first: int = 0, picks: bool = False,
    ) -> Tried:  # fmt: skip
        if picks or first + 1 == len(moves):
            return real(self, 1, moves, numbers, dice, seed, learnt, how, words, first, picks)
        found = real(self, 1, moves[: first + 1], numbers, dice, seed, learnt, how, words, first, False)
        assert found.done == first + 1
        return found._replace(stopped=True, rows=[*found.rows, [1] * words])

    return tries


@pytest.mark.parametrize("name", ["crazy-eights", "setback", "uno"])
def test_trials_that_are_stopped_are_made_in_python_in_their_turn(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = game(name)
    levels = ["hard"] * own.players
    expected = chosen(own, levels, 6, 25)
    monkeypatch.setattr(Attempts, "tries", one_by_one(Attempts.tries))
    own = game(name)
    assert chosen(own, levels, 6, 25) == expected
    assert sum(again for _, again in trial_lane(own).stages.values()) > 20


@pytest.mark.parametrize("name", ["crazy-eights", "uno"])
def test_a_trial_that_is_stopped_in_the_middle_leaves_nothing_in_the_book(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = game(name)
    levels = ["hard"] * own.players
    expected = chosen(own, levels, 6, 25)
    monkeypatch.setattr(native_lane, "kept_in", lambda: None)
    monkeypatch.setattr(habit_book, "MOST_DECISIONS", 4)  # of a trial, then it is stopped
    monkeypatch.setattr(native_trials, "TOO_MANY", 1e9)
    own = game(name)
    assert chosen(own, levels, 6, 25) == expected
    assert sum(again for _, again in trial_lane(own).stages.values()) > 20


def test_where_there_is_no_room_in_the_book_python_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = chosen(game("uno"), ["hard"] * 4, 6, 20)
    monkeypatch.setattr(Book, "make_room", lambda book, more: make_room(book, 0))
    monkeypatch.setattr("interpreter.compiler.native.habit_book.FIRST_CAPACITY", 512)
    own = game("uno")
    assert chosen(own, ["hard"] * 4, 6, 20) == expected


make_room = Book.make_room


def test_a_book_keeps_what_it_knows_when_it_grows() -> None:
    book = Book()
    keys = [key_of([stage, number, None]) for stage in (2, 3) for number in range(1500)]
    assert len(set(keys)) == len(keys)
    for number, key in enumerate(keys):
        book.add(key, 2 + (number >= 1500), number % 7, number / 8)
    assert book.version > 0
    for number, key in enumerate(keys):
        place = book.place_of(key)
        assert (place - TABLE) % ENTRY == 0 and book.words[place + KEY] % (1 << 64) == key
        assert (book.words[place + TIMES], book.means[place + MEAN]) == (number % 7, number / 8)
    assert not book.words[book.place_of(key_of([9]))]
    assert book.times_in(2) == sum(number % 7 for number in range(1500))


class Clock:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.mark.parametrize("name", shipped())
def test_no_trial_is_begun_when_the_time_is_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of bids and passed cards as of anything else: there time is asked before each trial."""
    begun = [0]
    real = Thought._try

    def counted(thought: Thought, *how: Any) -> Any:
        begun[0] += 1
        return real(thought, *how)

    monkeypatch.setattr(Thought, "_try", counted)
    for number, (state, player) in enumerate(decisions(game(name), 7, 6)):
        monkeypatch.setattr(monte_carlo, "monotonic", Clock())
        begun[0] = 0
        assert new_bot("hard", number, seconds=3.0).choose(state, player) is not None
        phase = state.position.program.stages[state.position.stack[-1].stage].kind
        assert begun[0] <= (4 if phase != "race" else 4 * len(state.legal_moves(player)) * 2)
