"""What is ready to be told waits for no pass of the loop, and keeps its order."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from house import House, run

from interpreter.interfaces.host.deliveries import Deliveries, Outbox


def from_thread(deliveries: Deliveries, *what: object) -> None:
    thread = threading.Thread(target=lambda: [deliveries.put(one) for one in what])  # type: ignore[arg-type]
    thread.start()
    thread.join()


def test_what_a_thread_has_finished_is_told_at_once_in_its_order_and_once() -> None:
    async def scene() -> None:
        deliveries, told = Deliveries(), list[str]()
        deliveries.start(asyncio.get_running_loop())
        deliveries.then = lambda: told.append("sent")
        from_thread(deliveries, lambda: told.append("one"), lambda: told.append("two"))
        assert told == []
        deliveries.deliver()  # within the same pass of the loop
        assert told == ["one", "two", "sent"]
        await asyncio.sleep(0.01)
        assert told == ["one", "two", "sent"]
        from_thread(deliveries, lambda: told.append("three"))
        await asyncio.sleep(0.01)
        assert told[3:] == ["three", "sent"], "without anybody's help it is told in the next pass"

    asyncio.run(scene())


def test_what_cannot_be_told_keeps_nothing_else_from_being_told() -> None:
    async def scene() -> None:
        deliveries, outbox, told = Deliveries(), Outbox(), list[str]()
        deliveries.start(asyncio.get_running_loop())
        deliveries.then = outbox.flush
        outbox.put(lambda: [][0])
        outbox.put(lambda: told.append("page"))
        from_thread(deliveries, lambda: [][0], lambda: told.append("event"))
        deliveries.deliver()
        assert told == ["event", "page"]

    asyncio.run(scene())


def test_an_outbox_sends_in_a_moment_or_when_it_is_asked_to() -> None:
    async def scene() -> None:
        outbox, told = Outbox(), list[str]()
        outbox.put(lambda: told.append("one"))
        outbox.put(lambda: told.append("two"))
        assert told == []
        await asyncio.sleep(0)
        assert told == ["one", "two"]
        outbox.put(lambda: told.append("three"))
        outbox.flush()
        assert told[2:] == ["three"]
        outbox.put(lambda: told.append("four"))
        await asyncio.sleep(0)
        assert told[3:] == ["four"]

    asyncio.run(scene())


def test_a_table_tells_between_two_moves_what_is_stored(tmp_path: Path) -> None:
    """A pass of the loop may serve many tables; what has been stored meanwhile goes out before it ends."""

    async def scene(house: House) -> None:
        tables, told = [], list[str]()
        for _ in range(2):
            people = await house.table_of(2, "crazy-eights", players=2)
            for person in people:
                await person.settled()
            table = house.service.at_hand(people[0].links["table"])
            assert table is not None
            tables.append(table)

        async def first() -> None:
            from_thread(house.service.store._told, lambda: told.append("stored"))

        async def second() -> None:
            told.append("move at another table")

        tables[0].put(first)
        tables[1].put(second)
        await asyncio.sleep(0.05)
        assert told == ["stored", "move at another table"]

    run(scene, tmp_path)
