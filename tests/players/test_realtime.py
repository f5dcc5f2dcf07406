"""Matches in real time: players with reaction times, fair where they arrive together, the same every time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from where import TESTS

from interpreter.api.game import Game, State, load
from interpreter.api.random_play import Match
from interpreter.api.record import replay
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.cli import cli
from interpreter.players.random_bot import RandomBot
from interpreter.players.realtime import Race, Speed, matches

HERE = TESTS

GRAB = """
format: 1
id: grab
name: Grab
about: A made-up race for one thing.
players: {{min: 2, max: 6, default: {players}}}
pack: {{standard: 1, only: [A, 2]}}
ranks: [A, 2]
zones: {{stock: {{pack: true}}}}
tokens: {{prize: {{}}}}
flow:
  match: {{setup: set out 1 of prize; shuffle stock, do: [grabbing], winners: p where count of prize of p > 0}}
  grabbing:
    kind: race
    until: count of prize = 0
    actions: {{grab: {{choose: {{one: {{tokens: prize}}}}, {contest}effect: take one}}}}
"""


def grab(folder: Path, players: int, contest: str = "") -> Game:
    path = folder / "grab.yaml"
    path.write_text(GRAB.format(players=players, contest=contest), encoding="utf-8")
    return load(path).game()


def run(game: Game, speeds: list[Speed], seed: int = 1, limit: int = 400) -> State:
    state = game.start(seed=seed)
    race = Race(state, {p: (RandomBot(seed * 100 + p), speed) for p, speed in enumerate(speeds)}, seed)
    race.run(limit)
    return state


def wins(found: list[Match], players: int) -> list[int]:
    return [sum(player in match.winners for match in found) for player in range(players)]


def is_fair(won: list[int], contests: int) -> bool:
    """Whether no seat has won more than its share, within four standard deviations."""
    share = 1 / len(won)
    allowed = 4 * (contests * share * (1 - share)) ** 0.5
    return sum(won) == contests and all(abs(count - contests * share) <= allowed for count in won)


def test_equals_who_always_arrive_together_win_equally_often(tmp_path: Path) -> None:
    game = grab(tmp_path, 3)
    found = list(matches(game, 10_000, 5, None, 10, "random", [Speed(300, 0)] * 3))
    assert all(match.late.count(1) == 2 for match in found)  # two of three came too late, each time
    assert is_fair(wins(found, 3), 10_000)


def test_equals_whose_reactions_vary_win_equally_often(tmp_path: Path) -> None:
    game = grab(tmp_path, 4)
    found = list(matches(game, 4_000, 6, None, 10, "random", [Speed(300, 60)] * 4))
    assert is_fair(wins(found, 4), 4_000)


def test_the_ties_of_a_ruleset_come_before_the_fair_order(tmp_path: Path) -> None:
    game = grab(tmp_path, 3, "contest: {ties: P2}, ")
    found = list(matches(game, 50, 5, None, 10, "random", [Speed(300, 0)] * 3))
    assert wins(found, 3) == [0, 50, 0]


def test_the_faster_one_wins_more_often(tmp_path: Path) -> None:
    game = grab(tmp_path, 2)
    first, second = wins(list(matches(game, 1000, 7, None, 10, "random", [Speed(300, 60), Speed(330, 60)])), 2)
    assert 600 < first < 900 and first + second == 1000


@pytest.mark.parametrize("name", ["spit", "dutch-blitz", "bicycle-spoons", "georgia-spoons", "pig", "hearts"])
def test_a_match_in_real_time_is_the_same_every_time(name: str) -> None:
    game = load(name).game()
    speeds = [Speed(250 + 40 * player) for player in range(game.players)]
    first, again, other = run(game, speeds), run(game, speeds), run(game, speeds, seed=2)
    assert first.record() == again.record() != other.record()
    assert first.to_json() == again.to_json()
    ends = [extra["end"] for *_, extra in first.position.record_moves if "refused" not in extra]
    assert ends == sorted(ends) and first.position.clock == ends[-1]
    assert all(extra["begin"] < extra["end"] for *_, extra in first.position.record_moves)
    assert replay(first.record()).to_json() == first.to_json()


@pytest.mark.parametrize("name", ["spit", "georgia-spoons"])
def test_a_match_is_the_same_where_moves_are_made_as_their_texts_are_read(name: str) -> None:
    game = load(name).game()
    records = []
    for as_texts in (False, True):
        race = Race(game.start(seed=3), {p: (RandomBot(p), Speed(300, 0)) for p in range(game.players)}, 3, as_texts)
        race.run(150)
        records.append(race.state.record())
    assert records[0] == records[1]


def overlaps(state: State) -> int:
    """How many moves of a player begin while another one of the same player is under way."""
    found = 0
    for player in range(state.game.program.n):
        spans = [(m[3]["begin"], m[3]["end"]) for m in state.position.record_moves if m[1] == player]
        found += sum(a[0] < b[1] and b[0] < a[1] for n, a in enumerate(spans) for b in spans[:n])
    return found


def test_a_player_with_two_hands_uses_both() -> None:
    ruleset = load(HERE / "semantics" / "rulesets" / "juggle.yaml")
    spin = [run(ruleset.game(options={"hands": hands}), [Speed(50, 10, 400)] * 3, limit=100) for hands in (1, 2)]
    assert overlaps(spin[0]) == 0 < overlaps(spin[1])


def test_nobody_moves_before_a_reaction_to_what_came_before() -> None:
    state = run(load("pig").game(), [Speed(300, 0, 100)] * load("pig").game().players)
    begins = [extra["begin"] for *_, extra in state.position.record_moves]
    assert min(begins) == 300


def test_somebody_who_is_no_bot_takes_part(tmp_path: Path) -> None:
    state = grab(tmp_path, 2).start(seed=1)
    race = Race(state, {1: (RandomBot(1), Speed(300, 0))}, 1)
    assert race.due == race.due == 500
    race.reach(0, "grab 1", 100, 499)
    while not state.over:
        assert race.step()
    assert state.winners == [0] and race.now == 499


def test_a_race_in_which_nobody_can_move_says_so() -> None:
    state = load("hearts").game().start(seed=1)
    with pytest.raises(RuleError):
        Race(state, {}, 1).run(10)


@pytest.mark.parametrize("text", ["", "fast", "300/", "0", "-3", "300/x", "3.5"])
def test_a_speed_is_a_number_of_milliseconds(text: str) -> None:
    if text == "300/":
        assert Speed.read(text) == Speed(300, 75)
        return
    with pytest.raises(ValueError, match=r"speed|millisecond"):
        Speed.read(text)


def test_simulate_tells_times() -> None:
    found = CliRunner().invoke(
        cli, ["simulate", "pig", "-p", "4", "--games", "2", "--speeds", "300,400/20,350,350", "--json"]
    )
    assert found.exit_code == 0, found.output
    told = json.loads(found.output)
    assert [s["reaction"] for s in told["speeds"]] == [300, 400, 350, 350]
    assert told["speeds"][1]["spread"] == 20
    assert told["milliseconds"]["min"] > 0 and len(told["late"]) == 4
    again = CliRunner().invoke(cli, ["simulate", "pig", "-p", "4", "--games", "2", "--speeds", "300,400/20,350,350"])
    assert again.exit_code == 0 and "seconds a game" in again.output and "300 ms" in again.output


@pytest.mark.parametrize("speeds", ["300,400", "300,400,500,600,700", "quick"])
def test_simulate_wants_a_speed_for_each_player(speeds: str) -> None:
    found = CliRunner().invoke(cli, ["simulate", "pig", "-p", "4", "--games", "5", "--speeds", speeds])
    assert found.exit_code == 2 and "--speeds" in found.output


def test_the_hands_of_one_player_do_not_reach_for_the_same_card() -> None:
    game = load("spit").game(variants=["both_hands"])
    for seed in range(3):
        speeds = (Speed(300, 60), Speed(10_000_000, 0))  # the other never gets to do anything
        race = Race(game.start(seed=seed), {p: (RandomBot(p), speed) for p, speed in enumerate(speeds)}, seed)
        race.run(200)
        assert race.late[0] < 5
