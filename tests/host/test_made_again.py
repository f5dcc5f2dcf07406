"""Moves that were answered are made again however long that takes, and the record of a match can always be had."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from house import House, Person, agreed, play_on, run
from test_house_rules import OVERLAY, short_of
from test_neither_stored_nor_answered import _play, _played
from test_strange_places import begun, looks_back, over

import interpreter
from interpreter.base.packed import FAR, NEAR, Packed
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.host import child_match, match_again, records_of_matches, service, worker
from interpreter.interfaces.host.child_match import PART, SECONDS, ChildMatch
from interpreter.interfaces.host.child_process import Child, ChildGone, TookLong
from interpreter.interfaces.host.hosted_match import head_of
from interpreter.interfaces.host.made_again import History, record_of
from interpreter.interfaces.host.match_again import A_WHILE, LATE, MOST
from interpreter.interfaces.host.protocol import PHRASES
from interpreter.interfaces.host.table_events import GameSpec
from interpreter.interfaces.host.worker import Opening

GAME = {"game": "crazy-eights", "players": 2, "overlays": [short_of("own")]}
Opens = Callable[[ChildMatch, int], Any]
opens = ChildMatch.open


async def played(house: House, moves: int = 4) -> list[Person]:
    """Two people at a table with house rules, at which so many moves were answered."""
    people = await house.table_of(2, **GAME)
    assert await play_on(people, moves) == moves
    for person in people:
        await person.settled()
    return people


async def comes_back(house: House, person: Person) -> Person:
    """The page of somebody who comes when the table has left memory; its match is not there yet."""
    page = await house.come(person.links)
    page.links = person.links
    await page.welcome()
    return page


def moves_in(record: str) -> list[str]:
    return [json.loads(line)["move"] for line in record.splitlines()[1:]]


class _FakeChild:
    """Stands for a process in which one part after the other is made, each in most of its time."""

    def __init__(self, parts: int) -> None:
        self.left, self.asked = parts, list[tuple[str, float]]()

    async def ask(self, method: str, *given: Any, seconds: float, **more: Any) -> bool:
        self.asked.append((method, seconds))
        self.left -= 1
        return self.left == 0


@pytest.mark.parametrize("late", [0, 2, 1_000])
def test_each_part_of_a_match_has_as_long_as_its_moves_had_however_many_there_are(late: int) -> None:
    child: Any = _FakeChild(300)
    match = ChildMatch(child, lambda: None, Opening(GameSpec("hearts"), [], History()))
    asyncio.run(match.open(late))
    (first, *_), others = child.asked[0], child.asked[1:]
    assert first == "open" and len(others) == 299 and {method for method, _ in others} == {"go_on"}
    assert {seconds for _, seconds in others} == {PART + min(child_match.LONGEST, 2 * SECONDS * (1 + late))}


def test_a_process_makes_so_much_of_a_match_at_once_and_then_the_rest() -> None:
    match, history = _played("hearts", 30)
    opening = msgspec.to_builtins(Opening(GameSpec("hearts"), ["A", "B", "C", "D"], history))
    one, other = worker.Worker(), worker.Worker()
    assert other._open(opening, 1e9) is True
    assert one._open(opening, 0.0) is False
    parts = 1
    while not one._go_on(0.0):
        parts += 1
        assert one._coming is not None
        s = one._coming[1].state.position
        assert isinstance(s.log, Packed) and isinstance(s.record_moves, Packed), "it needs no more room than in play"
        assert max(Packed.__len__(s.log) - s.log._many, 1) < FAR + NEAR
    assert parts == 30 and one._match is not None and other._match is not None
    assert one._match.state.log == other._match.state.log == match.state.log
    assert one._match.takes()[0] == 30 and one._match.takes(10)[0] == 10
    assert 0 < one._match.takes(10)[1] < one._match.takes()[1]


def test_moves_that_the_rules_do_not_know_any_more_end_the_match_and_are_no_fault_of_the_program() -> None:
    opening = Opening(GameSpec("hearts"), ["A", "B", "C", "D"], History([(1, 0, "play 2C", {})]))
    with pytest.raises(RuleError, match="has changed since this was played"):
        worker.Worker()._open(msgspec.to_builtins(opening), 1.0)


def test_people_are_told_and_can_talk_while_a_match_is_made_again_and_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before: list[Person] = []
    may_go_on = asyncio.Event()

    async def plays(house: House) -> None:
        before.extend(await played(house))

    async def waits(match: ChildMatch, late: int = 0) -> None:
        await may_go_on.wait()
        await opens(match, late)

    async def goes_on(house: House) -> None:
        anna, ben = after = [await comes_back(house, person) for person in before]
        for page in after:
            await page.until(lambda page=page: page.table.get("why") == A_WHILE)  # type: ignore[misc]
            assert page.scene is None and page.table["state"] == "playing"
        await anna.say(type="chat", text=PHRASES[0])
        await ben.until(lambda: any(heard["type"] == "chat" for heard in ben.heard))
        assert (await looks_back(house, ben, "record")).json()["why"] == "early"
        may_go_on.set()
        for page, old in zip(after, before, strict=True):
            await page.until(lambda page=page: page.scene is not None)  # type: ignore[misc]
            assert (page.scene, page.lines) == (old.scene, old.lines) and not page.table.get("why")
        assert await play_on(after, 2) == 2

    run(plays, tmp_path)
    monkeypatch.setattr(child_match, "PART", 0.0)
    monkeypatch.setattr(match_again, "AT_ONCE", 0.05)
    monkeypatch.setattr(ChildMatch, "open", waits)
    run(goes_on, tmp_path)


def test_a_match_that_takes_too_long_to_be_made_again_is_not_over_and_is_tried_again_with_more_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before: list[Person] = []
    tried: list[int] = []

    async def plays(house: House) -> None:
        before.extend(await played(house))

    async def takes_long(match: ChildMatch, late: int = 0) -> None:
        tried.append(late)
        if late <= MOST:  # more often than a match may fail
            raise TookLong("It took too long.")
        await opens(match, late)

    async def goes_on(house: House) -> None:
        after = [await comes_back(house, person) for person in before]
        anna = after[0]
        await anna.until(lambda: anna.table.get("why") == LATE)
        assert anna.table["state"] == "playing"
        for page, old in zip(after, before, strict=True):
            await page.until(lambda page=page: page.scene is not None)  # type: ignore[misc]
            assert (page.scene, page.lines) == (old.scene, old.lines)
        assert tried == list(range(MOST + 2)) and len(house.service.children) == 1
        table = house.service.at_hand(anna.links["table"])
        assert table is not None and table.state.state == "playing"
        assert await play_on(after, 2) == 2

    run(plays, tmp_path)
    monkeypatch.setattr(match_again, "LOOKS_FOR_ROOM", 0.05)
    monkeypatch.setattr(ChildMatch, "open", takes_long)
    run(goes_on, tmp_path)


def test_a_process_that_takes_too_long_says_so_in_a_way_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        child = Child(confined=True)
        try:
            await child.ask("form", GameSpec("hearts"), seconds=10)
            with pytest.raises(TookLong):
                await child.ask("form", GameSpec("cribbage"), seconds=0.0001)
        finally:
            child.close()
            await child.gone()

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("error", "why", "times"),
    [
        (ChildGone("It needed too much memory."), "It needed too much memory.", MOST + 1),
        (ZeroDivisionError(), "Something went wrong.", MOST + 1),
        (RuleError("they say nothing"), "they say nothing", 1),
    ],
)
def test_a_match_that_cannot_be_made_again_ends_and_its_record_is_there_then_and_later(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    why: str,
    times: int,
) -> None:
    caplog.set_level(logging.CRITICAL, "houserules.host")
    people: list[Person] = []
    tried: list[int] = []
    records: list[str] = []

    async def fails(match: ChildMatch, late: int = 0) -> None:
        tried.append(late)
        raise error

    async def plays(house: House) -> None:
        people.extend(await played(house))

    async def ends(house: House) -> None:
        anna = await comes_back(house, people[0])
        await anna.until(lambda: anna.table["state"] == "over")
        assert anna.table["why"] == f"The rules cannot go on: {why}" and len(tried) == times
        records.append(await recorded(house, anna))
        replay = await looks_back(house, anna, "replay")
        assert replay.status_code == 409 and "cannot be looked at" in replay.json()["error"]

    async def later(house: House) -> None:
        anna = await comes_back(house, people[0])
        records.append(await recorded(house, anna))
        assert not house.service.children

    run(plays, tmp_path)
    monkeypatch.setattr(match_again, "LOOKS_FOR_ROOM", 0.05)
    monkeypatch.setattr(ChildMatch, "open", fails)
    run(ends, tmp_path)
    run(later, tmp_path)
    assert len(moves_in(records[0])) == 4 and records[1] == records[0]


async def recorded(house: House, person: Person) -> str:
    answer = await looks_back(house, person, "record")
    assert answer.status_code == 200, answer.text
    return answer.text


def test_the_record_of_a_match_needs_no_place_and_is_the_same_to_the_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people: list[Person] = []
    records: list[str] = []

    async def plays(house: House) -> None:
        people.extend(await over(house))
        records.append(await recorded(house, people[0]))

    async def looks(house: House) -> None:
        anna = await comes_back(house, people[0])
        records.append(await recorded(house, anna))
        assert "at most 0 matches" in (await looks_back(house, anna, "replay")).json()["error"]

    run(plays, tmp_path)
    monkeypatch.setattr(service, "MOST_STRANGE", 0)
    run(looks, tmp_path)
    assert records[0] == records[1]
    (tmp_path / "house-rules-1.yaml").write_text(short_of("own"))
    monkeypatch.chdir(tmp_path)
    state = interpreter.replay(records[0])
    assert state.over and state.record() == records[0]


def test_records_of_a_table_are_written_one_after_the_other_however_many_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are long; the threads in which they are written are those of all tables."""
    writing, at_once = [0], [0]

    def counted(head: Any, history: History) -> str:
        writing[0] += 1
        at_once[0] = max(at_once[0], writing[0])
        time.sleep(0.05)
        writing[0] -= 1
        return record_of(head, history)

    async def scene(house: House) -> None:
        anna, *_ = await over(house)
        monkeypatch.setattr(records_of_matches, "record_of", counted)
        found = await asyncio.gather(*(recorded(house, anna) for _ in range(6)))
        assert len(set(found)) == 1 and at_once == [1]

    run(scene, tmp_path)


