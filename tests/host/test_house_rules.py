"""House rules that somebody writes into the page: looked at and played in processes of their own."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
import uvloop
from house import House, Person, goes_on_after_a_restart, play_on, run

import interpreter
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.host import catalogue_of_games
from interpreter.interfaces.host.child_match import ChildMatch
from interpreter.interfaces.host.child_process import WITHIN, Child, ChildGone, clear_left_over, memory_of
from interpreter.interfaces.host.hints import SLOW
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.hosted_steps import Standing, Step
from interpreter.interfaces.host.house_rules_text import WrongGame, game_of
from interpreter.interfaces.host.made_again import History
from interpreter.interfaces.host.match_again import MOST
from interpreter.interfaces.host.table_events import GameSpec
from interpreter.interfaces.host.worker import LONGEST_LINE, Opening, Request

OVERLAY = """\
format: 1
id: grandmas-hearts
name: Grandma's Hearts
extends: hearts
options: {target: {default: 75}}
values: {points: {JD: -10}}
"""


def test_house_rules_are_checked_told_in_words_and_played(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        async with house.client(host=True) as client:
            wrong = await client.post(
                "/api/check", json={"source": "hearts", "overlays": [OVERLAY.replace("JD", "XX")]}
            )
            finding, *_ = wrong.json()["findings"]
            assert (finding["line"], finding["file"], finding["severity"]) == (6, 0, "error")
            right = (await client.post("/api/check", json={"source": "hearts", "overlays": [OVERLAY]})).json()
            assert "at least 75" in right["difference"] and right["form"]["name"] == "Grandma's Hearts"
            lesson = (await client.post("/api/lesson", json={"source": "hearts", "overlays": [OVERLAY]})).json()
            assert "75 points" in lesson["end"] and "75 points" in lesson["text"] and lesson["minutes"] in range(1, 9)
            assert "Every rule in detail" not in lesson["text"]
            broken = await client.post("/api/tables", json={"game": {"source": "hearts", "overlays": ["format: ["]}})
            assert broken.status_code == 422 and broken.json()["diagnostics"]
        people = await house.table_of(4, "hearts", overlays=[OVERLAY])
        assert people[0].table["game"] == "Grandma's Hearts"
        assert await play_on(people, 6) == 6
        refused = await people[0].move("play 99X", ask=people[0].ask["n"] if people[0].ask else 0)
        assert refused["type"] == "refused"
        again = await house.come(people[0].links)
        await again.welcome()
        await people[0].settled()
        assert again.scene == people[0].scene

    run(scene, tmp_path)


def test_the_form_is_of_the_variants_that_are_chosen_also_where_one_is_a_ruleset_of_its_own(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        async with house.client() as client:
            plain = (await client.get("/api/games/spit/form")).json()
            many = (await client.get("/api/games/spit/form?variants=many_players")).json()
            assert max(plain["players"]["counts"]) == 2 and max(many["players"]["counts"]) > 2
            assert (many["name"], many["variants"]) == (plain["name"], plain["variants"])
            assert [one["name"] for one in plain["variants"] if one["other"]]
            apart = {one["name"]: one["apart"] for one in plain["variants"]}
            assert "many_players" in apart["five_card_hand"] and apart["many_players"] == ["five_card_hand"]
            assert apart["both_hands"] == []
            assert (await client.get("/api/games/spit/form?variants=none_such")).status_code == 404
        links = await house.open("spit", players=max(many["players"]["counts"]), variants=["many_players"])
        anna = await house.come(links)
        assert len((await anna.welcome())["table"]["seats"]) == max(many["players"]["counts"])

    run(scene, tmp_path)


def test_forms_are_made_once_and_one_after_the_other_however_many_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody may ask for one; the threads in which they are made are those of all tables."""
    form = catalogue_of_games.form
    assert form("spit", ["many_players", "two_packs"] * 1_000) is form("spit", ["both_hands", "many_players"])
    making, at_once = [0], [0]

    def counted(name: str, variants: Iterable[str]) -> dict[str, Any] | None:
        making[0] += 1
        at_once[0] = max(at_once[0], making[0])
        time.sleep(0.05)
        making[0] -= 1
        return form(name, variants)

    async def scene(house: House) -> None:
        async with house.client() as client:
            monkeypatch.setattr(catalogue_of_games, "form", counted)
            answers = await asyncio.gather(*(client.get("/api/games/spit/form") for _ in range(8)))
            assert {answer.status_code for answer in answers} == {200} and at_once == [1]

    run(scene, tmp_path)


