"""Many matches: the same however many processes play them, in whatever stretches, and wherever they are kept."""

from __future__ import annotations

import csv
import json
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import interpreter
from interpreter.analysis import kept_matches, simulation
from interpreter.analysis.figures import figures
from interpreter.analysis.folder_lock import FolderLock
from interpreter.analysis.kept_matches import Folder, KeptError
from interpreter.analysis.plan import Plan, Players
from interpreter.analysis.ray_tasks import read, written
from interpreter.analysis.simulation import run
from interpreter.api.game import Game
from interpreter.base.diagnostics import Span
from interpreter.base.version import version
from interpreter.engine.rule_errors import RuleError
from interpreter.players.honor_bot import Manners
from interpreter.players.monte_carlo import levels_at
from interpreter.players.realtime import Speed

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def hearts() -> Game:
    return interpreter.load("hearts").game(options={"target": 30})


def test_any_number_of_processes_plays_the_same_matches(hearts: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(hearts, 5, None, 10_000, by_deal=True)
    alone = run(plan, 30)
    monkeypatch.setattr(simulation, "ALONE", 0)  # so that one match is played here and the rest elsewhere
    monkeypatch.setattr(simulation, "MOST_IN_PART", 4)
    for workers in (2, 3):
        assert run(plan, 30, workers=workers).played == alone.played


def test_parts_are_begun_as_what_they_came_to_is_taken() -> None:
    """And no list of them is made, which could be longer than the memory."""
    begun: list[int] = []

    def begin(part: int) -> int:
        begun.append(part)
        return part

    coming = simulation.begun_ahead(begin, iter(range(10_000)), 3)
    assert begun == [] and next(coming) == 0 and begun == [0, 1, 2]
    assert [next(coming), next(coming)] == [1, 2] and begun == [0, 1, 2, 3, 4]
    assert list(simulation.begun_ahead(begin, range(5), 3)) == [0, 1, 2, 3, 4]


def test_whoever_is_slow_to_take_matches_is_not_flooded(hearts: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "ALONE", 0)
    monkeypatch.setattr(simulation, "MOST_IN_PART", 1)
    played = multiprocessing.get_context("fork").Value("i", 0)

    def play(plan: Plan, numbers: range) -> Iterator[int]:
        for number in numbers:
            with played.get_lock():
                played.value += 1
            yield number

    coming = simulation.in_order(Plan(hearts, 5, None, 100), range(2_000), 2, play)
    assert [next(coming) for _ in range(2)] == [0, 1]
    time.sleep(0.5)
    assert played.value <= 2 + 2 * simulation.AHEAD
    coming.close()


def test_an_error_of_the_rules_keeps_its_place_on_the_way_from_another_process() -> None:
    error = RuleError("'n' is 4, above its most", Span("a.yaml", 3, 5, 3, 6))
    assert str(pickle.loads(pickle.dumps(error))) == str(error) == "a.yaml:3:5: 'n' is 4, above its most"


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("hearts", Players()),
        ("cribbage", Players()),
        ("skip-bo", Players()),
        ("euchre", Players("medium")),
        ("pig", Players(speeds=(Speed(300), Speed(400), Speed(350)) * 2)),
    ],
)
def test_a_match_goes_on_after_each_deal_as_if_nobody_had_looked(name: str, players: Players) -> None:
    game = interpreter.load(name).game()
    limit = 120 if players.skill == "medium" else 300
    for deals in (None, 2):
        plain, noted = (run(Plan(game, 3, deals, limit, players, by_deal), 3).played for by_deal in (False, True))
        assert [match._replace(by_deal=()) for match in noted] == plain
        for match in noted:
            assert sum(deal.decisions for deal in match.by_deal) == match.decisions
            assert match.by_deal[-1].scores == match.scores
            assert len(match.by_deal) == match.deals


def test_after_a_deal_its_cards_have_been_counted(hearts: Game) -> None:
    for match in run(Plan(hearts, 1, None, 10_000, by_deal=True), 5).played:
        points = [sum(deal.scores) for deal in match.by_deal]
        steps = [after - before for before, after in zip([0, *points], points, strict=False)]
        assert all(step in (26, 78) for step in steps)  # a moon gives each of the others 26


