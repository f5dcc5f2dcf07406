"""Two servers on one PostgreSQL: whatever becomes of one, its tables go on at the other, and nothing is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from conftest import Postgres  # type: ignore[attr-defined]

from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.leases import Sharing
from interpreter.interfaces.host.store import Store
from tests.load.server import Server
from tests.load.steadfast import Table, opened

WITHIN = 10.0
"""Seconds in which a table has to go on."""
Trouble = Callable[[Server, "Wire"], Awaitable[None]]


class Wire:
    """What leads from a server to its database, and can be cut."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._is_cut = False
        self._open: set[asyncio.StreamWriter] = set()

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[int]:
        """The port at which it begins."""
        server = await asyncio.start_server(self._leads, "127.0.0.1", 0)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            self.cut()
            server.close()

    def cut(self) -> None:
        self._is_cut = True
        for writer in list(self._open):
            writer.transport.abort()

    def mend(self) -> None:
        self._is_cut = False

    async def _leads(self, here: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        if self._is_cut:
            back.transport.abort()
            return
        there, on = await asyncio.open_connection("127.0.0.1", self._to)
        self._open |= {back, on}

        async def flows(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            try:
                while found := await source.read(65_536):
                    sink.write(found)
            except OSError:
                pass
            finally:
                sink.close()
                self._open.discard(sink)

        await asyncio.gather(flows(here, on), flows(there, back))


async def killed(server: Server, wire: Wire) -> None:
    server.process.kill()
    await asyncio.sleep(10)


async def standing_still(server: Server, wire: Wire) -> None:
    os.kill(server.process.pid, signal.SIGSTOP)
    await asyncio.sleep(15)
    os.kill(server.process.pid, signal.SIGCONT)
    await asyncio.sleep(2)


async def cut_off(server: Server, wire: Wire) -> None:
    wire.cut()
    await asyncio.sleep(11)
    wire.mend()
    await asyncio.sleep(2)


async def ended(server: Server, wire: Wire) -> None:
    server.process.terminate()
    await asyncio.sleep(3)


def faults(postgres: Postgres, database: str, tables: list[Table]) -> list[str]:
    """What was answered and is lost, and what was played twice."""
    store = Store(postgres.url(database), sharing=Sharing(""))
    wrong = []
    for table in tables:
        events = store.events(table.name)
        assert [n for n, _ in events] == list(range(1, len(events) + 1)), "no event is left out"
        moved = Counter((event.seat, event.id) for _, event in events if isinstance(event, e.Moved))
        lost = [(seat, name) for _, seat, name in table.done if not moved[seat, name]]
        wrong += [f"{name} of seat {seat} was answered and lost" for seat, name in lost]
        wrong += [f"{name} was played {count} times" for name, count in moved.items() if count > 1]
    store.stop()
    return wrong


async def scene(postgres: Postgres, folder: Path, trouble: Trouble) -> tuple[list[Table], float]:
    """Play at two servers while one has trouble; the tables, and for how long one of them stood still."""
    wire, database = Wire(postgres.port), trouble.__name__
    postgres.create(database)
    async with wire.laid() as port:
        servers = [Server(folder, "--database", postgres.url(database, at)) for at in (port, None)]
        try:
            for server in servers:
                await asyncio.to_thread(server.start)
            addresses = [server.address for server in servers]
            tables = [await opened(addresses, at % 2, servers[at % 2].secret) for at in range(4)]
            until = time.monotonic() + 60
            playing = [asyncio.create_task(table.play(until)) for table in tables]
            await asyncio.sleep(2)
            begun = time.monotonic()
            await trouble(servers[0], wire)
            ended = time.monotonic()
            await asyncio.sleep(0.5)
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            return tables, max(table.longest_wait(begun, ended) for table in tables)
        finally:
            for server in servers:
                server.stop(kill=True)


@pytest.mark.parametrize(
    ("trouble", "within"), [(killed, WITHIN), (standing_still, WITHIN), (cut_off, WITHIN), (ended, 2.5)]
)
def test_tables_go_on_at_the_other_server_and_nothing_is_lost_or_played_twice(
    postgres: Postgres, tmp_path: Path, trouble: Trouble, within: float
) -> None:
    tables, stood = asyncio.run(scene(postgres, tmp_path, trouble))
    assert faults(postgres, trouble.__name__, tables) == []
    assert all(len(table.done) > 20 for table in tables)
    print(f"{trouble.__name__}: a table stood still for {stood:.1f} s")
    assert stood < within
