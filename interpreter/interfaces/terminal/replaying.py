"""A recorded match played again: all at once, or move by move with all cards open."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from interpreter.api import record as records
from interpreter.api.record_file import load_text
from interpreter.base.english import players_told
from interpreter.interfaces.terminal.screen import Screen
from interpreter.proofs.open_view import open_view
from interpreter.words.voice import Voice

if TYPE_CHECKING:
    from interpreter.api.game import Game, State

ON, BACK = ("\r", "\n", " ", "\x1b[C", "\x1bOC", "n"), ("\x1b[D", "\x1bOD", "\x7f", "\x08", "b")
"""Keys that go on by a move, and back."""
LAST = 12
"""Lines of what has happened since the last key."""
LEAVE = ("q", "\x1b", "\x04", "")
KEYS = "Space or → goes on, ← back, d to the next deal, e to the end, q leaves"


def replay(path: Path) -> None:
    """Print a recorded match: everything that happened, and how it stands at its end."""
    screen, record, game = _opened(path)
    state = records.play_again(record, game)
    voice = Voice(state.position, _names(record, game))
    screen.chronicle(voice.told(None, state.log or []))
    _end(screen, state, voice, len(record.moves))


def step(path: Path) -> None:
    """Show a recorded match move by move, as keys ask for it."""
    screen, record, game = _opened(path)
    with _keys() as pressed:
        _step(screen, record, game, pressed)


def _step(screen: Screen, record: records.Record, game: Game, pressed: Callable[[], str]) -> None:
    at, last = 0, len(record.moves)
    course, state, told = _from(record, game, at)
    while True:
        voice = Voice(state.position, _names(record, game))
        news = list(voice.told(None, (state.log or [])[told:]))
        screen.clear()
        screen.open_table(open_view(state), game.program.ranks, voice, f"move {at} of {last}")
        screen.chronicle(news, LAST)
        if at == last:
            _end(screen, state, voice, last)
        screen.say(KEYS, "dim")
        key = pressed()
        if key in LEAVE:
            return
        if key in BACK:
            at = max(0, at - 1)
            course, state, told = _from(record, game, at)
        elif key in (*ON, "d", "e") and at < last:
            told = len(state.log or [])
            deals = _deals(state)
            while at < last:
                state, at = next(course), at + 1
                if key in ON or (key == "d" and _deals(state) != deals):
                    break


@contextmanager
def _keys() -> Iterator[Callable[[], str]]:
    """What waits for a key: as long as it is open, keys come one by one and are not shown."""
    try:
        import termios
        import tty
    except ImportError:  # on Windows
        yield click.getchar
        return
    source = sys.stdin.fileno()
    before = termios.tcgetattr(source)
    try:
        tty.setcbreak(source, termios.TCSADRAIN)
        yield lambda: os.read(source, 8).decode("utf-8", "replace")
    finally:
        termios.tcsetattr(source, termios.TCSADRAIN, before)


def _from(record: records.Record, game: Game, at: int) -> tuple[Iterator[State], State, int]:
    """The course of a match from a move on, the state after it, and where what it brought stands in the log."""
    course = records.steps(record, game)
    told, state = 0, next(course)
    for number, state in enumerate(islice(course, at), start=1):
        if number == at - 1:
            told = len(state.log or [])
    return course, state, told


def _deals(state: State) -> tuple[int, ...]:
    """How often each stage has begun that changes the dealer."""
    position = state.position
    return tuple(position.runs[stage.index] for stage in state.game.program.stages if stage.next_dealer is not None)


def _names(record: records.Record, game: Game) -> tuple[str, ...]:
    from interpreter.interfaces.party import recorded_names

    return recorded_names(record.table, game.players)


def _opened(path: Path) -> tuple[Screen, records.Record, Game]:
    record = records.read(load_text(path))
    game = records.game_of(record)
    screen = Screen(Console(highlight=False), game)
    if records.has_changed(record, game):
        screen.complain("the ruleset has changed since this was recorded")
    seed = record.header["seed"]
    screen.say(f"{game.ruleset.name}, {players_told(game.players)}, {game.enforcement}, seed {seed}", "bold")
    return screen, record, game


def _end(screen: Screen, state: State, voice: Voice, moves: int) -> None:
    """How it stands after the last move."""
    if state.over:
        screen.result(voice.result(None), voice.sheet(None, state.log or []))
    else:
        screen.say(f"\nAfter {moves} moves the match goes on. {voice.turn(None)}", "bold")
