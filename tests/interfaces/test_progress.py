"""How far a command is: on a terminal after a moment, nowhere else."""

from __future__ import annotations

import pytest
from pseudo_terminal import Terminal

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
    terminal = Terminal("simulate", "hearts", "--games", "9000")
    terminal.until("games", 40)
    assert " left" in terminal.until(" left", 40)
    terminal.process.kill()
    terminal.end()


def test_a_simulation_needs_no_number_of_games(capsys, monkeypatch) -> None:
    monkeypatch.setattr("interpreter.interfaces.cli.analysing.GAMES", 3)
    monkeypatch.setattr("interpreter.interfaces.cli.analysing.GAMES_OF_THINKERS", 2)
    assert run(["simulate", "hearts", "--deals", "1"]) == 0
    assert "hearts, 4 players: 3 games, " in capsys.readouterr().out
    assert run(["simulate", "hearts", "--deals", "1", "--skill", "medium"]) == 0
    assert "hearts, 4 players: 2 games, " in capsys.readouterr().out