@pytest.mark.parametrize("game", [GAME, {"game": "crazy-eights", "players": 2}])
def test_a_record_of_which_the_first_line_was_not_stored_is_there_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: dict[str, Any]
) -> None:
    """As where a server of before has begun the match."""

    async def scene(house: House) -> None:
        people = await house.table_of(2, **{"options": {"target_score": 0}, **game})
        await play_on(people, 5_000)
        await people[0].until(lambda: people[0].table["state"] == "over")
        first, *moves = (await recorded(house, people[0])).splitlines()
        table = house.service.at_hand(people[0].links["table"])
        assert table is not None and table.state.head["game"]["ruleset"] == json.loads(first)["game"]["ruleset"]
        table.state.head = {}
        again, *made = (await recorded(house, people[0])).splitlines()
        known, found = json.loads(first), json.loads(again)
        assert list(known) == list(found)
        assert [found[key] for key in ("game", "name", "from", "chance")] == [
            known[key] for key in ("game", "name", "from", "chance")
        ]
        assert moves_in("\n".join([again, *made])) == moves_in("\n".join([first, *moves])) and len(made) > 5

    run(scene, tmp_path)


def test_the_record_of_a_match_of_which_moves_were_taken_back_is_what_the_match_itself_would_write() -> None:
    match, _ = _played("hearts", 3)
    found, _ = match.undo(1, "", [])
    kept = History(found.moves, found.chance, found.redrawn)
    for _ in range(60):  # into the second deal
        _play(match, kept)
    record = record_of(head_of(match.game, match.state.seed), kept)
    assert record == match.state.record() and '"seed":' in record.partition("\n")[2]
    assert interpreter.replay(record).log == match.state.log


