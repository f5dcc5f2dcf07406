"""Texts with values put in."""

from __future__ import annotations

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.lowering import Lowering
from interpreter.compiler.lower.trees import may_be_none_of
from interpreter.language import typed as t
from interpreter.language.typed import Typed


def words(e: Lowering, node: t.Words, spoken: bool) -> Expr:
    """A text with its values put in; spoken ranks and numbers are words."""
    parts = [c.Lit(piece) if isinstance(piece, str) else said(e, piece, spoken) for piece in node.pieces]
    return c.add(*parts) if parts else c.Lit("")


def said(e: Lowering, node: Typed, spoken: bool) -> Expr:
    """A value as people say it."""
    found = e.group(node) if may_be_none_of(node) else e.of(node)
    match node.type.kind:
        case "player":
            return c.call("say_player", found)
        case "team":
            return c.call("say_team", found)
        case "card":
            return c.call("say_card", c.Table("CARDS"), found)
        case "suit":
            return c.call("say_item", c.Table("SUITS"), found)
        case "rank":
            return c.call("say_item", c.Table("RANK_WORDS" if spoken else "RANKS"), found)
        case "integer" if spoken:
            return c.call("say_number", found)
        case "set" | "list" if node.type.item is not None and node.type.item.kind == "card":
            return c.call("say_cards", c.Table("CARDS"), found)
        case "set" | "list" if node.type.item is not None and node.type.item.kind == "player":
            return c.call("say_players", found)
        case "meld":
            return c.asked("say_melds", c.Tuple((found,)))
        case "set" | "list" if node.type.item is not None and node.type.item.kind == "meld":
            return c.asked("say_melds", found)
        case "asked melds":
            return c.call("say_asked", found)
    missing = node.type.kind == "none" or node.type.optional or e.may_miss(node)
    plain = c.call("say_plain" if missing else "str", found)
    # What a name stands for is counted as no longer than a variable's text, so it must not be.
    return c.call("brief", plain) if node.type.kind == "text" and isinstance(node, t.Local) else plain
