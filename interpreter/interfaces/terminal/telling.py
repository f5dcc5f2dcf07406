"""What people at one keyboard read of the log: each what they may know, all together what all of them are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interpreter.engine.events import told_last
from interpreter.engine.packets import mask_of
from interpreter.interfaces.terminal.heard import Heard
from interpreter.words.lines import NEWS, Line, last_lines

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.events import Event
    from interpreter.words.voice import Voice

MOST_EVENTS, MOST_LINES, MOST_LETTERS = 2_000, 200, 20_000
"""What is told at once to somebody who waits to go on."""
LEFT_OUT = Line(NEWS, "... (what came before these lines is left out)")


@dataclass(slots=True)
class Telling:
    """people: those at the keyboard. Without any, whoever watches bots reads everything. A reader is one of them, or
    None for all of them, who look at one screen."""

    state: State
    voice: Voice
    people: tuple[int, ...]
    heard: Heard = field(init=False)

    def __post_init__(self) -> None:
        self.heard = Heard(self.people)

    @property
    def _events(self) -> Sequence[Event]:
        return self.state.log or []

    def news(self, reader: int | None) -> Iterable[Line]:
        """What a reader has not read yet, and reads now; people, who wait to go on, read the end of very much."""
        heard, log = self.heard, self._events
        news = heard.news_of_all(log) if reader is None else heard.news_of(reader, log)
        if not self.people:
            return self.voice.told(None, news)
        left_out, news = told_last(news, self._readers(reader), MOST_EVENTS)
        if left_out:
            self.voice.begin_again(reader)
        voice = self.voice
        lines = [*(voice.told_to_all(self.people, news) if reader is None else voice.told(reader, news))]
        found = last_lines(lines, MOST_LINES, MOST_LETTERS)
        return [LEFT_OUT, *found] if left_out or len(found) < len(lines) else found

    def _readers(self, reader: int | None) -> int:
        """Who reads, as bits."""
        return mask_of(self.people) if reader is None else 1 << reader

    def is_news(self, reader: int) -> bool:
        """Whether there is something that a reader has not read."""
        return self.heard.is_behind(reader, self._events)

    def left_for_all(self) -> int:
        """How many events have not been told to all."""
        return self.heard.left_for_all(self._events)

    def log(self, reader: int | None) -> Iterable[Line]:
        """All that has happened; of very much the end."""
        _, events = told_last(self._events, self._readers(reader), MOST_EVENTS)
        if reader is None:
            return self.voice.told_to_all(self.people, events, anew=True)
        return self.voice.told(reader, events, anew=True)

    def scores(self, reader: int | None) -> list[str]:
        """The scores by deal, or why there are none."""
        if reader is None:
            return self.voice.scores_to_all(self.people, self._events)
        return self.voice.scores(reader, self._events)

    def last_sheet(self) -> Iterable[str]:
        """The scores by deal when the match is over; nothing where nothing has counted."""
        if len(self.people) > 1:
            return self.voice.sheet_to_all(self.people, self._events)
        return self.voice.sheet(next(iter(self.people), None), self._events)

    def taken_back(self) -> None:
        """Moves were taken back, and everybody knows all that is left."""
        self.voice.forget(self.people)
        self.heard.all_read(self._events)
