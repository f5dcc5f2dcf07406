"""What a server keeps of what is over: nothing that waits until all of its memory is looked through."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from weakref import WeakSet

import pytest
from house import a_house

from interpreter.interfaces.host import circles, serving
from interpreter.interfaces.host.open_socket import OpenSocket
from interpreter.interfaces.host.service import Service


@pytest.fixture
def uncollected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> WeakSet[OpenSocket]:
    """The sockets that are kept by anything."""
    found: WeakSet[OpenSocket] = WeakSet()
    begin = OpenSocket.__init__

    def begun(self: OpenSocket, *args: Any, **more: Any) -> None:
        begin(self, *args, **more)
        found.add(self)

    monkeypatch.setattr(OpenSocket, "__init__", begun)
    return found


def test_a_closed_socket_is_gone_without_a_search_for_circles(tmp_path, uncollected, there):
    async def scene() -> None:
        async with a_house(tmp_path) as house:
            people = await house.table_of(4)
            open_ones = len(there)
            for person in people:
                await person.close()
            for _ in range(200):
                if not there:
                    break
                await asyncio.sleep(0.01)
            assert (open_ones, len(there)) == (4, 0)

    asyncio.run(scene())


class Swept:
    """A service at which one table has left, and a store that rests when it is told to."""

    def __init__(self) -> None:
        self.store: Any = SimpleNamespace(rests=False)

    async def leave_idle(self) -> int:
        return 1


def test_all_is_looked_through_when_nobody_waits_after_tables_have_left(monkeypatch):
    found: list[str] = []
    seconds = 0

    async def second(_: float) -> None:
        nonlocal seconds
        seconds += 1
        if seconds == 90:
            service.store.rests = True
        if seconds == 100:
            raise asyncio.CancelledError

    service: Service = Swept()  # type: ignore[assignment]
    monkeypatch.setattr(serving.asyncio, "sleep", second)
    monkeypatch.setattr(circles, "end", lambda: found.append(f"after {seconds}"))
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(serving.sweep(service))
    assert found == ["after 90"]
