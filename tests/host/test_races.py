"""Races at a table: all move at once, time stands still for all, and how far away somebody is is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from house import House, Person, play_on, run

from interpreter.interfaces.host import fair_time
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.live_table import Table
from interpreter.interfaces.host.open_socket import OpenSocket
from interpreter.interfaces.host.page_socket import PageSocket
from interpreter.interfaces.host.race_at_table import Held


async def racers(house: House, away: float = 0.0, delay: float = 0.0) -> tuple[Person, Person]:
    """Two people in the middle of a race. away: seconds that the way of the second takes. delay: by which the page of
    the second delays its answers to measurements."""
    anna, ben = people = await house.table_of(2, "spit", players=2)
    ben.moves_away(away)
    ben.delay = delay
    table = house.service.at_hand(anna.links["table"])
    assert table is not None
    while table.standing is None or not table.standing.race:
        for person in people:
            await person.settled()
            if person.offers():
                await person.move(person.offers()[0])
    return anna, ben


async def tapped(house: House, person: Person) -> dict[str, object]:
    """Make some lawful move; the answer."""
    table = house.service.at_hand(person.links["table"])
    assert table is not None and table.match is not None and person.me is not None
    move = await table.match.easy_move(person.me)
    return await person.move(move or "nothing", ask=0, seen=person.n)


def test_all_move_at_once_and_bots_too(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await racers(house)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None and table.standing is not None
        for _ in range(12):
            if table.standing is not None and table.standing.race:
                answers = await asyncio.gather(tapped(house, anna), tapped(house, ben))
                assert {answer["type"] for answer in answers} <= {"done", "refused"}
        ends = [move[3]["end"] for move in table.state.moves if "end" in move[3]]
        assert ends == sorted(ends)

    run(scene, tmp_path)


def test_a_race_stands_still_for_all_when_somebody_is_gone(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await racers(house)
        await tapped(house, anna)
        await ben.close()
        await anna.until(lambda: bool(anna.table.get("paused")))
        assert (await tapped(house, anna))["text"] == "The game is paused."
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        stood = table.clock.now
        await asyncio.sleep(0.05)
        assert table.clock.now == stood

    run(scene, tmp_path)


def test_a_race_that_begins_while_somebody_is_gone_stands_still(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        links = await house.open("dutch-blitz")
        anna, ben = await house.come(links), await house.come(await house.sit(links, "Ben"))
        await ben.welcome()
        await ben.close()
        await anna.welcome()
        await anna.until(lambda: anna.table["seats"][1].get("here") is not True)
        await anna.say(type="order", what="start")
        while not anna.table.get("paused"):
            if anna.offers():
                await anna.move(anna.offers()[0])
            else:
                await anna.hear()
        table = house.service.at_hand(links["table"])
        assert table is not None and table.standing is not None and table.standing.race
        assert table.racing.missing() == [1]

    run(scene, tmp_path)


def test_after_a_pause_a_race_goes_on_after_a_count_of_three(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, _ = await racers(house)
        await anna.say(type="pause", on=True)
        await anna.until(lambda: bool(anna.table.get("paused")))
        await anna.say(type="pause", on=False)
        counts = []
        while anna.table.get("paused"):
            await anna.message("table")
            counts.append(anna.table.get("count", 0))
        assert counts == [3, 2, 1, 0]

    run(scene, tmp_path, pace=0.001, second=0.02)


def test_a_new_pause_ends_the_count_and_so_does_whoever_is_gone(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await racers(house)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        await anna.say(type="pause", on=True)
        for end in (partial(ben.say, type="pause", on=True), ben.close):
            await anna.say(type="pause", on=False)
            await anna.until(lambda: anna.table.get("count") == 3)
            await end()
            await anna.until(lambda: anna.table["paused"] and not anna.table.get("count"))
        await asyncio.sleep(1.0)
        await anna.settled()
        assert anna.table["paused"]
        assert not anna.table.get("count")

    run(scene, tmp_path, pace=0.001, second=0.2)


def test_a_count_that_was_ended_does_not_shorten_the_next_one(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, _ = await racers(house)
        await anna.say(type="pause", on=True)
        await anna.say(type="pause", on=False)
        await anna.until(lambda: anna.table.get("count") == 2)
        counts: list[int] = []
        await anna.say(type="pause", on=True)
        await anna.say(type="pause", on=False)
        while anna.table.get("paused"):
            await anna.message("table")
            counts.append(anna.table.get("count", 0))
        assert counts == [0, 3, 2, 1, 0]

    run(scene, tmp_path, pace=0.001, second=0.1)


def test_a_race_goes_on_without_somebody_only_after_a_while(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await racers(house)
        await ben.close()
        await anna.until(lambda: bool(anna.table.get("paused")))
        await anna.say(type="pause", on=False)
        assert (await anna.message("error"))["text"] == "The race waits for Ben."
        await anna.until(lambda: bool(anna.table.get("away")))
        await anna.say(type="pause", on=False)
        await anna.until(lambda: not anna.table.get("paused"))

    run(scene, tmp_path, pace=0.001, second=0.02, away=1.0)


def test_a_race_for_somebody_s_bot_goes_on_at_once(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await racers(house)
        await ben.close()
        await anna.until(lambda: bool(anna.table.get("away")))
        await anna.say(type="order", what="bot", seat=1)
        await anna.until(lambda: bool(anna.table["seats"][1].get("bot")))
        await anna.say(type="order", what="wait", seconds=45)
        await anna.say(type="pause", on=False)
        await anna.until(lambda: not anna.table.get("paused"))

    run(scene, tmp_path, pace=0.001, second=0.02, away=0.2)


def test_whose_way_is_long_is_told_to_all_and_the_host_may_switch_the_credit_off(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await racers(house, away=0.1)
        listening = asyncio.create_task(ben.until(lambda: False))
        await anna.until(lambda: anna.table["seats"][1].get("credit", 0) > 90)
        await anna.say(type="order", what="unfair")
        await anna.until(lambda: anna.table.get("fair") is False)
        assert not anna.table["seats"][1].get("credit")
        listening.cancel()

    run(scene, tmp_path)


def test_a_page_that_delays_its_answers_gains_nothing_for_its_socket_answers_at_once(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await racers(house, delay=0.2)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        fair = table.racing.fair
        listening = asyncio.create_task(anna.until(lambda: False))
        while not (way := fair.way(1)).trips or not way.sockets:
            await ben.hear()
        assert min(way.trips) >= fair_time.MOST_CREDIT, "that would have been his credit"
        assert fair.credit(1) == min(way.sockets) < fair_time.MOST_CREDIT
        listening.cancel()

    run(scene, tmp_path)


def test_sockets_are_measured_in_races_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[OpenSocket] = []
    measure = OpenSocket.measure

    def counted(socket: OpenSocket, told: Callable[[float], object]) -> None:
        asked.append(socket)
        measure(socket, told)

    pings: list[str] = []
    send = PageSocket.send

    def sent(page: PageSocket, text: str) -> None:
        if text.startswith('{"type":"ping"') and text != p.encode(p.Ping(0)):
            pings.append(text)
        send(page, text)

    monkeypatch.setattr(OpenSocket, "measure", counted)
    monkeypatch.setattr(PageSocket, "send", sent)

    async def scene(house: House) -> None:
        people = await house.table_of(2, "crazy-eights", players=2)
        assert await play_on(people, 6) == 6
        assert not asked
        anna, ben = await racers(house)
        watching = await house.come(anna.links, token=anna.links["watch"])
        await watching.welcome()
        for person in (anna, ben):
            while not any(message["type"] == "ping" and message["t"] > 1 for message in person.heard):
                await person.hear()
        assert len(set(asked)) == 2, "those who play"
        assert len(asked) == len(pings) > 2, "as often as their pages"

    run(scene, tmp_path)


def test_a_move_that_comes_again_while_it_waits_for_its_time_is_made_once_and_none_goes_round_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_time, "MOST_CREDIT", 4_000)  # so that a busy machine has not made the move meanwhile

    async def scene(house: House) -> None:
        anna, _ = await racers(house)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None and table.match is not None
        monkeypatch.setattr(table.racing, "answers", lambda *_: None)  # the least measurement counts
        table.racing.fair.leaves(1)
        monkeypatch.setattr(table.racing.fair, "socket_measured", lambda *_: None)
        for _ in range(10):
            table.racing.fair.measured(1, 4_000)  # Ben's way is long: what Anna does waits for him
        tried: list[str] = []
        play = table.match.play

        async def counted(seat: int, text: str, *more: object) -> object:
            tried.append(text)
            return await play(seat, text, *more)  # type: ignore[arg-type]

        table.match.play = counted  # type: ignore[method-assign,assignment]
        move = await table.match.easy_move(0) or "nothing"
        number = anna.ask["n"]
        for _ in range(3):
            await anna.say(type="move", id="one", move=move, ask=number)
        await anna.settled()
        assert tried == [], "the number of what is asked leads past nobody"
        await anna.until(lambda: any(message.get("id") == "one" for message in anna.heard))
        await anna.settled()
        assert tried == [move]

    run(scene, tmp_path)


@pytest.mark.parametrize("what", ["ends", "begins", "goes on"])
def test_a_move_that_waits_for_its_time_is_given_up_when_the_match_ends_or_another_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(fair_time, "MOST_CREDIT", 30_000)

    async def scene(house: House) -> None:
        anna, _ = await racers(house)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None and table.match is not None
        table.racing.fair.arrives(0, Held(0, "nothing", "one"), table.clock.now, None)
        table.racing.fair.arrives(0, Held(0, "nothing"), table.clock.now, None)  # a bot's
        monkeypatch.setattr(table.racing.fair, "_slowest", lambda there: 30_000)
        if what == "ends":
            table.put(ended, table)
        elif what == "begins":
            table.put(table.begin)
        else:
            table.put(table.goes_on, table.match)
        await anna.until(lambda: any(message.get("id") == "one" for message in anna.heard))
        assert [message["type"] for message in anna.heard if message.get("id") == "one"] == ["refused"]
        assert not list(table.racing.fair.held())

    run(scene, tmp_path)


async def ended(table: Table) -> None:
    table.cannot_go_on("nobody can move")


def test_a_count_ends_with_the_match(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, _ = await racers(house)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        await anna.say(type="pause", on=True)
        await anna.say(type="pause", on=False)
        await anna.until(lambda: anna.table.get("count") == 3)
        table.put(ended, table)
        await anna.until(lambda: anna.table["state"] == "over")
        assert not anna.table.get("count")

    run(scene, tmp_path, pace=0.001)
