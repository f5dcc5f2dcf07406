"""The cards and values of the state become locals in the functions that look at them."""

from __future__ import annotations

from interpreter.compiler import core as c
from interpreter.compiler.core import Statement

_CARDS = (c.Zone, c.Zones)
_VALUES = (c.Slot, c.Slots)


def with_state_at_hand(body: list[Statement]) -> list[Statement]:
    """A body that begins with `z = s.z` and `v = s.v`, where it looks at cards or variables."""
    cards = values = False
    for node in c.expressions(body):
        cards = cards or isinstance(node, _CARDS) or node == c.Name("z")
        values = values or isinstance(node, _VALUES) or node == c.Name("v")
    before: list[Statement] = []
    if cards:
        before.append(c.Set(c.Name("z"), c.field("z")))
    if values:
        before.append(c.Set(c.Name("v"), c.field("v")))
    return before + body
