"""What a rulebook calls what loops and parameters are at, where its author has given it no more than a letter."""

from __future__ import annotations

from interpreter.language import typed as t
from interpreter.rulebook import grammar as g

ITEMS = {
    "player": "player", "card": "card", "suit": "suit", "rank": "rank", "team": "side", "place": "pile", "meld": "meld",
}  # fmt: skip
NTH = ("", "other ", "third ")
"""How loops within loops tell apart what they are at: that player, that other player, that third player."""
THOSE = {f"that {nth}player" for nth in NTH}


def argument(name: str, kind: t.Type) -> str:
    """What a parameter of a definition is called where the definition is told."""
    name = g.bare(name)
    if kind.kind == "team":
        return "the side"
    if len(name) > 1:
        return f"the {g.plain(name)}"
    other = "other " if name in ("b", "d", "q", "n") else ""
    return {
        "player": f"the {other}player",
        "card": f"the {other}card",
        "place": f"the {other}pile",
        "meld": f"the {other}meld",
        "suit": "the suit",
        "rank": "the rank",
    }.get(kind.kind, name)


def pronouns(text: str, sign: str, item: t.Type) -> str:
    """The text of a loop with words in place of the sign that stands in it for what the loop is at."""
    inner = ord(sign) > 1
    other = NTH[min(ord(sign), len(NTH)) - 1]
    word = f"that {ITEMS.get(item.kind, 'value')}"
    whose, who = (f"{word}'s", word) if inner else ("its", "it")
    if item.kind == "player":
        whose, who = f"that {other}player's", f"that {other}player"
    return text.replace(f"{sign}'s", whose).replace(sign, who)
