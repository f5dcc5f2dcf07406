"""The scores by deal are told to whoever asks again and again, and nobody else waits for it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from house import House, run

import interpreter
from interpreter.base.packed import Packed
from interpreter.engine.events import Event
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.requests import MANY_SHEETS, SHEETS
from interpreter.words.voice import Voice

LONG = 1_500
"""Moves of a long match."""


def played(match: HostedMatch, moves: int) -> None:
    """Let bots play on until so many moves are made."""
    state = match.state
    while len(state.position.record_moves) < moves and not state.over:
        move = match.easy_move(state.actors[0])
        assert move is not None
        state.play(state.actors[0], move, None, None)
    match._pack()


def long_match() -> HostedMatch:
    """A match of so many moves that is not over: one in some ends sooner."""
    while True:
        match = HostedMatch(interpreter.load("setback").game(), ["Anna", "Ben", "Cleo", "Dora"])
        played(match, LONG + 10)
        if not match.state.over:
            return match


def read_anew(match: HostedMatch, reader: int | None) -> list[str]:
    """The sheet of the whole log."""
    everybody = (1 << match.game.players) - 1
    log = [event for event in match.state.log or [] if reader is not None or event.told & everybody == everybody]
    return Voice(match.state.position, match.names).scores(reader, log)


@pytest.mark.parametrize("game", ["spades", "setback"])
def test_a_sheet_that_is_read_on_is_that_of_the_whole_log_also_when_moves_were_taken_back(game: str) -> None:
    match = HostedMatch(interpreter.load(game).game(), ["Anna", "Ben", "Cleo", "Dora"])
    dice, readers = random.Random(1), [*range(match.game.players), None]
    for times in range(3):
        while len(match.state.position.record_moves) < 120 + 40 * times:
            played(match, len(match.state.position.record_moves) + dice.randrange(1, 15))
            for reader in dice.sample(readers, 2):
                assert match.sheet(reader) == read_anew(match, reader)
        told = [match.sheet(reader) for reader in readers]
        match.undo(20, "taken back", [])
        for reader, before in zip(readers, told, strict=True):
            assert before != match.sheet(reader) == read_anew(match, reader)


def test_what_was_read_for_a_sheet_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    match = long_match()
    read: list[Event] = []
    unpacked: list[bytes] = []
    read_by, unpack = Event.read_by, Packed._unpacked
    monkeypatch.setattr(Event, "read_by", lambda event, viewer: read.append(event) or read_by(event, viewer))
    monkeypatch.setattr(Packed, "_unpacked", lambda one, far: unpacked.append(far) or unpack(one, far))
    first = match.sheet(0)
    assert len(unpacked) > 50 and len(read) > 100
    unpacked.clear()
    read.clear()
    assert match.sheet(0) is first and not unpacked and not read
    played(match, LONG + 12)
    unpacked.clear()
    read.clear()
    match.sheet(0)
    assert len(unpacked) <= 2 and len(read) < 20
    match.forget(0)
    assert 0 not in match._sheets._kept


def test_who_asks_for_the_scores_again_and_again_is_told_so_and_the_others_have_theirs(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2)
        for _ in range(SHEETS + 5):
            await anna.say(type="sheet")
        told = []
        while len(told) < SHEETS + 5:
            message = await anna.hear()
            told += [message] if message["type"] in ("sheet", "error") else []
        assert [one["type"] for one in told] == ["sheet"] * SHEETS + ["error"] * 5
        assert told[-1]["text"] == MANY_SHEETS
        await ben.say(type="sheet")
        assert (await ben.message("sheet"))["lines"]
        watching = await house.come(anna.links, token=anna.links["watch"])
        await watching.welcome()
        await watching.say(type="sheet")
        await watching.message("sheet")

    run(scene, tmp_path)


def test_a_page_that_comes_to_a_long_match_has_the_end_of_its_log_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    match, numbers = HostedMatch(interpreter.load("setback").game(), ["Anna", "Ben", "Cleo", "Dora"]), []
    unpacked: list[bytes] = []
    unpack = Packed._unpacked
    monkeypatch.setattr(Packed, "_unpacked", lambda one, far: unpacked.append(far) or unpack(one, far))
    for moves in (LONG - 500, LONG):
        played(match, moves)
        unpacked.clear()
        match.welcome(0)
        numbers.append(len(unpacked))
    assert numbers[1] <= numbers[0] + 1 < 100
