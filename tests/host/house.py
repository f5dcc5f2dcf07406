"""A server on a port of its own, and people who sit down at its tables, all through real sockets."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import ssl
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host import serving
from interpreter.interfaces.host.gatekeeper import Gate
from interpreter.interfaces.host.leases import Sharing
from interpreter.interfaces.host.open_socket import OpenSocket
from interpreter.interfaces.host.page_socket import AT_ONCE, PER_SECOND
from interpreter.interfaces.host.requests import MANY_SHEETS
from interpreter.interfaces.host.secrets_of_tables import hashed
from interpreter.interfaces.host.service import Service
from interpreter.interfaces.host.store import Store
from interpreter.interfaces.host.strangers import Config
from interpreter.interfaces.host.web import Web
from tests.host.applying import changed
from tests.load.clients import offers

HOST = "the-host-of-all"
PATIENCE = 20.0
"""Seconds after which a test gives up."""
TLS = ssl.create_default_context()
"""Of all clients: each would make one of its own, though it never uses it, and read all certificates for it."""


class House:
    """A running server. folder: where its database lies. at: the address of this machine at which it listens."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.url = f"sqlite:///{folder / 'tables.db'}"
        self.host, self.at = settings.pop("host", HOST), settings.pop("at", "127.0.0.1")
        self.settings = {"pace": 0.0, "level": "easy", **settings}

    async def start(self) -> None:
        settings = dict(self.settings)
        listening = socket.create_server((self.at, 0))
        self.port = listening.getsockname()[1]
        sharing = Sharing(f"127.0.0.1:{self.port}", hashed(self.host), settings.get("second", 1.0))
        store = Store(self.url, settings.pop("patience", 5.0), sharing if settings.pop("shared", False) else None)
        self.service = Service(store, **settings)
        self.web = Web(self.service, Gate({self.at}), self.host)
        config = Config(
            self.web.app(), lifespan="off", log_level="critical", ws=OpenSocket,
            ws_max_size=p.LONGEST_MESSAGE, ws_per_message_deflate=False,
        )  # fmt: skip
        self.strangers = config.strangers
        self._server = uvicorn.Server(config)
        self.service.store.start(asyncio.get_running_loop())
        await self.service.start()
        self._task = asyncio.create_task(self._server.serve([listening]))
        while not self._server.started:
            await asyncio.sleep(0.005)
        self.address = f"http://{self.at}:{self.port}"

    async def stop(self) -> None:
        self._server.should_exit = True
        self._server.force_exit = True
        await self._task
        await self.service.stop()

    def client(self, host: bool = False) -> httpx.AsyncClient:
        cookies = {"houserules_host": self.host} if host else {}
        return httpx.AsyncClient(base_url=self.address, cookies=cookies, verify=TLS)

    async def open(self, game: str = "hearts", name: str = "Anna", **spec: Any) -> dict[str, Any]:
        """A table at which its host sits; the links of it."""
        async with self.client(host=True) as client:
            answer = await client.post("/api/tables", json={"game": {"source": game, **spec}, "name": name})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def sit(self, links: dict[str, Any], name: str, seat: int | None = None) -> dict[str, Any]:
        async with self.client() as client:
            asked = {"join": links["join"], "name": name, **({} if seat is None else {"seat": seat})}
            answer = await client.post(f"/api/tables/{links['table']}/seats", json=asked)
        assert answer.status_code == 200, answer.text
        return {**links, **answer.json()}

    async def come(self, links: dict[str, Any], token: str | None = None, **hello: Any) -> Person:
        """Open a page at a table, by the secret of a seat unless another one is given."""
        person = Person(await connect(self.address.replace("http", "ws") + "/socket"))
        given = {"table": links["table"], "token": links["secret"] if token is None else token, **hello}
        await person.say(type="hello", v=p.VERSION, **given)
        return person

    async def table_of(self, people: int = 2, game: str = "hearts", **spec: Any) -> list[Person]:
        """So many people at a new table, at which the match has begun."""
        links = await self.open(game, "Anna", **spec)
        all_links = [links, *[await self.sit(links, name) for name in ("Ben", "Cleo", "Dora", "Emil")[: people - 1]]]
        found = [await self.come(one) for one in all_links]
        for person in found:
            await person.welcome()
        await found[0].say(type="order", what="start")
        for person, one in zip(found, all_links, strict=True):
            await person.until(lambda person=person: person.scene is not None)  # type: ignore[misc]
            person.links = one
        return found


