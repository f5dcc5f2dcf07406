"""Whoever has nothing to do at the terminal is told so, and need not wait."""

from __future__ import annotations

import io
import queue
import time

import pytest
from rich.console import Console

import interpreter
from interpreter.interfaces.terminal.ending import Left
from interpreter.interfaces.terminal.keyboard import EndOfInput, Keyboard, without_numbers
from interpreter.interfaces.terminal.match import Table
from interpreter.interfaces.terminal.screen import Screen
from interpreter.interfaces.terminal.suggestions import Suggestions
from interpreter.interfaces.terminal.waiting import MEANWHILE, OUT, PLAY_ON
from interpreter.players.random_bot import RandomBot

REST = """\
format: 1
id: rest
name: Rest
players: {min: 3, max: 3}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}}
flow:
  match: {repeat: deal, until: number of deal = 20}
  deal: {TAKES_PART}
  going: {kind: turn, first: P2, turns: 2, actions: {nod: {when: actor != P1}}}
"""


class Typist:
    """Somebody at a keyboard who types what is asked for, line by line, as soon as they are told how."""

    is_person, shows_prompt = True, True

    def __init__(self, shown: io.StringIO, *typed: str) -> None:
        self._shown, self._typed = shown, list(typed)

    def ask(self, prompt: str, suggestions: Suggestions, anew: bool = False) -> None: ...
    def pause(self) -> None: ...
    def drop_numbers(self) -> bool:
        return False

    def close(self) -> None: ...

    def line(self, seconds: float | None = None) -> str | None:
        if self._typed and PLAY_ON in " ".join(self._shown.getvalue().split()):
            return self._typed.pop(0)
        if seconds is None:
            raise EndOfInput
        time.sleep(min(seconds, 0.01))  # and not for as long as it would take
        return None


class Thinker(RandomBot):
    """Thinks of each move, which is counted."""

    thoughts = 0

    def choose(self, state, player):
        Thinker.thoughts += 1
        return super().choose(state, player)


def watched(tmp_path, takes_part: str, *typed: str) -> str:
    """What somebody sees in the first seat who types that."""
    path = tmp_path / "rest.yaml"
    path.write_text(REST.replace("TAKES_PART", takes_part))
    state = interpreter.load(path).game().start(seed=1)
    shown = io.StringIO()
    bots = {player: Thinker(player) for player in (1, 2)}
    table = Table(state, (0,), bots, Screen(Console(file=shown, width=200)), Typist(shown, *typed), RandomBot(9), str)
    try:
        table.run()
    except Left as left:
        return f"{shown.getvalue()}{left}"
    return shown.getvalue()


def test_who_is_out_is_told_so_and_the_others_finish_at_once(tmp_path):
    shown = watched(tmp_path, "players: p where p != P1, do: [going]", "")
    assert shown.startswith(OUT)
    assert "P2 nods" in shown
    assert shown.count(OUT) == 1
    assert "The match is over" in shown


def test_those_who_are_left_think_no_more_once_the_end_is_awaited_by_who_is_out(tmp_path, monkeypatch):
    monkeypatch.setattr(Thinker, "thoughts", 0)
    shown = watched(tmp_path, "players: p where p != P1, do: [going]", "")
    assert "The match is over" in shown and Thinker.thoughts < 3
    watched(tmp_path, "do: [going]", "")
    assert Thinker.thoughts > 10  # who takes part plays against those who think


def test_who_is_out_may_leave(tmp_path):
    assert watched(tmp_path, "players: p where p != P1, do: [going]", "quit", "y").endswith("you have left the match")


def test_who_waits_for_long_is_told_how_not_to(tmp_path):
    shown = watched(tmp_path, "do: [going]", "")
    assert shown.count(PLAY_ON) == 1 and OUT not in shown
    assert "The match is over" in shown


def test_where_one_has_to_be_quick_it_is_said_once_that_nobody_waits():
    state = interpreter.load("pig").game(3).start(seed=1)
    shown = io.StringIO()
    bots = {player: RandomBot(player) for player in (1, 2)}
    table = Table(state, (0,), bots, Screen(Console(file=shown, width=200)), Typist(shown), RandomBot(9), str)
    for _ in range(2):
        table._menu = None
        table._sit_down(0)
    assert shown.getvalue().count(MEANWHILE) == 1


@pytest.mark.parametrize("typed", [("1", "play 5H", "2."), ("play 5H",)])
def test_numbers_that_were_typed_before_a_question_are_dropped_and_words_are_kept(typed: tuple[str, ...]):
    lines: queue.Queue[str] = queue.Queue()
    for line in typed:
        lines.put(line)
    assert without_numbers(lines) is (len(typed) > 1)
    assert [lines.get_nowait() for _ in range(lines.qsize())] == ["play 5H"]


def test_what_stands_in_a_file_was_not_typed_too_early():
    keyboard = Keyboard(io.StringIO("1\n"))
    assert not keyboard.drop_numbers()
    assert keyboard.line() == "1"
