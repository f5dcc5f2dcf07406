"""How what somebody types may go on: words of the program, actions, and what can stand behind each of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.interfaces.terminal.menu import Menu

LOOKED_AT = 500
"""Of many moves so many are looked at: choices of cards stand in an order in which the first hold every card."""
COMMANDS = ("help", "hint", "log", "quit", "rules", "scores", "undo")


@dataclass(frozen=True, slots=True)
class Suggestions:
    """words: those that may stand behind each action. names: of those who may say who they are before it."""

    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    def after(self, typed: str) -> list[str]:
        """The words that can stand where the last one of a text stands, as far as it is typed."""
        *before, begun = typed.split(" ")
        before = [word for word in before if word]
        if before and self.names:
            before = [word for word in before if word not in self.names]
        if not before:
            offered: Iterable[str] = (*self.words, *self._all(), *self.names, *COMMANDS)
        elif before[0] in self.words:
            offered = self.words[before[0]]
        else:
            offered = self._all()
        used = {word.casefold() for word in before}
        found = (word for word in offered if word.casefold().startswith(begun.casefold()))
        return list(dict.fromkeys(word for word in found if word.casefold() not in used))

    def _all(self) -> list[str]:
        """What is said behind any action: where that says which is meant, the action may be left out."""
        return [word for words in self.words.values() for word in words]


def suggested(offered: Menu, names: Iterable[str] = ()) -> Suggestions:
    """What a player is offered, to be typed."""
    words: dict[str, dict[str, None]] = {}
    for action, moves in offered.groups:
        texts = (move.text for move in islice(moves, LOOKED_AT))
        words.setdefault(action, {}).update(dict.fromkeys(word for text in texts for word in text.split(" ")[1:]))
    for claim in offered.claims:
        action, *rest = claim.split(" ")
        words.setdefault(action, {}).update(dict.fromkeys(rest))
    return Suggestions({action: tuple(found) for action, found in words.items()}, tuple(names))
