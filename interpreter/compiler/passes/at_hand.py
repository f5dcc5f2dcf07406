"""The cards and values of the state become locals in the functions that look at them."""

from __future__ import annotations

from interpreter.compiler import core as c
from interpreter.compiler.core import Statement
from interpreter.compiler.passes.contents import Contents, contents_of, looks_at_cards, looks_at_values


def with_state_at_hand(body: list[Statement], before: Contents | None = None) -> list[Statement]:
    """A body that begins with `z = s.z` and `v = s.v`, where it looks at cards or variables.

    before: what stood in it before other passes, which add neither.
    """
    had = contents_of(body) if before is None else before
    had_cards, had_values = had.cards, had.values
    cards = values = False
    if had_cards or had_values:
        for node in c.expressions(body):
            cards = cards or looks_at_cards(node)
            values = values or looks_at_values(node)
            if cards is had_cards and values is had_values:
                break
    first: list[Statement] = []
    if cards:
        first.append(c.Set(c.Name("z"), c.field("z")))
    if values:
        first.append(c.Set(c.Name("v"), c.field("v")))
    return first + body
