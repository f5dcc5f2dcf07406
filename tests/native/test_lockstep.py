"""Machine code plays just the matches that the Python lane plays."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.api import native_lane
from interpreter.api.game import Game
from interpreter.api.playouts import matches, summed
from interpreter.api.random_play import Match
from interpreter.compiler.native.flat_state import Layout
from interpreter.compiler.native.not_native import NotNative
from interpreter.language.tree import replace

NATIVE = (
    "bicycle-spoons", "crazy-eights", "cribbage", "dutch-blitz", "euchre", "fruit-salad", "georgia-spoons",
    "gin-rummy", "hearts", "klondike", "phase-10", "pig", "president", "setback", "skip-bo", "spades", "spades-two",
    "spit", "spit-five", "truco", "uno", "yaniv",
)  # fmt: skip
"""Shipped games that are native as they stand: falling back would go unnoticed."""
OTHERWISE = (
    ("hearts", 3, {}), ("hearts", 5, {"moon_scoring": "shooter_chooses"}), ("hearts", 4, {"first_dealer": "low_cut"}),
    ("fruit-salad", 5, {}), ("president", 6, {"revolution": True}), ("bicycle-spoons", 4, {"first_dealer": "P2"}),
    ("crazy-eights", 6, {}), ("georgia-spoons", 5, {}), ("gin-rummy", 2, {"oklahoma": True}),
    ("yaniv", 5, {"packs": 2, "joker_in_sets": True, "slap_down": True}),
    ("phase-10", 3, {"phase_order": "free_choice", "wild_needs_natural": "no", "must_discard_last": True}),
)  # fmt: skip


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Machine code is kept for these tests alone."""
    monkeypatch.setattr(native_lane, "kept_in", lambda: tmp_path_factory.getbasetemp() / "native")


def game(name: str, players: int | None = None, **options: object) -> Game:
    found = interpreter.load(name).game(players, options)
    found.program.native = None  # programs are kept from test to test
    return found


def played(monkeypatch: pytest.MonkeyPatch, lane: str, *how: object) -> list[Match]:
    monkeypatch.setenv(native_lane.SWITCH, lane)
    return list(matches(*how))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NATIVE)