@dataclass
class Person:
    """A page, and what it knows."""

    socket: ClientConnection
    waiting: deque[str] = field(default_factory=deque)
    """Messages that have come with others and are not heeded yet."""
    links: dict[str, Any] = field(default_factory=dict)
    n: int = 0
    me: int | None = None
    scene: Any = None
    ask: Any = None
    lines: list[list[str]] = field(default_factory=list)
    table: dict[str, Any] = field(default_factory=dict)
    heard: list[dict[str, Any]] = field(default_factory=list)
    """All messages that have come."""
    delay: float = 0.0
    """Seconds by which the page delays its answers to measurements."""

    def moves_away(self, seconds: float) -> None:
        """All that comes takes so much longer: a long way, which its socket's own answers take, too."""
        comes, loop = self.socket.data_received, asyncio.get_running_loop()
        self.socket.data_received = partial(loop.call_later, seconds, comes)  # type: ignore[method-assign,assignment]
        self.socket.transport.set_protocol(self.socket)  # uvloop knows whom to call

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """The next message, heeded."""
        async with asyncio.timeout(PATIENCE):
            while not self.waiting:
                self.waiting.extend(str(await self.socket.recv(decode=True)).split("\n"))
        message: dict[str, Any] = json.loads(self.waiting.popleft())
        self.heard.append(message)
        match message["type"]:
            case "welcome":
                self.n, self.scene, self.ask = message["n"], message.get("scene"), message.get("ask")
                self.lines, self.table, self.me = message.get("lines", []), message["table"], message.get("me")
            case "news":
                assert message["n"] == self.n + 1, "no news is left out"
                self.n = message["n"]
                self.scene = changed(self.scene, message.get("changes", []))
                self.lines += message.get("lines", [])
                self.ask = message.get("ask", self.ask)
            case "table":
                self.table = message
            case "ping":
                await asyncio.sleep(self.delay)
                if message["t"]:
                    await self.say(type="pong", t=message["t"])
        return message

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            await self.hear()

    async def message(self, kind: str) -> dict[str, Any]:
        """The next message of a kind."""
        while (found := await self.hear())["type"] != kind:
            pass
        return found

    async def settled(self) -> None:
        """Heed all that has been sent so far: what is asked here is answered behind it."""
        await self.say(type="sheet")
        while (found := await self.hear())["type"] != "sheet":
            if found.get("text") == MANY_SHEETS:  # that is an answer, too, and nothing that a test has asked for
                self.heard.pop()
                return

    async def welcome(self) -> dict[str, Any]:
        return await self.message("welcome")

    async def move(self, text: str, name: str = "", ask: int | None = None, **more: Any) -> dict[str, Any]:
        """Make a move; the answer."""
        name = name or f"m{random.randrange(1 << 40)}"
        number = (self.ask["n"] if self.ask else 0) if ask is None else ask
        await self.say(type="move", id=name, move=text, ask=number, **more)
        while (found := await self.hear()).get("id") != name:
            pass
        return found

    def offers(self) -> list[str]:
        """What can be answered to what is asked."""
        return offers(self.ask)

    async def close(self) -> None:
        await self.socket.close()


async def play_on(people: list[Person], moves: int, seed: int = 1) -> int:
    """Let people make moves at random, as they are asked, until there are so many or the match is over."""
    dice, made = random.Random(seed), 0
    for person in people:
        await person.settled()  # a move may have been cut short when others had made enough of them

    async def plays(person: Person) -> None:
        nonlocal made
        own = 0
        while made < moves and person.table["state"] == "playing":
            if person.offers():
                made, own = made + 1, own + 1
                if own > AT_ONCE // 2:  # a page that says more is a flood
                    await asyncio.sleep(1 / PER_SECOND)
                answered = person.ask["n"]
                answer = await person.move(dice.choice(person.offers()))
                assert answer["type"] == "done", answer
                await person.until(lambda answered=answered: person.ask is None or person.ask["n"] != answered)  # type: ignore[misc]
            else:
                await person.hear()

    tasks = [asyncio.create_task(plays(person)) for person in people]
    done, left = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE)
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    for task in done:
        task.result()
    return made


async def agreed(first: Person, second: Person, what: str) -> None:
    """One proposes something, and another one is for it."""
    await first.say(type="propose", what=what)
    await second.until(lambda: "proposal" in second.table)
    await second.say(type="vote", yes=True)


@asynccontextmanager
async def a_house(folder: Path, **settings: Any) -> AsyncIterator[House]:
    house = House(folder, **settings)
    await house.start()
    try:
        yield house
    finally:
        await house.stop()


def run(scene: Callable[[House], Awaitable[None]], folder: Path, **settings: Any) -> None:
    """Play a scene in a house of its own."""

    async def whole() -> None:
        async with asyncio.timeout(60):
            async with a_house(folder, **settings) as house:
                await scene(house)

    serving.run(whole())


def goes_on_after_a_restart(folder: Path, moves: int, more: int, *game: Any, **given: Any) -> None:
    """A table of a game at which so many moves were made is after a restart as everybody has seen it, and goes on."""
    before: list[Person] = []

    async def plays(house: House) -> None:
        people = await house.table_of(4, *game, **given)
        await play_on(people, moves)
        for person in people:
            await person.settled()
        before.extend(people)

    async def goes_on(house: House) -> None:
        after = [await house.come(person.links) for person in before]
        for person, old in zip(after, before, strict=True):
            await person.welcome()
            assert (person.scene, person.lines) == (old.scene, old.lines)
        assert await play_on(after, more) == more

    run(plays, folder)
    run(goes_on, folder)
