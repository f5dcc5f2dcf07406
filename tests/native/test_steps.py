"""A match that is played step by step as machine code is that of the Python lane, whatever is asked of it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.api import native_lane, native_steps
from interpreter.api.game import Game, State
from interpreter.compiler.native.machine_code import GOOD, QUICK
from interpreter.compiler.native.stepping import FAULT
from interpreter.engine import legal
from interpreter.engine.moves import Choices, Move
from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError
from tests.native.alike import stepped_alike

WHOLLY = (
    "bicycle-spoons", "crazy-eights", "cribbage", "dutch-blitz", "euchre", "fruit-salad", "georgia-spoons", "hearts",
    "klondike", "pig", "president", "setback", "skip-bo", "spades", "spades-two", "spit", "spit-five", "truco", "uno",
)  # fmt: skip
"""Shipped games that are machine code to the end as they stand: going over to Python would go unnoticed."""
PARTLY = ("phase-10",)
"""Those that come to moves which Python has to name."""
ROWS, NAMES = "tests/native/rows.yaml", "tests/native/names.yaml"
"""Moves that take the row of a card which lies open, and moves in which something is measured, of every shape; and
moves with cards that are named by their positions and places."""
OTHERWISE = (
    ("hearts", 3, {}), ("hearts", 5, {"moon_scoring": "shooter_chooses"}), ("hearts", 4, {"target": 1}),
    ("euchre", 4, {"pack_size": 24, "partner_draw": "fixed", "cut": "none"}), ("spades", 4, {"blind_nil_exchange": 1}),
    ("crazy-eights", 6, {}), ("president", 6, {"revolution": True}), ("uno", 2, {}),
)  # fmt: skip


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Machine code is kept for these tests alone."""
    monkeypatch.setattr(native_lane, "kept_in", lambda: tmp_path_factory.getbasetemp() / "native")
    monkeypatch.delenv(native_lane.SWITCH, raising=False)


def game(name: str, players: int | None = None, **options: object) -> Game:
    found = interpreter.load(name).game(players, options)
    found.program.native = None  # programs are kept from test to test
    return found


def is_native(state: State) -> bool:
    return type(state) is not State


def after(own: Game, moves: int, seed: int = 5) -> State:
    """A match after so many moves, always the first that can be made."""
    state = own.start(seed=seed, log=False, native=True)
    for _ in range(moves):
        player = state.actors[0]
        state.play(player, state.legal_moves(player)[0])
    assert is_native(state)
    return state


@pytest.mark.parametrize("name", WHOLLY)
def test_every_decision_is_that_of_the_python_lane(name: str) -> None:
    own = game(name)
    for seed in range(4):
        assert stepped_alike(own, seed, 200) == "", name


@pytest.mark.parametrize("name", PARTLY)
def test_what_cannot_be_machine_code_goes_on_in_python(name: str) -> None:
    own = game(name)
    assert is_native(own.start(seed=1, log=False, native=True))
    assert all(stepped_alike(own, seed, 60) == "python" for seed in range(3))


@pytest.mark.parametrize("name, players, options", OTHERWISE)
def test_other_players_and_options_are_stepped_too(name: str, players: int, options: dict[str, object]) -> None:
    assert [stepped_alike(game(name, players, **options), seed, 150) for seed in range(2)] == ["", ""]


@pytest.mark.parametrize("players", (2, 4))
@pytest.mark.parametrize("rules", (ROWS, NAMES))
def test_open_rows_measures_and_names_of_places_are_stepped_too(rules: str, players: int) -> None:
    own = game(rules, players)
    assert [stepped_alike(own, seed, 100) for seed in range(6)] == [""] * 6


def played(own: Game, native: bool) -> State:
    """A match of those, after a move of every kind that the seed comes upon."""
    state = own.start(seed=3, log=False, native=native)
    for number in range(20):
        player = state.actors[number % len(state.actors)]
        moves = state.legal_moves(player)
        state.play(player, moves[number * 7 % len(moves)])
    assert is_native(state) is native
    return state


