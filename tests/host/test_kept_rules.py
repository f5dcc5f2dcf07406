"""A table goes on with the shipped rulesets as they were when it was opened, whatever lies there by then."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from house import House, Person, play_on, run

from interpreter.api import record
from interpreter.base.resources import find
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.bot_times import Turn
from interpreter.interfaces.host.bot_workers import BotWorkers
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.house_rules_text import WrongGame
from interpreter.interfaces.host.kept_rules import KeptRules
from interpreter.interfaces.host.made_again import History
from interpreter.interfaces.host.store import Store
from interpreter.interfaces.host.worker import Opening, Worker
from interpreter.language.overlay import files as overlay_files

THREE, TWO = (f"pass_count: {{type: integer, min: 0, max: 4, default: {number}" for number in (3, 2))
OVERLAY = "format: 1\nid: grandmas\nname: Grandma's\nextends: hearts\nvalues: {points: {JD: -10}}\n"
NAMES = ["Anna", "Ada", "Bruno", "Clara"]


@pytest.fixture
def earlier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Has shipped rulesets lie there as an earlier version of the program brought them, or as they are."""
    folder = tmp_path / "earlier"
    shutil.copytree(find("rulesets"), folder / "rulesets")
    hearts = folder / "rulesets" / "hearts.yaml"
    text = hearts.read_text()
    assert THREE in text
    hearts.write_text(text.replace(THREE, TWO))

    def lies_there(is_earlier: bool) -> None:
        monkeypatch.setattr(overlay_files, "find", (lambda name: folder / name) if is_earlier else find)

    return lies_there


def passed(person: Person) -> int:
    """How many cards somebody is to pass."""
    return len(person.offers()[0].split()) - 1


@pytest.mark.parametrize("given", [{}, {"overlays": [OVERLAY]}], ids=["shipped", "house rules"])
@pytest.mark.parametrize("shared", [False, True], ids=["alone", "shared"])
def test_a_match_goes_on_after_an_update_with_the_rules_that_it_began_with(
    tmp_path: Path, earlier: Callable[[bool], None], given: dict[str, Any], shared: bool
) -> None:
    before: list[Person] = []

    async def plays(house: House) -> None:
        people = await house.table_of(4, **given)
        assert await play_on(people, 2) == 2
        for person in people:
            await person.settled()
        assert {passed(person) for person in people if person.offers()} == {2}
        before.extend(people)

    async def goes_on(house: House) -> None:
        after = [await house.come(person.links) for person in before]
        for person, old in zip(after, before, strict=True):
            await person.welcome()
            assert (person.scene, person.lines, person.table.get("why")) == (old.scene, old.lines, None)
        assert await play_on(after, 8) == 8
        async with house.client() as client:
            rules = (await client.get(f"/api/tables/{before[0].links['table']}/rules")).text
        assert "you pass 2 cards" in rules
        (new,) = await house.table_of(1, **given)
        assert passed(new) == 3, "a new table has the rules that lie there now"

    earlier(True)
    run(plays, tmp_path, shared=shared)
    earlier(False)
    run(goes_on, tmp_path, shared=shared)


def test_bots_think_with_the_rules_of_their_table(tmp_path: Path, earlier: Callable[[bool], None]) -> None:
    """Their processes read what lies there when they are begun: here that is never what the table has."""
    earlier(True)

    async def scene() -> None:
        store, workers = Store(f"sqlite:///{tmp_path / 'tables.db'}"), BotWorkers(1)
        games = KeptRules(store)
        spec = e.GameSpec("hearts")
        try:
            played = await games.game(spec)
            made = HostedMatch(played.game, NAMES).begun().made
            chance: dict[str, list[Any]] = {}
            for place, outcome in made.chance:
                chance.setdefault(place, []).append(outcome)
            opening = Opening(spec, NAMES, History([], chance, []), played.rules.digest, played.rules.texts)
            move = await workers.think("t", opening, Turn(1, "medium", 0, False), 1.0)
            assert move is not None and len(move.split()) == 1 + 2
        finally:
            await workers.close()
            store.stop()

    asyncio.run(scene())


