"""Cards as they are drawn: with their suit's symbol, where there is one, and in its colour."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.text import Text

from interpreter.interfaces.terminal.screen import STYLES, SUITS
from interpreter.words.people import letters_of_signs

if TYPE_CHECKING:
    from interpreter.api.game import Game

COLOURS = {
    "red": "bold bright_red", "blue": "bold bright_blue", "yellow": "bold bright_yellow", "green": "bold bright_green",
    "black": "bold", "orange": "bold orange1", "purple": "bold magenta", "white": "bold bright_white",
}  # fmt: skip
PLAIN = "bold"


class Faces:
    """The faces of the cards of one game. symbols: whether the terminal can show suits as symbols."""

    def __init__(self, game: Game, symbols: bool = True) -> None:
        self._faces: dict[str, tuple[str, str]] = {}
        self.symbols = symbols
        suits = sorted(game.ruleset.model.suits, key=lambda suit: -len(suit.letter))
        ranks, letters = set(game.program.ranks), letters_of_signs(suits)
        for card in game.program.cards:
            suit = next((s for s in suits if card.endswith(s.letter) and card[: -len(s.letter)] in ranks), None)
            if suit is None:
                self._faces[card] = card, PLAIN
            elif suit.letter in letters and suit.colour in ("red", "black"):
                sign = SUITS[suit.letter] if symbols else suit.letter
                self._faces[card] = card[: -len(suit.letter)] + sign, STYLES[suit.letter]
            else:
                self._faces[card] = card, COLOURS.get(suit.colour, PLAIN)
        self.width = max(len(face) for face, _ in self._faces.values())
        for letter, sign in SUITS.items():  # sentences show suits as symbols
            for card, face in [*self._faces.items()]:
                if letter in letters and card.endswith(letter):
                    self._faces.setdefault(card.removesuffix(letter) + sign, face)
        names = "|".join(re.escape(card) for card in sorted(self._faces, key=len, reverse=True) if len(card) > 1)
        self._names = re.compile(rf"(?<![\w.])({names})(?!\w|\.\w)") if names else None

    def face(self, card: str) -> Text:
        """One card."""
        return Text(*self._faces.get(card, (card, PLAIN)))

    def styled(self, line: str, style: str = "") -> Text:
        """A line with its cards as they are drawn."""
        text, end = Text(style=style), 0
        for found in self._names.finditer(line) if self._names is not None else ():
            text.append(line[end : found.start()])
            text.append(*self._faces[found[0]])
            end = found.end()
        text.append(line[end:])
        return text
