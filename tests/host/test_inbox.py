"""A queue with one reader."""

from __future__ import annotations

import asyncio

import pytest

from interpreter.interfaces.host.inbox import Inbox


def test_what_is_put_in_comes_out_in_order_and_is_waited_for() -> None:
    async def reads() -> list[int]:
        inbox: Inbox[int] = Inbox()
        inbox.put_nowait(1)
        inbox.put_nowait(2)
        assert len(inbox) == 2 and not inbox.empty()
        found = [await inbox.get(), await inbox.get()]
        asyncio.get_running_loop().call_later(0.01, inbox.put_nowait, 3)
        assert inbox.empty()
        return [*found, await inbox.get()]

    assert asyncio.run(reads()) == [1, 2, 3]


def test_who_gives_up_waiting_takes_nothing() -> None:
    async def reads() -> int:
        inbox: Inbox[int] = Inbox()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(inbox.get(), 0.01)
        inbox.put_nowait(1)
        inbox.put_nowait(2)
        return await inbox.get()

    assert asyncio.run(reads()) == 1


def test_who_comes_when_another_gives_up_is_not_forgotten() -> None:
    async def reads() -> int:
        inbox: Inbox[int] = Inbox()
        first = asyncio.create_task(inbox.get())
        await asyncio.sleep(0)
        first.cancel()
        second = asyncio.create_task(inbox.get())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        inbox.put_nowait(1)
        return await asyncio.wait_for(second, 1)

    assert asyncio.run(reads()) == 1
