"""The nodes of the core: expressions, statements, functions."""

from __future__ import annotations

from typing import Any, Literal

from interpreter.base.diagnostics import Span
from interpreter.language.tree import TreeNode

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


# ---- what differs on honour -----------------------------------------------------------------------------


class OfHonor(Statement, frozen=True):
    """What is something else in strict play than on honour. A pass puts in what it is (`passes/enforcement.py`)."""


class Announce(OfHonor, frozen=True):
    """Something is to be said with a move: in strict play it says itself, on honour the player owes it.

    owed: the list of what is to be said. words: what it is called, the words, whether they are meant to the letter.
    when: what has to hold. chosen: whether they tell what must be said for itself: on honour it is said there, or not.
    """

    owed: Expr
    words: Expr
    when: Expr
    chosen: bool
    span: Span | None = None


class Breach(OfHonor, frozen=True):
    """The numbers of the laws that a move breaks are given back: strict play refuses it, on honour they are noted."""

    laws: Expr


class Fault(OfHonor, frozen=True):
    """A fault of a player is noted, which the rules find without a law."""

    name: str
    offender: Expr
    span: Span | None = None


class TakeBack(OfHonor, frozen=True):
    """The card of the fault that is being paid goes back to where it was played from."""

    span: Span | None = None


class Lapse(OfHonor, frozen=True):
    """A turn or a trick is complete: faults that nobody has claimed grow older and lapse.

    when: what has to hold for that, TRUE for nothing. ages: the call that makes them older.
    """

    when: Expr
    ages: Expr


class Follow(OfHonor, frozen=True):
    """Who plays next: `short` finds that where `test` holds and nobody has moved out of turn, else `whole`."""

    test: Expr
    short: list[Statement]
    whole: list[Statement]


class Function(TreeNode, frozen=True):
    """A function of the program. params: names; `*row` takes what remains, `first=False` may be left out.

    only_looks: it changes nothing of a match but what it counts of steps.
    """

    name: str
    params: tuple[str, ...]
    body: list[Statement]
    span: Span | None = None
    only_looks: bool = False


class Alias(TreeNode, frozen=True):
    """A further name for a function."""

    name: str
    of: str


class Remark(TreeNode, frozen=True):
    """A comment in a line of its own; an empty one is an empty line."""

    text: str


Part = Function | Alias | Remark