def test_dealers_follow_one_another_from_the_first(hearts: Game) -> None:
    for match in run(Plan(hearts, 1, None, 10_000, by_deal=True), 5).played:
        assert match.dealer is not None
        assert [deal.dealer for deal in match.by_deal] == [(match.dealer + n) % 4 for n in range(match.deals)]


def without_places(game: Game) -> list[str]:
    """The program of a game, without the lines that say where its rules stand."""
    return [line for line in game.program.text.splitlines() if not line.lstrip().startswith("#")]


def test_a_plan_is_written_down_as_text_and_read_again(tmp_path: Path) -> None:
    rule = tmp_path / "rule.yaml"
    rule.write_text(
        "format: 1\nid: rule\nname: Rule\nextends: hearts\nvariants: {dear: {patch: {values: {points: {JD: -10}}}}}\n"
    )
    for game in (interpreter.load(rule).game(variants=["dear"]), interpreter.load("spit").game(enforcement="honor")):
        plan = Plan(game, 5, 1, 300, Players(("medium", "random"), Manners(notices=0.5), (Speed(300, 20, 90),)), True)
        job = written(plan)
        again = read(job)
        assert job.isascii() and "variants" not in json.loads(json.loads(job)["rules"])
        assert (again.seed, again.deals, again.limit, again.by_deal) == (5, 1, 300, True)
        assert again.players == plan.players and again.game.header()["options"] == game.header()["options"]
        assert again.game.enforcement == game.enforcement
        assert without_places(again.game) == without_places(game)


# ---- levels ---------------------------------------------------------------------------------------------------


def test_levels_change_seats_from_match_to_match() -> None:
    assert levels_at("hard", 3, 7) == ("hard", "hard", "hard")
    seats = [levels_at(("hard", "medium", "random"), 3, number) for number in range(4)]
    assert [at.index("hard") for at in seats] == [0, 1, 2, 0]
    assert [at.index("medium") for at in seats] == [1, 2, 0, 1]


def test_who_tries_moves_out_does_better_than_who_does_not(hearts: Game) -> None:
    plan = Plan(hearts, 2, 1, 10_000, Players(("medium", "random", "random", "random")))
    found = figures(plan, run(plan, 24, workers=2))["seats"]
    assert [(row["level"], row["seats"]) for row in found] == [("medium", 1), ("easy", 3)]
    assert found[0]["mean_score_interval"][1] < found[1]["mean_score"]
    assert found[0]["wins"] is None and found[0]["wins_interval"] is None  # no match came to its end


def test_what_a_level_wins_is_the_mean_of_its_seats(hearts: Game) -> None:
    plan = Plan(hearts, 2, None, 10_000, Players(("medium", "random", "medium", "random")))
    course = run(plan, 6)
    won: Counter[str] = Counter()
    for number, match in enumerate(course.played):
        for player in match.winners:
            won["medium" if (player - number) % 4 in (0, 2) else "random"] += 1
    seats = figures(plan, course)["seats"]
    assert [row["wins"] for row in seats] == [round(won["medium"] / 12, 4), round(won["random"] / 12, 4)]


# ---- a folder -------------------------------------------------------------------------------------------------


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_matches, "PART", 4)


PLANS = {
    "matches": lambda game: Plan(game, 5, None, 10_000),
    "deals": lambda game: Plan(game, 5, None, 10_000, by_deal=True),
    "levels": lambda game: Plan(game, 5, 2, 10_000, Players(("medium", "random", "random", "random"))),
}


def texts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("kind", PLANS)
def test_what_was_stopped_goes_on_to_the_same_files(hearts: Game, tmp_path: Path, kind: str) -> None:
    plan = PLANS[kind](hearts)
    whole = run(plan, 11, folder=Folder(tmp_path / "whole", plan))
    run(plan, 6, folder=Folder(tmp_path / "parts", plan))
    folder = Folder(tmp_path / "parts", plan)
    assert len(folder.found) == 6
    rest = run(plan, 11, folder=folder)
    assert rest.found == 6
    assert [match._replace(by_deal=()) for match in rest.played] == [m._replace(by_deal=()) for m in whole.played]
    assert texts(tmp_path / "whole") == texts(tmp_path / "parts")
    assert list(texts(tmp_path / "whole")) == ["part-00000.csv", "part-00001.csv", "part-00002.csv", "run.json"]