def test_the_form_tells_what_each_variant_sets_also_one_of_house_rules(tmp_path: Path) -> None:
    ours = "format: 1\nid: ours\nextends: hearts\nvariants: {long_game: {doc: Long., set: {target: 200}}}\n"

    async def scene(house: House) -> None:
        async with house.client(host=True) as client:
            shipped = (await client.get("/api/games/hearts/form")).json()
            right = (await client.post("/api/check", json={"source": "hearts", "overlays": [ours]})).json()
        for form, more in ((shipped, {}), (right["form"], {"long_game": {"target": 200}})):
            told = {variant["name"]: variant["set"] for variant in form["variants"]}
            assert told == {"three_handed": {}, "five_handed": {}, "short_game": {"target": 50}, **more}
            assert [variant["players"] for variant in form["variants"]][:3] == [3, 5, None]

    run(scene, tmp_path)


def test_house_rules_go_on_after_a_restart_as_they_were(tmp_path: Path) -> None:
    goes_on_after_a_restart(tmp_path, 6, 2, "hearts", overlays=[OVERLAY])


def test_a_record_of_house_rules_is_replayed_with_what_comes_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = "format: 1\nid: mine\nname: Mine\nextends: crazy-eights\noptions: {target_score: {default: 0}}\n"

    async def scene(house: House) -> None:
        people = await house.table_of(2, "crazy-eights", players=2, overlays=[rules])
        anna = people[0]
        await play_on(people, 3_000)
        await anna.until(lambda: anna.table["state"] == "over")
        async with house.client() as client:
            client.cookies.set(f"seat-{anna.links['table']}-0", anna.links["secret"])
            found = [
                await client.post(f"/api/tables/{anna.links['table']}/{what}", json={})
                for what in ("record", "house-rules")
            ]
        folder = tmp_path / "downloads"
        folder.mkdir()
        for name, text in found[1].json():
            (folder / name).write_text(text)
        monkeypatch.chdir(folder)
        state = interpreter.replay(found[0].text)
        assert state.over and state.game.ruleset.name == "Mine"

    run(scene, tmp_path)


def test_no_more_than_so_many_matches_of_strangers_are_played_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.interfaces.host.service.MOST_STRANGE", 1)

    async def scene(house: House) -> None:
        await house.table_of(1, "hearts", overlays=[OVERLAY])
        second = await house.come(await house.open("hearts", overlays=[OVERLAY]))
        await second.welcome()
        await second.say(type="order", what="start")
        assert "at most 1 matches" in (await second.message("error"))["text"]
        assert second.table["state"] == "lobby"
        assert not any(seat.get("bot") for seat in second.table["seats"])

    run(scene, tmp_path)


def test_a_match_that_finds_no_room_after_a_restart_waits_for_it_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables: list[list[Person]] = []

    async def plays(house: House) -> None:
        tables.extend([await house.table_of(1, "hearts", overlays=[OVERLAY]) for _ in range(2)])

    async def goes_on(house: House) -> None:
        first, *_ = tables[0]
        await (await house.come(first.links)).until(lambda: bool(house.service.children))
        second = await house.come(tables[1][0].links)
        assert (await second.welcome()).get("scene") is None
        await second.until(lambda: "at most 1 matches" in second.table.get("why", ""))
        assert second.table["state"] == "playing"
        refused = await second.move("pass 2C 3C 4C")
        assert refused["type"] == "refused" and "No match is going on" in refused["text"]
        for child in list(house.service.children):
            child.close()
        house.service.children.clear()  # the first match is over
        await second.until(lambda: second.scene is not None and not second.table.get("why"))
        assert await play_on([second], 1) == 1

    run(plays, tmp_path)
    monkeypatch.setattr("interpreter.interfaces.host.service.MOST_STRANGE", 1)
    monkeypatch.setattr("interpreter.interfaces.host.match_again.LOOKS_FOR_ROOM", 0.1)
    run(goes_on, tmp_path)


