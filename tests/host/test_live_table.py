"""Tables through real sockets: who sits where, what is asked, what is answered, and what is there after a restart."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from house import House, Person, agreed, goes_on_after_a_restart, play_on, run

import interpreter
from interpreter.interfaces.host import hints, requests, service, table_state
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.bot_times import Turn
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.hosted_steps import Made, Step
from interpreter.interfaces.host.local_match import LocalMatch
from interpreter.interfaces.host.race_at_table import Held
from interpreter.interfaces.host.table_state import TableState


def test_what_begins_a_match_or_makes_it_again_holds_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, bool]] = []

    class Watched(HostedMatch):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            self.note("begun again" if self.state.position.record_moves else "begun")

        def note(self, what: str) -> None:
            made.append((what, threading.current_thread() is threading.main_thread()))

        def replay(self, at: int) -> dict[str, Any]:
            self.note("replayed")
            return super().replay(at)

    monkeypatch.setattr(service, "HostedMatch", Watched)
    goes_on_after_a_restart(tmp_path, 12, 4)
    assert made == [("begun", False), ("begun again", False)]
    state = interpreter.load("pig").game(players=3).start(seed=1)
    match = LocalMatch(Watched(state.game, ["Anna", "Ben", "Cleo"]))
    asyncio.run(match.replay(0))
    assert made[-1] == ("replayed", False)


def test_people_and_bots_play_on(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(2)
        assert await play_on(people, 12) == 12
        assert [person["name"] for person in people[0].table["seats"]][:2] == ["Anna", "Ben"]
        assert [bool(person.get("bot")) for person in people[0].table["seats"]] == [False, False, True, True]
        assert people[0].lines and people[1].lines

    run(scene, tmp_path)


def test_a_page_that_comes_back_has_what_the_one_that_stayed_has(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(4)
        await play_on(people, 20)
        again = await house.come(people[1].links)
        await again.welcome()
        await people[1].settled()
        assert (again.scene, again.ask, again.lines) == (people[1].scene, people[1].ask, people[1].lines)

    run(scene, tmp_path)


def test_a_table_is_there_after_a_restart_as_it_was(tmp_path: Path) -> None:
    goes_on_after_a_restart(tmp_path, 30, 8)


def test_a_decision_is_answered_once(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(4)
        await play_on(people, 8)
        person = await one_who_is_asked(people)
        number, offers = person.ask["n"], person.offers()
        assert (await person.move(offers[0], "once", ask=number))["type"] == "done"
        assert (await person.move(offers[0], "once", ask=number))["type"] == "done", "the same id gets the same answer"
        late = await person.move(offers[-1], "twice", ask=number)
        assert late["type"] == "refused" and late["stale"]
        assert (await person.move(offers[-1], "twice", ask=number)) == late

    run(scene, tmp_path)


TWO_OFFERS = """\
format: 1
id: two-offers
name: Two offers
players: {min: 3, max: 3}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {do: [gift, debt, last]}
  gift: {kind: ask, answers: first, actions: {accept: {effect: add 10 to score}, leave: {}}}
  debt: {kind: ask, actions: {accept: {effect: subtract 100 from score}, leave: {}}}
  last: {kind: ask, actions: {leave: {}}}
