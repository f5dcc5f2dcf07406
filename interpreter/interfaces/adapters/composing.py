"""A move composed step by step: its action, then what is chosen, one word after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interpreter.engine.moves import Choices, Move, Moves
from interpreter.engine.notation import NOTHING
from interpreter.interfaces.adapters.vocabulary import DONE, Vocabulary


@dataclass(frozen=True, slots=True)
class _Listed:
    """A move that is one of a list, and its words."""

    words: tuple[int, ...]
    move: Move

    def following(self, at: int) -> Iterator[int]:
        if at < len(self.words):
            yield self.words[at]

    def taking(self, at: int, word: int) -> _Listed | None:
        return self if at < len(self.words) and self.words[at] == word else None

    def ended(self, at: int) -> Move | None:
        return self.move if at == len(self.words) else None


@dataclass(frozen=True, slots=True)
class _Some:
    """Some of the cards of `choices`, in their order, so that each choice is composed in one way: they aren't listed.

    faces: the word of each card. chosen: which of them by their place. nothing: the words of choosing none.
    """

    choices: Choices
    action: int
    faces: tuple[int, ...]
    nothing: int
    chosen: tuple[int, ...] = ()
    is_none: bool = False

    def following(self, at: int) -> Iterator[int]:
        sizes, count = self.choices.sizes, len(self.chosen)
        if at == 0:
            yield self.action
        elif not self.is_none:
            first = self.chosen[-1] + 1 if self.chosen else 0
            last = len(self.faces) - max(0, sizes.start - count - 1)  # so many must be left for the others
            if count < sizes.stop - 1:
                yield from self.faces[first:last]
            if at == 1 and 0 in sizes:
                yield self.nothing

    def taking(self, at: int, word: int) -> _Some | None:
        if word not in self.following(at):
            return None
        if at == 0:
            return self
        if word == self.nothing:
            return _Some(self.choices, self.action, self.faces, self.nothing, (), True)
        return _Some(self.choices, self.action, self.faces, self.nothing, (*self.chosen, self.faces.index(word)))

    def ended(self, at: int) -> Move | None:
        if at == 0 or (not self.chosen and not self.is_none) or len(self.chosen) not in self.choices.sizes:
            return None
        cards = self.choices.cards
        return self.choices.of(tuple(cards[place] for place in self.chosen))


class Composer:
    """One decision. `words` are those that can come next; choose one of them until a move is complete.

    Where only one word can come next it is chosen unasked, but for the first.
    """

    def __init__(self, vocabulary: Vocabulary, moves: Sequence[Move], cards: Sequence[str]) -> None:
        """cards: the names of the cards of the game, by number."""
        self._done = vocabulary.number(DONE)
        self._open: list[_Listed | _Some] = []
        self.chosen: tuple[int, ...] = ()
        for part in moves.parts if isinstance(moves, Moves) else [moves]:
            if isinstance(part, Choices):
                faces = tuple(vocabulary.number(cards[card]) for card in part.cards)
                action = vocabulary.number(part[0].action)
                self._open.append(_Some(part, action, faces, vocabulary.number(NOTHING)))
            else:
                self._open += [_Listed(vocabulary.read(move.text), move) for move in part]

    def copy(self) -> Composer:
        """A decision of its own that has come as far as this one."""
        new = object.__new__(Composer)
        new._done, new._open, new.chosen = self._done, self._open, self.chosen
        return new

    @property
    def words(self) -> list[int]:
        """The numbers of the words that can come next, in ascending order; at least one."""
        at = len(self.chosen)
        found = {word for one in self._open for word in one.following(at)}
        if any(one.ended(at) is not None for one in self._open):
            found.add(self._done)
        return sorted(found)

    def choose(self, word: int) -> Move | None:
        """Take the next word; the move if it is complete. ValueError if that word cannot come next."""
        following = self.words
        if word not in following:
            raise ValueError(f"action {word} is not among those that are possible: {following}")
        move = self._take(word)
        while move is None and len(following := self.words) == 1:
            move = self._take(following[0])
        return move

    def _take(self, word: int) -> Move | None:
        at = len(self.chosen)
        if word == self._done:
            return next(move for one in self._open if (move := one.ended(at)) is not None)
        self.chosen = (*self.chosen, word)
        self._open = [after for one in self._open if (after := one.taking(at, word)) is not None]
        return None
