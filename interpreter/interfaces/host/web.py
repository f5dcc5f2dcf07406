"""The server as the web sees it: pages, a few answers in JSON, and a socket for each page at a table."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.websockets import WebSocket

from interpreter.interfaces.host import catalogue_of_games as games
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.child_process import ChildGone
from interpreter.interfaces.host.cookies import cookies_of, seats_in
from interpreter.interfaces.host.gatekeeper import Gate, Rates, counted_as
from interpreter.interfaces.host.house_rules_text import WrongGame, name_of
from interpreter.interfaces.host.in_turn import Busy
from interpreter.interfaces.host.leases import Elsewhere
from interpreter.interfaces.host.names_at_table import cleaned, wrong_name
from interpreter.interfaces.host.not_made import Refusal
from interpreter.interfaces.host.page_files import PageFiles
from interpreter.interfaces.host.page_socket import LONGEST_CODE, Sockets
from interpreter.interfaces.host.protocol import Name, as_decode_error
from interpreter.interfaces.host.relay import RELAYED, PeerGone, admit, pass_on
from interpreter.interfaces.host.secrets_of_tables import hashed, opens
from interpreter.interfaces.host.service import NoTable, Service, seat_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from interpreter.interfaces.host.leases import Peer
    from interpreter.interfaces.host.live_table import Table
    from interpreter.interfaces.host.local_match import Match

HOST_COOKIE = "houserules_host"
LARGEST_BODY = 400_000
BODY_WITHIN = 30.0
"""Seconds in which all of it must have come."""
LONGEST_LINK = 300
FRESH = r"^([A-Za-z0-9_-]{22,43}|)\Z"
"""A secret of at least 128 bits, or none."""
MONTH = 30 * 24 * 3600
MOST_SEATS = 100
"""Of one device: all cookies stand in one line of a request, which has 8 KB."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' {socket}; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
Answer = Callable[[Request], Awaitable[Response]]


class Wanted(msgspec.Struct, forbid_unknown_fields=True):
    """A table that is to be opened. name, seat: of whoever opens it and sits down at once; no name: nobody does."""

    game: e.GameSpec
    name: Name = ""
    seat: int | None = None


class Joining(msgspec.Struct, forbid_unknown_fields=True):
    """join: the secret of the table's link, or the code of a table whose match has not begun. fresh: see `Taking`."""

    join: str
    name: Name
    seat: int | None = None
    fresh: Annotated[str, msgspec.Meta(pattern=FRESH)] = ""


class Secret(msgspec.Struct, forbid_unknown_fields=True):
    secret: str


class Taking(msgspec.Struct, forbid_unknown_fields=True):
    """A seat's link is opened. fresh: the secret that is to open the seat from now on, made by the device, which asks
    again if the answer is lost. Without one it is made here."""

    secret: str
    fresh: Annotated[str, msgspec.Meta(pattern=FRESH)] = ""


class Code(msgspec.Struct, forbid_unknown_fields=True):
    code: str


class Link(msgspec.Struct, forbid_unknown_fields=True):
    """A link that is to be drawn. It opens something, so it stands in no address."""

    link: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_LINK)]