def short_of(name: str) -> str:
    """House rules with which a match is over after a deal."""
    return f"format: 1\nid: {name}\nname: Own\nextends: crazy-eights\noptions: {{target_score: {{default: 0}}}}\n"


async def rematch_of(people: list[Person]) -> None:
    first, second = people
    await first.say(type="propose", what="rematch")
    await second.until(lambda: "proposal" in second.table)
    await second.say(type="vote", yes=True)
    await first.until(lambda: first.table["state"] == "playing")


def test_a_rematch_that_begins_before_the_last_match_finds_room_again_stays_and_keeps_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables: list[list[Person]] = []

    async def plays(house: House) -> None:
        tables.append(await house.table_of(2, "crazy-eights", players=2, overlays=[short_of("own")]))
        tables.append(await house.table_of(1, "hearts", overlays=[OVERLAY]))
        await play_on(tables[0], 5_000)
        await tables[0][0].until(lambda: tables[0][0].table["state"] == "over")

    async def plays_again(house: House) -> None:
        links = tables[1][0].links["table"]
        other = await house.come(tables[1][0].links)
        await other.welcome()
        people = [await house.come(person.links) for person in tables[0]]
        await people[0].until(lambda: "as soon as there is room" in people[0].table.get("why", ""))
        await house.service._leave(links)
        await rematch_of(people)
        assert "why" not in people[0].table or not people[0].table["why"]
        table = house.service.at_hand(tables[0][0].links["table"])
        assert table is not None
        match = table.match
        monkeypatch.setattr("interpreter.interfaces.host.service.MOST_STRANGE", 2)
        await asyncio.sleep(1.5)
        assert table.match is match and len(house.service.children) == 1

    run(plays, tmp_path)
    monkeypatch.setattr("interpreter.interfaces.host.service.MOST_STRANGE", 1)
    monkeypatch.setattr("interpreter.interfaces.host.match_again.LOOKS_FOR_ROOM", 1.0)
    run(plays_again, tmp_path)


def test_a_rematch_takes_the_room_of_the_last_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.interfaces.host.service.MOST_STRANGE", 1)

    async def scene(house: House) -> None:
        people = await house.table_of(2, "crazy-eights", players=2, overlays=[short_of("own")])
        for _ in range(2):
            await play_on(people, 5_000)
            await people[0].until(lambda: people[0].table["state"] == "over")
            await rematch_of(people)
            assert len(house.service.children) == 1

    run(scene, tmp_path)


def test_a_process_that_is_asked_nothing_after_its_first_question_is_ended_with_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables: list[list[Person]] = []
    asked = asyncio.Event()

    async def never(match: ChildMatch) -> Standing:
        asked.set()
        return await asyncio.Future()

    async def plays(house: House) -> None:
        tables.append(await house.table_of(1, "hearts", overlays=[OVERLAY]))

    async def leaves(house: House) -> None:
        page = await house.come(tables[0][0].links)
        await asked.wait()
        await page.close()
        await house.service._leave(tables[0][0].links["table"])
        assert not house.service.children

    run(plays, tmp_path)
    monkeypatch.setattr(ChildMatch, "standing", never)
    run(leaves, tmp_path)


def _end_processes(house: House) -> None:
    for child in house.service.children:
        child._end("It took too long.")


def test_a_match_goes_on_whose_process_has_ended(tmp_path: Path) -> None:
    """A hint, a sheet or a move that took too much ends the process and not the match, and nothing is lost."""

    async def scene(house: House) -> None:
        people = await house.table_of(4, "hearts", overlays=[OVERLAY])
        anna, ben, *_ = people
        await ben.until(lambda: bool(ben.offers()))
        assert (await ben.move(ben.offers()[0]))["type"] == "done"
        await anna.until(lambda: bool(anna.offers()))
        move = anna.offers()[0]
        for message in ({"type": "hint"}, {"type": "sheet"}, {"type": "move", "id": "m", "move": move, "ask": 0}):
            await anna.settled()
            before = anna.scene, anna.ask["acts"]
            _end_processes(house)
            await anna.say(**message)
            assert (await anna.message("error"))["text"] == "It took too long. The match goes on from its last move."
            assert (await anna.welcome())["table"]["state"] == "playing"
            assert (anna.scene, anna.ask["acts"]) == before
        assert (await anna.move(move))["type"] == "done"

    run(scene, tmp_path)


