"""Between two people at one keyboard: what one has typed ahead answers nothing of the other's, and nothing stays to be
seen of what one saw."""

from __future__ import annotations

import io
import os
import pty
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from pseudo_terminal import Terminal
from rich.console import Console
from test_line_editor import chosen_in_secret

from interpreter.interfaces.terminal import NOT_CLEARED, keyboard
from interpreter.interfaces.terminal.keyboard import EndOfInput, Keyboard
from interpreter.interfaces.terminal.screen import Screen
from interpreter.interfaces.terminal.suggestions import Suggestions

CLEARED = "\x1b[2J\x1b[H\x1b[3J"
"""Erases the screen and what has scrolled off it."""


def end(terminal: Terminal) -> None:
    terminal.process.kill()
    terminal.end()


# ---- what was typed ahead -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["xterm", "dumb"])
@pytest.mark.parametrize("ahead", ["\n", "QS", "\n\nQ"], ids=["Enter twice", "a move begun", "both"])
def test_what_was_typed_ahead_is_neither_seen_nor_an_answer_when_the_keyboard_goes_to_somebody_else(
    tmp_path: Path, kind: str, ahead: str
) -> None:
    terminal = chosen_in_secret(tmp_path, f"1\n{ahead}", TERM=kind)
    terminal.until("pass to Ben, press Enter")
    terminal.type("?\n")
    shown = terminal.until("Only Ben should see what comes")
    assert "hand" not in shown and "Q" not in shown
    terminal.type("\n")
    terminal.until("Ben>")
    terminal.type(f"2\n{ahead}")
    terminal.until("All at once!")
    terminal.until("> ")
    terminal.type("Ben X\n")
    terminal.until("I don't know “X”")
    end(terminal)


@pytest.mark.parametrize("typed", ["log\n", "1\n", "quit\nn\n"], ids=["a command", "a move", "leaving, and then not"])
def test_nothing_but_enter_shows_the_next_hand(tmp_path: Path, typed: str) -> None:
    terminal = chosen_in_secret(tmp_path, "1\n", TERM="dumb")
    terminal.until("pass to Ben, press Enter")
    for line in typed.splitlines(keepends=True):
        terminal.type(line)
        if line == "quit\n":
            terminal.until("Leave")
    shown = terminal.until("Only Ben should see what comes")
    assert "your hand" not in shown
    terminal.type("\n")
    assert "your hand" in terminal.until("Ben>")
    end(terminal)


class Typing:
    """Somebody at the keyboard of a pseudo-terminal that no program edits."""

    def __init__(self) -> None:
        self.master, slave = pty.openpty()
        self.keyboard = Keyboard(os.fdopen(slave, encoding="utf-8"))
        self.type("first\n")
        assert self.keyboard.line() == "first"

    def type(self, text: str, lines: int = 0) -> None:
        """Type that. lines: how many must then have been read that nobody has asked for."""
        os.write(self.master, text.encode())
        until(lambda: self.keyboard._lines.qsize() >= lines)


def until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_lines_that_were_read_too_early_are_for_nobody_else() -> None:
    typing = Typing()
    typing.type("second\nthird\n", lines=2)
    typing.keyboard.ask("", Suggestions(), anew=True)
    assert typing.keyboard.line(0) is None
    typing.type("mine\n")
    assert typing.keyboard.line() == "mine"


def test_a_line_that_was_begun_is_for_nobody_else() -> None:
    typing = Typing()
    typing.type("QS\x04")  # which hands over what there is of a line
    until(lambda: typing.keyboard._rest == "QS")
    typing.keyboard.ask("", Suggestions(), anew=True)
    typing.type("mine\n")
    assert typing.keyboard.line() == "mine"


def test_a_key_that_comes_once_more_shortly_after_is_for_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    typing = Typing()
    waited: list[float] = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        typing.type("\n", lines=1)

    monkeypatch.setattr(keyboard, "time", SimpleNamespace(sleep=sleep))
    typing.keyboard.ask("", Suggestions(), anew=True)
    assert waited == [keyboard.SETTLING]
    assert typing.keyboard.line(0) is None


def test_what_stands_before_the_same_person_again_is_theirs() -> None:
    typing = Typing()
    typing.type("second\n", lines=1)
    typing.keyboard.ask("", Suggestions())
    assert typing.keyboard.line() == "second"


def test_the_end_of_what_is_typed_stays_the_end() -> None:
    typing = Typing()
    typing.type("second\n\x04", lines=2)
    typing.keyboard.ask("", Suggestions(), anew=True)
    with pytest.raises(EndOfInput):
        typing.keyboard.line()


