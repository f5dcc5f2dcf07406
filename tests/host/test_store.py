"""Nothing that was answered is lost, nothing is done twice, whatever ends the server and whenever."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from house import House, Person, play_on, run
from synced import Synced

from interpreter.interfaces.host import database
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.database import HELD, StoreError
from interpreter.interfaces.host.leases import Hold
from interpreter.interfaces.host.store import Store
from tests.load.kills import kills
from tests.load.server import Server


def test_a_server_that_is_killed_while_people_play_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        assert asyncio.run(kills(server, 2, 2)) == []
    finally:
        server.stop()


class Lost(Store):
    """A store of a server that dies: nothing is answered any more, and perhaps nothing stored."""

    dies = ""

    def put(self, table: str, n: int, event: e.AnyEvent, done: Callable[[], None]) -> None:
        if self.dies != "before":
            super().put(table, n, event, done if not self.dies else lambda: None)


@pytest.mark.parametrize("dies", ["before", "after"])
def test_a_move_that_was_not_answered_is_made_once_whether_the_server_dies_before_or_after_it_is_stored(
    tmp_path: Path, dies: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("house.Store", Lost)
    asked: list[tuple[Person, str, int]] = []

    async def plays(house: House) -> None:
        people = await house.table_of(4)
        await play_on(people, 8)
        for person in people:
            await person.settled()
        person = next(person for person in people if person.offers())
        house.service.store.dies = dies  # type: ignore[attr-defined]
        asked.append((person, person.offers()[0], person.ask["n"]))
        await person.say(type="move", id="the-one", move=person.offers()[0], ask=person.ask["n"])
        await asyncio.sleep(0.2)
        assert not any(message.get("id") == "the-one" for message in person.heard)

    async def again(house: House) -> None:
        (person, text, number), *_ = asked
        back = await house.come(person.links)
        await back.welcome()
        answer = await back.move(text, "the-one", ask=number)
        if dies == "after":
            assert answer["type"] == "done"
        else:
            assert answer["type"] == "refused" and answer["stale"], "it answers what was asked before the end"
            assert (await back.move(text))["type"] == "done"
        table = house.service.at_hand(person.links["table"])
        assert table is not None
        assert sum(move[1:3] == (person.me, text) for move in table.state.moves) == 1

    run(plays, tmp_path)
    run(again, tmp_path)


def test_while_nothing_can_be_stored_nothing_is_answered_and_then_all_of_it(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "crazy-eights", players=2)
        for person in (anna, ben):
            await person.settled()
        person = anna if anna.offers() else ben
        with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as other:
            other.execute("begin exclusive")  # as if the disk were gone
            begun = time.monotonic()
            await person.say(type="move", id="m", move=person.offers()[0], ask=person.ask["n"])
            await person.until(lambda: bool(person.table.get("waiting")))
            assert not any(message.get("id") == "m" for message in person.heard)
            other.execute("commit")
        await person.until(lambda: person.heard[-1].get("id") == "m")
        await person.until(lambda: not person.table.get("waiting"))
        assert time.monotonic() - begun < 15

    run(scene, tmp_path, patience=0.1)


class Stalls(Store):
    """A store that takes nothing any more once a match has ended, until it is told otherwise."""

    stalls = False

    def put(self, table: Hold, n: int, event: e.AnyEvent, done: Callable[[], None]) -> None:
        self.stalls = self.stalls or isinstance(event, e.Ended)
        super().put(table, n, event, done)

    def _insert(self, *given: Any) -> None:
        if self.stalls:
            raise sqlite3.OperationalError("there is no room")
        super()._insert(*given)


def test_that_a_match_is_over_is_told_to_nobody_and_it_is_not_shown_before_that_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("house.Store", Stalls)

    async def scene(house: House) -> None:
        people = anna, _ = await house.table_of(2, "crazy-eights", players=2, options={"target_score": 0})
        path, asked = f"/api/tables/{anna.links['table']}", {"watch": anna.links["watch"]}
        looking = await house.come(anna.links, anna.links["watch"])
        playing = asyncio.create_task(play_on(people, 3_000))
        await looking.until(lambda: bool(looking.table.get("waiting")))
        late = await house.come(anna.links, anna.links["watch"])  # all are told of it once everything is stored
        async with house.client() as client:
            shown = [await client.post(f"{path}/{what}", json=asked) for what in ("replay", "record", "house-rules")]
            assert [(answer.status_code, answer.json().get("why")) for answer in shown] == [(409, "early")] * 3
            assert looking.table["state"] == "playing"
            house.service.store.stalls = False  # type: ignore[attr-defined]
            await late.welcome()
            for person in (looking, late):
                await person.until(lambda person=person: person.table["state"] == "over")  # type: ignore[misc]
                await person.settled()
                assert not person.table.get("waiting")
            shown = [await client.post(f"{path}/{what}", json=asked) for what in ("replay", "record", "house-rules")]
            assert [answer.status_code for answer in shown] == [200] * 3
        await playing

    run(scene, tmp_path)


def test_a_machine_that_loses_what_was_not_synced_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    answered: list[set[tuple[int | None, str]]] = []
    stored: list[Path] = []

    async def scene(house: House) -> None:
        people = await house.table_of(4)
        for again in range(4):
            await play_on(people, 12, seed=again)
            for person in people:
                await person.settled()
            done = {
                (person.me, message["id"]) for person in people for message in person.heard if message["type"] == "done"
            }
            answered.append(done)  # before it is looked at what is stored
            stored.append(tmp_path / str(again))
            stored[-1].mkdir()
            synced.write_to(stored[-1])
        assert {path.name for path in stored[-1].iterdir()} >= {"tables.db", "tables.db-wal"}

    with Synced().watched() as synced:
        run(scene, tmp_path)
    assert len(answered[-1]) > 40
    for done, folder in zip(answered, stored, strict=True):
        store = Store(f"sqlite:///{folder / 'tables.db'}")
        ((table, _),) = store.opened()
        moved = {(event.seat, event.id) for _, event in store.events(table) if isinstance(event, e.Moved)}
        store.stop()
        assert done <= moved


def test_a_table_that_is_damaged_keeps_no_other_from_going_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scene(house: House) -> None:
        await house.open()

    run(scene, tmp_path)
    file = tmp_path / "tables.db"
    with closing(sqlite3.connect(file)) as database, database:
        for number, body in enumerate((b"\0garbage", b'{"type": "of a newer version"}')):
            database.execute("insert into events values (?, 1, ?, ?)", (f"bad {number}", time.time(), body))
    store = Store(f"sqlite:///{file}")
    assert len(store.opened()) == 1
    store.stop()
    assert [f"table 'bad {number}' cannot be read" in caplog.text for number in range(2)] == [True, True]


def test_a_database_that_cannot_be_used_is_told_before_anything_begins(tmp_path: Path) -> None:
    odd = [f"sqlite:///{tmp_path}/{end}" for end in ("a%00b", "x?check_same_thread=true", "x?timeout=abc", "x?mode=ro")]
    for url in ("nonsense", "sqlite:////no/such/folder/x.db", "postgresql+nothing://x", *odd):
        with pytest.raises(StoreError):
            Store(url)
    assert not [*tmp_path.iterdir()]
    (tmp_path / "broken.db").write_bytes(b"not a database" * 500)
    with pytest.raises(StoreError, match="cannot be used"):
        Store(f"sqlite:///{tmp_path / 'broken.db'}")


def test_a_database_on_a_network_drive_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    far, near = tmp_path / "far away", tmp_path / "far away" / "near"
    near.mkdir(parents=True)
    mounts = tmp_path / "mounts"
    told = [("/dev/sda", Path("/"), "ext4"), ("nas:/home", far, "nfs4"), ("tmpfs", near, "tmpfs")]
    lines = [" ".join([what, str(where).replace(" ", "\\040"), kind, "rw 0 0\n"]) for what, where, kind in told]
    mounts.write_text("".join(lines), "utf-8")
    monkeypatch.setattr(database, "MOUNTS", mounts)
    with pytest.raises(StoreError, match=r"network drive \(nfs4\).*--database"):
        Store(f"sqlite:///{far / 'tables.db'}")
    for folder in (near, tmp_path):
        Store(f"sqlite:///{folder / 'tables.db'}").stop()


def test_when_the_disk_is_full_the_table_says_so_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "crazy-eights", players=2)
        for person in (anna, ben):
            await person.settled()
        person = anna if anna.offers() else ben
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        largest = max(path.stat().st_size for path in tmp_path.iterdir())
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, limits[1]))  # the log of the database cannot grow
        try:
            await person.say(type="move", id="m", move=person.offers()[0], ask=person.ask["n"])
            await person.until(lambda: bool(person.table.get("waiting")))
            assert not any(message.get("id") == "m" for message in person.heard)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        await person.until(lambda: any(message.get("id") == "m" for message in person.heard))
        await person.until(lambda: not person.table.get("waiting"))

    run(scene, tmp_path)


def test_a_database_of_another_version_is_not_touched(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    Store(url).stop()
    with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as database:
        database.execute("update about set version = 99")
    with pytest.raises(StoreError, match="version 99"):
        Store(url)


def test_nobody_else_on_the_machine_reads_the_database(tmp_path: Path) -> None:
    for _ in ("new", "as a server before left it"):
        Store(f"sqlite:///{tmp_path / 'tables.db'}").stop()
        assert (tmp_path / "tables.db").stat().st_mode & 0o077 == 0
        (tmp_path / "tables.db").chmod(0o644)


def test_a_secret_is_answered_once_its_seat_is_stored(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as other:
            other.execute("begin exclusive")
            sits = asyncio.create_task(house.sit(links, "Ben"))
            await asyncio.sleep(0.3)
            assert not sits.done()
            other.execute("commit")
        assert (await sits)["secret"]

    run(scene, tmp_path, patience=0.1)


def test_one_server_alone_uses_a_database(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    first = Store(url)
    with pytest.raises(StoreError, match="another server uses this database"):
        Store(url)
    first.stop()
    Store(url).stop()


def test_a_link_to_a_database_is_that_database(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    (tmp_path / "link.db").symlink_to(folder / "real.db")
    (tmp_path / "linked").symlink_to(folder)
    first = Store(f"sqlite:///{folder / 'real.db'}")
    for other in ("link.db", "linked/real.db", "linked/../link.db"):
        with pytest.raises(StoreError, match="another server uses this database"):
            Store(f"sqlite:///{tmp_path / other}")
    first.stop()
    Store(f"sqlite:///{tmp_path / 'link.db'}").stop()
    (tmp_path / "loop.db").symlink_to("loop.db")
    with pytest.raises(StoreError, match="the database cannot be used"):
        Store(f"sqlite:///{tmp_path / 'loop.db'}")


@pytest.mark.skipif(sys.platform != "linux", reason="only there files are locked by what they are")
@pytest.mark.parametrize("begun", ["here", "elsewhere"])
def test_a_database_by_another_name_is_that_database(tmp_path: Path, begun: str) -> None:
    file, linked, before = tmp_path / "tables db", tmp_path / "hard.db", dict(HELD)
    url = f"sqlite:///{file}"
    Store(url).stop()
    linked.hardlink_to(file)
    names = [f"sqlite:///{linked}", f"sqlite:///file:{str(file).replace(' ', '%20')}?uri=true", f"sqlite:///{file}"]
    program = (
        "from interpreter.interfaces.host.store import Store\n"
        f"store = Store({url!r})\nprint('begun', flush=True)\ninput()\nstore.stop()\n"
    )
    if begun == "here":
        first = Store(url)
        for other in names:
            with pytest.raises(StoreError, match="another server uses this database"):
                Store(other)
        first.stop()
    else:
        with subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None and process.stdout.readline() == "begun\n"
            for other in names:
                with pytest.raises(StoreError, match="another server uses this database"):
                    Store(other)
            process.communicate("\n")
            assert process.returncode == 0
    for other in names:
        Store(other).stop()
    assert before == HELD
    assert not (Path() / "file:").exists()


def test_tables_at_which_nothing_happens_are_given_up_in_the_end(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        store = house.service.store
        assert store.clear_away(time.time() - 60) == 0
        assert store.clear_away(time.time() + 60) == 1
        assert store.events(links["table"]) == []

    run(scene, tmp_path)


def test_who_cannot_be_told_of_a_seat_in_time_finds_it_again_and_a_table_is_opened_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.interfaces.host.service.STORED_WITHIN", 1.5, raising=False)

    async def scene(house: House) -> None:
        links = await house.open()
        store, insert, stored = house.service.store, house.service.store._insert, asyncio.Event()

        def fails(*given: Any) -> None:
            if not stored.is_set():
                raise sqlite3.OperationalError("database or disk is full")
            insert(*given)

        store._insert = fails  # type: ignore[method-assign]
        path, ben = f"/api/tables/{links['table']}/seats", {"join": links["join"], "name": "Ben", "fresh": "b" * 22}
        wanted = {"game": {"source": "hearts"}, "name": "Anna"}
        async with house.client(host=True) as client:
            for asked in ((path, ben), (path, ben), ("/api/tables", wanted)):
                refused = await client.post(asked[0], json=asked[1], timeout=3)
                assert (refused.status_code, refused.json()["why"]) == (409, "busy")
            assert set(house.service._tables) == {links["table"]}, "nobody would come to the other one"
            stored.set()
            answer = await client.post(path, json=ben)
            assert answer.json() == {"seat": 1, "secret": "b" * 22}
            assert (await client.post("/api/tables", json=wanted)).status_code == 200
            other = await client.post(path, json=ben | {"fresh": "c" * 22})
            assert (other.status_code, other.json()["why"]) == (409, "name")
        anna, page = await house.come(links), await house.come(links, token="b" * 22)
        assert (await page.welcome())["me"] == 1
        await anna.say(type="order", what="start")
        await page.until(lambda: page.scene is not None)
        async with house.client() as client:
            assert (await client.post(path, json=ben)).json()["seat"] == 1, "whose answer comes late has it, too"
            assert (await client.post(path, json=ben | {"fresh": "c" * 22})).json()["why"] == "name"
            assert (await client.post(path, json=ben | {"name": "Cleo", "fresh": "c" * 22})).json()["why"] == "locked"
        assert len(store.opened()) == 2

    run(scene, tmp_path)


def test_a_seat_is_taken_under_no_secret_that_opens_something_else_at_its_table(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        async with house.client() as client:
            path, seats = f"/api/tables/{links['table']}/seats", set()
            for name, fresh in (("Ben", links["join"]), ("Cleo", links["watch"])):
                found = (await client.post(path, json={"join": links["join"], "name": name, "fresh": fresh})).json()
                assert found["secret"] != fresh
                seats.add(found["seat"])
            assert (await client.post(path, json={"join": "", "name": "Dora", "fresh": "short"})).status_code == 400
        assert seats == {1, 2}

    run(scene, tmp_path)


def test_a_table_that_was_played_at_while_the_clock_was_behind_is_kept_as_long_as_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    day, real, days = 24 * 3600.0, time.time, 0.0
    monkeypatch.setattr(time, "time", lambda: real() + days * day)
    found: list[dict[str, Any]] = []

    async def opens(house: House) -> None:
        found.append(await house.open())

    async def is_there(house: House) -> None:
        assert house.service.store.events(found[0]["table"])

    async def plays(house: House) -> None:
        await house.sit(found[0], "Ben")

    async def is_gone(house: House) -> None:
        assert house.service.store.events(found[0]["table"]) == []

    for then, happens in (
        (-60, opens),
        (0, is_there),  # the clock is set right
        (29, plays),
        (45, is_there),
        (70, is_there),  # nothing had been heard of it before day 45 but what happened on day 29
        (76, is_gone),
    ):
        days = then
        run(happens, tmp_path)


def test_a_table_is_given_up_although_the_clock_was_ahead_when_it_was_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    day, real, days = 24 * 3600.0, time.time, 900.0
    monkeypatch.setattr(time, "time", lambda: real() + days * day)

    async def scene(house: House) -> None:
        nonlocal days
        links = await house.open()
        await house.service._leave(links["table"])
        await house.service.clear_away()
        for then, events in ((0.0, 2), (29.0, 2), (31.0, 0)):
            days = then
            await house.service.clear_away()
            assert len(house.service.store.events(links["table"])) == events

    run(scene, tmp_path)


def test_a_table_that_is_open_somewhere_stays_although_nothing_happens_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.interfaces.host.service.KEPT", -60.0)  # whatever is there is old
    tables: list[Person] = []

    async def looks(house: House) -> None:
        anna, _ = people = await house.table_of(2, "crazy-eights", players=2)
        left = await house.open()
        await house.service._leave(left["table"])
        await house.service.clear_away()
        assert house.service.store.events(left["table"]) == []
        assert await play_on(people, 3) == 3
        await anna.settled()
        tables.append(anna)

    async def comes(house: House) -> None:
        again = await house.come(tables[0].links)
        await again.welcome()
        assert again.scene == tables[0].scene

    run(looks, tmp_path)
    monkeypatch.undo()
    run(comes, tmp_path)


def test_a_number_that_another_event_has_is_not_acknowledged_and_the_table_is_read_anew(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(4)
        await play_on(people, 4)
        for person in people:
            await person.settled()
        table = house.service.at_hand(people[0].links["table"])
        assert table is not None
        n = table.state.n
        with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as other:
            body = e.encode(e.Set("locked", True))
            other.execute("insert into events values (?, ?, ?, ?)", (table.name, n + 1, time.time(), body))
        person = next(person for person in people if person.offers())
        await person.say(type="move", id="m", move=person.offers()[0], ask=person.ask["n"])
        await person.until(lambda: person.heard[-1].get("why") == "busy")
        assert not any(message.get("id") == "m" for message in person.heard)
        again = await house.come(person.links)
        await again.welcome()
        assert again.table["locked"] and again.offers()
        assert (await again.move(again.offers()[0]))["type"] == "done"

    run(scene, tmp_path)


def test_of_two_events_with_a_number_that_are_to_be_stored_at_once_the_first_is_and_nobody_else_waits(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
        lost, done = list[Hold](), list[str]()
        store.taken = lost.append
        first, second, other = Hold("0" * 12, 1), Hold("0" * 12, 2), Hold("1" * 12, 3)
        for hold, n, who in ((first, 2, "Anna"), (second, 2, "Ben"), (second, 3, "Cleo"), (other, 2, "Dora")):
            store.put(hold, n, e.Renamed(0, who), partial(done.append, who))
        store.start(asyncio.get_running_loop())
        while len(done) < 2:
            await asyncio.sleep(0.01)
        assert done == ["Anna", "Dora"] and lost == [second]
        assert store.events("0" * 12) == [(2, e.Renamed(0, "Anna"))]
        store.stop()

    asyncio.run(asyncio.wait_for(scene(), 20))


def test_a_page_that_waits_to_be_welcomed_is_not_forgotten_when_its_table_is_read_anew_or_leaves_memory(
    tmp_path: Path,
) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "crazy-eights", players=2)
        for page in (anna, ben):
            await page.close()
        for lost in (False, True):
            table = house.service.at_hand(anna.links["table"])
            assert table is not None
            goes_on = asyncio.Event()
            table.put(goes_on.wait)  # type: ignore[arg-type]
            again = await house.come(anna.links)
            while not table._coming:
                await asyncio.sleep(0.01)
            await house.service.leave_idle(-60.0)
            assert house.service.at_hand(table.name) is table
            if lost:
                house.service._lose(table.hold)
                assert (await again.message("error"))["why"] == "busy"
                assert not await table.all_stored()
                again = await house.come(anna.links)
            goes_on.set()
            await again.welcome()
            await again.close()

    run(scene, tmp_path)


def test_after_a_gap_in_its_numbers_a_table_goes_on_behind_the_highest(tmp_path: Path) -> None:
    names: list[str] = []

    async def opens(house: House) -> None:
        names.append((await house.open())["table"])

    async def goes_on(house: House) -> None:
        table = await house.service.table(names[0])
        assert table.state.n == 7

    run(opens, tmp_path)
    with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as database:
        body = e.encode(e.Set("locked", True))
        database.execute("insert into events values (?, ?, ?, ?)", (names[0], 7, time.time(), body))
    run(goes_on, tmp_path)
