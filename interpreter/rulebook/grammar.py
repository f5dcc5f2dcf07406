"""English for what recurs: names as words, owners, one and many, saying no."""

from __future__ import annotations

import re

RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
_AUXILIARY = re.compile(r"\b(is|are|may|must|can|has to|was|were|will|holds)\b")
_PARTICIPLE = re.compile(r"(?:ed|en|wn|aside|away)$")
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def plain(name: str) -> str:
    """A declared name as words: `points_taken` is points taken."""
    return name.replace("_", " ").strip()


def bare(local: str) -> str:
    """The name of a parameter without the number that tells its uses apart."""
    return re.sub(r"_\d+$", "", local)


def card(name: str) -> str:
    """`QS` is the queen of spades; anything that is no card stays as it is."""
    found = re.fullmatch(r"(10|[2-9AKQJ])([CDHS])", name)
    if found:
        return f"the {rank(found[1])} of {_SUITS[found[2]]}"
    return plain(name)


def rank(name: str) -> str:
    return RANKS.get(name, name)


def ranks(name: str) -> str:
    """The plural: aces, sevens as 7s."""
    return f"{RANKS[name]}s" if name in RANKS else f"{name}s"


def a(noun: str) -> str:
    return f"an {noun}" if noun[:1].lower() in "aeio" or noun == "8" else f"a {noun}"


def owned(owner: str, thing: str) -> str:
    """`your hand`, `the winner's hand`, `the hand of the player to the left of the dealer`."""
    if owner == "you":
        return f"your {thing}"
    if owner in ("it", "they"):
        return f"{'its' if owner == 'it' else 'their'} {thing}"
    if " of " in owner or " to " in owner or len(owner.split()) > 4:
        return f"the {thing} of {owner}"
    return f"{owner}{chr(39) if owner.endswith('s') else chr(39) + 's'} {thing}"


def cards_in(name: str) -> str:
    """The name of a zone as a noun: taken is taken cards, hand is hand."""
    words = plain(name)
    return f"{words} cards" if _PARTICIPLE.search(words) else words


def be(subject: str, negated: bool = False) -> str:
    many = subject in ("you", "they") or subject.startswith(
        ("the players", "the cards", "all ", "the others", "those ")
    )
    return ("are" if many else "is") + (" not" if negated else "")


def denied(clause: str) -> str:
    """The opposite of a clause, where it has a word that takes a `not`."""
    said, count = _AUXILIARY.subn(lambda found: f"{found[0]} not", clause, count=1)
    if "holds not" in said:
        said = said.replace("holds not", "does not hold")
    return (
        said.replace("has to not", "need not").replace("can not", "cannot") if count else f"it is not so that {clause}"
    )


def listed(items: list[str], word: str = "and") -> str:
    if len(items) < 2:
        return "".join(items)
    comma = ", " if all("," not in item for item in items) else "; "
    return f"{comma.join(items[:-1])}{comma.rstrip() if len(items) > 2 or comma == '; ' else ''} {word} {items[-1]}"


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    text = text.strip()
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?:”" else f"{text}."


def number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
