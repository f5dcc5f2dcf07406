"""Words that stand for themselves: suits, ranks, colours, cards, players, words of choices; and patterns of cards."""

from __future__ import annotations

import re

from interpreter.base.diagnostics import Report, Span, suggest
from interpreter.language import typed as t
from interpreter.language.check.names import Names
from interpreter.language.typed import Type, Typed


def as_symbol(text: str, span: Span, expected: Type, names: Names) -> t.Const | None:
    """The word as a symbol of the expected type, or None."""
    match expected.kind:
        case "suit" if text in names.suit_names:
            return t.Const(text, t.SUIT, span)
        case "rank" if text in names.ranks:
            return t.Const(text, t.RANK, span)
        case "colour" if text in names.colours:
            return t.Const(text, t.COLOUR, span)
        case "card" if (card := names.card_name(text)) is not None:
            return t.Const(card, t.CARD, span)
        case "choice" if text in expected.symbols:
            return t.Const(text, expected, span)
        case "player" if _player_number(text, names.max_players) is not None:
            return t.Const(text.upper(), t.PLAYER, span)
        case "set" | "list" if expected.item is not None:
            return as_symbol(text, span, expected.item, names)
    return None


def as_any_symbol(text: str, span: Span, names: Names) -> Typed | None:
    """The word as the symbol of a card's attribute, a card or a player, whatever is expected; None if it is none."""
    for kind in (t.SUIT, t.RANK, t.COLOUR, t.CARD, t.PLAYER):
        found = as_symbol(text, span, kind, names)
        if found is not None:
            return found
    return None


def card_pattern(text: str, span: Span, names: Names, report: Report) -> str | None:
    """A card pattern in canonical form; an error if no card can match it."""
    if text == "else" or text in names.suit_names or text in names.colours or text in names.ranks:
        return text
    card = names.card_name(text)
    if card is not None:
        return card
    low, dots, high = text.partition("..")
    if dots and low.strip() in names.ranks and high.strip() in names.ranks:
        return f"{low.strip()}..{high.strip()}"
    known = [*names.suit_names, *names.colours, *names.ranks, *(c.name for c in names.added), "else"]
    meant = names.meant_card(text)
    hint = f"did you mean '{meant}'?" if meant else suggest(text, known, "patterns")
    several = [part.strip() for part in re.split(r",|/|\bor\b|\band\b", text)]
    spread = re.fullmatch(r"(\w+)\s*(?:-|to|–)\s*(\w+)", text)
    if spread is not None and {spread[1], spread[2]} <= set(names.ranks):
        hint = f"a range is written '{spread[1]}..{spread[2]}'"
    elif len(several) > 1 and set(several) <= set(known):
        hint = "each has a row of its own: " + ", ".join(f"'{part}: ...'" for part in several)
    report.error("E515", span, f"no card matches '{text}'", hint)
    return None


def _player_number(text: str, most: int) -> int | None:
    if text[:1] in "Pp" and re.fullmatch("[0-9]{1,6}", text[1:]) and 1 <= int(text[1:]) <= most:
        return int(text[1:]) - 1
    return None
