"""Operations that have no value for some numbers and lists: checker, compiler and play say so in one voice."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

LARGEST = 10**18
"""The largest number that anything is worked out to."""
TOO_LARGE = "this number grows beyond 10^18"
BY_ZERO, INSTEAD_OF_BY_ZERO = "this divides by 0", "say what holds then: 'if N = 0 then ... else ...'"


class NoValue(ValueError):
    """Something that is asked for cannot be: a number divided by 0, an item that a list has not.

    in_play: what is said of it during play, without the numbers, which may be made of what not everybody sees.
    """

    def __init__(self, message: str, hint: str = "", in_play: str = "") -> None:
        self.hint = hint
        self.in_play = in_play or message
        super().__init__(message)


def whole(word: str) -> int | None:
    """A word as a number, or None; only plain digits count, and no number is larger than any that is worked out."""
    number = int(word) if re.fullmatch(r"-?[0-9]{1,19}", word) else None
    return number if number is not None and abs(number) <= LARGEST else None


def divided(op: str, number: int, by: int) -> int:
    """`div` and `mod`, both rounded down. Raises NoValue."""
    if by == 0:
        raise NoValue(BY_ZERO, INSTEAD_OF_BY_ZERO)
    return number // by if op == "div" else number % by


OF_NUMBERS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "div": partial(divided, "div"),
    "mod": partial(divided, "mod"), "greater": max, "lesser": min,
}  # fmt: skip
"""What is reckoned from two numbers, by how the language says it."""


def listed(op: str, number: int | None, items: Sequence[Any] | None) -> Any:
    """`item` and `cycle`, from 1; the latter begins again at the end of a list. Raises NoValue."""
    if number is None or items is None:
        raise NoValue("a value is none where there must be one")
    if op == "cycle":
        if not items:
            raise NoValue("the list is empty")
        return items[(number - 1) % len(items)]
    if not 1 <= number <= len(items):
        raise NoValue(f"the list has no item {number}: it has {len(items)}", in_play="the list has no such item")
    return items[number - 1]
