"""What the program prints: texts that do not steer a terminal, and findings with the lines of their files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.base.signs import visible

if TYPE_CHECKING:
    from interpreter.base.diagnostics import Diagnostic


def say(text: str, err: bool = False, nl: bool = True) -> None:
    """Print a text. Whatever it quotes, it does not steer the terminal."""
    click.echo(visible(text), err=err, nl=nl)


def rendered(diagnostics: list[Diagnostic]) -> str:
    """Findings as people read them, with the lines of their files."""
    from interpreter.base.diagnostics import render

    texts: dict[str, str | None] = {}
    for found in diagnostics:
        if found.line is not None and found.file not in texts:  # without a place it could not be read, or never ends
            try:
                texts[found.file] = Path(found.file).read_text("utf-8-sig", "replace")
            except (OSError, ValueError):
                texts[found.file] = None
    return "\n".join(render(found, texts.get(found.file)) for found in diagnostics)


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
