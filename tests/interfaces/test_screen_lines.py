"""Lines that are longer than the screen is wide."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from interpreter.interfaces.terminal.screen import Screen

ROW = "  Anna's piles: first empty   second QH (2 cards)   third 3 face down   fifth 10S (5 cards)"


@pytest.mark.parametrize("width", [60, 80])
def test_what_stands_in_one_column_stays_on_one_line(width: int) -> None:
    stream = io.StringIO()
    screen = Screen(Console(file=stream, width=width, force_terminal=True, color_system=None, highlight=False))
    screen._print(screen.styled(ROW))
    lines = [line for line in stream.getvalue().splitlines() if line.strip()]
    assert len(lines) == 2 and all(len(line) <= width for line in lines)
    cells = [cell for line in lines for cell in line.strip().split("   ")]
    assert cells == ["Anna's piles: first empty", "second Q♥ (2 cards)", "third 3 face down", "fifth 10♠ (5 cards)"]
