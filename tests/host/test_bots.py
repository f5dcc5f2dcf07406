"""Bots that think: in processes of their own, and no longer than people wait."""

from __future__ import annotations

import asyncio
import time
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from house import House, run

import interpreter
from interpreter.engine.chance import Dice
from interpreter.interfaces.host import hosted_match, thinking
from interpreter.interfaces.host.asked_beside import Questions
from interpreter.interfaces.host.bot_times import CARD, TRICK, BotTimes, Turn
from interpreter.interfaces.host.bot_workers import BotWorkers
from interpreter.interfaces.host.bots_at_table import ASIDE, BotsAtTable
from interpreter.interfaces.host.child_process import Child, TookLong
from interpreter.interfaces.host.hosted_match import HINT, HostedMatch
from interpreter.interfaces.host.hosted_steps import Made, Standing, Step
from interpreter.interfaces.host.made_again import History, MakingAgain, came_about
from interpreter.interfaces.host.not_made import Refusal
from interpreter.interfaces.host.race_at_table import RaceAtTable
from interpreter.interfaces.host.table_events import GameSpec
from interpreter.interfaces.host.who_is_away import WhoIsAway
from interpreter.interfaces.host.worker import Opening, Thinker, Worker
from interpreter.players.determinization import Worlds
from interpreter.players.honor_bot import Manners

NAMES = ["Anna", "Ada", "Bruno", "Clara"]


def test_a_bot_decides_in_a_process_of_its_own_and_not_at_all_if_it_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = HostedMatch(interpreter.load("hearts").game(), NAMES)
    made = match.begun().made
    chance: dict[str, list[object]] = {}
    for place, outcome in made.chance:
        chance.setdefault(place, []).append(outcome)
    opening = Opening(GameSpec("hearts"), NAMES, History([], chance, []))

    async def scene() -> None:
        workers = BotWorkers(1)
        try:
            move = await workers.think("t", opening, Turn(1, "medium", 0, False), 1.0)
            assert move is not None and match.state.parse(1, move) in match.state.legal_moves(1)
            monkeypatch.setattr("interpreter.interfaces.host.bot_workers.SHORTEST", 1.9999)
            monkeypatch.setattr("interpreter.interfaces.host.bot_workers.DEADLINE", 0.0)
            both = [workers.think("t", opening, Turn(1, "hard", 0, False), 1.0) for _ in range(2)]
            assert None in await asyncio.gather(*both), "one waits for the other, and not for long"
        finally:
            await workers.close()

    asyncio.run(scene())


def test_a_hint_is_thought_about_no_longer_than_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    opening = Opening(GameSpec("hearts"), NAMES, History([], {}, []))
    asked: list[float] = []

    async def answered(self: Child, method: str, *given: object, seconds: float, kind: object) -> list[str]:
        asked.append(float(str(given[-1])))
        return []

    async def scene() -> None:
        workers = BotWorkers(1)
        monkeypatch.setattr(Child, "ask", answered)
        try:
            for left in (2.0, 0.7, 0.31):
                monkeypatch.setattr("interpreter.interfaces.host.bot_workers.DEADLINE", left)
                assert await workers.advise("t", opening, 0) == []
        finally:
            await workers.close()

    asyncio.run(scene())
    assert asked[0] == HINT and 0.2 < asked[1] < 0.31 and asked[2] == 0.1


def test_how_long_a_bot_takes_does_not_tell_whether_there_was_anything_to_think_about() -> None:
    """One that thinks of nothing, as with a single lawful move, answers no sooner than one that thinks."""
    match = HostedMatch(interpreter.load("hearts").game(), NAMES)
    chance: dict[str, list[object]] = {}
    for place, outcome in match.begun().made.chance:
        chance.setdefault(place, []).append(outcome)
    opening = Opening(GameSpec("hearts"), NAMES, History([], chance, []))

    async def scene() -> None:
        workers = BotWorkers(1)
        try:
            for level in ("easy", "easy", "medium"):  # the process begins with the first question
                begun = time.monotonic()
                assert await workers.think("t", opening, Turn(1, level, 0, False), 0.5)
                assert time.monotonic() - begun >= 0.5
        finally:
            await workers.close()

    asyncio.run(scene())


@pytest.mark.parametrize("taken", [0.0, 0.1, 0.4])
def test_a_bot_says_how_much_is_left_of_its_time(taken: float, monkeypatch: pytest.MonkeyPatch) -> None:
    had: list[float] = []

    def decision(state: object, seat: int, level: str, seconds: float) -> str:
        had.append(seconds)
        time.sleep(taken)
        return "pass"

    monkeypatch.setattr(thinking, "decision", decision)
    match = HostedMatch(interpreter.load("hearts").game(), NAMES)
    monkeypatch.setattr(Worker, "_begun", lambda self, opening: time.sleep(0.1) or match)
    found = Worker()._think(msgspec.to_builtins(Thinker(Opening(GameSpec("hearts"), NAMES, History()), 1, "hard", 0.4)))
    assert found.move == "pass" and found.left <= max(0.0, 0.3 - taken)
    assert had[0] <= 0.3, "making the match again counts"


def test_the_thoughts_of_a_bot_end_before_it_is_to_act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    async def think(table: object, state: object, turn: object, seconds: float) -> None:
        given.append(seconds)

    async def scene(house: House) -> None:
        monkeypatch.setattr(house.service, "think", think)
        (anna,) = await house.table_of(1, "crazy-eights", players=2)
        while not given:
            if anna.offers():
                await anna.move(anna.offers()[0])
            await anna.hear()
        assert given[0] in (CARD - ASIDE, TRICK - ASIDE)

    run(scene, tmp_path, level="hard", pace=1.0)


