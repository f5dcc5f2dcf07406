"""When moves of a race count, so that the way to the server gives nobody an advantage.

A move counts as made when it arrived, less what its whole way there and back takes: of the event that it answers to the
page, and of the move to the server. It waits until an equally early move of the slowest rival would have arrived. So a
player who sees the same thing and reacts as fast is as early, wherever the page is.

It knows nothing of sockets but that they answer measurements, too, beside the pages, and the least answer of both
counts: a page whose script delays its answers gains nothing. All times are milliseconds of play. Who makes both slower
than they are (a program in place of a browser) gains at most MOST_CREDIT less the true way, which everybody sees at the
table from SHOWN on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Generic, TypeVar

MOST_CREDIT = 150
"""Milliseconds that a way may take; whoever is farther away is later by what is more."""
SHOWN = 60
"""Milliseconds of credit above which everybody at the table is told."""
MEASURED = 10
"""Measurements of each kind of which the least counts: what waits on the way now and then is no part of it."""
KNOWN = 64
"""News of which it is known when they were sent."""
T = TypeVar("T")


@dataclass(slots=True)
class Way:
    """The way to one seat. trips: how long it was, there and back, as its pages answered. sockets: how long, as their
    sockets did; apart, so that many pages with late answers push nothing out of it. sent: when news were sent, by their
    number."""

    trips: deque[int] = field(default_factory=lambda: deque(maxlen=MEASURED))
    sockets: deque[int] = field(default_factory=lambda: deque(maxlen=MEASURED))
    sent: dict[int, int] = field(default_factory=dict)


class FairTime(Generic[T]):
    """The moves of a race that have arrived and do not count yet."""

    def __init__(self) -> None:
        self.is_on = True
        self._ways: dict[int, Way] = {}
        self._held: list[tuple[int, int, int, T]] = []
        """A heap of (time, arrival, number, move)."""
        self._number = 0

    def measured(self, seat: int, milliseconds: int) -> None:
        """How long it took until an answer came from a page of a seat."""
        self.way(seat).trips.append(max(0, milliseconds))

    def socket_measured(self, seat: int, milliseconds: int) -> None:
        """How long it took until an answer came from the socket of a page of a seat."""
        self.way(seat).sockets.append(max(0, milliseconds))

    def no_socket_answers(self, seat: int) -> None:
        """None of the pages of a seat has a socket that does, any more: how far away another one was says nothing."""
        self.way(seat).sockets.clear()

    def sent(self, seat: int, number: int, at: int) -> None:
        """News were sent to a seat."""
        sent = self.way(seat).sent
        sent[number] = at
        if len(sent) > KNOWN:
            del sent[next(iter(sent))]

    def leaves(self, seat: int) -> None:
        """A seat has no page any more."""
        self._ways.pop(seat, None)

    def credit(self, seat: int) -> int:
        """By how much a seat's moves count earlier than they arrive."""
        way = self._ways.get(seat)
        if way is None or not (way.trips or way.sockets) or not self.is_on:
            return 0
        return min([MOST_CREDIT, *way.trips, *way.sockets])

    def arrives(self, seat: int, move: T, at: int, seen: int | None) -> None:
        """A move has arrived. seen: the last news that its player had before the eyes."""
        credit = self.credit(seat)
        way = self._ways.get(seat)
        sent = None if way is None or seen is None else way.sent.get(seen)
        time = max(0, at - credit)
        if sent is not None and credit:
            time = min(at, max(time, sent + credit))
        self._number += 1
        heappush(self._held, (time, at, self._number, move))

    def due(self, now: int, there: Iterable[int]) -> Iterator[tuple[int, T]]:
        """The moves that count now, with their times, the earliest first. there: the seats that have pages."""
        slowest = self._slowest(there)
        while self._held and min(self._held[0][0] + slowest, self._held[0][1] + MOST_CREDIT) <= now:
            time, _, _, move = heappop(self._held)
            yield time, move

    def next_due(self, there: Iterable[int]) -> int | None:
        """When the next move counts; None if none is held."""
        if not self._held:
            return None
        return min(self._held[0][0] + self._slowest(there), self._held[0][1] + MOST_CREDIT)

    def held(self) -> Iterator[T]:
        """What has arrived and does not count yet, in no order."""
        return (move for _, _, _, move in self._held)

    def give_up(self) -> list[T]:
        """Nothing is held any more; what was."""
        held = [move for _, _, _, move in sorted(self._held, key=lambda entry: entry[:3])]
        self._held.clear()
        return held

    def _slowest(self, there: Iterable[int]) -> int:
        return max((self.credit(seat) for seat in there), default=0)

    def way(self, seat: int) -> Way:
        """The way to a seat, as far as it is known."""
        return self._ways.setdefault(seat, Way())
