"""An open socket of a page as uvicorn serves it, without what is only needed to open it."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from interpreter.interfaces.host.inbox import Inbox


class OpenSocket(WebSocketsSansIOProtocol):
    """Keeps a third of what the class does that it is made of: four of them are at each table."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.queue: Any = Inbox()

    async def send(self, message: Any) -> None:
        """Send a message of the application; what was said to open the socket is forgotten once it is open."""
        await super().send(message)
        if message["type"] == "websocket.accept":
            self.request: Any = None
            self.response: Any = None
