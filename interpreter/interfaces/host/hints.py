"""Hints at a table: what a bot would do, found out beside the table, once for each decision of a seat."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.child_process import ChildGone
from interpreter.interfaces.host.crowd import Page
from interpreter.interfaces.host.gatekeeper import Rates
from interpreter.interfaces.host.match_again import MatchAgain
from interpreter.interfaces.host.stored_table import StoredTable

NOBODY = "Hints are for your turn in strict games, not for races or honour."
LATE = "No hint was found in time; ask again."
OFTEN = "That is often; ask for a hint again in a moment."
SLOW = "With these rules it takes too long to find a hint."
HINTS, IN_SECONDS = 4, 10.0
"""Hints that are found out at one table: bots of all tables think in the same processes."""
Decision = tuple[int, int, int]
"""The match, how often something of it may have been told to the seat, and how often moves were taken back: of what it
is not told a hint must not tell it either."""


@dataclass(slots=True)
class _Hint:
    """lines: None while it is being found out. pages: that wait for it."""

    decision: Decision
    pages: list[Page]
    lines: list[str] | None = None


class Hints:
    """The last hint of each seat."""

    def __init__(self, table: StoredTable, again: MatchAgain) -> None:
        self._table, self._again = table, again
        self._hints: dict[int, _Hint] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._found_out = Rates(HINTS, IN_SECONDS)
        self._slow: int | None = None
        """The number of a match whose process was ended by a hint: there are none any more."""

    def ask(self, page: Page, seat: int) -> None:
        """Answer a page, now or when it is found out."""
        table, standing = self._table, self._table.standing
        if standing is None or standing.race or table.state.opened.game.honor or seat not in standing.actors:
            table.answer(page, p.Failure(NOBODY))
            return
        if self._slow == table.state.match:
            table.answer(page, p.Failure(SLOW))
            return
        hint, decision = self._hints.get(seat), self._decision(seat)
        if hint is None or hint.decision != decision:
            if not self._found_out.allows(""):
                table.answer(page, p.Failure(OFTEN))
                return
            self._hints[seat] = _Hint(decision, [page])
            task = asyncio.create_task(self._find(seat, decision))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif hint.lines is not None:
            self._answer(page, hint.lines)
        elif page not in hint.pages:
            hint.pages.append(page)

    def _decision(self, seat: int) -> Decision:
        state = self._table.state
        return state.match, self._table.crowd.times(seat), state.undone

    async def _find(self, seat: int, decision: Decision) -> None:
        lines = None
        table = self._table
        try:
            lines = await table.hall.advise(table.name, table.state, seat)
        except ChildGone as gone:  # rules that can be played are not at fault
            self._slow = decision[0]
            table.put(self._again.begin, str(gone), False)
        except RuleError:
            pass
        finally:
            table.put(self._found, seat, decision, lines)

    async def _found(self, seat: int, decision: Decision, lines: list[str] | None) -> None:
        hint = self._hints.get(seat)
        if hint is None or hint.decision != decision:
            return
        if lines is None or decision != self._decision(seat):
            del self._hints[seat]
            lines = None
        hint.lines = lines
        for page in hint.pages:
            self._answer(page, lines)

    def _answer(self, page: Page, lines: list[str] | None) -> None:
        if lines is None:
            self._table.answer(page, p.Failure(LATE))
        else:
            self._table.answer(page, p.Advice(lines) if lines else p.Failure(NOBODY))
