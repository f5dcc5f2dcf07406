"""The core: what a program is made of between the typed model and printed code.

Expressions never change once they are made, and have no effect but for calls and methods, which stand in statements.
Names of rulesets stand in them as made names only (`made.py`). A printer decides nothing: it knows each kind of node,
and how it is written in its language. Whatever is to be found out about code is found out here, on trees.

Sets of cards are kept as bits ("mask": card n is bit n) or as lists (bottom first); `s` is the state, `z` the cards in
each place, `v` the values of variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from interpreter.base.diagnostics import Span
from interpreter.language.tree import TreeNode, fields

# ---- expressions ----------------------------------------------------------------------------------------


class Expr(TreeNode, frozen=True, gc=False):
    """What has a value."""


class Lit(Expr, frozen=True):
    """A literal: none, a flag, a number, a text, or a tuple of such."""

    value: Any


class Name(Expr, frozen=True):
    """A local of the function."""

    name: str


class Table(Expr, frozen=True):
    """A table of the game, or another constant of it, by its name."""

    name: str


class Ref(Expr, frozen=True):
    """A function of the program or of the library, by its name."""

    name: str


class Field(Expr, frozen=True):
    """What the state knows of the match, or a frame of the machine, or the dice, in the local `of`."""

    name: str
    of: str = "s"


class Zone(Expr, frozen=True):
    """The cards in a place."""

    at: Expr


class Zones(Expr, frozen=True):
    """The cards in each of neighbouring places: low to high - 1."""

    low: Expr
    high: Expr


class Slot(Expr, frozen=True):
    """The value of a variable of one owner."""

    at: Expr


class Slots(Expr, frozen=True):
    """Neighbouring values: low to high - 1."""

    low: int
    high: int


class Item(Expr, frozen=True):
    """What stands in a table or list under a number or key."""

    of: Expr
    at: Expr


class Call(Expr, frozen=True):
    function: str
    args: tuple[Expr, ...] = ()


class Called(Expr, frozen=True):
    """A call of a function that is worked out."""

    of: Expr
    args: tuple[Expr, ...] = ()


class Method(Expr, frozen=True):
    """What a list or table does, of those in `METHODS`."""

    of: Expr
    name: str
    args: tuple[Expr, ...] = ()


class Spread(Expr, frozen=True):
    """Arguments one after the other, in a call or a group."""

    of: Expr


class Op(Expr, frozen=True):
    """Numbers reckoned with, or bits, or texts joined."""

    op: Literal["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"]
    left: Expr
    right: Expr


class Compare(Expr, frozen=True):
    op: Literal["==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"]
    left: Expr
    right: Expr


class Between(Expr, frozen=True):
    """Whether a number lies between two others, or is one of them."""

    low: Expr
    of: Expr
    high: Expr


class Not(Expr, frozen=True):
    of: Expr


class Negative(Expr, frozen=True):
    of: Expr


class Inverted(Expr, frozen=True):
    """All bits that are not in a set: only with `&`."""

    of: Expr


class And(Expr, frozen=True):
    parts: tuple[Expr, ...]


class Or(Expr, frozen=True):
    parts: tuple[Expr, ...]


class If(Expr, frozen=True):
    test: Expr
    then: Expr
    otherwise: Expr


class Lambda(Expr, frozen=True):
    params: tuple[str, ...]
    body: Expr


class Loop(Expr, frozen=True):
    """What is asked of each member of a domain for which `where` holds.

    any, all: whether `value` holds for some, for each; list: the values; first: the first value, or none;
    count: how many there are (`value` is 1).
    """

    kind: Literal["any", "all", "list", "first", "count"]
    variable: str
    domain: Expr
    where: Expr | None
    value: Expr


class Ordered(Expr, frozen=True):
    """Members of a domain in the order of `by`: all of them as a list, or the first or none."""

    kind: Literal["all", "first"]
    variable: str
    domain: Expr
    where: Expr | None
    by: Expr


class Fold(Expr, frozen=True):
    """The sum, least or greatest of numbers; 0 if there are none."""

    kind: Literal["sum", "min", "max"]
    of: Expr


class Tuple(Expr, frozen=True):
    items: tuple[Expr, ...]


class List(Expr, frozen=True):
    items: tuple[Expr, ...]


class Cases(Expr, frozen=True):
    """Numbers, each with what belongs to it."""

    numbers: tuple[int, ...]
    values: tuple[Expr, ...]


class Repeat(Expr, frozen=True):
    """A list of so many equal values."""

    value: Expr
    times: int


class CountBits(Expr, frozen=True):
    of: Expr


class LowBit(Expr, frozen=True):
    """The lowest of some bits."""

    of: Expr


class BitNumber(Expr, frozen=True):
    """The number of a bit: the card."""

    of: Expr


class End(Expr, frozen=True):
    """The top (-1) or bottom (0) card of a list that is at hand, or none."""

    cards: Expr
    at: int


# ---- statements -----------------------------------------------------------------------------------------


class Statement(TreeNode, frozen=True):
    """What is done. Bodies are lists, which grow until their function is printed."""


class Set(Statement, frozen=True):
    target: Expr
    value: Expr
    span: Span | None = None
    note: str = ""


class Update(Statement, frozen=True):
    target: Expr
    op: Literal["+", "-", "&", "|", "^"]
    value: Expr
    span: Span | None = None
    note: str = ""


class Do(Statement, frozen=True):
    value: Expr
    span: Span | None = None
    note: str = ""


class When(Statement, frozen=True):
    test: Expr
    then: list[Statement]
    otherwise: list[Statement]
    span: Span | None = None
    note: str = ""


class Each(Statement, frozen=True):
    """A loop; `variables` has several names where the members are groups."""

    variables: tuple[str, ...]
    domain: Expr
    body: list[Statement]
    span: Span | None = None
    note: str = ""


class While(Statement, frozen=True):
    test: Expr
    body: list[Statement]
    span: Span | None = None
    note: str = ""


class Return(Statement, frozen=True):
    value: Expr
    span: Span | None = None
    note: str = ""


class Continue(Statement, frozen=True):
    span: Span | None = None
    note: str = ""


class Function(TreeNode, frozen=True):
    """A function of the program. params: names; `*row` takes what remains, `first=False` may be left out."""

    name: str
    params: tuple[str, ...]
    body: list[Statement]
    span: Span | None = None


class Alias(TreeNode, frozen=True):
    """A further name for a function."""

    name: str
    of: str


class Remark(TreeNode, frozen=True):
    """A comment in a line of its own; an empty one is an empty line."""

    text: str


Part = Function | Alias | Remark

# ---- what there is ----------------------------------------------------------------------------------------

METHODS = frozenset("append clear count draw get note pop remove tell_score".split())
"""What may be asked of lists, tables, the dice and the log."""
FIELDS = frozenset(
    (
        "best calls current dealer direction down faults halted halves jump leader led log mark mover pc members "
        "pending plays redealing runs seats skips spent stack step teams tokens trick_number tricks up v winner z"
    ).split()
)
"""What code reads and sets of the state, a frame and the dice."""

LOCALS = frozenset(
    (
        "a among best c dice everybody first found frame halves k key laid law lawful led left limit low m made most "
        "number one p plays q row rows s suit taker these tried trump two v ways worth z"
    ).split()
)
"""What locals are called that have no name in the ruleset, where that would be `x·NAME`."""
NUMBERED = "at fitting found kept moved number of slot steady to values ways".split()
"""What locals are called of which there are several, with a number."""

NONE, TRUE, FALSE, ZERO, ONE = Lit(None), Lit(True), Lit(False), Lit(0), Lit(1)
NOTHING = Tuple(())
STATE, ACTOR = Name("s"), Name("p")
PACK, EVERYONE = Table("PACK"), Table("P")
LED, PLAYS = Field("led"), Field("plays")
LOG, WINNER, CURRENT, DIRECTION = Field("log"), Field("winner"), Field("current"), Field("direction")


def lit(value: object) -> Lit:
    return Lit(value)


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
    """A sum; numbers that are written out come first, as one."""
    found, *rest = parts
    for part in rest:
        found = Op("+", found, part)
    return found


def bit(card: Expr) -> Expr:
    return Op("<<", ONE, card)


def holds_bit(bits: Expr, card: Expr) -> Expr:
    """1 if a card is among bits, else 0."""
    return Op("&", Op(">>", bits, card), ONE)


# ---- looking at trees -------------------------------------------------------------------------------------

_KINDS = {kind: "one" for kind in ("Expr", "Expr | None")} | {"tuple[Expr, ...]": "several"}
_parts: dict[type[Any], tuple[tuple[str, bool], ...]] = {}


def _parts_of(kind: type[Any]) -> tuple[tuple[str, bool], ...]:
    """The fields of a kind of node in which expressions stand, and whether these are several."""
    known = _parts.get(kind)
    if known is None:
        hints = {name: _KINDS.get(kind.__annotations__.get(name, ""), "") for name in fields(kind)}
        known = _parts[kind] = tuple((name, how == "several") for name, how in hints.items() if how)
    return known


def children(node: Expr) -> Iterator[Expr]:
    for name, several in _parts_of(type(node)):
        value = getattr(node, name)
        if several:
            yield from value
        elif value is not None:
            yield value


def walk(node: Expr) -> Iterator[Expr]:
    """An expression and all that stand in it."""
    todo = [node]
    while todo:
        found = todo.pop()
        yield found
        todo.extend(children(found))


def is_within(node: Expr, size: int) -> bool:
    """Whether an expression has so many parts at most."""
    todo = [node]
    while todo:
        size -= 1
        if size < 0:
            return False
        todo.extend(children(todo.pop()))
    return True


def size(node: Expr) -> int:
    return sum(1 for _ in walk(node))


def times_named(node: Expr, name: str) -> int:
    """How often a local is named in an expression."""
    return sum(isinstance(part, Name) and part.name == name for part in walk(node))


def rebuilt(node: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """A node with its parts changed; itself if they stay the same."""
    changes: dict[str, Any] = {}
    for name, several in _parts_of(type(node)):
        old = getattr(node, name)
        if several:
            new: Any = tuple([change(part) for part in old])
            if any(a is not b for a, b in zip(old, new, strict=True)):
                changes[name] = new
        elif old is not None and (new := change(old)) is not old:
            changes[name] = new
    if not changes:
        return node
    return type(node)(*(changes.get(name, getattr(node, name)) for name in fields(node)))


def put_in(node: Expr, given: Mapping[str, Expr]) -> Expr:
    """An expression with others in the place of locals. Made names are never those of a loop inside it."""
    if isinstance(node, Name):
        return given.get(node.name, node)
    return rebuilt(node, lambda part: put_in(part, given))


def exchanged(node: Expr, known: Mapping[Expr, Expr]) -> Expr:
    """An expression in which some that stand in it are exchanged for others."""
    if node in known:
        return known[node]
    return rebuilt(node, lambda part: exchanged(part, known))


def is_at_hand(node: Expr) -> bool:
    """Whether it costs next to nothing to look twice: a local, a number, a slot, something of the state."""
    match node:
        case Name() | Table() | Ref() | Field():
            return True
        case Lit(value):
            return not isinstance(value, str | tuple) and not (type(value) is int and value < 0)
        case Slot(at) | Zone(at) | Item(Name() | Table(), at):
            return _is_number_at_hand(at)
    return False


def _is_number_at_hand(at: Expr) -> bool:
    match at:
        case Name() | Table():
            return True
        case Lit(value):
            return type(value) is int and value >= 0
        case Op("+" | "*", left, right):
            return _is_number_at_hand(left) and _is_number_at_hand(right)
    return False


# ---- looking at statements --------------------------------------------------------------------------------


def statements(body: list[Statement]) -> Iterator[Statement]:
    """All statements of a body, those inside others too."""
    for statement in body:
        yield statement
        match statement:
            case When(_, then, otherwise):
                yield from statements(then)
                yield from statements(otherwise)
            case Each(_, _, inner) | While(_, inner):
                yield from statements(inner)


def expressions(body: list[Statement]) -> Iterator[Expr]:
    """All expressions of a body, and those that stand in them."""
    for statement in statements(body):
        for name, _ in _parts_of(type(statement)):
            yield from walk(getattr(statement, name))
