"""Pages that mean no good: they are refused, and nobody else notices."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from house import House, Person, play_on, run
from starlette.requests import Request
from websockets.exceptions import ConnectionClosed

from interpreter.interfaces.host import crowd
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.crowd import MOST_PAGES
from interpreter.interfaces.host.live_table import Table
from interpreter.interfaces.host.page_socket import MOST_UNSENT, MOST_WAITING, PageSocket, _frames
from interpreter.interfaces.host.requests import MOST_UNREAD
from interpreter.interfaces.host.web import LARGEST_BODY, _read
from tests.load.nonsense import fuzzed

FUZZED = 2_000


class Hidden:
    """A page that is no socket, so that nothing limits how much it says."""

    unread = 0

    def __init__(self, seat: int | None, opened_by: str = "") -> None:
        self.seat, self.opened_by = seat, opened_by
        self.heard: list[dict[str, Any]] = []

    def send(self, text: str) -> None:
        self.heard.append(json.loads(text))

    def close(self, text: str) -> None:
        self.send(text)


async def says(table: Table, page: Hidden, dice: random.Random, number: int) -> int:
    """Say so much nonsense; how much of it was a message."""
    taken = 0
    for _ in range(number):
        try:
            message = p.decode(fuzzed(dice))
        except msgspec.DecodeError:
            continue
        if not isinstance(message, p.Hello | p.Leave):
            taken += 1
            table.put(table.requests.receive, page, message, time.monotonic())
            if taken % 20 == 0:
                await asyncio.sleep(0)
    return taken


@pytest.mark.parametrize("honor", [False, True])
def test_nonsense_of_any_kind_gets_an_answer_and_the_match_goes_on(
    tmp_path: Path, honor: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(house: House) -> None:
        game, players = ("georgia-spoons", 4) if honor else ("hearts", 4)
        people = await house.table_of(4, game, players=players, honor=honor)
        table = house.service.at_hand(people[0].links["table"])
        assert table is not None
        dice = random.Random(5)
        pages = [Hidden(None), *(Hidden(seat, table.state.seats[seat].secret) for seat in (2, 3))]
        for page in pages:
            assert await says(table, page, dice, FUZZED // 6) > 50
        await people[0].settled()
        wrong = [m for page in pages for m in page.heard if "Something went wrong" in m.get("text", "")]
        assert not wrong
        assert not caplog.records
        if people[0].table.get("paused"):
            await people[0].say(type="pause", on=False)
        if not honor:
            assert await play_on(people, 4) == 4

    run(scene, tmp_path)


def test_a_page_that_does_not_read_is_left_before_much_waits_for_it() -> None:
    async def scene() -> None:
        left: list[bool] = []

        class Stuck:
            async def send(self, message: object) -> None:
                await asyncio.sleep(60)

        page = PageSocket(Stuck(), lambda: left.append(True))  # type: ignore[arg-type]
        for _ in range(3 * MOST_WAITING):
            page.send("x")
        assert left == [True]
        await page.closed(0)
        page = PageSocket(Stuck(), lambda: left.append(False))  # type: ignore[arg-type]
        page.send("x" * 2 * MOST_UNSENT)
        await asyncio.sleep(0)
        assert left == [True], "one long message is not much that waits"
        for _ in range(3):
            page.send("x")
        assert left == [True, False]
        await page.closed(0)

    asyncio.run(scene())


def test_what_was_sent_at_once_and_not_read_waits_too_and_whoever_has_not_read_much_is_told_no_scores(
    tmp_path: Path,
) -> None:
    async def scene(house: House) -> None:
        left, sent = list[bool](), list[str]()
        given = lambda text: sent.append(text) is None, None, None, lambda: sum(map(len, sent))
        page = PageSocket(None, lambda: left.append(True), *given)  # type: ignore[arg-type]
        page.send("x" * (MOST_UNSENT + 1))
        await asyncio.sleep(0)
        assert page.unread == len(sent[0]) and not left
        page.send("x")
        assert left == [True]
        anna, _ = await house.table_of(2)
        table, asks = house.service.at_hand(anna.links["table"]), Hidden(None)
        assert table is not None and all(page.unread < MOST_UNREAD for page in table.crowd)
        for asks.unread in (MOST_UNREAD + 1, MOST_UNREAD):
            await table.requests.receive(asks, p.Sheet(), 0.0)
        await anna.settled()
        assert [one["type"] for one in asks.heard] == ["error", "sheet"]
        await page.closed(0)

    run(scene, tmp_path)


def test_nothing_is_told_as_a_fault_where_a_page_is_left_that_does_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("interpreter.interfaces.host.page_socket.MOST_UNSENT", 100_000)

    async def scene(house: House) -> None:
        log = logging.getLogger("uvicorn.error")
        monkeypatch.setattr(log, "handlers", [caplog.handler])
        caplog.set_level(logging.ERROR, "uvicorn.error")
        people = await house.table_of(2)
        table = house.service.at_hand(people[0].links["table"])
        assert table is not None
        reads_not = await house.come(people[0].links, people[0].links["watch"])
        await reads_not.welcome()
        reads_not.socket.transport.pause_reading()
        (page,) = table.crowd.pages[None]
        for _ in range(200):
            page.send(json.dumps({"type": "x", "text": "x" * 100_000}))
            await asyncio.sleep(0.001)
        async with asyncio.timeout(10):
            while None in table.crowd.pages:
                await asyncio.sleep(0.01)
        await asyncio.sleep(1.2)  # for a second the last message may still be read
        assert not caplog.records, caplog.text
        await people[0].settled()
        reads_not.socket.transport.abort()

    run(scene, tmp_path)


def test_what_a_page_cannot_take_at_once_comes_in_its_order_as_soon_as_it_can() -> None:
    async def scene() -> None:
        sent: list[str] = []

        class Slow:
            async def send(self, message: dict[str, str]) -> None:
                await asyncio.sleep(0.01)
                sent.append(message["text"])

        def at_once(text: str) -> bool:
            if len(sent) < 2:
                sent.append(text)
            return text in sent

        page = PageSocket(Slow(), lambda: None, at_once)  # type: ignore[arg-type]
        for said in ("a", "b"):
            page.send(said)
        assert sent == []
        await asyncio.sleep(0)
        assert sent == ["a\nb"], "what comes in the same moment goes together"
        for said in ("c", "d", "e"):
            page.send(said)
            await asyncio.sleep(0)
        await page.closed(1)
        assert "\n".join(sent) == "a\nb\nc\nd\ne"

    asyncio.run(scene())


def test_a_page_of_somebody_who_was_removed_neither_sees_nor_says_anything_more(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        ben_links = await house.sit(links, "Ben", 1)
        anna, ben = await house.come(links), await house.come(ben_links)
        await anna.welcome()
        await ben.welcome()
        table = house.service.at_hand(links["table"])
        assert table is not None
        late, stays = Told(1, table.state.seats[1].secret), table.crowd.pages[1][0]
        stays.close = lambda text: None  # type: ignore[method-assign]  # its socket is slow to end
        table.put(table.requests.receive, table.crowd.pages[0][0], p.Order("remove", 1), 0.0)
        table.comes(late)  # said hello before, and is welcomed after
        await anna.until(lambda: anna.table["seats"][1].get("name") != "Ben")
        cleo = await house.come(await house.sit(links, "Cleo", 1))
        await cleo.welcome()
        assert late.closed and "moved" in late.closed[0] and not late.told
        table.put(table.requests.receive, stays, p.Rename("Mallory"), 0.0)
        await anna.say(type="order", what="start")
        await cleo.until(lambda: cleo.scene is not None)
        assert cleo.table["seats"][1]["name"] == "Cleo"

    run(scene, tmp_path)


def test_a_page_of_the_device_that_a_seat_has_left_neither_sees_nor_says_anything_more(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        anna = await house.come(links)
        await anna.welcome()
        table = house.service.at_hand(links["table"])
        assert table is not None
        stays, closed = table.crowd.pages[0][0], list[str]()
        stays.close = closed.append  # type: ignore[method-assign]  # its socket is slow to end
        late = Told(0, table.state.seats[0].secret)  # said hello before, and is welcomed after
        _, secret = await house.service.move_seat(links["table"], links["secret"])
        table.comes(late)
        assert len(closed) == 1 and "another device" in closed[0]
        table.put(table.requests.receive, stays, p.Rename("Mallory"), 0.0)
        table.put(table.requests.receive, stays, p.Order("start"), 0.0)
        new = await house.come(links, token=secret)
        await new.welcome()
        assert late.closed and not late.told
        assert (new.table["state"], new.table["seats"][0]["name"]) == ("lobby", "Anna")
        assert not table.is_of(stays) and not table.is_of(late)
        assert table.is_of(table.crowd.pages[0][-1])

    run(scene, tmp_path)


class Told:
    """A page that keeps what it is told."""

    def __init__(self, seat: int, opened_by: str) -> None:
        self.seat, self.opened_by = seat, opened_by
        self.told: list[str] = []
        self.closed: list[str] = []

    def send(self, text: str) -> None:
        self.told.append(text)

    def close(self, text: str) -> None:
        self.closed.append(text)


def test_a_seat_has_so_many_pages_and_a_further_one_takes_the_place_of_the_oldest(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2)
        pages = [await house.come(ben.links) for _ in range(MOST_PAGES - 1)]
        for page in pages:
            await page.welcome()
        assert [len(house_pages(house, anna, seat)) for seat in (0, 1)] == [1, MOST_PAGES]
        last = await house.come(ben.links)
        await last.welcome()
        told = await ben.message("error")
        assert (told["why"], told.get("final", False)) == ("busy", False), "it comes back by itself"
        with pytest.raises(ConnectionClosed):
            await ben.hear()
        assert len(house_pages(house, anna, 1)) == MOST_PAGES
        assert anna.table["seats"][1]["here"]
        for page in (anna, *pages, last):
            await page.settled()

    run(scene, tmp_path)


def test_of_too_many_pages_of_a_seat_that_come_back_in_turns_one_stays_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "MOST_PAGES", 2)
    monkeypatch.setattr(crowd, "PUT_OUT", 3)

    async def scene(house: House) -> None:
        anna, _ = await house.table_of(2)
        pages = [anna, await house.come(anna.links)]
        whys = []
        for _ in range(4):
            pages.append(await house.come(anna.links))
            await pages[-1].welcome()
            told = await pages.pop(0).message("error")
            whys.append((told["why"], told.get("final", False)))
        assert whys == [("busy", False)] * 3 + [("full", True)]
        for page in pages:
            await page.settled()
            assert page.table["seats"][0]["here"]

    run(scene, tmp_path)


def house_pages(house: House, person: Person, seat: int) -> list[Any]:
    """The pages of a seat at somebody's table."""
    table = house.service.at_hand(person.links["table"])
    assert table is not None
    return table.crowd.pages[seat]