RESTLESS = """\
format: 1
id: restless
name: Restless
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, pile: {seen by: everyone}}
flow:
  match: {setup: deal 5 from stock to hand, do: [laying]}
  laying:
    kind: turn
    first: P1
    turns: 5 each
    actions: {lay: {choose: {card: {from: hand}}, effect: move card to pile}}
    anytime: {fidget: {effect: stay}}
"""


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_who_does_something_all_the_time_keeps_no_bot_from_acting(tmp_path: Path, level: str) -> None:
    async def scene(house: House) -> None:
        (anna,) = await house.table_of(1, "", overlays=[RESTLESS])
        await anna.move(next(move for move in anna.offers() if move.startswith("lay")))
        await anna.until(lambda: not anna.ask["due"])
        until = time.monotonic() + 10
        while not anna.ask["due"]:
            assert time.monotonic() < until, "the bot has never acted"
            assert (await anna.move("fidget", ask=0))["type"] == "done"
            await asyncio.sleep(0.15)

    run(scene, tmp_path, level=level, pace=1.0)


def test_bots_that_think_play_at_a_table(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        (anna,) = await house.table_of(1, "crazy-eights", players=2)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        while not any(move[1] == 1 for move in table.state.moves):
            await anna.settled()
            if anna.offers():
                await anna.move(anna.offers()[0])
            await asyncio.sleep(0.02)
        assert anna.table["seats"][1]["bot"] == "medium"

    run(scene, tmp_path, level="medium")


def test_bots_act_one_after_the_other_in_turns_and_all_at_once_in_races() -> None:
    times, bots = BotTimes(1.0), {1: "easy", 2: "easy", 3: "easy"}
    turns = Standing(False, False, [0, 1, 2, 3], 0, 7)
    assert len(times.turns(turns, bots, set())) == 1
    assert times.turns(turns, bots, {2}) == []
    race = Standing(False, True, [0, 1], 0, 7)
    assert {turn.seat for _, turn in times.turns(race, bots, {2})} == {1, 3}
    assert times.turns(Standing(True, False, [], 0, 7), bots, set()) == []


def test_a_card_stands_for_a_while_and_a_full_trick_longer() -> None:
    times = BotTimes(1.0)
    ((card, _),) = times.turns(Standing(False, False, [1], 0, 7), {1: "easy"}, set())
    ((trick, _),) = times.turns(Standing(False, False, [1], 0, 7, [], True), {1: "easy"}, set())
    assert (card, trick) == (0.7, 1.2)


def test_on_honour_bots_claim_what_they_have_noticed() -> None:
    match = HostedMatch(interpreter.load("georgia-spoons").game(4, enforcement="honor"), NAMES)
    dice, claims = Dice(3), []
    for _ in range(150):
        state = match.state
        seat = state.actors[0]
        possible = state.possible_moves(seat)
        said = str(possible[dice.below(len(possible))]) if seat == 0 else match.easy_move(seat)
        assert said is not None
        try:
            match.play(seat, said.partition(' "')[0] if seat == 0 else said, None, None)
        except Refusal:
            continue
        for bot, claim in match.claims([1, 2, 3]):
            claims.append(claim)
            try:
                match.play(bot, claim, None, None)
            except Refusal:  # somebody else was quicker
                pass
        if len(claims) > 2:
            return
    raise AssertionError("nobody has noticed anything")


def test_bots_of_one_table_look_for_faults_no_longer_than_they_may_all_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hosted_match, "USUAL", Manners(notices=1))
    game = interpreter.load("georgia-spoons").game(4, enforcement="honor")
    made_again = MakingAgain(game, History())
    made_again.state = game.start(given={"at": "play", "current": "P2", "discard": "5S"}, chance=came_about({}))
    match = HostedMatch(game, NAMES, made=made_again)
    made, world = list[Worlds](), Worlds.world
    monkeypatch.setattr(Worlds, "world", lambda worlds, dice: made.append(worlds) or world(worlds, dice))
    for step, imagined in ((0.001, range(3, 19)), (0.3, [2])):  # in 1.3 seconds one bot imagines two tables
        made.clear()
        match.play(1, "pass", None, None)
        with monkeypatch.context() as timed:
            timed.setattr("time.monotonic", count(0, step).__next__)
            match.claims([0, 2, 3])
        assert len(made) in imagined
    made.clear()
    match.play(1, "pass", None, None)
    match._took[-1] += hosted_match.CLAIMS
    assert match.claims([0, 2, 3]) == [] and not made, "to make that move again takes too long for anybody"


def test_bots_that_look_too_long_for_faults_do_not_count_against_the_match() -> None:
    async def claims(seats: list[int]) -> list[tuple[int, str]]:
        raise TookLong("It took too long.")

    put = list[Any]()
    game = SimpleNamespace(honor=True)
    table: Any = SimpleNamespace(
        hall=SimpleNamespace(pace=0.0), match=SimpleNamespace(claims=claims),
        state=SimpleNamespace(match=1, seats=[], opened=SimpleNamespace(game=game)),
        put=lambda *given: put.append(given),
    )  # fmt: skip
    again: Any = SimpleNamespace(is_needed=False, begin=None)
    questions, racing = Questions(table, again), RaceAtTable(table, WhoIsAway(table))
    step = Step(Made([], []), Standing(False, False, [1], 0, 7))
    for _ in range(2):
        asyncio.run(BotsAtTable(table, racing, questions).look(step))
    assert put == [(None, "It took too long.", False)]
