"""Positions of matches that are the same each time, as one player's page is sent them, and a page that is sent them by
nobody but the test: no table has to be opened, no bot waited for, and a race stands still."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from playwright.sync_api import Page
from running import Running

from interpreter import Game
from interpreter.api.game import State
from interpreter.engine.chance import Dice, derive
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.names_at_table import BOTS
from interpreter.interfaces.host.page_offers import offers
from interpreter.interfaces.host.scene import Scenes
from interpreter.interfaces.host.setting import setting_of
from interpreter.players.random_bot import measured
from interpreter.words.voice import Voice

MOVES = 1_000
"""How far a match is played, if it is not over before."""
EVERY = 4
"""After how many moves it is looked at."""
NO_SERVER = """() => {
  window.WebSocket = class {
    static OPEN = 1; static CONNECTING = 0; readyState = 1;
    constructor() { window.told = []; window.tells = (text) => this.onmessage({ data: text }); }
    send(text) { window.told.push(JSON.parse(text)); }
    close() {}
  };
}"""


@dataclass(frozen=True)
class Shown:
    """What one player's page is sent. at: after how many moves."""

    at: int
    seat: int
    scene: dict[str, Any]
    ask: dict[str, Any] | None

    def message(self, number: int) -> str:
        """The message that says so."""
        names = [one["name"] for one in sorted(self.scene["seats"], key=lambda one: int(one["id"][1:]))]
        seats = [p.Person(at, name, "" if at == self.seat else "medium", True) for at, name in enumerate(names)]
        table = p.TableNews("playing", self.scene["game"]["name"], seats)
        lines = [p.Line("move", f"{names[-1]} does something that takes a few words to tell.")] * 3
        welcome = p.Welcome(
            p.VERSION, number, table, self.seat, self.scene, lines, ask={"n": number, **self.ask} if self.ask else None
        )
        return msgspec.json.encode(welcome).decode()


def _drawn(shown: Shown, *where: str) -> int:
    """How many places and cards are drawn of one's own ("mine"), of others ("seats") or in the middle."""
    own, found = shown.scene["me"], 0
    for place in shown.scene["places"]:
        at = "middle" if place["at"] == "table" or not place["seat"] else "mine" if place["seat"] == own else "seats"
        if at in where:
            faces = [face for face in place["cards"] if at != "seats" or face is not None]
            found += 1 + len(faces)
    return found


HARD: dict[str, Callable[[Shown], int]] = {
    "most of one's own": lambda shown: _drawn(shown, "mine"),
    "most of others": lambda shown: _drawn(shown, "seats"),
    "most in the middle": lambda shown: _drawn(shown, "middle"),
    "most in all": lambda shown: _drawn(shown, "mine", "seats", "middle"),
    "most to answer": lambda shown: len(json.dumps(shown.ask)),
}
"""What takes room on a table: of each match the positions are looked at that have most of it."""


def hardest(game: Game, seed: int) -> Iterator[tuple[str, Shown]]:
    """The positions of a match for which it is hardest to find room, each once, and why it is one."""
    best: dict[str, tuple[int, Shown]] = {}
    for shown in played(game, seed):
        for name, weight in HARD.items():
            found = weight(shown)
            if name not in best or found > best[name][0]:
                best[name] = found, shown
    seen: set[tuple[int, int]] = set()
    for name, (_, shown) in best.items():
        if (shown.at, shown.seat) not in seen:
            seen.add((shown.at, shown.seat))
            yield name, shown


def played(game: Game, seed: int) -> Iterator[Shown]:
    """A match in which much is laid: now and then one who is asked, and last how it ended."""
    state, dice = game.start(seed=derive(seed, game.players)), Dice(seed)
    voice = Voice(state.position, ["Anna", *BOTS[: game.players - 1]])
    scenes = Scenes(state, voice)
    for at in range(MOVES):
        if state.over:
            break
        actors = state.actors
        player = actors[dice.below(len(actors))]
        if at % EVERY == 0:
            yield Shown(at, player, scenes.of(player), offers(state, voice, player, setting_of(game)))
        _play(state, player, dice)
        scenes.renew()
    yield Shown(MOVES, 0, scenes.of(0), None)


def _play(state: State, player: int, dice: Dice) -> None:
    """Every second time what has the most words, for that lays most cards; else anything."""
    moves = state.legal_moves(player)
    move = max(moves, key=lambda move: str(move).count(" ")) if dice.below(2) else moves[dice.below(len(moves))]
    bounds = measured(state, player, move)
    state.play(player, move, **{name: low + dice.below(high - low + 1) for name, (low, high) in bounds.items()})


def silent_page(running: Running) -> Page:
    """A page at a table of which it is told by `show` alone; what it says is kept in `window.told`."""
    page = running.person()
    page.add_init_script(f"({NO_SERVER})()")
    page.goto(f"{running.address}/t/nowhere#watch=nobody")
    page.wait_for_function("() => window.tells")
    return page


def show(page: Page, shown: Shown) -> None:
    page.evaluate("(text) => window.tells(text)", shown.message(0))
