"""Matches that are kept unasked, who plays them, moves that are taken back, and hints."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from errno import ENOSPC
from pathlib import Path

import pytest
from pseudo_terminal import ROOT
from rich.console import Console

import interpreter
from interpreter.api.record_file import RecordFile
from interpreter.interfaces import saved_matches
from interpreter.interfaces.cli import play, run
from interpreter.interfaces.party import Party, misnamed, recorded_names, recorded_seats, recorded_skill
from interpreter.interfaces.terminal.ending import (
    HINTS_ARE_FOR_TURNS,
    NOT_AMONG_PEOPLE,
    NOT_ON_HONOUR,
    NOTHING_TO_UNDO,
    Left,
)
from interpreter.interfaces.terminal.keyboard import Keyboard
from interpreter.interfaces.terminal.match import Table
from interpreter.interfaces.terminal.screen import Screen
from interpreter.players.monte_carlo import advice
from interpreter.players.random_bot import RandomBot

TRICK = {"at": "tricks", "current": "P1", "trick number": 3, "hand": {
    "P1": "2D 10H QS", "P2": "5D JD 6C", "P3": "5C AH KS", "P4": "6D 7H 8S"}}  # fmt: skip


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where matches are kept."""
    monkeypatch.setenv("HOUSERULES_DATA", str(tmp_path / "data"))
    return tmp_path / "data" / "matches"


def program(*arguments: str, text: str = "") -> str:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "interpreter", "play", *arguments]
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, encoding="utf-8", env=environment, timeout=60
    )
    assert done.stderr == "" and done.returncode == 0
    return done.stdout


# ---- kept unasked -----------------------------------------------------------------------------------------


def test_the_last_match_goes_on_with_the_same_people_at_the_same_seats(kept: Path) -> None:
    hearts = ("hearts", "-p", "3", "-o", "pass_count=0", "--seed", "4")
    shown = program(*hearts, "--seat", "2", "--name", "Anna", "--name", "Ben", "--skill", "hard", text="1\n")
    assert shown.endswith("the match is not finished; go on with: houserules play --resume\n")
    header, *moves = [json.loads(line) for line in saved_matches.last().read_text().splitlines()]
    assert header["table"] == {"seats": ["P2"], "names": ["Anna", "Ben"], "skill": "hard"} and header["people"] == 1
    assert len(moves) > 1 and "P2" in {move["player"] for move in moves}
    shown = program("--resume")
    assert f"{len(moves)} moves were made" in shown and "\nBen> " in shown and "Ben " in shown
    assert re.search("^  Ben .* you", shown, re.MULTILINE)
    other = program("--resume", "--seat", "3", "--skill", "easy")
    assert other.endswith("go on with: houserules play --resume --seat 3 --skill random\n")


