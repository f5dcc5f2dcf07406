"""An open socket of a page as uvicorn serves it, without what is only needed to open it, and held to what pages do."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame, Opcode

from interpreter.interfaces.host.gatekeeper import Credit
from interpreter.interfaces.host.inbox import Flag, Inbox
from interpreter.interfaces.host.strangers import Strangers, strangers_of

SOCKET = "houserules.socket"
"""Under which name this is found among the extensions of its scope, by whoever serves the page."""
PIECE = 2_048
"""Bytes that are read at once: they hold some hundreds of frames at the most."""
FRAMES_A_SECOND, FRAMES_AT_ONCE = 40, 400
"""That are taken of a page, those of the protocol among them: each costs as much as a small message."""
FLUSH_WITHIN = 5.0
"""Seconds in which a page must have read what is still sent to it when its socket is closed."""
MARKED = 8
"""Bytes of a ping that measures, at random; those that keep the socket open have four."""


class OpenSocket(WebSocketsSansIOProtocol):
    """Keeps a third of what the class does that it is made of: four of them are at each table."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.queue: Any = Inbox()
        self.writable: Any = Flag()
        self.scope: Any = {}
        self._frames = Credit(FRAMES_A_SECOND, FRAMES_AT_ONCE)
        self._strangers: Strangers | None = None
        """Among whom it counts as long as nobody has shown a seat."""
        self._end: asyncio.TimerHandle | None = None
        self._is_lost = False
        self._measuring: tuple[bytes, float, Callable[[float], object]] | None = None
        """What the last ping says that measures, when it was sent, and who is told how long its answer took."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._strangers = strangers_of(self.config)
        if not self._strangers.comes(self.client):
            transport.abort()

    def handle_connect(self, event: Any) -> None:
        """Whoever serves the socket may do more with it."""
        super().handle_connect(event)
        self.scope.setdefault("extensions", {})[SOCKET] = self

    def data_received(self, data: bytes) -> None:
        """Read what comes in small pieces, and nothing more of a page that sends more frames than pages do."""
        for at in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[at : at + PIECE])
            if self.conn.handshake_exc is not None:  # of which nobody is told
                self.transport.abort()
                return

    def handle_events(self) -> None:
        if not self._frames.allows(len(self.conn.events)):
            self.transport.abort()
            return
        super().handle_events()

    def is_known(self) -> None:
        """Somebody has shown a seat, or another server looks who it is."""
        if self._strangers is not None:
            self._strangers.goes(self.client)
            self._strangers = None

    def send_at_once(self, text: str | bytes) -> bool:
        """Send something without a task that waits until the page reads; whether that was possible just now."""
        if not self.writable.is_set() or self.transport.is_closing() or self.close_sent or not self.handshake_complete:
            return False
        try:
            if isinstance(text, str):
                self.conn.send_text(text.encode())
            else:
                self.conn.send_binary(text)
        except InvalidState:
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def on_the_way(self) -> int:
        """How many bytes were sent and wait here until the page reads."""
        return self.transport.get_write_buffer_size()

    def measure(self, told: Callable[[float], object]) -> None:
        """Tell how many seconds pass until a ping is answered, unless the next one is sent before.

        A browser answers it by itself, and no script of a page can delay that. Where much waits to be sent nothing is
        measured, for the ping would wait, too. What the kernel knows of the connection (TCP_INFO) is not asked: behind
        a server with TLS it is the way to that one, and nobody far away would have any credit. Pings pass through such
        a server, for it hands on the bytes of open sockets as they are.
        """
        if not self.writable.is_set() or self.transport.is_closing() or self.close_sent or not self.handshake_complete:
            return
        mark = os.urandom(MARKED)
        try:
            self.conn.send_ping(mark)
        except InvalidState:
            return
        self._measuring = mark, self.loop.time(), told
        self.transport.write(b"".join(self.conn.data_to_send()))

    def handle_pong(self, event: Frame) -> None:
        """A ping is answered. Who gets two at once may answer the later one alone (RFC 6455, 5.5.3), so that is an
        answer to one that keeps the socket open and was sent before, too."""
        if self._measuring is None or bytes(event.data) != self._measuring[0]:
            super().handle_pong(event)
            return
        _, sent, told = self._measuring
        self._measuring = None
        if self.pending_ping_payload is not None and self.ping_sent_at <= sent:
            super().handle_pong(Frame(Opcode.PONG, self.pending_ping_payload))
        told(self.loop.time() - sent)

    async def send(self, message: Any) -> None:
        """Send a message of the application; what was said to open the socket is forgotten once it is open."""
        await super().send(message)
        if message["type"] == "websocket.accept":
            if self.request is not None:
                self.request.headers.clear()  # whatever reads the frames has hold of it as long as the socket is open
            self.request: Any = None
            self.response: Any = None

    def keepalive_timeout(self) -> None:
        """A page that does not answer reads nothing either."""
        super().keepalive_timeout()
        self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Nobody serves the page any more; it need not have read everything."""
        super().on_task_complete(task)
        if not self._is_lost:
            self._end = self.loop.call_later(FLUSH_WITHIN, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of what would keep a closed socket in memory until that is looked through for circles."""
        super().connection_lost(exc)
        self._is_lost = True
        self._measuring = None
        self.is_known()
        if self._end is not None:
            self._end.cancel()
        self.scope.get("extensions", {}).pop(SOCKET, None)
        self.conn.parser.close()
