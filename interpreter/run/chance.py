"""Randomness: a seed and a count of draws, the same on every Python version and in every language.

Draw number n of seed s is the n-th output of SplitMix64 started at s; it depends on nothing but the two
numbers, so a state stores two integers. Shuffles and choices use the upper 32 bits of a draw each.
Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (the finaliser of
SplitMix64); Fisher and Yates for the shuffle, from the last place to the first. tests/test_chance.py pins vectors.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
T = TypeVar("T")


class ChanceError(ValueError):
    """An outcome that was fixed beforehand and cannot come about."""


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


def shuffle(source: Source, items: list[T]) -> None:
    """Shuffle in place; each draw serves two exchanges, its upper half first."""
    last = len(items) - 1
    draws = source.draws
    at_draw = source.seed + draws * GOLDEN
    while last > 0:
        draws += 1
        at_draw = x = (at_draw + GOLDEN) & MASK
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
        x ^= x >> 31
        at = (x >> 32) * (last + 1) >> 32
        items[last], items[at] = items[at], items[last]
        last -= 1
        if last > 0:
            at = (x & 0xFFFFFFFF) * (last + 1) >> 32
            items[last], items[at] = items[at], items[last]
            last -= 1
    source.draws = draws


def derive(seed: int, number: int) -> int:
    """The seed of match `number` of a series, and of everything else that needs a seed of its own."""
    return mix(mix(seed & MASK) ^ ((number * GOLDEN) & MASK))


class Dice:
    """A random source apart from any match, for players who play at random; each draw serves two choices."""

    __slots__ = ("draws", "half", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed & MASK
        self.draws = 0
        self.half: int | None = None
        """The lower half of the last draw, if it has not been used."""

    def below(self, n: int) -> int:
        """A number from 0 to n-1 (n at most 2**32)."""
        half = self.half
        if half is not None:
            self.half = None
            return half * n >> 32
        self.draws += 1
        x = (self.seed + self.draws * GOLDEN) & MASK
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
        x ^= x >> 31
        self.half = x & 0xFFFFFFFF
        return (x >> 32) * n >> 32
