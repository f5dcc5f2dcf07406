"""Several servers on one machine that listen at one port and share one database."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

CHECK = 1.0
"""Seconds between two looks at whether all are there."""
ENDING = 5.0
"""Seconds that they have to end."""


Until = Callable[[Callable[[], None]], Awaitable[None]]
"""Stops a server, by what it is given, when something has come about."""


async def lead(workers: int, serve: Callable[[int, Until], None]) -> None:
    """Have servers serve until this program is stopped; one that dies is replaced.

    serve: what each of them does, in a process of its own, with its number.
    """
    spawn = multiprocessing.get_context("spawn")  # a loop and its threads cannot be forked
    os.environ["PYTHONSAFEPATH"] = "1"  # a new process would import what lies in the folder in which it begins

    def begins(number: int) -> SpawnProcess:
        process = spawn.Process(target=_work, args=(serve, number), name=f"server {number}")
        process.start()
        return process

    stopped = asyncio.Event()
    with contextlib.suppress(NotImplementedError):  # on Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    servers = [begins(number) for number in range(workers)]
    try:
        while not stopped.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CHECK):
                    await stopped.wait()
            for number, worker in enumerate(servers):
                if not worker.is_alive() and not stopped.is_set():
                    worker.close()
                    servers[number] = begins(number)
    finally:
        for worker in servers:
            worker.terminate()
        for worker in servers:
            worker.join(ENDING)
            if worker.is_alive():
                worker.kill()


def _work(serve: Callable[[int, Until], None], number: int) -> None:
    """Serve in this process."""
    from interpreter.interfaces.host.database import StoreError

    with contextlib.suppress(KeyboardInterrupt):
        try:
            serve(number, _orphaned)
        except (StoreError, OSError) as error:
            raise SystemExit(f"server {number}: {error}") from None


async def _orphaned(stop: Callable[[], None]) -> None:
    """Stop when the program that has begun this one is gone."""
    leader = multiprocessing.parent_process()
    while leader is not None and leader.is_alive():
        await asyncio.sleep(CHECK)
    stop()
