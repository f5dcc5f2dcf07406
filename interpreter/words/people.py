"""Who reads, and what that reader calls everybody: you, people by their names, sides by their people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from interpreter.base.english import NUMBER_WORDS
from interpreter.words.verbs import agreeing, base_of

if TYPE_CHECKING:
    from interpreter.language.model import SuitDef

SYMBOLS = {"clubs": ("C", "♣"), "diamonds": ("D", "♦"), "hearts": ("H", "♥"), "spades": ("S", "♠")}
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
)  # beyond them: number 13
_NAMED = re.compile(r"\b([PT])([1-9][0-9]?)\b('s\b)?")
_CARD = re.compile(r"(?<![\w.])(10|[2-9AJQK])([CDHS])(?!\w|\.\w)")


@dataclass(frozen=True, slots=True)
class Reader:
    """One who reads, and the people around the table as they are called.

    player: whose eyes they are, from 0; None is nobody at the table and sees everything. names: of each player.
    teams: the side of each player, from 0, as they sit now; alike for nobody where there are no sides. suits: what
    the suits are called, so that cards can be shown with their symbols. single: cards of which there is but one.
    """

    player: int | None
    names: tuple[str, ...]
    teams: Callable[[], Sequence[int]]
    suits: tuple[str, ...] = ()
    single: frozenset[str] = frozenset()

    def is_you(self, player: int) -> bool:
        return player == self.player

    def who(self, player: int) -> str:
        """`you` or a name, as it stands within a sentence."""
        return "you" if player == self.player else self.names[player]

    def whose(self, player: int) -> str:
        """`your`, `Anna's`, `James'`."""
        return "your" if player == self.player else possessive(self.names[player])

    def speaker(self, player: int) -> str:
        """Who says something, at the head of what is said."""
        return "You" if player == self.player else self.names[player]

    def side(self, team: int) -> str:
        """The people of a side, you first: `you and Ben`."""
        return listed(self._members(team))

    def sides(self, team: int) -> str:
        """Whose something is that belongs to a side: `your side's`, `Anna and Ben's`."""
        members = self._members(team)
        return "your side's" if "you" in members and len(members) > 1 else whose_all(members)

    def side_does(self, team: int, verb: str) -> str:
        """`you and Ben take`, `Anna takes`."""
        members = self._members(team)
        return f"{listed(members)} {agreeing(verb, len(members) == 1 and members[0] != 'you')}"

    def does(self, player: int, verb: str) -> str:
        """`you take`, `Anna takes`."""
        return f"{self.who(player)} {agreeing(verb, player != self.player)}"

    def everybody_of(self, players: Sequence[int]) -> str:
        """Several people, you first."""
        return listed([self.who(p) for p in sorted(players, key=lambda p: (p != self.player, p))])

    def _members(self, team: int) -> list[str]:
        found = [p for p, side in enumerate(self.teams()) if side == team]
        return [self.who(p) for p in sorted(found, key=lambda p: (p != self.player, p))]

    # ---- texts that somebody else has written --------------------------------------------------------

    def named(self, text: str) -> str:
        """A text of the rules with people, sides and cards as this reader calls them; verbs behind you agree."""
        return self.shown(_NAMED.sub(self._called, self._agreed(text)))

    def spoken(self, text: str) -> str:
        """Words that somebody says at the table: everybody is called by name there, you too."""
        return self.shown(_NAMED.sub(self._addressed, text))

    def _addressed(self, found: re.Match[str]) -> str:
        number = int(found[2]) - 1
        if found[1] == "T" or number >= len(self.names):
            return self._called(found)
        return possessive(self.names[number]) if found[3] else self.names[number]

    def card(self, name: str) -> str:
        """A card as it stands in a sentence: `K♣`; one that is called by a word is `the princess` or `a guard`."""
        if not name[:1].islower():
            return _card(name, self.suits)
        words = name.replace("_", " ")
        return f"the {words}" if name in self.single else counted(1, words)

    def shown(self, text: str) -> str:
        """A text with the suits of its cards as symbols."""
        return shown(text, self.suits)

    def _called(self, found: re.Match[str]) -> str:
        number = int(found[2]) - 1
        if found[1] == "P":
            return (self.whose if found[3] else self.who)(number) if number < len(self.names) else found[0]
        return (self.sides if found[3] else self.side)(number) if number in self.teams() else found[0]

    def _agreed(self, text: str) -> str:
        """Verbs behind the first word of a text that names this reader, or several, in the form that agrees."""
        found = re.match(r"([PT])([1-9][0-9]?)\b(?!')", text)
        if found is None:
            return text
        number = int(found[2]) - 1
        many = (
            number == self.player if found[1] == "P" else len(self._members(number)) > 1 or self._is_side_of_one(number)
        )
        if not many:
            return text
        head, rest = text[: found.end()], text[found.end() :]
        rest = re.sub(r"^( (?:has |have )?)(\w+)", _in_base, rest)
        return head + re.sub(r"(\band )(\w+s)\b", _in_base, rest)

    def _is_side_of_one(self, team: int) -> bool:
        return self._members(team) == ["you"]


def letters_of_signs(suits: Iterable[SuitDef]) -> frozenset[str]:
    """The letters of the suits that are shown by a sign: the usual four, as they are usually called and written."""
    return frozenset(suit.letter for suit in suits if SYMBOLS.get(suit.name, ("",))[0] == suit.letter)


def shown(text: str, suits: tuple[str, ...]) -> str:
    """A text with the suits of its cards as symbols. suits: what those of the game are called."""

    def symbol(found: re.Match[str]) -> str:
        own = (sign for suit, (letter, sign) in SYMBOLS.items() if letter == found[2] and suit in suits)
        return next((found[1] + sign for sign in own), found[0])

    return _CARD.sub(symbol, text)


_card = lru_cache(maxsize=1024)(shown)
"""A card with the sign of its suit, kept since cards are told again and again."""


def _in_base(found: re.Match[str]) -> str:
    before = found[1].replace("has ", "have ")
    return before + ({"is": "are", "was": "were"}.get(found[2]) or base_of(found[2]) or found[2])


def possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def whose_all(names: Sequence[str]) -> str:
    """Of several people: `Anna and Ben's`; of you alone `your`."""
    return "your" if list(names) == ["you"] else possessive(listed(list(names)))


def listed(items: Sequence[str], word: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f"{', '.join(items[:-1])} {word} {items[-1]}" if len(items) > 1 else "".join(items)


def number_word(count: int) -> str:
    """`three`, `eleven` as 11: numbers beyond ten are figures."""
    return NUMBER_WORDS[count] if 0 <= count <= 10 else str(count)


def counted(count: int, noun: str, one: str = "") -> str:
    """`a card`, `another card`, `two cards`, `no cards`; one: what stands for `a`."""
    if count == 1 and not one and noun.startswith("other "):
        return f"an{noun}"
    if count == 1:
        return f"{one or ('an' if noun[:1] in 'aeio' else 'a')} {noun}"
    return f"{number_word(count) if count else 'no'} {plural(noun)}"


def plural(noun: str) -> str:
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou") else f"{noun}s"


def ordinal(number: int) -> str:
    return ORDINALS[number - 1] if 0 < number <= len(ORDINALS) else f"number {number}"


def sentence(text: str) -> str:
    """With a capital and a full stop, unless what is quoted at its end has one."""
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.rstrip('"”')[-1:] in tuple(".!?:") else f"{text}."
