"""Sentences of the semantics that need the API: numbers of persons, errors and states, ticks, random play."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from interpreter import IllegalMove, OptionError, RuleError, load, replay
from interpreter.api.game import Game, State
from interpreter.engine.chance import Dice, derive
from interpreter.engine.frames import is_running

RULESETS = Path(__file__).parent / "rulesets"


def game(name: str, players: int | None = None, enforcement: str = "strict") -> Game:
    return load(RULESETS / f"{name}.yaml").game(players=players, enforcement=enforcement)  # type: ignore[arg-type]


def play_at_random(state: State, seed: int, most: int) -> None:
    dice = Dice(seed)
    for _ in range(most):
        able = [p for p in state.actors if len(state.legal_moves(p))]
        if state.over or not able:
            return
        player = able[dice.below(len(able))]
        moves = state.legal_moves(player)
        state.play(player, moves[dice.below(len(moves))])


def test_persons_are_numbered_from_0_and_called_from_p1() -> None:
    state = game("cogs").start()
    state.play(0, "click")
    assert state.actors == [1]
    with pytest.raises(IllegalMove, match="P2's turn"):
        state.play(0, "click")
    for nobody in (-1, 4, True, "P1"):
        with pytest.raises(IllegalMove) as refused:
            state.play(nobody, "click")  # type: ignore[arg-type]
        assert refused.value.law == "no_such_player"


def test_the_actors_of_an_ask_come_in_the_order_of_their_seats(tmp_path: Path) -> None:
    made = changed("nest", "flow: {match: {setup: 'reseat (P1, P4, P2, P3)'}}\n", tmp_path)
    state = made.start()
    assert state.actors == [0, 3, 1, 2]
    state.play(3, "wake")
    assert state.actors == [0, 1, 2]


@pytest.mark.parametrize("name", ["cogs", "echo", "nest", "ferry", "ladder"])
@pytest.mark.parametrize("seed", range(8))
def test_the_stages_that_run_are_never_more_than_there_are(name: str, seed: int) -> None:
    state = game(name).start(seed=seed)
    most = len(state.game.program.stages)
    dice = Dice(seed)
    for _ in range(150):
        able = [p for p in range(state.game.program.n) if len(state.legal_moves(p))]
        if state.over or not able:
            break
        player = able[dice.below(len(able))]
        moves = state.legal_moves(player)
        try:
            state.play(player, moves[dice.below(len(moves))])
        except RuleError:
            continue
        running = [f.stage for f in state.position.stack if is_running(f)]
        assert len(running) == len(set(running)) <= most


@pytest.mark.parametrize("name", ["cogs", "echo", "nest", "ferry", "toll", "magpie"])
@pytest.mark.parametrize("enforcement", ["strict", "honor"])
def test_a_state_in_the_middle_of_calls_is_plain_data(name: str, enforcement: str) -> None:
    made = game(name, enforcement=enforcement)
    for seed in range(4):
        state = made.start(seed=seed)
        play_at_random(state, seed, 25)
        assert made.restore(state.to_json()).to_json() == state.to_json()
        assert state.copy().to_json() == state.to_json()


def test_an_error_in_the_middle_of_called_stages_leaves_the_state_unchanged() -> None:
    state = game("ladder").start()
    state.play(1, "step")
    before = state.to_json()
    with pytest.raises(RuleError) as error:
        state.play(1, "reach 9")
    assert state.to_json() == before
    assert error.value.span is not None
    assert "add far to small" in Path(error.value.span.file).read_text().split("\n")[error.value.span.line - 1]
    with pytest.raises(RuleError) as error:
        state.play(1, "wander")
    assert state.to_json() == before
    assert error.value.span is not None
    state.play(1, "step")
    assert state.value("in_deal") == 2


def test_an_error_without_a_log_leaves_the_state_without_one() -> None:
    state = game("ladder").start(log=False)
    with pytest.raises(RuleError):
        state.play(1, "reach 9")
    assert state.log is None


def changed(name: str, changes: str, folder: Path) -> Game:
    """The game of a ruleset with an overlay laid on it."""
    shutil.copy(RULESETS / f"{name}.yaml", folder)
    file = folder / "overlay.yaml"
    file.write_text(f"format: 1\nid: overlay\nextends: {name}.yaml\n{changes}")
    return load(file).game()


def test_an_ending_of_what_is_not_going_on_names_its_place(tmp_path: Path) -> None:
    changes = "flow: {shouting: {actions: {slip: {effect: finish scramble}}}}\n"
    state = changed("echo", changes, tmp_path).start()
    with pytest.raises(RuleError) as error:
        state.play(0, "slip")
    assert error.value.span is not None and error.value.span.file.endswith("echo.yaml")


def test_a_time_is_a_whole_number_of_milliseconds() -> None:
    state = game("magpie").start()
    for wrong in (1.5, -1, "3", True):
        with pytest.raises(IllegalMove) as refused:
            state.play(0, "snatch 1", end=wrong)  # type: ignore[arg-type]
        assert refused.value.law == "time"
    with pytest.raises(IllegalMove) as refused:
        state.play(0, "snatch 1", hold=2.5)  # type: ignore[arg-type]
    assert refused.value.law == "measure"
    assert state.position.clock == 0


def test_a_refused_move_does_not_move_the_clock() -> None:
    state = game("magpie").start()
    with pytest.raises(IllegalMove):
        state.play(0, "snatch 7", end=900)
    state.play(1, "snatch 1", end=100)
    assert state.position.clock == 100


def test_the_record_keeps_the_grouping_of_a_tick_with_times_and_measures() -> None:
    state = game("magpie").start()
    state.play(0, "caw", begin=0, end=5)
    state.play_together([(0, "snatch 1", {"hold": 5, "end": 9}), (1, "snatch 1", {"hold": 2}), (2, "caw", {})])
    moves = [json.loads(line) for line in state.record().strip().split("\n")][1:]
    ticks = [tick for tick, *_ in state.position.record_moves]
    assert ticks == [1, 2, 2, 2]
    assert len(moves) == 4
    again = replay(state.record())
    assert again.to_json() == state.to_json()
    assert again.value("held") == {"P1": 0, "P2": 2, "P3": 0}


def test_busy_hands_are_part_of_the_state() -> None:
    state = game("juggle").start()
    for player in range(3):
        state.play(player, "bend")
    state.play(0, "spin", begin=0, end=40)
    others = [state.copy(), state.game.restore(state.to_json()), replay(state.record())]
    assert {other.to_json() for other in others} == {state.to_json()}
    assert state.view(1)["clock"] == 40
    for other in (state, *others):
        before = other.to_json()
        with pytest.raises(IllegalMove) as refused:
            other.play(0, "spin", begin=30, end=60)
        assert (refused.value.law, refused.value.message) == ("hands", "your hand is busy until 40")
        assert other.to_json() == before
    others[0].play(0, "spin", begin=40, end=60)
    assert (state.position.clock, others[0].position.clock) == (40, 60)


def test_times_that_nobody_gives_leave_no_trace() -> None:
    state = game("juggle").start()
    for player in range(3):
        state.play(player, "bend")
    state.play(0, "spin")
    assert (state.position.clock, state.position.busy) == (0, ())
    assert not any(event.kind == "time" for event in state.log or ())


def test_the_time_of_a_hidden_move_is_told_to_its_player_only() -> None:
    state = load("hearts").game().start(seed=1)
    assert state.phase == "passing"
    state.play(0, state.legal_moves(0)[0], begin=10, end=40)
    assert "time: P1 begin=10 end=40" in state.view(0)["log"]
    assert not any(line.startswith("time:") for line in state.view(1)["log"])


def test_two_moves_of_one_tick_that_call_both_count() -> None:
    state = game("magpie").start()
    state.play_together([(0, "razz", {}), (1, "razz", {})])
    assert state.value("cackled") == 2


def test_random_play_draws_measures_within_their_range() -> None:
    found = game("magpie").playouts(20, 1, limit=200)
    assert found.games == 20


def test_measures_are_never_enumerated() -> None:
    state = game("magpie").start()
    assert sorted(str(m) for m in state.legal_moves(0) if m.action == "snatch") == ["snatch 1", "snatch 2", "snatch 3"]


def test_a_match_that_the_limit_cuts_is_unfinished() -> None:
    found = game("cogs").playouts(5, 3, limit=4)
    assert found.unfinished == 5
    assert found.decisions == (4,) * 5
    assert not any(found.wins)


@pytest.mark.parametrize("name", ["nest", "ferry"])
def test_random_play_is_stepwise_play(name: str) -> None:
    made = game(name)
    found = made.playouts(6, 11, limit=60)
    for number in range(6):
        seed = derive(11, number)
        state, dice = made.start(seed=seed), Dice(seed + 1)
        count = 0
        while not state.over and count < 60:
            actors = state.actors
            player = actors[dice.below(len(actors))] if len(actors) > 1 else actors[0]
            moves = state.legal_moves(player)
            state.play(player, moves[dice.below(len(moves))] if len(moves) > 1 else moves[0])
            count += 1
        assert (count, tuple(state.scores)) == (found.decisions[number], found.scores[number])


def test_the_limit_of_automatic_steps_is_ten_thousand(tmp_path: Path) -> None:
    changes = (
        "state: {laps: {type: integer, lasts: match}}\n"
        "flow: {circling: {until: laps >= LAPS}, circle: {effect: add 1 to laps}}\n"
    )
    ends = changed("ladder", changes.replace("LAPS", "4900"), tmp_path).start()
    ends.play(1, "wander")
    assert ends.value("laps") == 4900
    endless = changed("ladder", changes.replace("LAPS", "5100"), tmp_path).start()
    with pytest.raises(RuleError, match="without anybody deciding"):
        endless.play(1, "wander")
    assert endless.value("laps") == 0


def test_an_optional_option_may_be_none_also_before_there_are_cards(tmp_path: Path) -> None:
    limit = "options: {limit: {type: integer, min: 1, max: 9, optional: true, default: none}}\n"
    law = "require: {few: {law: not (limit + 1 > 4), message: that is too many}}\n"
    made = changed("tiny", limit + law, tmp_path)
    assert made.options["limit"] is None and made.ruleset.options["limit"].default is None
    assert made.ruleset.game(options={"limit": "none"}).options == made.options
    assert made.restore(made.start().to_json()).game is made
    for value, wrong in ((4, "that is too many"), (10, "is 10, more than 9")):
        with pytest.raises(OptionError, match=wrong):
            made.ruleset.game(options={"limit": value})


@pytest.mark.parametrize("value", [10**18, -(10**18), [1, 10**30]])
def test_a_number_of_an_option_has_18_digits_wherever_it_comes_from(tmp_path: Path, value: object) -> None:
    kind = "list of integer" if isinstance(value, list) else "integer"
    found = changed(
        "tiny", f"options: {{prize: {{type: {kind}, default: {[1] if kind != 'integer' else 1}}}}}\n", tmp_path
    )
    with pytest.raises(OptionError, match="a number with more than 18 digits"):
        found.ruleset.game(options={"prize": value})


@pytest.mark.parametrize("least", ["-5", "{by: players, 2: -5, else: 0}", "0 - 5"])
def test_bounds_of_numbers_in_a_list_hold_however_they_are_written(tmp_path: Path, least: str) -> None:
    prizes = f"options: {{prizes: {{type: list of integer, min: {least}, max: 9, length: 1..3, default: [1]}}}}\n"
    found = changed("tiny", prizes, tmp_path).ruleset
    assert found.game(2, {"prizes": [9, -5]}).options["prizes"] == (9, -5)
    for number, wrong in ((-6, "'prizes' has an item that is -6, less than -5"), (10, "is 10, more than 9")):
        with pytest.raises(OptionError, match=wrong):
            found.game(2, {"prizes": [1, number]})


def test_a_measure_may_have_any_name_that_is_not_said_of_every_move(tmp_path):
    path = tmp_path / "measured.yaml"
    path.write_text("""\
format: 1
id: measured
name: Measured
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true}}
flow:
  match: {do: [go]}
  go: {kind: turn, turns: 3, actions: {grab: {measured: {self: 0..5}, effect: nothing}}}
""")
    state = load(path).game().start(seed=1)
    state.play(0, "grab", **{"self": 3})
    with pytest.raises(IllegalMove):
        state.play(1, "grab", **{"state": 3})
    assert replay(state.record()).to_json() == state.to_json()
