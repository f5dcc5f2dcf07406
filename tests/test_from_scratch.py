"""The game that rulesets/README.md writes from scratch: its files are made, its commands run, its mistakes made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.interfaces.cli import cli

COOKBOOK = Path(__file__).resolve().parents[1] / "rulesets" / "README.md"
FENCE = re.compile(r"((?:^(?!```).*\n)*)^```(\S+) ?(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
INSTEAD = re.compile(r"If you write `([^`]+)`\s+for\s+`([^`]+)`", re.IGNORECASE)
WITHOUT = re.compile(r"If you leave out `([^`]+)`", re.IGNORECASE)


def commands(folder: Path) -> Iterator[tuple[str, str]]:
    """What each command of the chapter prints, and what is said that it prints; files are written on the way."""
    chapter = COOKBOOK.read_text(encoding="utf-8").partition("## A game from scratch\n")[2]
    for before, kind, name, text in FENCE.findall(chapter):
        if kind == "yaml":
            (folder / name).write_text(text, encoding="utf-8")
        elif kind == "console":
            command, _, said = text.partition("\n")
            yield _printed(command, _mistake(before), folder), said


def _mistake(before: str) -> tuple[str, str] | None:
    """What the sentence before a command says is written wrong: the right text and the wrong one."""
    instead, without = INSTEAD.search(before), WITHOUT.search(before)
    if instead is not None:
        return instead[2], instead[1]
    return None if without is None else (f"{without[1]}\n", "")


def _printed(command: str, mistake: tuple[str, str] | None, folder: Path) -> str:
    right = (folder / "oh-hell.yaml").read_text(encoding="utf-8")
    if mistake is not None:
        assert right.count(mistake[0]) == 1, mistake
        (folder / "oh-hell.yaml").write_text(right.replace(*mistake), encoding="utf-8")
    result = CliRunner().invoke(cli, command.removeprefix("$ houserules ").split(), env={"COLUMNS": "100"})
    (folder / "oh-hell.yaml").write_text(right, encoding="utf-8")
    return result.output


def test_the_game_from_scratch_prints_what_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed_and_said = list(commands(tmp_path))
    assert len(printed_and_said) >= 8
    for printed, said in printed_and_said:
        if said.startswith("...\n"):
            assert printed.endswith(said.removeprefix("...\n"))
        else:
            assert printed == said


def test_there_are_mistakes_on_the_way() -> None:
    chapter = COOKBOOK.read_text(encoding="utf-8").partition("## A game from scratch\n")[2]
    assert len(INSTEAD.findall(chapter)) + len(WITHOUT.findall(chapter)) >= 8
