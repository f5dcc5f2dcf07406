"""What fails behind a move has not happened: what a match says, what is stored and what was told are the same."""

from __future__ import annotations

import asyncio
import json
import logging
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from house import House, Person, agreed, play_on, run

import interpreter
from interpreter.engine import taking_back
from interpreter.engine.learned import Answer
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.host import hosted_match, service
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.child_process import ChildGone
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.live_table import Table
from interpreter.interfaces.host.local_match import LocalMatch
from interpreter.interfaces.host.made_again import History
from interpreter.interfaces.host.not_made import Refusal

TOO_MUCH = """\
format: 1
id: too-much
name: Too much
players: {min: 2, max: 2, default: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  discard: {seen by: everyone}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {first dealer: random, repeat: deal, until: any p in players has score of p >= 5, winners: highest score}
  deal:
    setup: |
      gather all to stock
      shuffle stock
      deal 3 from stock to hand, one at a time
    do: [drawing]
    next dealer: left
  drawing:
    kind: turn
    first: left of dealer
    turns: 10 each
    actions:
      draw: {effect: move 1 from stock to hand of actor}
      draw_many:
        effect: |
          shuffle stock
          for p in players do move 14 from stock to hand of p end
      shed:
        choose: {a: {from: hand}, b: {from: hand}, c: {from: hand}, d: {from: hand}, e: {from: hand}}
        effect: move a to discard
"""
"""After `draw_many` there are more moves than are listed: it can be made, and it cannot be said what comes then."""


async def _record(house: House, person: Person) -> tuple[dict[str, Any], list[str]]:
    """The first line of a record but for its seed, which decides nothing here, and the moves behind it."""
    async with house.client() as client:
        asked = {"watch": person.links["watch"]}
        answer = await client.post(f"/api/tables/{person.links['table']}/record", json=asked)
        assert answer.status_code == 200, answer.text
    first, *moves = [json.loads(line) for line in answer.text.splitlines()]
    return first["chance"], [move["move"] for move in moves]


def test_a_move_after_which_rules_could_not_go_on_is_neither_in_the_record_nor_stored(
    tmp_path: Path,
) -> None:
    kept: list[tuple[Person, Any]] = []

    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "", overlays=[TOO_MUCH])
        anna, ben = (anna, ben) if anna.offers() else (ben, anna)
        assert (await anna.move("draw"))["type"] == "done"
        await ben.until(lambda: bool(ben.offers()))
        for _ in range(2):
            refused = await ben.move("draw_many")
            assert refused["type"] == "refused" and "more than 50,000 moves" in refused["text"]
            await ben.settled()
            assert ben.table["state"] == "playing"
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        table.cannot_go_on("that is all")  # only then its record is given away
        await anna.until(lambda: anna.table["state"] == "over")
        kept.append((anna, await _record(house, anna)))

    async def after(house: House) -> None:
        ((anna, record),) = kept
        assert await _record(house, anna) == record
        assert record[1] == ["draw"] and len(record[0]["shuffle"]["deal"]) == 1

    run(scene, tmp_path)
    run(after, tmp_path)


class Fails:
    """Something that fails when it is called for the first time behind so many others."""

    def __init__(self, real: Any, error: Exception, after: int = 0) -> None:
        self.real, self.error, self.left = real, error, after

    def __get__(self, match: object, _: type) -> Any:
        return partial(self, match)

    def __call__(self, *given: Any, **named: Any) -> Any:
        self.left -= 1
        if self.left == -1:
            raise self.error
        return self.real(*given, **named)


