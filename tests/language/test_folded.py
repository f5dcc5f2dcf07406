"""Texts that are told on one line, however they stand in a file."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from interpreter.language.check.entries import folded


@given(st.text("a \n\t\r\u00a0", max_size=20))
def test_blanks_around_the_end_of_a_line_are_one(text: str) -> None:
    assert folded(text) == re.sub(r"\s*[\n\t]\s*", " ", text)


def test_a_million_blanks_take_no_longer_than_a_million_letters() -> None:
    """Looked for with a pattern, each of them would be gone through again for each."""
    assert folded("a" + " " * 1_000_000 + "b\n c") == "a" + " " * 1_000_000 + "b c"
