"""What one move, or one question to a match, may take: steps are counted, never time, so it is the same everywhere.

Only what can take long is counted, and the compiler knows what that is: it prints `charge` and `each_of` there. The
count is kept in `s.spent`; whoever asks a match for something sets it to 0 first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from interpreter.base.arithmetic import LARGEST, TOO_LARGE
from interpreter.engine.position import MOST_SPENT as MOST_SPENT
from interpreter.engine.position import Position
from interpreter.engine.rule_errors import RuleError, TooMuch

Items = TypeVar("Items", bound=Sequence[Any])

AUTOMATIC = 2_000
"""What an automatic step of the machine counts at least: there can be 10,000 of them."""
MOST_LETTERS = 1_000
"""Of a text that a variable holds, or that a player gives."""


def charge(s: Position, steps: int) -> None:
    """Count steps. Raises RuleError where it is too much; the place is found in the traceback."""
    s.spent += steps
    if s.spent > MOST_SPENT:
        raise TooMuch(f"this takes more than {MOST_SPENT:,} steps at once")


def each_of(s: Position, items: Items, steps: int) -> Items:
    """The members of a set, counted before they are gone through. steps: of each."""
    charge(s, 1 + len(items) * steps)
    return items


def within(number: int) -> int:
    """A number that may have become too large. Raises RuleError."""
    if not -LARGEST <= number <= LARGEST:
        raise RuleError(TOO_LARGE)
    return number


def brief(text: str) -> str:
    """A text that a variable is to hold. Raises RuleError if it has grown too long."""
    if len(text) > MOST_LETTERS:
        raise RuleError(f"this text is too long: what has a name holds {MOST_LETTERS:,} letters at most")
    return text
