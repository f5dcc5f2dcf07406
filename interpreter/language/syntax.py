"""The syntax tree of the effect language: what was written, before any name has a meaning.

Every node has its span and is complete when built. `check` turns these into typed nodes.
"""

from __future__ import annotations

import re
from typing import Literal, cast

from interpreter.base.diagnostics import Span
from interpreter.language.tree import TreeNode, fields

# ---- expressions ------------------------------------------------------------------------------


class Name(TreeNode, frozen=True):
    text: str
    span: Span


class Number(TreeNode, frozen=True):
    value: int
    span: Span


class Text(TreeNode, frozen=True):
    value: str
    span: Span


class Apply(TreeNode, frozen=True):
    """`NAME of X`, `NAME(a, b)`, and the word groups such as `next after X among S`."""

    function: str
    arguments: tuple[Expr, ...]
    span: Span
    name_span: Span


class Attribute(TreeNode, frozen=True):
    """`card.suit`."""

    of: Expr
    name: str
    span: Span


class Binary(TreeNode, frozen=True):
    op: Literal["+", "-", "*", "div", "mod"]
    left: Expr
    right: Expr
    span: Span


class Compare(TreeNode, frozen=True):
    op: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr
    span: Span


class Logic(TreeNode, frozen=True):
    op: Literal["and", "or"]
    items: tuple[Expr, ...]
    span: Span


class Not(TreeNode, frozen=True):
    item: Expr
    span: Span


class Member(TreeNode, frozen=True):
    """`x in S`."""

    item: Expr
    group: Expr
    span: Span


class Is(TreeNode, frozen=True):
    """`X is empty`, `X is face up`, `X is joker`, `X is (7..10)`."""

    item: Expr
    what: Literal["empty", "face up", "face down"] | Name | Range
    span: Span


class Quantifier(TreeNode, frozen=True):
    kind: Literal["any", "all"]
    variable: str
    domain: Expr
    where: Expr | None
    body: Expr
    span: Span
    name_span: Span


class Select(TreeNode, frozen=True):
    """`all x in S where C by K` (the set) and `first x in S where C by K` (one of it, or none)."""

    kind: Literal["all", "first"]
    variable: str
    domain: Expr
    where: Expr | None
    by: Expr | None
    span: Span
    name_span: Span


class Fold(TreeNode, frozen=True):
    """`sum E for x in S where C`, `min`, `max`; `count x in S where C` has no value; `least` says outside of what."""

    kind: Literal["sum", "min", "max", "count", "least"]
    value: Expr | None
    variable: str
    domain: Expr
    where: Expr | None
    span: Span
    name_span: Span
    outside: Expr | None = None


class Range(TreeNode, frozen=True):
    """`a..b`, or, where a key takes a range, a single value (both ends the same)."""

    low: Expr
    high: Expr
    span: Span


class Without(TreeNode, frozen=True):
    """`A without B`."""

    group: Expr
    left_out: Expr
    span: Span


class Subsets(TreeNode, frozen=True):
    """`sets of 2..4 from S`. high None: of any size from `low` on."""

    low: Expr
    high: Expr | None
    group: Expr
    span: Span


class Melds(TreeNode, frozen=True):
    """`melds of (set, run) from S`. kinds: a name, or several in brackets."""

    kinds: Expr
    group: Expr
    span: Span


class Some(TreeNode, frozen=True):
    """`top 3 of z`, `bottom n of z`, `last k of z`; the first so many of a set; `card number n of z`."""

    which: Literal["top", "bottom", "last", "first", "number"]
    count: Expr
    group: Expr
    span: Span


class If(TreeNode, frozen=True):
    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span


class Group(TreeNode, frozen=True):
    """`(a, b)`: several things together."""

    items: tuple[Expr, ...]
    span: Span


Expr = (
    Name | Number | Text | Apply | Attribute | Binary | Compare | Logic | Not | Member | Is
    | Quantifier | Select | Fold | Range | Without | Subsets | Melds | Some | If | Group
)  # fmt: skip


# ---- effects ----------------------------------------------------------------------------------


class Move(TreeNode, frozen=True):
    """`move what from source to target`. what None: all that is there."""

    what: Expr | None
    at_random: bool
    source: Expr | None
    target: Expr
    beneath: bool
    facing: Literal["up", "down"] | None
    span: Span


