"""Signs that nobody sees: refused wherever a text of a stranger is read, and never printed."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

import interpreter
from interpreter import Game, IllegalMove, OptionError, ReplayError
from interpreter.api.game import State
from interpreter.api.recording import dump, link
from interpreter.base import signs
from interpreter.base.diagnostics import Diagnostic, Report
from interpreter.interfaces import cli
from interpreter.interfaces.terminal.screen import Screen
from interpreter.proofs.scenarios import parse_scenarios
from interpreter.words.lines import NEWS, Line

UNSEEN = {
    "an escape": "\x1b",
    "a bell": "\x07",
    "a carriage return": "\r",
    "a control character of eight bits": "\x9b",
    "a soft hyphen": "\xad",
    "an Arabic letter mark": "\u061c",
    "a filler": "\u3164",
    "a space without width": "\u200b",
    "a joiner": "\u200d",
    "a mark from right to left": "\u200f",
    "an embedding": "\u202a",
    "an override": "\u202e",
    "a word joiner": "\u2060",
    "an isolate": "\u2067",
    "a braille blank": "\u2800",
    "a byte order mark": "\ufeff",
    "a selector after a letter": "a\ufe0f",
    "a tag": "\U000e0041",
    "a joiner of hieroglyphs": "\U00013430",
    "a note without a head": "\U0001d159",
}
SEEN = ["♥️", "🎉", "👍🏽", "é", "ß", "日本", "שלום", "a\u00a0b", "“quoted” — …", "\ue0a0"]
EACH = pytest.mark.parametrize("sign", UNSEEN.values(), ids=UNSEEN)


def clean(text: str) -> bool:
    return signs.visible(text) == text


@EACH
def test_what_nobody_sees_is_marked_where_it_is_printed(sign: str) -> None:
    assert signs.visible(f"one{sign}two\n") == f"one{sign[:-1]}\ufffdtwo\n"


@pytest.mark.parametrize("text", SEEN)
def test_what_can_be_seen_stays(text: str) -> None:
    assert signs.visible(text) == text and not signs.unseen_in([{text: text}])
    assert not interpreter.validate(written(f"about: {text}\n"))


def written(more: str, folder: Path | None = None) -> Path:
    path = (folder or Path()) / "house.yaml"
    path.write_text(f"format: 1\nid: house\nextends: hearts\n{more}", encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@EACH
def test_a_ruleset_that_holds_one_is_refused_at_its_place(sign: str) -> None:
    if sign != "\r":  # in a file it ends a line
        for number, line in enumerate((f"name: one{sign}\n", f"# one{sign}\n", f"values: {{one{sign}: 1}}\n")):
            (found,) = interpreter.validate(written(line))
            assert (found.code, found.line, found.column) == ("E102", 4, line.index(sign[-1]) + 1), number
            assert f"U+{ord(sign[-1]):04X}" in found.message and clean(str(found))
    for line in (f'name: "one{escaped(sign)}"\n', f'values: {{"one{escaped(sign)}": 1}}\n'):
        (found,) = interpreter.validate(written(line))
        assert (found.code, found.line) == ("E102", 4)
        assert found.message.endswith("is not allowed, not even as an escape")


def escaped(sign: str) -> str:
    return "".join(part if part.isascii() and part.isprintable() else f"\\U{ord(part):08X}" for part in sign)


def test_emoji_that_are_joined_of_several_are_refused_with_a_hint() -> None:
    (found,) = interpreter.validate(written("about: a family 👨\u200d👩\u200d👧\n"))
    assert found.hint == "remove it; an emoji that is joined of several cannot be used"


@EACH
def test_a_scenario_that_holds_one_is_refused(sign: str) -> None:
    text = f'game: hearts\nname: "one{escaped(sign)}"\nsteps: [expect: {{over: false}}]\n'
    report = Report()
    assert not parse_scenarios(text, "scenario.yaml", report)
    assert [found.code for found in report.diagnostics] == ["E102"] and clean(str(report.diagnostics[0]))


@EACH
def test_a_move_that_holds_one_is_refused(sign: str) -> None:
    state = interpreter.load("hearts").game(enforcement="honor").start(seed=1)
    player = state.actors[0]
    move = str(state.legal_moves(player)[0])
    before = state.to_json()
    for text in (f'{move} "hello{sign}"', f"{move}{sign}", f"{sign}{move}", f"pass {sign}"):
        with pytest.raises(IllegalMove) as caught:
            state.play(player, text)
        assert clean(str(caught.value)) and clean(caught.value.message)
    assert state.to_json() == before


@EACH
def test_no_error_that_quotes_somebody_holds_one(sign: str) -> None:
    ruleset = interpreter.load("hearts")
    for asked in (
        {"options": {f"target{sign}": 1}},
        {"options": {"target": f"1{sign}"}},
        {"variants": [f"short{sign}"]},
    ):
        with pytest.raises(OptionError) as refused:
            ruleset.game(**asked)  # type: ignore[arg-type]
        assert clean(str(refused.value))
    for given in ({"chance": {f"deck{sign}": "2C"}}, {"deck": [f"2C{sign}"]}, {"given": {f"hand{sign}": {}}}):
        with pytest.raises(ValueError) as wrong:
            ruleset.game().start(seed=1, **given)  # type: ignore[arg-type]
        assert clean(str(wrong.value))
    found = Diagnostic("error", "E101", f"one{sign}", f"file{sign}.yaml", 1, 1, f"two{sign}")
    assert clean(found.message) and clean(found.hint) and clean(str(found))
    with pytest.raises(interpreter.RulesetError) as caught:
        interpreter.load(f"hearts{sign}")
    assert clean(str(caught.value))


# ---- records and saved states -----------------------------------------------------------------------


def sealed(lines: list[dict[str, object]]) -> str:
    """A record that says what one likes, with seals that fit."""
    chain, text = "", ""
    for line in lines:
        body = dump(line)
        chain = link(chain, body)
        text += f'{body[:-1]},"h":"{chain}"}}\n'
    return text


def lines_of(state: State) -> list[dict[str, object]]:
    found = [json.loads(line) for line in state.record().splitlines()]
    return [{key: value for key, value in line.items() if key != "h"} for line in found]


@cache
def game() -> Game:
    return interpreter.load("hearts").game(enforcement="honor")


def played() -> State:
    state = game().start(seed=1)
    for _ in range(2):
        state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    return state


def test_a_record_that_holds_none_is_read() -> None:
    assert interpreter.replay(sealed(lines_of(played()))).record() == played().record()


@EACH
def test_a_record_that_holds_one_is_refused_at_its_line(sign: str) -> None:
    for number, key in ((0, "name"), (0, f"new{sign}"), (1, "move"), (2, f"new{sign}")):
        lines = lines_of(played())
        lines[number][key] = f"{lines[number].get(key, '')}{sign}"
        with pytest.raises(ReplayError) as caught:
            interpreter.replay(sealed(lines))
        assert caught.value.line == number + 1 and f"U+{ord(sign[-1]):04X}" in str(caught.value)
        assert clean(str(caught.value))
    with pytest.raises(ReplayError) as caught:
        interpreter.replay(f"{sign}not a record")
    assert clean(str(caught.value))


@EACH
def test_a_saved_state_that_holds_one_is_refused(sign: str) -> None:
    state = played()
    data = json.loads(state.to_json())
    data["moves"][0] = f'{data["moves"][0]} "hello{sign}"'
    with pytest.raises(ValueError, match="it holds the character"):
        state.game.restore(json.dumps(data))


@pytest.mark.parametrize(
    ("key", "value", "means"),
    [
        ("variants", 3, "a list of names"),
        ("variants", [3], "a list of names"),
        ("options", ["target"], "a mapping of names to values"),
        ("players", "4", "a number"),
        ("players", True, "a number"),
        ("enforcement", None, "a word"),
        ("digest", 7, "a text"),
        ("chance", [], "a mapping of places to outcomes"),
        ("given", "tricks", "a mapping"),
    ],
)
def test_a_header_of_a_wrong_type_is_refused_at_its_line(key: str, value: object, means: str) -> None:
    lines = lines_of(played())
    holder = lines[0]["game"] if key not in ("chance", "given") else lines[0]
    assert isinstance(holder, dict)
    holder[key] = value
    with pytest.raises(ReplayError) as caught:
        interpreter.replay(sealed(lines))
    assert str(caught.value) == f"line 1: '{key}' in the first line is not {means}" and caught.value.line == 1


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tick", "1"), ("tick", 1.5), ("tick", True), ("tick", None), ("player", "P0"), ("player", "P-1"),
        ("player", 1), ("player", "P١"), ("move", ["play"]), ("move", None), ("measures", 3),
        ("measures", {"hold": "x"}), ("begin", 1.5),
    ],
)  # fmt: skip
def test_a_move_of_a_wrong_type_is_refused_at_its_line(key: str, value: object) -> None:
    lines = lines_of(played())
    lines[1][key] = value
    with pytest.raises(ReplayError) as caught:
        interpreter.replay(sealed(lines))
    assert caught.value.line == 2


# ---- what is printed --------------------------------------------------------------------------------


@EACH
def test_nothing_is_printed_that_nobody_sees(sign: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Names of files and arguments come past every reader."""
    name = f"house{sign}.yaml"
    Path(name).write_text("format: 1\nid: house\nextends: nowhere\n", encoding="utf-8")
    Path(f"record{sign}").write_text(f"{sign}\n", encoding="utf-8")
    for arguments in (
        ["validate", name], ["show", f"./{name}"], ["play", f"hearts{sign}"], ["show", "hearts", f"--wi{sign}"],
        ["explain", "hearts", "-o", f"target=x{sign}"], ["explain", "hearts", "-o", f"target{sign}x=3"],
        ["explain", "hearts", "-v", f"short{sign}"], ["replay", f"record{sign}"],
        ["play", "--resume", f"record{sign}"], ["play", "--resume", f"none{sign}"], [f"play{sign}"], ["test", name],
        ["new", f"new{sign}", "--extends", "hearts"],
        ["play", "hearts", "--bots", "all", "--seed", "1", "--record", f"record{sign}"],
    ):  # fmt: skip
        assert cli.run(arguments) in (1, 2), arguments
        told = capsys.readouterr()
        assert clean(told.out) and clean(told.err), arguments
    assert cli.run(["validate", name, "--format", "json"]) == 1
    assert all(clean(found["message"]) and clean(found["hint"]) for found in json.loads(capsys.readouterr().out))


