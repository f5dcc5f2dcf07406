"""Who may come in, and what is refused before anything is done."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from house import House, run
from starlette.requests import Request
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from interpreter.interfaces.host import page_files, service, web
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.gatekeeper import Gate, Rates, counted_as


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8750", True),
        ("LOCALHOST", True),
        ("[::1]:8750", True),
        ("evil.example", False),
        ("127.0.0.1:x@evil.example", False),
        ("127.0.0.1:8750; script-src *", False),
        ("[::1]evil.example", False),
        ("127.0.0.1.evil.example:8750", False),
        ("", False),
        (None, False),
    ],
)
def test_a_host_is_known_by_its_name_alone(host: str | None, known: bool) -> None:
    assert Gate({"127.0.0.1", "localhost", "::1"}).knows(host) is known


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2a00:1450:4001:82f:aaaa:bbbb:cccc:1", "2a00:1450:4001:82f::"),
        ("2a00:1450:4001:82f::2", "2a00:1450:4001:82f::"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("fd00::1", "fd00::1"),
        ("fe80::1%eth0", "fe80::1%eth0"),
        ("::1", "::1"),
        ("testclient", "testclient"),
        ("a:b", "a:b"),
        ("", ""),
    ],
)
def test_whoever_has_a_network_is_counted_as_one(address: str, counted: str) -> None:
    assert counted_as(address) == counted


def test_rates_count_what_was_used_lately() -> None:
    now = [0.0]
    rates = Rates(3, 30, lambda: now[0])
    assert [rates.allows("a") for _ in range(5)] == [True, True, True, False, False]
    assert rates.allows("b")
    now[0] = 10.0
    assert [rates.allows("a") for _ in range(2)] == [True, False]
    rates.give_back("a")
    assert [rates.allows("a") for _ in range(2)] == [True, False]
    rates.give_back("nobody")
    assert [rates.allows("nobody") for _ in range(4)] == [True, True, True, False]


def test_under_a_name_that_is_not_ours_nothing_is_answered(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        async with house.client() as client:
            assert (await client.get("/", headers={"Host": "evil.example"})).status_code == 421
            wrong = await client.post("/api/host", json={"secret": "x"}, headers={"Origin": "http://evil.example"})
            assert wrong.status_code == 403
        with pytest.raises(InvalidStatus):
            await connect(house.address.replace("http", "ws") + "/socket", origin="http://evil.example")  # type: ignore[arg-type]

    run(scene, tmp_path)


def test_only_the_host_opens_tables_and_brings_house_rules(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        async with house.client() as client:
            hearts = {"source": "hearts"}
            for path, body in (("/api/tables", {"game": hearts}), ("/api/check", hearts), ("/api/lesson", hearts)):
                assert (await client.post(path, json=body)).status_code == 403
            assert (await client.post("/api/host", json={"secret": "guessed"})).status_code == 403
            assert not (await client.get("/api/me")).json()["host"]
            assert (await client.post("/api/host", json={"secret": "the-host-of-all"})).status_code == 200
            assert (await client.get("/api/me")).json()["host"]
            cookie = client.cookies.jar
            assert all(c.has_nonstandard_attr("HttpOnly") for c in cookie)

    run(scene, tmp_path)


def test_a_link_is_drawn_and_stands_in_no_address(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        async with house.client() as client:
            drawn = await client.post("/api/qr", json={"link": "http://127.0.0.1/t/x#join=secret"})
            assert drawn.headers["content-type"] == "image/svg+xml" and drawn.text.startswith("<?xml")
            assert (await client.get("/api/qr", params={"text": "http://127.0.0.1/"})).status_code == 405
            assert (await client.post("/api/qr", json={"link": "x" * 500})).status_code == 400

    run(scene, tmp_path)


def test_where_everybody_may_open_tables_nobody_opens_many(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        house.web._is_open = True
        house.web._openings = Rates(2, 3_600)
        async with house.client() as client:
            found = [(await client.post("/api/tables", json={"game": {"source": "hearts"}})).status_code for _ in "abc"]
        assert found == [200, 200, 429]
        async with house.client(host=True) as client:
            assert (await client.post("/api/tables", json={"game": {"source": "hearts"}})).status_code == 200

    run(scene, tmp_path)


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"game": {"source": "no-such-game"}}, 422, ""),
        ({"game": {"source": "../hearts.yaml"}}, 422, ""),
        ({"game": {"source": "hearts", "players": 99}}, 422, "players"),
        ({"game": {"source": "hearts", "options": {"target": -5}}}, 422, "target"),
        ({"game": {"source": "hearts", "options": {"targt": 5}}}, 422, ""),
        ({"game": {"source": "hearts", "variants": ["nonsense"]}}, 422, ""),
        ({"game": {"source": "euchre", "options": {"target": 7, "score_markers": "three_four"}}}, 422, "target"),
        ({"game": {"source": "hearts", "more": 1}}, 400, None),
        ({"games": 1}, 400, None),
    ],
)
def test_a_game_that_cannot_be_made_is_told_beside_its_field(
    tmp_path: Path, body: dict[str, object], status: int, field: str | None
) -> None:
    async def scene(house: House) -> None:
        async with house.client(host=True) as client:
            answer = await client.post("/api/tables", json=body)
            assert answer.status_code == status and answer.json()["error"]
            assert answer.json().get("field") == field

    run(scene, tmp_path)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ('{"type": "hello", "v": 99, "table": "x"}', "reload"),
        (f'{{"type": "hello", "v": {p.VERSION}, "table": "x"}}', "gone"),
        ('{"type": "pause", "on": true}', ""),
        ("nonsense", ""),
    ],
)
def test_a_socket_ends_that_does_not_say_who_it_is(tmp_path: Path, said: str, why: str) -> None:
    async def scene(house: House) -> None:
        async with connect(house.address.replace("http", "ws") + "/socket") as socket:
            await socket.send(said)
            answer = json.loads(await socket.recv())
            assert answer["type"] == "error" and answer["final"] and answer.get("why", "") == why
            await socket.wait_closed()

    run(scene, tmp_path)


def test_a_page_that_floods_the_table_is_left_and_the_others_play_on(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2)
        for _ in range(100):
            await ben.say(type="chat", text="Hello!")
        while (found := await ben.hear())["type"] != "error":
            pass
        assert found["why"] == "busy"
        assert (await anna.move(anna.offers()[0]))["type"] == "done"

    run(scene, tmp_path)


def test_all_pages_of_a_seat_together_say_no_more_than_is_taken(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        house.web.sockets._seats = Rates(5, 1_000)
        pages = [await house.come(links) for _ in range(6)]
        for page in pages:
            await page.welcome()
            await page.say(type="sheet")
        for page in pages[:5]:
            await page.message("sheet")
        assert (await pages[5].message("error"))["why"] == "busy"

    run(scene, tmp_path)


def test_a_message_that_is_none_is_told_and_changes_nothing(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, _ = await house.table_of(2)
        deep = '{"type":' + "[" * 9_000
        for text in (
            b'{"type":"chat","text":"\xff"}',
            deep,
            "",
            "[" * 5_000,
            '{"type": "move"}',
            "\u0000",
            '{"type": "hello", "v": 2, "table": "x"}',
        ):
            await anna.socket.send(text)
            assert (await anna.message("error"))["text"]
        assert (await anna.move(anna.offers()[0]))["type"] == "done"

    run(scene, tmp_path)


@pytest.mark.parametrize("body", [b'{"code": "\xed\xa0\x80"}', b'{"x":' + b"[" * 200_000, b"nonsense", b""])
def test_a_body_that_is_no_request_is_told(tmp_path: Path, body: bytes) -> None:
    async def scene(house: House) -> None:
        async with house.client() as client:
            answer = await client.post("/api/code", content=body)
            assert (answer.status_code, answer.json()["error"][:23]) == (400, "That is no such request")

    run(scene, tmp_path)


def test_a_cookie_that_names_no_seat_is_passed_over(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        async with house.client() as client:
            cookies = {"Cookie": f"seat-x-{'1' * 5_000}=a; seat-y-2=b"}
            assert (await client.get("/api/me", headers=cookies)).json()["seats"] == {"y": [2]}

    run(scene, tmp_path)


def test_blanks_around_a_code_let_nobody_try_more_of_them(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        async with house.client() as client:
            asked = {"join": "ABCDEF      ", "name": "Zed"}
            path = f"/api/tables/{links['table']}/seats"
            assert [(await client.post(path, json=asked)).status_code for _ in range(12)][-1] == 429

    run(scene, tmp_path)


def test_the_page_is_served_under_a_policy_that_lets_nothing_else_in(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        async with house.client() as client:
            page = await client.get("/t/abc")
            assert "default-src 'none'" in page.headers["content-security-policy"]
            script = page.text.split('src="')[1].split('"')[0]
            found = await client.get(script)
            assert found.status_code == 200 and "immutable" in found.headers["cache-control"]
            assert (await client.get(script.replace("/page/", "/page/0"))).status_code == 404
            assert (await client.get("/page/../web.py")).status_code == 404

    run(scene, tmp_path)


def test_an_address_opens_no_more_sockets_than_are_taken_for_what_it_may_see_and_fewer_for_nothing(
    tmp_path: Path,
) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        house.web.sockets._comings = Rates(3, 3_600)
        for _ in range(3):
            await (await house.come(links, token=links["watch"])).welcome()
        fourth = await house.come(links, token=links["watch"])
        assert (await fourth.message("error"))["why"] == "busy"
        await (await house.come(links)).welcome()
        house.web.sockets._strange = Rates(2, 3_600)
        for _ in range(2):
            assert (await (await house.come({**links, "table": "no-such-table"})).message("error"))["final"]
        with pytest.raises((InvalidStatus, ConnectionClosed)):
            await (await house.come(links)).welcome()

    run(scene, tmp_path)


@pytest.mark.parametrize("name", ["a\0b", "no-such-table", "0" * 13, ""])
def test_no_database_is_asked_for_what_no_table_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """PostgreSQL takes no NUL in a text, and would seem not to answer."""

    async def scene(house: House) -> None:
        links = await house.open()
        for asked in ("take", "by_code"):
            monkeypatch.setattr(house.service.store, asked, None)
        assert (await (await house.come({**links, "table": name})).message("error"))["final"]
        async with house.client() as client:
            assert (await client.post("/api/code", json={"code": f"{name}-0"})).status_code == 404

    run(scene, tmp_path)


def test_a_body_that_has_been_read_is_read_again_where_its_table_has_moved_meanwhile() -> None:
    """It is passed on to the server that keeps the table by then."""

    async def scene() -> None:
        pieces = iter([(b"ab", True), (b"c", False)])

        async def receive() -> Any:
            body, more = next(pieces)
            return {"type": "http.request", "body": body, "more_body": more}

        request = Request({"type": "http", "headers": []}, receive)
        assert [await web._read(request), await web._read(request)] == [b"abc", b"abc"]

    asyncio.run(scene())


def test_a_server_that_is_full_opens_no_more_tables_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MOST_TABLES", 1)

    async def scene(house: House) -> None:
        await house.open()
        async with house.client(host=True) as client:
            answer = await client.post("/api/tables", json={"game": {"source": "hearts"}, "name": "Ben"})
        assert (answer.status_code, answer.json()["why"]) == (409, "full") and "full" in answer.json()["error"]

    run(scene, tmp_path)


def test_the_page_is_small() -> None:
    """Without what draws cards."""
    cards = {page_files.FOLDER / name for name in ("symbols.js", "cards.js", "cards.css")}
    files = {path for path in page_files.FOLDER.rglob("*") if path.is_file()} - cards
    assert sum(path.stat().st_size for path in files) < 150_000
