"""Plays many tables at once at a server of its own and prints what it took.

`python -m tests.load --tables 200 --rates 500,1000,0 --seconds 20`; a rate of 0 is as much as the server takes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.load.beside import beside
from tests.load.clients import Figures, ScriptedTable, Seat
from tests.load.contests import contests
from tests.load.dying import POINTS
from tests.load.hostile import under_attack
from tests.load.kills import kills, kills_between
from tests.load.server import Server

NewTable = Callable[[], ScriptedTable]
Ready = asyncio.Queue[tuple[ScriptedTable, Seat, str]]
"""Moves that somebody could make: whose, and which."""


async def paced(ready: Ready, rate: float, until: float) -> None:
    """Send moves that are ready, so many a second."""
    begun, sent = time.monotonic(), 0
    while time.monotonic() < until:
        due = int((time.monotonic() - begun) * rate)
        while sent < due:
            try:
                table, seat, move = ready.get_nowait()
            except asyncio.QueueEmpty:
                sent = due
                break
            await table.send(seat, move)
            sent += 1
        await asyncio.sleep(0.001)


async def come_and_go(
    tables: list[ScriptedTable], new: NewTable, rate: float, ready: Ready | None, until: float
) -> int:
    """Open so many new tables a second, each in the place of the one that is there for longest; how many that were."""
    plays, begun, opened = [], time.monotonic(), 0
    while (due := begun + (opened + 1) / rate) < until:
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        table = new()
        await table.sit()
        table.ready = ready
        tables.append(table)
        plays.append(asyncio.create_task(table.play(until)))
        await tables.pop(0).close()
        opened += 1
    await asyncio.gather(*plays)
    return opened


async def measure(
    server: Server, tables: list[ScriptedTable], new: NewTable, figures: Figures, rate: float, options: Any
) -> None:
    """Play for some seconds and print what was measured. rate: moves a second; 0 for as many as can be."""
    figures.answers.clear()
    figures.news.clear()
    figures.moves = figures.bytes = 0
    used, begun = server.seconds, time.monotonic()
    until = begun + options.seconds
    work: list[Any] = [table.play(until) for table in tables]
    ready: Ready | None = asyncio.Queue() if rate else None
    for table in tables:
        table.ready = ready
        await table.nudge()
    if ready is not None:
        work.append(paced(ready, rate, until))
    if options.new:
        work.append(come_and_go(tables, new, options.new, ready, until))
    *_, last = await asyncio.gather(*work)
    opened = last if options.new else 0
    took = time.monotonic() - begun
    cost = (server.seconds - used) / max(1, figures.moves) * 1e6
    told = {
        "offered": rate or "all", "new tables/s": round(opened / took, 1), "moves/s": round(figures.moves / took),
        "core-us/move": round(cost),
        "bytes/move": round(figures.bytes / max(1, figures.moves)), "refused": figures.refused,
    }  # fmt: skip
    for name, found in (("done", figures.answers), ("all seats", figures.news)):
        if len(found) > 20:
            cuts = statistics.quantiles(found, n=100)
            told |= {f"{name} p50 ms": round(cuts[49] * 1e3, 1), f"{name} p95 ms": round(cuts[94] * 1e3, 1)}
    print(json.dumps(told), flush=True)


async def load(server: Server, options: argparse.Namespace) -> None:
    figures, dice = Figures(), random.Random(1)

    def new() -> ScriptedTable:
        return ScriptedTable(server.address, server.secret, options.game, dice, figures)

    first = new()
    await first.sit()  # what all tables share is there, then
    await first.play(time.monotonic() + 0.3)
    before = server.kilobytes
    tables = [new() for _ in range(options.tables)]
    begun = time.monotonic()
    for at in range(0, len(tables), 10):
        await asyncio.gather(*(table.sit() for table in tables[at : at + 10]))
    each = (server.kilobytes - before) / len(tables)
    print(f"{len(tables)} tables opened in {time.monotonic() - begun:.1f} s, of {each:.0f} KB each", flush=True)
    for rate in options.rates.split(","):
        await measure(server, tables, new, figures, float(rate), options)
    if options.hostile:
        rate = float(options.rates.split(",")[0])
        done = await under_attack(
            server.address, server.secret, options.hostile,
            lambda: measure(server, tables, new, figures, rate, options),
        )  # fmt: skip
        print(json.dumps(done), flush=True)
        await measure(server, tables, new, figures, rate, options)
    if not options.new:  # else there are those, too, which have just been left
        each, played = (server.kilobytes - before) / len(tables), sum(len(table.acknowledged) for table in tables)
        print(f"{each:.0f} KB a table with its sockets at move {played // len(tables)}", flush=True)
    for table in (first, *tables):
        await table.close()


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--tables", type=int, default=200)
    arguments.add_argument("--new", type=float, default=5, help="tables a second that are opened meanwhile")
    arguments.add_argument("--seconds", type=float, default=20)
    arguments.add_argument("--rates", default="500,1000,0")
    arguments.add_argument("--game", default="hearts")
    arguments.add_argument("--kills", type=int, default=0, help="end the server so often instead")
    arguments.add_argument("--kills-between", type=int, default=0, help="so often at each point of a move instead")
    arguments.add_argument("--hostile", type=int, default=0, help="so many messages of nonsense at the end, meanwhile")
    arguments.add_argument("--contests", type=int, default=0, help="play so many contests of races instead")
    arguments.add_argument("--shares", action="store_true", help="tell what the server spends its time with, too")
    arguments.add_argument("--beside", action="store_true", help="measure boardgame.io afterwards, which npm fetches")
    options = arguments.parse_args()
    if options.contests:
        sys.exit(bool(contests(options.contests)))
    with tempfile.TemporaryDirectory() as folder:
        shares = Path(folder) / "shares.json"
        server = Server(Path(folder))
        if options.shares:
            server.program = ["tests.load.sampled", str(shares)]
        server.start()
        try:
            if options.kills:
                wrong = asyncio.run(kills(server, options.kills, min(options.tables, 20)))
                print("\n".join(wrong) or f"{options.kills} kills: nothing lost, nothing played twice, nothing stuck")
                sys.exit(bool(wrong))
            if number := options.kills_between:
                wrong = asyncio.run(kills_between(server, number))
                fine = f"{number} kills each when a move is {', '.join(POINTS)}"
                print("\n".join(wrong) or f"{fine}: nothing lost, nothing played twice, nothing stuck")
                sys.exit(bool(wrong))
            asyncio.run(load(server, options))
        finally:
            server.stop()
        if options.shares:
            found = json.loads(shares.read_text())
            print(json.dumps({part: f"{share / sum(found.values()):.0%}" for part, share in sorted(found.items())}))
    if options.beside:
        beside(options.tables, options.seconds)


if __name__ == "__main__":
    main()
