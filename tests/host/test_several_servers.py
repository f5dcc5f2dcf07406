"""Several servers use one database: each table is kept by one of them, and goes on at another when that one is gone."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from house import PATIENCE, House, Person, a_house, play_on
from starlette.requests import Request
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

import interpreter
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host import relay
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.database import StoreError
from interpreter.interfaces.host.fair_time import MOST_CREDIT, FairTime
from interpreter.interfaces.host.gatekeeper import Rates
from interpreter.interfaces.host.leases import Elsewhere, Peer, Sharing
from interpreter.interfaces.host.relay import MARK
from interpreter.interfaces.host.secrets_of_tables import hashed
from interpreter.interfaces.host.store import Store
from tests.load.server import Server
from tests.load.steadfast import Table, opened

SECOND = 0.5
"""How long a second of leases takes where one waits for them."""


@pytest.fixture(autouse=True, scope="module")
def games_are_ready() -> None:
    """What a table needs at first takes a second on a busy machine, and a server that is busy for so long is silent."""
    for game in ("hearts", "crazy-eights"):
        interpreter.load(game).game().start(seed=1)


def both(folder: Path, scene: Callable[[House, House], Awaitable[None]], **settings: Any) -> None:
    """Play a scene with two servers of one database."""

    async def whole() -> None:
        async with asyncio.timeout(60):
            given = {"shared": True, **settings}
            async with a_house(folder, **given, host="host-of-a") as a, a_house(folder, **given, host="host-of-b") as b:
                await scene(a, b)

    asyncio.run(whole())


async def holds(what: Callable[[], bool]) -> None:
    """Wait until it does."""
    async with asyncio.timeout(PATIENCE):
        while not what():
            await asyncio.sleep(0.01)


async def at_other(house: House, person: Person) -> Person:
    """The same person at another server."""
    found = await house.come(person.links)
    await found.welcome()
    found.links = person.links
    return found


def falls_silent(house: House) -> None:
    """A server gets nothing through to the database that says it is there, and does not notice itself."""
    leases = house.service.store.leases
    assert leases is not None
    leases._renew = lambda: time.sleep(3600)  # type: ignore[method-assign,assignment,return-value]
    leases.answers = lambda: True  # type: ignore[method-assign]


def test_pages_play_at_one_table_through_two_servers(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        people = await a.table_of(4)
        people[1] = await at_other(b, people[1])
        people[2] = await at_other(b, people[2])
        assert await play_on(people, 12) >= 12
        assert b.service.at_hand(people[0].links["table"]) is None

    both(tmp_path, scene)


def test_seats_are_taken_and_codes_are_known_at_any_server(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        links = await a.open()
        seat = await b.sit(links, "Ben")
        async with b.client() as client:
            found = await client.post("/api/code", json={"code": links["code"].lower()})
            assert found.json() == {"table": links["table"]}
            assert (await client.get(f"/api/tables/{links['table']}/rules")).text.startswith("#")
            refused = await client.post(f"/api/tables/{links['table']}/record", json={})
            assert (refused.status_code, refused.json()["why"]) == (409, "denied")
            sat = await client.post(f"/api/tables/{links['table']}/seats", json={"join": links["code"], "name": "Cleo"})
            assert sat.status_code == 200 and sat.cookies[f"seat-{links['table']}-{sat.json()['seat']}"]
        ben = await b.come(seat)
        assert [who.get("name") for who in (await ben.welcome())["table"]["seats"]][:3] == ["Anna", "Ben", "Cleo"]

    both(tmp_path, scene)


def test_who_opens_nothing_is_counted_by_the_server_that_passes_it_on_and_who_has_a_seat_is_not(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        anna, *_ = await a.table_of(2)
        b.web.sockets._strange = Rates(2, 1_000)
        for _ in range(4):
            await at_other(b, anna)
        assert not b.strangers._there
        await (await b.come(anna.links, anna.links["watch"])).welcome()
        assert sum(b.strangers._there.values()) == 1, "who watches stays a stranger"
        for _ in range(2):
            assert (await (await b.come(anna.links, "wrong")).message("error"))["why"] == "moved"
        with pytest.raises(InvalidStatus):
            await b.come(anna.links, "wrong")
        await anna.settled()

    both(tmp_path, scene)


def test_of_many_that_come_at_once_and_open_nothing_few_are_passed_on(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        anna, *_ = await a.table_of(2)
        b.web.sockets._strange = Rates(2, 1_000)
        pages = [Person(await connect(b.address.replace("http", "ws") + "/socket")) for _ in range(6)]
        for page in pages:
            await page.say(type="hello", v=p.VERSION, table=anna.links["table"], token="wrong")
        whys = Counter([(await page.message("error"))["why"] for page in pages])
        assert whys == {"moved": 2, "busy": 4}

    both(tmp_path, scene)


def test_a_server_that_refuses_whom_another_one_passes_on_is_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    reach = relay.reach

    async def counted(socket: Any, hello: str, peer: Peer) -> Any:
        asked.append(hello)
        return await reach(socket, hello, peer)

    async def scene(a: House, b: House) -> None:
        anna, *_ = await a.table_of(2)
        a.web.sockets._strange = Rates(1, 1_000)
        for why in ("moved", "busy"):
            assert (await (await b.come(anna.links, "wrong")).message("error"))["why"] == why
        assert len(asked) == 2

    monkeypatch.setattr("interpreter.interfaces.host.page_socket.reach", counted)
    both(tmp_path, scene)


def test_that_a_page_is_known_is_found_behind_news_of_the_table() -> None:
    news, welcome = '{"type":"table","state":"lobby"}', '{"type":"welcome","v":3,"me":1,"said":[]}'
    assert relay.first_of(news) is None
    assert relay.first_of(f"{news}\n{welcome}") == relay.Welcomed(1)
    assert relay.first_of('{"type":"error","text":"No.","why":"moved","final":true}') == relay.TurnedAway("moved")


def test_the_link_of_one_servers_host_opens_tables_at_the_other(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        await asyncio.sleep(4 * SECOND)
        async with httpx.AsyncClient(base_url=b.address, cookies={"houserules_host": a.host}) as client:
            assert (await client.get("/api/me")).json()["host"]
        async with httpx.AsyncClient(base_url=b.address, cookies={"houserules_host": "somebody"}) as client:
            assert not (await client.get("/api/me")).json()["host"]

    both(tmp_path, scene, second=SECOND)


def test_a_table_whose_server_is_silent_goes_on_at_the_other_and_the_first_one_answers_nothing_more(
    tmp_path: Path,
) -> None:
    async def scene(a: House, b: House) -> None:
        people = await a.table_of(4)
        await play_on(people, 6)
        for person in people:
            await person.settled()
        falls_silent(a)
        await asyncio.sleep(7 * SECOND)
        after = [await at_other(b, person) for person in people]
        assert [person.scene for person in after] == [person.scene for person in people]
        late = next(person for person in people if person.offers())
        await late.say(type="move", id="late", move=late.offers()[0], ask=late.ask["n"])
        with pytest.raises(ConnectionClosed):
            await late.until(lambda: False)
        assert not any(message.get("id") == "late" for message in late.heard), "it would be lost"
        assert await play_on(after, 6) >= 6
        for person in after:
            await person.settled()
        again = await at_other(a, late)
        assert again.scene == after[people.index(late)].scene, "the first server asks the second one now"

    both(tmp_path, scene, second=SECOND)


def test_a_server_that_stands_still_holds_up_nothing_but_its_own_tables(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        links = await a.open()
        stands = await asyncio.start_server(lambda reader, writer: asyncio.sleep(3600), "127.0.0.1", 0)
        address = f"127.0.0.1:{stands.sockets[0].getsockname()[1]}"
        leases = b.service.store.leases
        assert leases is not None
        with b.service.store.engine.begin() as connection:
            connection.execute(
                leases._servers.update().where(leases._servers.c.name != leases.name).values(address=address)
            )
        async with b.client() as client:
            path = f"/api/tables/{links['table']}/seats"
            asked = [
                asyncio.create_task(client.post(path, json={"join": links["join"], "name": "Zoe"})) for _ in range(40)
            ]
            await asyncio.sleep(0.5)
            begun = time.monotonic()
            await b.open()
            assert time.monotonic() - begun < 3 and not any(task.done() for task in asked)
            for task in asked:
                task.cancel()

    both(tmp_path, scene)


def test_a_server_that_was_not_heard_for_long_gives_up_its_tables_by_itself(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        people = await a.table_of(2, "crazy-eights", players=2)
        leases = a.service.store.leases
        assert leases is not None
        leases._renew = lambda: time.sleep(3600)  # type: ignore[method-assign,assignment,return-value]
        with pytest.raises(ConnectionClosed):
            await people[0].until(lambda: False)
        assert people[0].heard[-1].get("why") == "busy" and not people[0].heard[-1].get("final")
        after = [await at_other(b, person) for person in people]
        assert await play_on(after, 4) >= 4

    both(tmp_path, scene, second=SECOND)


def test_when_no_server_reaches_the_database_tables_go_on_as_soon_as_it_is_back(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        people = await a.table_of(2, "crazy-eights", players=2)
        with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as other:
            other.execute("begin exclusive")  # as if it were gone
            with pytest.raises(ConnectionClosed):
                await people[0].until(lambda: False)
            waits = await b.come(people[0].links)
            refused = await waits.message("error")
            assert refused["why"] == "busy" and not refused.get("final"), "the page comes back by itself"
            other.execute("commit")
        await asyncio.sleep(6 * SECOND)
        after = [await at_other(house, person) for house, person in zip((a, b), people, strict=True)]
        assert await play_on(after, 4) >= 4

    both(tmp_path, scene, patience=0.1, second=SECOND)


def test_a_server_that_ends_hands_its_tables_over_at_once(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        people = await a.table_of(4)
        await play_on(people, 4)
        await a.stop()
        with closing(sqlite3.connect(tmp_path / "tables.db")) as database:
            assert database.execute("select address from servers").fetchall() == [(f"127.0.0.1:{b.port}",)]
        after = [await at_other(b, person) for person in people]
        assert await play_on(after, 4) >= 4
        await a.start()

    both(tmp_path, scene)


def test_who_is_at_a_table_is_told_that_its_server_is_there(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        people = await a.table_of(2, "crazy-eights", players=2)
        far = await at_other(b, people[1])
        for person in (people[0], far):
            assert (await person.message("ping"))["t"] == 0

    both(tmp_path, scene, second=SECOND)


async def a_race(a: House, b: House, measured: Callable[[FairTime[Any]], bool], **far: float) -> FairTime[Any]:
    """Two race at a table, one through the other server, until something of how far away they are is known.

    away: seconds by which the way of the second one's page is longer. delay: by which its script delays its answers.
    """
    people = await a.table_of(2, "spit", players=2)
    table = a.service.at_hand(people[0].links["table"])
    assert table is not None
    await people[1].close()
    people[1] = await at_other(b, people[1])
    people[1].moves_away(far.get("away", 0.0))
    people[1].delay = far.get("delay", 0.0)
    await people[0].say(type="pause", on=False)
    fair = table.racing.fair
    if not far:
        fair.socket_measured(1, 0)  # as when he had a page at this server, too

    async def plays(person: Person) -> None:
        while True:
            if table.standing is not None and not table.standing.race and person.offers():
                await person.move(person.offers()[0])
            else:
                await person.hear()

    playing = [asyncio.create_task(plays(person)) for person in people]
    await holds(lambda: measured(fair))
    for task in playing:
        task.cancel()
    return fair


def test_how_far_away_a_page_is_that_is_passed_on_is_not_taken_from_the_server_that_passes_it_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server of before does not measure it."""
    monkeypatch.setattr(relay, "MEASURES", "nothing-that-a-server-knows")

    async def scene(a: House, b: House) -> None:
        fair = await a_race(a, b, lambda fair: len(fair.way(1).trips) > 1 and len(fair.way(0).sockets) > 1)
        assert not fair.way(1).sockets

    both(tmp_path, scene, second=SECOND)