def test_a_match_that_is_over_leaves_its_place_to_another_also_while_it_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people: list[Person] = []

    async def waits(match: ChildMatch, late: int = 0) -> None:
        if match._opening.history.moves:
            await match._child.ask("form", match._opening.game, seconds=20.0)
            await asyncio.Event().wait()
        await opens(match, late)

    async def plays(house: House) -> None:
        people.extend(await over(house))

    async def looks(house: House) -> None:
        anna = await comes_back(house, people[0])
        await anna.until(lambda: anna.table.get("why") == A_WHILE)
        await house.service.leave_idle()
        assert len(house.service.children) == 1, "somebody waits for it"
        assert await begun(house, await house.open("hearts", overlays=[OVERLAY])) == ""
        assert len(house.service.children) == 1
        await anna.until(lambda: "as soon as there is room" in anna.table.get("why", ""))

    run(plays, tmp_path)
    monkeypatch.setattr(service, "MOST_STRANGE", 1)
    monkeypatch.setattr(service, "LOOKED", 1e-9)
    monkeypatch.setattr(match_again, "AT_ONCE", 0.05)
    monkeypatch.setattr(match_again, "LOOKS_FOR_ROOM", 0.1)
    monkeypatch.setattr(ChildMatch, "open", waits)
    run(looks, tmp_path)