@pytest.mark.parametrize("rows", [1, 30, 45, 10_000])
def test_a_part_ends_behind_a_match_with_many_deals(
    hearts: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    """So that no part is too large to be read again, or to be written every few seconds."""
    monkeypatch.setattr(kept_matches, "ROWS", rows)
    plan = PLANS["deals"](hearts)
    whole = run(plan, 11, folder=Folder(tmp_path / "whole", plan))
    assert not any(match.by_deal for match in whole.played)
    for games in (1, 2, 6, 7, 11):
        folder = Folder(tmp_path / "parts", plan)
        assert folder.found == whole.played[: len(folder.found)]
        assert run(plan, games, folder=folder).played == whole.played[:games]
    assert texts(tmp_path / "whole") == texts(tmp_path / "parts")
    parts = [text.count(b"\n") - 1 for name, text in texts(tmp_path / "whole").items() if name != "run.json"]
    longest = max(match.deals for match in whole.played)
    assert all(rows <= part < rows + longest for part in parts[:-1]) and parts[-1] < rows + longest


def test_a_part_of_an_earlier_version_with_more_rows_is_read(
    hearts: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = PLANS["deals"](hearts)
    run(plan, 3, folder=Folder(tmp_path, plan))
    monkeypatch.setattr(kept_matches, "ROWS", 10)
    found = run(plan, 4, folder=Folder(tmp_path, plan))
    assert found.found == 3 and Folder(tmp_path, plan).found == found.played
    assert list(texts(tmp_path)) == ["part-00000.csv", "part-00001.csv", "run.json"]


def test_a_match_with_too_many_deals_is_refused_and_those_before_are_kept(
    hearts: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = PLANS["deals"](hearts)
    played = run(plan, 3, folder=Folder(tmp_path / "all", plan)).played
    sizes = [len(line) for line in (tmp_path / "all" / "part-00000.csv").read_text().splitlines(True)[1:]]
    monkeypatch.setattr(kept_matches, "LONGEST", 2 * (sum(sizes) - 1))
    with pytest.raises(KeptError, match=r"match 2 has \d+ deals, too many to be kept; cut matches by --limit"):
        run(plan, 3, folder=Folder(tmp_path / "some", plan))
    assert Folder(tmp_path / "some", plan).found == played[:2]


def test_real_time_and_honour_are_kept_too(tmp_path: Path) -> None:
    pig, spoons = interpreter.load("pig").game(), interpreter.load("georgia-spoons").game(enforcement="honor")
    timed = Plan(pig, 1, 1, 200, Players(speeds=(Speed(300),) * pig.players))
    honest = Plan(spoons, 1, 1, 60, Players(manners=Manners(forgets=0.3, notices=1)))
    for number, plan in enumerate((timed, honest)):
        played = run(plan, 2, folder=Folder(tmp_path / str(number), plan)).played
        assert Folder(tmp_path / str(number), plan).found == played


@pytest.mark.usefixtures("small_parts")
def test_who_interrupts_keeps_what_is_done(hearts: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(hearts, 5, None, 10_000)
    clock = iter(range(0, 10_000, 2))
    monkeypatch.setattr(simulation.time, "perf_counter", lambda: float(next(clock)))

    def interrupt(done: int) -> None:
        if done == 6:
            raise KeyboardInterrupt

    course = run(plan, 50, tell=interrupt, folder=Folder(tmp_path, plan))
    assert course.stopped == "interrupted: 6 of 50 games"
    assert Folder(tmp_path, plan).found == course.played and len(course.played) == 6


def test_a_match_without_a_deal_is_found_without_one(tmp_path: Path) -> None:
    path = tmp_path / "late.yaml"
    path.write_text(
        "format: 1\nid: late\nname: Late\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true}, hand: {each: player}}\n"
        "flow:\n  match: {do: [bid, rounds]}\n  rounds: {repeat: deal, until: stock is empty}\n"
        "  bid: {kind: turn, first: P1, turns: 9, actions: {more: {}}}\n"
        "  deal: {do: [play], setup: move 1 from stock to hand of P1}\n"
        "  play: {kind: turn, first: P1, turns: 1, actions: {more: {}}}\n"
    )
    plan = Plan(interpreter.load(path).game(), 0, None, 5, by_deal=True)
    played = run(plan, 2, folder=Folder(tmp_path / "kept", plan)).played
    assert (
        [match.deals for match in played] == [match.deals for match in Folder(tmp_path / "kept", plan).found] == [0, 0]
    )
    rows = list(csv.DictReader((tmp_path / "kept" / "part-00000.csv").open()))
    assert [(row["match"], row["deal"], row["decisions"]) for row in rows] == [("0", "0", "5"), ("1", "0", "5")]


def test_a_part_is_written_while_it_grows(hearts: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(hearts, 5, None, 10_000)
    clock = iter((0, 1, 5, 6, 7, 11, 12))
    monkeypatch.setattr(kept_matches.time, "monotonic", lambda: next(clock))
    folder, lines = Folder(tmp_path, plan), []
    for match in run(plan, 4).played:
        folder.add(match)
        found = tmp_path / "part-00000.csv"
        lines.append(len(found.read_text().splitlines()) if found.exists() else 0)
    assert lines == [0, 3, 3, 5]  # with the names of the columns: after five seconds, and again after five


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("ending", ["SIGTERM", "SIGHUP"])
def test_whatever_ends_it_what_is_done_is_kept(tmp_path: Path, ending: str) -> None:
    """Also where the processes that play for it are told, too, as by `timeout` or a system that shuts down."""
    kept = tmp_path / "kept"
    command = [sys.executable, "-m", "interpreter", "simulate", "hearts", "--skill", "medium", "--deals", "1"]
    more = ["--games", "999", "--workers", "2", "--out", str(kept)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "HOUSERULES_NATIVE": "0"}
    before = signal.signal(getattr(signal, ending), signal.SIG_DFL)  # under `nohup` it would be ignored
    try:
        process = subprocess.Popen([*command, *more], env=environment, start_new_session=True, stdout=subprocess.PIPE)
    finally:
        signal.signal(getattr(signal, ending), before)
    with process:
        until = time.monotonic() + 60
        while not (kept / "part-00000.csv").exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(1)  # in which more is played, but not written
        os.killpg(process.pid, getattr(signal, ending))
        told, _ = process.communicate(timeout=30)
    found = list(csv.DictReader((kept / "part-00000.csv").open()))
    assert process.returncode == 0 and found and f"interrupted: {len(found)} of 999 games" in told.decode()


def in_another_process(folder: Path) -> str:
    """What a command says that would write to a folder."""
    command = [sys.executable, "-m", "interpreter", "simulate", "pig", "--games", "2", "--out", str(folder)]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=60
    )
    return " ".join(done.stderr.split()) if done.returncode == 2 else ""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_one_writes_to_a_folder_at_a_time(hearts: Game, tmp_path: Path) -> None:
    plan = Plan(interpreter.load("pig").game(), 0, None, 100_000)
    first = Folder(tmp_path, plan, version=version())
    with pytest.raises(KeptError, match=f"another command writes to {tmp_path}; wait until it has ended, or take"):
        Folder(tmp_path, plan, version=version())
    assert f"Error: --out: another command writes to {tmp_path}" in in_another_process(tmp_path)
    first.close()
    assert in_another_process(tmp_path) == ""
    with pytest.raises(KeptError, match="holds another simulation"):
        Folder(tmp_path, Plan(hearts, 0, None, 100_000))
    assert len(Folder(tmp_path, plan, version=version()).found) == 2  # who was refused has let go of it


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_who_plays_for_a_command_does_not_keep_its_folder(hearts: Game, tmp_path: Path) -> None:
    """For it may play on for a while when the command has been ended by force."""
    lock = FolderLock(tmp_path)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(os.getpid) != os.getpid()
        os.close(lock._file)  # not let go of: as if we were gone
        FolderLock(tmp_path).let_go()
        lock._file = -1


@pytest.mark.usefixtures("small_parts")
def test_one_row_is_a_match_or_a_deal(hearts: Game, tmp_path: Path) -> None:
    for name, by_deal in (("matches", False), ("deals", True)):
        plan = Plan(hearts, 5, None, 10_000, by_deal=by_deal)
        played = run(plan, 3, folder=Folder(tmp_path / name, plan)).played
        with (tmp_path / name / "part-00000.csv").open() as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == (sum(match.deals for match in played) if by_deal else 3)
        assert {row["match"] for row in rows} == {"0", "1", "2"}
        assert sum(int(row["over"]) for row in rows) == 3
        assert [int(rows[-1][f"score_P{p}"]) for p in range(1, 5)] == list(played[-1].scores)


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (lambda game: Plan(game, 6, None, 10_000), "'seed' differs"),
        (lambda game: Plan(game, 5, 1, 10_000, Players("medium")), "'deals' and 'levels' differ"),
        (lambda game: Plan(game, 5, None, 10_000, by_deal=True), "'by' and 'columns' differ"),
        (lambda game: Plan(interpreter.load("hearts").game(), 5, None, 10_000), "'game' differs"),
    ],
)
def test_a_folder_of_another_simulation_is_refused(hearts: Game, tmp_path: Path, other, told: str) -> None:
    plan = Plan(hearts, 5, None, 10_000)
    run(plan, 2, folder=Folder(tmp_path, plan))
    before = texts(tmp_path)
    with pytest.raises(KeptError, match=f"holds another simulation, whose {told}; take another folder"):
        Folder(tmp_path, other(hearts))
    with pytest.raises(KeptError, match="whose 'version' differs"):
        Folder(tmp_path, plan, version="99")
    assert texts(tmp_path) == before


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text.replace("match,", "march,"), "has other columns than run.json says"),
        (lambda text: text.replace("\n1,", "\n7,"), "is damaged at match 1"),
        (lambda text: text.replace("\n0,", "\n0,many,"), "is damaged at match 0"),
        (lambda text: re.sub(r"\n0,\d+,", f"\n0,{'9' * 400},", text), "is damaged at match 0"),
        (lambda text: re.sub(r"(\n0,(?:\d+,){3})1,", r"\1x,", text), "is damaged at match 0"),
        (lambda text: re.sub(r"(\n0,(?:\d+,){3})1,", r"\g<1>0,", text), "is damaged at match 0"),
        (lambda text: text.replace("\n1,", "\n0_1,"), "is damaged at match"),
        (lambda text: text.replace("\n1,", "\n\u0661,"), "is damaged at match"),
        (lambda text: "", "cannot be read"),
        (lambda text: text + "9" * 200_000, "cannot be read"),
    ],
)
def test_a_damaged_part_is_refused(hearts: Game, tmp_path: Path, change, told: str) -> None:
    plan = Plan(hearts, 5, None, 10_000)
    run(plan, 3, folder=Folder(tmp_path, plan))
    part = tmp_path / "part-00000.csv"
    part.write_text(change(part.read_text()))
    with pytest.raises(KeptError, match=f"part-00000.csv {told}.*; delete it to have"):
        Folder(tmp_path, plan)


