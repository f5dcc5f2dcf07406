"""A queue with one reader, and a flag."""

from __future__ import annotations

import asyncio

import pytest

from interpreter.interfaces.host.inbox import Flag, Inbox


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


def test_a_flag_is_waited_for_by_several_and_holds_at_first() -> None:
    async def waits() -> list[str]:
        flag, told = Flag(), list[str]()
        assert flag.is_set() and await flag.wait()
        flag.clear()
        flag.clear()
        assert not flag.is_set()

        async def one(name: str) -> None:
            await flag.wait()
            told.append(name)

        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(flag.wait(), 0.01)
        tasks = [asyncio.create_task(one(name)) for name in ("Anna", "Ben")]
        await asyncio.sleep(0.01)
        assert told == [], "who has given up has let nobody go on"
        flag.set()
        flag.set()
        await asyncio.gather(*tasks)
        return told

    assert asyncio.run(waits()) == ["Anna", "Ben"]
