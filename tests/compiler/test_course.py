"""How stages that do others one after the other are printed, beside what the machine finds out by itself."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter
from interpreter.api.playouts import matches
from interpreter.engine.machine import BEGIN


def function_of(text: str, name: str) -> list[str]:
    """The lines of a function of a program."""
    lines = text.split(f"\ndef {name}(", 1)[1].splitlines()[1:]
    end = next((at for at, line in enumerate(lines) if not line.startswith(" ")), len(lines))
    return [line.strip() for line in lines[:end]]


@pytest.fixture(autouse=True)
def in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSERULES_NATIVE", "0")


def test_what_is_entered_is_printed_in_order_and_what_never_is_left_out() -> None:
    text = interpreter.load("hearts").game().program.text
    assert function_of(text, "begin·deal") == [
        "if frame.step <= 0:", "frame.step = 1", "if when·passing(s):", "frame = entered(s, 5)", "frame.pending = 15",
        "frame.pc = WAIT", "return None", "if frame.step <= 1:", "frame.step = 2", "frame = entered(s, 6)",
        "begin·tricks(s, frame, stage)", "return None", "if frame.step <= 4:", "frame.step = 5", "begun(s, 9)",
        "effect·count(s)", "frame.pc = LEAVE",
    ]  # fmt: skip
    assert function_of(text, "begin·match") == [
        "if frame.step <= 1:", "frame.step = 2", "found = went_through(s, frame, 3)", "if not found:", "return None",
        "frame.pc = LEAVE",
    ]  # fmt: skip


def test_on_honour_the_machine_finds_out_by_itself() -> None:
    program = interpreter.load("hearts").game(enforcement="honor").program
    assert "begin·deal" not in program.text
    assert program.stages[program.by_stage["deal"]].begin is BEGIN["do"]


def played(game: Any) -> list[Any]:
    """What comes of matches, deal by deal, and all that is told of one."""
    state, moves = game.start(seed=5), 0
    while not state.over and moves < 300:
        player = state.actors[moves % len(state.actors)]
        offered = state.legal_moves(player)
        state.play(player, offered[moves * 7 % len(offered)])
        moves += 1
    position = state.position
    counted = [position.runs, position.changes, position.spent, list(map(str, state.log or []))]
    return [counted, list(matches(game, 6, 3, 3, 2_000, by_deal=True)), game.playouts(20, seed=2, limit=97)]


@pytest.mark.parametrize("name", ["hearts", "euchre", "cribbage", "gin-rummy", "setback", "truco"])
def test_matches_go_as_the_machine_would_have_them_go(name: str) -> None:
    game = interpreter.load(name).game()
    found = played(game)
    printed = [stage for stage in game.program.stages if stage.kind == "do" and stage.begin is not BEGIN["do"]]
    assert printed
    for stage in printed:
        stage.begin = BEGIN["do"]
    assert played(game) == found