def test_a_part_that_is_no_file_is_not_read(hearts: Game, tmp_path: Path) -> None:
    plan = Plan(hearts, 5, None, 10_000)
    run(plan, 3, folder=Folder(tmp_path, plan))
    part = tmp_path / "part-00000.csv"
    part.unlink()
    os.mkfifo(part)  # who opens it waits for ever
    with pytest.raises(KeptError, match=r"part-00000\.csv is no ordinary file"):
        Folder(tmp_path, plan)


def test_no_link_is_followed_when_a_part_is_written(
    hearts: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, precious = Plan(hearts, 5, None, 10_000), tmp_path / "precious"
    precious.write_text("precious")
    monkeypatch.setattr(kept_matches.secrets, "token_hex", lambda _: "guessed")
    folder = Folder(tmp_path / "kept", plan)
    (tmp_path / "kept" / ".part-00000.csv.guessed").symlink_to(precious)
    with pytest.raises(FileExistsError):
        run(plan, 3, folder=folder)
    assert precious.read_text() == "precious"


def test_a_folder_of_something_else_is_refused(hearts: Game, tmp_path: Path) -> None:
    plan = Plan(hearts, 5, None, 10_000)
    (tmp_path / "part-00000.csv").write_text("match\n")
    with pytest.raises(KeptError, match=r"holds parts of a simulation, but no run\.json"):
        Folder(tmp_path, plan)
    (tmp_path / "run.json").write_text("[" * 100_000)
    with pytest.raises(KeptError, match=r"run\.json cannot be read; take another folder"):
        Folder(tmp_path, plan)
