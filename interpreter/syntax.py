"""The syntax tree of the effect language: what was written, before any name has a meaning.

Every node has its span and is complete when built. `check` turns these into typed nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.diagnostics import Span

# ---- expressions ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name:
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class Text:
    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class Apply:
    """`NAME of X`, `NAME(a, b)`, and the word groups such as `next after X among S`."""

    function: str
    arguments: tuple[Expr, ...]
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Attribute:
    """`card.suit`."""

    of: Expr
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    op: Literal["+", "-", "*", "div", "mod"]
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Compare:
    op: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Logic:
    op: Literal["and", "or"]
    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Not:
    item: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Member:
    """`x in S`."""

    item: Expr
    group: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Is:
    """`X is empty`, `X is face up`, `X is joker`."""

    item: Expr
    what: Literal["empty", "face up", "face down"] | Name
    span: Span


@dataclass(frozen=True, slots=True)
class Quantifier:
    kind: Literal["any", "all"]
    variable: str
    domain: Expr
    where: Expr | None
    body: Expr
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Select:
    """`all x in S where C by K` (the set) and `first x in S where C by K` (one of it, or none)."""

    kind: Literal["all", "first"]
    variable: str
    domain: Expr
    where: Expr | None
    by: Expr | None
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Fold:
    """`sum E for x in S where C`, `min`, `max`; `count x in S where C` has no value."""

    kind: Literal["sum", "min", "max", "count"]
    value: Expr | None
    variable: str
    domain: Expr
    where: Expr | None
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class If:
    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Group:
    """`(a, b)`: several things together."""

    items: tuple[Expr, ...]
    span: Span


Expr = (
    Name | Number | Text | Apply | Attribute | Binary | Compare | Logic | Not | Member | Is
    | Quantifier | Select | Fold | If | Group
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Range:
    """`a..b`, or a single value (both ends the same)."""

    low: Expr
    high: Expr
    span: Span


# ---- effects ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """`move what from source to target`. what None: all that is there."""

    what: Expr | None
    at_random: bool
    source: Expr | None
    target: Expr
    beneath: bool
    facing: Literal["up", "down"] | None
    span: Span


@dataclass(frozen=True, slots=True)
class Deal:
    """`deal N from Z to FAMILY`. packets None: one card at a time."""

    count: Expr | None
    source: Expr
    target: str
    packets: tuple[Expr, ...] | None
    span: Span
    target_span: Span


@dataclass(frozen=True, slots=True)
class Gather:
    sources: tuple[Expr, ...] | None
    target: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class OnCards:
    """One-zone effects: shuffle, turn up, turn down, flip."""

    verb: Literal["shuffle", "turn up", "turn down", "flip"]
    what: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Show:
    what: Expr
    to: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Target:
    """A variable, or a zone, to be changed: `score of p`."""

    name: str
    index: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Assign:
    """set, add, subtract, clear. value None: `set flag`, `clear x`."""

    verb: Literal["set", "add", "subtract", "clear"]
    target: Target
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Swap:
    left: Target
    right: Target
    span: Span


@dataclass(frozen=True, slots=True)
class Plain:
    """Effects of a word or two about the turn and the table."""

    verb: Literal["reverse", "stay", "again", "redeal", "take back fault"]
    span: Span


@dataclass(frozen=True, slots=True)
class OnPlayer:
    """skip P, pass turn to P, reseat S, and what is done with a piece: take X, put back X."""

    verb: Literal["skip", "pass turn", "reseat", "take", "put back"]
    what: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class SetOut:
    count: Expr
    token: str
    span: Span


@dataclass(frozen=True, slots=True)
class Argument:
    name: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    stage: str
    arguments: tuple[Argument, ...]
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Finish:
    stage: str
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Fault:
    law: str
    offender: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Note:
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class IfEffect:
    condition: Expr
    then: tuple[Effect, ...]
    otherwise: tuple[Effect, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ForEffect:
    variable: str
    domain: Expr
    where: Expr | None
    by: Expr | None
    body: tuple[Effect, ...]
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Run:
    """A named effect from `define`."""

    name: str
    arguments: tuple[Expr, ...]
    span: Span


Effect = (
    Move | Deal | Gather | OnCards | Show | Assign | Swap | Plain | OnPlayer | SetOut | Call | Finish
    | Fault | Note | IfEffect | ForEffect | Run
)  # fmt: skip
