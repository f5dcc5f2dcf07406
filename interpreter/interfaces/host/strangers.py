"""Connections from which nobody has shown a seat: how many there may be from one address, and for how long."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from interpreter.interfaces.host.gatekeeper import MOST_KNOWN, Credit, counted_as

MOST = 100
"""At once from one address."""
ASKS_WITHIN = 10.0
"""Seconds in which a request must have come, but for its body."""
BYTES_A_SECOND, BYTES_AT_ONCE, FOR_A_REQUEST = 1_000_000, 6_000_000, 2_000
"""That are read of one address in requests, each of which counts as so many more: an answer costs as much."""
READS_WITHIN = 10.0
"""Seconds in which something must be read of an answer, as long as there is anything left of it."""
LONGEST_HEAD = 16_384
"""Bytes of what stands before the body of a request."""
PIECE = 4_096
"""Bytes that are read at once."""
PIECES = 1_000
"""Of the body of a request: a page sends it in one."""
Address = tuple[str, int] | None


class Strangers:
    """most: None where all come from the address of a server in front, which counts them itself."""

    def __init__(self, most: int | None = MOST) -> None:
        self._most = most
        self._there: Counter[str] = Counter()
        self._credit: dict[str, Credit] = {}

    def may_ask(self, address: Address, size: int) -> bool:
        """Whether so many bytes more are read of an address; they count."""
        if self._most is None:
            return True
        name = counted_as(address[0]) if address else ""
        credit = self._credit.pop(name, None) or Credit(BYTES_A_SECOND, BYTES_AT_ONCE)
        self._credit[name] = credit
        if len(self._credit) > MOST_KNOWN:
            del self._credit[next(iter(self._credit))]
        return credit.allows(size)

    def comes(self, address: Address) -> bool:
        """Whether there is room for one more, which counts until it goes, room or not."""
        name = counted_as(address[0]) if address else ""
        self._there[name] += 1
        return self._most is None or self._there[name] <= self._most

    def goes(self, address: Address) -> None:
        """It is closed, or no stranger's any more."""
        name = counted_as(address[0]) if address else ""
        self._there[name] -= 1
        if self._there[name] <= 0:
            del self._there[name]


class Config(uvicorn.Config):
    """How an application is served to strangers."""

    def __init__(self, *given: Any, most_strangers: int | None = MOST, **more: Any) -> None:
        more |= {"http": Connection, "h11_max_incomplete_event_size": LONGEST_HEAD}
        super().__init__(*given, **more)
        self.strangers = Strangers(most_strangers)


def strangers_of(config: uvicorn.Config) -> Strangers:
    """The strangers of a server that runs with these settings."""
    assert isinstance(config, Config)
    return config.strangers


class Requests(h11.Connection):
    """What is asked on a connection, of which no body comes in very many pieces."""

    pieces = 0

    def next_event(self) -> Any:
        found = super().next_event()
        if type(found) is h11.Data:
            self.pieces += 1
            if self.pieces > PIECES:
                raise h11.RemoteProtocolError("so many pieces")
        elif type(found) is h11.Request:
            self.pieces = 0
        return found


class Connection(H11Protocol):
    """A connection that ends where nothing is asked, or too much, or where too many are open."""

    _late: asyncio.TimerHandle | None = None
    _is_counted = False

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.conn = Requests(h11.SERVER, LONGEST_HEAD)

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._is_counted = True
        if strangers_of(self.config).comes(self.client):
            self._waits()
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read what comes in small pieces, as long as it is within bounds."""
        for at in range(0, len(data), PIECE):
            part = data[at : at + PIECE]
            asked = self.cycle
            if self.transport.is_closing() or not strangers_of(self.config).may_ask(self.client, len(part)):
                self.transport.abort()
                return
            super().data_received(part)
            if not self._is_counted:  # it has become a socket, to which nothing is sent before it is open
                return
            if not self._counts(asked):
                return
        if self.cycle is None or self.cycle.response_complete:
            self._waits()
        else:
            self._waits_no_more()

    def _counts(self, before: object) -> bool:
        """Whether the request that is worked on, if it is another one than before, is still within bounds."""
        if self.cycle is before or strangers_of(self.config).may_ask(self.client, FOR_A_REQUEST):
            return True
        self.transport.abort()
        return False

    def on_response_complete(self) -> None:
        self._waits_no_more()
        answered = self.cycle
        super().on_response_complete()
        self._counts(answered)  # another request may have come with this one
        self._must_read(self.transport.get_write_buffer_size() + 1)

    def _must_read(self, before: int) -> None:
        """End the connection where nothing has been read of what was sent, since there was so much of it left."""
        left = self.transport.get_write_buffer_size()
        if left >= before:
            self.transport.abort()
        elif left:
            self.loop.call_later(READS_WITHIN, self._must_read, left)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._leaves()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._leaves()

    def _waits(self) -> None:
        """From now on, unless it did before, for a whole request."""
        if self._late is None and self._is_counted:
            self._late = self.loop.call_later(ASKS_WITHIN, self.transport.abort)

    def _waits_no_more(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _leaves(self) -> None:
        self._waits_no_more()
        if self._is_counted:
            self._is_counted = False
            strangers_of(self.config).goes(self.client)