class Looking(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody looks at a match that is over. at: after how many moves. watch: the secret of the watchers' link, of
    those who had no seat."""

    at: Annotated[int, msgspec.Meta(ge=0, le=999_999)] = 0
    watch: str = ""


class Web:
    """host_secret: opens what only the host may do. is_open: whether everybody may open tables."""

    def __init__(
        self, service: Service, gate: Gate, host_secret: str, is_open: bool = False, tls: bool = False
    ) -> None:
        self._service, self._gate = service, gate
        self._host, self._is_open, self._tls = hashed(host_secret), is_open, tls
        self._peer = None if service.store.leases is None else service.store.leases.own
        self._files = PageFiles()
        self._asked = Rates(240, 60)
        self._codes = Rates(10, 60)
        """Codes that were wrong."""
        self._checks = Rates(60, 60)
        self._openings = Rates(20, 3600)
        self._pictures = Rates(30, 60)
        self._drawing = asyncio.Lock()
        """However many pictures are asked for, tables wait for one of them at the most."""
        self._forming = asyncio.Lock()
        """Of forms, which anybody may ask for, one at a time takes a thread of those in which tables are read."""
        self.sockets = Sockets(service, gate, self._codes)

    def app(self) -> ASGIApp:
        """The application, for any ASGI server."""
        routes = [
            Route("/", self._page),
            Route("/t/{table}", self._page),
            Route("/page/{path:path}", self._file),
            Route("/api/me", self._guarded(self._me)),
            Route("/api/host", self._guarded(self._be_host), methods=["POST"]),
            Route("/api/games", self._guarded(self._games)),
            Route("/api/games/{game}/form", self._guarded(self._form)),
            Route("/api/check", self._guarded(self._check), methods=["POST"]),
            Route("/api/lesson", self._guarded(self._lesson), methods=["POST"]),
            Route("/api/qr", self._guarded(self._picture), methods=["POST"]),
            Route("/api/tables/{table}/rules", self._guarded(self._rules)),
            Route("/api/code", self._guarded(self._code), methods=["POST"]),
            Route("/api/tables", self._guarded(self._open), methods=["POST"]),
            Route("/api/tables/{table}/seats", self._guarded(self._sit), methods=["POST"]),
            Route("/api/tables/{table}/device", self._guarded(self._device), methods=["POST"]),
            Route("/api/tables/{table}/record", self._guarded(self._record), methods=["POST"]),
            Route("/api/tables/{table}/house-rules", self._guarded(self._house_rules), methods=["POST"]),
            Route("/api/tables/{table}/replay", self._guarded(self._replay), methods=["POST"]),
        ]
        pages = Starlette(routes=routes)

        async def serves(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "websocket" and scope["path"] == "/socket":  # what lasts goes round what need not
                await self.sockets.connect(WebSocket(scope, receive, send))
            else:
                await pages(scope, receive, send)

        return self._only_known(serves)

    def _only_known(self, app: ASGIApp) -> ASGIApp:
        """Nothing is answered under a name that is not ours."""

        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] in ("http", "websocket") and not admit(scope, self._peer):
                host = next((value.decode("latin-1") for key, value in scope["headers"] if key == b"host"), None)
                if not self._gate.knows(host):
                    if scope["type"] == "http":
                        await PlainTextResponse("This server is not called so.\n", 421)(scope, receive, send)
                    else:
                        await send({"type": "websocket.close", "code": 1008})
                    return
            await app(scope, receive, send)

        return guarded

    def _guarded(self, answer: Answer) -> Answer:
        """Refuse what comes from elsewhere, too often, or is no JSON; tell in words what cannot be done."""

        async def guarded(request: Request) -> Response:
            is_relayed = RELAYED in request.scope  # then the server that passes it on has looked
            is_own = is_relayed or self._gate.is_own(request.headers.get("origin"), request.headers.get("host"))
            if request.method != "GET" and not is_own:
                return _wrong("This page is not ours.", 403)
            if not self._is_host(request) and not self._asked.allows(_address(request)):
                return _wrong("Too much at once; wait a little.", 429)
            try:
                if "table" in request.path_params:
                    await self._table(request)
                return _with_headers(await answer(request))
            except Elsewhere as there:
                if is_relayed:
                    return _wrong("The table is being handed over; try again.", 409, why="busy")
                return await self._pass_on(request, there.peer)
            except NoTable as error:
                return _wrong(str(error), 404 if error.why == "gone" else 409, why=error.why)
            except WrongGame as error:
                return _wrong(str(error), 422, field=error.field, diagnostics=msgspec.to_builtins(error.found))
            except ChildGone as gone:
                table = await self._table(request)
                table.put(table.again.begin, str(gone))
                return _wrong(f"This match cannot be looked at: {gone}", 503)
            except Busy as busy:
                return _wrong(str(busy), 429)
            except msgspec.DecodeError as error:
                return _wrong(f"That is no such request: {error}", 400)

        return guarded

    async def _pass_on(self, request: Request, peer: Peer) -> Response:
        """The answer of the server that keeps a table."""
        try:
            return await pass_on(request, await _read(request), peer)
        except msgspec.DecodeError as error:
            return _wrong(f"That is no such request: {error}", 400)
        except PeerGone:
            return _wrong("The server of this table does not answer; try again soon.", 409, why="busy")

    # ---- pages --------------------------------------------------------------------------------------------

    async def _page(self, request: Request) -> Response:
        host = request.headers.get("host", "")
        policy = POLICY.format(socket=f"ws://{host} wss://{host}")
        headers = {**HEADERS, "Content-Security-Policy": policy, "Cache-Control": "no-cache"}
        return Response(self._files.index(), media_type="text/html; charset=utf-8", headers=headers)

    async def _file(self, request: Request) -> Response:
        found = self._files.file(request.path_params["path"])
        if found is None:
            return PlainTextResponse("There is no such file.\n", 404)
        body, kind = found
        headers = {**HEADERS, "Cache-Control": f"public, max-age={MONTH}, immutable"}
        return Response(body, media_type=kind, headers=headers)

    # ---- the lobby ----------------------------------------------------------------------------------------

    def _is_host(self, request: Request) -> bool:
        return self._opens_all(cookies_of(request).get(HOST_COOKIE, ""))

    def _opens_all(self, secret: str) -> bool:
        """Whether a secret is that of the host, here or at a server with the same database."""
        leases = self._service.store.leases
        return any(opens(secret, kept) for kept in {self._host, *(leases.hosts if leases is not None else ())})

    def _may_open(self, request: Request) -> bool:
        """Whether tables may be opened from this device."""
        return self._is_open or self._is_host(request)

    async def _me(self, request: Request) -> Response:
        """Whether this device may open tables, and at which tables it has seats.

        Those at the table to which it has come are kept for another month. Of very many the oldest are forgotten, or
        no socket could open.
        """
        found, there = cookies_of(request), seats_in(request)
        seats: dict[str, list[int]] = {}
        for table, seat in there.values():
            seats.setdefault(table, []).append(seat)
        response = JSONResponse({"host": self._may_open(request), "open": self._is_open, "seats": seats})
        come_to = request.query_params.get("table")
        others = [name for name, (table, _) in there.items() if table != come_to]
        for name in others[: max(0, len(there) - MOST_SEATS)]:
            response.delete_cookie(name)
        for name in there.keys() - set(others):
            if re.fullmatch(FRESH, found[name]):
                self._set_cookie(response, name, found[name])
        return response

    async def _be_host(self, request: Request) -> Response:
        """The link of the terminal is opened: from now on this device may open tables."""
        given = await _body(request, Secret)
        if not self._codes.allows(_address(request)):
            return _wrong("Too often; wait a minute.", 429)
        if not self._opens_all(given.secret):
            return _wrong("This link is not the host's, or the server was started anew.", 403)
        response = JSONResponse({"host": True})
        self._set_cookie(response, HOST_COOKIE, given.secret)
        return response

    async def _games(self, request: Request) -> Response:
        return JSONResponse(games.all_games())

    async def _form(self, request: Request) -> Response:
        variants = [name for name in request.query_params.get("variants", "").split(",") if name]
        async with self._forming:
            found = await asyncio.to_thread(games.form, request.path_params["game"], variants)
        return _wrong("There is no such game.", 404) if found is None else JSONResponse(found)

    async def _check(self, request: Request) -> Response:
        """What can be said of house rules that somebody is writing."""
        if not self._may_open(request):
            return _wrong("Only the host brings house rules.", 403)
        if not self._checks.allows(_address(request)):
            return _wrong("Too much at once; wait a little.", 429)
        found = await self._service.check(await _body(request, e.GameSpec), _address(request))
        return JSONResponse(msgspec.to_builtins(found))

    async def _lesson(self, request: Request) -> Response:
        """How a game is played as somebody is about to open it."""
        if not self._may_open(request):
            return _wrong("Only the host opens tables, with the link that stands in the terminal.", 403)
        if not self._checks.allows(_address(request)):
            return _wrong("Too much at once; wait a little.", 429)
        return JSONResponse(await self._service.lesson(await _body(request, e.GameSpec), _address(request)))

    async def _picture(self, request: Request) -> Response:
        """A link as a picture that phones read."""
        given = await _body(request, Link)
        if not self._pictures.allows(_address(request)):
            return _wrong("Too many pictures; wait a minute.", 429)
        async with self._drawing:
            return Response(await asyncio.to_thread(_drawn, given.link), media_type="image/svg+xml")

    async def _rules(self, request: Request) -> Response:
        """How the game of a table is played, as Markdown."""
        table = await self._table(request)
        return PlainTextResponse(await self._service.rules(table.state.opened, _address(request)))

    async def _code(self, request: Request) -> Response:
        """The address of the table's page that has a code."""
        given, address = await _body(request, Code), _address(request)
        if not self._codes.allows(address):  # it counts before it is tried: many may be tried at once
            return _wrong("Too many codes; wait a minute.", 429)
        found = await self._service.by_code(given.code)
        self._codes.give_back(address)
        return JSONResponse({"table": found})

    async def _open(self, request: Request) -> Response:
        """Open a table, and sit down at it."""
        if not self._may_open(request):
            return _wrong("Only the host opens tables, with the link that stands in the terminal.", 403)
        if not self._is_host(request) and not self._openings.allows(_address(request)):
            return _wrong("Too many tables; try again later.", 429)
        wanted = await _body(request, Wanted)
        if wanted.name and (problem := wrong_name(cleaned(wanted.name), ())):
            raise NoTable(problem, "name")  # before there is a table
        links = await self._service.open(wanted.game, _address(request), self._is_host(request), wanted.seat)
        found = {"table": links.table, "code": links.code, "join": links.join, "watch": links.watch}
        response = JSONResponse(found)
        if wanted.name:
            seat, secret = await self._service.sit(links.table, links.join, wanted.name, wanted.seat)
            response = JSONResponse({**found, "seat": seat, "secret": secret})
            self._set_cookie(response, f"seat-{links.table}-{seat}", secret)
        return response

    async def _sit(self, request: Request) -> Response:
        table, given, address = request.path_params["table"], await _body(request, Joining), _address(request)
        is_short = len(given.join.strip()) <= LONGEST_CODE
        if is_short and not self._codes.allows(address):
            return _wrong("Too many codes; wait a minute.", 429)
        why = ""
        try:
            seat, secret = await self._service.sit(table, given.join, given.name, given.seat, given.fresh)
        except NoTable as error:
            why = error.why
            raise
        finally:
            if is_short and why != "denied":
                self._codes.give_back(address)
        response = JSONResponse({"seat": seat, "secret": secret})
        self._set_cookie(response, f"seat-{table}-{seat}", secret)
        return response

    async def _device(self, request: Request) -> Response:
        """A seat's link is opened on another device."""
        table, given = request.path_params["table"], await _body(request, Taking)
        seat, secret = await self._service.move_seat(table, given.secret, given.fresh)
        response = JSONResponse({"seat": seat, "secret": secret})
        self._set_cookie(response, f"seat-{table}-{seat}", secret)
        return response

    async def _record(self, request: Request) -> Response:
        """The record of the last match, whether or not it can be played on or looked at."""
        given = await _body(request, Looking)
        table = await self._may_look(request, given)
        if table.match is None:  # what is asked for before, be it another match, is done before
            await table.again.in_turn()
        state = (await self._may_look(request, given)).state  # meanwhile another one may have begun
        record = await self._service.records.of(table.name, state, _address(request))
        headers = {"Content-Disposition": f'attachment; filename="{table.name}.jsonl"'}
        return Response(record, media_type="application/x-ndjson", headers=headers)

    async def _replay(self, request: Request) -> Response:
        """The last match as it was after so many moves."""
        given = await _body(request, Looking)
        async with (await self._table(request)).looking:
            match = await self._after_match(request, given)
            try:
                return JSONResponse(msgspec.to_builtins(await match.replay(given.at)))
            except Refusal as no:
                raise NoTable(str(no), "long") from None

    async def _house_rules(self, request: Request) -> Response:
        """The house rules of a table, as [name, text]: by these names its record knows them."""
        table = await self._may_look(request, await _body(request, Looking))
        return JSONResponse([[name_of(at), text] for at, text in enumerate(table.state.opened.game.overlays)])

    async def _table(self, request: Request) -> Table:
        """The table that is asked for. Raises NoTable and Elsewhere."""
        return await self._service.table(request.path_params["table"])

    async def _after_match(self, request: Request, given: Looking) -> Match:
        """The last match of a table, once it is over, for those who sat there or watched. Raises NoTable."""
        table = await self._may_look(request, given)
        await table.again.is_there()
        await self._may_look(request, given)  # meanwhile another one may have begun
        if table.match is None and table.again.delay:
            raise NoTable(table.again.delay, "busy")
        if table.match is None:
            raise ChildGone("It could not be opened again.")
        return table.match

    async def _may_look(self, request: Request, given: Looking) -> Table:
        """A table whose match is over, for those who sat there or watched. Raises NoTable."""
        table = await self._table(request)
        await table.ready.wait()
        state = table.state
        secrets = [value for name, value in cookies_of(request).items() if name.startswith(f"seat-{table.name}-")]
        if not opens(given.watch, state.opened.watch) and all(seat_of(state, secret) is None for secret in secrets):
            raise NoTable("The match is for those who were at the table.", "denied")
        if not table.is_over:
            raise NoTable("The match can be looked at when it is over.", "early")
        return table

    def _set_cookie(self, response: Response, name: str, value: str) -> None:
        response.set_cookie(name, value, max_age=MONTH, httponly=True, samesite="strict", secure=self._tls)


def _drawn(link: str) -> bytes:
    """A link as a picture."""
    import segno

    picture = io.BytesIO()
    segno.make(link, error="m", micro=False).save(picture, kind="svg", scale=4, border=2)
    return picture.getvalue()


async def _body(request: Request, kind: type[Any]) -> Any:
    """What was sent, as something of that kind. Raises DecodeError."""
    found = await _read(request)
    with as_decode_error():
        return msgspec.json.decode(found, type=kind)


async def _read(request: Request) -> bytes:
    """What was sent; asked again, the same. Raises DecodeError."""
    found: bytes = getattr(request.state, "body", b"")
    if found:
        return found
    try:
        async with asyncio.timeout(BODY_WITHIN):
            async for chunk in request.stream():
                found += chunk
                if len(found) > LARGEST_BODY:
                    raise msgspec.DecodeError(f"more than {LARGEST_BODY:,} bytes")
    except ClientDisconnect:  # a phone that closes the page: nobody reads the answer
        raise msgspec.DecodeError("it ends too soon") from None
    except TimeoutError:
        raise msgspec.DecodeError("it takes too long to come") from None
    request.state.body = found
    return found


def _wrong(text: str, status: int, **more: Any) -> Response:
    return _with_headers(JSONResponse({"error": text, **more}, status))


def _with_headers(response: Response) -> Response:
    for name, value in {**HEADERS, "Cache-Control": "no-store"}.items():
        response.headers.setdefault(name, value)
    return response


def _address(request: Request) -> str:
    return counted_as(request.client.host) if request.client is not None else ""
