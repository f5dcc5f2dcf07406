"""Connections from which nobody has shown a seat: how many there may be from one address, and for how long."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 100
"""At once from one address."""
ASKS_WITHIN = 10.0
"""Seconds in which a request must have come, but for its body."""
Address = tuple[str, int] | None


class Strangers:
    """most: None where all come from the address of a server in front, which counts them itself."""

    def __init__(self, most: int | None = MOST) -> None:
        self._most = most
        self._there: Counter[str] = Counter()

    def comes(self, address: Address) -> bool:
        """Whether there is room for one more, which counts until it goes, room or not."""
        name = address[0] if address else ""
        self._there[name] += 1
        return self._most is None or self._there[name] <= self._most

    def goes(self, address: Address) -> None:
        """It is closed, or no stranger's any more."""
        name = address[0] if address else ""
        self._there[name] -= 1
        if self._there[name] <= 0:
            del self._there[name]


class Config(uvicorn.Config):
    """How an application is served to strangers."""

    def __init__(self, *given: Any, most_strangers: int | None = MOST, **more: Any) -> None:
        more["http"] = Connection
        super().__init__(*given, **more)
        self.strangers = Strangers(most_strangers)


def strangers_of(config: uvicorn.Config) -> Strangers:
    """Those of a server."""
    assert isinstance(config, Config)
    return config.strangers


class Connection(H11Protocol):
    """A connection that ends where nothing is asked, or where too many are open."""

    _late: asyncio.TimerHandle | None = None
    _is_counted = False

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._is_counted = True
        if strangers_of(self.config).comes(self.client):
            self._waits()
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._waits()
        else:
            self._waits_no_more()

    def on_response_complete(self) -> None:
        self._waits_no_more()
        super().on_response_complete()

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
