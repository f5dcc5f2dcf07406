"""What there is of names in a program, and the nodes that are used everywhere."""

from __future__ import annotations

from interpreter.compiler.core.node_kinds import Call, Compare, Expr, Field, Lit, Method, Name, Op, Table, Tuple
from interpreter.compiler.core.walking import worked_out

METHODS = frozenset("append clear count draw get note pop remove tell_score".split())
"""What may be asked of lists, tables, the dice and the log."""
FIELDS = frozenset(
    (
        "best calls current dealer direction down faults halted halves jump leader led log mark moved mover pc members "
        "pending plays redealing runs seated_teams seats skips spent stack step teams tokens trick_number tricks up v "
        "winner z"
    ).split()
)
"""What code reads and sets of the state, a frame and the dice."""

LOCALS = frozenset(
    (
        "a above among around best c dice everybody first follower found frame halves holder k key law lawful leader "
        "led left limit low m made mark most mover number one p players plays q reset rest row rows s stage stays suit "
        "taker these tried trump two v ways worth z"
    ).split()
)
"""What locals are called that have no name in the ruleset, where that would be `x·NAME`."""
NUMBERED = "at cards fitting found kept moved number of once slot steady to values ways".split()
"""What locals are called of which there are several, with a number."""

NONE, TRUE, FALSE, ZERO, ONE = Lit(None), Lit(True), Lit(False), Lit(0), Lit(1)
NOTHING = Tuple(())
STATE, ACTOR = Name("s"), Name("p")
PACK, EVERYONE = Table("PACK"), Table("P")
LED, PLAYS = Field("led"), Field("plays")
LOG, WINNER, CURRENT, DIRECTION = Field("log"), Field("winner"), Field("current"), Field("direction")


def call(function: str, *args: Expr) -> Call:
    return Call(function, args)


def asked(function: str, *args: Expr) -> Call:
    """A call of a function that is given the state."""
    return Call(function, (STATE, *args))


def method(of: Expr, name: str, *args: Expr) -> Method:
    assert name in METHODS, name
    return Method(of, name, args)


def field(name: str, of: str = "s") -> Field:
    assert name in FIELDS, name
    return Field(name, of)


def is_none(of: Expr) -> Expr:
    return Compare("is", of, NONE)


def is_there(of: Expr) -> Expr:
    return Compare("is not", of, NONE)


def add(*parts: Expr) -> Expr:
    """A sum; numbers that are written out and come first are one."""
    found, *rest = parts
    for part in rest:
        found = worked_out(Op("+", found, part))
    return found


def bit(card: Expr) -> Expr:
    return Op("<<", ONE, card)


def holds_bit(bits: Expr, card: Expr) -> Expr:
    """1 if a card is among bits, else 0."""
    return Op("&", Op(">>", bits, card), ONE)