def test_measures_that_are_given_are_python_which_goes_on() -> None:
    found = []
    for native in (True, False):
        state = played(game(ROWS, 2), native)
        assert state.phase == "race"
        player = state.actors[0]
        grab = [move for move in state.legal_moves(player) if move.action == "grab"]
        state.play(player, grab[-1], hold=2)
        assert type(state) is State
        state.play(player, grab[0], begin=5, end=9, reach=3)
        with pytest.raises(IllegalMove, match="hold is a number from 1 to 5"):
            state.play(player, grab[1], hold=6)
        found.append((state.to_json(), state.record(), state.view(1)))
    assert found[0] == found[1]


def test_moves_of_an_open_row_are_named_anew_wherever_they_are_made() -> None:
    own = game(ROWS, 2)
    for seed in range(40):
        state = own.start(seed=seed, log=False, native=True)
        moves = [move for move in state.legal_moves(0) if move.action == "turned"]
        if moves and moves[0].args:
            break
    assert is_native(state) and all(move.maker is None and move.words is None for move in moves)
    ways = [state.copy() for _ in range(3)]
    ways[0].play(0, moves[-1])
    ways[1].play(0, str(moves[-1]))
    ways[2].play(0, Move("turned", moves[-1].args, moves[-1].text))
    assert [is_native(way) for way in ways] == [True, False, False]
    assert len({way.to_json() for way in ways}) == 1


def test_good_machine_code_is_made_after_many_moves_and_what_was_begun_goes_on() -> None:
    own = game("pig")
    before = after(own, 30)
    lane = native_lane.lane_of(own.program).steps
    assert (lane.steps.made.level, lane.steps.moves.value) == (QUICK, 30)
    lane.enough = 31
    assert type(own.start(1, log=False, native=True)) is type(before)
    copied = before.copy()
    before.play(before.actors[0], before.legal_moves(before.actors[0])[0])
    assert stepped_alike(own, 7, 100) == ""
    assert (lane.steps.made.level, lane.enough) == (GOOD, None)
    anew = after(own, 30)
    assert type(anew) is not type(before) and type(copied) is type(before)
    for state in (copied, anew):
        state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
        assert is_native(state) and state.copy().to_json() == before.copy().to_json()


