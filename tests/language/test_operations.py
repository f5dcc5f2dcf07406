"""Every operation has one row, which checker, compiler and rulebook read, and its Python."""

from __future__ import annotations

import pytest
from where import ROOT

from interpreter.compiler.lower.operations import OPS
from interpreter.engine.library import HELPERS
from interpreter.language.check.functions import SPECIAL
from interpreter.language.operations import FUNCTIONS, OPERATIONS, Operation

REFERENCE = (ROOT / "grammar/README.md").read_text(encoding="utf-8")


def test_every_operation_has_its_python() -> None:
    assert OPS.keys() == OPERATIONS.keys()


def test_what_the_library_does_is_there() -> None:
    named = [row.library for row in OPERATIONS.values() if row.library]
    assert named and all(name in HELPERS for name in named)


def test_no_word_has_two_meanings() -> None:
    assert not FUNCTIONS.keys() & SPECIAL.keys()


@pytest.mark.parametrize("operation", FUNCTIONS.values(), ids=lambda operation: operation.word)
def test_what_has_a_word_says_what_it_takes_and_gives(operation: Operation) -> None:
    assert operation.given
    assert operation.gives.kind != "unknown"
    assert operation.test or operation.says.count("{") == len(operation.given)
    assert operation.word in REFERENCE
