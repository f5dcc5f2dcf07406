"""A log as a story: what a line says that the line before has said already is left out, tricks stand on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_MOVE = re.compile(r"(P\d+) (\S+)(?: (.*))?")
_CARDS = re.compile(r"  (?P<cards>.*?) (?P<source>\S+(?: [PT]\d+)?) -> (?P<target>.+)")
_KINDS = re.compile(r"[a-z_ ]+: ")
_CHOSEN = re.compile(r"P\d+ has chosen")
_OWNER = re.compile(r" [PT]\d+$")
FEW = 4
"""Cards of a player that are told beside those of others."""
MANY = 16
"""More cards than this are not all named when they are moved; whoever sees them finds them at the table."""


class Story:
    """Turns lines of a log into lines to read. It remembers the last ones, so a log can come in pieces."""

    def __init__(self) -> None:
        self._moved: set[str] = set()
        """The cards of the last move, as words."""
        self._mover = ""
        self._heading = ""

    def lines(self, log: Iterable[str]) -> Iterator[str]:
        """The lines worth reading, in order: cards that go the same way on one line, many cards in short."""
        return _same_way(self._new(log))

    def _new(self, log: Iterable[str]) -> Iterator[str]:
        for line in log:
            if line.startswith("time: "):  # milliseconds are for records, and would part a move from what comes of it
                continue
            if line.startswith("  "):
                if not self._is_known(line):
                    yield line
                continue
            if _CHOSEN.fullmatch(line):  # the table shows who has, and whoever knows what needs no telling
                who = line.split(" ")[0]
                self._moved, self._mover = self._moved if who == self._mover else set(), who
                continue
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


def _same_way(lines: Iterable[str]) -> Iterator[str]:
    """Few or hidden cards that go between zones of the same names, one line after the other, are told in one."""
    run: list[tuple[str, str]] = []
    way = ("", "")
    for line in lines:
        found = _CARDS.fullmatch(line)
        if found is None:
            yield from _told_together(run, *way)
            run = []
            yield line
            continue
        cards = found["cards"].split(" ")
        source, target = _OWNER.sub("", found["source"]), _OWNER.sub("", found["target"])
        few = target != found["target"] and len(cards) <= FEW
        if run and (not few or (source, target) != way):
            yield from _told_together(run, *way)
            run = []
        if few:
            way = (source, target)
            run.append((line, f"{found['cards']} to {found['target'].removeprefix(target).strip()}"))
        elif len(cards) > MANY:
            yield f"  {' '.join(cards[:FEW])} ... ({len(cards)} cards) {found['source']} -> {found['target']}"
        else:
            yield line
    yield from _told_together(run, *way)


def _told_together(run: list[tuple[str, str]], source: str, target: str) -> Iterator[str]:
    if len(run) > 1:
        yield f"  {source} -> {target}: {', '.join(told for _, told in run)}"
    else:
        yield from (line for line, _ in run)


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
