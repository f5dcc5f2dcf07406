"""What stops a match is told in the words of rulesets."""

from __future__ import annotations

import pytest

from interpreter.engine.program import why


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OverflowError("int too large to convert to float"), "a number is too large"),
        (MemoryError(), "there is not memory enough for it"),
        (ZeroDivisionError("integer division or modulo by zero"), "this divides by 0"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_failure_is_told_as_what_it_is(error: Exception, told: str) -> None:
    assert why(error) == told
