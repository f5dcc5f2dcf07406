"""Pages that mean no good come to a server at which others play: how much longer do those wait?

The hostile ones are a process of their own. They send nonsense as fast as it is taken, flood, read nothing, come from
elsewhere, guess seats and codes, and send what is too large.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import random
import time
from collections import Counter
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from interpreter.interfaces.host.page_socket import PER_SECOND
from interpreter.interfaces.host.protocol import VERSION
from tests.load.clients import Figures, ScriptedTable
from tests.load.nonsense import fuzzed

TABLES = 15
"""At which the hostile ones sit, four at each."""
Counts = Counter[str]


async def _nonsense(table: ScriptedTable, at: int, dice: random.Random, counts: Counts, number: int) -> None:
    """One seat says nonsense as fast as it is taken, and comes back when it is thrown out."""
    while counts["fuzzed"] < number:
        with contextlib.suppress(ConnectionClosed, OSError, InvalidHandshake):
            socket = await table._come(table.name, table._secrets[at])
            reads = asyncio.create_task(_reads(socket))
            try:
                while counts["fuzzed"] < number:
                    message = fuzzed(dice)
                    if b'"leave"' in message:
                        continue
                    await socket.send(message, text=True)
                    counts["fuzzed"] += 1
                    await asyncio.sleep(1 / PER_SECOND)
            finally:
                reads.cancel()
                await socket.close()
        counts["thrown out"] += 1
        await asyncio.sleep(0.5)


async def _reads(socket: Any) -> None:
    with contextlib.suppress(ConnectionClosed):
        while True:
            await socket.recv()


async def _others(address: str, table: ScriptedTable, dice: random.Random, counts: Counts) -> None:
    """Floods, too large frames, strange origins, guesses, and a page that reads nothing, one after the other."""
    url = address.replace("http", "ws") + "/socket"
    hello = {"type": "hello", "v": VERSION, "table": table.name, "token": table._secrets[0]}
    while True:
        with contextlib.suppress(ConnectionClosed, OSError, InvalidHandshake):
            async with connect(url, compression=None) as socket:  # reads nothing, and says too much
                await socket.send(json.dumps(hello))
                for _ in range(300):
                    await socket.send('{"type": "sheet"}')
            counts["floods"] += 1
        with contextlib.suppress(ConnectionClosed, OSError, InvalidHandshake):
            async with connect(url, compression=None) as socket:
                await socket.send("x" * 200_000)
                await socket.recv()
        with contextlib.suppress(ConnectionClosed, OSError, InvalidHandshake):
            async with connect(url, compression=None, origin="https://evil.example") as socket:  # type: ignore[arg-type]
                counts["came from elsewhere"] += 1
        with contextlib.suppress(ConnectionClosed, OSError, InvalidHandshake):
            async with connect(url, compression=None) as socket:
                await socket.send(json.dumps({**hello, "token": f"{dice.randrange(1 << 60):x}"}))
                counts["seats guessed"] += '"final":true' not in str(await socket.recv())
        code = "".join(dice.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(6))
        for path, body in (("/api/code", {"code": code}), ("/api/check", {"source": "x" * 1_000_000})):
            counts[f"{path} answered"] += await asyncio.to_thread(_is_answered, address + path, body)
        await asyncio.sleep(0.2)


def _is_answered(url: str, body: dict[str, Any]) -> bool:
    try:
        with urlopen(Request(url, json.dumps(body).encode()), timeout=20):
            return True
    except (HTTPError, OSError):
        return False


async def _attack(address: str, host: str, number: int, seed: int) -> Counts:
    dice, counts = random.Random(seed), Counter[str]()
    tables = [ScriptedTable(address, host, "hearts", dice, Figures()) for _ in range(TABLES)]
    for table in tables:
        await table.sit()
        for seat in table.seats:
            await seat.socket.close()
    others = asyncio.create_task(_others(address, tables[0], dice, counts))
    await asyncio.gather(*(_nonsense(table, at, dice, counts, number) for table in tables for at in range(4)))
    others.cancel()
    return counts


def attack(address: str, host: str, number: int, seed: int, ends: Any) -> None:
    """All that the hostile ones do, until they have said so much nonsense. ends: is told what came of it."""
    ends.put(dict(asyncio.run(_attack(address, host, number, seed))))


async def under_attack(address: str, host: str, number: int, measure: Any) -> dict[str, int]:
    """Measure again and again while the hostile ones are there; what they did. measure: awaits one measurement."""
    spawn = multiprocessing.get_context("spawn")
    ends = spawn.Queue()
    process = spawn.Process(target=attack, args=(address, host, number, 1, ends))
    process.start()
    begun = time.monotonic()
    await asyncio.sleep(5)  # until they sit
    while process.is_alive() and ends.empty():
        await measure()
    found: dict[str, int] = await asyncio.to_thread(ends.get)
    process.join()
    return {**found, "seconds": round(time.monotonic() - begun)}