def test_a_match_that_cannot_begin_leaves_people_in_the_lobby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(house: House) -> None:
        begun = ChildMatch.begun

        async def ends(match: ChildMatch) -> Step:
            _end_processes(house)
            return await begun(match)

        monkeypatch.setattr(ChildMatch, "begun", ends)
        links = await house.open("hearts", overlays=[OVERLAY])
        anna = await house.come(links)
        await anna.say(type="order", what="start")
        assert (await anna.message("error"))["text"] == "The rules cannot go on: It took too long."
        monkeypatch.undo()
        await anna.say(type="order", what="start")
        assert (await anna.welcome())["table"]["state"] == "playing"

    run(scene, tmp_path)


def test_a_match_of_which_more_is_to_be_kept_than_can_be_is_over_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.interfaces.host.table_state.MOST_KEPT", 2_000)

    async def scene(house: House) -> None:
        anna, ben = await house.table_of(
            2, "gin-rummy", overlays=["format: 1\nid: own\nname: Own\nextends: gin-rummy\n"]
        )
        await play_on([anna, ben], 2_000)
        await anna.until(lambda: anna.table["state"] == "over")
        assert "more has been said, measured and shuffled" in anna.table["why"]

    run(scene, tmp_path)


def test_of_rules_that_are_too_long_that_is_told_and_they_are_not_made_again_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flag = f"state: {{stuck: {{type: flag, lasts: match, doc: Whether the player {'is ' * 600}}}}}"
    law = f"flow: {{tricks: {{follow: {{must: {{odd: {' or '.join(['stuck'] * 700)}}}}}}}}}"
    spec = GameSpec("hearts", overlays=[f"format: 1\nid: own\nname: Own\nextends: hearts\n{flag}\n{law}\n"])
    asked: list[str] = []
    ask = Child.ask

    async def counted(child: Child, method: str, *given: Any, **more: Any) -> Any:
        asked.append(method)
        return await ask(child, method, *given, **more)

    async def scene(house: House) -> None:
        monkeypatch.setattr(Child, "ask", counted)
        for _ in range(3):
            with pytest.raises(
                WrongGame, match="cannot be told: the rulebook of 'Own' has more than 1,000,000 letters"
            ):
                await house.service.lesson(spec)
        assert asked == ["lesson"]

    run(scene, tmp_path)


SHUFFLED = """\
format: 1
id: shuffled
name: Shuffled
players: {min: 2, max: 2, default: 2}
pack: {standard: 1, add: {joker: 1900}}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
state: {score: {each: player, type: integer, lasts: match}, tally: {type: integer, lasts: match, max: 100000}}
flow:
  match: {setup: deal 2 from stock to hand, repeat: [go], until: tally >= 10000}
  go: {kind: turn, actions: {x: {effect: shuffle stock; shuffle stock; add 1 to tally}}}
"""


def test_house_rules_with_more_options_than_a_record_can_hold_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ", ".join(f"{'word ' * 120}{number}" for number in range(190))
    texts = [SHUFFLED + f"options: {{words: {{type: list of text, default: [{words}]}}}}\n"]
    with pytest.raises(WrongGame, match="so many options that no record"):
        game_of(GameSpec("", overlays=texts))


def test_a_match_in_which_more_is_shuffled_than_its_record_can_hold_ends_and_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    match = HostedMatch(game_of(GameSpec("", overlays=[SHUFFLED])), ["Anna", "Ben"])
    match.begun()
    with pytest.raises(RuleError, match="than its record can hold"):
        for _ in range(1_000):
            match.play(match.state.actors[0], "x", None, None)
    again = interpreter.replay(match.state.record())
    assert again.position.record_moves == list(match.state.position.record_moves)
    assert 30 < len(again.position.record_moves) < 60


