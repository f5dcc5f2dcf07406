"""Races at a table: how far away everybody is, and when the moves that have arrived count."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.crowd import Page, is_seat
from interpreter.interfaces.host.fair_time import SHOWN, FairTime
from interpreter.interfaces.host.stored_table import StoredTable
from interpreter.interfaces.host.table_state import PLAYING
from interpreter.interfaces.host.who_is_away import WhoIsAway

OFTEN, SELDOM = 0.3, 2.0
"""Seconds between two measurements of a way, for the first few of a page and then."""
FIRST = 5
COUNT = 3
"""Seconds that are counted before a race goes on."""


@dataclass(frozen=True, slots=True)
class Held:
    """A move that has arrived. name: as its page calls it; "" for a bot's. ask: the number of the decision that it
    answers, 0 for none."""

    seat: int
    text: str
    name: str = ""
    ask: int = 0


@dataclass(slots=True)
class _Measuring:
    number: int = 0
    sent: float = 0.0
    answered: bool = True


class RaceAtTable:
    """The races of one table."""

    def __init__(self, table: StoredTable, away: WhoIsAway) -> None:
        self._table, self._away = table, away
        self.fair: FairTime[Held] = FairTime()
        self._pages: dict[Page, _Measuring] = {}
        self._measures = False
        self._told: dict[int, int] = {}
        self.count = self._counts = 0
        """What is left of the count with which the race goes on, 0 if there is none; and how many there were."""

    # ---- how far away everybody is ------------------------------------------------------------------------

    def wake(self) -> None:
        """Measure the ways while there is a race."""
        if not self._measures and self._goes_on():
            self._measures = True
            self._table.put(self._measure)

    def _goes_on(self) -> bool:
        standing = self._table.standing
        return standing is not None and standing.race and self._table.state.state == PLAYING

    async def _measure(self) -> None:
        table = self._table
        seats = [reader for reader in table.crowd.pages if is_seat(reader)]
        if not self._goes_on() or not seats:
            self._measures = False
            self._pages.clear()
            return
        here = [page for seat in seats for page in table.crowd.pages[seat]]
        self._pages = {page: self._pages.get(page) or _Measuring() for page in here}
        unmeasured = set(seats)
        for page, measuring in self._pages.items():
            measuring.number += 1
            measuring.sent = time.monotonic()
            measuring.answered = False
            page.send(p.encode(p.Ping(measuring.number)))
            if page.measure(partial(table.put, self._socket_answers, page)):
                unmeasured.discard(page.seat)
        for seat in unmeasured:
            self.fair.no_socket_answers(seat)
        is_new = any(measuring.number <= FIRST for measuring in self._pages.values())
        table.later(OFTEN if is_new else SELDOM, self._measure)
        shown = {seat: self.shown_credit(seat) for seat in seats}
        if any(abs(credit - self._told.get(seat, 0)) > SHOWN // 3 for seat, credit in shown.items()):
            self._told = shown
            table.tell(table.news())

    def answers(self, page: Page, number: int, at: float) -> None:
        """A page answers a measurement. at: when that came, as time.monotonic."""
        measuring = self._pages.get(page)
        if measuring is not None and is_seat(page.seat) and number == measuring.number and not measuring.answered:
            measuring.answered = True
            self.fair.measured(page.seat, round((at - measuring.sent) * 1000))

    async def _socket_answers(self, page: Page, seconds: float) -> None:
        """A page's socket answers a measurement after so many seconds; what the page itself says may only be later."""
        if page in self._pages and is_seat(page.seat) and self._table.is_of(page):
            self.fair.socket_measured(page.seat, round(seconds * 1000))

    def shown_credit(self, seat: int) -> int:
        """Milliseconds that a seat's moves count earlier, where everybody is to know."""
        credit = self.fair.credit(seat)
        return credit if credit > SHOWN else 0

    # ---- when it goes on ----------------------------------------------------------------------------------

    def missing(self) -> list[int]:
        """The people for whom a race that stands still waits: they are gone, not for long, and no bot plays for them.
        None where nobody races."""
        table, places = self._table, self._table.state.seats
        here, away = table.crowd.is_here, self._away.seats
        people = table.state.people if self._goes_on() else []
        return [seat for seat in people if not here(seat) and not places[seat].bot and seat not in away]

    def begins_count(self) -> None:
        """Count down to where the race goes on, unless that is being done."""
        if not self.count:
            self._counts += 1
            self._tell_count(COUNT)

    def ends_count(self) -> bool:
        """The race does not go on; whether it was about to."""
        before, self.count = self.count, 0
        return before > 0

    def _tell_count(self, left: int) -> None:
        self.count = left
        self._table.tell(self._table.news())
        self._table.later(self._table.hall.second, self._goes_down, self._counts)

    async def _goes_down(self, counted: int) -> None:
        """A second of a count is over. counted: which one it is; it may have ended, and another one begun."""
        if not self.count or counted != self._counts:
            return
        if self.count > 1:
            self._tell_count(self.count - 1)
        else:
            self.count = 0
            self._table.resume()

    # ---- moves --------------------------------------------------------------------------------------------

    def holds(self, seat: int, name: str) -> bool:
        """Whether a move has arrived already and does not count yet; its answer comes when it does."""
        return any(held.seat == seat and held.name == name for held in self.fair.held())

    def arrives(self, held: Held, at: float, seen: int | None) -> None:
        """A move has arrived; it counts in its time. at: as time.monotonic."""
        self.fair.arrives(held.seat, held, self._table.clock.at(at), seen)
        self._wait()

    def _wait(self) -> None:
        due = self.fair.next_due(self._there())
        if due is not None:
            table = self._table
            seconds = max(0, due - table.clock.now) / 1000
            if seconds:
                table.later(seconds, self._release)
            else:
                table.put(self._release)

    async def _release(self) -> None:
        """Make the moves that count now."""
        table, late_bots = self._table, False
        for at, held in self.fair.due(table.clock.now, self._there()):
            if self._goes_on():
                await table.move(held.seat, held.text, held.ask if held.name else None, held.name, at)
            elif held.name:
                table.refuse(held.seat, held.name, "The race is over.")
            else:
                late_bots = True
        self._wait()
        if late_bots:
            table.wake_bots()

    def stop(self, why: str) -> None:
        """Time stands still, and nothing is counted down: what has not counted by now does not count. why: is told to
        whoever has made it."""
        self.count = 0
        for held in self.fair.give_up():
            if held.name:
                self._table.refuse(held.seat, held.name, why)

    def _there(self) -> list[int]:
        return [reader for reader in self._table.crowd.pages if is_seat(reader)]
