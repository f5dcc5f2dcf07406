"""Scripted people who come back by themselves, as pages do, to whichever server lets them in."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from interpreter.interfaces.host.protocol import VERSION
from tests.load.clients import NAMES, asked, offers

SILENT = 5.0
"""Seconds without a word after which a server is left."""
AGAIN = 0.3
THINKING = 0.05
"""Seconds before a move, so that servers have time for each other."""
_ids = itertools.count(1)


@dataclass
class Table:
    """addresses: of all servers. done: when each move was answered, with its seat and id."""

    addresses: Sequence[str]
    name: str
    secrets: list[str]
    done: list[tuple[float, int, str]] = field(default_factory=list)

    async def play(self, until: float) -> None:
        """Let all seats play until a time; a match that is over is played again."""
        people = (_plays(self, seat, until, random.Random(seat)) for seat in range(len(self.secrets)))
        await asyncio.gather(*people)

    def longest_wait(self, begun: float, ended: float) -> float:
        """Seconds between two answers."""
        times = [begun, *(at for at, _, _ in self.done if begun <= at <= ended), ended]
        return max(b - a for a, b in itertools.pairwise(times))


async def opened(addresses: Sequence[str], at: int, host: str, game: str = "hearts") -> Table:
    """A table that one of the servers opens, with people at all seats. host: the secret of a host."""

    async def ask(path: str, body: dict[str, Any]) -> dict[str, Any]:
        return await asyncio.to_thread(asked, addresses[at], path, body, host)

    links = await ask("/api/tables", {"game": {"source": game}, "name": NAMES[0]})
    table = Table(addresses, links["table"], [links["secret"]])
    async with connect(_socket(addresses[at]), open_timeout=60, proxy=None) as socket:
        await _hello(socket, table, 0)
        while "table" not in (welcome := json.loads(str(await socket.recv()).partition("\n")[0])):
            pass  # on a busy machine something else may come before it
        for name in NAMES[1 : len(welcome["table"]["seats"])]:
            found = await ask(f"/api/tables/{table.name}/seats", {"join": links["join"], "name": name})
            table.secrets.append(found["secret"])
        await socket.send('{"type": "order", "what": "start"}')
        while '"scene"' not in str(await socket.recv()):
            pass
    return table


def _socket(address: str) -> str:
    return address.replace("http", "ws") + "/socket"


async def _hello(socket: ClientConnection, table: Table, seat: int) -> None:
    await socket.send(json.dumps({"type": "hello", "v": VERSION, "table": table.name, "token": table.secrets[seat]}))


async def _plays(table: Table, seat: int, until: float, dice: random.Random) -> None:
    waiting: dict[str, Any] = {}
    """The move that is not answered yet."""
    for at in itertools.count(seat):
        if time.monotonic() >= until:
            return
        address = _socket(table.addresses[at % len(table.addresses)])
        try:
            async with asyncio.timeout(until - time.monotonic()):
                line = connect(address, open_timeout=1, close_timeout=0.1, ping_interval=None, proxy=None)
                async with line as socket:
                    await _hello(socket, table, seat)
                    await _session(table, seat, socket, waiting, dice)
        except (OSError, WebSocketException, TimeoutError):
            await asyncio.sleep(AGAIN)


async def _session(
    table: Table, seat: int, socket: ClientConnection, waiting: dict[str, Any], dice: random.Random
) -> None:
    """Play at one server until it is gone."""
    ask: dict[str, Any] | None = None
    while True:
        async with asyncio.timeout(SILENT):
            text = str(await socket.recv())
        for message in map(json.loads, text.split("\n")):
            kind = message["type"]
            if kind in ("done", "refused") and message["id"] == waiting.get("id"):
                if kind == "done":
                    table.done.append((time.monotonic(), seat, message["id"]))
                waiting.clear()
            elif kind == "table" and message["state"] == "over" and not message.get("proposal") and not seat:
                await socket.send('{"type": "propose", "what": "rematch"}')
            elif kind == "table" and message.get("proposal") and seat in message["proposal"].get("open", []):
                await socket.send('{"type": "vote", "yes": true}')
            if kind in ("welcome", "news") and "ask" in message:
                ask = message["ask"]
            if kind == "welcome" and waiting:
                await socket.send(json.dumps(waiting))
        found = offers(ask)
        if found and ask is not None and not waiting:
            name = f"s{next(_ids)}-{random.randrange(1 << 30)}"
            waiting.update(type="move", id=name, ask=ask["n"], move=dice.choice(found))
            await asyncio.sleep(THINKING)
            await socket.send(json.dumps(waiting))
            ask = None
