"""How much of the log people at one keyboard have read: each alone, and all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.engine.events import Event


@dataclass(slots=True)
class Heard:
    """people: those at the keyboard; without any, whoever watches reads what is told to all."""

    people: tuple[int, ...]
    _alone: dict[int, int] = field(default_factory=dict)
    """Up to where each has read."""
    _all: int = 0
    """Up to where all have been told what is the same for all of them."""
    _alike: set[int] = field(default_factory=set)
    """The events that all have been told together."""

    @property
    def was_common(self) -> bool:
        """Whether anything has been told to all together."""
        return self._all > 0

    def is_behind(self, person: int, log: Sequence[Event]) -> bool:
        """Whether there is something that a person has not read, and is told of."""
        return any(event.told >> person & 1 for event in log[self._alone.get(person, 0) :])

    def left_for_all(self, log: Sequence[Event]) -> int:
        """How many events have not been told to all."""
        return len(log) - self._all

    def news_of(self, person: int, log: Sequence[Event]) -> list[Event]:
        """What a person has not read yet, who reads it now."""
        begin, self._alone[person] = self._alone.get(person, 0), len(log)
        return [log[at] for at in range(begin, len(log)) if at not in self._alike]

    def news_of_all(self, log: Sequence[Event]) -> Sequence[Event]:
        """What not all have read yet; they read now what is the same for all of them."""
        begin = max(self._all, min((self._alone.get(person, 0) for person in self.people), default=0))
        self._all = len(log)
        self._alike.update(at for at in range(begin, len(log)) if log[at].is_read_alike(self.people))
        return log[begin:]

    def all_read(self, log: Sequence[Event]) -> None:
        """Everybody knows all that is left of it."""
        self._alone = dict.fromkeys(self.people, len(log))
