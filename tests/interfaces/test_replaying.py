"""A recorded match looked at move by move."""

from __future__ import annotations

from pathlib import Path

from pseudo_terminal import Terminal

from interpreter.interfaces.cli import run


def test_a_record_is_stepped_through_with_keys(tmp_path: Path, capsys) -> None:
    record = tmp_path / "match.jsonl"
    played = ["hearts", "-p", "3", "-o", "pass_count=0", "-o", "target=40", "--bots", "all", "--seed", "4"]
    assert run(["play", *played, "--record", str(record)]) == 0
    capsys.readouterr()
    last = len(record.read_text().splitlines()) - 1
    terminal = Terminal("replay", str(record), "--step")
    terminal.until(f"move 0 of {last}")
    terminal.until("Everybody gets 17 cards.")
    for key, shown in ((" ", "move 1 of"), ("\x1b[C", "move 2 of"), ("x", "move 2 of"), ("\x1b[D", "move 1 of")):
        terminal.until("q leaves")
        terminal.type(key)
        terminal.until(shown)
    assert "plays" in terminal.until("q leaves")
    terminal.type("d")
    assert " takes trick 17." in terminal.until("Deal 2")
    assert "wins with" not in terminal.seen
    terminal.until("q leaves")
    terminal.type("e")
    terminal.until(f"move {last} of {last}")
    terminal.until(" wins with ")
    terminal.until("q leaves")
    terminal.type("q")
    assert terminal.end() == 0


def test_without_a_terminal_nothing_waits_for_keys(tmp_path: Path, capsys) -> None:
    assert run(["replay", str(tmp_path / "match.jsonl"), "--step"]) == 2
    assert "--step needs a terminal" in capsys.readouterr().err
