"""Another system beside ours: boardgame.io, which sends before it stores, with as many tables of as many people.

It is fetched by npm into a folder that is thrown away. Its game is as small as one can be: everybody lays a card in
turn, and sees how many the others have.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.load.server import free_port, seconds_of

VERSION = "0.50.2"
PACKAGES = (f"boardgame.io@{VERSION}", "node-persist@3")
PEOPLE = 4
SERVER = """
const { Server, FlatFile } = require("boardgame.io/server");
const { TurnOrder } = require("boardgame.io/core");
const [, , port, dir] = process.argv;
const packs = () => [0, 1, 2, 3].map((seat) => Array.from({ length: 13 }, (_, at) => `${"CDHS"[seat]}${at + 2}`));
const play = ({ G, playerID }, at) => {
  G.trick.push(G.hands[playerID].splice(at, 1)[0]);
  if (G.trick.length === 4) G.trick = [];
  if (!G.hands[3].length) G.hands = packs();
};
const shown = (hands, seat) => hands.map((hand, at) => (String(at) === seat ? hand : hand.length));
const playerView = ({ G, playerID }) => ({ trick: G.trick, hands: shown(G.hands, playerID) });
const turn = { minMoves: 1, maxMoves: 1, order: TurnOrder.DEFAULT };
const game = { name: "cards", setup: () => ({ hands: packs(), trick: [] }), moves: { play }, playerView, turn };
const db = dir ? new FlatFile({ dir, logging: false }) : undefined;
Server({ games: [game], db, origins: [/./], authenticateCredentials: () => true }).run(Number(port));
"""


@dataclass
class Told:
    """What was measured: seconds until all at a table knew of a move."""

    moves: int = 0
    news: list[float] = field(default_factory=list)


@dataclass
class Match:
    """Four who lay the first card that they have, as fast as it is their turn."""

    name: str
    sockets: list[ClientConnection]
    told: Told
    sent: float = 0.0
    missing: int = 0
    made: int = -1

    async def play(self, until: float) -> None:
        await asyncio.gather(*(self._listen(seat, until) for seat in range(PEOPLE)))

    async def _listen(self, seat: int, until: float) -> None:
        line = self.sockets[seat]
        while (left := until - time.monotonic()) > 0:
            try:
                async with asyncio.timeout(left):
                    text = str(await line.recv())
            except TimeoutError:
                return
            if text == "2":
                await line.send("3")
            elif text.startswith("42/cards,"):
                await self._heed(seat, json.loads(text[len("42/cards,") :]))

    async def _heed(self, seat: int, message: list[Any]) -> None:
        kind = message[0]
        if kind not in ("sync", "update"):
            return
        state = message[2]["state"] if kind == "sync" else message[2]
        if kind == "update":
            self.missing -= 1
            if self.missing == 0:
                self.told.moves += 1
                self.told.news.append(time.monotonic() - self.sent)
        if state["ctx"]["currentPlayer"] == str(seat) and state["_stateID"] > self.made:
            self.made = state["_stateID"]
            self.sent, self.missing = time.monotonic(), PEOPLE
            action = {"type": "MAKE_MOVE", "payload": {"type": "play", "args": [0], "playerID": str(seat)}}
            await _says(self.sockets[seat], "update", action, self.made, self.name, str(seat))


async def _says(line: ClientConnection, *words: Any) -> None:
    await line.send("42/cards," + json.dumps(words))


async def _opened(port: int, told: Told) -> Match:
    name = secrets.token_hex(6)  # whoever asks for a match first makes it
    sockets = []
    for seat in range(PEOPLE):
        line = await connect(f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket", compression=None)
        await line.recv()
        await line.send("40/cards,")
        await line.recv()
        await _says(line, "sync", name, str(seat), None, PEOPLE)
        sockets.append(line)
    return Match(name, sockets, told)


async def _measured(port: int, process: int, tables: int, seconds: float) -> dict[str, Any]:
    told = Told()
    matches = [await _opened(port, told) for _ in range(tables)]
    used, begun = seconds_of(process), time.monotonic()
    await asyncio.gather(*(match.play(begun + seconds) for match in matches))
    took, used = time.monotonic() - begun, seconds_of(process) - used
    for match in matches:
        for line in match.sockets:
            line.transport.abort()
    cuts = statistics.quantiles(told.news, n=100)
    return {
        "moves/s": round(told.moves / took), "core-us/move": round(used / max(1, told.moves) * 1e6),
        "all seats p50 ms": round(cuts[49] * 1e3, 1), "all seats p95 ms": round(cuts[94] * 1e3, 1),
    }  # fmt: skip


def beside(tables: int, seconds: float) -> None:
    """Fetch it, play with its state in memory and then in files, and print what was measured."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fetch = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", name, *PACKAGES]
        subprocess.run(fetch, check=True, timeout=300)
        (folder / "server.js").write_text(SERVER)
        for kept in ("memory", "files"):
            port, more = free_port(), [str(folder / "matches")] if kept == "files" else []
            words = ["node", str(folder / "server.js"), str(port), *more]
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
            try:
                _await(port)
                told = asyncio.run(_measured(port, process.pid, tables, seconds))
                print(json.dumps({"boardgame.io": VERSION, "kept in": kept, **told}), flush=True)
            finally:
                process.kill()
                process.wait()


def _await(port: int) -> None:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("boardgame.io did not start")
