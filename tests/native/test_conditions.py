"""Where native code goes on, as conditions have it; what names hold by then; and how much memory a match takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interpreter.compiler.native.twins import put
from interpreter.engine.position import Position
from tests.native.test_printing import answers, told

ALWAYS, NEVER = 1, 0


def joined(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    put(s, 1, 5 if one and (two > 1 or not one) else 6)
    put(s, 2, 5 if not (one or two) or (one > 1 and two > 0) else 6)
    put(s, 3, 5 if ALWAYS and one and ALWAYS else 6)
    put(s, 4, 5 if (one and NEVER) or two else 6)
    put(s, 5, 5 if not (one and not (two and ALWAYS)) else 6)
    put(s, 6, 5 if (one or ALWAYS) and (NEVER or two > 1) else 6)
    put(s, 7, 5 if one or (two and NEVER) or not ALWAYS else 6)


def looped(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    at = 0
    while at < 9 and not (at > two and (one or at > 5)):
        at += 1
    put(s, 1, at)
    put(s, 2, sum(n for n in range(9) if n > two and (n % 2 or one) if not (n == 7 or n == one)))
    put(s, 3, any(n > two and n < 5 + one for n in range(one, 7)))
    put(s, 4, all(n < 5 or (n > two and not one) for n in range(7)))
    while at and (two or at > 3):
        at -= 1
        if at == 4 and one:
            break
    put(s, 5, at)


def named(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    held = one + 1
    first = held
    if two:
        held = two * 10
    put(s, 1, held + first)
    for number in range(4):
        if number > one and held < 50:
            held += number
            continue
        first += held
    put(s, 2, held)
    put(s, 3, first)
    less = one < two
    both = less and two > 1
    put(s, 4, less)
    put(s, 5, 3 if both else 4)
    less = not less
    put(s, 6, less or both)


def scarce(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    found = [None if number == one else number - 1 for number in range(4)]
    found.append(None if two > 1 else two)
    put(s, 1, sum(9 if member is None else member for member in found))
    put(s, 2, found.count(None))
    found.insert(0, found.pop())
    last = found[one]
    put(s, 3, -7 if last is None else last)
    put(s, 4, -1 in found)


CLOSE = {None: 70, 2: 71, 3: 72, 4: 73, 6: 74, 7: 75, 8: 76, 10: 77}
"""A table by numbers that lie close together, with gaps."""


def sought(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    found = [7, two, 9, one, 8]
    if one in found:
        found.remove(one)
    put(s, 1, sum(at * number for at, number in enumerate(found)))
    third = one + 2 * two
    if third in found:
        found.remove(third)
    put(s, 2, len(found))
    put(s, 3, CLOSE[None if one == two else 2 + 4 * one])
    put(s, 4, CLOSE[two + 2])


@pytest.mark.parametrize("play", (joined, looped, named, scarce, sought))
@pytest.mark.parametrize("one", (0, 1, 2))
@pytest.mark.parametrize("two", (0, 1, 2))
def test_conditions_lead_where_they_lead_in_python(play: Callable[..., None], one: int, two: int) -> None:
    assert answers(play, one, two) == told(play, one, two)
