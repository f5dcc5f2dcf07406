"""What simulations count of a match, as the program knows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from interpreter.base.diagnostics import Span
from interpreter.engine.situation import Situation


class CountCode(Struct, frozen=True, eq=False):
    """A definition that is counted whenever a stage ends. each: of whom it is asked, "" or "player" or "team". span:
    where it is defined.

    columns: what is counted: one for the definition, or one for each of whom it is asked or who it may be.
    """

    name: str
    each: str
    function: Callable[..., Any]
    is_player: bool
    columns: tuple[str, ...]
    span: Span

    def amounts(self, s: Situation) -> list[int]:
        """What it comes to now, by column."""
        if self.each:
            return [int(self.function(s, owner) or 0) for owner in range(len(self.columns))]
        found = self.function(s)
        if self.is_player:
            return [int(player == found) for player in range(len(self.columns))]
        return [int(found or 0)]
