"""What a player sees at the terminal: cards in colour, the table, the moves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from interpreter.base.signs import visible
from interpreter.engine.notation import IllegalMove
from interpreter.interfaces.terminal.menu import Menu
from interpreter.interfaces.terminal.story import Story, is_move, together
from interpreter.words.drawing import position

if TYPE_CHECKING:
    from interpreter.api.state import State
    from interpreter.engine.moves import Move

LAST = 40
"""Lines of the log that are shown when somebody asks."""
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
PROGRAM_WORDS = ("no_such_move", "not_possible")
STYLES = {"S": "bold", "H": "bold red", "D": "bold red", "C": "bold"}
_CLAIM = re.compile(r"claim: (P\d+) against (P\d+) (?:turned down|upheld: (.+))")
_SAYS = re.compile(r'say: (P\d+) (".*)')
_CARD = re.compile(r"(?<![\w.])(10|[2-9AJQK])([SHDC])(?![\w.])")


class Screen:
    """Writes to a console; knows nothing that the view of a player does not say."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._story = Story()
        self._open = False
        """Whether the cursor stands behind a prompt."""
        self._symbols = (console.encoding or "").lower().startswith("utf")

    # ---- the course of a match ----------------------------------------------------------------------

    def say(self, text: str, style: str = "") -> None:
        self._print(Text(text, style))

    def clear(self) -> None:
        self._end_line()
        if self._console.is_terminal:
            self._console.clear()
            self._console.file.write("\x1b[3J")  # what has scrolled off must not be found by scrolling back
        else:
            self.say("\n" * 3)

    def hand_over(self, person: int, hide: bool) -> None:
        """Nothing of the view before may be left when this is read. hide: somebody's view has been shown."""
        if hide:
            self.clear()
        self.say(f"pass to P{person + 1}, press Enter", "bold")

    def events(self, lines: Iterable[str]) -> None:
        """What has happened; lines that only repeat others are left out."""
        for line in self._story.lines(lines):
            self._event(line)

    def chronicle(self, lines: Iterable[str]) -> None:
        """What has happened, to be read afterwards: tricks stand on one line."""
        for line in together(self._story.lines(lines), max(60, self._console.width - 2)):
            self._event(line)

    def log(self, lines: Sequence[str]) -> None:
        """The last of what has happened."""
        for line in list(together(Story().lines(lines), max(60, self._console.width - 2)))[-LAST:]:
            self._event(line)

    def _event(self, line: str) -> None:
        if judged := _CLAIM.fullmatch(line):
            self._print(self.styled(_verdict(*judged.groups()), "bold yellow"))
            return
        if spoken := _SAYS.fullmatch(line):
            self._print(self.styled(f"{spoken[1]}: {spoken[2]}"))
            return
        style = "" if is_move(line) or line.startswith("score") else "dim"
        self._print(self.styled(line.removeprefix("note: "), style))

    def page(self, text: str) -> None:
        self.say(text)

    def help(self, offered: Menu, state: State) -> None:
        """What can be typed, as it fits the moves that are offered."""
        listed, patterns = offered.listed, offered.patterns
        told: list[tuple[str, str]] = []
        if listed:
            told.append(("1" if len(listed) == 1 else f"1 to {len(listed)}", "the move of that number"))
            told.append((str(listed[0]), "a move in words; a beginning of them will do, or only its card"))
        told += [(pattern.form, pattern.told) for pattern in patterns]
        if offered.claims:
            told.append((offered.claims[0], "a claim; the name of the law may follow"))
        if state.game.program.honor and (listed or patterns):
            told.append((f'{listed[0] if listed else patterns[0].form} "..."', "a move, and what you say with it"))
        told += [
            ("rules", "the rules of this game"),
            ("log", "what has happened"),
            ("Enter", "the table once more"),
            ("quit", "leaves the match; one that is recorded can go on later"),
        ]
        width = max(len(what) for what, _ in told)
        for what, means in told:
            self._print(Text.assemble("  ", (f"{what:<{width}}", "cyan"), f"  {means}"))

    def refuse(self, refusal: IllegalMove) -> None:
        """Why not. A law is named, for it can be looked up; words of the program say nothing to a player."""
        why = refusal.message if refusal.law in PROGRAM_WORDS else str(refusal)
        self._print(Text.assemble(("not so: ", "yellow"), self.styled(why)))

    def complain(self, text: str) -> None:
        self.say(text, "yellow")

    def leave(self, text: str) -> None:
        """The last words of a match that is left, on a new console: an interrupt may have broken the old one."""
        self._console = Console(file=self._console.file, highlight=False)
        self.say(text)

    def race(self, humans: tuple[int, ...], state: State) -> None:
        who = " and ".join(f"P{p + 1}" for p in humans)
        example = f"P{humans[0] + 1}"
        self.say(f"{state.phase}: {who}, all at once! Write who you are and what you do: '{example} ...'", "bold")

    def prompt(self, person: int | None) -> None:
        """Ask a person, or whoever is first; once is enough."""
        if self._open:
            return
        self._console.print(Text("> " if person is None else f"P{person + 1}> ", "bold cyan"), end="")
        self._flush()
        self._open = True

    def typed(self, line: str, echo: bool) -> None:
        """A line was typed below the prompt. echo: nobody has shown it, because it came from a file."""
        self._open = self._open and echo
        if echo:
            self._console.print(seen(Text(line)), soft_wrap=True)
            self._open = False

    def _end_line(self) -> None:
        """Leave the line of a prompt that was not answered; what somebody has typed there stays to be read."""
        if self._open:
            self._open = False
            self._console.print()

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
        self.say("")
        self._console.rule(
            Text(f"P{person + 1}: {view['phase'].replace('_', ' ')}", "bold"), align="left", characters="-"
        )
        for line in position(view, state.game.program.ranks, state.position.teams):
            self._print(self.styled(line))
        self._moves(offered)

    def _moves(self, offered: Menu) -> None:
        self.say("your moves:" if offered.listed or offered.patterns else "you have no move now", "bold")
        width = len(str(len(offered.listed)))
        room = max(30, self._console.width - 2)
        for action, numbered in _by_action(offered.listed):
            cells = [
                Text.assemble((f"{n:>{width}} ", "cyan"), self.styled(str(move)[len(action) :].strip() or action))
                for n, move in numbered
            ]
            margin = f"  {action}: " if any(str(move) != action for _, move in numbered) else "  "
            for at, row in enumerate(_columns(cells, room - len(margin))):
                self._print(Text(margin if at == 0 else " " * len(margin)).append_text(row))
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
        self._end_line()
        self._console.print(seen(text), soft_wrap=True, highlight=False)
        self._flush()

    def _flush(self) -> None:
        self._console.file.flush()


def seen(text: Text) -> Text:
    """The text with a mark in place of each sign that nobody sees; its styles stay where they are."""
    text.plain = visible(text.plain)
    return text


def _verdict(claimer: str, offender: str, law: str | None) -> str:
    """How a claim was judged, as somebody at the table would say it."""
    if law is None:
        return f"  no: {claimer} is wrong, {offender} has nothing to pay for now"
    return f"  yes: {claimer} has caught {offender} ({law.replace('_', ' ')})"


def _by_action(moves: Sequence[Move]) -> Iterable[tuple[str, list[tuple[int, Move]]]]:
    """The moves with their numbers, those of one action together."""
    numbered = list(enumerate(moves, start=1))
    for action, group in groupby(numbered, key=lambda item: item[1].action):
        yield action, list(group)


def _columns(cells: Sequence[Text], width: int) -> Iterable[Text]:
    """Cells beside each other, as many as fit, read along the rows."""
    widest = max(cell.cell_len for cell in cells) + 3
    per_row = max(1, width // widest)
    for start in range(0, len(cells), per_row):
        row = Text()
        for cell in cells[start : start + per_row]:
            row.append_text(cell)
            row.append(" " * (widest - cell.cell_len))
        row.rstrip()
        yield row
