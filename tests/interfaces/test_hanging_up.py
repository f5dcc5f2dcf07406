"""A terminal that goes without a word: the program ends, and lets others go on with its match."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from pseudo_terminal import Terminal

import interpreter
from interpreter.api.record_file import RecordFile, is_held
from interpreter.interfaces import saved_matches
from interpreter.interfaces.terminal.editor import LineEditor
from interpreter.interfaces.terminal.keyboard import HungUp

MATCH = ("play", "hearts", "--seed", "4", "--skill", "easy")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where matches are kept."""
    monkeypatch.setenv("HOUSERULES_DATA", str(tmp_path / "data"))
    return tmp_path / "data" / "matches"


@pytest.mark.parametrize(
    ("kind", "more"),
    [("xterm", ()), ("dumb", ()), ("xterm", ("--humans", "2"))],
    ids=["a line that is edited", "lines as they come", "a keyboard that is handed over"],
)
def test_who_waits_for_a_line_ends_with_the_terminal(kept: Path, kind: str, more: tuple[str, ...]) -> None:
    terminal = Terminal(*MATCH, *more, TERM=kind)
    terminal.until("press Enter" if more else "P1>")
    assert saved_matches.last() is not None
    terminal.hang_up()
    assert not any(map(is_held, kept.glob("*.jsonl")))


def test_the_whole_screen_ends_with_the_terminal(kept: Path) -> None:
    terminal = Terminal(*MATCH, "--full-screen", rows=30)
    terminal.until("Enter begins")
    terminal.hang_up()
    assert not any(map(is_held, kept.glob("*.jsonl")))


class Odd:
    """A session of the line editor that ends in an error."""

    class default_buffer:
        text = ""

        @staticmethod
        def reset() -> None: ...

    def __init__(self, error: BaseException) -> None:
        self.error = error

    async def prompt_async(self, **more: object) -> str:
        raise self.error


def reading(error: BaseException) -> LineEditor:
    """An editor whose next line is not read because of that."""
    editor = LineEditor(io.StringIO())
    editor._session = Odd(error)
    return editor


def test_what_goes_wrong_with_a_line_is_told_to_who_waits_for_it() -> None:
    with pytest.raises(ValueError, match="a fault"):
        reading(ValueError("a fault")).line(20)


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), GeneratorExit()], ids=["gone", "ended"])
def test_nobody_waits_for_a_line_that_cannot_come(error: BaseException) -> None:
    with pytest.raises(HungUp):
        reading(error).line(20)


# ---- the match that was left -------------------------------------------------------------------------------


def begun(name: str, seconds: int) -> tuple[Path, RecordFile]:
    """A match that was played last at that time."""
    path = saved_matches.new_path(name)
    file = RecordFile(path, interpreter.load(name).game().start(seed=1), people=1)
    os.utime(path, (seconds, seconds))
    return path, file


def test_the_last_match_is_not_one_that_is_being_played(kept: Path) -> None:
    left, file = begun("hearts", 1)
    file.close()
    played, held = begun("spades", 2)
    assert is_held(played) and not is_held(left)
    assert saved_matches.last() == left
    held.close()
    assert saved_matches.last() == played


def test_where_all_are_being_played_the_last_of_them_is_told(kept: Path) -> None:
    (_, first), (played, second) = begun("hearts", 1), begun("spades", 2)
    assert saved_matches.last() == played
    first.close()
    second.close()


def test_who_leaves_the_last_match_is_told_the_short_way_to_go_on(kept: Path) -> None:
    begun("spades", 1)[1].close()
    terminal = Terminal(*MATCH)
    terminal.until("P1>")
    terminal.type("quit\n")
    terminal.until("Leave? y or n:")
    terminal.type("y\n")
    terminal.until("go on with: houserules play --resume\r\n")
    assert terminal.end() == 0
