"""The command line: what each command prints, and its exit codes. Terminal play is tested in test_terminal.py."""

from __future__ import annotations

import ast
import errno
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from walks import SHIPPED

import interpreter
from interpreter.api import record as records
from interpreter.api.record_file import go_on
from interpreter.base.resources import find
from interpreter.interfaces import catalogue, house_rules
from interpreter.interfaces.catalogue import entries
from interpreter.interfaces.cli import run
from interpreter.interfaces.cli.commands import GROUPS, cli
from interpreter.interfaces.terminal.ending import MOST_IDLE, Progress
from interpreter.language.source import parse_head

ROOT = Path(interpreter.__file__).parent.parent
COMMANDS = [
    "check",
    "compare",
    "compile",
    "completion",
    "diff",
    "explain",
    "host",
    "list",
    "new",
    "play",
    "replay",
    "schema",
    "show",
    "simulate",
    "test",
    "validate",
]
BROKEN = """\
format: 1
id: broken
name: Broken
extends: hearts
options: {target: {default: 50}}
flow:
  tricks: {on trick: move all from trick to takn of winner}
"""
SCENARIO = """\
game: hearts
name: whoever holds the lowest club leads it
given: {at: tricks, current: P1, trick number: 13, hand: {P1: 2D, P2: JD, P3: 5C, P4: 6C}}
steps:
  - P1 play 2D
  - expect: {phase: PHASE}
"""


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def house(capsys, monkeypatch, tmp_path):
    """Runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HOUSERULES_DEBUG", raising=False)

    def call(*arguments: str) -> Result:
        code = run(list(arguments))
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return call


def program(*arguments: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """The program as a process of its own."""
    known = {k: v for k, v in os.environ.items() if k != "HOUSERULES_DEBUG"}
    environment = known | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"} | environment
    command = [sys.executable, "-m", "interpreter", *arguments]
    return subprocess.run(
        command, input=text, capture_output=True, text=True, encoding="utf-8", env=environment, timeout=60
    )


# ---- reading --------------------------------------------------------------------------------------------


def test_list_names_every_shipped_ruleset(house):
    result = house("list")
    assert result.code == 0
    shipped = sorted(path.stem for path in (ROOT / "rulesets").glob("*.yaml"))
    assert [line.split()[0] for line in result.out.splitlines()] == shipped
    assert re.search(r"^hearts +Hearts +3 to 5 players$", result.out, re.MULTILINE)


def test_list_reads_the_heads_of_rulesets_without_loading_them():
    script = (
        "import sys; from interpreter.interfaces.cli import run; run(['list']); "
        "print(*[m for m in sys.modules if 'lark' in m or m == 'interpreter.api.game'])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert found.stdout.splitlines()[-1] == ""


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("id: a\nname: Ace\nplayers: {min: 2, max: 2}\n", ("a", "Ace", (2,))),
        ("id: a\nname: 'Ace, high'  # so called\nplayers:\n  min: 2\n\n  max: 4\n", ("a", "Ace, high", (2, 3, 4))),
        ("id: a\nname: Ace\nextends: b\n", ("a", "Ace", (3, 4, 5))),
        ("id: a\nname: Ace\nextends: a\n", ("a", "Ace", ())),
        ("- nonsense\n", ("a", "a", ())),
        ("", ("a", "a", ())),
        ('{"id": a, "name": Ace, "players": {max: 9, min: 2}}\n', ("a", "Ace", (2, 3, 4, 5, 6, 7, 8, 9))),
        ("about: |\n  text\nname: |\n  Ace\n  high\nplayers: {max: 4, min: 2}\n", ("a", "Ace\ufffdhigh", (2, 3, 4))),
        ("name: Ace\nplayers:  # min: 7, max: 8\n  min: 2\n  max: 3\n", ("a", "Ace", (2, 3))),
        ("variants: {b: {players: {min: 7, max: 8}}}\nname: 21\nplayers: {min: yes, max: true}\n", ("a", "21", ())),
        ("name: Ace\nplayers: {min: 2, max: 3}\nzones: [\n", ("a", "Ace", (2, 3))),
        ("name: Ace\nzones: [\nplayers: {min: 2, max: 3}\n", ("a", "Ace", ())),
        ("name: Ace\x1b[2J\nplayers: {min: 2, max: 3}\n", ("a", "a", ())),
        ("name: Ace\nplayers: {only: [6, 2, 4]}\n", ("a", "Ace", (2, 4, 6))),
        ("name: Ace\nplayers: {min: 2, max: 999999999}\n", ("a", "Ace", tuple(range(2, 17)))),
    ],
)
def test_heads(tmp_path, monkeypatch, text, entry):
    (tmp_path / "a.yaml").write_text(text)
    (tmp_path / "b.yaml").write_text("name: B\nplayers: {min: 3, max: 5, default: 4}\n")
    monkeypatch.setattr(catalogue, "find", lambda _: tmp_path)
    found = catalogue.entries()[0]
    assert (found.id, found.name, found.players) == entry


def test_a_ruleset_that_cannot_be_read_is_listed_by_its_id(house, tmp_path, monkeypatch):
    (tmp_path / "a.yaml").mkdir()
    (tmp_path / "b.yaml").write_bytes(b"name: \xff\nplayers: {min: 2, max: 3}\n")
    (tmp_path / "c.yaml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "d.yaml").write_text("name: D\nplayers: {min: 2, max: 3}\n")
    monkeypatch.setattr(catalogue, "find", lambda _: tmp_path)
    result = house("list")
    assert (result.code, [line.split() for line in result.out.splitlines()]) == (
        0, [["a", "a"], ["b", "b"], ["c", "c"], ["d", "D", "2", "to", "3", "players"]],
    )  # fmt: skip


def test_the_head_of_a_ruleset_is_read_no_further_than_it_is_asked():
    head = parse_head("name: Ace\nplayers: {min: 2, max: 3}\nzones: [\n", "a.yaml")
    assert [next(head)[0], next(head)[0]] == ["name", "players"]
    assert list(head) == []


def test_show_and_explain(house):
    shown = house("show", "hearts")
    assert shown.code == 0
    assert "players: 3 to 5, 4 unless you say" in shown.out
    assert "target: 100; possible: 1 to 1000." in shown.out
    assert "short_game" in shown.out
    assert "  └─ deals (again and again)\n     └─ deal\n        ├─ passing (simultaneous)" in shown.out
    explained = house("explain", "hearts", "-o", "target=50")
    assert explained.code == 0
    assert "Here: 50 (usually 100); possible: 1 to 1000." in explained.out
    assert "It ends: As soon as some player's score is at least 50." in explained.out
    assert "told here for 3, on honour" in house("explain", "hearts", "-p", "3", "--honor").out
    assert "Here: none; possible: at most -1 or none." in " ".join(house("explain", "spades-two").out.split())


def test_show_lists_the_overlays_beside(house):
    Path("mine.yaml").write_text("format: 1\nid: mine\nextends: hearts\nabout: To fifty.\n")
    Path("other.yaml").write_text("format: 1\nid: other\nextends: pig\n")
    shown = house("show", "hearts").out
    assert "OVERLAYS\n  mine.yaml: To fifty.\n\nFILES" in shown


def test_show_reads_only_ordinary_files_of_the_folder_itself(house, tmp_path_factory):
    outside = tmp_path_factory.mktemp("elsewhere") / "secret.yaml"
    outside.write_text("extends: hearts\nabout: a secret\n")
    Path("link.yaml").symlink_to(outside)
    Path("gone.yaml").symlink_to("nothing-there.yaml")
    Path("folder.yaml").mkdir()
    Path("large.yaml").write_text("extends: hearts\nabout: a large one\n" + "#" * 1_000_000)
    Path("bytes.yaml").write_bytes(b"extends: hearts\nabout: \xff\n")
    Path("mine.yaml").write_text("extends: hearts\nabout: To fifty.\n")
    if hasattr(os, "mkfifo"):
        os.mkfifo("zz.yaml")  # nobody writes into it: to open it would take for ever
    shown = house("show", "hearts")
    assert (shown.code, shown.err) == (0, "")
    assert "OVERLAYS\n  mine.yaml: To fifty.\n\nFILES" in shown.out


def test_diff_says_what_house_rules_change(house):
    Path("mine.yaml").write_text(
        "format: 1\nid: mine\nname: Mine\nextends: hearts\nvalues: {points: {JD: -10}}\n"
        "options: {target: {default: 50}}\n"
    )
    result = house("diff", "hearts", "mine.yaml")
    assert (result.code, result.out.splitlines()) == (
        0,
        [
            "Deals",
            "  - It ends: As soon as some player's score is at least 50 (before: As soon as some player's score",
            "    is at least 100)",
            "",
            "Tables",
            "  - the jack of diamonds now counts -10 (table “Points”)",
            "",
            "Options",
            "  - option target, Here: 50; possible: 1 to 1000 (before: 100; possible: 1 to 1000)",
        ],
    )
    assert "it was -10" in house("diff", "mine.yaml", "hearts").out
    assert house("diff", "hearts", "hearts").out == "they say the same\n"
    assert house("diff", "hearts", "hearts", "--with", "mine.yaml").out == result.out
    assert "is at least 50 (before:" in house("diff", "hearts", "hearts", "-v", "short_game").out


@pytest.mark.parametrize(
    ("flag", "value", "cards"), [("-v", "five_handed", 50), ("-v", "three_handed", 51), ("-p", "5", 50)]
)
def test_a_game_is_compared_with_itself_for_another_number_of_players(house, flag, value, cards):
    told = " ".join(house("diff", "hearts", "hearts", flag, value).out.split())
    assert f"Cards: {cards} cards in all" in told
    assert "(before: 52 cards in all" in told


def test_two_games_are_compared_for_the_same_number_of_players(house):
    Path("mine.yaml").write_text("format: 1\nid: mine\nname: Mine\nextends: hearts\nvalues: {points: {JD: -10}}\n")
    jack = "Tables\n  - the jack of diamonds now counts -10 (table “Points”)\n"
    for game in (("./mine.yaml",), ("hearts", "--with", "mine.yaml")):
        assert house("diff", "hearts", *game, "-p", "5").out == jack
        assert house("diff", "hearts", *game, "--honor").out == jack


def test_schema(house):
    assert json.loads(house("schema").out)["$schema"].startswith("https://json-schema.org/draft/2020-12")
    assert house("schema", "scenario").out != house("schema", "ruleset").out
    assert house("schema", "nonsense").code == 2


def test_compile_prints_the_program(house):
    result = house("compile", "hearts", "-p", "3")
    assert result.code == 0
    compile(result.out, "hearts", "exec")
    assert "follow_suit" in result.out


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("honor", [True, False], ids=["honor", "strict"])
def test_a_printed_program_is_whole_and_can_be_read(house, name, honor):
    """The tables that are asked for stand there with their rows, and no others, lines are no longer than people read,
    nothing is denied twice, and numbers that are known are not added up again."""
    counts = interpreter.load(name).players
    players, flags = (counts.max, ["--honor"]) if honor else (counts.min, [])
    text = house("compile", name, "-p", str(players), *flags).out
    assert max(map(len, text.splitlines())) <= 120
    tree = ast.parse(text)
    assert [ast.unparse(node) for node in ast.walk(tree) if denied_twice(node) or is_known_sum(node)] == []
    there = {node.id for part in tree.body if isinstance(part, ast.Assign) for node in part.targets}
    read = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    named = {name for name in read if name.isupper()}
    given = set("GO MOVED WAIT LEAVE STAY AGAIN PASSED NOBODY NOWHERE TRICK".split())
    missing = named - there - given
    assert {name for name in missing if not name.startswith("A·") and not name.startswith("AT·")} == set()
    assert [name for name in there - set(read) if name.isupper()] == []
    assert [name for name in there if re.search(r"^(list|tuple|dict|range)·|·\d+$", name, re.IGNORECASE)] == []


def denied_twice(node):
    """Whether something is denied that is a denial itself, by its form or by the name of a table, or all and any of
    conditions of which one is."""
    match node:
        case ast.UnaryOp(ast.Not(), ast.BoolOp(_, parts)):
            return any(map(is_denial, parts))
        case ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not()) | ast.Compare(_, [_])):
            return True
        case ast.UnaryOp(ast.Not(), ast.Subscript(value)):
            tables = [part.id for part in ast.walk(value) if isinstance(part, ast.Name)]
            return any(re.match(r"(\w+_)?NOT_", name) for name in tables)
    return False


def is_denial(node):
    match node:
        case ast.UnaryOp(ast.Not()) | ast.Compare(_, [ast.NotEq() | ast.IsNot() | ast.NotIn()]):
            return True
    return False


def is_known_sum(node):
    match node:
        case ast.BinOp(ast.Constant(int()), ast.Add(), ast.Constant(int())):
            return True
    return False


# ---- validate ---------------------------------------------------------------------------------------------


def test_validate_is_content_with_the_shipped_rulesets(house):
    files = sorted(map(str, (ROOT / "rulesets").glob("*.yaml")))
    result = house("validate", *files)
    assert result.code == 0, result.out


def test_validate_shows_the_place_and_a_hint(house):
    Path("broken.yaml").write_text(BROKEN)
    result = house("validate", "broken.yaml")
    assert result.code == 1
    assert re.search(r"broken\.yaml:7:\d+: error E\d{3}: ", result.out)
    assert "    7 |   tricks: {on trick: move all from trick to takn of winner}\n" in result.out
    assert "hint: did you mean 'taken'?" in result.out


def test_validate_as_json(house):
    Path("broken.yaml").write_text(BROKEN)
    result = house("validate", "broken.yaml", "--format", "json")
    assert result.code == 1
    found = json.loads(result.out)
    assert {"severity", "code", "message", "file", "line", "column", "hint"} == set(found[0])
    assert json.loads(house("validate", str(ROOT / "rulesets" / "pig.yaml"), "--format", "json").out) == []


@pytest.mark.parametrize(
    "content", [b"", b"\x00", b"- a\n", b"a: [1", b"\xff\xfe", b"\t- x: y\n", b"a: 1\n---\nb: 2\n"]
)
def test_validate_survives_what_is_no_ruleset(house, content):
    Path("bad.yaml").write_bytes(content)
    result = house("validate", "bad.yaml")
    assert result.code == 1
    assert "bad.yaml" in result.out and "Traceback" not in result.out + result.err


def test_validate_survives_a_folder_and_nothing(house):
    Path("folder.yaml").mkdir()
    for name in ("folder.yaml", "nowhere.yaml", "nosuchgame"):
        result = house("validate", name)
        assert result.code == 1 and name in result.out
    assert house("validate").code == 2


# ---- usage and codes --------------------------------------------------------------------------------------------


def test_help_names_every_command(house):
    result = house("--help")
    assert result.code == 0
    assert re.findall(r"^  ([a-z]+)  ", result.out, re.MULTILINE) == COMMANDS
    for command in COMMANDS:
        assert house(command, "--help").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("nonsense", "No such command 'nonsense'"),
        ("play hearts -p 9", "Hearts is for 3 to 5 players, not 9"),
        ("play hearts -o targt=5", "no option is called 'targt'; did you mean 'target'?"),
        ("play hearts -o target=5000", "option 'target' is 5000, more than 1000"),
        ("play hearts -o target", "write NAME=VALUE"),
        ("play hearts -o target=[", "write NAME=VALUE"),
        ("play hearts -o target=5000000000000000000", "a number may have at most 18 digits"),
        ("play hearts -v short_gam", "no variant is called 'short_gam'; did you mean 'short_game'?"),
        ("play hearts -v shrt", "no variant is called 'shrt'; did you mean 'short_game'?"),
        ("play", "say which ruleset to play"),
        ("play hearts --bots some", "--bots is 'all' or a number, not 'some'"),
        ("play hearts --bots ²", "--bots is 'all' or a number, not '²'"),
        ("play hearts --bots all --humans 2", "--bots all leaves no place for --humans"),
        ("play spit --bots 0", "not 1; --humans says how many people are at this terminal"),
        ("play hearts -p 4 --bots 4", "1 at the terminal and 4 bots are not 4 players"),
        ("play hearts --humans 6", "there are 6 people, and 4 play"),
        ("play hearts --resume a --seed 1", "the record says which game it is"),
        ("play hearts --humans 99999999999999999999", "is not in the range"),
        ("play hearts --honor --forgets nan", "nan is no number from 0 to 1"),
        (f"simulate spit --speeds 1/{'9' * 5_000}", "nobody takes longer than 1000000000 milliseconds"),
        ("simulate hearts --games 0", "0 is not in the range"),
        ("new house", "Missing option '--extends'"),
        ("new House! --extends hearts", "is no name for a ruleset"),
    ],
)
def test_wrong_usage_ends_with_2(house, arguments, message):
    result = house(*arguments.split())
    assert result.code == 2
    assert message in " ".join(result.err.split())


def test_a_wrong_ruleset_ends_with_1(house):
    result = house("play", "hartz")
    assert result.code == 1
    assert "no ruleset is called 'hartz'" in result.err and "did you mean 'hearts'?" in result.err
    Path("broken.yaml").write_text(BROKEN)
    for command in ("show", "explain", "compile", "play"):
        result = house(command, "broken.yaml")
        assert result.code == 1 and "^^^^" in result.err


def test_a_rule_that_leads_nowhere_is_blamed_at_its_place(house):
    Path("runaway.yaml").write_text(
        "format: 1\nid: runaway\nname: Runaway\nextends: hearts\n"
        "state: {score: {max: 2}}\noptions: {target: {default: 1000}}\n"
    )
    result = house("play", "runaway.yaml", "--bots", "all", "--seed", "1")
    assert result.code == 1
    assert result.err.startswith("the ruleset cannot go on: ")
    assert "score" in result.err and "report" not in result.err


def test_no_traceback_but_a_request_to_report(house, monkeypatch):
    monkeypatch.setattr("interpreter.interfaces.catalogue.entries", lambda: 1 // 0)
    result = house("list")
    assert result.code == 1
    assert result.err.startswith("this is a fault of houserules, please report it: ZeroDivisionError")
    monkeypatch.setenv("HOUSERULES_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        house("list")


def test_a_command_is_in_the_module_that_the_table_names():
    for group, names in GROUPS.items():
        module = importlib.import_module(f"interpreter.interfaces.cli.{group}")
        for name in names:
            command = cli.get_command(click.Context(cli), name)
            assert command is not None and command.callback is not None
            assert command.callback.__module__ == module.__name__
    assert sorted(cli.commands) == cli.list_commands(click.Context(cli))


def test_where_a_command_is_misspelt_all_are_known_to_suggest_one():
    script = "from interpreter.interfaces.cli import cli, run; run(['valdate', 'hearts']); print(*sorted(cli.commands))"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert found.stdout.split() == COMMANDS
    assert "No such command 'valdate'" in found.stderr


def test_the_version_reads_no_command():
    script = (
        "import sys; from interpreter.interfaces.cli import run; run(['--version']); "
        "print(*[m for m in sys.modules if m.startswith('interpreter')])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert sorted(found.stdout.splitlines()[-1].split()) == [
        "interpreter", "interpreter.base", "interpreter.base.signs", "interpreter.base.version",
        "interpreter.interfaces", "interpreter.interfaces.cli", "interpreter.interfaces.cli.commands",
        "interpreter.interfaces.cli.completing",
        "interpreter.interfaces.cli.flags",
        "interpreter.interfaces.cli.output",
    ]  # fmt: skip


def test_the_program_is_the_same_by_module():
    found = program("--version")
    assert (found.returncode, found.stdout.split()[0]) == (0, "houserules")
    found = program("play", "hearts", "-p", "9")
    assert found.returncode == 2 and "Error: players" in found.stderr


def test_whoever_reads_may_stop_reading():
    command = f"'{sys.executable}' -m interpreter explain hearts | head -n 1; echo ${{PIPESTATUS[0]}}"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    found = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment, timeout=60)
    assert found.stdout == "Hearts\n0\n"
    assert found.stderr == ""


@pytest.mark.parametrize("command", ["simulate hearts --games", "compare hearts spades --games", "check pig --matches"])
def test_more_matches_than_can_be_counted_are_refused(house, command: str):
    found = house(*command.split(), "9" * 20)
    assert found.code == 2 and "is not in the range" in found.err


@pytest.mark.parametrize("command", ["simulate hearts --games 2 >&-", "play hearts --seed 1 <&-", "new 2>&- x y z"])
def test_a_closed_stream_is_no_fault(command: str):
    command = f"'{sys.executable}' -m interpreter {command}"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    found = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment, timeout=60)
    assert found.returncode == (2 if "2>" in command else 0)
    assert "fault" not in found.stderr


def test_what_cannot_be_written_is_named_and_no_half_of_it_left(tmp_path: Path):
    command = f"ulimit -f 0; '{sys.executable}' -m interpreter new my-rule --extends hearts"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    found = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, env=environment, timeout=60, cwd=tmp_path
    )
    assert (found.returncode, found.stderr) == (1, "my-rule.yaml: File too large\n")
    assert not [*tmp_path.iterdir()]


def test_the_end_of_input_is_no_error():
    found = program("play", "hearts", "--seed", "1")
    assert found.returncode == 0
    assert found.stdout.endswith("the match is not finished; go on with: houserules play --resume\n")
    assert "\x1b" not in found.stdout


def test_a_terminal_without_the_signs_shows_letters():
    found = program("play", "hearts", "--seed", "1", PYTHONIOENCODING="ascii")
    assert found.returncode == 0
    assert "pass CARD CARD CARD" in found.stdout and "♥" not in found.stdout


# ---- simulate ---------------------------------------------------------------------------------------------------


def test_simulate_as_json(house):
    result = house("simulate", "hearts", "--games", "5", "--deals", "1", "--seed", "3", "--json")
    assert result.code == 0
    found = json.loads(result.out)
    assert list(found) == [
        "game", "players", "options", "seed", "games", "unfinished", "decisions", "seconds", "games_per_second", "wins",
        "mean_score", "length", "deals", "ties", "intervals",
    ]  # fmt: skip
    assert found["deals"] == {"mean": 1.0, "min": 1, "median": 1, "p95": 1, "max": 1} and found["ties"] == 0
    low, high = found["intervals"]["mean_score"][0]
    assert low < found["mean_score"][0] < high and found["intervals"]["wins"] == [None] * 4
    assert (found["game"], found["players"], found["seed"], found["games"]) == ("hearts", 4, 3, 5)
    assert found["unfinished"] == 5 and found["wins"] == [0, 0, 0, 0]
    assert found["length"] == {"min": 56, "median": 56, "p95": 56, "max": 56}
    assert found["decisions"] == 5 * 56
    assert len(found["mean_score"]) == 4
    again = json.loads(house("simulate", "hearts", "--games", "5", "--deals", "1", "--seed", "3", "--json").out)
    assert again["mean_score"] == found["mean_score"]


def test_bots_that_think(house):
    arguments = ("simulate", "setback", "--games", "1", "-p", "2", "-o", "target_score=7", "--seed", "1", "--json")
    found = json.loads(house(*arguments, "--skill", "thinking").out)
    assert (found["skill"], found["unfinished"]) == ("thinking", 0)
    assert "skill" not in json.loads(house(*arguments, "--deals", "1").out)
    match = ("play", "setback", "-p", "2", "-o", "target_score=7", "--bots", "all", "--seed", "1")
    first, again, random = house(*match, "--skill", "thinking"), house(*match, "--skill", "thinking"), house(*match)
    assert first.out == again.out != random.out and " wins with" in first.out
    wrong = house(*match, "--skill", "clever").err
    assert "'clever' is not one of 'easy', 'medium', 'hard', 'random', 'thinking'" in wrong
    assert house(*match, "--skill", "easy").out == random.out
    assert house(*match, "--skill", "hard").out == first.out


def test_manners_are_for_play_on_honour(house):
    for command in (["simulate", "georgia-spoons", "--games", "1"], ["play", "georgia-spoons", "--bots", "all"]):
        refused = house(*command, "--forgets", "0.2")
        assert refused.code == 2
        assert "--forgets, --notices and --bluffs are for play on honour; add --honor" in refused.err
        assert house(*command, "--honor", "--notices", "1.5").code == 2
    result = house(
        "simulate", "georgia-spoons", "--honor", "--games", "1", "--limit", "150", "--forgets", "0.3", "--notices", "1"
    )
    assert result.code == 0
    assert re.search(r"^on honour: \d+ faults; [1-9]\d* claims upheld, \d+ turned down$", result.out, re.MULTILINE)


def test_simulate_in_words(house):
    result = house("simulate", "hearts", "--games", "5", "-o", "target=20")
    assert result.code == 0
    assert re.match(r"hearts, 4 players: 5 games, \d+ decisions in ", result.out)
    assert re.search(r"^P4 +\d+ +[\d.]+% \([\d.]+ to [\d.]+\) +-?[\d.]+ \(.* to .*\)$", result.out, re.MULTILINE)
    assert re.search(r"^deals a game: \d to \d, [\d.]+ on average \([\d.]+ to [\d.]+\)$", result.out, re.MULTILINE)
    cut = house("simulate", "hearts", "--games", "5", "--limit", "10").out
    assert "unfinished: 5 of 5 games, cut after 10 decisions (--limit); nobody has won these\n" in cut
    cut = house("simulate", "hearts", "--games", "2", "--deals", "1").out
    assert "unfinished: 2 of 2 games, cut after 1 deal (--deals); nobody has won these\n" in cut


def test_a_long_simulation_stops_in_time_and_says_what_was_reached(house, monkeypatch):
    from interpreter.analysis import simulation

    clock = iter(range(0, 10_000, 3))
    monkeypatch.setattr(simulation.time, "perf_counter", lambda: float(next(clock)))
    result = house("simulate", "pig", "--games", "50", "--deals", "1", "--seconds", "7", "--workers", "1")
    assert result.code == 0
    assert result.out.startswith("stopped after 9 seconds: 3 of 50 games\npig, 6 players: 3 games, ")
    as_json = house("simulate", "pig", "--games", "50", "--deals", "1", "--seconds", "7", "--json", "--workers", "1")
    assert json.loads(as_json.out)["games"] == 3 and as_json.err == "stopped after 9 seconds: 3 of 50 games\n"


def test_a_simulation_says_how_far_it_is_and_can_be_interrupted(monkeypatch):
    from interpreter.analysis import simulation
    from interpreter.analysis.figures import figures
    from interpreter.analysis.plan import Plan

    clock = iter(range(0, 10_000, 2))
    monkeypatch.setattr(simulation.time, "perf_counter", lambda: float(next(clock)))
    game = interpreter.load("hearts").game()
    heard: list[int] = []

    def interrupt(done: int) -> None:
        heard.append(done)
        if len(heard) == 3:
            raise KeyboardInterrupt

    plan = Plan(game, 0, 1, 1000)
    course = simulation.run(plan, 50, tell=interrupt)
    assert heard == [1, 2, 3]
    assert course.stopped == "interrupted: 3 of 50 games"
    assert figures(plan, course)["games"] == 3


def test_levels_are_pitted_against_each_other(house):
    result = house("simulate", "setback", "-p", "2", "--games", "3", "--deals", "1", "--seats", "medium,easy")
    assert result.code == 0
    assert re.search(r"^medium +1 +- +-?[\d.]+ \(.* to .*\)$", result.out, re.MULTILINE)
    wrong = house("simulate", "setback", "-p", "2", "--seats", "medium,meduim")
    assert wrong.code == 2 and "--seats: no level is called 'meduim'; did you mean 'medium'?" in wrong.err
    assert "--seats lists 1 levels, and 2 play" in house("simulate", "setback", "-p", "2", "--seats", "hard").err


def test_a_simulation_is_kept_in_a_folder(house, tmp_path):
    kept = ("simulate", "hearts", "--deals", "1", "--out", str(tmp_path / "kept"))
    assert house(*kept, "--games", "3").code == 0
    plain = house("simulate", "hearts", "--deals", "1", "--games", "5").out
    assert house(*kept, "--games", "5").out.splitlines()[1:] == plain.splitlines()[1:]
    head = json.loads((tmp_path / "kept" / "run.json").read_text())
    assert head["game"]["ruleset"] == "hearts" and len(head["game"]["digest"]) == 32 and head["by"] == "match"
    other = house(*kept, "--seed", "1")
    assert other.code == 2 and "holds another simulation, whose 'seed' differs" in other.err
    assert "add --out DIR" in house("simulate", "hearts", "--by", "deal").err


def test_laws_and_what_was_played_are_counted_when_that_is_asked(house):
    result = house("simulate", "hearts", "--games", "3", "--deals", "1", "--laws")
    assert re.search(r"^ +156  the action 'play' of 'tricks' was played$", result.out, re.MULTILINE)
    assert re.search(r"^ +\d+    its law 'follow_suit' refused something$", result.out, re.MULTILINE)
    found = json.loads(house("simulate", "hearts", "--games", "3", "--deals", "1", "--laws", "--json").out)
    assert found["counts"]["actions"][1] == {"stage": "tricks", "action": "play", "played": 156}
    assert "counts" not in json.loads(house("simulate", "hearts", "--games", "1", "--deals", "1", "--json").out)
    wrong = house("simulate", "hearts", "--honor", "--laws")
    assert wrong.code == 2 and "--laws is for strict play in turns" in wrong.err


def test_what_an_extra_brings_is_asked_for_by_its_name(house, tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    wrong = house("simulate", "hearts", "--out", str(tmp_path / "kept"), "--parquet")
    assert wrong.code == 2 and "--parquet needs pyarrow, which the extra 'data' brings" in wrong.err
    assert not (tmp_path / "kept").exists()


def test_percentiles():
    from interpreter.analysis.figures import percentile

    assert [percentile(range(1, 101), p) for p in (50, 95, 100)] == [50, 95, 100]
    assert [percentile([7], p) for p in (50, 95)] == [7, 7]
    assert percentile([1, 2, 3], 50) == 2


# ---- scenarios --------------------------------------------------------------------------------------------------


def test_scenarios_pass_or_fail(house):
    Path("well.yaml").write_text(SCENARIO.replace("PHASE", "tricks"))
    result = house("test", "well.yaml")
    assert (result.code, result.out) == (0, "1 passed (1 file)\n")
    assert "passed: whoever holds" in house("test", "well.yaml", "--verbose").out
    Path("badly.yaml").write_text(SCENARIO.replace("PHASE", "passing"))
    result = house("test")  # the current folder
    assert result.code == 1
    assert "failed: whoever holds" in result.out and "badly.yaml:6" in result.out
    assert result.out.endswith("1 passed, 1 failed (2 files)\n")


def test_a_ruleset_is_no_scenario(house):
    Path("rules.yaml").write_text("format: 1\nid: rules\nname: Rules\nextends: hearts\n")
    result = house("test", "rules.yaml")
    assert result.code == 1
    assert "rules.yaml:1:1: error E207: this is a ruleset, not a scenario\n" in result.out
    assert result.out.count("error") == 1 and "hint: check it: houserules validate rules.yaml" in result.out


def test_rulesets_among_scenarios_are_not_run(house):
    Path("well.yaml").write_text(SCENARIO.replace("PHASE", "tricks"))
    Path("rules.yaml").write_text("format: 1\nid: rules\nname: Rules\nextends: hearts\n")
    assert house("test", ".").out == "1 passed (1 file)\n"


def test_no_scenarios_are_not_well(house):
    Path("empty").mkdir()
    result = house("test", "empty")
    assert (result.code, result.out) == (1, "no scenarios under empty\n")
    Path("bad.yaml").write_text("game: [\n")
    result = house("test", "bad.yaml")
    assert result.code == 1 and "bad.yaml:" in result.out


# ---- overlays on overlays ---------------------------------------------------------------------------------------

JACK = (
    "format: 1\nid: jack-of-diamonds\nextends: hearts\nvalues: {points: {JD: -10}}\noptions: {target: {default: 60}}\n"
)
SHORT = "format: 1\nid: short\noptions: {target: {default: 50}}\n"


@pytest.fixture
def stacked(house):
    Path("jack.yaml").write_text(JACK)
    Path("short.yaml").write_text(SHORT)
    return house


def test_overlays_that_set_the_same_thing_are_named_with_both_places_and_the_winner(stacked):
    flags = ("--with", "jack.yaml", "--with", "short.yaml")
    for command in (("play", "hearts", "--bots", "all"), ("show", "hearts"), ("simulate", "hearts", "--games", "1")):
        result = stacked(*command, *flags)
        assert result.code == 0 and "short.yaml:3:20: warning W302: default of target is set here" in result.err
        assert "and at jack.yaml:5:20; this overlay is laid on later, so it wins" in result.err
    assert "target: 50; possible: 1 to 1000" in stacked("show", "hearts", *flags).out
    other = stacked("show", "hearts", "--with", "short.yaml", "--with", "jack.yaml")
    assert "target: 60; possible: 1 to 1000" in other.out


def test_overlays_are_validated_together(stacked):
    result = stacked("validate", "hearts", "--with", "jack.yaml", "--with", "short.yaml")
    assert result.code == 0 and "W302" in result.out and result.out.endswith("1 file: 0 errors, 1 warning\n")
    Path("short.yaml").write_text(SHORT + "needs: [jack-of-diamonds]\n")
    result = stacked("validate", "hearts", "--with", "short.yaml", "--with", "jack.yaml")
    assert result.code == 1 and "hint: lay 'jack-of-diamonds' on before 'short'" in result.out
    Path("short.yaml").write_text(SHORT + "conflicts: [jack-of-diamonds]\n")
    result = stacked("validate", "hearts", "--with", "short.yaml", "--with", "jack.yaml")
    assert result.code == 1 and "E307: 'short' does not go together with 'jack-of-diamonds'" in result.out


# ---- new --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", [entry.id for entry in entries()])
def test_new_files_are_valid_and_proved(house, base):
    result = house("new", "my-house", "--extends", base)
    assert result.code == 0
    assert result.out.splitlines()[:2] == ["wrote my-house.yaml", "wrote my-house-scenario.yaml"]
    assert house("validate", "my-house.yaml").code == 0
    assert house("test", "my-house-scenario.yaml").out == "1 passed (1 file)\n"
    text = Path("my-house.yaml").read_text()
    assert text.startswith("# yaml-language-server: $schema=")
    assert f"extends: {base}\n" in text
    change = next(line for line in text.splitlines() if line.startswith("# options"))
    Path("my-house.yaml").write_text(text.replace(change, change[2:]))
    assert "option " in house("diff", base, "my-house.yaml").out


def test_new_files_extend_nothing_that_cannot_be_named(house):
    Path("x: y.yaml").write_text("format: 1\nid: theirs\nname: Theirs\nextends: hearts\n")
    found = house("new", "mine", "--extends", "./x: y.yaml")
    assert found.code == 2 and "no ruleset can name './x: y.yaml'" in found.err and not Path("mine.yaml").exists()


@pytest.mark.parametrize("name", ["a b #c.yaml", "- a.yaml", "'.yaml"])
def test_new_files_say_nothing_that_another_ruleset_has_put_into_its_texts(house, name):
    Path(name).write_text(
        "format: 1\nid: theirs\nname: Theirs\nextends: hearts\n"
        'options: {target: {default: 90, doc: "How many.\\nvalues: {points: {QS: -99}}"}}\n'
    )
    assert house("new", "mine", "--extends", f"./{name}").code == 0
    assert "\nvalues" not in Path("mine.yaml").read_text() and "{QS: -99}" in Path("mine.yaml").read_text()
    assert house("validate", "mine.yaml").out == "No problems found.\n"


def test_the_scenarios_of_an_overlay_lie_beside_it(house):
    assert house("new", "mine", "--extends", "hearts").code == 0
    assert house("new", "other", "--extends", "pig").code == 0
    assert house("test", "mine.yaml").out == house("test", "mine-scenario.yaml").out == "1 passed (1 file)\n"
    assert house("test").out == house("test", "mine.yaml", "other.yaml").out == "2 passed (2 files)\n"


def test_new_files_name_a_schema_that_is_there(house):
    assert house("new", "mine", "--extends", "hearts").code == 0
    for name, kind in (("mine", "ruleset"), ("mine-scenario", "scenario")):
        line = Path(f"{name}.yaml").read_text().splitlines()[0]
        found = line.removeprefix("# yaml-language-server: $schema=")
        assert found == (ROOT / "schema" / f"{kind}.schema.json").resolve().as_uri()
    inside = house_rules._schema("ruleset", ROOT / "rulesets" / "house" / "mine.yaml")
    assert inside == "../../schema/ruleset.schema.json"


def test_new_takes_no_name_of_a_shipped_game(house):
    found = house("new", "hearts", "--extends", "hearts")
    assert found.code == 2 and "need a name of their own: my-hearts" in found.err
    assert not Path("hearts.yaml").exists()


def test_new_overwrites_nothing(house):
    Path("mine-scenario.yaml").write_text("precious")
    result = house("new", "mine", "--extends", "hearts")
    assert result.code == 2 and "'mine-scenario.yaml' already" in result.err
    assert Path("mine-scenario.yaml").read_text() == "precious" and not Path("mine.yaml").exists()


def test_new_extends_a_file_beside_it(house):
    assert house("new", "first", "--extends", "hearts").code == 0
    assert house("new", "second", "--extends", "./first.yaml").code == 0
    assert house("validate", "second.yaml").code == 0
    assert house("test", "second-scenario.yaml").code == 0


# ---- records ----------------------------------------------------------------------------------------------------


def test_a_match_is_recorded_and_replayed(house):
    arguments = ("play", "hearts", "--bots", "all", "--seed", "2", "-o", "target=10", "--record", "match.jsonl")
    played = house(*arguments)
    assert played.code == 0
    replayed = house("replay", "match.jsonl")
    assert replayed.code == 0
    assert replayed.out.split("\n", 1)[1] == played.out.split("\n", 1)[1]
    again = house(*arguments)
    assert again.code == 2 and "there is a file 'match.jsonl' already" in again.err


def test_a_finished_match_cannot_go_on_but_says_how_it_stands(house):
    house("play", "hearts", "--bots", "all", "--seed", "2", "-o", "target=10", "--record", "match.jsonl")
    before = Path("match.jsonl").read_text()
    result = house("play", "--resume", "match.jsonl", "--bots", "all")
    assert result.code == 0 and " wins with 0 points." in result.out
    assert Path("match.jsonl").read_text() == before


def test_a_resumed_match_may_go_into_another_file(house):
    house("play", "hearts", "--bots", "all", "--seed", "2", "-o", "target=10", "--record", "match.jsonl")
    lines = Path("match.jsonl").read_text().splitlines(keepends=True)
    Path("half.jsonl").write_text("".join(lines[:30]) + lines[30][:10])
    result = house("play", "--resume", "half.jsonl", "--bots", "all", "--record", "other.jsonl")
    assert result.code == 0
    assert "the record is cut in the middle of this line" in " ".join(result.out.split())
    assert Path("half.jsonl").read_text() == "".join(lines[:30]) + lines[30][:10]
    assert Path("other.jsonl").read_text().startswith("".join(lines[:30]))
    assert interpreter.replay(Path("other.jsonl").read_text()).over


def test_a_record_goes_on_by_its_own_rules_alone(house):
    """Named ones that say something else begin another record, which says so."""
    bots = ("--bots", "all", "--skill", "random")
    Path("jack.yaml").write_text("format: 1\nid: jack\nextends: hearts\nvalues: {points: {JD: -10}}\n")
    program("play", "hearts", "--with", "jack.yaml", "--seed", "2", "--record", "match.jsonl")
    before = Path("match.jsonl").read_text()
    result = house("play", "hearts", "--resume", "match.jsonl", "--bots", "all")
    assert (result.code, result.out) == (2, "")
    assert "'match.jsonl' was recorded by other rules than those of 'hearts'; leave out 'hearts'" in " ".join(
        result.err.split()
    )
    assert Path("match.jsonl").read_text() == before
    assert house("play", "hearts", "--resume", "match.jsonl", "--record", "other.jsonl", *bots).code == 0
    game = json.loads(Path("other.jsonl").read_text().splitlines()[0])["game"]
    assert game == interpreter.load("hearts").game().header()
    assert house("play", "--resume", "match.jsonl", *bots).code == 0
    assert house("replay", "match.jsonl").code == house("replay", "other.jsonl").code == 0


def test_a_record_goes_on_by_the_same_rules_that_are_named(house):
    Path("mine.yaml").write_text("format: 1\nid: mine\nextends: spit\n")
    for number, (source, *variant) in enumerate((("./mine.yaml",), ("spit", "-v", "five_card_hand"))):
        program("play", source, *variant, "--seed", "2", "--record", f"{number}.jsonl")
        again = program("play", source, "--resume", f"{number}.jsonl").stdout
        assert again.endswith(f"go on with: houserules play --resume {number}.jsonl\n")


def test_a_record_knows_how_many_people_play(house):
    result = program("play", "hearts", "-p", "3", "--humans", "2", "--seed", "2", "--record", "match.jsonl")
    assert json.loads(Path("match.jsonl").read_text().splitlines()[0])["people"] == 2
    assert result.stdout.endswith("the match is not finished; go on with: houserules play --resume match.jsonl\n")
    assert result.stdout.startswith(
        "Hearts, 3 players, strict, seed 2\n"
        "Type the number of your move, or just its card. ? helps, rules shows the rules, quit leaves.\n"
        "pass to P1, press Enter\n"  # nothing has been shown that had to be cleared
    )
    assert "pass to P1, press Enter" in program("play", "--resume", "match.jsonl").stdout
    other = program("play", "--resume", "match.jsonl", "--humans", "1").stdout
    assert "pass to P1" not in other
    assert other.endswith("go on with: houserules play --resume match.jsonl --humans 1\n")
    assert house("replay", "match.jsonl").code == 0


def test_a_match_that_could_never_go_on_is_not_recorded(house):
    Path("rules.txt").write_text(Path(find("rulesets/hearts.yaml")).read_text())
    result = house("play", "./rules.txt", "--bots", "all", "--record", "match.jsonl")
    assert result.code == 2 and result.out == ""
    assert "a match recorded with './rules.txt' could never go on" in " ".join(result.err.split())
    assert not Path("match.jsonl").exists()


def test_a_match_whose_record_could_not_be_read_is_not_begun(house, monkeypatch):
    monkeypatch.setattr(records, "MAX_HEADER", 200)
    result = house("play", "hearts", "--bots", "all", "--record", "match.jsonl")
    assert result.code == 2 and result.out == ""
    assert "a record of this match could never be read again: line 1: this line is too" in " ".join(result.err.split())
    assert not Path("match.jsonl").exists()


def test_a_record_that_cannot_be_written_is_told_with_its_file(house, monkeypatch):
    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    house("play", "hearts", "--seed", "2", "--record", "before.jsonl")
    monkeypatch.setattr(os, "fsync", full)
    new = house("play", "hearts", "--bots", "all", "--record", "match.jsonl")
    assert (new.code, new.err) == (1, "match.jsonl: No space left on device\n")
    assert house("play", "--resume", "before.jsonl").err.endswith("before.jsonl: No space left on device\n")
    told = house("play", "hearts", "--seed", "2")
    assert "this match is not saved: " in told.out + told.err and "-hearts.jsonl'" in told.out + told.err


def test_a_second_player_of_a_record_is_refused(house):
    house("play", "hearts", "--seed", "2", "--record", "match.jsonl")
    before = Path("match.jsonl").read_text()
    first = go_on(Path("match.jsonl"))
    result = house("play", "--resume", "match.jsonl")
    assert result.code == 1
    assert result.err.startswith("match.jsonl: this match is being played at another place")
    assert Path("match.jsonl").read_text() == before
    assert first.kept is not None
    first.kept.close()


def test_a_wrong_record_ends_with_1(house):
    Path("no.jsonl").write_text("hello\n")
    for arguments in (("replay", "no.jsonl"), ("play", "--resume", "no.jsonl")):
        result = house(*arguments)
        assert result.code == 1
        assert result.err == "the record cannot be replayed: line 1: this is no line of a record: 'hello'\n"
    result = house("replay", "nowhere.jsonl")
    assert result.code == 1 and result.err == "nowhere.jsonl: No such file or directory\n"
    result = house("play", "hearts", "--bots", "all", "--record", "no/such/folder.jsonl")
    assert result.code == 1 and "no/such/folder.jsonl" in result.err


def test_what_is_no_ordinary_file_is_refused_and_not_read(house):
    """A pipe or a device might never end."""
    os.mkfifo("pipe.yaml")
    for command in ("validate", "test", "replay", "show", "explain"):
        result = house(command, "./pipe.yaml")
        assert result.code == 1 and "is not an ordinary file" in result.out + result.err, command


def test_new_house_rules_are_not_written_through_a_link(house):
    Path("my-house.yaml").symlink_to("elsewhere.yaml")
    assert house("new", "my-house", "--extends", "hearts").code == 2
    assert not Path("elsewhere.yaml").exists()


DEPENDING = """\
format: 1
id: depending
name: Depending
players: {min: 2, max: 3, default: 2}
options: {cry: {type: list of text, default: {by: players, 2: ["!"], else: [Hey]}}}
pack: {standard: 1}
zones: {stock: {pack: true}}
flow: {match: {do: [shout]}, shout: {kind: ask, actions: {cry: {say: "{item(1, cry)}"}}}}
"""


@pytest.mark.parametrize("arguments", [["show"], ["diff", "hearts"], ["simulate", "--games", "1"]])
def test_default_options_that_do_not_fit_the_usual_number_of_players_are_told(tmp_path, capsys, arguments):
    path = tmp_path / "depending.yaml"
    path.write_text(DEPENDING, "utf-8")
    assert run([*arguments, str(path)]) in (1, 2)
    told = capsys.readouterr().err
    assert f"{path}:5:63: error E508" in told and "must be a text with a word in it" in told
    assert "fault of houserules" not in told


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (("An\x1bna",), "is no name: a name has 1 to 20 signs that can be seen"),
        (("x" * 21,), "is no name"),
        (("2C",), "begins with a letter"),
        (("P2",), "is what the program calls somebody"),
        (("You",), "is what the program calls somebody"),
        (("Anna", "anna"), "everybody has a name of their own"),
        (("A", "B", "C", "D", "E"), "there are 5 names, and 4 play"),
    ],
)
def test_a_name_that_would_mislead_is_refused(house, names, why):
    result = house("play", "hearts", *(word for name in names for word in ("--name", name)))
    assert result.code == 2 and why in result.err and "\x1b" not in result.err


def test_without_a_game_and_nobody_to_choose_one_it_says_what_to_do(house):
    result = house("play")
    assert result.code == 2 and "houserules list" in result.err


def test_validate_tells_how_players_read_of_each_action(house):
    result = house("validate", str(find("rulesets/euchre.yaml")), "--words")
    assert result.code == 0
    assert (
        "cutting.cut: You lift off three cards. | Anna lifts off three cards. | Anna lifts off three cards."
        in result.out
    )
    assert "tricks.play: You play " in result.out


def test_validate_hints_where_players_would_read_the_name_of_an_action(house):
    Path("t.yaml").write_text(
        "format: 1\nid: t\nname: T\npack: {standard: 1}\nplayers: {min: 2, max: 2, default: 2}\n"
        "zones: {stock: {pack: true}}\nstate: {score: {each: player, type: integer, lasts: match}}\n"
        "flow:\n  match: {do: [ask], winners: highest score}\n  ask:\n    kind: ask\n    actions:\n"
        "      from_stock: {effect: shuffle stock; add 1 to score of actor}\n"
        '      told: {tell: "{actor} {verb: wink}"}\n      pass: {}\n'
    )
    result = house("validate", "t.yaml")
    assert result.code == 0
    hint = "players read 'Anna: from stock'; `tell` says it in a sentence, `prompt` what is asked"
    assert f"t.yaml:13:7: hint: {hint}\n" in result.out and result.out.count("hint:") == 1
    assert json.loads(house("validate", "t.yaml", "--format", "json").out) == []


# ---- compare ----------------------------------------------------------------------------------------------------


def test_compare_says_what_a_house_rule_does(house, tmp_path):
    rule = tmp_path / "short.yaml"
    rule.write_text("format: 1\nid: short\nname: Short\nextends: hearts\noptions: {target: {default: 20}}\n")
    result = house("compare", "hearts", str(rule), "--level", "easy", "--games", "25")
    assert result.code == 0
    assert result.out.startswith("short instead of hearts: 4 players, 25 matches of each, easy bots\n")
    assert re.search(r"^  matches last [\d.]+ deals instead of [\d.]+ \(-.* to -.*\)$", result.out, re.MULTILINE)
    assert ", which may be chance (" in result.out
    rule.write_text(rule.read_text().replace("id: short", "id: hearts"))
    namesake = house("compare", "hearts", str(rule), "--level", "easy", "--games", "2")
    assert namesake.out.startswith(f"{rule} instead of hearts: ")
    rule.write_text(rule.read_text().replace("id: hearts", "id: short"))
    laid = house("compare", "hearts", "--with", str(rule), "--level", "easy", "--games", "25").out
    assert laid.splitlines()[1:] == result.out.splitlines()[1:]


def test_compare_sweeps_the_values_of_an_option(house):
    result = house("compare", "hearts", "-o", "target=20,30,40", "--level", "easy", "--games", "20", "--json")
    found = json.loads(result.out)
    labels = ["hearts with target=20", "hearts with target=30", "hearts with target=40"]
    assert [side["label"] for side in found["sides"]] == labels
    assert {row["of"] for row in found["differences"]} == set(labels[1:])
    again = house("compare", "hearts", "-o", "target=20,30,40", "--level", "easy", "--games", "20", "--json")
    assert again.out == result.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("compare hearts", "name a second game, or say what is to change"),
        ("compare hearts -o target=1,2 -o pass_count=1,2", "one option at a time can have several values"),
        ("compare hearts spades -o target=1,2", "name one game whose option has several values, not two"),
        ("compare hearts -o target=50,50", "-o target lists the same value several times"),
        ("compare hearts -o target=50,none", "option 'target'"),
        ("compare hearts -o taget=50,60", "did you mean 'target'?"),
    ],
)
def test_what_compare_cannot_compare_is_told(house, arguments, told):
    result = house(*arguments.split())
    assert (result.code, result.out) == (2, "") and told in result.err


def test_a_page_of_charts_needs_its_extra(house, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    wrong = house("compare", "hearts", "-o", "target=50", "--html", "page.html")
    assert wrong.code == 2 and "--html needs matplotlib, which the extra 'charts' brings" in wrong.err


def test_bots_that_do_not_get_on_come_to_an_end(tmp_path: Path) -> None:
    path = tmp_path / "bows.yaml"
    path.write_text(
        """