def test_a_message_that_is_too_long_ends_the_socket(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2)
        await ben.socket.send("x" * 100_000)
        await ben.socket.wait_closed()
        await anna.until(lambda: not anna.table["seats"][1].get("here"))
        assert (await anna.move(anna.offers()[0]))["type"] == "done"

    run(scene, tmp_path)


def test_a_request_that_is_cut_short_is_no_fault_of_ours() -> None:
    async def gone() -> dict[str, str]:
        return {"type": "http.disconnect"}

    with pytest.raises(msgspec.DecodeError, match="ends too soon"):
        asyncio.run(_read(Request({"type": "http", "method": "POST", "headers": []}, gone)))


def test_a_body_that_comes_in_pieces_is_put_together_and_one_whose_pieces_break_off_is_told() -> None:
    def read(*pieces: dict[str, Any]) -> bytes:
        left = list(pieces)

        async def receive() -> dict[str, Any]:
            return left.pop(0)

        return asyncio.run(_read(Request({"type": "http", "method": "POST", "headers": []}, receive)))

    def piece(body: bytes, more: bool = True) -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": more}

    assert read(piece(b'{"secret"'), piece(b""), piece(b': "a"}', False)) == b'{"secret": "a"}'
    with pytest.raises(msgspec.DecodeError, match="ends too soon"):
        read(piece(b'{"secret": "a'), {"type": "http.disconnect"})
    half = b"x" * (LARGEST_BODY // 2 + 1)
    with pytest.raises(msgspec.DecodeError, match="more than"):
        read(piece(half), piece(half), piece(b"never asked for"))


def test_a_chunk_that_is_none_ends_its_connection_and_nothing_else(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        path = f"/api/tables/{links['table']}/device"
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
        writer.write(head.encode() + b'5\r\n{"sec\r\nZZ\r\nret": "a"}\r\n')
        await writer.drain()
        async with asyncio.timeout(10):
            answer = await reader.read()
        writer.close()
        assert answer.startswith(b"HTTP/1.1 400"), answer
        anna = await house.come(links)
        await anna.welcome()

    run(scene, tmp_path)


def test_guessed_secrets_open_nothing(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        for token in ("x", links["join"][::-1], "", "0" * 22):
            guess: Person = await house.come(links, token=token)
            answer = await guess.message("error")
            assert answer["final"] and answer["why"] in ("moved", "denied")

    run(scene, tmp_path)


def test_a_request_that_is_too_large_is_refused(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        async with house.client(host=True) as client:
            answer = await client.post("/api/check", content=b'{"source": "' + b"x" * 1_000_000 + b'"}')
            assert answer.status_code == 400 and "bytes" in answer.json()["error"]
            deep = await client.post("/api/check", content=b'{"source": ' + b"[" * 100_000)
            assert deep.status_code == 400

    run(scene, tmp_path)


def test_what_waits_for_a_page_goes_in_few_frames_none_of_which_is_large() -> None:
    messages = ["a" * 40_000, "b" * 40_000, "c" * 40_000, "d" * 150_000, "e"]
    frames = list(_frames(messages))
    assert "\n".join(frames).split("\n") == messages
    assert [len(frame) for frame in frames] == [80_001, 40_000, 150_000, 1]
