"""What a ruleset says of how its table is drawn. Nothing of it changes a match."""

from __future__ import annotations

from typing import Literal

from interpreter.base.diagnostics import Span
from interpreter.language.tree import TreeNode


class LayoutDef(TreeNode, frozen=True):
    """What a ruleset says of where and how a zone is drawn; "" where it says nothing."""

    at: Literal["", "table", "mine", "seat", "away"] = ""
    form: Literal["", "fan", "row", "grid", "stack", "count"] = ""
    order: Literal["", "as lies", "sorted"] = ""
    name: str = ""
    beside: str = ""
    """The zone beside which it lies."""


class LookRow(TreeNode, frozen=True):
    """How the cards of a pattern are drawn; "" where the row says nothing."""

    pattern: str
    name: str
    symbol: str
    colour: str
    back: str
    span: Span