def interrupted(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is interrupted when it is called first."""
    left = [KeyboardInterrupt()]

    def called(*how: object) -> Any:
        if left:
            raise left.pop()
        return function(*how)

    return called


def test_who_interrupts_while_moves_are_made_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    choosing, listing = after(game("hearts"), 0), after(game("georgia-spoons"), 4)
    lane = native_lane.lane_of(listing.game.program).steps
    lane.known.clear()
    with monkeypatch.context() as patched:
        patched.setattr(legal, "Choices", interrupted(legal.Choices))
        patched.setattr(lane, "_of_action", interrupted(lane._of_action))
        for state in (choosing, listing):
            with pytest.raises(KeyboardInterrupt):
                state.legal_moves(state.actors[0])
    for state in (choosing, listing):
        moves = state.legal_moves(state.actors[0])
        assert is_native(state) and [*moves] == [*state.copy().legal_moves(state.actors[0])]


READS: dict[str, Callable[[State], Any]] = {
    "view": lambda s: s.view(1), "zone": lambda s: s.zone("hand", 0), "value": lambda s: s.value("score", 2),
    "record": State.record, "json": State.to_json, "possible": lambda s: list(map(str, s.possible_moves(s.actors[0]))),
    "chance": lambda s: s.chance, "position": lambda s: s.position.z,
    "parse": lambda s: str(s.parse(s.actors[0], str(s.legal_moves(s.actors[0])[0]))),
    "pickled": lambda s: pickle.dumps(s.position.z),
}  # fmt: skip


@pytest.mark.parametrize("what", READS)
def test_whatever_else_is_read_is_told_by_python_which_goes_on(what: str) -> None:
    own = game("hearts")
    state, same = after(own, 17), own.start(seed=5, log=False)
    for _ in range(17):
        same.play(same.actors[0], same.legal_moves(same.actors[0])[0])
    assert READS[what](state) == READS[what](same)
    assert type(state) is State
    for _ in range(9):
        player = same.actors[0]
        assert state.actors == [*same.actors]
        state.play(player, state.legal_moves(player)[-1])
        same.play(player, same.legal_moves(player)[-1])
    assert state.to_json() == same.to_json()


@pytest.mark.parametrize("what", READS)
@pytest.mark.parametrize("rules", (ROWS, NAMES))
def test_the_same_is_read_where_rows_lie_open_and_something_is_measured_or_named(rules: str, what: str) -> None:
    own = game(rules, 4)
    state, same = played(own, True), played(own, False)
    assert READS[what](state.copy()) == READS[what](same.copy())
    assert READS[what](state) == READS[what](same)
    state.undo()
    same.undo()
    assert state.to_json() == same.to_json()
    assert [*map(str, state.legal_moves(0))] == [*map(str, same.legal_moves(0))]
    for one in (state, same):
        with pytest.raises(ValueError, match="without a log"):
            one.undo(9)
        one.play(one.actors[0], one.legal_moves(one.actors[0])[0])
    assert (state.to_json(), state.record()) == (same.to_json(), same.record())


def test_a_state_that_is_machine_code_shows_what_any_state_does() -> None:
    state = after(game("hearts"), 0)
    assert isinstance(state, State)
    assert [name for name in dir(state) if name[0] != "_"] == [name for name in dir(State) if name[0] != "_"]
    assert (type(state).__name__, type(state).__module__) == ("SteppedState", "interpreter.api.game")


def test_what_machine_code_knows_leaves_it_at_work() -> None:
    state = after(game("hearts"), 20)
    assert (state.over, state.log, state.seed, state.phase) == (False, None, 5, "tricks")
    assert (state.scores, state.winners, state.places) == ([0] * 4, [], [])
    assert state.legal_moves(9) == state.legal_moves(True) == ()
    assert is_native(state)


def test_copies_go_their_own_ways() -> None:
    own = game("spades")
    state = after(own, 12)
    before = state.copy().to_json()
    ways = [state.copy() for _ in range(3)]
    for number, way in enumerate(ways):
        assert is_native(way)
        moves = way.legal_moves(way.actors[0])
        way.play(way.actors[0], moves[number % len(moves)])
        way.play(way.actors[0], way.legal_moves(way.actors[0])[0])
    assert state.copy().to_json() == before and is_native(state)
    assert len({way.to_json() for way in ways}) > 1
    assert copy.copy(state).to_json() == before


def test_a_move_is_taken_as_text_or_from_elsewhere() -> None:
    own = game("hearts")
    state, same = after(own, 4), after(own, 4)
    player = state.actors[0]
    move = state.legal_moves(player)[-1]
    state.play(player, str(move))
    same.play(player, Move(move.action, move.args, move.text))
    assert type(state) is type(same) is State
    assert state.to_json() == same.to_json()
    other = after(own, 4)
    other.play(player, after(own, 4).legal_moves(player)[-1])
    assert is_native(other) and other.to_json() == state.to_json()


@pytest.mark.parametrize("wrong", ("3", "nobody", "other", "number", "bool", "begin", "measure"))
def test_what_is_no_move_is_refused_as_in_python(wrong: str) -> None:
    own = game("hearts")
    found = []
    for state in (after(own, 6), after(own, 6)):
        if found:
            assert state.position
        player = state.actors[0]
        move = state.legal_moves(player)[0]
        how: dict[str, Any] = {"begin": {"begin": 2, "end": 1}, "measure": {"speed": 3}}.get(wrong, {})
        who: Any = {"nobody": 7, "other": (player + 1) % 4, "number": 1.0, "bool": True, "3": -1}.get(wrong, player)
        with pytest.raises(IllegalMove) as refused:
            state.play(who, move, **how)
        found.append((str(refused.value), state.to_json()))
    assert found[0] == found[1]


def test_a_choice_of_several_cards_is_known_by_its_number() -> None:
    state = after(game("hearts"), 0)
    moves = state.legal_moves(state.actors[0])
    assert isinstance(moves, Choices)
    assert [moves.place_of(move) for move in moves] == list(range(286))
    first, last = moves[7], moves[-1]  # of which the one that was found last is known at once
    assert (moves.place_of(first), moves.place_of(last), moves.place_of(moves.of(last.args[0]))) == (7, 285, 285)
    assert moves.place_of(None) is Choices(moves.cards, 3, 3, moves.of).place_of(None) is None
    several = Choices(moves.cards, 0, 3, moves.of, moves[0].maker)
    assert [several.place_of(move) for move in several] == list(range(1 + 13 + 78 + 286))
    assert moves.place_of(several[3]) is None
    assert moves.place_of(Move("pass", (moves.cards[:3],), moves[0].text)) is None
    (low, *_) = moves.cards
    assert moves.place_of(moves.of((low, low, low))) is None


def test_undone_and_together_as_in_python() -> None:
    own = game("hearts")
    state, same = after(own, 9), after(own, 8)
    state.undo()
    assert state.to_json() == same.to_json()
    player = same.actors[0]
    move = same.legal_moves(player)[0]
    assert state.play_together([(player, str(move), {})]) == same.play_together([(player, move, {})]) == []
    assert state.to_json() == same.to_json()


@pytest.mark.parametrize("name", ("actors", "standing", "offers", "play"))
def test_a_fault_of_machine_code_is_python_going_on(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = game("hearts")
    state, same = after(own, 2), own.start(seed=5, log=False)
    for _ in range(2):
        same.play(same.actors[0], same.legal_moves(same.actors[0])[0])
    move = same.legal_moves(2)[7]
    match: Any = state._match
    match.steps = copy.copy(match.steps)
    monkeypatch.setattr(match.steps, name, lambda *how: FAULT if name == "play" else b"")
    for one in (state, same):
        if name in ("offers", "play"):  # what the methods of the class ask where they don't know more
            assert getattr(one, "_slow_play", one.play)(2, move) == []
        elif name == "actors":
            assert getattr(one, "_slow_actors", lambda: same.actors)() == [2, 3]
        else:
            assert (one.actors, one.phase) == ([2, 3], "passing")
    assert type(state) is State
    assert (state.scores, state.phase, state.to_json()) == (same.scores, same.phase, same.to_json())


def test_the_seed_is_any_whole_number() -> None:
    own = game("setback")
    for seed in (0, -1, 1 << 63, (1 << 64) - 1, 1 << 200):
        state = own.start(seed, log=False, native=True)
        assert is_native(state) and state.seed == own.start(seed, log=False).seed
        assert state.to_json() == own.start(seed, log=False).to_json()
    assert is_native(own.start(log=False, native=True))
    wrong: Any = "7"
    with pytest.raises(ValueError, match="seed is a whole number"):
        own.start(wrong, log=False, native=True)


def test_what_is_fixed_beforehand_and_what_keeps_a_log_is_python() -> None:
    own = game("setback")
    deck: Sequence[str] = own.program.cards
    assert type(own.start(1, deck=deck, log=False, native=True)) is State
    assert type(own.start(1, native=True)) is State
    assert type(own.start(1, log=False)) is State


def test_python_plays_where_there_is_no_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    own = game("setback")
    monkeypatch.setenv(native_lane.SWITCH, "0")
    assert type(own.start(1, log=False, native=True)) is State
    monkeypatch.delenv(native_lane.SWITCH)
    monkeypatch.setattr(native_steps, "find_spec", lambda name: None)
    assert type(own.start(1, log=False, native=True)) is State
    monkeypatch.setenv(native_lane.SWITCH, "1")
    with pytest.raises(native_lane.NativeError, match="llvmlite is not installed"):
        own.start(1, log=False, native=True)
    honest = interpreter.load("hearts").game(enforcement="honor")
    monkeypatch.undo()
    assert type(honest.start(1, log=False, native=True)) is State


MEASURED = """\
format: 1
id: measured
name: Measured
players: {min: 2, max: 2}
pack: {standard: 1}
ranks: [A, 2..10, J, Q, K]
zones: {stock: {pack: true, seen by: none}}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {do: [play], winners: highest score}
  play:
    kind: turn
    first: P1
    until: score of P1 = 100
    actions:
      hit: {measured: {force: 3..8 - score of actor}, effect: add force to score of actor}
"""


FAILING = """\
format: 1
id: failing
name: Failing
players: {min: 2, max: 2}
pack: {standard: 1}
ranks: [A, 2..10, J, Q, K]
zones: {stock: {pack: true, seen by: none}}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {do: [play], winners: highest score}
  play:
    kind: turn
    first: P1
    until: score of P1 = 100
    actions:
      go: {effect: "add 6 div (3 - score of actor) to score of actor"}
      wait: {effect: "add 3 to score of actor"}
"""


@pytest.mark.parametrize("rules, moves", ((FAILING, 2), (MEASURED, 4)))
def test_rules_that_fail_fail_as_in_python(rules: str, moves: int, tmp_path: Path) -> None:
    (tmp_path / "failing.yaml").write_text(rules)
    own = interpreter.load(str(tmp_path / "failing.yaml")).game()
    found = []
    for native in (True, False):
        state = own.start(1, log=False, native=native)
        assert is_native(state) is native
        for _ in range(moves):
            state.play(state.actors[0], state.legal_moves(state.actors[0])[-1])
        assert is_native(state) is native
        before = state.copy().to_json()
        with pytest.raises(RuleError) as failed:
            state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
        assert state.to_json() == before
        found.append((str(failed.value), before))
    assert found[0] == found[1]


def test_a_match_can_be_copied_deeply_whether_it_is_machine_code_or_was() -> None:
    own = game("hearts")
    state = after(own, 12)
    for one in (state, own.start(5, log=False)):
        moves = [str(move) for move in one.legal_moves(one.actors[0])]
        new = copy.deepcopy({"match": one})["match"]
        assert is_native(new) == is_native(one) and new.game is one.game
        new.play(new.actors[0], new.legal_moves(new.actors[0])[0])
        assert [str(move) for move in one.legal_moves(one.actors[0])] == moves
    position = copy.deepcopy(own.start(5).position)
    assert position.program is own.program and copy.deepcopy(own).program is own.program


def test_what_is_asked_of_a_state_while_its_method_is_called_may_make_python_of_it() -> None:
    own = game("hearts", 4)
    asked: tuple[Callable[[State, int, Move], Any], ...] = (
        lambda state, player, move: state.play(player, state.parse(player, move.text)),
        lambda state, player, move: state.play(player, max([move], key=lambda _: str(state.view(0)))),
        lambda state, player, move: list(state.legal_moves(player + 0 * state.position.tick)),
    )
    for number, ask in enumerate(asked):
        state = after(own, 3)
        plain = played_plainly(state, 3)
        player = state.actors[0]
        move = state.legal_moves(player)[-1]
        found = ask(state, player, move)
        assert not is_native(state)
        assert found == ask(plain, player, move), number
        assert state.record() == plain.record()


def test_the_methods_of_one_game_do_nothing_with_the_memory_of_another() -> None:
    hearts, spades = after(game("hearts", 4), 1), after(game("spades", 4), 1)
    player = spades.actors[0]
    move = spades.legal_moves(player)[0]
    for other in (hearts, game("hearts", 4).start(seed=5)):
        assert list(type(other).legal_moves(spades, player)) == list(spades.legal_moves(player))
    type(hearts).play(spades, player, move)
    assert spades.record() == played_plainly(spades, 2).record()


def played_plainly(like: State, moves: int) -> State:
    """The match of `after` in Python."""
    state = like.game.start(seed=5, log=False)
    for _ in range(moves):
        state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    return state
