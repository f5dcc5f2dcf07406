"""An open socket of a page as uvicorn serves it, without what is only needed to open it."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from interpreter.interfaces.host.inbox import Inbox

SENDS_AT_ONCE = "houserules.send_at_once"
"""Under which name what a socket can do besides is found among the extensions of its scope."""


class OpenSocket(WebSocketsSansIOProtocol):
    """Keeps a third of what the class does that it is made of: four of them are at each table."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.queue: Any = Inbox()
        self.scope: Any = {}

    def handle_connect(self, event: Any) -> None:
        """Whoever serves the socket may send at once, too."""
        super().handle_connect(event)
        self.scope.setdefault("extensions", {})[SENDS_AT_ONCE] = self.send_at_once

    def send_at_once(self, text: str) -> bool:
        """Send a text without a task that waits until the page reads; whether that was possible just now."""
        if not self.writable.is_set() or self.transport.is_closing() or self.close_sent or not self.handshake_complete:
            return False
        try:
            self.conn.send_text(text.encode())
        except InvalidState:
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    async def send(self, message: Any) -> None:
        """Send a message of the application; what was said to open the socket is forgotten once it is open."""
        await super().send(message)
        if message["type"] == "websocket.accept":
            self.request: Any = None
            self.response: Any = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of what would keep a closed socket in memory until that is looked through for circles."""
        super().connection_lost(exc)
        self.scope.get("extensions", {}).pop(SENDS_AT_ONCE, None)
        self.conn.parser.close()
