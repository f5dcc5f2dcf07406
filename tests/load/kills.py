"""Ends a server without warning while people play, and looks whether anything was lost, doubled or stuck."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from interpreter.interfaces.host import table_events as e
from tests.load.clients import Figures, ScriptedTable
from tests.load.dying import POINTS
from tests.load.server import Server


def events_of(folder: Path, table: str) -> list[e.AnyEvent]:
    """What is stored of a table."""
    with contextlib.closing(sqlite3.connect(folder / "tables.db")) as database:
        rows = database.execute("select n, body from events where table_id = ? order by n", (table,)).fetchall()
    assert [n for n, _ in rows] == list(range(1, len(rows) + 1)), "no event is left out"
    return [e.decode(body) for _, body in rows]


async def kill(server: Server, tables: list[ScriptedTable], seconds: float | None) -> list[str]:
    """Play for a while, end the server at once, and start it again; what is wrong then. seconds: None if the server
    ends by itself."""
    playing = [asyncio.create_task(table.play(time.monotonic() + 60)) for table in tables]
    if seconds is None:
        await asyncio.to_thread(server.process.wait, 60)
    else:
        await asyncio.sleep(seconds)
    server.stop(kill=True)
    for found in await asyncio.gather(*playing, return_exceptions=True):
        if isinstance(found, BaseException) and not isinstance(found, ConnectionClosed):
            raise found
    wrong: list[str] = []
    for table in tables:
        moved = Counter(
            (event.seat, event.id) for event in events_of(server.folder, table.name) if isinstance(event, e.Moved)
        )
        wrong += [
            f"{table.name}: move {name} of seat {seat} was answered and lost"
            for seat, name in table.acknowledged
            if not moved[seat, name]
        ]
        wrong += [f"{table.name}: {name} was played {count} times" for name, count in moved.items() if count > 1]
    server.program = ["interpreter"]
    await asyncio.to_thread(server.start)
    go_on = await asyncio.gather(*(goes_on(server, table) for table in tables))
    return wrong + [
        f"{table.name}: the match is stuck" for table, is_fine in zip(tables, go_on, strict=True) if not is_fine
    ]


async def goes_on(server: Server, table: ScriptedTable) -> bool:
    """Come back to a table, as all do at once, and play on; whether that is possible."""
    await table.come_back(server.address)
    before = len(table.acknowledged)
    until = time.monotonic() + 10
    while len(table.acknowledged) < before + 4 and time.monotonic() < until:
        await table.play(time.monotonic() + 0.05)
    return len(table.acknowledged) >= before + 4


async def kills(server: Server, number: int, tables: int, seed: int = 1) -> list[str]:
    """End the server so often at random moments; what was wrong."""
    dice, figures, wrong = random.Random(seed), Figures(), []
    scripted = [ScriptedTable(server.address, server.secret, "hearts", dice, figures) for _ in range(tables)]
    for table in scripted:
        await table.sit()
    for _ in range(number):
        wrong += await kill(server, scripted, 0.2 + dice.random() * 0.6)
    for table in scripted:
        await table.close()
    return wrong


async def kills_between(server: Server, number: int, points: Sequence[str] = POINTS, seed: int = 1) -> list[str]:
    """Have the server end itself so often at each point between a move's coming and its answer; what was wrong."""
    dice, figures, wrong = random.Random(seed), Figures(), []
    table = ScriptedTable(server.address, server.secret, "hearts", dice, figures)
    await table.sit()
    await table.play(time.monotonic() + 0.5)
    for point in points:
        for _ in range(number):
            server.stop()
            server.program = ["tests.load.dying", point, str(dice.randrange(1, 12))]
            await asyncio.to_thread(server.start)
            await table.come_back(server.address)
            wrong += [f"{point}: {found}" for found in await kill(server, [table], None)]
    await table.close()
    return wrong