def test_a_match_whose_processes_end_again_and_again_ends_and_says_why_and_its_record_is_there(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, *_ = await house.table_of(4, "hearts", overlays=[OVERLAY])
        await anna.until(lambda: bool(anna.offers()))
        assert (await anna.move(anna.offers()[0]))["type"] == "done"
        for _ in range(MOST):
            _end_processes(house)
            await anna.say(type="sheet")
            assert (await anna.welcome())["table"]["state"] == "playing"
        _end_processes(house)
        await anna.say(type="sheet")
        await anna.until(lambda: anna.table["state"] == "over")
        assert anna.table["why"] == "The rules cannot go on: It took too long."
        async with house.client() as client:
            client.cookies.set(f"seat-{anna.links['table']}-0", anna.links["secret"])
            await anna.welcome()
            record = await client.post(f"/api/tables/{anna.links['table']}/record", json={})
            assert record.status_code == 200
            assert len(record.text.splitlines()) == 2  # the first move is in it

    run(scene, tmp_path)


def test_hints_that_take_too_long_end_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hint(self: ChildMatch, seat: int) -> list[str]:
        return await self._child.ask("hint", seat, seconds=0.01, kind=list[str], starts=False)  # type: ignore[no-any-return]

    monkeypatch.setattr(ChildMatch, "hint", hint)

    async def scene(house: House) -> None:
        anna, *_ = await house.table_of(4, "hearts", overlays=[OVERLAY])
        await anna.until(lambda: bool(anna.offers()))
        await anna.say(type="hint")
        assert (await anna.message("error"))["text"] == "It took too long. The match goes on from its last move."
        await anna.welcome()
        for _ in range(2 * MOST):
            await anna.settled()
            await anna.say(type="hint")
            assert (await anna.message("error"))["text"] == SLOW
        assert (await anna.move(anna.offers()[0]))["type"] == "done"
        for _ in range(MOST):  # it is not one of the times that a match is made again
            _end_processes(house)
            await anna.say(type="sheet")
            assert (await anna.welcome())["table"]["state"] == "playing"

    run(scene, tmp_path)


def test_a_hint_for_a_table_that_has_left_meanwhile_is_none(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open("hearts", overlays=[OVERLAY])
        table = house.service.at_hand(links["table"])
        assert table is not None
        await house.service._leave(links["table"])
        assert await house.service.advise(table.name, table.state, 0) is None

    run(scene, tmp_path)


def test_a_child_of_strangers_has_nothing_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSERULES_DATABASE_PASSWORD", "secret")

    async def scene() -> None:
        child = Child(confined=True)
        try:
            await child.ask("form", GameSpec("hearts"), seconds=10)
            process = child.process
            assert process is not None
            if os.path.exists(f"/proc/{process.pid}/environ"):
                environment = Path(f"/proc/{process.pid}/environ").read_bytes()
                assert b"secret" not in environment and b"HOME" not in environment
                limits = Path(f"/proc/{process.pid}/limits").read_text()
                assert "Max processes             0" in limits
                assert "NoNewPrivs:\t1" in Path(f"/proc/{process.pid}/status").read_text()
            assert not any(Path(child.folder).iterdir())
        finally:
            folder = child.folder
            child.close()
            await child.gone()
        assert folder and not Path(folder).parent.exists()

    asyncio.run(scene())


def test_a_child_that_takes_too_long_or_too_much_is_ended_and_the_next_question_gets_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        child = Child(confined=True)
        try:
            assert await child.ask("form", GameSpec("hearts"), seconds=10) == [4, "Hearts", ["hearts"]]
            with pytest.raises(ChildGone, match="too long"):
                await child.ask("form", GameSpec("cribbage"), seconds=0.0001)
            monkeypatch.setattr("interpreter.interfaces.host.child_process.MOST_MEMORY", 1)
            with pytest.raises(ChildGone, match="memory"):
                await child.ask("check", GameSpec("hearts", overlays=[OVERLAY]), seconds=10)
            monkeypatch.undo()
            assert await child.ask("form", GameSpec("hearts"), seconds=10) == [4, "Hearts", ["hearts"]]
        finally:
            child.close()
            await child.gone()

    asyncio.run(scene())


@pytest.mark.parametrize("loop", [uvloop.run, asyncio.run])
def test_a_child_that_ends_while_nobody_asks_is_started_anew(loop: Callable[..., Any]) -> None:
    async def scene() -> None:
        child = Child(confined=True)
        opening = Opening(GameSpec("hearts"), ["Anna", "Ben", "Cleo", "Dora"], History())
        match = ChildMatch(Child(confined=True), lambda: None, opening)
        try:
            for seconds in (0.0, 0.5):  # the end is noticed at once, or not yet
                await child.ask("form", GameSpec("hearts"), seconds=10)
                await match.open()
                for one in (child, match._child):
                    assert one.process is not None
                    one.process.kill()
                await asyncio.sleep(seconds)
                with pytest.raises(ChildGone, match="It "):
                    await match.standing()
                assert match.is_gone
                if seconds:
                    assert await child.ask("form", GameSpec("hearts"), seconds=10) == [4, "Hearts", ["hearts"]]
                else:
                    with suppress(ChildGone):
                        await child.ask("form", GameSpec("hearts"), seconds=10)
        finally:
            child.close()
            match.close()
            await child.gone()
            await match._child.gone()

    loop(scene())


def test_a_child_that_keeps_nothing_is_ended_when_it_is_large_and_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        child = Child(confined=True, keeps=False)
        try:
            monkeypatch.setattr("interpreter.interfaces.host.child_process.LARGE", 1)
            for _ in range(3):
                assert await child.ask("form", GameSpec("hearts"), seconds=10) == [4, "Hearts", ["hearts"]]
                until = time.monotonic() + 10
                while child.process is not None and time.monotonic() < until:
                    await asyncio.sleep(0.05)
                assert child.process is None
        finally:
            child.close()
            await child.gone()

    asyncio.run(scene())


def test_answers_are_to_what_was_asked_also_behind_what_is_too_long_or_goes_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        child = Child(confined=False)

        async def asks_hearts() -> None:
            both = [child.ask("form", GameSpec(game), seconds=10) for game in ("hearts", "spades")]
            assert [title for _, title, _ in await asyncio.gather(*both)] == ["Hearts", "Spades"]

        try:
            await asks_hearts()
            with pytest.raises(ChildGone, match="More has happened"):
                await child.ask("form", GameSpec("x" * LONGEST_LINE), seconds=10)
            await asks_hearts()
            monkeypatch.setattr("interpreter.interfaces.host.child_process.LONGEST_LINE", 3 * LONGEST_LINE)
            with pytest.raises(ChildGone, match="It "):  # the child itself takes no part for the whole
                await child.ask("form", GameSpec("x" * LONGEST_LINE), seconds=10)
            monkeypatch.undo()
            await asks_hearts()
            for method, kind in (("no_such_thing", Any), ("form", str)):
                before = child.process
                with pytest.raises(ChildGone):
                    await child.ask(method, GameSpec("hearts"), seconds=10, kind=kind)
                await asks_hearts()
                assert child.process is not before, "its next answer may be as wrong"
            assert child.process is not None and child.process.stdin is not None
            once_more = msgspec.json.encode(Request(0, "form", [GameSpec("hearts")])) + b"\n"
            child.process.stdin.write(once_more)
            with pytest.raises(ChildGone, match="something else"):
                await child.ask("form", GameSpec("spades"), seconds=10)
            await asks_hearts()
        finally:
            child.close()
            await child.gone()

    asyncio.run(scene())


def test_who_waits_for_a_process_that_ends_meanwhile_is_told_why() -> None:
    """And not that another one, which knows nothing of the match, cannot answer."""

    async def scene() -> None:
        names = ["Anna", "Ben", "Cleo", "Dora"]
        opening = Opening(GameSpec("hearts", overlays=[OVERLAY]), names, History())
        match = ChildMatch(Child(confined=True), lambda: None, opening)
        try:
            await match.open()
            assert match._child.process is not None
            match._child.process.send_signal(signal.SIGSTOP)  # it answers nothing before it ends
            asked = [asyncio.create_task(match.hint(0)), asyncio.create_task(match.standing())]
            await asyncio.sleep(0.05)
            match._child._end("It took too long.")
            for found in await asyncio.gather(*asked, return_exceptions=True):
                assert isinstance(found, ChildGone) and str(found) == "It took too long."
            assert match.is_gone
        finally:
            match.close()
            await match._child.gone()

    asyncio.run(scene())


def test_a_process_that_plays_has_nothing_of_what_terminals_need() -> None:
    asked = "import sys, interpreter.interfaces.host.worker as _; print({'rich', 'textual'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-I", "-c", asked], check=True, capture_output=True, text=True)
    assert found.stdout == "set()\n"


