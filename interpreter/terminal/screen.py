"""What a player sees at the terminal: cards in colour, the table, the moves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from interpreter.run.text import IllegalMove
from interpreter.terminal.menu import Menu

if TYPE_CHECKING:
    from interpreter.run.state import State

SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
STYLES = {"S": "bold", "H": "bold red", "D": "bold red", "C": "bold"}
_CARD = re.compile(r"(?<![\w.])(10|[2-9AJQK])([SHDC])(?![\w.])")


class Screen:
    """Writes to a console; knows nothing that the view of a player does not say."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._symbols = (console.encoding or "").lower().startswith("utf")

    # ---- the course of a match ----------------------------------------------------------------------

    def say(self, text: str, style: str = "") -> None:
        self._print(Text(text, style))

    def clear(self) -> None:
        if self._console.is_terminal:
            self._console.clear()
        else:
            self.say("\n" * 3)

    def hand_over(self, person: int) -> None:
        """Nothing of the view before may be left when this is read."""
        self.clear()
        self.say(f"pass to P{person + 1}, press Enter", "bold")

    def events(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._print(self.styled(line, "dim" if line.startswith(" ") else ""))

    def log(self, lines: Sequence[str]) -> None:
        self.events(lines[-40:])

    def page(self, text: str) -> None:
        self.say(text)

    def refuse(self, refusal: IllegalMove) -> None:
        self._print(Text.assemble(("not so: ", "yellow"), self.styled(str(refusal))))

    def complain(self, text: str) -> None:
        self.say(text, "yellow")

    def race(self, humans: tuple[int, ...], state: State) -> None:
        who = " and ".join(f"P{p + 1}" for p in humans)
        example = f"P{humans[0] + 1}"
        self.say(f"{state.phase}: {who}, all at once! Write who you are and what you do: '{example} ...'", "bold")

    def prompt(self, person: int) -> None:
        self._console.print(Text(f"P{person + 1}> ", "bold cyan"), end="")
        self._flush()

    def result(self, state: State) -> None:
        """Who has won, and how everybody stands."""
        self.say("")
        winners = [f"P{p + 1}" for p in state.winners]
        verb = "wins" if len(winners) == 1 else "win"
        self.say(f"{' and '.join(winners)} {verb} the match." if winners else "The match is over.", "bold green")
        for place, player in sorted((place, p) for p, place in enumerate(state.places)):
            self.say(f"  {place}. P{player + 1}: {state.scores[player]}")

    # ---- a position -----------------------------------------------------------------------------------

    def position(self, state: State, person: int, offered: Menu) -> None:
        """The table as this player may see it, and what they may do."""
        view = state.view(person)
        self._heading(view, person)
        for line in _zones(view, person):
            self._print(self.styled(line))
        for line in _values(view):
            self._print(self.styled(line))
        self._moves(offered)

    def _heading(self, view: Mapping[str, Any], person: int) -> None:
        self.say("")
        self._console.rule(Text(f"P{person + 1}: {view.get('phase', '')}", "bold"), align="left", characters="-")

    def _moves(self, offered: Menu) -> None:
        width = len(str(len(offered.listed)))
        cells = [
            Text.assemble((f"{number:>{width}} ", "cyan"), self.styled(str(move)))
            for number, move in enumerate(offered.listed, start=1)
        ]
        self.say("your moves:" if cells or offered.patterns else "you have no move now", "bold")
        for row in _columns(cells, max(20, self._console.width - 2)):
            self._print(row)
        for pattern in offered.patterns:
            self._print(Text.assemble("  ", (pattern.form, "cyan"), f": {pattern.told}"))
        if offered.claims:
            self._print(Text.assemble("  you may also: ", self.styled(", ".join(offered.claims))))

    # ---- text -----------------------------------------------------------------------------------------

    def styled(self, line: str, style: str = "") -> Text:
        """A line with its cards as symbols in colour."""
        text = Text(style=style)
        end = 0
        for found in _CARD.finditer(line):
            text.append(line[end : found.start()])
            text.append(f"{found[1]}{SUITS[found[2]] if self._symbols else found[2]}", STYLES[found[2]])
            end = found.end()
        text.append(line[end:])
        return text

    def _print(self, text: Text) -> None:
        self._console.print(text, soft_wrap=True, highlight=False)
        self._flush()

    def _flush(self) -> None:
        self._console.file.flush()


def _columns(cells: Sequence[Text], width: int) -> Iterable[Text]:
    """Cells beside each other, as many as fit, read along the rows."""
    if not cells:
        return
    widest = max(cell.cell_len for cell in cells) + 3
    per_row = max(1, width // widest)
    for start in range(0, len(cells), per_row):
        row = Text("  ")
        for cell in cells[start : start + per_row]:
            row.append_text(cell)
            row.append(" " * (widest - cell.cell_len))
        row.rstrip()
        yield row


def _zones(view: Mapping[str, Any], person: int) -> Iterable[str]:
    for name, cards in view.get("zones", {}).items():
        yield f"  {name}: {cards}"


def _values(view: Mapping[str, Any]) -> Iterable[str]:
    for name, value in view.get("values", {}).items():
        yield f"  {name}: {value}"
