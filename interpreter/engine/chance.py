"""Randomness: a seed and a count of draws, the same on every Python version and in every language.

Draw number n of seed s is the n-th output of SplitMix64 started at s; it depends on nothing but the two
numbers, so a state stores two integers. Shuffles and choices use the upper 32 bits of a draw each.
Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (the finaliser of
SplitMix64); Fisher and Yates for the shuffle, from the last place to the first. tests/test_chance.py pins vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from struct import Struct
from typing import Protocol, TypeVar

from interpreter.base.signs import ToldError

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
AT_ONCE = 24
"""How many draws are made ahead for choices at random."""
T = TypeVar("T")


class ChanceError(ToldError):
    """An outcome that was fixed beforehand and cannot come about.

    place: where it was to happen, such as "random" or "shuffle deal"; "" if the error is about none. left: how many
    outcomes were fixed there after it.
    """

    def __init__(self, message: str, place: str = "", left: int = 0) -> None:
        self.place = place
        self.left = left
        super().__init__(message)


class Source(Protocol):
    """Anything that counts its draws: a state, or a player who plays at random."""

    seed: int
    draws: int


def mix(x: int) -> int:
    """The finaliser of SplitMix64: 64 bits to 64 bits."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def below(source: Source, n: int) -> int:
    """A number from 0 to n-1 (n at most 2**32), using one draw."""
    source.draws += 1
    return (mix((source.seed + source.draws * GOLDEN) & MASK) >> 32) * n >> 32


@lru_cache(maxsize=64)
def _lanes(count: int) -> tuple[int, int, int, Callable[[bytes], tuple[int, ...]]]:
    """For `count` draws side by side in one integer, 128 bits each, the first on top.

    A one in each, what each is ahead of the state, 64 ones in each; and what reads the halves out of its bytes.
    """
    ones = sum(1 << 128 * lane for lane in range(count))
    ahead = sum(((count - lane) * GOLDEN & MASK) << 128 * lane for lane in range(count))
    return ones, ahead, ones * MASK, Struct("<" + "II8x" * count).unpack


def _draw(source: Source, count: int) -> int:
    """The next `count` draws side by side, 128 bits each, the first on top.

    They are worked out at once: a product of 64 by 64 bits stays within the 128 bits of its draw.
    """
    ones, ahead, low, _ = _lanes(count)
    x = ((source.seed + source.draws * GOLDEN & MASK) * ones + ahead) & low
    x = ((x ^ (x >> 30)) & low) * 0xBF58476D1CE4E5B9 & low
    x = ((x ^ (x >> 27)) & low) * 0x94D049BB133111EB & low
    source.draws += count
    return (x ^ (x >> 31)) & low


def halves(source: Source, count: int) -> tuple[int, ...]:
    """The halves of the next `count` draws, the last first: those of the last draw, its lower one before its upper."""
    return _lanes(count)[3](_draw(source, count).to_bytes(16 * count, "little"))


@lru_cache(maxsize=64)
def _exchanges(size: int) -> tuple[int, int, tuple[tuple[int, int], ...], range, Callable[[bytes], tuple[int, ...]]]:
    """For the halves of the draws of a shuffle, 64 bits each, the first on top.

    32 ones in every second of them; how far to shift those whose sizes have a certain bit, with ones in these; the
    last places; and what reads the upper halves out of their bytes.
    """
    count = size & ~1
    lower = sum(MASK >> 32 << 128 * lane for lane in range(size // 2))
    shifts = []
    for bit in range(size.bit_length()):
        lanes = sum(MASK >> 32 << 64 * (count - 1 - at) for at in range(count) if size - at >> bit & 1)
        shifts.append((bit, lanes))
    return lower, 8 * count, tuple(shifts), range(size - 1, 0, -1), Struct(">" + "I4x" * count).unpack


def shuffle(source: Source, items: list[T]) -> None:
    """Shuffle in place; each draw serves two exchanges, its upper half first.

    Half h for a last place p exchanges it with place h * (p + 1) >> 32. All these products are worked out at once, as
    sums of halves that are shifted by the bits of p + 1.
    """
    size = len(items)
    if size < 2:
        return
    lower, width, shifts, lasts, read = _exchanges(size)
    drawn = _draw(source, size // 2)
    low = drawn & lower
    drawn = (drawn ^ low) << 32 | low
    products = sum([(drawn & lanes) << bit for bit, lanes in shifts])
    for last, at in zip(lasts, read(products.to_bytes(width, "big")), strict=False):
        items[last], items[at] = items[at], items[last]


def derive(seed: int, number: int) -> int:
    """The seed of match `number` of a series, and of everything else that needs a seed of its own."""
    return mix(mix(seed & MASK) ^ ((number * GOLDEN) & MASK))


class Dice:
    """A random source apart from any match, for players who play at random; each draw serves two choices.

    halves: of the draws made ahead, those not used yet, the next one last.
    """

    __slots__ = ("draws", "halves", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed & MASK
        self.draws = 0
        self.halves: list[int] = []

    def below(self, n: int) -> int:
        """A number from 0 to n-1 (n at most 2**32)."""
        if not self.halves:
            self.draw()
        return self.halves.pop() * n >> 32

    def four_below(self, n: int) -> int:
        """The sum of four numbers from 0 to n-1."""
        if len(self.halves) < 4:
            return self.below(n) + self.below(n) + self.below(n) + self.below(n)
        pop = self.halves.pop
        return (pop() * n >> 32) + (pop() * n >> 32) + (pop() * n >> 32) + (pop() * n >> 32)

    def copy(self) -> Dice:
        """Dice that give what these will."""
        new = Dice(self.seed)
        new.draws, new.halves = self.draws, self.halves[:]
        return new

    def skip(self, number: int) -> None:
        """Go on as if so many choices had been made."""
        used = min(number, len(self.halves))
        del self.halves[len(self.halves) - used :]
        batches, rest = divmod(number - used, 2 * AT_ONCE)
        self.draws += batches * AT_ONCE
        if rest:
            self.draw()
            del self.halves[-rest:]

    def draw(self) -> None:
        """Make draws ahead; `halves` stays the same list."""
        self.halves += halves(self, AT_ONCE)