def test_the_socket_of_a_page_that_is_passed_on_is_measured_over_its_whole_way(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        fair = await a_race(a, b, lambda fair: len(fair.way(1).sockets) > 2, away=0.08)
        assert min(fair.way(1).sockets) >= 80
        assert fair.credit(1) >= 80

    both(tmp_path, scene, second=SECOND)


def test_a_page_that_is_passed_on_gains_nothing_by_late_answers(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        fair = await a_race(a, b, lambda fair: bool(fair.way(1).sockets and fair.way(1).trips), delay=0.2)
        assert min(fair.way(1).trips) >= MOST_CREDIT, "that would have been his credit"
        assert fair.credit(1) == min(fair.way(1).sockets) < MOST_CREDIT

    both(tmp_path, scene, second=SECOND)


def test_a_page_cannot_answer_for_the_server_that_passes_it_on(tmp_path: Path) -> None:
    """What it says in bytes is passed on as text."""

    async def scene(a: House, b: House) -> None:
        people = await a.table_of(2, "crazy-eights", players=2)
        far = await at_other(b, people[1])
        await far.socket.send(b"12345678")
        assert "That is no message" in (await far.message("error"))["text"]
        await far.socket.send(b'{"type": "sheet"}')
        await far.message("sheet")

    both(tmp_path, scene, second=SECOND)


def test_only_another_server_is_believed_for_whom_it_asks(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        async with a.client() as client:
            strange = {"host": "elsewhere.example", MARK: "wrong 192.0.2.1"}
            assert (await client.get("/api/me", headers=strange)).status_code == 421
            assert a.service.store.leases is not None
            strange[MARK] = f"{a.service.store.leases.own.key} 192.0.2.1"
            assert (await client.get("/api/me", headers=strange)).status_code == 200

    both(tmp_path, scene)


def test_of_two_that_believe_to_keep_a_table_one_stores(tmp_path: Path) -> None:
    """Whatever the clocks say: the database alone decides."""
    url, told = f"sqlite:///{tmp_path / 'tables.db'}", []
    game = e.GameSpec("hearts")

    async def scene() -> None:
        first, second = (Store(url, sharing=Sharing(address, second=SECOND)) for address in ("a", "b"))
        first.start(asyncio.get_running_loop())
        second.start(asyncio.get_running_loop())
        assert first.leases is not None
        hold = first.new("table", "ABCDEF")
        assert hold is not None and second.new("other", "ABCDEF") is None
        first.put(hold, 1, e.Opened(game, "Hearts", 4, "", "", "ABCDEF"), lambda: told.append("opened"))
        await holds(lambda: bool(told))
        with pytest.raises(Elsewhere):
            second.take("table")
        falls = first.leases
        falls._renew = lambda: time.sleep(3600)  # type: ignore[method-assign,assignment,return-value]
        falls.answers = lambda: True  # type: ignore[method-assign]
        await asyncio.sleep(7 * SECOND)
        taken, events = second.take("table")
        assert taken.epoch == hold.epoch + 1 and len(events) == 1
        lost: list[object] = []
        first.taken = lost.append
        first.put(hold, 2, e.Set("locked", True), lambda: told.append("first"))
        first.after(lambda: told.append("behind it"), hold)
        second.put(taken, 2, e.Set("locked", False), lambda: told.append("second"))
        await holds(lambda: len(told) > 1 and bool(lost))
        assert told == ["opened", "second"] and lost == [hold]
        assert [event for _, event in second.events("table")][1:] == [e.Set("locked", False)]
        second.stop()
        first.stop()

    asyncio.run(scene())


def test_a_file_is_shared_only_by_servers_that_were_told_so(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    shared = Store(url, sharing=Sharing("a"))
    with pytest.raises(StoreError, match="another server uses this database"):
        Store(url)
    shared.stop()
    alone = Store(url)
    with pytest.raises(StoreError, match="another server uses this database"):
        Store(url, sharing=Sharing("a"))
    alone.stop()


def test_tables_that_one_server_alone_has_opened_go_on_at_several(tmp_path: Path) -> None:
    links: list[dict[str, Any]] = []

    async def opens() -> None:
        async with a_house(tmp_path) as house:
            links.append(await house.open())

    async def goes_on(a: House, b: House) -> None:
        await b.sit(links[0], "Ben")
        assert (await a.service.by_code(links[0]["code"])) == links[0]["table"]

    asyncio.run(opens())
    both(tmp_path, goes_on)


def test_workers_listen_at_one_port_and_end_with_their_leader(tmp_path: Path) -> None:
    server = Server(tmp_path, "--workers", "2")

    async def plays() -> Table:
        table = await opened([server.address], 0, server.secret)
        await table.play(time.monotonic() + 1)
        return table

    def of_servers() -> list[tuple[str]]:
        with closing(sqlite3.connect(tmp_path / "tables.db")) as database:
            return database.execute("select address from servers").fetchall()

    server.start()
    try:
        table = asyncio.run(plays())
        until = time.monotonic() + 20
        while len(of_servers()) < 2 and time.monotonic() < until:
            time.sleep(0.1)
        assert len(set(of_servers())) == 2
    finally:
        server.stop()
    assert of_servers() == [], "they have handed their tables over"
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    moved = {(event.seat, event.id) for _, event in store.events(table.name) if isinstance(event, e.Moved)}
    store.stop()
    assert table.done and {(seat, name) for _, seat, name in table.done} <= moved


def test_workers_import_nothing_from_the_folder_in_which_they_are_begun(tmp_path: Path) -> None:
    (tmp_path / "pickle.py").write_text("open('ran', 'w').close(); raise SystemExit", encoding="utf-8")
    server = Server(tmp_path, "--workers", "2")
    server.program, server.begun_in = [str(Path(sys.executable).with_name("houserules"))], tmp_path
    server.start()
    try:
        asyncio.run(opened([server.address], 0, server.secret))
    finally:
        assert server.stop() == 0, "to be stopped is no fault"
    assert not (tmp_path / "ran").exists()


def test_no_secret_is_stored_but_as_its_hash(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        assert a.service.store.leases is not None
        await asyncio.sleep(3 * SECOND)
        assert a.service.store.leases.hosts == {hashed(a.host), hashed(b.host)}

    both(tmp_path, scene, second=SECOND)


def test_of_one_table_only_a_few_requests_are_passed_on_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    there: list[int] = []
    most = Counter[str]()

    class Slow:
        def __init__(self, address: str, timeout: float) -> None: ...

        def request(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> None:
            there.append(1)
            most["at once"] = max(most["at once"], len(there))
            time.sleep(0.05)
            there.pop()

        def getresponse(self) -> Any:
            return SimpleNamespace(status=200, getheaders=list, read=lambda: b"done")

        def close(self) -> None: ...

    monkeypatch.setattr(relay, "HTTPConnection", Slow)

    async def scene() -> None:
        scope = {
            "type": "http", "method": "POST", "path": "/", "raw_path": b"/", "query_string": b"", "headers": [],
            "client": ("127.0.0.1", 1), "path_params": {"table": "one"}, "server": ("127.0.0.1", 80), "scheme": "http",
        }  # fmt: skip
        asked = [relay.pass_on(Request(scope), b"", Peer("127.0.0.1:1", "key")) for _ in range(12)]
        assert {found.body for found in await asyncio.gather(*asked)} == {b"done"}
        assert most["at once"] == relay.AT_ONCE

    asyncio.run(scene())


def test_a_table_that_is_open_at_another_server_stays_although_nothing_happens_at_it(tmp_path: Path) -> None:
    async def scene(a: House, b: House) -> None:
        links = await a.open()
        later = time.time() + 60
        assert b.service.store.clear_away(later) == 0
        assert a.service.store.clear_away(later, [links["table"]]) == 0
        assert a.service.store.clear_away(later) == 1, "the server that keeps it gives it up"

    both(tmp_path, scene)
