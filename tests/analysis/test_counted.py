"""What a ruleset counts at the end of a stage: told of each match, and without effect on it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import interpreter
from interpreter.analysis.comparison import compare
from interpreter.analysis.figures import figures, told
from interpreter.analysis.kept_matches import Folder
from interpreter.analysis.plan import Plan, Players
from interpreter.analysis.simulation import run
from interpreter.api.game import Game
from interpreter.api.playouts import matches
from interpreter.engine.rule_errors import RuleError

RULES = """\
format: 1
id: counting
name: Counting
players: {min: 2, max: 4, default: 4}
teams: {size: 2}
pack: {standard: 1}
zones: {stock: {pack: true}, hand: {each: player, seen by: owner}, pile: {seen by: everyone}}
state: {score: {each: player, type: integer, lasts: match}}
define:
  high_card: {count: deal, value: any c in pile has c.rank = A}
  laid: {count: deal, value: count of pile}
  laid_at_last: {count: match, value: count of pile}
  first_to_have_ten: {count: deal, value: first p in players where score of p >= 10}
  points(p): {count: deal, value: score of p}
  of_team(t): {count: deal, value: sum score of p for p in players where team of p = t}
flow:
  match: {first dealer: P1, repeat: deal, until: number of deal = 3}
  deal:
    setup: gather all to stock; shuffle stock; deal 2 from stock to hand
    do: [play]
    cleanup: move all from pile to stock
    next dealer: left
  play:
    kind: turn
    turns: 3
    actions: {lay: {choose: {card: {from: hand}}, effect: move card to pile; add 5 to score}}
"""


def game(tmp_path: Path, text: str = RULES, players: int = 4) -> Game:
    path = tmp_path / "counting.yaml"
    path.write_text(text)
    return interpreter.load(path).game(players)


def columns(game: Game, counted: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(game.program.counted, counted, strict=True))


def test_it_is_worked_out_whenever_the_stage_ends_before_its_cleanup(tmp_path: Path) -> None:
    made = game(tmp_path)
    (match,) = matches(made, 1, 1, None, 100)
    found = columns(made, match.counted)
    assert found["laid"] == 9  # three of three deals: the pile is not yet cleared
    assert found["laid_at_last"] == 0  # as the match ends it is
    # P1 to P3 lay a card in the first deal, P4, P1 and P2 in the second, P3, P4 and P1 in the third: 5 points each.
    assert match.scores == (15, 10, 10, 10)
    assert [found[f"points_P{p}"] for p in (1, 2, 3, 4)] == [5 + 10 + 15, 5 + 10 + 10, 5 + 5 + 10, 0 + 5 + 10]
    assert [found["of_team_T1"], found["of_team_T2"]] == [30 + 20, 25 + 15]
    assert 0 <= found["high_card"] <= 3


def test_a_player_is_counted_as_whoever_it_is_and_none_is_nobody(tmp_path: Path) -> None:
    made = game(tmp_path)
    (match,) = matches(made, 1, 1, None, 100)
    found = columns(made, match.counted)
    assert [found[f"first_to_have_ten_P{p}"] for p in (1, 2, 3, 4)] == [2, 0, 0, 0]  # after the first deal nobody has


def test_counting_changes_no_match(tmp_path: Path) -> None:
    counted = game(tmp_path)
    plain = game(tmp_path, RULES.replace("count: deal, ", "").replace("count: match, ", ""))
    assert plain.program.counted == ()
    ours, theirs = (list(matches(made, 5, 1, None, 100)) for made in (counted, plain))
    assert [match._replace(counted=()) for match in ours] == theirs
    state = counted.start(seed=1)
    assert state.position.counted is None and '"count' not in state.to_json().replace('"counting"', "")


@pytest.mark.parametrize("players", [Players(), Players("medium")])
def test_only_the_match_itself_is_counted_and_no_trial_of_a_bot(tmp_path: Path, players: Players) -> None:
    made = game(tmp_path)
    for match in run(Plan(made, 1, None, 100, players), 2).played:
        assert columns(made, match.counted)["laid"] == 9


def test_a_deal_that_is_dealt_anew_has_not_ended(tmp_path: Path) -> None:
    again = RULES.replace(
        "add 5 to score}", "if chances < 2 then add 1 to chances; redeal end; add 5 to score}"
    ).replace("state: {", "state: {chances: {type: integer, lasts: match}, ")
    made = game(tmp_path, again)
    (match,) = matches(made, 1, 1, None, 100)
    assert columns(made, match.counted)["laid"] <= 9 and match.decisions > 9
    assert match.deals == 3


def test_what_cannot_be_worked_out_stops_the_simulation_at_its_place(tmp_path: Path) -> None:
    made = game(
        tmp_path, RULES.replace("value: count of pile}\n  laid_at", "value: 6 div (count of pile - 3)}\n  laid_at")
    )
    with pytest.raises(RuleError, match=r"counting\.yaml:11:.*this divides by 0"):
        list(matches(made, 1, 1, None, 100))


def test_it_is_told_kept_and_compared(tmp_path: Path) -> None:
    made = game(tmp_path)
    plan = Plan(made, 1, None, 100)
    course = run(plan, 4, folder=Folder(tmp_path / "kept", plan))
    assert Folder(tmp_path / "kept", plan).found == course.played
    with (tmp_path / "kept" / "part-00000.csv").open() as file:
        assert [row["count_laid"] for row in csv.DictReader(file)] == ["9"] * 4
    found = figures(plan, course)
    assert found["counted"]["laid"] == {"mean": 9, "interval": [9, 9]}
    assert "\nlaid: 9 a game (9.00 to 9.00)\n" in told(found, None, 100)
    shorter = game(tmp_path, RULES.replace("turns: 3", "turns: 2").replace("  high_card: ", "  new_name: "))
    sides = [("three", plan, None), ("two", Plan(shorter, 1, None, 100), None)]
    said = [str(difference) for difference in compare(sides, 20).differences]
    assert "laid comes to 6.0 a match instead of 9.0 (-3.00 to -3.00)" in said
    assert not any("name" in sentence or "high_card" in sentence for sentence in said)


@pytest.mark.parametrize("sign", ("", "-"))
def test_a_count_grows_no_larger_than_any_other_number(tmp_path: Path, sign: str) -> None:
    large = RULES.replace(
        "laid: {count: deal, value: count of pile}", f"huge: {{count: deal, value: {sign}{10**18 - 1}}}"
    )
    with pytest.raises(RuleError, match="what is counted as 'huge' grows beyond"):
        list(matches(game(tmp_path, large), 1, 1, None, 100))
