"""How long bots take at the terminal: their thinking is not to be told from its absence."""

from __future__ import annotations

import io
import math
import time
from itertools import pairwise
from types import SimpleNamespace

import pytest
from rich.console import Console

import interpreter
from interpreter.api.game import State
from interpreter.engine.moves import Move
from interpreter.interfaces.terminal import clock
from interpreter.interfaces.terminal.ending import Left
from interpreter.interfaces.terminal.keyboard import EndOfInput
from interpreter.interfaces.terminal.match import Table
from interpreter.interfaces.terminal.others import LOOKING, PAUSE, Others
from interpreter.interfaces.terminal.screen import Screen
from interpreter.interfaces.terminal.suggestions import Suggestions
from interpreter.players.random_bot import RandomBot


class Time:
    """Milliseconds that go on only when somebody thinks or waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now / 1000


class Thinker(RandomBot):
    """Thinks for so long."""

    def __init__(self, seed: int, time: Time, milliseconds: float) -> None:
        super().__init__(seed)
        self.time, self.milliseconds, self.thoughts = time, milliseconds, 0

    def choose(self, state: interpreter.State, player: int) -> Move | None:
        self.thoughts += 1
        self.time.now += self.milliseconds
        return super().choose(state, player)


class Watcher:
    """A person at a terminal who plays the first move, waits until there is another to be played, and leaves."""

    is_person, shows_prompt = True, True

    def __init__(self, time: Time) -> None:
        self.time = time
        self.asked: float | None = None

    def ask(self, prompt: str, suggestions: Suggestions, anew: bool = False) -> None: ...
    def pause(self) -> None: ...
    def close(self) -> None: ...
    def drop_numbers(self) -> bool:
        return False

    def line(self, seconds: float | None = None) -> str | None:
        if seconds is not None:
            self.time.now += 1000 * seconds
            return None
        if self.asked is not None:
            raise EndOfInput
        self.asked = self.time.now
        return "1"


HAND = {"P1": "2D 10H QS", "P2": "5D JD 6C", "P3": "5C AH KS", "P4": "6D 7H 8S"}
GIVEN = {"at": "tricks", "current": "P1", "trick number": 3, "hand": HAND}


@pytest.mark.parametrize("thought", [0, 30, 440])
def test_a_bot_takes_the_same_time_however_long_it_thinks_within_it(
    monkeypatch: pytest.MonkeyPatch, thought: int
) -> None:
    assert spans(monkeypatch, thought) == [PAUSE, PAUSE, PAUSE]


def test_a_bot_that_thinks_longer_takes_as_long_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    assert spans(monkeypatch, 700) == [700, 700, 700]


def spans(monkeypatch: pytest.MonkeyPatch, thought: int) -> list[float]:
    """Milliseconds from one move to the next of three bots that think for so long."""
    time = Time()
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=time.monotonic))
    state = interpreter.load("hearts").game().start(given=GIVEN)
    watcher = Watcher(time)
    bots = {player: Thinker(player, time, thought) for player in (1, 2, 3)}
    table = Table(state, (0,), bots, Screen(Console(file=io.StringIO())), watcher, RandomBot(9), str)
    made: list[float] = []
    play = table.others.play

    def noted(player: int, move: Move, end: int | None, measures: dict[str, int]) -> object:
        made.append(time.now)
        return play(player, move, end, measures)

    table.others.play = noted
    with pytest.raises(Left):
        table.run()
    assert sum(bot.thoughts for bot in bots.values()) == len(made) > 2
    return [round(after - before, 3) for before, after in pairwise([watcher.asked, *made[:3]])]


def others(state: interpreter.State) -> tuple[Others, Thinker, list[str]]:
    """A bot in the second seat, and the moves that it makes."""
    made: list[str] = []
    bot = Thinker(1, Time(), 0)
    table = Others(state, {1: bot}, (0, 2, 3), lambda player, move, end, measures: made.append(str(move)) or [])
    return table, bot, made


def test_what_was_thought_of_before_a_move_is_thought_of_anew_behind_it() -> None:
    state = interpreter.load("hearts").game().start(given=GIVEN | {"current": "P2"})
    table, bot, _ = others(state)
    table.schedule(0, quick=False)
    assert bot.thoughts == 1
    for player, card in ((1, "5D"), (2, "AH"), (3, "6D"), (0, "2D"), (3, "7H"), (0, "10H")):
        state.play(player, f"play {card}")
    assert state.actors == [1]
    table.act(PAUSE, None)
    assert bot.thoughts == 2


def test_what_was_thought_of_is_forgotten_when_moves_are_taken_back() -> None:
    state = interpreter.load("hearts").game().start(given=GIVEN | {"current": "P2"})
    table, bot, made = others(state)
    table.schedule(0, quick=False)
    table.forget()
    table.schedule(0, quick=False)
    assert bot.thoughts == 2
    table.act(PAUSE, None)
    assert bot.thoughts == 2 and len(made) == 1


def test_where_nobody_waits_for_bots_they_think_when_they_move() -> None:
    state = interpreter.load("hearts").game().start(given=GIVEN | {"current": "P2"})
    table, bot, made = others(state)
    table.schedule(0, quick=True)
    assert bot.thoughts == 0
    table.act(0, None)
    assert bot.thoughts == 1 and len(made) == 1


class Looker(RandomBot):
    """Notes how long it may look for faults."""

    until = 0.0

    def claim(self, before: State, state: State, player: int, until: float = math.inf) -> Move | None:
        self.until = until
        return None


@pytest.mark.parametrize("people", [(0,), ()])
def test_bots_look_for_faults_for_a_second_all_together_where_somebody_waits(people: tuple[int, ...]) -> None:
    """Else the same seed gives the same match, however long it takes."""
    state = interpreter.load("crazy-eights").game(3, enforcement="honor").start(seed=1)
    bots = {player: Looker(1) for player in range(3) if player not in people}
    begun = time.monotonic()
    Others(state, bots, people, lambda *_: []).watch(bots, state, [], 0, timed=False)
    found = {bot.until for bot in bots.values()}
    assert len(found) == 1
    assert begun < min(found) <= time.monotonic() + LOOKING if people else found == {math.inf}
