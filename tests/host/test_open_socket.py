"""The socket of a page measures how far away it is by pings, which browsers answer by themselves; without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from interpreter.interfaces.host.open_socket import OpenSocket
from interpreter.interfaces.host.strangers import Config


class Wire:
    """What a socket writes, until the other end reads it."""

    def __init__(self) -> None:
        self.written = bytearray()
        self.closing = False

    def write(self, data: bytes) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    abort = close

    def get_extra_info(self, name: str) -> Any:
        return None

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


class Ends:
    """An open socket, and a browser at its other end."""

    def __init__(self, socket: OpenSocket, wire: Wire) -> None:
        self.socket, self.wire = socket, wire
        self.browser = ClientProtocol(parse_uri("ws://127.0.0.1/socket"))
        self.now = 100.0
        self.told: list[float] = []

    async def open(self) -> None:
        self.browser.send_request(self.browser.connect())
        self.answers()
        while not self.wire.written:
            await asyncio.sleep(0)
        self.reads()
        self.socket.loop = SimpleNamespace(time=lambda: self.now, call_later=self.socket.loop.call_later)  # type: ignore[assignment]

    def reads(self) -> list[bytes]:
        """What pings say that have come."""
        self.browser.receive_data(bytes(self.wire.written))
        self.wire.written.clear()
        events = self.browser.events_received()
        return [bytes(event.data) for event in events if isinstance(event, Frame) and event.opcode is Opcode.PING]

    def answers(self) -> None:
        """The answers to what has been read reach the server."""
        for data in self.browser.data_to_send():
            self.socket.data_received(data)

    def answers_only(self, mark: bytes) -> None:
        """So does an answer to one ping alone."""
        self.browser.data_to_send()
        self.browser.send_pong(mark)
        self.answers()

    def measure(self) -> None:
        self.socket.measure(self.told.append)


def with_a_socket(scene: Callable[[Ends], Awaitable[None]]) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await receive()

    async def whole() -> None:
        config = Config(app, lifespan="off", ws=OpenSocket, ws_per_message_deflate=False)
        config.load()
        ends = Ends(OpenSocket(config=config, server_state=ServerState(), app_state={}), Wire())
        ends.socket.connection_made(ends.wire)
        await ends.open()
        await scene(ends)
        ends.socket.connection_lost(None)
        await asyncio.sleep(0)

    asyncio.run(whole())


def test_the_way_there_and_back_is_told_in_seconds() -> None:
    async def scene(ends: Ends) -> None:
        ends.measure()
        assert len(ends.reads()) == 1
        ends.now += 0.08
        ends.answers()
        assert ends.told == [pytest.approx(0.08)]

    with_a_socket(scene)


def test_each_measurement_is_answered_once_and_a_late_answer_is_not_taken_for_one_to_the_next() -> None:
    async def scene(ends: Ends) -> None:
        ends.measure()
        (first,) = ends.reads()
        ends.now += 2
        ends.measure()
        (second,) = ends.reads()
        ends.answers_only(first)
        ends.answers_only(b"anything")
        assert ends.told == []
        ends.now += 0.1
        ends.answers_only(second)
        ends.answers_only(second)
        assert ends.told == [pytest.approx(0.1)]

    with_a_socket(scene)


def test_an_answer_to_a_later_ping_keeps_the_socket_open() -> None:
    async def scene(ends: Ends) -> None:
        ends.socket.send_keepalive_ping()
        ends.now += 0.01
        ends.measure()
        kept, measured = ends.reads()
        assert len(kept) != len(measured)
        waits = ends.socket.pong_timer
        assert waits is not None
        ends.answers_only(measured)  # which is all that a browser has to say
        assert waits.cancelled() and ends.socket.pong_timer is None and ends.socket.ping_timer is not None
        assert len(ends.told) == 1

    with_a_socket(scene)


def test_an_answer_to_an_earlier_ping_is_none_to_one_that_keeps_the_socket_open() -> None:
    async def scene(ends: Ends) -> None:
        ends.measure()
        ends.now += 0.01
        ends.socket.send_keepalive_ping()
        measured, kept = ends.reads()
        ends.answers_only(measured)
        assert ends.socket.pong_timer is not None
        ends.answers_only(kept)
        assert ends.socket.pong_timer is None
        assert len(ends.told) == 1

    with_a_socket(scene)


def test_nothing_is_measured_while_much_waits_to_be_sent_or_behind_the_end() -> None:
    async def scene(ends: Ends) -> None:
        ends.socket.pause_writing()
        ends.measure()
        assert not ends.wire.written
        ends.socket.resume_writing()
        ends.measure()
        assert ends.reads()
        ends.wire.closing = True
        ends.measure()
        assert not ends.wire.written

    with_a_socket(scene)


def test_an_open_socket_keeps_nothing_of_what_was_said_to_open_it() -> None:
    async def scene(ends: Ends) -> None:
        reads: Any = ends.socket.conn.parser
        assert ends.socket.request is None and ends.socket.response is None
        assert not list(reads.gi_frame.f_locals["request"].headers.raw_items()), "whatever reads the frames keeps it"

    with_a_socket(scene)
