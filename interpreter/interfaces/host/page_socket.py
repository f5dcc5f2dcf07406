"""The sockets of pages: who each is, what comes from it, and what waits to be sent."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

import msgspec
from starlette.responses import Response
from websockets.asyncio.client import ClientConnection

from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.cookies import cookies_of
from interpreter.interfaces.host.crowd import GUEST, is_seat
from interpreter.interfaces.host.deliveries import Outbox
from interpreter.interfaces.host.gatekeeper import Credit, Rates, counted_as
from interpreter.interfaces.host.leases import EXPIRY, Elsewhere
from interpreter.interfaces.host.open_socket import SOCKET, OpenSocket
from interpreter.interfaces.host.relay import (
    MEASURES,
    REFUSED,
    RELAYED,
    First,
    PassedOn,
    PeerGone,
    PeerRefuses,
    TurnedAway,
    Welcomed,
    next_of,
    pump,
    reach,
)
from interpreter.interfaces.host.secrets_of_tables import opens
from interpreter.interfaces.host.service import NoTable, Service, is_code, seat_of

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from interpreter.interfaces.host.gatekeeper import Gate
    from interpreter.interfaces.host.live_table import Table
    from interpreter.interfaces.host.table_state import TableState

MOST_WATCHING = 100
"""Pages at one table of people without a seat."""
MOST_UNSENT = 2_000_000
"""Letters that wait for a page behind which nothing more may wait."""
MOST_WAITING = 400
"""Messages that wait for a page that does not read them; then its socket is closed."""
PER_SECOND, AT_ONCE = 20, 60
"""Messages of a page that are taken."""
WATCHERS_PER_SECOND, WATCHERS_AT_ONCE = 1, 10
"""Messages that are taken of a page that has no seat."""
WATCHING_PER_SECOND, WATCHING = 5, 40
"""Messages that are taken at a table of all pages together that have no seat there."""
LARGEST_FRAME = 100_000
"""Letters of several messages that are sent together."""
SOCKETS, IN_SECONDS = 30, 30.0
"""Sockets that are opened at once for a seat, or from an address by who has none, and in so many seconds: each is told
the whole table."""
STRANGE, IN_A_MINUTE = 60, 60.0
"""Sockets from an address that open nothing, at once and in so many seconds: each asks the database for its table."""
LONGEST_CODE = 10
"""Letters of what is taken for a code, and counted where it is wrong."""
HELLO_WITHIN = 10.0
RETRY = 0.4
"""Seconds until a server that does not answer is asked again."""


class Ways(Protocol):
    """What measures the way to a page."""

    def measure(self, told: Callable[[float], object]) -> None:
        """Tell how many seconds it takes there and back."""


class PageSocket:
    """One page at one table. seat: whose it is; None for somebody who watches; GUEST."""

    def __init__(
        self,
        socket: WebSocket,
        leave: Callable[[], object],
        at_once: Callable[[str], bool] | None = None,
        ways: Ways | None = None,
        outbox: Outbox | None = None,
        on_the_way: Callable[[], int] = lambda: 0,
    ) -> None:
        """leave: ends the connection at once. at_once: sends a text without waiting, if that is possible just now.
        ways: what measures the way to the page; None if nothing here does. outbox: of all pages together. on_the_way:
        bytes that were sent and have not left this machine."""
        self._leave, self._at_once, self.ways, self._on_the_way = leave, at_once, ways, on_the_way
        self.seat: int | None = None
        self.opened_by = ""
        self._socket = socket
        self._outbox = Outbox() if outbox is None else outbox
        self._waiting: list[str] = []
        self._unsent = 0
        """Letters that wait, those that are being sent among them."""
        self._writer: asyncio.Task[None] | None = None
        """Is there only while something is sent: most pages wait most of the time."""
        self._is_due = False
        """Whether what waits is sent in a moment, and what comes until then with it."""
        self._ends = False
        self.is_left = False
        """Whether the connection was ended at once."""
        self._credit = Credit(PER_SECOND, AT_ONCE)

    @property
    def unread(self) -> int:
        """About how many letters the page has not read, or not yet."""
        return self._unsent + self._on_the_way()

    def send(self, text: str) -> None:
        """Send a message when the page reads it; a page that reads nothing is left."""
        if not self._ends:
            is_behind = self.unread > MOST_UNSENT or len(self._waiting) >= MOST_WAITING
            self._waiting.append(text)
            self._unsent += len(text)
            self._write_soon()
            if is_behind:
                self._ends = self.is_left = True
                self._leave()

    def measure(self, told: Callable[[float], object]) -> bool:
        """Tell how many seconds the way there and back takes; False if the page's socket cannot say so."""
        if self.ways is not None and not self._ends:
            self.ways.measure(told)
        return self.ways is not None

    def close(self, text: str) -> None:
        """Send a last message and end."""
        if text:
            self._waiting.append(text)
            self._unsent += len(text)
        self._ends = True
        self._write_soon()

    async def closed(self, within: float) -> None:
        """Wait for so many seconds at most until the last message is sent."""
        if self._writer is not None:
            await asyncio.wait([self._writer], timeout=within)
        if self._writer is not None:
            self._writer.cancel()

    def _write_soon(self) -> None:
        if self._writer is not None:
            return
        if self._ends or self._at_once is None:
            self._writer = asyncio.create_task(self._write())
        elif not self._is_due:
            self._is_due = True
            self._outbox.put(self._write_at_once)

    def _write_at_once(self) -> None:
        """Send what waits, as most pages can take it; else as soon as this one can."""
        self._is_due = False
        if self._writer is not None or self._at_once is None:
            return
        waiting, self._waiting = self._waiting, []
        frames = list(_frames(waiting))
        sent = next((at for at, frame in enumerate(frames) if not self._at_once(frame)), len(frames))
        self._unsent = sum(map(len, frames[sent:]))
        if sent < len(frames):
            self._waiting = frames[sent:]
            self._writer = asyncio.create_task(self._write())

    async def _write(self) -> None:
        """Send what waits, and end the socket behind the last message."""
        try:
            while self._waiting:
                await self._write_all()
            if self._ends:
                await self._socket.close(1000)
        except Exception:  # the page has gone: whoever reads from the socket learns of it
            self._ends = True
        finally:
            self._writer = None
            self._unsent = sum(map(len, self._waiting))

    async def _write_all(self) -> None:
        """Send what waits; nothing of it is kept."""
        waiting, self._waiting = self._waiting, []
        for frame in _frames(waiting):
            await self._socket.send({"type": "websocket.send", "text": frame})
            self._unsent -= len(frame)

    def slows(self) -> None:
        """Take less of it from now on, as it has no seat."""
        self._credit = Credit(WATCHERS_PER_SECOND, WATCHERS_AT_ONCE)

    def is_flooding(self) -> bool:
        """Whether more comes than is taken; each time it is asked counts."""
        return not self._credit.allows()