def test_a_table_that_leaves_memory_takes_the_process_along_in_which_its_match_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people: list[Person] = []

    async def never(match: ChildMatch, late: int = 0) -> None:
        await match._child.ask("form", match._opening.game, seconds=20.0)
        await asyncio.Event().wait()

    async def plays(house: House) -> None:
        people.extend(await played(house))

    async def leaves(house: House) -> None:
        anna = await comes_back(house, people[0])
        (child,) = house.service.children
        while child.process is None:
            await asyncio.sleep(0.02)
        process = child.process
        await anna.close()
        await house.service._leave(anna.links["table"])
        assert not house.service.children and child.process is None
        await process.wait()

    run(plays, tmp_path)
    monkeypatch.setattr(match_again, "AT_ONCE", 0.05)
    monkeypatch.setattr(ChildMatch, "open", never)
    run(leaves, tmp_path)


def test_what_would_make_a_long_match_again_is_refused_and_the_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        people = await played(house)
        table = house.service.at_hand(people[0].links["table"])
        assert table is not None
        while len(table.state.last) < 2:  # whoever draws first may have made all moves so far
            await play_on(people, 1)
        anna, ben = people if people[1].offers() else people[::-1]
        match = table.match
        monkeypatch.setattr(child_match, "LONGEST", 0.0)
        for _ in range(MOST + 1):
            await anna.say(type="propose", what="undo")
            assert (await anna.message("error"))["text"] in (
                child_match.TOO_LONG,
                "What was done last is not taken back.",
            )
        assert table.match is match and not table.state.why and "proposal" not in ben.table
        assert await play_on(people, 5_000) > 1
        await anna.until(lambda: anna.table["state"] == "over")
        assert not anna.table.get("why")
        no = await looks_back(house, anna, "replay")
        assert (no.status_code, no.json()["error"], no.json()["why"]) == (409, child_match.TOO_LONG, "long")
        assert table.match is match and len(moves_in(await recorded(house, anna))) > 4

    run(scene, tmp_path)


def test_a_rematch_does_not_wait_for_the_last_match_to_be_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people: list[Person] = []

    async def waits(match: ChildMatch, late: int = 0) -> None:
        if match._opening.history.moves:
            await asyncio.Event().wait()
        await opens(match, late)

    async def plays(house: House) -> None:
        people.extend(await over(house))

    async def plays_again(house: House) -> None:
        anna, ben = after = [await comes_back(house, person) for person in people]
        await anna.until(lambda: anna.table.get("why") == A_WHILE)
        await agreed(anna, ben, "rematch")
        for page in after:
            await page.until(lambda page=page: page.scene is not None)  # type: ignore[misc]
            assert page.table["state"] == "playing" and page.table["match"] == 2
        assert len(house.service.children) == 1
        assert await play_on(after, 2) == 2

    run(plays, tmp_path)
    monkeypatch.setattr(match_again, "AT_ONCE", 0.05)
    monkeypatch.setattr(ChildMatch, "open", waits)
    run(plays_again, tmp_path)


def test_the_processor_time_of_a_process_counts_from_when_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    limits: list[Any] = []
    for used, hard, most in ((0.0, -1, 3600), (5000.7, -1, 8600), (5000.7, 6000, 6000)):
        monkeypatch.setattr(resource, "getrusage", lambda _, used=used: SimpleNamespace(ru_utime=used, ru_stime=0.0))
        monkeypatch.setattr(resource, "getrlimit", lambda _, hard=hard: (hard, hard))
        monkeypatch.setattr(resource, "setrlimit", lambda *given: limits.append(given))
        worker.limit_time()
        assert limits.pop() == (resource.RLIMIT_CPU, (most, hard))
