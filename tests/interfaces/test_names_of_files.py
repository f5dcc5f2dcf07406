"""Names that this system cannot write: no file has one, and whoever names it is told so at the place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pseudo_terminal import ROOT

from interpreter.api.recording import sealed

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": str(ROOT)}
"""What makes a system that knows no other letters than those of ASCII in names."""
GAME = {"ruleset": "a", "players": 3, "options": {}, "enforcement": "strict"}


def told(folder: Path, *arguments: str) -> str:
    """What a command says that finds something wrong."""
    done = subprocess.run(
        [sys.executable, "-m", "interpreter", *arguments],
        cwd=folder,
        env=os.environ | ASCII | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 1
    assert "fault of houserules" not in done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("named", ["./pþ.yaml", "./þ/p.yaml", "þ/pþ.yaml"])
@pytest.mark.parametrize(
    ("text", "command", "place"),
    [
        ("format: 1\nid: a\nname: A\nextends: NAMED\n", "validate", "file.yaml:4:10: error E301: there is no file"),
        (
            "format: 1\nid: a\nname: A\nextends: pig\nvariants: {x: {ruleset: NAMED}}\n",
            "validate",
            "file.yaml:5:25: error E301: there is no file",
        ),
        ("game: NAMED\nname: a\nsteps:\n  - P1 pass\n", "test", "file.yaml:1:7: error E701: there is no file"),
        (
            "game: pig\nname: a\nwith: [NAMED]\nsteps:\n  - P1 pass\n",
            "test",
            "file.yaml:3:8: error E701: there is no file",
        ),
    ],
    ids=["extends", "ruleset of a variant", "game of a scenario", "with of a scenario"],
)
def test_a_file_that_no_system_can_hold_is_not_there(
    tmp_path: Path, named: str, text: str, command: str, place: str
) -> None:
    (tmp_path / "file.yaml").write_text(text.replace("NAMED", named), encoding="utf-8")
    assert place in told(tmp_path, command, "file.yaml")


def test_a_name_with_a_line_end_stands_in_one_line_of_a_report(tmp_path: Path) -> None:
    (tmp_path / "one\npassed: all.yaml").write_text("game: pig\nname: a\nsteps: [P1 nonsense]\n", encoding="utf-8")
    lines = told(tmp_path, "test", ".").splitlines()
    assert "  one\N{REPLACEMENT CHARACTER}passed: all.yaml:3:9: step 1, P1 nonsense" in lines


def test_a_ruleset_that_is_called_so_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "file.yaml").write_text("format: 1\nid: a\nname: A\nextends: pþ\n", encoding="utf-8")
    assert "file.yaml:4:10: error E301: there is no ruleset 'pþ'" in told(tmp_path, "validate", "file.yaml")


@pytest.mark.parametrize("found", [["./pþ.yaml"], ["/þ/p.yaml"], ["pig", "./pþ.yaml"]])
def test_a_record_of_such_a_ruleset_cannot_be_played_again(tmp_path: Path, found: list[str]) -> None:
    line, _ = sealed({"houserules": 1, "name": "A", "game": GAME, "from": found, "seed": 1})
    (tmp_path / "record.jsonl").write_text(line, encoding="utf-8")
    shown = told(tmp_path, "replay", "record.jsonl")
    assert "line 1: its ruleset cannot be used" in shown and "there is no such file" in shown


def test_such_a_folder_leads_nowhere(tmp_path: Path) -> None:
    """Nor is what lies above found by going down into it and up again."""
    (tmp_path / "below").mkdir()
    (tmp_path / "above.yaml").write_text("format: 1\nid: above\nname: Above\nextends: pig\n")
    (tmp_path / "below" / "file.yaml").write_text(
        "format: 1\nid: a\nname: A\nextends: ./þ/../../above.yaml\n", encoding="utf-8"
    )
    assert "error E303" in told(tmp_path, "validate", "below/file.yaml")


SCENARIO = "game: pig\nname: a\nsteps:\n  - P1 pass\n"


@pytest.mark.parametrize(
    ("command", "made"),
    [
        (("play", "--resume", "a\nb.jsonl"), ""),
        (("play", "--resume", "a\nb.jsonl"), "no record\n"),
        (("replay", "a\nb.jsonl"), "no record\n"),
        (("test", "--coverage", "a\nb.yaml"), SCENARIO),
        (("test", "--mutate", "a\nb.yaml"), SCENARIO),
        (("validate", "a\nb.yaml"), SCENARIO),
    ],
    ids=["no record", "a bad record", "a record to replay", "coverage", "mutants", "no ruleset"],
)
def test_a_line_break_in_the_name_of_a_file_begins_no_line(tmp_path: Path, command: tuple[str, ...], made: str) -> None:
    if made:
        (tmp_path / command[-1]).write_text(made, encoding="utf-8")
    shown = told(tmp_path, *command)
    assert "a�b" in shown.replace("?", "�") or "a\nb" not in shown
    assert not any(line.startswith(("b.jsonl", "b.yaml")) for line in shown.splitlines())
