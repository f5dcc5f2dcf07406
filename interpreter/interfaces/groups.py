"""Moves by their action, found without listing all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.engine.moves import Lazy, Move

Groups = Sequence[tuple[str, Sequence[Move]]]
"""Moves by the name of their action."""


def by_action(moves: Sequence[Move]) -> Iterator[tuple[str, Sequence[Move]]]:
    """Runs of moves with the same action, found without going through them all."""
    start, length = 0, len(moves)
    while start < length:
        action = moves[start].action
        low, step = start, 1
        while low + step < length and moves[low + step].action == action:  # gallop, then halve
            low, step = low + step, step * 2
        high = min(low + step, length)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if moves[middle].action == action else (low, middle)
        yield action, _Part(moves, start, low + 1)
        start = low + 1


class _Part(Lazy):
    """A stretch of a list of moves, still not enumerated."""

    def __init__(self, moves: Sequence[Move], start: int, end: int) -> None:
        self._moves, self._start, self._end = moves, start, end

    def __len__(self) -> int:
        return self._end - self._start

    def _nth(self, number: int) -> Move:
        return self._moves[self._start + number]