def test_the_memory_of_a_child_is_what_the_system_says_and_nothing_once_it_is_gone() -> None:
    command = [sys.executable, "-c", "x = b'x' * 100_000_000; print('there', flush=True); input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None and child.stdout is not None
        used = memory_of(child.pid)
        assert child.stdout.readline() == b"there\n"  # it takes no more from here on
        assert 95 <= used() < 150
        if (status := Path(f"/proc/{child.pid}/status")).exists():
            (kilobytes,) = re.findall(r"VmRSS:\s+(\d+) kB", status.read_text())
            assert abs(used() - int(kilobytes) // 1024) <= 1
        child.stdin.write(b"\n")
        child.stdin.close()
        child.wait()
        assert used() == memory_of(child.pid)() == 0


def test_folders_of_servers_that_were_ended_without_warning_go(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left, *others = (
        tmp_path / name
        for name in (
            "houserules-999999999-abcdef_1", f"houserules-{os.getpid()}-abcdef_1", "else", "houserules-2025-11-backup",
            f"houserules-{10**20}-abcdef_1", "houserules-999999998-x",
        )
    )  # fmt: skip
    for folder in (left, *others):
        (folder / WITHIN).mkdir(parents=True)
        (folder / WITHIN / "house-rules-1.yaml").write_text("secret")
    own = tmp_path / "houserules-20260101-my_rules"
    own.mkdir()
    (own / "mine.yaml").write_text("precious")
    others.append(own)
    clear_left_over()
    assert not left.exists() and all(folder.exists() for folder in others)


def test_the_folder_in_which_the_server_was_started_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own, database = tmp_path / "own", tmp_path / "database"
    for folder in (own, database):
        folder.mkdir()
    for name in ("house-rules-1.yaml", "house-rules-8.yaml"):  # as the page calls what it downloads
        (own / name).write_text("kept with a record")
    (own / "house-rules-2.yaml").mkdir()
    monkeypatch.chdir(own)

    async def scene(house: House) -> None:
        await house.table_of(2, "crazy-eights", players=2)
        async with house.client(host=True) as client:
            assert (await client.post("/api/lesson", json={"source": "hearts"})).status_code == 200
        await house.open("crazy-eights", "Anna", players=2, overlays=[short_of("own")])

    run(scene, database)
    assert sorted(path.name for path in own.iterdir()) == [f"house-rules-{n}.yaml" for n in (1, 2, 8)]
    assert (own / "house-rules-1.yaml").read_text() == "kept with a record"


def test_time_in_which_the_server_stands_still_is_not_that_of_a_match(tmp_path: Path) -> None:
    async def scene() -> None:
        child = Child(confined=True)
        spec = GameSpec("hearts", overlays=[OVERLAY])
        await child.ask("form", spec, seconds=20)
        before = child.process
        asyncio.get_running_loop().call_later(0.01, time.sleep, 1.0)
        assert await child.ask("lesson", spec, seconds=0.6)
        assert child.process is before
        with pytest.raises(ChildGone, match="too long"):
            await child.ask("lesson", GameSpec("hearts", overlays=[OVERLAY.replace("75", "76")]), seconds=0.001)
        child.close()
        await child.gone()

    asyncio.run(scene())
