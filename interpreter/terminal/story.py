"""A log as a story: what a line says that the line before has said already is left out, tricks stand on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_MOVE = re.compile(r"(P\d+) (\S+)(?: (.*))?")
_CARDS = re.compile(r"  (?P<cards>.*?) (?P<source>\S+(?: [PT]\d+)?) -> (?P<target>.+)")
_KINDS = re.compile(r"[a-z_ ]+: ")
_CHOSEN = re.compile(r"P\d+ has chosen")


class Story:
    """Turns lines of a log into lines to read. It remembers the last ones, so a log can come in pieces."""

    def __init__(self) -> None:
        self._moved: set[str] = set()
        """The cards of the last move, as words."""
        self._mover = ""
        self._heading = ""

    def lines(self, log: Iterable[str]) -> Iterator[str]:
        """The lines worth reading, in order."""
        for line in log:
            if line.startswith("  "):
                if not self._is_known(line):
                    yield line
                continue
            if _CHOSEN.fullmatch(line) and line.split(" ")[0] == self._mover:
                continue  # whoever knows what was chosen need not be told that it was
            move = _MOVE.fullmatch(line)
            self._moved = set((move[3] or "").split()) if move else set()
            self._mover = move[1] if move else ""
            self._heading = "" if move else line
            if line.startswith("deal: "):
                yield ""
            yield line

    def _is_known(self, line: str) -> bool:
        """Whether cards go where the move, or what was said of the trick, takes them anyway."""
        found = _CARDS.fullmatch(line)
        if found is None:
            return False
        if self._heading.startswith("trick: ") and found["source"] == "trick":
            return True
        hidden = re.fullmatch(r"\d+ cards?", found["cards"]) and found["source"].endswith(f" {self._mover}")
        known = bool(self._mover) and bool(hidden or (self._moved and set(found["cards"].split()) <= self._moved))
        self._mover, self._moved = "", set()  # what comes next is no part of the move itself
        return known


def is_move(line: str) -> bool:
    """Whether a line is what a player did, rather than what came of it."""
    return _MOVE.fullmatch(line) is not None and _KINDS.match(line) is None


def together(lines: Iterable[str], width: int) -> Iterator[str]:
    """Moves of the same action that follow each other, on one line as long as it has room: a trick, a beat."""
    run: list[str] = []
    action = ""
    for line in lines:
        move = _MOVE.fullmatch(line) if is_move(line) else None
        if run and (move is None or move[2] != action or len("   ".join([*run, line])) > width):
            yield "   ".join(run)
            run = []
        if move is None:
            yield line
        else:
            action = move[2]
            run.append(line)
    if run:
        yield "   ".join(run)
