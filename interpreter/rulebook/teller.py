"""The texts that a ruleset gives for those who learn the game, and what stands for those that it does not give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interpreter.language import typed as t
from interpreter.language.model import Advice, LawDef, TableSlot
from interpreter.rulebook import grammar as g
from interpreter.rulebook.book import Item
from interpreter.rulebook.marks import Marks
from interpreter.rulebook.speaker import Speaker

_SYMBOLS = {"clubs": ("C", "♣"), "diamonds": ("D", "♦"), "hearts": ("H", "♥"), "spades": ("S", "♠")}
_STATES = re.compile(
    r"\[|(?:the|a|an|all|any|each|every|some|there|this|that|these|those|it|you|your|they|he|she|one|nobody|nothing|"
    r"somebody|something|everybody|who|whoever|what)\b",
    re.IGNORECASE,
)
"""How a message begins that says what is the case, not what to do."""
_HOLDS = re.compile(r"you hold \[(?:the )?(.*)\]")


class Teller:
    """Fills in the texts of one game, as its options and players have settled it."""

    def __init__(self, speaker: Speaker, marks: Marks) -> None:
        self._speaker, self._marks = speaker, marks
        named = {suit.name: suit.letter for suit in speaker.model.suits}
        self._signs = {letter: sign for suit, (letter, sign) in _SYMBOLS.items() if named.get(suit) == letter}

    def items(self, advices: Iterable[Advice], term: str = "") -> Iterator[Item]:
        """What is told in this game of some texts, each an item."""
        for advice in advices:
            if advice.when is None or self._clause(advice.when) != "never":
                text = re.sub(r"([!?])\.", r"\1", self.shown("".join(map(self._piece, advice.pieces))))
                yield Item(g.sentence(text), term, mark=advice.span.file != self._marks.base)

    def shown(self, text: str) -> str:
        """A text with the suits of its cards as symbols."""
        letters = "".join(self._signs)
        if not letters:
            return text
        found = re.sub(rf"(?<![\w.])(10|[2-9AJQK])([{letters}])(?!\w|\.\w)", self._signed, text)
        return re.sub(r"\bthe (\w+) of (clubs|diamonds|hearts|spades)\b", self._card, found)

    def law(self, law: LawDef) -> Iterator[Item]:
        """What a law asks for: its text, or else its message if that is advice, and no word on what is the case."""
        holds = self._clause(law.law)
        if holds == "always":
            return
        if law.rule:
            yield from self.items(law.rule)
            return
        spoken = "" if law.message is None else self._speaker.spoken(law.message)
        held = _HOLDS.fullmatch(spoken)
        if held:
            text = f"if you hold {held[1]}, play one of them"
        elif not spoken or _STATES.match(spoken):
            return  # it is told with every rule in detail
        else:
            text = re.sub(r"[\[\]]", "", spoken)
        yield Item(g.sentence(self.shown(text)), mark=law.span.file != self._marks.base)

    def _signed(self, found: re.Match[str]) -> str:
        return found[1] + self._signs[found[2]]

    def _card(self, found: re.Match[str]) -> str:
        """`the queen of spades` as it stands in a text that the program makes."""
        letter, sign = _SYMBOLS[found[2]]
        rank = {word: name for name, word in g.RANKS.items()}.get(found[1], found[1])
        return f"the {rank}{sign}" if letter in self._signs and rank in _RANKS else found[0]

    def _clause(self, node: t.Typed) -> str:
        return self._speaker.clause(self._speaker.folding.fold(node))

    def _piece(self, piece: str | t.Typed | TableSlot) -> str:
        if isinstance(piece, str):
            return piece
        if isinstance(piece, TableSlot):
            return self._table(piece.name)
        chosen = self._speaker.folding.options.get(piece.name) if isinstance(piece, t.OptionRef) else None
        if isinstance(chosen, tuple):
            return ", ".join(g.plain(str(item)) for item in chosen)
        return self._speaker.noun(self._speaker.folding.fold(piece)).strip("“”")

    def _table(self, name: str) -> str:
        """A table over cards in a row: `1 for a heart, 13 for the queen of spades`."""
        by_value: dict[str, list[str]] = {}
        for row in self._speaker.model.tables[name].rows:
            value = self._speaker.noun(self._speaker.folding.fold(row.value))
            if not (row.pattern == "else" and value == "0"):
                by_value.setdefault(value, []).append(self._speaker.pattern(row.pattern))
        return ", ".join(f"{value} for {g.listed(cards, 'or')}" for value, cards in by_value.items()) or "nothing"


_RANKS = frozenset("2 3 4 5 6 7 8 9 10 J Q K A".split())
