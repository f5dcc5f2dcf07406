"""Scripted people: four at a table, in a process that is not the server's."""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from interpreter.interfaces.host.protocol import VERSION

NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Fanny", "Gus", "Hanna")


def asked(address: str, path: str, body: dict[str, Any], host: str) -> dict[str, Any]:
    """The answer to a request."""
    headers = {"Content-Type": "application/json", "Cookie": f"houserules_host={host}"}
    with urlopen(Request(address + path, json.dumps(body).encode(), headers), timeout=60) as answer:
        return dict(json.loads(answer.read()))


def offers(ask: dict[str, Any] | None) -> list[str]:
    """What can be answered to what is asked, in strict turns."""
    if not ask:
        return []
    if "moves" in ask:
        return list(ask["moves"])
    if not ask.get("due"):
        return []
    found: list[str] = []
    for act in ask["acts"]:
        if "moves" in act:
            found += [f"{act['name']} {move}".strip() for move in act["moves"]]
        elif "cards" in act:
            found.append(" ".join([act["name"], *act["cards"]["of"][: act["cards"]["low"]]]))
    return found


@dataclass
class Seat:
    socket: ClientConnection
    ask: dict[str, Any] | None = None
    answered: int = -1
    waits: bool = False
    """Whether the last move was sent and is not answered yet."""


@dataclass
class Figures:
    """What was measured: seconds from a move to its answer, and until all seats knew of it; bytes that came."""

    answers: list[float] = field(default_factory=list)
    news: list[float] = field(default_factory=list)
    moves: int = 0
    bytes: int = 0
    refused: int = 0


class ScriptedTable:
    """Four who play as fast as they are asked, or as `pace` lets them."""

    def __init__(self, address: str, host: str, game: str, dice: random.Random, figures: Figures) -> None:
        self._address, self._host, self._game = address, host, game
        self._dice, self._figures = dice, figures
        self.seats: list[Seat] = []
        self._sent: dict[str, float] = {}
        self._open: tuple[float, int] | None = None
        self.name = ""
        self._secrets: list[str] = []
        self.acknowledged: list[tuple[int, str]] = []
        """The seat and the id of each move whose answer came."""
        self.ids = 0
        self.ready: asyncio.Queue[tuple[ScriptedTable, Seat, str]] | None = None
        self.is_closed = False
        self.rematches = 0

    async def sit(self) -> None:
        """Open a table, take all its seats, and begin."""
        call = asyncio.to_thread
        links = await call(
            asked, self._address, "/api/tables", {"game": {"source": self._game}, "name": "Anna"}, self._host
        )
        secrets = self._secrets
        secrets.append(links["secret"])
        self.name = links["table"]
        count = 0
        socket = await self._come(links["table"], secrets[0])
        welcome = json.loads(str(await socket.recv()).partition("\n")[0])
        count = len(welcome["table"]["seats"])
        for name in NAMES[1:count]:
            joined = {"join": links["join"], "name": name}
            found = await call(asked, self._address, f"/api/tables/{links['table']}/seats", joined, self._host)
            secrets.append(found["secret"])
        sockets = [socket, *[await self._come(links["table"], secret) for secret in secrets[1:]]]
        self.seats = [Seat(socket) for socket in sockets]
        await sockets[0].send('{"type": "order", "what": "start"}')

    async def come_back(self, address: str) -> None:
        """Connect anew, to a server that was started anew."""
        self._address = address
        self.seats = [Seat(await self._come(self.name, secret)) for secret in self._secrets]
        self._sent.clear()
        self._open = None

    async def _come(self, table: str, secret: str) -> ClientConnection:
        socket = await connect(self._address.replace("http", "ws") + "/socket", compression=None, max_queue=None)
        await socket.send(json.dumps({"type": "hello", "v": VERSION, "table": table, "token": secret}))
        return socket

    async def play(self, until: float) -> None:
        """Play on until a time."""
        await asyncio.gather(*(self._listen(seat, until) for seat in self.seats))

    async def _listen(self, seat: Seat, until: float) -> None:
        figures = self._figures
        while (left := until - time.monotonic()) > 0:
            try:
                async with asyncio.timeout(left):
                    text = await seat.socket.recv()
            except TimeoutError:
                return
            except ConnectionClosed:
                if self.is_closed:
                    return
                raise
            figures.bytes += len(text)
            for line in str(text).split("\n"):
                await self._heed(seat, json.loads(line))

    async def _heed(self, seat: Seat, message: dict[str, Any]) -> None:
        figures, kind = self._figures, message["type"]
        if kind in ("done", "refused"):
            seat.waits = False
        if kind == "done":
            figures.answers.append(time.monotonic() - self._sent.pop(message["id"], time.monotonic()))
            figures.moves += 1
            self.acknowledged.append((self.seats.index(seat), message["id"]))
        elif kind == "refused":
            figures.refused += 1
            self._sent.pop(message["id"], None)
        elif kind == "news":
            if self._open is not None:
                begun, seats = self._open
                self._open = begun, seats - 1
                if seats == 1:
                    figures.news.append(time.monotonic() - begun)
                    self._open = None
        elif kind == "table" and message["state"] == "over" and seat is self.seats[0] and not message.get("proposal"):
            await seat.socket.send('{"type": "propose", "what": "rematch"}')
        elif kind == "table" and message.get("proposal") and seat is not self.seats[0]:
            if self.seats.index(seat) in message["proposal"].get("open", []):
                await seat.socket.send('{"type": "vote", "yes": true}')
        if kind in ("welcome", "news") and "ask" in message:
            seat.ask = message["ask"]
        await self._answer(seat)

    async def nudge(self) -> None:
        """Answer what was asked before and not answered, because moves were paced."""
        for seat in self.seats:
            if seat.ask is not None and not seat.waits:
                seat.answered = -1
                await self._answer(seat)

    async def _answer(self, seat: Seat) -> None:
        """Answer what is asked, once."""
        if seat.ask is None or seat.ask["n"] == seat.answered:
            return
        found = offers(seat.ask)
        if not found:
            return
        seat.answered = seat.ask["n"]
        if self.ready is not None:
            await self.ready.put((self, seat, self._dice.choice(found)))
        else:
            await self.send(seat, self._dice.choice(found))

    async def send(self, seat: Seat, move: str) -> None:
        if self.is_closed:
            return
        assert seat.ask is not None
        self.ids += 1
        name = f"m{self.ids}-{self._dice.randrange(1 << 30)}"
        self._sent[name] = time.monotonic()
        self._open = (self._sent[name], len(self.seats))
        seat.waits = True
        await seat.socket.send(json.dumps({"type": "move", "id": name, "ask": seat.answered, "move": move}))

    async def close(self) -> None:
        self.is_closed = True
        for seat in self.seats:
            await seat.socket.close()
