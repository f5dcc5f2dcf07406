"""What readers are given who have never seen the page: pictures of it, or what it says without a picture.

`python -m tests.browser.readers pictures FOLDER` saves six games in the middle of a deal, at the size of a phone and
of a desk. `python -m tests.browser.readers words hearts --port 8791` opens a table for somebody who only reads: who
asks at that port is told what has been announced since the last time, and the accessibility tree. What is sent there is
done before: lines such as `press 7 of hearts`, `key ArrowRight` or `type Anna`.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as Missing

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "host")]

from conftest import CHROMIUM, FLAGS  # noqa: E402
from house import House  # noqa: E402
from running import PHONE, Running  # noqa: E402

from interpreter.api.game import State  # noqa: E402
from interpreter.interfaces.host.page_socket import PER_SECOND  # noqa: E402

DESK = {"width": 1440, "height": 900}
GAMES = {"hearts": 5, "euchre": 4, "spit": 6, "crazy-eights": 3, "yaniv": 4, "uno": 3}
"""Of which pictures are taken, and after how many moves in a deal that is not the first."""
SECONDS = 60.0
HEAR = """() => {
  window.heard = [];
  const live = document.getElementById("live");
  const hears = () => live.textContent && window.heard.push(live.textContent);
  new MutationObserver(hears).observe(live, { childList: true, characterData: true, subtree: true });
}"""


@contextmanager
def opened() -> Iterator[tuple[Browser, Path]]:
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser, Path(folder)
        browser.close()


def pictures(folder: Path, games: dict[str, int]) -> None:
    """Save a picture of each game at each size, in the middle of a deal behind which others lie, and beside it what is
    true then: whose turn it is, what can be done, how people sit, what is known, the scores and the last trick."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened() as (browser, data):
        running = Running(data, browser)
        for game, moves in games.items():
            for name, size in (("phone", PHONE), ("desk", DESK)):
                links = running.do(running.house.open(game, "Anna"))
                running.house.service.pace = 0.0
                running.do(_played_on(running.house, links, moves), 2 * SECONDS)
                page = running.person(size=size)
                page.goto(f"{running.address}/t/{links['table']}#seat={links['secret']}")
                page.locator("#mine .own").wait_for()
                page.wait_for_timeout(500)
                running.house.service.pace = 3.0  # so that a race waits for its picture
                go_on = page.get_by_role("button", name="Go on", exact=True)
                if go_on.count():  # a race pauses while somebody is away
                    go_on.click()
                page.locator("#room").wait_for(state="hidden")
                page.wait_for_timeout(1_000)
                page.screenshot(path=folder / f"{game}-{name}.png")
                match = running.house.service.at_hand(links["table"]).match._match
                (folder / f"{game}-{name}.txt").write_text("\n".join(truth(match.state)), "utf-8")
                print(folder / f"{game}-{name}.png", flush=True)
                page.context.close()
        running.stop()


async def _played_on(house: House, links: dict[str, Any], moves: int) -> None:
    """Let the host of a table play by easy moves until there are scores, and so many moves into the deal behind."""
    person = await house.come(links)
    await person.welcome()
    await person.say(type="order", what="start")
    await person.until(lambda: person.scene is not None)
    match = house.service.at_hand(links["table"]).match
    left, until = moves, time.monotonic() + SECONDS
    while time.monotonic() < until:
        due = person.ask is not None and person.ask["due"]
        if left <= 0 and due:
            break
        text = await match.easy_move(0) if due else None
        if text is None:
            with suppress(TimeoutError):
                async with asyncio.timeout(0.1):
                    await person.hear()
            continue
        scores = {seat["score"] for seat in person.scene["seats"]}
        scored = scores != {0}  # nor where there are none
        asked = person.ask["n"]
        answer = await person.move(text)
        left -= scored and answer["type"] == "done"
        if answer["type"] == "done" and person.scene["kind"] != "race":
            await person.until(lambda asked=asked: person.ask is None or person.ask["n"] != asked)  # type: ignore[misc]
        await asyncio.sleep(1 / PER_SECOND)
    await person.close()


def truth(state: State) -> Iterator[str]:
    """What somebody who sees the table as the first player does should be able to tell."""
    s, names = state.position, [f"P{seat + 1}" for seat in range(state.game.players)]
    view = state.view(0)
    yield f"to play: {[names[player] for player in state.actors]}"
    yield f"may do: {[str(move) for move in state.legal_moves(0)][:40]}"
    yield f"order of seats: {[names[player] for player in s.order()]}, dealer {s.dealer}, sides {s.teams}"
    yield f"known: {view['values']}"
    yield f"trick: {view['trick']}, scores {state.scores}"
    yield f"last tricks and moves: {[(event.kind, event.words) for event in (state.log or [])[-12:]]}"


def act(page: Page, line: str) -> str:
    """Do what a line says; what is wrong with it."""
    what, _, given = line.strip().partition(" ")
    try:
        match what:
            case "":
                return ""
            case "press":
                name = re.compile(f"^{re.escape(given)}(,|$)")  # as it is called, or what stands before a comma
                page.get_by_role("button", name=name).first.click(timeout=2_000, force=True)
            case "key":
                page.keyboard.press(given)
            case "type":
                page.keyboard.type(given)
            case _:
                return f"{what}? There is: press NAME OF A BUTTON, key KEY, type TEXT.\n"
    except Missing:
        return f"There is no button {given!r} that could be pressed.\n"
    page.wait_for_timeout(700)
    return ""


def told(page: Page) -> str:
    """What has been announced since, and the accessibility tree."""
    heard = page.evaluate("() => window.heard.splice(0)")
    return "\n".join(["announced:", *(f"  {text}" for text in heard), "", page.locator("body").aria_snapshot(), ""])


def words(game: str, port: int, pace: float) -> None:
    """Let somebody play a game by words until the program is stopped."""
    with opened() as (browser, data):
        running = Running(data, browser, pace=pace)
        (page,) = running.table(game, size=DESK)
        page.evaluate(HEAR)

        class Reader(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer("")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
                self._answer("".join(act(page, line) for line in body.splitlines()))

            def _answer(self, wrong: str) -> None:
                body = (wrong + told(page)).encode()
                self.send_response(200)
                self.send_header("content-type", "text/plain; charset=utf-8")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Nothing is printed of what is asked."""

        print(f"curl -s 127.0.0.1:{port}; curl -s 127.0.0.1:{port} -d 'press ...'", flush=True)
        HTTPServer(("127.0.0.1", port), Reader).serve_forever()


def main() -> None:
    arguments = argparse.ArgumentParser()
    kinds = arguments.add_subparsers(dest="kind", required=True)
    seen = kinds.add_parser("pictures")
    seen.add_argument("folder", type=Path)
    seen.add_argument("--games", default=",".join(GAMES))
    read = kinds.add_parser("words")
    read.add_argument("game")
    read.add_argument("--port", type=int, default=8791)
    read.add_argument("--pace", type=float, default=1.0, help="by what the times of bots are multiplied")
    options = arguments.parse_args()
    if options.kind == "pictures":
        pictures(options.folder, {game: GAMES.get(game, 4) for game in options.games.split(",")})
    else:
        words(options.game, options.port, options.pace)


if __name__ == "__main__":
    main()
