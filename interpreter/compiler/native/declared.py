"""What is declared of a game, by the types of the core, as what native code keeps of it."""

from __future__ import annotations

from interpreter.compiler.core import types as of
from interpreter.compiler.native.native_kinds import MOST, WORD, Group, Kind, Maybe, Number, Row
from interpreter.engine.program import Program

TIMES = (1 << 31) - 1
"""How often something is done in a match, at most; more than that the Python lane plays."""


def kind_of(declared: of.Type, program: Program) -> Kind:
    """What a value of a type can be in a game: what it numbers has its bounds there, a count ends at `TIMES`."""
    match declared:
        case of.Number(low, high, name):
            if name:
                least, most = bounds_of(name, program)
                return Number(max(low, least), min(high, most))
            return Number(max(low, -MOST), high if high < of.MANY else TIMES if low == 0 else MOST)
        case of.Bits(name):
            return Number(0, (2 << bounds_of(name, program)[1]) - 1)
        case of.Many(item):
            return Row(kind_of(item, program))
        case of.Group(items):
            return Group(tuple(kind_of(item, program) for item in items))
        case of.Maybe(inner):
            kind = kind_of(inner, program)
            return Number(kind.low, kind.high, True, kind.text) if isinstance(kind, Number) else Maybe(kind)
    return WORD


def bounds_of(name: str, program: Program) -> tuple[int, int]:
    """The numbers of all players, cards or whatever is numbered. Raises KeyError for what is counted nowhere."""
    many = {
        "card": len(program.cards), "player": program.n, "suit": len(program.suits), "rank": len(program.ranks),
        "flag": 2,
    }  # fmt: skip
    return 0, many[name] - 1
