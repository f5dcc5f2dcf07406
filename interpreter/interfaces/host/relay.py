"""What is asked of a table that another server keeps is asked there, and the answer passed on.

A server shows another one by the key of its lease that it is one; then it is believed for whom it asks, and that it has
looked at the host and origin. What pages say is passed on as text; bytes go from server to server: eight at random ask
how far away the page is, and come back as soon as the page's socket has answered a ping.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import msgspec
from starlette.responses import Response
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from interpreter.interfaces.host.open_socket import MARKED, OpenSocket

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from starlette.requests import HTTPConnection as Asking
    from starlette.requests import Request
    from starlette.websockets import WebSocket

    from interpreter.interfaces.host.leases import Peer

MARK = "houserules-relay"
"""The header with the key of who is asked, and the address of who asks."""
RELAYED = "houserules.relayed"
"""Stands in the scope of what another server has passed on."""
MEASURES = "houserules-measures"
"""The header of a server that measures the socket which it passes on, when it is asked to."""
SECONDS = 15.0
"""For an answer."""
CONNECTING = 1.5
ASKING = ThreadPoolExecutor(16, "relay")
"""Threads that wait for other servers, apart from those in which tables are read."""
AT_ONCE = 3
"""Requests for one table that are passed on, so that no table takes all threads."""
_turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
"""By table."""
PASSED = ("content-type", "cookie", "host", "origin")
ANSWERED = ("content-type", "content-disposition", "cache-control", "set-cookie")


REFUSED = 429
"""The status with which a server refuses a socket of an address that opens too much, whoever passes it on."""


class PeerGone(Exception):
    """The other server does not answer."""


class PeerRefuses(Exception):
    """The other server has answered: whoever asks has asked too much."""


class First(msgspec.Struct, tag_field="type"):
    """What is looked at of the first message to a page that is passed on."""


class Welcomed(First, tag="welcome"):
    """me: the seat, of somebody who has one."""

    me: int | None = None


class TurnedAway(First, tag="error"):
    why: str = ""


def admit(scope: MutableMapping[str, Any], own: Peer | None) -> bool:
    """Whether another server has passed this on; then the scope says so, and names whoever asks."""
    if own is None:
        return False
    mark = next((value for name, value in scope["headers"] if name == MARK.encode()), b"")
    key, _, address = mark.partition(b" ")
    if not hmac.compare_digest(key, own.key.encode()):
        return False
    scope["client"] = address.decode("latin-1"), 0
    scope[RELAYED] = True
    return True


def _headers(asked: Asking, peer: Peer) -> dict[str, str]:
    address = asked.client.host if asked.client is not None else ""
    return {MARK: f"{peer.key} {address}", **{name: asked.headers[name] for name in PASSED if name in asked.headers}}


async def pass_on(request: Request, body: bytes, peer: Peer) -> Response:
    """The answer of another server. Raises PeerGone."""
    query = f"?{request.url.query}" if request.url.query else ""

    def asks() -> tuple[int, list[tuple[str, str]], bytes]:
        there = HTTPConnection(peer.address, timeout=SECONDS)
        try:
            path = request.scope["raw_path"].decode("latin-1")
            there.request(request.method, path + query, body or None, _headers(request, peer))
            found = there.getresponse()
            return found.status, found.getheaders(), found.read()
        finally:
            there.close()

    turn = _turns.setdefault(request.path_params["table"], asyncio.Semaphore(AT_ONCE))  # it is kept while it is held
    try:
        async with turn:
            status, headers, found = await asyncio.get_running_loop().run_in_executor(ASKING, asks)
    except (OSError, HTTPException) as error:
        raise PeerGone(str(error)) from error
    answer = Response(found, status)
    for name, value in headers:
        if name.lower() in ANSWERED:
            answer.headers.append(name, value)
    return answer


async def reach(socket: WebSocket, hello: str | bytes, peer: Peer) -> ClientConnection:
    """A socket at another server, at which a page has said hello. Raises PeerGone and PeerRefuses."""
    headers = {name: value for name, value in _headers(socket, peer).items() if name != "host"} | {MEASURES: "1"}
    try:
        there = await connect(
            f"ws://{peer.address}/socket", additional_headers=headers, compression=None, max_size=None, proxy=None,
            open_timeout=CONNECTING, ping_interval=None, user_agent_header=None,
        )  # fmt: skip
        await there.send(hello)
    except InvalidStatus as error:
        raise (PeerRefuses if error.response.status_code == REFUSED else PeerGone)(str(error)) from error
    except (OSError, InvalidHandshake, ConnectionClosed) as error:
        raise PeerGone(str(error)) from error
    return there


def first_of(said: str) -> First | None:
    """What the other server says to a page by which it tells whether it knows the page; None if that is not there."""
    for message in said.split("\n"):
        with contextlib.suppress(msgspec.DecodeError):  # news of the table may come before
            found: First = msgspec.json.decode(message, type=Welcomed | TurnedAway)
            return found
    return None


class PassedOn:
    """Measures how far away a page is whose socket another server passes on to the one that keeps the table."""

    def __init__(self, send: Callable[[bytes], bool]) -> None:
        """send: what is sent at once to the other server, if that is possible just now."""
        self._send = send
        self._measuring: tuple[bytes, float, Callable[[float], object]] | None = None

    def measure(self, told: Callable[[float], object]) -> None:
        """See `OpenSocket.measure`: the way goes over the other server, and is as long as that of the page's moves."""
        mark = os.urandom(MARKED)
        if self._send(mark):
            self._measuring = mark, asyncio.get_running_loop().time(), told

    def answered(self, mark: bytes) -> None:
        """The other server says that the page's socket has answered."""
        if self._measuring is not None and mark == self._measuring[0]:
            _, sent, told = self._measuring
            self._measuring = None
            told(asyncio.get_running_loop().time() - sent)


async def pump(
    socket: WebSocket, there: ClientConnection, below: OpenSocket | None, knows: Callable[[First], object]
) -> None:
    """Pass on what a page and another server say, until one of them goes. below: what the page's socket is made of.
    knows: is told once what the other server has found out about the page."""
    answering: set[asyncio.Task[None]] = set()

    async def answer(mark: bytes) -> None:
        with contextlib.suppress(ConnectionClosed):
            await there.send(mark)

    def answers(mark: bytes, _: float) -> None:
        task = asyncio.create_task(answer(mark))
        answering.add(task)
        task.add_done_callback(answering.discard)

    async def comes() -> None:
        first: First | None = None
        async for said in there:
            if isinstance(said, str):
                if first is None and (first := first_of(said)) is not None:
                    knows(first)
                await socket.send({"type": "websocket.send", "text": said})
            elif below is not None:
                below.measure(partial(answers, said))

    async def goes() -> None:
        while (said := await next_of(socket)) is not None:
            await there.send(said if isinstance(said, str) else said.decode("utf-8", "replace"))

    both = [asyncio.create_task(comes()), asyncio.create_task(goes())]
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in both:
            task.cancel()
        await asyncio.gather(*both, return_exceptions=True)
        await there.close()


async def next_of(socket: WebSocket) -> str | bytes | None:
    """The next message of a page; None if there is none any more."""
    message = await socket.receive()
    if message["type"] != "websocket.receive":
        return None
    found: str | bytes | None = message.get("text")
    return message.get("bytes") if found is None else found
