"""The cards and values of the state become locals in the functions that look at them."""

from __future__ import annotations

from interpreter.compiler import core as c
from interpreter.compiler.core import Statement
from interpreter.compiler.passes.contents import Contents

_LOOKED_INTO: dict[str, tuple[type[c.Expr], ...]] = {"z": (c.Zone, c.Zones), "v": (c.Slot, c.Slots)}
"""Name of a local, and of the field that it is -> what looks into it, besides its name."""


def with_state_at_hand(body: list[Statement], before: Contents) -> list[Statement]:
    """A body that begins with `z = s.z` and `v = s.v`, where it looks at cards or variables.

    before: what stood in it before other passes, which add neither.
    """
    first: list[Statement] = []
    for name, kinds in _LOOKED_INTO.items():
        local = c.Name(name)
        if (name in before.named or any(kind in before.kinds for kind in kinds)) and any(
            isinstance(node, kinds) or node == local for node in c.expressions(body)
        ):
            first.append(c.Set(local, c.field(name)))
    return first + body
