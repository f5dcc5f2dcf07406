"""Who shows no seat gets little: connections, frames, requests that take long, and nothing of what is not over yet."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from house import TLS, House, Person, agreed, play_on, run

from interpreter.interfaces.host import page_socket, strangers
from interpreter.interfaces.host.child_process import Child
from interpreter.interfaces.host.gatekeeper import Credit, Rates
from interpreter.interfaces.host.hosted_steps import Step
from interpreter.interfaces.host.house_rules_text import Checked
from interpreter.interfaces.host.in_turn import Busy, Turns
from interpreter.interfaces.host.local_match import LocalMatch
from interpreter.interfaces.host.made_once import MadeOnce
from interpreter.interfaces.host.strangers import Strangers

UPGRADE = (
    b"GET /socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def frame(opcode: int, final: bool = True) -> bytes:
    """An empty one, as a page sends it."""
    return bytes([(0x80 if final else 0) | opcode, 0x80]) + b"\0\0\0\0"


async def ends(reader: asyncio.StreamReader, within: float) -> bool:
    """Whether a connection is closed by the server in time."""
    try:
        async with asyncio.timeout(within):
            while await reader.read(1 << 16):
                pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def test_a_connection_on_which_nothing_is_asked_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strangers, "ASKS_WITHIN", 0.2)

    async def scene(house: House) -> None:
        for begun in (b"", b"GET / HTTP/1.1\r\nHost:"):
            reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
            writer.write(begun)
            assert await ends(reader, 5)
            writer.close()
        async with house.client() as client:  # one that asks stays open for as long as it takes
            assert (await client.get("/")).status_code == 200
            await asyncio.sleep(0.4)
            assert (await client.get("/")).status_code == 200

    run(scene, tmp_path)


def test_of_one_address_only_so_many_connections_are_open_that_have_shown_no_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(4)  # they do not count
        monkeypatch.setattr(house.strangers, "_most", 3)
        silent = [await asyncio.open_connection("127.0.0.1", house.port) for _ in range(3)]
        await asyncio.sleep(0.05)
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        assert await ends(reader, 5), "the fourth is closed"
        assert (await people[0].move("undo"))["type"] == "refused", "who has a seat plays on"
        for _, other in silent:
            other.close()
        writer.close()
        await asyncio.sleep(0.05)
        async with house.client() as client:
            assert (await client.get("/")).status_code == 200, "when they have gone others may come"

    run(scene, tmp_path)


def test_strangers_are_counted_by_address_and_until_they_go() -> None:
    there = Strangers(2)
    assert [there.comes(("a", 1)), there.comes(("a", 2)), there.comes(("a", 3)), there.comes(("b", 1))] == [
        True, True, False, True,
    ]  # fmt: skip
    there.goes(("a", 3))
    there.goes(("a", 2))
    assert there.comes(("a", 4))
    assert all(Strangers(None).comes(("a", 1)) for _ in range(200)), "a server in front counts by itself"


@pytest.mark.parametrize(
    "frames",
    [frame(9), frame(10), frame(1), frame(1, False) + frame(0, False) * 20],
    ids=["pings", "pongs", "empty messages", "pieces"],
)
def test_a_socket_that_sends_more_frames_than_pages_do_is_cut_off_and_holds_nobody_up(
    tmp_path: Path, frames: bytes
) -> None:
    async def scene(house: House) -> None:
        anna, *_ = await house.table_of(2)
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(UPGRADE)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frames * 20_000)
        begun = time.process_time()
        assert await ends(reader, 5)
        await anna.settled()
        assert time.process_time() - begun < 0.5, "what came behind is not read"
        writer.close()

    run(scene, tmp_path)


@pytest.mark.parametrize(
    "asked",
    [
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 100_000,
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"a:b\r\n" * 100_000 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 100_000,
    ],
    ids=["tiny pieces", "headers", "requests"],
)
def test_a_connection_on_which_much_is_asked_is_cut_off_and_holds_nobody_up(
    tmp_path: Path, asked: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strangers, "BYTES_AT_ONCE", 200_000)

    async def scene(house: House) -> None:
        anna, *_ = await house.table_of(2)
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(asked)
        begun = time.process_time()
        assert await ends(reader, 10)
        await anna.settled()
        assert time.process_time() - begun < 1, "what came behind is not read"
        writer.close()

    run(scene, tmp_path)


def test_a_socket_that_says_no_hello_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_socket, "HELLO_WITHIN", 0.1)

    async def scene(house: House) -> None:
        from websockets.asyncio.client import connect

        stranger = Person(await connect(house.address.replace("http", "ws") + "/socket"))
        assert (await stranger.message("error"))["text"] == "Say hello first."

    run(scene, tmp_path)


def test_who_has_no_seat_holds_up_nobody_who_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(house: House) -> None:
        anna, *_ = await house.table_of(2)
        house.web.sockets._watching = Rates(5, 1_000)
        watching = [await house.come(anna.links, anna.links[link]) for link in ("watch", "join", "watch")]
        for page in watching:
            await page.welcome()
            await page.say(type="sheet")
            await page.say(type="sheet")
        assert "Many ask" in (await watching[2].message("error"))["text"]
        await anna.settled()
        monkeypatch.setattr(page_socket, "MOST_WATCHING", 2)
        await asyncio.sleep(0.1)
        late = await house.come(anna.links, anna.links["watch"])
        assert (await late.message("error"))["why"] == "busy"
        again = await house.come(anna.links)
        await again.welcome()

    run(scene, tmp_path)


def test_one_who_watches_and_says_too_much_puts_out_no_other(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, *_ = await house.table_of(2)
        loud, quiet = [await house.come(anna.links, anna.links["watch"]) for _ in range(2)]
        await loud.welcome()
        await quiet.welcome()
        for _ in range(45):
            await loud.say(type="sheet")
        assert (await loud.message("error"))["why"] == "busy"
        await quiet.say(type="sheet")
        await quiet.message("sheet")

    run(scene, tmp_path)


def test_who_watches_comes_anew_only_so_often(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        house.web.sockets._comings = Rates(2, 1_000)
        for _ in range(2):
            page = await house.come(links, links["watch"])
            await page.welcome()
            await page.close()
        late = await house.come(links, links["watch"])
        assert (await late.message("error"))["why"] == "busy"
        await (await house.come(links)).welcome()

    run(scene, tmp_path)


def test_rules_that_many_ask_for_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def rules(game: Any) -> str:
        made.append(game.ruleset.id)
        time.sleep(0.1)
        return "Follow suit."

    monkeypatch.setattr("interpreter.interfaces.host.service.rules", rules)

    async def scene(house: House) -> None:
        links = await house.open("pig")
        async with house.client() as client:
            asked = [client.get(f"/api/tables/{links['table']}/rules") for _ in range(8)]
            assert {found.text for found in await asyncio.gather(*asked)} == {"Follow suit."}
        assert made == ["pig"]

    run(scene, tmp_path)


def test_what_goes_wrong_is_not_kept_and_what_nobody_asks_for_goes() -> None:
    async def scene() -> None:
        kept, made = MadeOnce(2), []

        async def make(name: str) -> str:
            made.append(name)
            if name == "wrong":
                raise ValueError(name)
            return name.upper()

        for name in ("a", "wrong", "b", "a", "c", "a", "b"):
            try:
                assert await kept.get(name, lambda name=name: make(name)) == name.upper()
            except ValueError:
                assert name == "wrong"
        assert made == ["a", "wrong", "b", "c", "b"]

    asyncio.run(scene())


def test_that_a_thing_is_refused_is_known_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.interfaces.host.made_once.REFUSED", 0.2)

    async def scene() -> None:
        kept, made = MadeOnce(refusal=ValueError), []

        async def make() -> str:
            made.append(len(made))
            if len(made) == 1:
                raise ValueError("not yet")
            return "here"

        for _ in range(3):
            with pytest.raises(ValueError, match="not yet"):
                await kept.get("a", make)
        assert made == [0]
        await asyncio.sleep(0.3)
        assert [await kept.get("a", make) for _ in range(2)] == ["here", "here"]
        assert made == [0, 1]

    asyncio.run(scene())


def test_what_matters_more_comes_first_and_only_so_much_waits() -> None:
    async def scene() -> None:
        turns, done = Turns(2), list[str]()

        async def does(rank: int, name: str) -> None:
            async with turns.turn(rank):
                await asyncio.sleep(0)
                done.append(name)

        tasks = [asyncio.create_task(does(*one)) for one in ((1, "a"), (1, "b"), (1, "c"), (0, "first"), (1, "many"))]
        await asyncio.sleep(0)
        tasks[1].cancel()  # also where its turn is just coming
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert done == ["a", "first", "c"]
        assert [type(one) for one in found[1::3]] == [asyncio.CancelledError, Busy]
        await does(0, "it is free again")
        assert len(done) == 4

    asyncio.run(asyncio.wait_for(scene(), 10))


def test_who_gives_up_when_it_is_the_turn_passes_it_on() -> None:
    async def scene() -> None:
        turns, done = Turns(2), list[str]()

        async def does(name: str) -> None:
            async with turns.turn():
                done.append(name)

        async with turns.turn():
            gives_up, comes = [asyncio.create_task(does(name)) for name in ("a", "b")]
            await asyncio.sleep(0)
        gives_up.cancel()
        await asyncio.gather(gives_up, comes, return_exceptions=True)
        assert done == ["b"]

    asyncio.run(asyncio.wait_for(scene(), 10))


def test_one_address_asks_one_thing_at_a_time_of_rules_and_opening_a_table_goes_ahead_of_what_is_tried_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, goes_on = list[tuple[str, str]](), asyncio.Event()

    async def answers(child: Child, method: str, spec: Any, *given: Any, kind: Any, **more: Any) -> Any:
        asked.append((method, spec.overlays[0]))
        if len(asked) == 1:
            await goes_on.wait()
        return [2, "Own", []] if method == "form" else Checked([]) if method == "check" else {"end": "", "text": ""}

    async def scene(house: House) -> None:
        monkeypatch.setattr(Child, "ask", answers)
        codes = list[int]()

        async def posts(address: str, path: str, text: str) -> None:
            spec: dict[str, Any] = {"source": "hearts", "overlays": [text]}
            transport = httpx.AsyncHTTPTransport(verify=TLS, local_address=address)
            cookies = {"houserules_host": house.host}
            async with httpx.AsyncClient(base_url=house.address, cookies=cookies, transport=transport) as client:
                given = {"game": spec} if path == "tables" else spec
                codes.append((await client.post(f"/api/{path}", json=given, timeout=30)).status_code)

        tasks = []
        for number in range(5):
            tasks.append(asyncio.create_task(posts("127.0.0.9", "check", f"{number}")))
            await asyncio.sleep(0.2)
        assert codes == [429] * 3, "what was typed before is not looked at"
        tasks.append(asyncio.create_task(posts("127.0.0.8", "lesson", "of another")))
        await asyncio.sleep(0.2)
        tasks.append(asyncio.create_task(posts("127.0.0.7", "tables", "table")))
        await asyncio.sleep(0.2)
        goes_on.set()
        await asyncio.gather(*tasks)
        assert codes[3:] == [200] * 4
        assert asked == [("check", "0"), ("form", "table"), ("lesson", "of another"), ("check", "4")]

    run(scene, tmp_path)


def test_who_tries_out_options_of_shipped_rules_is_told_how_to_play_each_time(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        async with house.client(host=True) as client:
            given = [{"source": "hearts", "options": {"target": 50 + number}} for number in range(5)]
            found = await asyncio.gather(*(client.post("/api/lesson", json=spec, timeout=30) for spec in given))
        assert [answer.status_code for answer in found] == [200] * 5

    run(scene, tmp_path)


def test_pictures_of_links_are_drawn_only_so_often(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        house.web._pictures = Rates(2, 1_000)
        async with house.client() as client:
            found = [(await client.post("/api/qr", json={"link": "x"})).status_code for _ in range(3)]
        assert found == [200, 200, 429]

    run(scene, tmp_path)


def test_house_rules_cannot_build_on_those_of_somebody_else(tmp_path: Path) -> None:
    text = "format: 1\nid: {id}\nname: {id}\nextends: {base}\n"
    mine = [text.format(id="mine", base="hearts"), text.format(id="secret", base="hearts")]
    theirs = text.format(id="theirs", base="./house-rules-2.yaml")

    async def scene(house: House) -> None:
        async with house.client(host=True) as client:
            assert (await client.post("/api/check", json={"source": "hearts", "overlays": mine})).status_code == 200
            found = await client.post("/api/check", json={"source": "", "overlays": [theirs]})
            assert [finding["severity"] for finding in found.json()["findings"]] == ["error"]

    run(scene, tmp_path)


def test_nothing_of_a_match_is_to_be_had_while_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begins, may_begin = asyncio.Event(), asyncio.Event()
    begun = LocalMatch.begun

    async def slowly(match: LocalMatch) -> Step:
        begins.set()
        await may_begin.wait()
        return await begun(match)

    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "crazy-eights", players=2, options={"target_score": 0})
        await play_on([anna, ben], 3_000)
        await anna.until(lambda: anna.table["state"] == "over")
        monkeypatch.setattr(LocalMatch, "begun", slowly)
        async with house.client() as client:
            client.cookies.set(f"seat-{anna.links['table']}-0", anna.links["secret"])
            path = f"/api/tables/{anna.links['table']}"
            old = (await client.post(f"{path}/record", json={})).text
            await agreed(anna, ben, "rematch")
            await begins.wait()
            assert (await client.post(f"{path}/record", json={})).text == old
            assert (await client.post(f"{path}/replay", json={"at": 1})).json()["of"] > 0
            may_begin.set()
            await anna.until(lambda: anna.table.get("match") == 2)
            for what in ("record", "replay"):
                assert (await client.post(f"{path}/{what}", json={})).status_code == 409

    run(scene, tmp_path)


def test_an_answer_that_nobody_reads_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strangers, "READS_WITHIN", 0.1)

    async def scene(house: House) -> None:
        house.web._files._files["index.html"] = b"x" * 20_000_000
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port, limit=1_000)
        writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        await asyncio.sleep(0.5)
        assert not house._server.server_state.connections, "it reads nothing"
        writer.close()
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port, limit=1_000_000)
        writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        read = 0
        while read < 20_000_000:  # one that reads slowly gets all of it
            read += len(await reader.read(1_000_000))
            await asyncio.sleep(0.01)
        writer.close()

    run(scene, tmp_path)


def test_a_body_that_does_not_come_is_waited_for_only_so_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.interfaces.host.web.BODY_WITHIN", 0.1)

    async def scene(house: House) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(b"POST /api/code HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 20\r\n\r\n{")
        assert b"400" in await reader.readline()
        writer.close()

    run(scene, tmp_path)


def test_credit_comes_back_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("interpreter.interfaces.host.gatekeeper.time.monotonic", lambda: now)
    credit = Credit(2, 3)
    assert [credit.allows(), credit.allows(2), credit.allows()] == [True, True, False]
    now += 1.5
    assert [credit.allows(2), credit.allows()] == [True, False]