def test_what_a_ruleset_says_is_kept_once_and_held_once(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        tables = [await house.table_of(1, "hearts") for _ in range(2)]
        await house.table_of(1, "hearts", players=4, options={"target": 50})
        await house.table_of(1, "spit", players=2, variants=["five_card_hand"])
        games = house.service._games
        digests = [house.service.at_hand(one.links["table"]).state.opened.digest for (one,) in tables]  # type: ignore[union-attr]
        assert len(set(digests)) == 1
        first, other = [await games.game(spec) for spec in (e.GameSpec("hearts"), e.GameSpec("hearts", 4))]
        assert first.rules.texts["hearts"] is other.rules.texts["hearts"]
        with closing(sqlite3.connect(tmp_path / "tables.db")) as found:
            kept = dict(found.execute("select digest, text from rulesets"))
        assert len(kept) == 2 and set(digests) < set(kept)
        house.service.store.keep_text(digests[0], "{}")  # as another server may that opens such a table
        assert await games.texts(digests[0]) == first.rules.texts

    run(scene, tmp_path)


def test_tables_of_a_server_that_kept_no_rulesets_go_on(tmp_path: Path) -> None:
    """With what lies there: the database is opened as it is, and an event without a digest is what it was."""
    people: list[Person] = []

    async def plays(house: House) -> None:
        people.extend(await house.table_of(2, "crazy-eights", players=2))
        await play_on(people, 3)

    async def goes_on(house: House) -> None:
        after = [await house.come(person.links) for person in people]
        for person in after:
            await person.welcome()
            assert person.scene is not None and person.table["state"] == "playing"
        assert await play_on(after, 3) == 3

    run(plays, tmp_path)
    with closing(sqlite3.connect(tmp_path / "tables.db")) as found:
        found.execute("drop table rulesets")
        (body,) = found.execute("select body from events where n = 1").fetchone()
        opened = e.decode(body)
        assert isinstance(opened, e.Opened) and opened.digest
        opened.digest = ""
        old = e.encode(opened)
        assert b"digest" not in old
        found.execute("update events set body = ? where n = 1", (old,))
        found.commit()
    run(goes_on, tmp_path)


def test_where_a_text_is_not_there_any_more_a_table_has_what_lies_there(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        spec = e.GameSpec("hearts")
        games = house.service._games
        assert (await games.game(spec, "f" * 32)).rules == (await games.game(spec)).rules

    run(scene, tmp_path)


def test_rules_that_a_version_does_not_understand_are_told_as_such(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        house.service.store.keep_text("later", json.dumps({"hearts": "format: 9\nid: hearts\n"}))
        with pytest.raises(WrongGame, match="does not understand the rules with which the table was opened"):
            await house.service._games.game(e.GameSpec("hearts"), "later")
        assert (await house.service._games.game(e.GameSpec("hearts"))).game.ruleset.id == "hearts"

    run(scene, tmp_path)


UNKEPT = "a record of this match could never be read again: line 1: this line is too long"


def test_a_match_of_which_no_record_could_be_read_again_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No table is opened for it, and the words are those with which `play --record` refuses it."""

    async def scene(house: House) -> None:
        async with house.client(host=True) as client:
            assert (await client.post("/api/tables", json={"game": {"source": "hearts"}})).status_code == 200
            monkeypatch.setattr(record, "MAX_HEADER", 200)
            refused = await client.post("/api/tables", json={"game": {"source": "hearts"}})
            assert refused.status_code == 422 and UNKEPT in refused.text

    run(scene, tmp_path)


def test_nor_is_one_with_house_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spec = {"source": "hearts", "overlays": [OVERLAY]}
    assert Worker()._players(spec) == [4, "Grandma's", ["hearts"]]
    monkeypatch.setattr(record, "MAX_HEADER", 200)
    with pytest.raises(WrongGame, match=UNKEPT):
        Worker()._players(spec)


def test_a_table_is_opened_with_the_rules_that_are_at_hand_whatever_lies_there_by_then(
    tmp_path: Path, earlier: Callable[[bool], None]
) -> None:
    async def scene(house: House) -> None:
        earlier(True)
        games, spec = house.service._games, e.GameSpec("hearts")
        found = await games.to_open(spec)
        hearts = tmp_path / "earlier" / "rulesets" / "hearts.yaml"
        hearts.write_text(hearts.read_text().replace(TWO, THREE))
        assert await games.to_open(spec) is found

    run(scene, tmp_path)