"""


def test_an_answer_to_a_stage_that_has_ended_answers_no_other(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben, _ = await house.table_of(3, "", overlays=[TWO_OFFERS], players=3)
        asked = ben.ask["n"]
        assert (await anna.move("accept", ask=anna.ask["n"]))["type"] == "done"
        late = await ben.move("accept", ask=asked)
        assert late["type"] == "refused" and late["stale"]
        await ben.settled()
        assert sorted(seat["score"] for seat in ben.scene["seats"]) == [0, 0, 10]
        assert (await ben.move("leave", ask=ben.ask["n"]))["type"] == "done"

    run(scene, tmp_path)


def test_a_move_that_breaks_a_law_is_refused_in_words(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(4)
        await play_on(people, 4)
        for person in people:
            await person.settled()
        other = next(person for person in people if not person.offers())
        events = len(house.service.store.events(people[0].links["table"]))
        refused = await other.move("play 2C", ask=0)
        assert refused["type"] == "refused" and refused["text"]
        assert len(house.service.store.events(people[0].links["table"])) == events, (
            "nothing is kept of what did not happen"
        )
        answer = await (await one_who_is_asked(people)).move("play 99X")
        assert answer["type"] == "refused" and not answer.get("stale")

    run(scene, tmp_path)


def test_who_watches_sees_no_hand_and_moves_nothing(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(4)
        watcher = await house.come(people[0].links, token=people[0].links["watch"])
        await watcher.welcome()
        assert watcher.me is None and watcher.scene is not None and watcher.ask is None
        assert (await watcher.move("pass 2C 3C 4C", ask=0))["type"] == "refused"
        await watcher.say(type="pause", on=True)
        assert "watching" in (await watcher.message("error"))["text"]

    run(scene, tmp_path)


def test_who_has_the_link_of_the_table_alone_sees_who_sits_there_and_no_match(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(2)
        guest = await house.come(people[0].links, token=people[0].links["join"])
        await guest.welcome()
        assert guest.scene is None and guest.table["seats"][1]["name"] == "Ben"
        await guest.say(type="sheet")
        assert (await guest.message("sheet"))["lines"] == []

    run(scene, tmp_path)


def test_who_has_the_link_of_the_table_alone_hears_nothing_of_what_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "MOST_SPOKEN", 1)

    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2)
        guest, watcher = [await house.come(anna.links, anna.links[link]) for link in ("join", "watch")]
        for page in (guest, watcher):
            await page.welcome()
        for text in ("Hello!", "Oops!"):  # the second is more than is kept
            await ben.say(type="chat", text=text)
            for page in (anna, ben, watcher):
                assert (await page.message("chat"))["text"] == text
        await guest.settled()
        assert not [heard for heard in guest.heard if heard["type"] == "chat"]

    run(scene, tmp_path)


def test_moves_are_taken_back_when_all_agree_and_chance_is_drawn_anew(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(4)
        anna, ben, cleo, dora = people
        await play_on(people, 10)
        table = house.service.at_hand(anna.links["table"])
        made = list(table.state.moves)
        own = max(at for at, move in enumerate(made) if move[1] == 0)
        await anna.say(type="propose", what="undo")
        await ben.until(lambda: "proposal" in ben.table)
        assert sorted(ben.table["proposal"]["open"]) == [1, 2, 3]
        for person in (ben, cleo, dora):
            await person.say(type="vote", yes=True)
        await anna.welcome()
        assert table.state.moves == made[:own]
        assert len(table.state.redrawn) == 1
        for person in (ben, cleo, dora):
            await person.welcome()
        await play_on(people, 4)

    run(scene, tmp_path)


def test_one_who_does_not_agree_ends_the_vote(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = people = await house.table_of(2)
        await play_on(people, 4)
        await anna.say(type="propose", what="undo")
        await ben.until(lambda: "proposal" in ben.table)
        await ben.say(type="vote", yes=False)
        await anna.until(lambda: anna.table.get("proposal") is None and anna.heard[-1]["type"] == "table")
        await ben.say(type="vote", yes=True)
        assert (await ben.message("error"))["text"] == "Nothing is being voted on."

    run(scene, tmp_path)


def test_nobody_moves_while_the_table_pauses(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = people = await house.table_of(2)
        await ben.say(type="pause", on=True)
        await anna.until(lambda: bool(anna.table.get("paused")))
        refused = await anna.move(anna.offers()[0])
        assert refused["text"] == "The game is paused."
        await anna.say(type="pause", on=False)
        await anna.until(lambda: not anna.table.get("paused"))
        assert await play_on(people, 2) == 2

    run(scene, tmp_path)


def test_a_bot_plays_for_one_who_is_away_if_the_others_agree_and_stops_when_they_are_back(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2)
        await ben.close()
        await anna.until(lambda: anna.table.get("away") == [1])
        assert not anna.table["seats"][1].get("here")
        await anna.say(type="propose", what="bot", seat=1)
        await anna.until(lambda: anna.table["seats"][1].get("bot") == "easy")
        again = await house.come(ben.links)
        await again.welcome()
        assert not again.table["seats"][1].get("bot")

    run(scene, tmp_path, away=0.1)


def test_the_host_says_how_long_is_waited_for_who_is_away(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben, cleo = await house.table_of(3)
        assert anna.table.get("wait", 45) == 0
        await ben.close()
        await anna.until(lambda: anna.table.get("away") == [1])
        await cleo.say(type="order", what="wait", seconds=20)
        await cleo.until(lambda: any(one.get("type") == "error" for one in cleo.heard))
        assert "away" in anna.table
        await anna.say(type="order", what="wait", seconds=20)
        await anna.until(lambda: anna.table.get("wait") == 20)
        assert not anna.table.get("away")
        await anna.say(type="propose", what="bot", seat=1)
        await anna.until(lambda: any(one.get("type") == "error" for one in anna.heard))
        table = house.service.at_hand(anna.links["table"])
        assert table is not None and len(table.away._waits) == 1
        before = table.away._waits[1]
        await anna.say(type="order", what="wait", seconds=3600)
        await anna.until(lambda: anna.table.get("wait") == 3600)
        assert before.cancelled() and not table.away._waits[1].cancelled()

    run(scene, tmp_path, away=0.1)


def test_the_table_plays_to_the_end_and_again_and_its_record_can_be_replayed(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = people = await house.table_of(2, "crazy-eights", players=2, options={"target_score": 0})
        async with house.client() as client:
            client.cookies.set(f"seat-{anna.links['table']}-0", anna.links["secret"])
            early = await client.post(f"/api/tables/{anna.links['table']}/record", json={})
            assert early.status_code == 409
            await play_on(people, 3_000)
            await anna.until(lambda: anna.table["state"] == "over")
            record = await client.post(f"/api/tables/{anna.links['table']}/record", json={})
            state = interpreter.replay(record.text)
            assert state.over
            assert [seat.get("score", 0) for seat in anna.table["seats"]] == [int(p in state.winners) for p in (0, 1)]
            total = len(state.position.record_moves)
            for at in (0, total // 2, total):
                path = f"/api/tables/{anna.links['table']}/replay"
                seen = (await client.post(path, json={"at": at})).json()
                assert (seen["at"], seen["of"], len(seen["scenes"])) == (at, total, 2)
            await anna.settled()
            assert seen["scenes"][0] == anna.scene
        async with house.client() as stranger:
            refused = await stranger.post(f"/api/tables/{anna.links['table']}/record", json={})
            assert (refused.status_code, refused.json()["why"]) == (409, "denied")
            watching = {"at": 1, "watch": anna.links["watch"]}
            assert (await stranger.post(path, json=watching)).json()["at"] == 1
            assert (await stranger.get(path, params=watching)).status_code == 405, "no address holds a secret"
        await anna.say(type="propose", what="rematch")
        await ben.until(lambda: "proposal" in ben.table)
        await ben.say(type="vote", yes=True)
        await ben.until(lambda: ben.table.get("match") == 2 and ben.table["state"] == "playing")

    run(scene, tmp_path)


def test_only_the_host_of_a_table_leads_it_and_passes_that_on(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        ben_links = await house.sit(links, "Ben")
        anna, ben = await house.come(links), await house.come(ben_links)
        await ben.welcome()
        await ben.say(type="order", what="start")
        assert "Only the host" in (await ben.message("error"))["text"]
        await anna.say(type="order", what="lock")
        await anna.until(lambda: bool(anna.table.get("locked")))
        async with house.client() as client:
            closed = await client.post(
                f"/api/tables/{links['table']}/seats", json={"join": links["join"], "name": "Eve"}
            )
            assert closed.status_code == 409 and closed.json()["why"] == "locked"
        await anna.say(type="order", what="pass", seat=1)
        await ben.until(lambda: bool(ben.table["seats"][1].get("host")))
        await ben.say(type="order", what="remove", seat=0)
        assert (await anna.message("error"))["why"] == "removed"

    run(scene, tmp_path)


def test_chat_is_what_the_host_allows(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2)
        await ben.say(type="chat", text="anything")
        assert "phrases" in (await ben.message("error"))["text"]
        await ben.say(type="chat", text="Well played!")
        assert (await anna.message("chat")) == {"type": "chat", "seat": 1, "text": "Well played!"}
        await anna.say(type="order", what="chat", level="free")
        await ben.until(lambda: ben.table.get("chat") == "free")
        await ben.say(type="chat", text="an\u202eything")
        assert (await anna.message("chat"))["text"] == "an\ufffdything"
        await anna.say(type="order", what="mute", seat=1)
        await ben.until(lambda: bool(ben.table["seats"][1].get("muted")))
        await ben.say(type="chat", text="hello")
        assert "Nobody can hear you" in (await ben.message("error"))["text"]

    run(scene, tmp_path)


def test_what_was_said_is_told_to_whoever_comes_also_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_state, "MOST_RETOLD", 2)
    monkeypatch.setattr(requests, "MOST_SPOKEN", 4)
    links: list[dict[str, Any]] = []

    async def says(house: House) -> None:
        anna, ben = await house.table_of(2)
        for text in ("Hello!", "Well played!", "Oops!"):
            await ben.say(type="chat", text=text)
            assert (await anna.message("chat"))["text"] == text
        links.extend((anna.links, ben.links))

    async def comes(house: House) -> None:
        for link in links:
            welcome = await (await house.come(link)).message("welcome")
            assert welcome["said"] == [[1, "Well played!"], [1, "Oops!"]]
        watcher = await house.come(links[0], token=links[0]["watch"])
        assert (await watcher.message("welcome"))["said"] == [[1, "Well played!"], [1, "Oops!"]]
        guest = await house.come({**links[0], "token": ""}, token=links[0]["join"])
        assert "said" not in await guest.message("welcome")
        ben = await house.come(links[1])
        for text in ("Hello!", "Thank you!"):  # the second is more than is kept
            await ben.say(type="chat", text=text)
            assert (await ben.message("chat"))["text"] == text
        assert (await (await house.come(links[0])).message("welcome"))["said"] == [[1, "Oops!"], [1, "Hello!"]]

    run(says, tmp_path)
    run(comes, tmp_path)


def test_hints_are_found_out_for_a_table_a_few_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "IN_SECONDS", 3_600.0)  # however long it takes to find out a few

    async def scene(house: House) -> None:
        (person,) = await house.table_of(1, "klondike")
        answers = []
        for _ in range(hints.HINTS + 2):
            await person.say(type="hint")
            while (answer := await person.hear())["type"] not in ("hint", "error"):
                pass
            answers.append(answer.get("text", ""))
            await person.move(person.offers()[0])
        assert answers[-1] == hints.OFTEN not in answers[: hints.HINTS]

    run(scene, tmp_path)


def test_a_hint_is_for_the_one_whose_turn_it_is(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = people = await house.table_of(2, "crazy-eights", players=2)
        asked = await one_who_is_asked(people)
        await asked.say(type="hint")
        assert (await asked.message("hint"))["lines"]
        other = ben if asked is anna else anna
        advise, asked_for = house.service.advise, []

        async def counted(*given: object) -> object:
            asked_for.append(given)
            return await advise(*given)  # type: ignore[arg-type]

        house.service.advise = counted  # type: ignore[method-assign,assignment]
        for _ in range(5):
            await asked.say(type="hint")
            assert (await asked.message("hint"))["lines"]
        assert not asked_for, "a decision is thought about once"
        await other.say(type="hint")
        assert "your turn" in (await other.message("error"))["text"]

    run(scene, tmp_path)


def test_on_honour_words_go_with_a_move_and_breaches_can_be_claimed(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(3, "georgia-spoons", players=3, honor=True)
        table = house.service.at_hand(people[0].links["table"])
        assert table.state.opened.game.honor
        await people[0].say(type="order", what="chat", level="free")
        await people[0].until(lambda: people[0].table.get("chat") == "free")
        seat = table.standing.actors[0]
        move = str(await table.match.easy_move(seat)).partition(' "')[0]
        answer = await people[seat].move(move, ask=0, words="I say something")
        assert answer["type"] in ("done", "refused")
        if answer["type"] == "done":
            assert any("I say something" in str(move) for move in table.state.moves)

    run(scene, tmp_path)


def test_words_of_a_move_are_phrases_of_the_rules_unless_one_may_talk(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(3, "georgia-spoons", players=3, honor=True)
        table = house.service.at_hand(people[0].links["table"])
        seat = table.standing.actors[0]
        move = str(await table.match.easy_move(seat)).partition(' "')[0]
        made = len(table.state.moves)
        for text, words in ((move, "my hand is good"), (f'{move} "my hand is good"', "")):
            answer = await people[seat].move(text, ask=0, words=words)
            assert answer["type"] == "refused" and "Only what the rules" in answer["text"]
        assert len(table.state.moves) == made
        answer = await people[seat].move(move, ask=0, words="Oops!")
        assert "Only what the rules" not in answer.get("text", "")

    run(scene, tmp_path)


def test_who_is_muted_makes_a_move_that_is_a_text_with_the_phrases_of_the_table(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "uno", players=2, options={"on_seven": "silence"})
        await anna.say(type="order", what="mute", seat=1)
        await ben.until(lambda: bool(ben.table["seats"][1].get("muted")))
        for text in ('say "my hand is good"', "say my.hand.is.good", 'say my.hand "Hello!"'):
            answer = await ben.move(text)
            assert answer["type"] == "refused" and "Only what the rules" in answer["text"], text
        answer = await ben.move('say "Hello!"')
        assert answer["type"] == "done", answer

    run(scene, tmp_path)


def test_a_move_that_can_be_made_at_any_time_answers_nothing_and_another_one_what_is_asked(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(2, "uno", players=2, options={"on_seven": "silence"})
        asked = await one_who_is_asked(people)
        answer = await asked.move('say "Hello!"', ask=0)
        assert answer["type"] == "done", answer
        await asked.settled()
        stale = await asked.move(asked.offers()[0], ask=0)
        assert stale["type"] == "refused" and stale["stale"]

    run(scene, tmp_path)


@pytest.mark.parametrize("name", ["", " ", "x" * 21, "a\u200bb", "P2", "you", "7up", "anna", "ＡＮＮＡ"])
def test_a_name_is_what_nobody_else_is_called_and_can_be_seen(tmp_path: Path, name: str) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        async with house.client() as client:
            answer = await client.post(
                f"/api/tables/{links['table']}/seats", json={"join": links["join"], "name": name}
            )
        assert (answer.status_code, answer.json()["why"]) == (409, "name")

    run(scene, tmp_path)


def test_seats_are_taken_once_and_end_when_all_are_taken(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open(players=3)
        assert (await house.sit(links, "Ben", seat=2))["seat"] == 2
        async with house.client() as client:
            path = f"/api/tables/{links['table']}/seats"
            taken = await client.post(path, json={"join": links["join"], "name": "Cleo", "seat": 2})
            assert taken.json()["why"] == "taken"
            wrong = await client.post(path, json={"join": links["watch"], "name": "Cleo"})
            assert wrong.json()["why"] == "denied"
        assert (await house.sit(links, "Cleo"))["seat"] == 1
        async with house.client() as client:
            assert (await client.post(path, json={"join": links["join"], "name": "Dora"})).json()["why"] == "full"

    run(scene, tmp_path)


def test_a_seat_goes_to_another_device_and_the_old_link_is_worn_out(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        old = await house.come(links)
        await old.welcome()
        async with house.client() as client:
            path = f"/api/tables/{links['table']}/device"
            moved = (await client.post(path, json={"secret": links["secret"]})).json()
            assert (await old.message("error"))["why"] == "moved"
            assert (await client.post(path, json={"secret": links["secret"]})).json()["why"] == "moved"
        new = await house.come(links, token=moved["secret"])
        assert (await new.welcome())["me"] == 0
        late = await house.come(links)
        assert (await late.message("error"))["why"] == "moved"

    run(scene, tmp_path)


def test_who_has_not_heard_that_a_seat_has_come_finds_it_with_the_secret_made_for_it(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        asked = {"secret": links["secret"], "fresh": "abcdefghijklmnopqrstuv"}
        async with house.client() as client:
            path = f"/api/tables/{links['table']}/device"
            assert (await client.post(path, json=asked | {"fresh": "short"})).status_code == 400
            moved = [(await client.post(path, json=asked)).json() for _ in range(2)]
            assert moved == [{"seat": 0, "secret": asked["fresh"]}] * 2
            assert (await client.post(path, json={"secret": links["secret"]})).json()["why"] == "moved"
        new = await house.come(links, token=asked["fresh"])
        assert (await new.welcome())["me"] == 0

    run(scene, tmp_path)


def test_a_seat_goes_under_no_secret_that_opens_something_else_at_its_table(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        ben = await house.sit(links, "Ben")
        others = [links["join"], links["watch"], links["secret"]]
        async with house.client() as client:
            path, own = f"/api/tables/{links['table']}/device", ben["secret"]
            for other in others:
                asked = {"secret": own, "fresh": other}
                moved = (await client.post(path, json=asked)).json()
                assert moved["seat"] == 1
                assert moved["secret"] not in others
                own = moved["secret"]
        seats = [(await (await house.come(links, token=secret)).welcome()).get("me") for secret in [*others, own]]
        assert seats == [None, None, 0, 1]

    run(scene, tmp_path)


def test_that_a_seat_has_gone_is_told_once_that_is_stored(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        old = await house.come(links)
        await old.welcome()
        table = house.service.at_hand(links["table"])
        assert table is not None
        waiting: list[Callable[[], None]] = []
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(table, "after", waiting.append)
            moving = asyncio.create_task(house.service.move_seat(links["table"], links["secret"]))
            while len(waiting) < 2:
                await asyncio.sleep(0)
            assert not any(page._ends for page in table.crowd.pages[0]), "it is not stored yet"
        for done in waiting:
            done()
        await moving
        assert (await old.message("error"))["why"] == "moved"

    run(scene, tmp_path)


def test_a_code_leads_to_the_table_until_the_match_begins(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        async with house.client() as client:
            found = await client.post("/api/code", json={"code": links["code"].lower()})
            assert found.json() == {"table": links["table"]}
            anna = await house.come(links)
            await anna.welcome()
            await anna.say(type="order", what="start")
            await anna.until(lambda: anna.scene is not None)
            assert (await client.post("/api/code", json={"code": links["code"]})).status_code == 404
            tries = [(await client.post("/api/code", json={"code": "ABCDEF"})).status_code for _ in range(12)]
            assert tries[0] == 404 and tries[-1] == 429

    run(scene, tmp_path)


def test_of_wrong_codes_that_are_tried_at_once_no_more_get_through_and_right_ones_are_not_counted(
    tmp_path: Path,
) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        path = f"/api/tables/{links['table']}/seats"
        async with house.client() as client:
            for _ in range(12):
                assert (await client.post("/api/code", json={"code": links["code"]})).status_code == 200
            for name in ("Anna", "  "):  # with the right code, but no such name can be had
                for _ in range(6):
                    answer = await client.post(path, json={"join": links["code"], "name": name})
                    assert answer.json()["why"] == "name"
            by_code = house.service.by_code

            async def slowly(code: str) -> str:
                await asyncio.sleep(0.2)
                return await by_code(code)

            house.service.by_code = slowly  # type: ignore[method-assign]
            wrong = [client.post("/api/code", json={"code": "ABCDEF"}) for _ in range(20)]
            wrong += [client.post(path, json={"join": "ABCDEF", "name": "Ben"}) for _ in range(20)]
            tries = [answer.status_code for answer in await asyncio.gather(*wrong)]
            assert 10 <= len([status for status in tries if status != 429]) <= 12, "one more in six seconds"

    run(scene, tmp_path)


def test_a_bot_that_was_about_to_act_in_a_race_looks_again_when_the_race_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else nobody wakes the bot that is due next, and the table stands still."""

    async def scene(house: House) -> None:
        (anna,) = await house.table_of(1, "crazy-eights", players=2)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None and table.standing is not None and not table.standing.race
        await anna.settled()
        woken: list[bool] = []
        monkeypatch.setattr(table.bots, "wake", lambda: woken.append(True))
        await table.again.in_turn(partial(table.bots._acts, Turn(1, "easy", -1, True), None))
        assert woken
        table.racing.arrives(Held(1, "draw"), time.monotonic(), None)
        await table.again.in_turn(table.racing._release)
        assert len(woken) == 2

    run(scene, tmp_path)