class Sockets:
    """Connects pages with tables."""

    def __init__(self, service: Service, gate: Gate, codes: Rates) -> None:
        """codes: how many wrong ones an address may try."""
        self._service, self._gate, self._codes, self._outbox = service, gate, codes, Outbox()
        service.store.delivers_to(self._outbox.flush)
        self._seats = Rates(2 * AT_ONCE, 2 * AT_ONCE / PER_SECOND)
        self._watching = Rates(WATCHING, WATCHING / WATCHING_PER_SECOND)
        self._comings = Rates(SOCKETS, IN_SECONDS)
        self._strange = Rates(STRANGE, IN_A_MINUTE)

    async def connect(self, socket: WebSocket) -> None:
        """Serve a page until it goes, or is left."""
        is_relayed = RELAYED in socket.scope  # then the server that passes it on has looked
        if not is_relayed and not self._gate.is_own(socket.headers.get("origin"), socket.headers.get("host")):
            await socket.close(1008)
            return
        if is_relayed and not self._service.answers:
            await socket.close(1013)
            return
        if not self._strange.has_room(_address(socket)):
            if is_relayed:  # it has answered, and is not asked again
                await socket.send_denial_response(Response(status_code=REFUSED))
            else:
                await socket.close(1013)
            return
        await socket.accept()
        task = asyncio.current_task()
        assert task is not None
        below: OpenSocket | None = socket.scope.get("extensions", {}).get(SOCKET)
        ways: Ways | None = below
        if is_relayed:  # a ping would get as far as the server that passes it on
            ways = None if below is None or MEASURES not in socket.headers else PassedOn(below.send_at_once)
        page = PageSocket(
            socket, task.cancel, None if below is None else below.send_at_once, ways, self._outbox,
            (lambda: 0) if below is None else below.on_the_way,
        )  # fmt: skip
        try:
            await self._serve(socket, page, below)
        except asyncio.CancelledError:
            if not page.is_left:
                raise
            task.uncancel()

    async def _serve(self, socket: WebSocket, page: PageSocket, below: OpenSocket | None) -> None:
        """Find out who is there, and take what the page says."""
        is_relayed, table = RELAYED in socket.scope, None
        try:
            found = await self._hello(socket, page)
            if below is not None and (is_relayed or is_seat(page.seat)):
                below.is_known()
            if isinstance(found, ClientConnection):
                await pump(socket, found, below, partial(self._known, socket, below))
            elif found is not None and not self._may_come(socket, page, found):
                _leave(page, "That is too much at once.", "busy")
            elif found is not None:
                table = found
                if not is_seat(page.seat):
                    page.slows()
                socket.scope["headers"].clear()  # nobody asks for them any more
                table.comes(page)
                await self._listen(socket, page, table)
        finally:
            if table is not None:
                table.put(table.leaves, page)
            page.close("")
            await page.closed(1)

    def _known(self, socket: WebSocket, below: OpenSocket | None, first: First) -> None:
        """The server that keeps its table says who a page is, which has counted as strange so far."""
        if isinstance(first, Welcomed) or (isinstance(first, TurnedAway) and first.why == "busy"):
            self._strange.give_back(_address(socket))
        if below is not None and isinstance(first, Welcomed) and is_seat(first.me):
            below.is_known()

    async def _hello(self, socket: WebSocket, page: PageSocket) -> Table | ClientConnection | None:
        """Who is there, and at which table, or the socket of the server that keeps it; None, and the page is told, if
        nobody can be."""
        text = None
        try:
            async with asyncio.timeout(HELLO_WITHIN):
                text = await next_of(socket)
            hello = None if text is None else p.decode(text)
        except (TimeoutError, msgspec.DecodeError):
            hello = None
        if text is None or not isinstance(hello, p.Hello):
            return self._turns_away(socket, page, "Say hello first.")
        if hello.v != p.VERSION:
            return _leave(page, "This page is of another version of the program; load it anew.", "reload")
        try:
            table = await self._found(socket, hello.table, text)
        except PeerRefuses:
            return _leave(page, "That is too much at once.", "busy")
        except NoTable as error:
            if error.why == "busy":  # it will come again, and rightly so
                return _leave(page, str(error), error.why)
            return self._turns_away(socket, page, str(error), error.why)
        if isinstance(table, ClientConnection):
            return table
        state = table.state
        if hello.token:
            page.seat = seat_of(state, hello.token)
            if page.seat is not None:
                page.opened_by = state.seats[page.seat].secret
            elif opens(hello.token, state.opened.join) or self._is_code(socket, hello.token, state):
                page.seat = GUEST
            elif not opens(hello.token, state.opened.watch):
                return self._turns_away(socket, page, "This link is worn out, or is not of this table.", "moved")
            return table
        cookies = cookies_of(socket)
        prefix = f"seat-{table.name}-"
        secrets = [value for name, value in cookies.items() if name.startswith(prefix)]
        seats = [seat for secret in secrets if (seat := seat_of(state, secret)) is not None]
        if not seats or (hello.seat is not None and hello.seat not in seats):
            return self._turns_away(socket, page, "You have no seat at this table; open its link.", "denied")
        page.seat = seats[0] if hello.seat is None else hello.seat
        page.opened_by = state.seats[page.seat].secret
        return table

    def _turns_away(self, socket: WebSocket, page: PageSocket, text: str, why: str = "") -> Table | None:
        """Leave a page that has no business here, and count that."""
        self._strange.allows(_address(socket))
        return _leave(page, text, why)

    def _is_code(self, socket: WebSocket, given: str, state: TableState) -> bool:
        """Whether that is the code of a table, which nobody finds out by trying."""
        address = _address(socket)
        if len(given) > LONGEST_CODE or not self._codes.has_room(address):
            return False
        found = is_code(given, state)
        if not found:
            self._codes.allows(address)
        return found

    async def _found(self, socket: WebSocket, name: str, hello: str | bytes) -> Table | ClientConnection:
        """A table, or a socket at the server that keeps it; where that one does not answer, until its lease has
        expired. Raises NoTable, and PeerRefuses. A page that is passed on counts as strange until that server knows it,
        for nobody here does."""
        until = time.monotonic() + (EXPIRY + 2) * self._service.second
        while True:
            try:
                return await self._service.table(name)
            except Elsewhere as there:
                if RELAYED not in socket.scope:
                    if not self._strange.allows(_address(socket)):
                        raise PeerRefuses from None
                    try:
                        return await reach(socket, hello, there.peer)
                    except PeerGone:
                        self._strange.give_back(_address(socket))
            if time.monotonic() > until or RELAYED in socket.scope:
                raise NoTable("The server of this table does not answer; try again soon.", "busy")
            await asyncio.sleep(RETRY * self._service.second)

    async def _listen(self, socket: WebSocket, page: PageSocket, table: Table) -> None:
        """Take what the page says, until it goes or says too much."""
        while (text := await next_of(socket)) is not None:
            at = time.monotonic()
            if isinstance(text, bytes) and isinstance(page.ways, PassedOn):
                page.ways.answered(text)
                continue
            if page.is_flooding() or not self._seat_allows(page, table) or table.is_behind:
                _leave(page, "That is too much at once.", "busy")
                return
            if not is_seat(page.seat) and not self._watching.allows(table.name):  # others may have said all that
                page.send(p.encode(p.Failure("Many ask for something here; ask again in a moment.")))
                continue
            try:
                message = p.decode(text)
            except msgspec.DecodeError as error:
                page.send(p.encode(p.answer_to_none(text, error)))
                continue
            if isinstance(message, p.Hello):
                page.send(p.encode(p.Failure("You have said hello already.")))
            else:
                table.put(table.requests.receive, page, message, at)

    def _may_come(self, socket: WebSocket, page: PageSocket, table: Table) -> bool:
        """Whether a page may come to a table: each is told all of it, and whoever has no seat is told all news, too."""
        may_come = self._comings.allows(f"{table.name} {_who(page, socket)}")
        return may_come and (is_seat(page.seat) or table.crowd.watching < MOST_WATCHING)

    def _seat_allows(self, page: PageSocket, table: Table) -> bool:
        """Whether all pages of a seat together say no more than is taken."""
        return not is_seat(page.seat) or self._seats.allows(f"{table.name} {page.seat}")


def _frames(messages: Sequence[str]) -> Iterator[str]:
    """What waits, in as few frames as can be: each costs as much as several messages."""
    together: list[str] = []
    letters = 0
    for text in messages:
        if together and letters + len(text) > LARGEST_FRAME:
            yield "\n".join(together)
            together, letters = [], 0
        together.append(text)
        letters += len(text)
    if together:
        yield "\n".join(together)


def _address(socket: WebSocket) -> str:
    return counted_as(socket.client.host) if socket.client is not None else ""


def _who(page: PageSocket, socket: WebSocket) -> str:
    """By what the sockets of a page are counted: its seat, and where it has none, its address."""
    return str(page.seat) if is_seat(page.seat) else _address(socket)


def _leave(page: PageSocket, text: str, why: str = "") -> Table | None:
    """Tell a page why it is left, for good or until it comes back by itself; it has no table."""
    page.close(p.encode(p.Failure(text, why, final=why != "busy")))
    return None
