"""What decisions have brought on average, so that trials can do mostly what has paid.

While trials are made in Python, habits are objects in a table. As soon as machine code makes some, their numbers lie in
a book, which both write; see `compiler.native.habit_book`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from interpreter.api.native_attempts import key_for, known_as
from interpreter.compiler.native.habit_book import MEAN, MEMORY, TIMES, Book

if TYPE_CHECKING:
    from interpreter.engine.moves import Move
    from interpreter.engine.program import Program


class Habit(Protocol):
    """What a decision has brought on average to whoever made it."""

    @property
    def times(self) -> int:
        """How often it was learnt what it brings, MEMORY at most."""

    @property
    def mean(self) -> float:
        """The average, which follows the last of these."""

    def learn(self, gain: float) -> None:
        """Learn what it has brought once more."""


class OwnHabit:
    """A habit that keeps its numbers itself."""

    __slots__ = ("mean", "move", "times")

    def __init__(self, move: Move) -> None:
        self.move = move
        self.times = 0
        self.mean = 0.0

    def learn(self, gain: float) -> None:
        self.times = min(self.times + 1, MEMORY)
        self.mean += (gain - self.mean) / self.times


class BookedHabit:
    """A habit whose numbers lie in a book."""

    __slots__ = ("_book", "_key", "_place", "_version")

    def __init__(self, book: Book, key: int) -> None:
        self._book, self._key = book, key
        self._version = -1
        self._place = 0

    def _found(self) -> int:
        if self._version != self._book.version:
            self._version, self._place = self._book.version, self._book.place_of(self._key)
        return self._place

    @property
    def times(self) -> int:
        return self._book.words[self._found() + TIMES]

    @property
    def mean(self) -> float:
        return self._book.means[self._found() + MEAN]

    def learn(self, gain: float) -> None:
        place = self._found()
        times = min(self._book.words[place + TIMES] + 1, MEMORY)
        self._book.words[place + TIMES] = times
        self._book.means[place + MEAN] += (gain - self._book.means[place + MEAN]) / times


class Habits:
    """The habits of a player: of each move, as it is known, in each stage."""

    def __init__(self, known: Mapping[tuple[int, object], Habit] | None = None) -> None:
        self._found: dict[tuple[int, object], Habit] = dict(known or {})
        self._book: Book | None = None
        self._numbers: Mapping[int, int] = {}

    def book(self, program: Program, numbers: Mapping[int, int]) -> Book:
        """The book in which they lie from now on. numbers: of each action, by its identity."""
        if self._book is None:
            self._book, self._numbers = Book(), numbers
            for (stage, said), habit in list(self._found.items()):
                key = key_for(program, stage, habit.move, numbers) if isinstance(habit, OwnHabit) else None
                if key is not None:
                    self._book.add(key, stage, habit.times, habit.mean)
                    self._found[stage, said] = BookedHabit(self._book, key)
        return self._book

    def known(self, program: Program, stage: int, move: Move) -> Habit | None:
        """The habit of a move; None if it was never made."""
        said = known_as(program, stage, move)
        found = self._found.get(said)
        if found is not None or self._book is None:
            return found
        key = key_for(program, stage, move, self._numbers)
        if key is None or not self._book.words[self._book.place_of(key)]:
            return None
        self._found[said] = found = BookedHabit(self._book, key)
        return found

    def of(self, program: Program, stage: int, move: Move) -> Habit:
        """The habit of a move that is made."""
        found = self.known(program, stage, move)
        if found is None:
            key = None if self._book is None else key_for(program, stage, move, self._numbers)
            if self._book is None or key is None:
                found = OwnHabit(move)
            else:
                self._book.add(key, stage)
                found = BookedHabit(self._book, key)
            self._found[known_as(program, stage, move)] = found
        return found

    def times_in(self, stage: int) -> int:
        """How often it was learnt what decisions in a stage bring."""
        own = sum(
            habit.times
            for (at, _), habit in self._found.items()
            if at == stage and (self._book is None or isinstance(habit, OwnHabit))
        )
        return own + (0 if self._book is None else self._book.times_in(stage))