class Deal(TreeNode, frozen=True):
    """`deal N from Z to FAMILY`. packets None: one card at a time. A target `of` somebody is refused by the check.

    first: who gets the first card; None: who sits at the dealer's left.
    """

    count: Expr | None
    source: Expr
    target: Target
    packets: tuple[Expr, ...] | None
    first: Expr | None
    span: Span


class Gather(TreeNode, frozen=True):
    sources: tuple[Expr, ...] | None
    target: Expr
    span: Span


class OnCards(TreeNode, frozen=True):
    """One-zone effects: shuffle, turn up, turn down, flip."""

    verb: Literal["shuffle", "turn up", "turn down", "flip"]
    what: Expr
    span: Span


class Show(TreeNode, frozen=True):
    what: Expr
    to: Expr
    span: Span


class Target(TreeNode, frozen=True):
    """A variable, or a zone, to be changed: `score of p`."""

    name: str
    index: Expr | None
    span: Span


class Assign(TreeNode, frozen=True):
    """set, add, subtract, clear. value None: `set flag`, `clear x`. because: the reason that is told."""

    verb: Literal["set", "add", "subtract", "clear"]
    target: Target
    value: Expr | None
    span: Span
    because: str | None = None


class Swap(TreeNode, frozen=True):
    left: Target
    right: Target
    span: Span


class Plain(TreeNode, frozen=True):
    """Effects of a word or two about the turn and the table."""

    verb: Literal["reverse", "stay", "again", "redeal", "take back fault"]
    span: Span


class OnPlayer(TreeNode, frozen=True):
    """skip P, pass turn to P, reseat S, and what is done with a piece: take X, put back X."""

    verb: Literal["skip", "pass turn", "reseat", "take", "put back"]
    what: Expr
    span: Span


class SetOut(TreeNode, frozen=True):
    count: Expr
    token: str
    span: Span


class Argument(TreeNode, frozen=True):
    name: str
    value: Expr
    span: Span


class Call(TreeNode, frozen=True):
    stage: str
    arguments: tuple[Argument, ...]
    span: Span
    name_span: Span


class Finish(TreeNode, frozen=True):
    stage: str
    span: Span
    name_span: Span


class Fault(TreeNode, frozen=True):
    law: str
    offender: Expr
    span: Span


class Note(TreeNode, frozen=True):
    text: str
    span: Span


class IfEffect(TreeNode, frozen=True):
    condition: Expr
    then: tuple[Effect, ...]
    otherwise: tuple[Effect, ...]
    span: Span


class ForEffect(TreeNode, frozen=True):
    variable: str
    domain: Expr
    where: Expr | None
    by: Expr | None
    body: tuple[Effect, ...]
    span: Span
    name_span: Span


class Let(TreeNode, frozen=True):
    """`let x be E`: a name for what E is now, in the statements that follow."""

    variable: str
    value: Expr
    span: Span
    name_span: Span


class Run(TreeNode, frozen=True):
    """A named effect from `define`."""

    name: str
    arguments: tuple[Expr, ...]
    span: Span


OtherEffect = (
    Move | Deal | Gather | OnCards | Show | Assign | Swap | Plain | OnPlayer | SetOut | Call | Finish
    | Fault | Note | IfEffect | ForEffect | Run
)  # fmt: skip
"""Effects that name nothing for those behind them."""
Effect = OtherEffect | Let


_BARE = frozenset((str, int, bool, type(None), Span, Number))
"""In what is of these there is no name."""


def mentions(tree: object, name: str) -> bool:
    """Whether a name stands in a tree, also in what is put into its texts."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if kind is tuple:
            waiting += cast("tuple[object, ...]", node)
        elif kind in _BARE:
            continue
        elif isinstance(node, Name):
            if node.text == name:
                return True
        elif isinstance(node, Text | Note):
            if _puts_in(node.value if isinstance(node, Text) else node.text, name):
                return True
        elif isinstance(node, Assign) and node.because is not None and _puts_in(node.because, name):
            return True
        elif isinstance(node, TreeNode):
            waiting += [getattr(node, part) for part in fields(node)]
    return False


def _puts_in(text: str, name: str) -> bool:
    return any(re.search(rf"\b{name}\b", inner) for inner in re.findall(r"\{([^{}]*)\}", text))
