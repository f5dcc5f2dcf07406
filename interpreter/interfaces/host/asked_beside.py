"""What is asked of a match besides its moves: it goes on without an answer, and no question ends it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.host.child_process import ChildGone
from interpreter.interfaces.host.match_again import MatchAgain
from interpreter.interfaces.host.stored_table import StoredTable

SLOW = "With these rules {what} takes too much, and is not done any more in this match."
SCORES, UNDO, CLAIMS = "telling the scores", "taking moves back", "looking for faults"
"""What may be asked."""


class Denied(Exception):
    """It cannot be done; the message says why."""


class Questions:
    """What is asked about the match of one table, besides its moves."""

    def __init__(self, table: StoredTable, again: MatchAgain) -> None:
        self._table, self._again = table, again
        self._ended: dict[str, int] = {}
        """By what was asked the number of a match whose process was ended by it: it is not asked there again."""

    @contextmanager
    def about(self, what: str) -> Iterator[None]:
        """Ask the match something. what: in words.

        Raises Denied where there is no answer; then the match may have to be made again, which does not count against
        it. Raises ChildGone if the process had ended before.
        """
        number = self._table.state.match
        if self._ended.get(what) == number:
            raise Denied(SLOW.format(what=what))
        was_there = not self._again.is_needed
        try:
            yield
        except ChildGone as gone:
            if not was_there:
                raise
            self._ended[what] = number
            self._table.put(self._again.begin, str(gone), False)
            raise Denied(SLOW.format(what=what)) from gone
        except RuleError as error:
            raise Denied(f"The rules cannot say that: {error}") from error