def test_matches_are_those_of_the_python_lane(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = game(name)
    for deals, limit in ((1, 300), (3, 200), (None, 150)):
        how = own, 12, 7, deals, limit
        assert played(monkeypatch, "1", *how) == played(monkeypatch, "0", *how)
    again, native = native_lane.lane_of(own.program).played
    assert (again - 3 * 12, native) == (0, 3 * 12), "no match was played again in Python"


@pytest.mark.parametrize("name, players, options", OTHERWISE)
def test_other_players_and_options_are_native_too(
    name: str, players: int, options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = game(name, players, **options)
    how = own, 20, 3, 2, 500
    assert played(monkeypatch, "1", *how) == played(monkeypatch, "0", *how)
    assert native_lane.lane_of(own.program).played == [20, 20], "no match was played again in Python"


@pytest.mark.parametrize("name", ("setback", "skip-bo"))
def test_good_code_takes_over_from_quick_code_where_that_is_worth_while(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = game(name)
    monkeypatch.setattr(native_lane, "TO_IMPROVE", 0.0)
    how = own, 100, 5, 1, 300
    assert played(monkeypatch, "1", *how) == played(monkeypatch, "0", *how)
    lane = native_lane.lane_of(own.program)
    assert lane.built is not None and (lane.built.made.level, lane.played[1]) == (1, 100)
    size, lane.built = lane.built.made.size, None
    found = native_lane.prepare(own).built
    assert found is not None and (found.made.level, found.made.size) == (1, size), "what is kept is the good one"


def test_good_code_takes_over_where_quick_code_has_run_for_long_in_many_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    own = game("setback")
    monkeypatch.setattr(native_lane, "kept_in", lambda: None)
    monkeypatch.setenv(native_lane.SWITCH, "1")
    own.playouts(10, seed=5, deals=1)
    lane = native_lane.lane_of(own.program)
    assert lane.built is not None and lane.built.made.level == 0
    lane.seconds = 2 * lane.built.made.size * native_lane.TO_IMPROVE / native_lane.GAIN
    own.playouts(10, seed=5, deals=1)
    assert lane.built.made.level == 1


@pytest.mark.parametrize("name", ("euchre", "hearts"))
def test_playouts_are_summed_from_columns_as_from_matches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = game(name)
    for how in ({"deals": 1}, {"limit": 150}, {"limit": 2_000}):
        monkeypatch.setenv(native_lane.SWITCH, "0")
        expected = own.playouts(30, seed=9, **how)
        monkeypatch.setenv(native_lane.SWITCH, "1")
        assert own.playouts(30, seed=9, **how) == expected
        assert native_lane.lane_of(own.program).played[1]


def test_matches_do_not_depend_on_how_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    own = game("hearts")
    whole = played(monkeypatch, "1", own, 100, 5, 1, 1_000)
    assert played(monkeypatch, "1", own, 30, 5, 1, 1_000, 70) == whole[70:]


def test_a_match_that_was_stopped_is_played_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    own = game("setback")
    expected = played(monkeypatch, "0", own, 60, 1, 1, 1_000)
    list(played(monkeypatch, "1", own, 1, 1, 1, 1_000))
    built = native_lane.lane_of(own.program).built
    assert built is not None
    play = built.play

    def stopped(number: int, *how: int) -> list[int]:
        rows, words = list(play(number, *how)), how[-1]
        rows[0 :: 4 * words] = [1] * len(rows[0 :: 4 * words])
        return rows

    monkeypatch.setattr(built, "play", stopped)
    assert played(monkeypatch, "1", own, 60, 1, 1, 1_000) == expected
    assert own.playouts(60, seed=1, deals=1, limit=1_000) == summed(own, expected)


def test_where_most_matches_are_stopped_python_plays_all(monkeypatch: pytest.MonkeyPatch) -> None:
    own = game("setback")
    expected = played(monkeypatch, "0", own, 80, 1, 1, 1_000)
    list(played(monkeypatch, "1", own, 1, 1, 1, 1_000))
    lane = native_lane.lane_of(own.program)
    assert lane.built is not None
    monkeypatch.setattr(lane.built, "play", lambda number, *how: [1] * (number * how[-1]))
    assert played(monkeypatch, "1", own, 80, 1, 1, 1_000) == expected
    assert lane.built is None and lane.told().startswith("python (")


def test_it_is_python_unless_the_rest_is_worth_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(native_lane.SWITCH, raising=False)
    assert not native_lane.is_worth(0.2, 10, 10**9)
    assert not native_lane.is_worth(1.0, 100, 100)
    assert native_lane.is_worth(1.0, 100, 100_000)


def test_what_must_be_native_and_cannot_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(native_lane.SWITCH, "1")
    honest = interpreter.load("hearts").game(enforcement="honor")
    with pytest.raises(native_lane.NativeError, match="honour"):
        list(matches(honest, 1, 1, 1, 100))
    with pytest.raises(native_lane.NativeError, match="noted"):
        list(matches(game("hearts"), 1, 1, 1, 100, 0, True))


def test_a_program_that_keeps_what_honour_adds_is_refused() -> None:
    """By what it keeps, and not by how it is to be played."""
    state = game("hearts").start(seed=1)
    program = replace(state.game.program, keeps=frozenset({"Fault"}))
    Layout(state.game.program, state.position)
    with pytest.raises(NotNative, match="honour"):
        Layout(program, state.position)


def test_without_llvmlite_python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_lane, "find_spec", lambda name: None)
    monkeypatch.setattr(native_lane, "is_worth", lambda *how: True)
    own = game("setback")
    assert played(monkeypatch, "", own, 5, 1, 1, 100) == played(monkeypatch, "0", own, 5, 1, 1, 100)
    assert native_lane.lane_of(own.program).told() == "python (llvmlite is not installed)"


def test_the_command_says_why_a_game_is_not_native(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from interpreter.interfaces.cli import main

    monkeypatch.setenv(native_lane.SWITCH, "1")
    with pytest.raises(SystemExit) as ended:
        main(["simulate", "hearts", "--honor", "--games", "1", "--workers", "1"])
    assert ended.value.code == 1
    assert capsys.readouterr().err == "this game is not played as machine code: honour\n"
