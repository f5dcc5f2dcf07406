"""Numbered actions: the words of which the moves of a game are made."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.engine.notation import END, NONE, NOTHING, UNSAID, place_text
from interpreter.engine.program import ActionCode, Program

DONE = "(done)"
"""Ends a move where it could go on."""
MOST_NUMBERED = 100
"""Numbers up to this one are a word; others are spelled."""
_SPELLED = "0123456789-"
_PARTS = re.compile(r"(?=[@=])")
"""A card with what stands behind it: the place where it lies, or what it stands for."""


class Vocabulary:
    """The words of a game, each with its number: 0 is `(done)`, the others follow in a fixed order.

    Words are names of actions, cards, players, suits and whatever else moves name; they depend on the ruleset, its
    options and the number of players. A number above 100 or below 0 is spelled by its digits, with a stroke between
    two.
    """

    def __init__(self, program: Program) -> None:
        self.words: tuple[str, ...] = tuple(dict.fromkeys(_words(program)))
        self._numbers = {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def number(self, word: str) -> int:
        """The number of a word. KeyError if the game has no such word."""
        return self._numbers[word]

    def read(self, text: str) -> tuple[int, ...]:
        """The words of a move, as numbers. KeyError for a move of another game."""
        found: list[int] = []
        was_spelled = False
        for part in parts_of(text):
            is_spelled = part not in self._numbers
            if is_spelled and was_spelled:  # else nobody could tell where the second number begins
                found.append(self._numbers[END])
            words = [f"digit {sign}" for sign in part] if is_spelled else [part]
            found += [self._numbers[word] for word in words]
            was_spelled = is_spelled
        return tuple(found)


def parts_of(text: str) -> Iterator[str]:
    """What has a number each in a text."""
    for word in text.split():
        yield from filter(None, _PARTS.split(word))


def _words(program: Program) -> Iterator[str]:
    actions = [action for stage in program.stages for action in (*stage.actions, *stage.anytime) if not action.talk]
    yield DONE
    yield from (action.name for action in actions)
    yield from dict.fromkeys(program.cards)
    params = [param for action in actions for group in (action.params, *action.rows) for param in group]
    for param in params:
        for symbol in param.symbols:  # which may be several words, where an option says what there is to choose from
            yield from parts_of(symbol)
        if param.form == "flag":
            yield param.name
    yield from (f"P{player + 1}" for player in range(program.n))
    yield from (f"T{team + 1}" for team in dict.fromkeys(program.teams))
    yield from map(str, program.suits)
    yield from map(str, program.ranks)
    yield from (NONE, UNSAID, NOTHING, END)
    places = [place_text(program, place) for place in range(len(program.places))]
    forms = {param.form for param in params}
    if "zones" in forms:
        yield from places
    if any(param.placed for param in params):
        yield from (f"@{place}" for place in places)
    if forms & {"meld", "melds"}:
        yield from _stands(program)
    if forms - {"cards", "kinds", "flag", "suits", "ranks", "players", "teams", "choice", "zones"} or _is_blind(
        actions
    ):
        yield from map(str, range(MOST_NUMBERED + 1))
        yield from (f"digit {sign}" for sign in _SPELLED)


def _stands(program: Program) -> Iterator[str]:
    """What wild cards stand for."""
    for rank in ("", *program.ranks):
        yield from (f"={rank}{letter}" for letter in ("", *program.letters))


def _is_blind(actions: list[ActionCode]) -> bool:
    return any(param.blind for action in actions for group in (action.params, *action.rows) for param in group)