def test_lines_of_a_pipe_are_for_whoever_is_asked() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"first\nsecond\nthird\n")
    os.close(writing)
    found = Keyboard(os.fdopen(reading, encoding="utf-8"))
    assert found.line() == "first"
    found.ask("", Suggestions(), anew=True)
    assert [found.line(), found.line()] == ["second", "third"]


# ---- what was seen -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "environment",
    [
        {"TERM": "xterm"},
        {"TERM": "screen"},
        {"TERM": "xterm", "NO_COLOR": "1"},
        {"TERM": "xterm", "FORCE_COLOR": ""},
        {"TERM": "xterm", "TTY_COMPATIBLE": "0"},
    ],
    ids=lambda found: " ".join(f"{name}={value}" for name, value in found.items()),
)
def test_the_screen_is_cleared_whatever_is_said_of_colours(tmp_path: Path, environment: dict[str, str]) -> None:
    terminal = chosen_in_secret(tmp_path, "", **environment)
    assert NOT_CLEARED not in terminal.before
    terminal.type("1\n")
    shown = terminal.until("pass to Ben")
    assert CLEARED in shown
    terminal.type("\n")
    assert CLEARED in terminal.until("Ben>")
    end(terminal)


@pytest.mark.parametrize("kind", ["dumb", "unknown"])
@pytest.mark.parametrize(("rows", "least"), [(0, 100), (30, 30)])
def test_what_cannot_be_cleared_is_pushed_off_the_screen_and_it_is_said(
    tmp_path: Path, kind: str, rows: int, least: int
) -> None:
    terminal = chosen_in_secret(tmp_path, "", rows=rows, TERM=kind)
    assert NOT_CLEARED in terminal.before
    terminal.type("1\n")
    shown = terminal.until("pass to Ben")
    assert "\r\n" * least in shown and "\x1b" not in shown
    terminal.type("\n")
    assert "\r\n" * least in terminal.until("Ben>")
    end(terminal)


def test_a_terminal_that_says_nothing_of_itself_is_cleared_in_both_ways(tmp_path: Path) -> None:
    terminal = chosen_in_secret(tmp_path, "1\n", rows=30, TERM="")
    assert "\r\n" * 30 + CLEARED in terminal.until("pass to Ben")
    end(terminal)


def test_whoever_comes_to_a_screen_that_was_left_sees_nobody_s_cards(tmp_path: Path) -> None:
    folder = {"XDG_DATA_HOME": str(tmp_path)}
    terminal = chosen_in_secret(tmp_path, "quit\ny\n", **folder)
    left = terminal.until("the match is not finished")
    assert CLEARED in left and "hand" not in left.rsplit(CLEARED, 1)[1]
    terminal.end()
    again = Terminal("play", "--resume", **folder)
    assert again.until("pass to Ana").count(CLEARED) == 1
    end(again)


STOPPING = """\
format: 1
id: stopping
name: Stopping
players: {only: [3], default: 3}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, pile: {}}
state: {tally: {type: integer, lasts: match}}
flow:
  match: {setup: "deal 5 from stock to hand", do: [play]}
  play:
    kind: turn
    turns: 1 each
    actions:
      lay:
        choose: {c: {from: hand}}
        effect: move c to pile; if random of (1..2) > 0 and actor = P3 then set tally to 1 div (tally) end
"""


def test_whoever_comes_to_a_screen_at_which_the_rules_have_ended_a_match_sees_nobody_s_cards(tmp_path: Path) -> None:
    (tmp_path / "stopping.yaml").write_text(STOPPING)
    terminal = Terminal(
        "play", str(tmp_path / "stopping.yaml"), "--humans", "2", "--seed", "3", XDG_DATA_HOME=str(tmp_path)
    )
    for person in ("P1", "P2"):
        terminal.until(f"pass to {person}, press Enter")
        terminal.type("\n")
        terminal.until(f"{person}>")
        terminal.type("1\n")
    ended = terminal.until("the ruleset cannot go on")
    assert ended.endswith(f"{CLEARED}the ruleset cannot go on")
    terminal.end()


def test_a_file_gets_no_codes() -> None:
    stream = io.StringIO()
    Screen(Console(file=stream, width=60, force_terminal=True)).clear()
    assert stream.getvalue() == "\n" * 4


def test_who_sits_alone_is_not_told_that_the_screen_cannot_be_cleared() -> None:
    terminal = Terminal("play", "hearts", "--seed", "4", "--skill", "easy", TERM="dumb")
    assert NOT_CLEARED not in terminal.until("P1> ")
    end(terminal)
