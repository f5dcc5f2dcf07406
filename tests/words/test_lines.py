"""Lines as they are laid out for whoever reads them."""

from __future__ import annotations

import pytest

from interpreter.words.lines import NEWS, Line, last_lines


@pytest.mark.parametrize(("number", "letters", "kept"), [(9_000, 1, 200), (200, 1_000, 20), (9, 10**6, 1), (1, 9, 1)])
def test_what_is_told_at_once_has_an_end(number: int, letters: int, kept: int) -> None:
    told = [Line(NEWS, f"{line:>{letters}}"[-letters:]) for line in range(number)]
    assert last_lines(told, 200, 20_000) == told[-kept:]


def test_of_nothing_nothing_is_told() -> None:
    assert last_lines([], 200, 20_000) == []
