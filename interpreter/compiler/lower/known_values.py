"""Constants and options as the numbers and words that a game knows them by."""

from __future__ import annotations

from typing import Any

from interpreter.compiler.constant import written_card
from interpreter.compiler.layout import Layout
from interpreter.language import typed as t


def symbol(layout: Layout, value: Any, kind: t.Type) -> Any:
    """A named constant as it is kept in this game; a card that is not in the pack is none."""
    if value is None:
        return None
    match kind.kind:
        case "card":
            return layout.by_name.get(str(value).upper())
        case "suit":
            return next(at for at, suit in enumerate(layout.model.suits) if suit.name == value)
        case "rank":
            return layout.model.ranks.index(value)
        case "player":
            return int(str(value)[1:]) - 1
        case "list" | "set" if kind.item is not None and isinstance(value, tuple):
            found = tuple(symbol(layout, part, kind.item) for part in value)
            return found if kind.kind == "list" else tuple(part for part in found if part is not None)
    return value


def given_value(layout: Layout, value: Any, kind: t.Type) -> Any:
    """What is given for an option, as play knows it: there, cards may be written `2d` or `td`."""
    return symbol(layout, written_card(value) if kind.kind == "card" else value, kind)