def test_nobody_fills_alone_what_is_kept_of_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor with claims that are turned down, nor with what is said with them."""
    monkeypatch.setattr(requests, "MOVES", 5)

    async def scene(house: House) -> None:
        people = await house.table_of(3, "georgia-spoons", players=3, honor=True)
        table = house.service.at_hand(people[0].links["table"])
        assert table is not None
        guest, made = people[1], len(table.state.moves)
        answers = [await guest.move("razz P1", ask=0, words="Oops! " * 20) for _ in range(4)]
        monkeypatch.setattr(table_state, "MOST_SAID", 0)
        answers += [await guest.move("razz P1", ask=0, words=words) for words in ("Oops! " * 20, "Oops!")]
        said = [answer.get("text", "") for answer in answers]
        assert requests.NOT_SAID in said[4] and said[5] == requests.MANY_MOVES
        assert len(table.state.moves) <= made + 5
        assert (await people[2].move("razz P1", ask=0)).get("text") != requests.MANY_MOVES

    run(scene, tmp_path)


def test_nobody_uses_up_for_the_others_what_is_set_and_voted_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "SETTLED", 7)

    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "crazy-eights", players=2)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        before = table.state.settled
        for at in range(20):
            await ben.say(type="pause", on=at % 2 == 0)
            await ben.settled()
        assert {message["text"] for message in ben.heard if message["type"] == "error"} == {requests.MANY_SETTLED}
        assert table.state.settled <= before + 2 * requests.SETTLED and not table.state.paused
        await anna.say(type="pause", on=True)
        await anna.until(lambda: bool(anna.table.get("paused")))

    run(scene, tmp_path)


def test_what_is_set_and_voted_on_at_a_table_is_kept_to_a_bound_and_play_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Any] = []

    async def floods(house: House) -> None:
        anna, ben = await house.table_of(2, "crazy-eights", players=2)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        monkeypatch.setattr(table_state, "MOST_SETTLED", table.state.settled + 7)
        for at in range(20):
            await ben.say(type="pause", on=at % 2 == 0)
            await ben.settled()
        assert {message["text"] for message in ben.heard if message["type"] == "error"} == {table_state.NO_ROOM}
        assert table.state.settled == table_state.MOST_SETTLED + 1
        assert not table.state.paused, "a match goes on in any case"
        await ben.say(type="propose", what="undo")
        assert (await ben.message("error"))["text"] == table_state.NO_ROOM
        for what in ("lock", "chat", "mute", "bot", "pass", "unfair", "wait"):
            await anna.say(type="order", what=what, seat=1, level="easy", seconds=50)
            assert (await anna.message("error"))["text"] == table_state.NO_ROOM
        async with house.client() as client:
            path = f"/api/tables/{anna.links['table']}/device"
            moved = await client.post(path, json={"secret": ben.links["secret"]})
        assert moved.json()["error"] == table_state.NO_ROOM
        assert await play_on([anna, ben], 6) == 6
        await anna.say(type="order", what="remove", seat=1)
        await anna.until(lambda: bool(anna.table["seats"][1].get("bot")))
        await anna.say(type="order", what="remove", seat=1)
        assert "cannot be done" in (await anna.message("error"))["text"], "nobody sits there"
        kept.append((anna.links, table.state.settled))

    async def again(house: House) -> None:
        links, settled = kept[0]
        assert (await house.service.table(links["table"])).state.settled == settled
        monkeypatch.setattr(table_state, "MOST_SETTLED", 1)
        links = await house.open()
        async with house.client() as client:
            asked = {"join": links["join"], "name": "Ben"}
            sat = await client.post(f"/api/tables/{links['table']}/seats", json=asked)
        assert sat.json()["error"] == table_state.NO_ROOM

    run(floods, tmp_path)
    run(again, tmp_path)


def test_a_table_at_which_nobody_is_leaves_memory_and_comes_back(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(4)
        await play_on(people, 6)
        for person in people:
            await person.settled()
        name = people[0].links["table"]
        for person in people:
            await person.close()
        for _ in range(100):
            await house.service.leave_idle(0.0)
            if house.service.at_hand(name) is None:
                break
            await asyncio.sleep(0.02)
        assert house.service.at_hand(name) is None
        again = await house.come(people[2].links)
        await again.welcome()
        assert again.scene == people[2].scene

    run(scene, tmp_path)


async def one_who_is_asked(people: list[Person]) -> Person:
    for person in people:
        await person.settled()
    return next(person for person in people if person.offers())


def test_the_role_of_a_host_who_stays_away_passes_to_who_has_sat_longest_of_those_who_are_there(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        cleo_links, ben_links = await house.sit(links, "Cleo", 3), await house.sit(links, "Ben", 1)
        anna, ben, cleo = [await house.come(one) for one in (links, ben_links, cleo_links)]
        for person in (anna, ben, cleo):
            await person.welcome()
        await anna.close()
        await ben.until(lambda: bool(ben.table["seats"][3].get("host")))
        assert not ben.table["seats"][0].get("host")
        for person in (ben, cleo):
            await person.close()
        await asyncio.sleep(0.5)
        again = await house.come(links)
        await again.welcome()
        await again.until(lambda: bool(again.table["seats"][0].get("host")))

    run(scene, tmp_path, second=0.005)


def test_in_a_lobby_that_was_read_anew_the_role_of_a_host_who_stays_away_passes_on(tmp_path: Path) -> None:
    kept: list[dict[str, Any]] = []

    async def opens(house: House) -> None:
        links = await house.open()
        kept.append(await house.sit(links, "Ben"))

    async def comes(house: House) -> None:
        ben = await house.come(kept[0])
        await ben.welcome()
        await ben.until(lambda: bool(ben.table["seats"][1].get("host")))

    run(opens, tmp_path)
    run(comes, tmp_path, second=0.005)


def test_a_move_of_the_match_before_gets_the_same_answer_after_a_rematch(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "crazy-eights", players=2, options={"target_score": 0})
        while anna.table["state"] == "playing":
            await play_on([anna, ben], 500)
        sent = next(message["id"] for message in reversed(anna.heard) if message["type"] == "done")
        await agreed(anna, ben, "rematch")
        await anna.until(lambda: anna.table.get("match") == 2 and anna.table["state"] == "playing")
        assert (await anna.move("whatever", sent))["type"] == "done"

    run(scene, tmp_path)


def test_with_the_code_it_is_seen_who_sits_there_until_the_match_begins_and_none_is_found_by_trying(
    tmp_path: Path,
) -> None:
    async def scene(house: House) -> None:
        links = await house.open()
        guest = await house.come(links, token=links["code"].lower())
        assert (await guest.welcome())["table"]["seats"][0]["name"] == "Anna"
        assert guest.me is None and guest.scene is None
        for _ in range(10):
            wrong = await house.come(links, token="AAAAAA")
            assert (await wrong.message("error"))["final"]
        tried = await house.come(links, token=links["code"])
        assert (await tried.message("error"))["final"], "the right one tells no more than the others by now"
        async with house.client() as client:
            assert (await client.post("/api/code", json={"code": links["code"]})).status_code == 429

    run(scene, tmp_path)


def test_a_code_that_has_ended_leads_nowhere_after_a_restart_either(tmp_path: Path) -> None:
    kept: list[dict[str, Any]] = []

    async def begins(house: House) -> None:
        kept.append((await house.table_of(1, "crazy-eights", players=2))[0].links)

    async def again(house: House) -> None:
        async with house.client() as client:
            assert (await client.post("/api/code", json={"code": kept[0]["code"]})).status_code == 404

    run(begins, tmp_path)
    run(again, tmp_path)


def test_words_are_not_taken_any_more_where_a_match_has_many_and_where_it_has_too_much_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.interfaces.host.table_state.MOST_SAID", 20_000)
    monkeypatch.setattr("interpreter.interfaces.host.table_state.MOST_KEPT", 30_000)

    async def scene(house: House) -> None:
        people = await house.table_of(4, "hearts", options={"target": 1_000})
        table = house.service.at_hand(people[0].links["table"])
        await people[0].say(type="order", what="chat", level="free")
        answer, words = {"type": "done"}, f' "{chr(0x1F600) * 1_000}"'
        while answer["type"] == "done":
            person = await one_who_is_asked(people)
            answer = await person.move(person.offers()[0] + words)
        assert answer["text"] == "Only what the rules have you say can be said now."
        assert 20_000 < table.state.kept == size_of(table) < 25_000
        answer = await person.move(f'{person.offers()[0]} "Oops!"')
        assert answer["type"] == "done"
        await play_on(people, 2_000)
        await people[0].until(lambda: people[0].table["state"] == "over")
        assert "more has been said, measured and shuffled" in people[0].table["why"]

    run(scene, tmp_path)


def size_of(table: Any) -> int:
    """What a table counts of a match whose moves are read anew."""
    again = TableState(table.state.opened)
    history = table.state.history
    again.apply(e.Begun(Made(history.moves, [(at, one) for at, found in history.chance.items() for one in found])))
    return again.kept


def test_a_shuffle_of_nothing_counts_for_something_in_what_is_kept() -> None:
    table = TableState(e.Opened(e.GameSpec("hearts"), "Hearts", 4, "", "", "ABCDEF"))
    table.apply(e.Begun(Made([], [("shuffle deal", [])] * 50)))
    assert table.kept == 50 * table_state.OUTCOME


def test_who_says_twice_that_the_match_begins_while_somebody_sits_down_begins_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, begins, may_begin = LocalMatch.begun, asyncio.Event(), asyncio.Event()

    async def slowly(match: LocalMatch) -> Step:
        begins.set()
        await may_begin.wait()
        return await begun(match)

    async def scene(house: House) -> None:
        links = await house.open("hearts")
        anna = await house.come(links)
        await anna.welcome()
        monkeypatch.setattr(LocalMatch, "begun", slowly)
        await anna.say(type="order", what="start")
        await anna.say(type="order", what="start")
        await begins.wait()
        await house.sit(links, "Ben")
        may_begin.set()
        assert "has begun" in (await anna.message("error"))["text"]
        await anna.settled()
        assert (anna.table["state"], anna.table.get("match", 1)) == ("playing", 1)
        assert [seat.get("bot", "") for seat in anna.table["seats"]] == ["", "", "easy", "easy"]

    run(scene, tmp_path)
