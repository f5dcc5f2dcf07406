"""What needs no look at what is hidden is known to need none; whatever looks is caught."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import interpreter
from interpreter.engine.position import Position
from interpreter.players.blindfold import OutOfSight, needs_no_look

OPEN: tuple[Callable[[Position], object], ...] = (
    lambda s: s.z[0], lambda s: s.v[2], lambda s: s.z[-1], lambda s: s.v[0:3], lambda s: len(s.z), lambda s: s.current,
)  # fmt: skip
HIDDEN: tuple[Callable[[Position], object], ...] = (
    lambda s: s.z[1], lambda s: s.v[3], lambda s: s.z[1 - len(s.z)], lambda s: s.v[2:5], lambda s: list(s.z),
    lambda s: 5 in s.v, lambda s: s.v.index(0), lambda s: s.v.count(0), lambda s: s.z[:], lambda s: sum(s.v),
)  # fmt: skip


@pytest.fixture(scope="module")
def table() -> Position:
    return interpreter.load("setback").game().start(seed=1).position


@pytest.mark.parametrize("ask", OPEN)
def test_what_is_open_may_be_asked(table: Position, ask: Callable[[Position], object]) -> None:
    assert needs_no_look(table, OutOfSight({1}, {3}), ask)


@pytest.mark.parametrize("ask", HIDDEN)
def test_a_look_at_what_is_hidden_is_noticed(table: Position, ask: Callable[[Position], object]) -> None:
    assert not needs_no_look(table, OutOfSight({1}, {3}), ask)
