"""What the cards of a game look like, as its ruleset says or as is usual."""

from __future__ import annotations

from interpreter.compiler.patterns import Rows
from interpreter.engine.program import Program
from interpreter.language.appearance import LookRow
from interpreter.language.model import Model

COLOURS = frozenset("black red green blue yellow orange purple brown white grey".split())
SYMBOLS = frozenset(
    (
        "clubs diamonds hearts spades bells acorns leaves shields cups coins swords batons circle square triangle star "
        "crescent sun drop wheel flower skip reverse draw"
    ).split()
)
BACK = "blue"
RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
JOKERS = {"JK": "joker", "JB": "big joker", "JL": "little joker"}
KEYS = ("name", "symbol", "colour", "back")

Look = dict[str, str]
"""index: what stands in the corner; symbol: the drawn one below it, or "" where `letter` stands; middle: the one in the
middle; colour, back; name: in words."""


def looks_of(model: Model, program: Program) -> dict[str, Look]:
    """By what moves call a card: how it is drawn."""
    tables = {key: _Table(key, model) for key in KEYS}
    return {
        program.cards[card]: _look(model, program, card, tables)
        for card in range(len(program.cards))
        if program.first_copy[card] == card
    }


class _Table:
    """What the rows of `looks` say of one key."""

    def __init__(self, key: str, model: Model) -> None:
        self._said: list[LookRow] = [row for row in model.looks if getattr(row, key)]
        self._key = key
        self._rows = Rows([row.pattern for row in self._said], model.ranks)

    def of(self, card: tuple[str, str, str, str]) -> str:
        at = self._rows.best(card) if self._said else None
        return "" if at is None else str(getattr(self._said[at], self._key))

    def first(self, *patterns: str) -> str:
        """What the first of some patterns says that says anything."""
        return next((said for pattern in patterns if (said := self.by_pattern(pattern))), "")

    def by_pattern(self, pattern: str) -> str:
        return next((str(getattr(row, self._key)) for row in self._said if row.pattern == pattern), "")


def _look(model: Model, program: Program, card: int, tables: dict[str, _Table]) -> Look:
    face = program.cards[card]
    rank_at, suit_at = program.card_rank[card], program.card_suit[card]
    back_of = tables["back"]
    if rank_at is None or suit_at is None:
        key = (face, "", "", "")
        joker = face in JOKERS
        return {
            "index": "★" if joker else face[:3],
            "letter": "",
            "symbol": tables["symbol"].of(key) or "star",
            "middle": tables["symbol"].of(key) or "star",
            "colour": tables["colour"].of(key) or "purple",
            "back": back_of.of(key) or BACK,
            "name": tables["name"].of(key) or JOKERS.get(face, face.replace("_", " ")),
        }
    rank, suit = program.ranks[rank_at], model.suits[suit_at]
    key = (face, rank, suit.name, suit.colour)
    symbols = tables["symbol"]
    below = symbols.first(face, suit.name, suit.colour, "else") or (suit.name if suit.name in SYMBOLS else "")
    return {
        "index": rank,
        "letter": suit.letter,
        "symbol": below,
        "middle": symbols.first(face, rank) or below,
        "colour": tables["colour"].of(key) or (suit.colour if suit.colour in COLOURS else "black"),
        "back": back_of.of(key) or BACK,
        "name": _name(face, rank, suit.name, suit.colour, tables["name"]),
    }


def _name(face: str, rank: str, suit: str, colour: str, names: _Table) -> str:
    """`queen of hearts`, `red 7`; where the ruleset names a rank, a suit or the card, with its words."""
    if said := names.by_pattern(face):
        return said
    called = names.by_pattern(rank) or RANKS.get(rank, rank)
    if said := names.by_pattern(suit):
        return f"{called} {said}".strip()
    plain = suit.replace("_", " ")
    return f"{plain} {called}" if suit == colour else f"{called} of {plain}"
