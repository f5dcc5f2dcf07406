"""Whatever was stored when a server died, its tables go on: no event leaves a table waiting for one that was lost."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from house import PATIENCE, House, Person, agreed, play_on, run

from interpreter.engine import taking_back
from interpreter.engine.learned import Answer
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.store import Store
from interpreter.interfaces.host.table_state import TableState

PEOPLE = 2


def an_evening(folder: Path) -> tuple[list[dict[str, Any]], str, list[e.AnyEvent]]:
    """A match in which a move is taken back, and the beginning of a second one; the links, the table and all that has
    happened there."""
    links: list[dict[str, Any]] = []
    events: list[e.AnyEvent] = []

    async def scene(house: House) -> None:
        people = anna, ben = await house.table_of(PEOPLE, "crazy-eights", players=3, options={"target_score": 0})
        while not any(heard["type"] == "done" for heard in anna.heard):  # Ben may draw again and again at first
            await play_on(people, 4)
        await agreed(anna, ben, "undo")
        await anna.until(lambda: any(line[1].startswith("Anna has taken") for line in anna.lines))
        for person in people:
            await person.settled()
        await play_on(people, 3_000)
        await anna.until(lambda: anna.table["state"] == "over")
        await agreed(anna, ben, "rematch")
        await anna.until(lambda: anna.table.get("match") == 2)
        links.extend(person.links for person in people)
        await anna.settled()
        events.extend(event for _, event in house.service.store.events(anna.links["table"]))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(taking_back, "answer", lambda *_: Answer(""))  # whatever was drawn in this match
        run(scene, folder)
    return links, links[0]["table"], events


async def goes_on(people: list[Person]) -> None:
    """Let people do what is to be done until a move is made."""
    made: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def does(person: Person) -> None:
        said: set[str] = set()

        async def once(key: str, **message: Any) -> None:
            if key not in said:
                said.add(key)
                await person.say(**message)

        while True:
            await person.hear()
            if person.heard[-1]["type"] == "done" and not made.done():
                made.set_result(None)
            table, mine = person.table, person.ask
            match table["state"], table.get("proposal"):
                case "lobby", _ if person.me == 0:
                    await once("start", type="order", what="start")
                case _, {"open": open_, "what": what} if person.me in open_:
                    await once(what, type="vote", yes=True)
                case "over", None if person.me == 0:
                    await once("rematch", type="propose", what="rematch")
            if table["state"] == "playing" and mine and person.offers():
                await once(f"move {mine['n']}", type="move", id=f"m{mine['n']}", move=person.offers()[0], ask=mine["n"])

    at_work = [asyncio.create_task(does(person)) for person in people]
    try:
        async with asyncio.timeout(PATIENCE / 4):
            await asyncio.wait([made, *at_work], return_when=asyncio.FIRST_COMPLETED)
            assert made.done(), [task.result() for task in at_work if task.done()]
    finally:
        for task in at_work:
            task.cancel()
        await asyncio.gather(*at_work, return_exceptions=True)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("evening")
    return folder, *an_evening(folder)


@pytest.mark.parametrize("last", [e.BotSat, e.Begun, e.Proposed, e.Voted, e.Undone, "before Ended", e.Ended])
def test_a_table_goes_on_after_any_event_that_was_the_last_one_stored(evening: Any, last: Any, tmp_path: Path) -> None:
    folder, links, table, events = evening
    cuts = [at for at, event in enumerate(events, 1) if last == "before Ended" or isinstance(event, last)]
    if last == "before Ended":
        cuts = [at for at in cuts[:-1] if isinstance(events[at], e.Ended)]
    assert cuts
    for cut in cuts:
        kept = tmp_path / "tables.db"
        with closing(sqlite3.connect(folder / "tables.db")) as whole, closing(sqlite3.connect(kept)) as part:
            whole.backup(part)
            part.execute("delete from events where table_id = ? and n > ?", (table, cut))
            part.commit()

        async def scene(house: House) -> None:
            people = [await house.come(one) for one in links]
            await goes_on(people)
            for person in people:
                await person.settled()

        run(scene, tmp_path)


def test_a_table_comes_back_without_what_was_played_before_its_last_match(evening: Any) -> None:
    folder, _, table, events = evening
    store = Store(f"sqlite:///{folder / 'tables.db'}")
    _, read = store.take(table)
    store.stop()
    last = max(at for at, event in enumerate(events) if isinstance(event, e.Begun))
    assert [n for n, _ in read] == list(range(1, len(events) + 1))
    assert [event for _, event in read[last:]] == events[last:]
    moved = [event for event in events[:last] if isinstance(event, e.Moved)]
    kept = [event for _, event in read[:last] if isinstance(event, e.Moved)]
    assert any(event.made.moves for event in moved) and not any(event.made.moves for event in kept)
    rows = [(n, e.encode(event)) for n, event in enumerate(events, 1)]
    for stored in range(1, len(rows) + 1):
        whole, found = TableState(events[0]), TableState(events[0])
        for event in events[1:stored]:
            whole.apply(event)
        for _, event in e.decode_table(rows[:stored])[1:]:
            found.apply(event)
        assert found == whole, "it is as if all had been read"
