"""Who of the people at a table is away: then a bot may play for them after a while, and the role of the host passes."""

from __future__ import annotations

import asyncio
import time

from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.stored_table import StoredTable

AWAY = 45.0
"""Seconds after which a bot may play for somebody who is away."""
HOST_AWAY = 60.0
"""Seconds after which the role of a host who is away passes to somebody else."""


class WhoIsAway:
    """The people of one table whose last page was closed."""

    def __init__(self, table: StoredTable) -> None:
        self._table = table
        self._left_at: dict[int, float] = {}
        self._waits: dict[int, asyncio.TimerHandle] = {}
        """By seat: when the last page of a person was closed, and when that person is looked at again."""

    @property
    def patience(self) -> float:
        """Seconds until the others may let a bot play for somebody who is away."""
        table = self._table
        return table.hall.away if table.state.wait is None else table.state.wait

    @property
    def seats(self) -> list[int]:
        """Of people who have been away for so long that a bot may play for them."""
        now, places = time.monotonic(), self._table.state.seats
        return [
            seat
            for seat, left in sorted(self._left_at.items())
            if now - left >= self.patience and not places[seat].bot and places[seat].is_person
        ]

    def leaves(self, seat: int) -> None:
        """Nobody is there for a person's seat, from now on."""
        self._left_at[seat] = time.monotonic()
        self.look_again(seat)
        self._table.later(HOST_AWAY * self._table.hall.second, self._host_has_been_away)

    def comes(self, seat: int) -> None:
        """Somebody is there for a person's seat."""
        self._left_at.pop(seat, None)

    def look(self) -> None:
        """Find who is not there and has not left either: the table has come back into memory."""
        for seat in self._table.state.people:
            if seat not in self._left_at and not self._table.crowd.is_here(seat):
                self.leaves(seat)

    def look_again(self, *seats: int) -> None:
        """Look again at some who are away, or all, when they have been away for long; once for each."""
        for seat in seats or [*self._left_at]:
            if (before := self._waits.get(seat)) is not None:
                before.cancel()
            end = self._left_at[seat] + self.patience
            self._waits[seat] = self._table.later(max(0.0, end - time.monotonic()), self._has_been_away, seat)

    def pass_host(self) -> None:
        """The role of a host who has been away for long passes to who has sat longest of those who are there."""
        table, state = self._table, self._table.state
        left = None if state.host is None else self._left_at.get(state.host)
        heir = state.longest(seat for seat in state.people if table.crowd.is_here(seat))
        if left is not None and time.monotonic() - left >= HOST_AWAY * table.hall.second and heir is not None:
            table.happens(e.HostIs(heir))

    async def _has_been_away(self, seat: int) -> None:
        if seat in self._left_at:
            self._table.tell(self._table.news())
            await self._table.decide_vote()

    async def _host_has_been_away(self) -> None:
        self.pass_host()
