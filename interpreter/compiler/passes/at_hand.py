"""The cards and values of the state become locals in the functions that look at them."""

from __future__ import annotations

from interpreter.compiler import core as c
from interpreter.compiler.core import Statement


def with_state_at_hand(body: list[Statement]) -> list[Statement]:
    """A body that begins with `z = s.z` and `v = s.v`, where it looks at cards or variables."""
    cards = values = False
    for node in c.expressions(body):
        match node:
            case c.Zone() | c.Zones() | c.Name("z"):
                cards = True
            case c.Slot() | c.Slots() | c.Name("v"):
                values = True
        if cards and values:
            break
    before: list[Statement] = []
    if cards:
        before.append(c.Set(c.Name("z"), c.field("z")))
    if values:
        before.append(c.Set(c.Name("v"), c.field("v")))
    return before + body
