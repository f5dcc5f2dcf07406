"""Every operation has one row, which checker, compiler and rulebook read, and its Python."""

from __future__ import annotations

import re

import pytest
from where import ROOT

from interpreter.base.diagnostics import Span
from interpreter.compiler import constant
from interpreter.compiler.constant import Settled
from interpreter.compiler.lower.operations import OPS
from interpreter.engine.library import HELPERS
from interpreter.language import typed as t
from interpreter.language.check.functions import SPECIAL
from interpreter.language.operations import FUNCTIONS, OPERATIONS, Operation
from interpreter.language.typed import Type

NOWHERE = Span("", 1, 1, 1, 1)
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
    behind = r"( of\b|\()" if " " not in operation.word else " [a-zA-Z]"
    assert re.search(rf"\b{operation.word}{behind}", REFERENCE)


def test_what_takes_or_gives_ranks_is_worked_out_in_play_where_a_function_of_the_library_does_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before play ranks are names, and "10" comes before "9"."""
    monkeypatch.setitem(constant._OF_LIBRARY, "count", len)
    settled = Settled({}, 2, ranks=("9", "10"))
    ranks = tuple(t.Const(rank, t.RANK, NOWHERE) for rank in ("9", "10"))
    group = t.Op("group", ranks, Type("set", item=t.RANK), NOWHERE)
    with pytest.raises(constant.NotConstant):
        settled.constant(t.Op("count", (group,), t.INTEGER, NOWHERE))
    with pytest.raises(constant.NotConstant):
        settled.constant(t.Op("count", ranks[:1], t.INTEGER, NOWHERE))
    assert (
        settled.constant(
            t.Op("start", (t.Const(1, t.INTEGER, NOWHERE), t.Const("ab", t.TEXT, NOWHERE)), t.TEXT, NOWHERE)
        )
        == "a"
    )
