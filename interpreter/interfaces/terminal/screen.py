"""What a player sees at the terminal: cards in colour, the table, the moves."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from interpreter.base.signs import visible
from interpreter.engine.standing import kind_of_phase
from interpreter.interfaces.terminal.keyboard import is_dumb
from interpreter.interfaces.terminal.menu import Menu
from interpreter.words.drawing import position, tops
from interpreter.words.lines import BREAK, MOVE, SCORE, Line, together
from interpreter.words.people import letters_of_signs

if TYPE_CHECKING:
    from interpreter.api.game import Game, State
    from interpreter.engine.moves import Move
    from interpreter.interfaces.terminal.together import Shared
    from interpreter.words.voice import Voice

SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
STYLES = {"S": "bold", "H": "bold red", "D": "bold red", "C": "bold"}
_LETTERS = {sign: letter for letter, sign in SUITS.items()}
_PLAIN = str.maketrans({"“": '"', "”": '"', "→": "->", "←": "<-"})
"""What stands for signs that a terminal does not have."""
_BETWEEN, _JOINT = re.compile(r"(?<=\S) (?=\S)"), "\ue000"
"""A blank between two words, and a sign as wide that stands for it where no line may end: texts hold none of these."""
_CLEARED = "\x1b[2J\x1b[H\x1b[3J"
"""Erases the screen, goes to its beginning, and erases what has scrolled off it."""
_HIGH = 100
"""Lines of a terminal that does not say how high it is."""
_CARD = re.compile(r"(?<![\w.])(10|[2-9AJQK])([SHDC♠♥♦♣])(?!\w|\.\w)")


class Screen:
    """Writes to a console; knows nothing that the view of a player does not say."""

    def __init__(self, console: Console, game: Game | None = None) -> None:
        self._console = console
        self._letters = frozenset(SUITS) if game is None else letters_of_signs(game.ruleset.model.suits)
        self._open = False
        """Whether the cursor stands behind a prompt."""
        self._symbols = (console.encoding or "").lower().startswith("utf")

    @property
    def width(self) -> int:
        """How many letters a line has room for."""
        return self._console.width

    # ---- the course of a match ----------------------------------------------------------------------

    def say(self, text: str, style: str = "") -> None:
        self._print(Text(text, style))

    @property
    def can_clear(self) -> bool:
        """Whether what has been cleared cannot be found by scrolling back."""
        return self._console.file.isatty() and not is_dumb()

    def clear(self) -> None:
        """Take off the screen what stands there. Of a file nothing can be taken off."""
        self._end_line()
        if not self._console.file.isatty():  # whether there are to be colours, which a console knows, is nothing to ask
            self.say("\n" * 3)
        elif self._console.legacy_windows:
            self._console.clear()
        else:
            pushed_off = "\n" * self._height() if is_dumb() else ""
            self._console.file.write(pushed_off + ("" if os.environ.get("TERM") in ("dumb", "unknown") else _CLEARED))

    def _height(self) -> int:
        """Lines of the terminal, which a console does not look up where there is no more than lines."""
        try:
            return os.get_terminal_size(self._console.file.fileno()).lines or _HIGH
        except OSError:
            return _HIGH

    def hand_over(self, person: str, hide: bool) -> None:
        """Nothing of the view before may be left when this is read. hide: somebody's view has been shown."""
        if hide:
            self.clear()
        self.say(f"pass to {person}, press Enter", "bold")

    def told(self, lines: Iterable[Line]) -> None:
        """What has happened, line by line."""
        for line in lines:
            self._line(line)

    def chronicle(self, lines: Iterable[Line], last: int | None = None) -> None:
        """What has happened, to be read afterwards: what is done in a row stands on one line, what happens again and
        again is counted; only the last lines."""
        runs = [(line, len(list(alike))) for line, alike in groupby(together(lines, max(60, self._console.width - 2)))]
        found = [Line(one.kind, f"{one.text} ({times} times)") if times > 1 else one for one, times in runs]
        self.told(found if last is None else found[-last:])

    def _line(self, line: Line) -> None:
        if line.kind == BREAK:
            self.say("")
        self._print(
            self.styled(line.text, "" if line.kind in (MOVE, SCORE) else "bold" if line.kind == BREAK else "dim")
        )

    def page(self, text: str, person: bool = False) -> None:
        """A long text; a person at a terminal turns its pages."""
        if person and self._console.is_terminal and text.count("\n") >= self._console.height:
            self._end_line()
            os.environ.setdefault("LESS", "-RPsspace goes on, q goes back$")  # else the pager says ":" and no more
            click.echo_via_pager(visible(text) if self._symbols else visible(text).translate(_PLAIN))
        else:
            self.say(text)

    def advice(self, lines: Iterable[str]) -> None:
        """What a bot would do."""
        for line in lines:
            self._print(self.styled(line, "italic"))

    def taken_back(self, move: str) -> None:
        self._print(self.styled(f"You take back: {move}. Chance goes on in another way from here."))

    def leaving(self, kept: bool) -> None:
        """Somebody wants to leave."""
        self.say(
            "The match is saved: 'houserules play --resume' goes on with it." if kept else "The match is not saved.",
            "bold",
        )

    def help(
        self, offered: Menu, state: State, in_words: Callable[[Move], str], open_now: Mapping[str, bool] = {}
    ) -> None:
        """What can be typed, as it fits the moves that are offered. in_words: a move as it may be typed.

        open_now: whether commands do anything now that don't always.
        """
        listed, patterns = offered.listed, offered.patterns
        told: list[tuple[str, str]] = []
        if listed:
            if offered.numbered:
                told.append(("1" if len(listed) == 1 else f"1 to {len(listed)}", "the move of that number"))
            example = self.styled(in_words(listed[0])).plain
            by_card = any(word in state.game.program.by_name for word in str(listed[0]).split())
            how = "a move in words; a beginning of them will do"
            told.append((example, f"{how}, or only its card" if by_card else how))
        told += [(pattern.form, pattern.told) for pattern in patterns]
        if offered.claims:
            told.append((_spaced(offered.claims[0]), "a claim; the name of the law may follow"))
        if state.game.program.honor and (listed or patterns):
            told.append((f'{listed[0] if listed else patterns[0].form} "..."', "a move, and what you say with it"))
        told += [
            ("rules", "the rules of this game"),
            ("log", "what has happened"),
            ("scores", "the scores by deal"),
            ("hint", "what a bot would do, and why"),
            ("undo", "takes your last move back"),
            ("Enter", "the table once more"),
            ("quit", "leaves the match; 'houserules play --resume' goes on with it"),
        ]
        told = [(what, means) for what, means in told if open_now.get(what, True)]
        width = max(len(what) for what, _ in told)
        for what, means in told:
            self._print(Text.assemble("  ", (f"{what:<{width}}", "cyan"), f"  {means}"))

    def refuse(self, why: str) -> None:
        """Why a move is not made."""
        self._print(self.styled(why, "yellow"))

    def complain(self, text: str) -> None:
        self.say(text, "yellow")

    def end(self) -> None:
        """Nobody is waited for any more; what somebody else writes stands on a line of its own."""
        self._end_line()
        self._flush()

    def leave(self, text: str, hide: bool = False) -> None:
        """The last words of a match that is left, on a new console: an interrupt may have broken the old one. hide:
        whoever comes to it next may be somebody else, and sees nothing of what was shown."""
        self._console = Console(file=self._console.file, highlight=False)
        self._end_line()
        if hide:
            self.clear()
        self._console.print(seen(Text(text)), soft_wrap=True)  # whole, for a command in it may be copied
        self._flush()

    def race(self, state: State, shared: Shared, voice: Voice) -> None:
        """Several at one keyboard are asked all at once: the table as all of them see it, and whose moves are whose."""
        people = [voice.name(person) for person, _ in shared.offers]
        self.say("")
        self._console.rule(Text(" and ".join(people), "bold"), align="left", characters="-")
        for line in position(shared.view, state.game.program.ranks, captions=voice.captions(None)):
            self._print(self.styled(line))
        one = "or the number of your move: " if shared.numbered and any(shared.moves()) else ""
        races = kind_of_phase(state.position) == "race"
        tasks = {
            p: voice.task(p, [other for other, _ in shared.offers]) if races else voice.question(p, offered.groups)
            for p, offered in shared.offers
        }
        alike = len(set(tasks.values())) == 1
        if alike and tasks[shared.offers[0][0]]:
            self._print(self.styled(tasks[shared.offers[0][0]], "bold"))
        waiting = next((voice.name(person) for person, offered in shared.offers if offered.groups), people[0])
        self.say(f"{'All at once! ' if races else ''}Write who you are and what you do, {one}'{waiting} ...'", "bold")
        first, choice = 1, _chosen(voice, None, tops(shared.view))
        for person, offered in shared.offers:
            if (shared.is_open and (offered.listed or offered.patterns)) or (tasks[person] and not alike):
                asked = "" if alike or not tasks[person] else f": {tasks[person][:1].lower()}{tasks[person][1:]}"
                self._print(self.styled(f"{voice.name(person)}{asked}", "bold"))
            if shared.is_open:
                self._offers(offered, first if shared.numbered else None, choice)
            first += len(offered.listed)
        if not shared.is_open:
            self._offers(shared.whole, None, choice)

    def prompt(self, person: str | None) -> None:
        """Ask a person, or whoever is first; once is enough."""
        self.ask("> " if person is None else f"{person}> ")

    def ask(self, question: str) -> None:
        """What stands before a line that is waited for."""
        if self._open:
            return
        self._console.print(Text(question, "bold cyan"), end="")
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

    def sheet(self, lines: Iterable[str]) -> None:
        """The scores by deal."""
        for at, line in enumerate(lines):
            self.say(f"  {line}", "bold" if at == 0 else "")

    def result(self, lines: Iterable[str], sheet: Iterable[str]) -> None:
        """Who has won, how everybody stands, and the scores by deal, if there are any."""
        self.say("")
        for at, line in enumerate(lines):
            self.say(line if at == 0 else f"  {line}", "bold green" if at == 0 else "")
        if found := list(sheet):
            self.say("")
            self.sheet(found)

    # ---- a position -----------------------------------------------------------------------------------

    def position(self, state: State, person: int, offered: Menu, voice: Voice) -> None:
        """The table as this player may see it, and what they may do."""
        view = state.view(person)
        self.say("")
        self._console.rule(Text(voice.name(person), "bold"), align="left", characters="-")
        for line in position(view, state.game.program.ranks, captions=voice.captions(person)):
            self._print(self.styled(line))
        if direction := voice.direction():
            self.say(f"  {direction}")
        self._moves(offered, voice.question(person, offered.groups), _chosen(voice, person, tops(view)))

    def open_table(self, view: Mapping[str, Any], ranks: Sequence[str], voice: Voice, title: str) -> None:
        """The table with all cards open, for whoever looks at a match that was played."""
        self._console.rule(Text(title, "bold"), align="left", characters="-")
        for line in position(view, ranks, captions=voice.captions(None)):
            self._print(self.styled(line))

    def _moves(self, offered: Menu, asked: str, choice: Choice) -> None:
        """What can be done. asked: in a sentence, if there is anything."""
        self._print(self.styled(asked or "You have no move now.", "bold"))
        self._offers(offered, 1 if offered.numbered else None, choice)

    def _offers(self, offered: Menu, first: int | None, choice: Choice) -> None:
        """Moves, and how others are written. first: the number of the first one; None where they have none."""
        width = len(str(len(offered.listed) + (first or 1) - 1))
        room = max(30, self._console.width - 2)
        for action, numbered in _by_action(offered.listed, first or 1):
            cells = [
                Text.assemble(
                    (f"{n:>{width}} " if first else "", "cyan"),
                    self.styled(choice(action, str(move)[len(action) :].strip())),
                )
                for n, move in numbered
            ]
            margin = f"  {action.replace('_', ' ')}: " if any(str(move) != action for _, move in numbered) else "  "
            for at, row in enumerate(_columns(cells, room - len(margin))):
                self._print(Text(margin if at == 0 else " " * len(margin)).append_text(row))
        for pattern in offered.patterns:
            self._print(Text.assemble("  ", (pattern.form, "cyan"), f": {pattern.told}" if pattern.told else ""))
        if offered.claims:
            claims = ", ".join(choice("", _spaced(claim)) for claim in offered.claims)
            self._print(Text.assemble("  you may also: ", self.styled(claims)))

    # ---- text -----------------------------------------------------------------------------------------

    def styled(self, line: str, style: str = "") -> Text:
        """A line with its cards as symbols in colour."""
        text = Text(style=style)
        end = 0
        for found in _CARD.finditer(line):
            suit = _LETTERS.get(found[2], found[2])
            if suit not in self._letters:
                continue
            text.append(line[end : found.start()])
            text.append(f"{found[1]}{SUITS[suit] if self._symbols else suit}", STYLES[suit])
            end = found.end()
        text.append(line[end:])
        return text

    def _print(self, text: Text) -> None:
        self._end_line()
        if not self._symbols:
            text.plain = text.plain.translate(_PLAIN)
        for line in self._fitted(seen(text)):
            self._console.print(line, soft_wrap=True, highlight=False)
        self._flush()

    def _fitted(self, text: Text) -> Iterable[Text]:
        """A line as it fits a terminal: what is too long goes on below, a little to the right, from a word on."""
        width = self.width
        if not self._console.is_terminal or text.cell_len <= width:
            return [text]
        if max(map(cell_len, cells := text.plain.strip().split("   "))) <= width // 2 and len(cells) > 1:
            text.plain = _BETWEEN.sub(_JOINT, text.plain)  # what stands in one column stays on one line
        begun = len(text.plain) - len(text.plain.lstrip(" "))
        first = text.wrap(self._console, width)[0]
        margin = " " * min(begun + 4, width // 2)
        left = text.plain[len(first.plain) :]
        below = text[len(text.plain) - len(left.lstrip(" ")) :]
        lines = [first, *(Text(margin).append_text(line) for line in below.wrap(self._console, width - len(margin)))]
        for line in lines:
            line.plain = line.plain.replace(_JOINT, " ")
        return lines

    def _flush(self) -> None:
        self._console.file.flush()


Choice = Callable[[str, str], str]
"""Puts what is chosen with an action into words; where nothing is, the action."""


def _chosen(voice: Voice, reader: int | None, on_top: Mapping[str, str]) -> Choice:
    """How moves are listed below the names of their actions."""
    return lambda action, chosen: voice.choice(reader, chosen, on_top, action) or action.replace("_", " ")


def seen(text: Text) -> Text:
    """The text with a mark in place of each sign that nobody sees; its styles stay where they are."""
    text.plain = visible(text.plain)
    return text


def _spaced(move: str) -> str:
    """A move as it may be typed, without the strokes in the name of its action."""
    action, blank, rest = move.partition(" ")
    return f"{action.replace('_', ' ')}{blank}{rest}"


def _by_action(moves: Sequence[Move], first: int) -> Iterable[tuple[str, list[tuple[int, Move]]]]:
    """The moves with their numbers from the first on, those of one action together."""
    numbered = list(enumerate(moves, start=first))
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