format: 1
id: bows
name: Bows
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {hand: {each: player, seen by: owner}, stock: {pack: true}}
flow:
  match: {setup: deal 2 from stock to hand, do: [playing]}
  playing:
    kind: turn
    anytime: {bow: {tell: "{actor} {verb: bow}", prompt: bow}}
    actions: {lay: {choose: {card: {from: hand}}, must: {never: "count of hand > 2"}, effect: move card to stock}}
""".lstrip(),
        encoding="utf-8",
    )
    result = program("play", str(path), "--bots", "all", "--seed", "2")
    assert "1,000 moves one after the other have brought nothing new: the match is not finished" in result.stdout
    assert "P1 bows." in result.stdout and len(result.stdout.splitlines()) < 2_000


@pytest.mark.parametrize(
    ("effect", "gets_on"),
    [
        ("shuffle stock", True),
        ("add 1 to score", True),
        ("set out 1 of spoon", False),
        ("flip stock", False),
        ("reverse", False),
        ("move top of stock to stock", False),
        ("skip next after actor", False),
    ],
)
def test_bots_get_on_while_something_new_comes(tmp_path: Path, effect: str, gets_on: bool) -> None:
    path = tmp_path / "fidget.yaml"
    path.write_text(
        f"""
format: 1
id: fidget
name: Fidget
players: {{min: 3, max: 3}}
pack: {{standard: 1}}
zones: {{stock: {{pack: true, seen by: everyone}}}}
tokens: {{spoon: {{}}}}
state: {{score: {{each: player, type: integer, lasts: match}}}}
flow:
  match: {{do: [playing], winners: none}}
  playing: {{kind: turn, first: P1, actions: {{fidget: {{effect: "{effect}"}}}}}}
""".lstrip(),
        encoding="utf-8",
    )
    state = interpreter.load(path).game().start(seed=1)
    progress = Progress()
    for _ in range(MOST_IDLE + 100):
        if ended := progress.has_ended(state.position):
            break
        state.play(state.actors[0], "fidget")
    assert ended is not gets_on
