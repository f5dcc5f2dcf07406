"""Matches with house rules have few places: nobody who opens tables has all, and none that is over keeps one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from house import TLS, House, Person, play_on, run
from test_house_rules import OVERLAY, rematch_of, short_of

from interpreter.interfaces.host import strange_places
from interpreter.interfaces.host.service import MOST_STRANGE
from interpreter.interfaces.host.strange_places import HOSTS_OWN, MOST_OF_ONE, OTHERS, SHARE, no_room, opener

OTHER = "127.0.0.2"


async def opened_from(house: House, address: str) -> dict[str, Any]:
    """A table with house rules that a stranger has opened; its links."""
    transport = httpx.AsyncHTTPTransport(verify=TLS, local_address=address)
    async with httpx.AsyncClient(base_url=house.address, transport=transport) as client:
        game = {"source": "crazy-eights", "players": 2, "overlays": [short_of("own")]}
        answer = await client.post("/api/tables", json={"game": game, "name": "Anna"})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def begun(house: House, links: dict[str, Any]) -> str:
    """Begin at a table; "" or why it cannot be."""
    page = await house.come(links)
    await page.welcome()
    await page.say(type="order", what="start")
    while (found := await page.hear())["type"] not in ("welcome", "error"):
        pass
    return str(found.get("text", ""))


def test_one_address_has_a_share_and_the_host_places_of_its_own() -> None:
    taken = list[str]()
    for number in range(MOST_STRANGE):
        assert no_room(taken, "", MOST_STRANGE) == ""
        found = no_room(taken, "a", MOST_STRANGE)
        assert found == ("" if number < MOST_OF_ONE else SHARE if number < MOST_STRANGE - HOSTS_OWN else found)
        taken.append("a" if not found else f"b{number}" if number < MOST_STRANGE - HOSTS_OWN else "")
        if taken[-1] == "":
            assert no_room(taken[:-1], "c", MOST_STRANGE) == OTHERS
    for by in ("", "c"):
        assert "at most 8 matches" in no_room(taken, by, MOST_STRANGE)
    assert opener("10.0.0.1") != opener("10.0.0.2") and opener("10.0.0.1")[:2] != "10"


def test_a_stranger_who_opens_many_tables_leaves_places_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strange_places, "MOST_OF_ONE", 1)
    monkeypatch.setattr("interpreter.interfaces.host.service.MOST_STRANGE", 3)

    async def scene(house: House) -> None:
        house.web._is_open = True
        links = [await opened_from(house, "127.0.0.1") for _ in range(2)]
        assert await begun(house, links[0]) == ""
        assert await begun(house, links[1]) == SHARE
        assert await begun(house, await opened_from(house, OTHER)) == OTHERS
        assert await begun(house, await house.open("hearts", overlays=[OVERLAY])) == ""
        table = house.service.at_hand(links[1]["table"])
        assert table is not None and table.state.state == "lobby" and table.state.opened.by == opener("127.0.0.1")
        assert not table.state.why and all(not place.bot for place in table.state.seats)

    run(scene, tmp_path)


async def over(house: House) -> list[Person]:
    """Two people, whose match with house rules is over."""
    people = await house.table_of(2, "crazy-eights", players=2, overlays=[short_of("own")])
    await play_on(people, 5_000)
    for person in people:
        await person.until(lambda person=person: person.table["state"] == "over")  # type: ignore[misc]
    return people


async def looks_back(house: House, person: Person, what: str) -> httpx.Response:
    async with house.client() as client:
        client.cookies.set(f"seat-{person.links['table']}-{person.me}", person.links["secret"])
        return await client.post(f"/api/tables/{person.links['table']}/{what}", json={"at": 1}, timeout=30)


def moves_of(record: httpx.Response) -> list[str]:
    """What was played; sums in a record stand for all before, a number that no match draws from among that."""
    return [json.loads(line)["move"] for line in record.text.splitlines()[1:-1]]


def test_the_place_of_a_match_that_is_over_goes_to_another_and_it_is_made_again_for_whoever_looks_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.interfaces.host.service.MOST_STRANGE", 1)
    monkeypatch.setattr("interpreter.interfaces.host.match_again.LOOKS_FOR_ROOM", 0.1)

    async def scene(house: House) -> None:
        anna, ben = await over(house)
        before = moves_of(await looks_back(house, anna, "record"))
        await anna.say(type="sheet")
        scores = (await anna.message("sheet"))["lines"]
        other = await house.open("hearts", overlays=[OVERLAY])
        assert await begun(house, other) == ""
        assert len(house.service.children) == 1
        no = await looks_back(house, anna, "replay")
        assert no.status_code == 409 and "looked at again as soon as there is room" in no.json()["error"]
        assert (await looks_back(house, anna, "house-rules")).status_code == 200
        await ben.say(type="sheet")
        assert "as soon as there is room" in (await ben.message("error"))["text"]
        await ben.until(lambda: "as soon as there is room" in ben.table.get("why", ""))
        await house.service._leave(other["table"])
        await ben.until(lambda: not ben.table.get("why"))
        assert (await looks_back(house, anna, "replay")).json()["at"] == 1
        assert moves_of(await looks_back(house, anna, "record")) == before and len(before) > 10
        await anna.say(type="sheet")
        assert (await anna.message("sheet"))["lines"] == scores
        await rematch_of([anna, ben])
        assert len(house.service.children) == 1

    run(scene, tmp_path)


def test_a_match_that_is_over_gives_up_its_process_after_a_while_and_a_page_that_comes_sees_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        anna, ben = await over(house)
        await anna.settled()
        await house.service.leave_idle()
        assert len(house.service.children) == 1, "somebody has just looked at it"
        monkeypatch.setattr("interpreter.interfaces.host.service.LOOKED", 0.0)
        await house.service.leave_idle()
        assert not house.service.children
        again = await house.come(anna.links)
        assert (await again.welcome())["scene"] == anna.scene and len(house.service.children) == 1
        await house.service.leave_idle()
        assert not house.service.children
        await rematch_of([anna, ben])
        assert await play_on([anna, ben], 1) == 1
        await house.service.leave_idle()
        assert len(house.service.children) == 1, "it is not over"

    run(scene, tmp_path)
