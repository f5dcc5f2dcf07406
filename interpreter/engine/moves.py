"""Moves, and lists of them that cost nothing until they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial, total_ordering
from itertools import combinations
from math import comb
from operator import itemgetter
from typing import Any, overload

from interpreter.engine.events import ALL, Event, new_event

NO_NEWS: list[Event | None] = []
MOST_PICKED, MOST_PICKERS = 64, 1_001
"""Of so many cards the ways to choose some are looked up, if there are not more than so many."""


@total_ordering
class Move:
    """One atomic decision: an action with all its parameters, and on honour the words said with it.

    Hashable and ordered (by action, then parameters). `str(move)` is its canonical text; `parse(state, player,
    text)` is the inverse.
    """

    __slots__ = ("action", "args", "maker", "news", "text", "words")

    def __init__(
        self, action: str, args: tuple[Any, ...], text: str, words: str | None = None, maker: object = None
    ) -> None:
        self.action = action
        self.args = args
        self.text = text
        self.words = words
        self.maker = maker
        """The action that made the move: only there its arguments need not be read from the text again."""
        self.news: list[Event | None] = NO_NEWS
        """How the log tells of it, by who makes it, where that is always the same; none until it is first made."""

    def told(self, player: int, source: str) -> Event:
        """How the log tells of it when a player makes it. source: where its action is told in."""
        event = self.news[player]
        if event is None:
            event = self.news[player] = new_event(Event, ("move", player, self.text, (), source, "", ALL, ALL))
        return event

    def __str__(self) -> str:
        return self.text if self.words is None else f'{self.text} "{self.words}"'.strip()

    def __repr__(self) -> str:
        return f"<Move {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self is other or (self.text == other.text and self.words == other.words)

    def __lt__(self, other: object) -> bool:
        return self._order() < other._order() if isinstance(other, Move) else NotImplemented

    def _order(self) -> tuple[Any, ...]:
        return self.action, [_sortable(a) for a in self.args], self.text, self.words or ""

    def __hash__(self) -> int:
        return hash((self.text, self.words))

    def saying(self, words: str | None) -> Move:
        """This move with other words said."""
        return Move(self.action, self.args, self.text, words, self.maker)


def _sortable(value: Any) -> tuple[int, Any]:
    if isinstance(value, tuple):
        return 2, [_sortable(v) for v in value]
    if value is None:
        return 0, 0
    return (1, value) if isinstance(value, int) else (3, str(value))


@lru_cache(maxsize=64)
def _pickers(n: int, low: int, high: int) -> tuple[Callable[[Sequence[int]], tuple[int, ...]], ...]:
    """For each choice of low to high of n cards, the smallest first and then in lexicographic order: what picks it out
    of a list. Empty where there are too many of them to be looked up."""
    sizes, number = choices_of(n, low, high)
    if n > MOST_PICKED or number > MOST_PICKERS:
        return ()
    chosen = [places for size in sizes for places in combinations(range(n), size)]
    return tuple([itemgetter(*places) if len(places) > 1 else partial(_picked, places) for places in chosen])


def _picked(places: tuple[int, ...], cards: Sequence[int]) -> tuple[int, ...]:
    return tuple([cards[at] for at in places])


def nth_subset(cards: Sequence[int], size: int, index: int) -> tuple[int, ...]:
    """Subset number `index` of a size, in lexicographic order."""
    pickers = _pickers(len(cards), size, size)
    if pickers:
        return pickers[index](cards)
    chosen, at, left = [], 0, len(cards)
    while size:
        left -= 1
        ways = comb(left, size - 1)
        if index < ways:
            chosen.append(cards[at])
            size -= 1
        else:
            index -= ways
        at += 1
    return tuple(chosen)


@lru_cache(maxsize=256)
def choices_of(n: int, low: int, high: int) -> tuple[range, int]:
    """Ways to choose low to high of n cards: the sizes that occur, and how many ways there are."""
    sizes = range(max(0, low), min(high, n) + 1)
    return sizes, sum(comb(n, size) for size in sizes)


def ways_to_choose(n: int, low: int, high: int) -> int:
    """In how many ways low to high of n cards can be chosen."""
    return choices_of(n, low, high)[1]


def nth_choice(cards: Sequence[int], low: int, high: int, index: int) -> tuple[int, ...]:
    """Choice number `index` of low to high of some cards, the smallest first."""
    pickers = _pickers(len(cards), low, high)
    if pickers:
        return pickers[index](cards)
    for size in choices_of(len(cards), low, high)[0]:
        number = comb(len(cards), size)
        if index < number:
            return nth_subset(cards, size, index)
        index -= number
    raise IndexError("no such choice")


class Lazy(Sequence[Move]):
    """A list of moves each of which is found when it is looked at: by its number, from 0."""

    __slots__ = ()

    def _nth(self, number: int) -> Move:
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        if type(index) is int and 0 <= index < len(self):
            return self._nth(index)
        numbers = range(len(self))[index]
        return [self._nth(number) for number in numbers] if isinstance(numbers, range) else self._nth(numbers)


class Choices(Lazy):
    """All ways to choose `low` to `high` of some cards for one parameter, counted without listing them."""

    __slots__ = ("_build", "_cards", "_found", "_high", "_last", "_low", "_maker", "_sizes", "number")

    def __init__(
        self,
        cards: tuple[int, ...],
        low: int,
        high: int,
        build: Callable[[tuple[int, ...]], Move],
        maker: object = None,
    ) -> None:
        """maker: of the moves that are built; None where nobody asks for their places."""
        self._cards = cards
        self._build = build
        self._maker = self if maker is None else maker
        self._low, self._high = low, high
        self._sizes, self.number = choices_of(len(cards), low, high)
        self._last: Move | None = None
        """The move that was found last, of which it is asked most; `_found` is its number."""

    def __len__(self) -> int:
        return self.number

    def _nth(self, number: int) -> Move:
        self._found, sizes = number, self._sizes
        if len(sizes) == 1:
            cards = nth_subset(self._cards, sizes[0], number)
        else:
            cards = nth_choice(self._cards, self._low, self._high, number)
        self._last = found = self._build(cards)
        return found

    def kinds(self) -> list[Choices]:
        """The choices of each number of cards, apart."""
        return [Choices(self._cards, size, size, self._build, self._maker) for size in self._sizes]

    def among(self, ranked: Sequence[int], most: int) -> Choices:
        """Choices among the first of all its cards as they are ranked: of so many that there are at most `most`."""
        size = self._low
        while size < len(ranked) and choices_of(size + 1, self._low, self._high)[1] <= most:
            size += 1
        return Choices(tuple(sorted(ranked[:size])), self._low, self._high, self._build, self._maker)

    @property
    def cards(self) -> tuple[int, ...]:
        """What is chosen from."""
        return self._cards

    @property
    def sizes(self) -> range:
        """How many can be chosen."""
        return self._sizes

    def of(self, cards: tuple[int, ...]) -> Move:
        """The move that chooses these of its cards, which are in their order."""
        return self._build(cards)

    def place_of(self, move: object) -> int | None:
        """The number of a move that was made here or in an equal list; None if it is another."""
        if move is self._last and move is not None:
            return self._found
        if not isinstance(move, Move) or move.maker is not self._maker or move.words is not None:
            return None
        (chosen,) = move.args
        wanted, left = len(chosen), len(self._cards)
        if wanted not in self._sizes:
            return None
        found = sum([comb(left, size) for size in range(self._sizes.start, wanted)])
        for card in self._cards:
            if not wanted:
                break
            left -= 1
            if card == chosen[-wanted]:
                wanted -= 1
            else:
                found += comb(left, wanted - 1)
        return None if wanted else found

    def __iter__(self) -> Iterator[Move]:
        for size in self._sizes:
            for cards in combinations(self._cards, size):
                yield self._build(cards)

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Move) or move.words is not None or move.action != self._build(self._cards[:0]).action:
            return False
        cards = move.args[0] if move.args else ()
        return len(cards) in self._sizes and all(c in self._cards for c in cards) and len(set(cards)) == len(cards)


class Offered(Lazy):
    """Moves by their arguments, each of which is made when it is looked at."""

    __slots__ = ("_args", "_made", "_make")

    def __init__(self, args: Sequence[tuple[Any, ...]], make: Callable[[tuple[Any, ...]], Move]) -> None:
        """args: of each move others, so that no two are the same."""
        self._args, self._make = args, make
        self._made: dict[int, Move] = {}

    def __len__(self) -> int:
        return len(self._args)

    def _nth(self, number: int) -> Move:
        move = self._made.get(number)
        if move is None:
            move = self._made[number] = self._make(self._args[number])
        return move

    def place_of(self, move: object) -> int | None:
        """The number of a move that was made here; None if it is another."""
        return next((at for at, one in self._made.items() if one is move), None)


class Moves(Lazy):
    """Several lists of moves, one after the other."""

    __slots__ = ("parts",)

    def __init__(self, parts: Sequence[Sequence[Move]]) -> None:
        self.parts = [p for p in parts if len(p)]

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def _nth(self, number: int) -> Move:
        for part in self.parts:
            if number < len(part):
                return part[number]
            number -= len(part)
        raise IndexError("no such move")

    def place_of(self, move: object) -> int | None:
        """The number of a move that was made here; None if it is another."""
        before = 0
        for part in self.parts:
            own = [at for at, one in enumerate(part) if one is move] if isinstance(part, tuple | list) else []
            at = part.place_of(move) if isinstance(part, Choices | Offered) else own[0] if own else None
            if at is not None:
                return before + at
            before += len(part)
        return None

    def __iter__(self) -> Iterator[Move]:
        for part in self.parts:
            yield from part

    def __contains__(self, move: object) -> bool:
        return any(move in part for part in self.parts)

    def __repr__(self) -> str:
        return f"<{len(self)} moves>"
