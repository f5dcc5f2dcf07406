"""What differs on honour becomes what is done: nothing or a refusal in strict play, on honour calls of the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interpreter.compiler import core as c
from interpreter.compiler.algebra import joined
from interpreter.compiler.core import Statement

Ways = Mapping[type[c.OfHonor], Callable[[Any], list[Statement]]]
"""What is done in place of each kind of node."""


def kinds_of_honor(body: list[Statement]) -> set[str]:
    """The kinds of nodes in a body, by their names, that differ on honour."""
    return {type(node).__name__ for node in c.statements(body) if isinstance(node, c.OfHonor)}


def strictly(body: list[Statement]) -> list[Statement]:
    """A body for strict play: what is to be said is supplied, what a law forbids is refused, and no fault is noted."""
    return _turned(body, _STRICT)


def as_calls(body: list[Statement]) -> list[Statement]:
    """A body for play on honour, in which what is noted and what lapses are calls of the engine."""
    return _turned(body, _ON_HONOR)


def _turned(body: list[Statement], ways: Ways) -> list[Statement]:
    found: list[Statement] = []
    for node in body:
        if isinstance(node, c.OfHonor):
            found += _turned(ways[type(node)](node), ways)
        else:
            found.append(c.with_blocks(node, lambda inner: _turned(inner, ways)))
    return found


def _announced(node: c.Announce) -> list[Statement]:
    said = c.Do(c.method(node.owed, "append", node.words), node.span)
    return [said if node.when == c.TRUE else c.When(node.when, [said], [], node.span)]


_FAULTS = c.field("faults")
_STRICT: Ways = {
    c.Announce: _announced,
    c.Breach: lambda node: [c.Return(node.laws)],
    c.Fault: lambda node: [],
    c.TakeBack: lambda node: [],
    c.Lapse: lambda node: [],
    c.Follow: lambda node: [c.When(node.test, node.short, node.whole)],
}
_ON_HONOR: Ways = {
    c.Announce: lambda node: [] if node.chosen else _announced(node),
    c.Breach: lambda node: [c.Return(node.laws)],
    c.Fault: lambda node: [c.Do(c.asked("note_fault", c.Lit(node.name), node.offender), node.span)],
    c.TakeBack: lambda node: [c.Do(c.asked("take_back", c.Item(_FAULTS, c.ZERO)), node.span)],
    c.Lapse: lambda node: [c.When(joined("and", [node.when, _FAULTS]), [c.Do(node.ages)], [])],
    c.Follow: lambda node: node.whole,
}
