"""What a rulebook calls what loops and parameters are at, where its author has given it no more than a letter."""

from __future__ import annotations

from collections.abc import Iterable

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


_PLAYER, _THING, _DEEPEST = 1, 14, 7
"""The first signs for players and for other things in loops, and how deep within loops they are told apart."""


def sign_within(phrases: Iterable[str], item: t.Type) -> str:
    """The sign that stands for what a loop is at. phrases: those for what loops around it and all else are at."""
    around = [phrase for phrase in phrases if phrase in THOSE or len(phrase) == 1]
    if item.kind == "player":  # only other players make it another one
        return chr(_PLAYER + min(_DEEPEST, sum(phrase in THOSE or ord(phrase) < _THING for phrase in around)))
    return chr(_THING + min(_DEEPEST, len(around)))


def pronouns(text: str, sign: str, item: t.Type) -> str:
    """The text of a loop with words in place of the sign that stands in it for what the loop is at."""
    word = f"that {ITEMS.get(item.kind, 'value')}"
    whose, who = (f"{word}'s", word) if ord(sign) > _THING else ("its", "it")
    if item.kind == "player":
        who = f"that {NTH[min(ord(sign), len(NTH)) - 1]}player"
        whose = f"{who}'s"
    return text.replace(f"{sign}'s", whose).replace(sign, who)