@pytest.mark.parametrize("error", [RuleError("they say nothing"), ZeroDivisionError()])
def test_a_match_stands_where_it_stood_when_something_fails_behind_a_move(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also behind moves that were taken back, of which chance has gone on in another way."""
    match, kept = _played("hearts", 3)
    found, _ = match.undo(1, "", [])
    kept = History(found.moves, found.chance, found.redrawn)
    for _ in range(60):  # into the second deal
        _play(match, kept)
    before, standing = json.loads(match.state.record().splitlines()[0])["chance"], match.standing
    told = _told(match)
    with monkeypatch.context() as patched:
        patched.setattr(HostedMatch, "_all_news", Fails(HostedMatch._all_news, error))
        with pytest.raises(Refusal if isinstance(error, RuleError) else type(error)):
            _play(match, kept)
    assert match.standing == standing and _told(match) == told
    for again in (match, HostedMatch(match.game, match.names, kept)):
        first, *moves = [json.loads(line) for line in again.state.record().splitlines()]
        assert first["chance"] == before
        assert [(move["tick"], move["move"]) for move in moves if "move" in move] == [
            (tick, text) for tick, _, text, _ in kept.moves
        ]
    while not match.state.over:
        _play(match, kept)
    assert match.state.log == HostedMatch(match.game, match.names, kept).state.log


@pytest.mark.parametrize("error", [RuleError("they say nothing"), ZeroDivisionError()])
def test_a_match_stands_where_it_stood_when_something_fails_behind_taking_moves_back(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, kept = _played("hearts", 30)
    first = match.undo(28, "One has taken a move back.", [])[0]
    kept = History(first.moves, first.chance, first.redrawn, [(28, "One has taken a move back.")])
    _play(match, kept)
    log, told = list(match.state.log or ()), _told(match)
    with monkeypatch.context() as patched:
        patched.setattr(hosted_match, "Scenes", Fails(hosted_match.Scenes, error))
        with pytest.raises(type(error)):
            match.undo(27, "Another has taken a move back.", [])
    assert match.state.log == log and _told(match) == told
    _play(match, kept)
    again = HostedMatch(match.game, match.names, kept)
    assert again.state.log == match.state.log and _told(again) == _told(match)


def test_a_match_that_cannot_be_made_again_is_no_fault_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a match is closed, and nothing more is asked of it."""
    match, kept = _played("hearts", 3)
    monkeypatch.setattr(HostedMatch, "_all_news", Fails(HostedMatch._all_news, ZeroDivisionError()))
    monkeypatch.setattr(hosted_match, "played", Fails(hosted_match.played, RuleError("they go on no more")))
    with pytest.raises(RuntimeError, match="cannot be made again: they go on no more"):
        _play(match, kept)
    local = LocalMatch(match)
    local.close()
    with pytest.raises(ChildGone):
        asyncio.run(local.replay(0))


def _played(name: str, moves: int) -> tuple[HostedMatch, History]:
    """A match of four after so many moves, and what leads there."""
    match, kept = HostedMatch(interpreter.load(name).game(4), ["Anna", "Ben", "Cleo", "Dora"]), History()
    for place, outcome in match.begun().made.chance:
        kept.chance.setdefault(place, []).append(outcome)
    for _ in range(moves):
        _play(match, kept)
    return match, kept


def _told(match: HostedMatch) -> list[Any]:
    """What readers are told who come; decisions have other numbers each time."""
    found = [match.welcome(reader) for reader in (None, *range(match.game.players))]
    return [(one.lines, one.scene, one.ask and {**one.ask, "n": 0}) for one in found]


def _play(match: HostedMatch, kept: History) -> None:
    seat = match.state.actors[0]
    made = match.play(seat, str(match.state.legal_moves(seat)[0]), None, None).made
    kept.moves += made.moves
    for place, outcome in made.chance:
        kept.chance.setdefault(place, []).append(outcome)


@pytest.mark.parametrize(("where", "what"), [(HostedMatch, "_all_news"), (Table, "_letters_of"), (Table, "happens")])
def test_a_match_goes_on_from_what_is_stored_when_something_fails_before_a_move_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: type, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "houserules.host")
    people: list[Person] = []

    async def scene(house: House) -> None:
        people.extend(await house.table_of(2, "crazy-eights", players=2, options={"target_score": 500}))
        assert await play_on(people, 6) == 6
        for person in people:
            await person.settled()
        person = next(person for person in people if person.offers())
        monkeypatch.setattr(where, what, Fails(getattr(where, what), ZeroDivisionError()))
        await person.say(type="move", id="the-one", move=person.offers()[0], ask=person.ask["n"])
        for one in people:
            await one.welcome()
            await one.settled()
        assert not any(message.get("id") == "the-one" for message in person.heard)
        await _is_stored(house, person, 6)
        assert await play_on(people, 6) == 6
        await _is_stored(house, person, 12)

        for one in people:
            await one.settled()

    async def after(house: House) -> None:
        for person in people:
            back = await house.come(person.links)
            await back.welcome()
            assert (back.scene, back.lines) == (person.scene, person.lines)

    run(scene, tmp_path)
    run(after, tmp_path)


def test_a_match_goes_on_from_what_is_stored_when_something_fails_before_it_is_that_moves_were_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "houserules.host")
    monkeypatch.setattr(taking_back, "answer", lambda *_: Answer(""))  # whatever was drawn in this match
    real = Table.happens

    def happens(table: Table, event: e.AnyEvent, *given: Any, **named: Any) -> None:
        if isinstance(event, e.Undone):
            raise ZeroDivisionError
        real(table, event, *given, **named)

    async def scene(house: House) -> None:
        people = anna, ben = await house.table_of(2, "crazy-eights", players=2, options={"target_score": 500})
        await play_on(people, 6)
        anna, ben = sorted(people, key=lambda person: all(heard["type"] != "done" for heard in person.heard))
        monkeypatch.setattr(Table, "happens", happens)
        await agreed(anna, ben, "undo")
        for person in people:
            await person.welcome()
        await _is_stored(house, anna, 6)
        assert await play_on(people, 6) == 6
        await _is_stored(house, anna, 12)

    run(scene, tmp_path)


def test_a_table_whose_match_fails_again_and_again_ends_it_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "houserules.host")

    class Broken(HostedMatch):
        def _all_news(self) -> Any:
            raise ZeroDivisionError

    monkeypatch.setattr(service, "HostedMatch", Broken)

    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "crazy-eights", players=2)
        for _ in range(4):
            for person in (anna, ben):
                await person.settled()
            person = next(person for person in (anna, ben) if person.offers())
            await person.say(type="move", id="the-one", move=person.offers()[0], ask=person.ask["n"])
            for one in (anna, ben):
                await one.welcome()
        assert anna.table["state"] == "over" and "Something went wrong" in anna.table["why"]
        assert (await _record(house, anna))[1] == []

    run(scene, tmp_path)


async def _is_stored(house: House, person: Person, moves: int) -> None:
    """So many moves were made at a table, and all are stored that its match knows of."""
    await person.settled()
    table = house.service.at_hand(person.links["table"])
    assert table is not None and table.match is not None
    stored = [event for _, event in house.service.store.events(table.name) if isinstance(event, e.Moved)]
    assert len(table.state.moves) == len(stored) == moves == (await table.match.standing()).made