def test_the_last_match_goes_on_by_its_own_rules_wherever_one_stands(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder, base in ((here, "hearts"), (there, "spades")):
        folder.mkdir()
        (folder / "mine.yaml").write_text(f"format: 1\nid: mine\nname: Mine\nextends: {base}\n", encoding="utf-8")
    monkeypatch.chdir(here)
    program("./mine.yaml", "-o", "pass_count=0", "--seed", "4", text="1\n")
    monkeypatch.chdir(there)
    shown = program("--resume")
    assert "moves were made" in shown and "has changed" not in shown


def test_a_long_name_is_shortened_in_that_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSERULES_DATA", str(tmp_path))
    for number in range(2):
        path = saved_matches.new_path("a" * 300)
        path.write_text("{}")
        assert path.name.endswith("-a" + "a" * 59 + ("-2" if number else "") + ".jsonl")


def test_a_match_that_is_over_is_put_by(kept: Path, capsys) -> None:
    game = interpreter.load("hearts").game(3, {"target": 1})

    path = saved_matches.new_path("hearts")
    state = game.start(seed=4)
    while not state.over:
        state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    RecordFile(path, state, people=1).close()
    assert run(["play", "--resume"]) == 0
    assert saved_matches.last() is None and (kept / "finished" / path.name).exists()
    assert run(["play", "--resume"]) == 2
    assert "there is no match that could go on" in capsys.readouterr().err


def test_the_last_match_of_a_game_goes_on(kept: Path, capsys) -> None:
    for name, changed in (("hearts", 10), ("spades", 20), ("hearts", 5)):
        path = saved_matches.new_path(name)
        path.write_text("no record\n")
        os.utime(path, (changed, changed))
    assert saved_matches.last() == saved_matches.last(["spades"]) == next(kept.glob("*-spades.jsonl"))
    assert saved_matches.last(["hearts"]) in [*kept.glob("*-hearts.jsonl")] and len([*kept.glob("*.jsonl")]) == 3
    assert saved_matches.last(["uno"]) is None
    assert run(["play", "hearts", "--resume"]) == 1
    told = capsys.readouterr().err  # which names the file, as nobody has
    assert re.match(r"\S+-hearts(-2)?\.jsonl: the record .* this is no line of a record: 'no record'\n$", told)


RULES = "format: 1\nid: {}\nname: Mine\nextends: {}\n"


@pytest.mark.parametrize(
    ("played", "other", "asked"),
    [
        (["phase-10"], ["hearts"], "phase-10"),
        (["./mine.yaml"], ["./mine-2.yaml"], "./mine.yaml"),
        (["spit", "-v", "five_card_hand"], ["hearts"], "spit"),
        (["./mine-2.yaml"], ["./mine.yaml"], "./mine-2.yaml"),
    ],
    ids=["a number in its name", "an id that is not the file's name", "a variant", "a name that begins as another"],
)
def test_the_last_match_of_a_game_is_known_by_its_ruleset(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, played: list[str], other: list[str], asked: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(RULES.format("house", "pig"))
    Path("mine-2.yaml").write_text(RULES.format("mine-2", "hearts"))
    paths = []
    for source, *variants in (played, other):
        game = interpreter.load(source).game(variants=variants[1:])
        path = saved_matches.new_path(game.ruleset.id)
        RecordFile(path, game.start(seed=1), people=1).close()
        paths.append(path)
        os.utime(path, (len(paths), len(paths)))
    assert play._last(asked) == paths[0]


def test_a_match_is_put_by_whichever_way_its_folder_is_written(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved_matches.new_path("game")
    path.write_text("")
    saved_matches.put_by(kept / ".." / kept.name / path.name)
    assert [each.name for each in (kept / "finished").iterdir()] == [path.name]


def test_only_the_latest_finished_matches_are_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_matches, "MOST_FINISHED", 2)
    for changed in (1, 2, 3):
        path = saved_matches.new_path(f"game{changed}")
        path.write_text("")
        os.utime(path, (changed, changed))
        saved_matches.put_by(path)
    assert sorted(path.name[18:] for path in (kept / "finished").iterdir()) == ["game2.jsonl", "game3.jsonl"]
    elsewhere = kept.parent / "mine.jsonl"
    elsewhere.write_text("")
    saved_matches.put_by(elsewhere)
    assert elsewhere.exists()


def test_a_match_that_cannot_be_kept_is_played_all_the_same(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOUSERULES_DATA", str(tmp_path / "file"))
    shown = program("hearts", "-p", "3", "-o", "pass_count=0", "--seed", "4", text="1\n")
    assert "this match is not saved: " in shown and "You play" in shown
    assert shown.endswith("the match is not finished\n")


def test_bots_among_themselves_are_not_kept(kept: Path) -> None:
    program("hearts", "--bots", "all", "--seed", "2", "-o", "target=1")
    assert not kept.exists()


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ({"seats": ["P3", "P1"], "names": ["A", "B"], "skill": "hard"}, ((2, 0), ("A", "B"), "hard")),
        ({"seats": ["P5"], "names": ["x" * 21], "skill": "best"}, (None, (), None)),
        ({"seats": ["P1", "P1"], "names": ["P2"], "skill": 3}, (None, (), None)),
        ({"seats": [[]], "names": [3]}, (None, (), None)),
        ({"seats": "P1", "names": "Anna"}, (None, (), None)),
        ({"names": ["A"] * 9}, (None, (), None)),
        ({}, (None, (), None)),
    ],
)
def test_what_a_record_says_of_people_is_taken_only_where_it_fits(table, found) -> None:
    assert (recorded_seats(table, 4), recorded_names(table, 4), recorded_skill(table)) == found


@pytest.mark.parametrize("name", ["An\x1bna", "An\u202ena", "An\u200bna", "", " ", "x" * 21, "P2", "t1", "Nobody", "7"])
def test_a_name_steers_no_terminal_and_means_nobody_else(name: str) -> None:
    assert misnamed(["Ben", name])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seat", "5"], "there is no seat 5: 4 play"),
        (["--seat", "2", "--seat", "2"], "there is one person to a seat"),
        (["--seat", "2", "--humans", "2"], "--seat is given 1 times, for 2 people"),
        (["--seat", "2", "--bots", "all"], "--bots all leaves no place for --seat"),
    ],
)
def test_seats_that_are_none_are_refused(arguments: list[str], message: str, capsys) -> None:
    assert run(["play", "hearts", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_who_goes_on_says_only_what_differs() -> None:
    game = interpreter.load("hearts").game()
    party = Party((0,), skill="medium")
    assert party.differing(party, game) == party.differing(None, game) == []
    assert Party((0, 1), skill="hard").differing(party, game) == ["--humans 2", "--skill hard"]
    assert Party((2,), skill="medium").differing(party, game) == ["--seat 3"]
    assert Party((), skill="medium").differing(party, game) == ["--bots all"]


# ---- taken back, and hints --------------------------------------------------------------------------------


def sit(state: interpreter.State, typed: str, people: tuple[int, ...] = (0,)) -> str:
    stream = io.StringIO()
    bots = {p: RandomBot(p) for p in range(state.game.players) if p not in people}
    screen = Screen(Console(file=stream, width=100, highlight=False))
    table = Table(state, people, bots, screen, Keyboard(io.StringIO(typed)), RandomBot(9), str, advise=advice)
    with pytest.raises(Left):
        table.run()
    return stream.getvalue()


def test_a_move_is_taken_back_with_all_that_came_after_it() -> None:
    state = interpreter.load("hearts").game().start(given=TRICK)
    shown = sit(state, "play 2D\nundo\n")
    assert "You take back: play 2♦. Chance goes on in another way from here." in shown
    assert sorted(state.zone("hand", 0)) == ["10H", "2D", "QS"]
    assert state.actors == [0] and not state.position.record_moves
    assert shown.rstrip().endswith("P1>") and shown.count("your hand: 2♦   Q♠   10♥") == 2


def test_what_was_told_is_not_told_again_when_a_move_was_taken_back() -> None:
    state = interpreter.load("hearts").game(3, {"pass_count": 0}).start(seed=4)
    shown = sit(state, "1\n1\nundo\nlog\n")
    assert shown.count("Everybody gets 17 cards.") == 2  # as it happened, and in the log
    assert "trick 1" in shown.split("You take back")[1]


def test_where_nothing_can_be_taken_back_it_is_said() -> None:
    hearts = interpreter.load("hearts")
    assert NOTHING_TO_UNDO in sit(hearts.game().start(given=TRICK), "undo\n")
    assert NOT_AMONG_PEOPLE in sit(hearts.game().start(given=TRICK), "\nundo\n", people=(0, 1))
    assert NOT_ON_HONOUR in sit(hearts.game(enforcement="honor").start(given=TRICK), "undo\n")


def test_a_hint_is_a_lawful_move_with_its_reason_in_numbers() -> None:
    state = interpreter.load("hearts").game().start(given=TRICK)
    before = state.to_json()
    shown = sit(state, "hint\nhint\n")
    found = re.findall(
        r"^Try: play (2♦|Q♠)\. In \d+ trials of how .* (?:\d+\.\d (?:better|worse)|as well) off", shown, re.M
    )
    assert len(found) == 2 and found[0] == found[1]
    assert re.search(r"^Others: play (2♦|Q♠) \([+-]\d+\.\d in \d+\)\.$", shown, re.M)
    assert state.to_json() == before


def test_on_honour_there_are_no_hints() -> None:
    state = interpreter.load("hearts").game(enforcement="honor").start(given=TRICK)
    assert HINTS_ARE_FOR_TURNS in sit(state, "hint\n")


def test_who_has_no_choice_is_told_so() -> None:
    given = {
        "at": "tricks",
        "current": "P1",
        "trick number": 13,
        "hand": {"P1": "2D", "P2": "5D", "P3": "5C", "P4": "6D"},
    }
    assert "You can only play 2♦." in sit(interpreter.load("hearts").game().start(given=given), "hint\n")


# ---- numbers of a list ------------------------------------------------------------------------------------


def test_numbers_of_a_list_label_no_numbers() -> None:
    state = interpreter.load("spades").game().start(seed=3)
    while "bid 3" not in map(str, state.legal_moves(0)):
        player = state.actors[0]
        state.play(player, next(move for move in state.legal_moves(player) if str(move) != "blind_nil"))
    shown = sit(state, "3\n")
    assert re.search(r"^  bid: 0 +1 +2 +3 ", shown, re.M)
    assert "You bid 3." in shown


# ---- files that another match takes, or that hold none ----------------------------------------------------


def test_matches_that_begin_in_the_same_second_have_files_of_their_own(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_matches.time, "strftime", lambda form: "2026-01-01-120000")
    quicker = []

    def make(path: Path) -> Path:
        if not quicker:  # another match takes the name just now
            quicker.append(path)
            path.write_text("", encoding="utf-8")
        path.touch(exist_ok=False)
        return path

    path, same = saved_matches.begin("hearts", make)
    assert (quicker[0].name, path.name) == ("2026-01-01-120000-hearts.jsonl", "2026-01-01-120000-hearts-2.jsonl")
    assert path == same
    saved_matches.put_by(path)
    assert saved_matches.new_path("hearts").name == "2026-01-01-120000-hearts-3.jsonl"  # one that is finished stays


def test_a_match_that_could_not_be_begun_leaves_no_file(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: RecordFile) -> None:
        raise OSError(ENOSPC, "no space left")

    monkeypatch.setattr(RecordFile, "keep", full)
    path = saved_matches.new_path("hearts")
    with pytest.raises(OSError, match="no space left"):
        RecordFile(path, interpreter.load("hearts").game().start(seed=1), people=1)
    assert not path.exists()


@pytest.mark.parametrize("held", [b"", b'{"houserules":1,"name":"Hea'], ids=["nothing", "half a line"])
def test_a_file_that_holds_no_match_is_not_the_last_that_could_go_on(kept: Path, held: bytes) -> None:
    begun = saved_matches.new_path("spades")
    RecordFile(begun, interpreter.load("spades").game().start(seed=1), people=1).close()
    os.utime(begun, (1, 1))
    saved_matches.new_path("hearts").write_bytes(held)
    assert saved_matches.last() == begun
    assert saved_matches.last(["hearts"]) is None
