"""What a shell completes: commands, games, options, variants, and values that can be counted up."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from interpreter.interfaces.cli import run


def completed(capsys, monkeypatch: pytest.MonkeyPatch, words: str) -> list[str]:
    """What stands for the last of some words, as bash asks for it."""
    monkeypatch.setenv("_HOUSERULES_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
    assert run([]) == 0
    return capsys.readouterr().out.split()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("houserules simu", ["plain,simulate"]),
        ("houserules play hea", ["plain,hearts"]),
        ("houserules play --skill ", ["plain,easy", "plain,medium", "plain,hard", "plain,random", "plain,thinking"]),
        ("houserules play hearts -o ta", ["plain,target="]),
        ("houserules explain hearts -v sh", ["plain,short_game"]),
        ("houserules diff hearts spade", ["plain,spades", "plain,spades-two"]),
        ("houserules play hearts -o pass_co", ["plain,pass_count="]),
        ("houserules play crazy-eights -o scoring=", ["plain,scoring=winner", "plain,scoring=each"]),
        ("houserules play crazy-eights -o scoring = w", ["plain,winner"]),
        ("houserules play crazy-eights -o scoring =", ["plain,winner", "plain,each"]),
        ("houserules play hearts -o target = 50 -o pass_co", ["plain,pass_count="]),
        ("houserules play hearts --option = target = 50 --variant = sh", ["plain,short_game"]),
        ("houserules play ./mine", ["file,./mine"]),
        ("houserules play no-game -o ta", []),
        ("houserules new x --extends pi", ["plain,pig"]),
        ("houserules validate mine", ["file,mine"]),
    ],
)
def test_words_are_completed(capsys, monkeypatch: pytest.MonkeyPatch, words: str, found: list[str]) -> None:
    """bash gives words apart at `=`."""
    assert completed(capsys, monkeypatch, words) == found


@pytest.mark.parametrize(
    ("shell", "lines"),
    [
        ("bash", ["plain,style=fine", "plain,style="]),
        ("zsh", ["plain", "style=fine", "_", "plain", "style=", "How plain it"]),
        ("fish", ["plain,style=fine", "plain,style=\tHow plain it"]),
    ],
)
def test_a_shell_is_given_nothing_that_it_would_carry_out(
    capsys, monkeypatch: pytest.MonkeyPatch, shell: str, lines: list[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.yaml").write_text(
        "format: 1\nid: mine\nname: Mine\nextends: hearts\noptions:\n"
        '  style: {type: choice, choices: ["$(date)", "a;b", "a b", "`x`", fine], default: fine,'
        ' doc: "How\\nplain\\nit"}\n'
    )
    for words in (f"houserules play {tmp_path}/mine.yaml -o style=", f"houserules play {tmp_path}/mine.yaml -o sty"):
        monkeypatch.setenv("_HOUSERULES_COMPLETE", f"{shell}_complete")
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", words.rpartition(" ")[2] if shell == "fish" else "4")
        assert run([]) == 0
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_given_its_script(capsys, shell: str, tmp_path: Path) -> None:
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "_HOUSERULES_COMPLETE" in script and "houserules" in script
    if shutil.which(shell) is not None:
        (tmp_path / "script").write_text(script)
        assert subprocess.run([shell, "-n", str(tmp_path / "script")], capture_output=True).returncode == 0
