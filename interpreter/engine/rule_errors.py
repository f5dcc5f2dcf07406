"""What stops a match: the rules led it where it cannot go on, or what was asked is more than is counted for it."""

from __future__ import annotations

from interpreter.base.diagnostics import Span
from interpreter.base.signs import visible


class RuleError(Exception):
    """The ruleset led the match where it cannot go on: a bound was left, or no decision ever came.

    span: the place in the ruleset that is to blame, or None. The state is as it was before the move.
    """

    def __init__(self, message: str, span: Span | None = None) -> None:
        self.message = visible(message)
        self.span = span
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message if self.span is None else f"{self.span}: {self.message}"


class RecordIsFull(RuleError):
    """No more of the match can be kept, whatever is done next."""


class TooMuch(RuleError):
    """What was asked takes more steps than a move or a question may."""


class TooMany(TooMuch):
    """There are more moves than can be listed."""


def too_many(action: str, most: int, span: Span) -> TooMany:
    """What stops whoever asks for all moves of an action; a move that is made needs no list of them."""
    return TooMany(f"the action '{action}' has more than {most:,} moves here, and they cannot be listed", span)
