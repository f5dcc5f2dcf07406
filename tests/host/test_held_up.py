"""Nobody holds up a server by what is asked of it, and nobody looks back into a match that has just begun."""

from __future__ import annotations

import asyncio
import http.cookies
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from house import House, play_on, run
from test_house_rules import short_of

from interpreter.interfaces.host import service, serving, strangers
from interpreter.interfaces.host.leases import Sharing
from interpreter.interfaces.host.store import Store


def test_cookies_are_read_in_a_time_that_grows_with_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unquoted(text: str) -> str:
        raise AssertionError("that takes the square of its length")

    async def scene(house: House) -> None:
        anna, *_ = await house.table_of(2, "crazy-eights", players=2)
        monkeypatch.setattr(http.cookies, "_unquote", unquoted)
        own = f"seat-{anna.links['table']}-0"
        sent = {"Cookie": f'x="{chr(92) * 4000}"; {own}={anna.links["secret"]} ;y; houserules_host={house.host}'}
        async with house.client() as client:
            assert (await client.get("/api/me", headers=sent)).json() == {
                "host": True, "open": False, "seats": {anna.links["table"]: [0]}
            }  # fmt: skip
            looked = await client.post(f"/api/tables/{anna.links['table']}/record", json={}, headers=sent)
            assert looked.json()["why"] == "early", "whoever sits there is known"

    run(scene, tmp_path)


def test_a_device_keeps_its_seats_as_long_as_it_comes_and_not_more_than_a_socket_can_be_told(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, *_ = await house.table_of(2, "crazy-eights", players=2)
        own, secret = f"seat-{anna.links['table']}-0", anna.links["secret"]
        others = [f"seat-{number:012x}-1" for number in range(120)]
        sent = "; ".join([f"{own}={secret}", *[f"{name}={'s' * 43}" for name in others], "seat-x-y=1", "theme=dark"])
        async with house.client() as client:
            for asked, kept, gone in (
                (f"/api/me?table={anna.links['table']}", [own], others[:21]),
                (f"/api/me?table={others[5][5:-2]}", [others[5]], [own, *others[:5], *others[6:21]]),
                ("/api/me", [], [own, *others[:20]]),
            ):
                answer = await client.get(asked, headers={"Cookie": sent})
                set_now = [line for line in answer.headers.get_list("set-cookie") if "Max-Age=0" not in line]
                deleted = [line for line in answer.headers.get_list("set-cookie") if "Max-Age=0" in line]
                assert [line.partition("=")[0] for line in set_now] == kept
                assert [line.partition("=")[0] for line in deleted] == gone
                assert len(answer.json()["seats"]) == 121

    run(scene, tmp_path)


def test_no_name_is_composed_that_is_longer_than_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    composed, asked = unicodedata.normalize, list[int]()

    def noted(form: Any, text: str) -> str:
        asked.append(len(text))
        return composed(form, text)

    async def scene(house: House) -> None:
        monkeypatch.setattr(unicodedata, "normalize", noted)
        marks = "a" + "\u0316\u0301" * 20_000
        links = await house.open()
        async with house.client(host=True) as client:
            sat = await client.post(f"/api/tables/{links['table']}/seats", json={"join": links["join"], "name": marks})
            opened = await client.post("/api/tables", json={"game": {"source": "hearts"}, "name": marks})
        assert (sat.status_code, opened.status_code) == (400, 400)
        assert asked and max(asked) <= 40

    run(scene, tmp_path)


@pytest.mark.parametrize("wrong", [{"name": "Anna", "seat": 4}, {"name": "Anna", "seat": -1}, {"name": "P1"}])
def test_no_table_is_opened_for_somebody_who_cannot_sit_down(tmp_path: Path, wrong: dict[str, Any]) -> None:
    async def scene(house: House) -> None:
        async with house.client(host=True) as client:
            answer = await client.post("/api/tables", json={"game": {"source": "hearts", "players": 4}, **wrong})
        assert answer.status_code == 409
        assert not house.service._tables

    run(scene, tmp_path)


@pytest.mark.parametrize("what", ["record", "replay"])
def test_who_looks_back_while_the_next_match_begins_sees_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(service, "LOOKED", 0.0)

    async def scene(house: House) -> None:
        anna, ben = people = await house.table_of(2, "crazy-eights", players=2, overlays=[short_of("own")])
        await play_on(people, 5_000)
        for person in people:
            await person.until(lambda person=person: person.table["state"] == "over")
        await house.service.leave_idle()  # the process of the last match is given up
        await anna.say(type="propose", what="rematch")
        await ben.until(lambda: "proposal" in ben.table)
        await ben.say(type="vote", yes=True)
        async with house.client() as client:
            client.cookies.set(f"seat-{ben.links['table']}-{ben.me}", ben.links["secret"])
            answer = await client.post(f"/api/tables/{ben.links['table']}/{what}", json={"at": 0}, timeout=60)
        assert house.service._tables[ben.links["table"]].table.state.state == "playing"
        assert (answer.status_code, answer.json()["why"]) == (409, "early")

    run(scene, tmp_path)


def test_requests_that_come_together_count_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strangers, "FOR_A_REQUEST", strangers.BYTES_AT_ONCE // 10)
    monkeypatch.setattr(strangers, "BYTES_A_SECOND", 1)

    async def scene(house: House) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(b"GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 50)
        found = b""
        try:
            async with asyncio.timeout(10):
                while more := await reader.read(1 << 16):
                    found += more
        except ConnectionResetError:
            pass
        assert 1 <= found.count(b"HTTP/1.1 200") <= 10
        writer.close()

    run(scene, tmp_path)


def test_a_socket_whose_opening_cannot_be_read_is_closed(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        long = b"X-Long: " + b"x" * 9_000 + b"\r\n"
        writer.write(
            b"GET /socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + long
            + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )  # fmt: skip
        async with asyncio.timeout(5):
            try:
                while await reader.read(1 << 16):
                    pass
            except ConnectionResetError:
                pass
        writer.close()

    run(scene, tmp_path)


def test_who_only_reads_holds_up_nobody_who_writes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    stores = [Store(url, 0.2, Sharing(f"127.0.0.1:{port}", "secret")) for port in (1, 2)]
    reading, writing = stores

    def while_it_is_read(rows: Any) -> list[Any]:
        writing.keep_text("a", "what another server keeps meanwhile")
        return list(rows)

    assert reading._read("some-table", while_it_is_read) == []
    assert reading.text("a") == "what another server keeps meanwhile"
    for store in stores:
        store.engine.dispose()


def test_what_is_put_in_order_is_so_again_after_it_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the database does not answer just then."""
    asked = list[str]()

    class Tables:
        async def leave_idle(self) -> int:
            asked.append("idle")
            raise OSError("the database does not answer")

        async def clear_away(self) -> None:
            asked.append("old")

    async def at_once(seconds: float) -> None:
        if len(asked) > 2:
            raise asyncio.CancelledError

    monkeypatch.setattr(serving.asyncio, "sleep", at_once)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(serving.sweep(Tables()))  # type: ignore[arg-type]
    assert asked == ["idle"] * 3
