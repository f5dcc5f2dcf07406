"""The scores by deal as they are asked for at a table: again and again, by many, in matches whose log is long."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interpreter.words.score_sheet import ScoreSheet

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.events import Event
    from interpreter.words.voice import Voice


MOST_DEALS, MOST_LETTERS = 400, 40_000
"""Of a sheet that a page is told: the last ones, as rules may play very many deals between two moves."""


@dataclass(slots=True)
class _Kept:
    """heard: how many events of the log are read. made: after how many moves the lines were written; -1: never."""

    sheet: ScoreSheet
    heard: int = 0
    made: int = -1
    lines: list[str] = field(default_factory=list)


class KeptSheets:
    """The sheets of a match by reader, as far as the log was read for them. Where moves are taken back they begin anew.

    A reader is a seat, or None for all who watch.
    """

    def __init__(self, state: State, voice: Voice) -> None:
        self._state, self._voice = state, voice
        self._kept: dict[int | None, _Kept] = {}

    def lines(self, reader: int | None) -> list[str]:
        """The scores by deal, as a reader may know them. Only what has happened since the last time is read, and where
        that is nothing the same lines are told."""
        log, made = self._state.log or [], len(self._state.position.record_moves)
        kept = self._kept.get(reader)
        if kept is None:
            kept = self._kept[reader] = _Kept(self._voice.new_sheet(reader, MOST_DEALS))
        if (kept.heard, kept.made) != (len(log), made):
            kept.sheet.reads(self._known(reader, log[kept.heard :]))
            kept.heard = len(log)
            kept.lines = self._voice.scores_of(reader, kept.sheet, MOST_LETTERS)
            kept.made = made
        return kept.lines

    def _known(self, reader: int | None, events: list[Event]) -> Iterable[Event]:
        """Those that a reader may be told of: somebody who watches, what all players may know alike."""
        everybody = (1 << self._state.game.players) - 1
        return events if reader is not None else (event for event in events if event.told & everybody == everybody)

    def forget(self, reader: int | None) -> None:
        """Nobody reads that any more."""
        self._kept.pop(reader, None)