def test_the_screen_marks_them_and_keeps_its_styles() -> None:
    out = io.StringIO()
    screen = Screen(Console(file=out, force_terminal=True, color_system="standard", width=80))
    for say in (screen.say, screen.complain, lambda text: screen.told([Line(NEWS, text)]), screen.page):
        say("one\x1b[2Jtwo\u202e")
    screen.refuse("three\x1b[2J")
    screen.typed("four\x1b[2J", echo=True)
    screen._print(Text.assemble(("5", "bold"), ("\x1b", "red"), "6"))
    screen.leave("one\x1b[2Jtwo\u202e")
    told = out.getvalue()
    assert "\x1b[2J" not in told and "\u202e" not in told
    assert told.count("one\ufffd[2Jtwo\ufffd") == 5 and "three\ufffd[2J" in told and "four\ufffd[2J" in told
    assert "\x1b[1m5" in told and "\x1b[31m\ufffd" in told


AROUND = ("{}", "a{}", "\u2660{}", "\u2660a{}", "a{}\u2660", "\u2660\n{}", "{}{}")
"""Where a sign stands in a text: what hangs on the sign before it is seen after a symbol only."""


def test_the_first_sign_that_nobody_sees_is_found_quickly_where_it_is_found_slowly() -> None:
    numbers = [*range(0x3400), *range(0xD7F0, 0xE010), *range(0xFDF0, 0x10010), *range(0x1BC90, 0x1BCB0)]
    for number in [*numbers, *range(0x1D160, 0x1D180), *range(0x1F0A0, 0x1F0B0), *range(0xE0000, 0xE1001)]:
        for around in AROUND:
            text = around.format(chr(number), chr(number))
            found, slowly = signs.first_unseen(text), signs.UNSEEN.search(text)
            assert (found and found.span()) == (slowly and slowly.span()), ascii(text)
