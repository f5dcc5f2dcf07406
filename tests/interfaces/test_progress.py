"""How far a command is: on a terminal after a moment, nowhere else."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from io import StringIO

import pytest
from pseudo_terminal import Terminal

import interpreter
from interpreter.analysis import simulation
from interpreter.analysis.plan import Plan
from interpreter.api.native_lane import lane_of
from interpreter.interfaces.cli import progress, run


@pytest.mark.parametrize(
    ("seconds", "done", "total", "told"),
    [(10, 5, 10, "about 0:10 left"), (60, 1, 3, "about 2:00 left"), (1, 0, 3, ""), (5, 3, 3, "")],
)
def test_what_is_left_is_reckoned_from_the_pace_so_far(seconds: int, done: int, total: int, told: str) -> None:
    assert progress.time_left(seconds, done, total) == told


def test_nothing_is_shown_where_nobody_looks(capsys) -> None:
    with progress.progress("games") as tell:
        tell(1, 2, "")
    assert capsys.readouterr() == ("", "")


def test_what_takes_long_says_how_long_it_will_take() -> None:
    terminal = Terminal("simulate", "hearts", "--games", "100000")
    terminal.until("games", 40)
    assert " left" in terminal.until(" left", 40)
    terminal.process.kill()
    terminal.end()


def test_the_name_of_a_file_is_neither_markup_nor_steers_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = StringIO()
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    monkeypatch.setattr(shown, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", shown)
    with progress.progress("changes") as tell:
        tell(1, 2, "[link=x]a\x1b]52;c;eA==\x1b\\[/b].yaml")
    told = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", shown.getvalue())  # how the bar itself is drawn
    assert "changes [link=x]a" in told and "[/b].yaml" in told and "\x1b" not in told


def test_a_simulation_needs_no_number_of_games(capsys, monkeypatch) -> None:
    monkeypatch.setattr("interpreter.interfaces.cli.analysing.GAMES", 3)
    monkeypatch.setattr("interpreter.interfaces.cli.analysing.GAMES_OF_THINKERS", 2)
    assert run(["simulate", "hearts", "--deals", "1"]) == 0
    assert "hearts, 4 players: 3 games, " in capsys.readouterr().out
    assert run(["simulate", "hearts", "--deals", "1", "--skill", "medium"]) == 0
    assert "hearts, 4 players: 2 games, " in capsys.readouterr().out


def test_the_time_it_took_to_compile_does_not_make_the_parts_of_a_simulation_small(monkeypatch) -> None:
    game = interpreter.load("hearts").game()
    monkeypatch.setattr(game.program, "native", None)
    lane, given = lane_of(game.program), []

    def play(plan: Plan, numbers: range) -> Iterator[int]:
        time.sleep(0.2)  # as if it was compiled
        lane.played[1] += 64
        lane.seconds += 0.001
        yield from numbers

    def spread(plan: Plan, parts: Iterable[range]) -> Iterator[list[int]]:
        given.extend(parts)
        yield from map(list, given)

    monkeypatch.setattr(simulation, "ALONE", 0.1)
    plan = Plan(game, 1, 1, 300)
    assert list(simulation.in_order(plan, range(2000), 2, play, spread)) == list(range(2000))
    assert len(given[0]) == simulation.MOST_IN_PART
