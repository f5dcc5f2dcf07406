"""The same move gets the same answer again, as long as it may be asked for."""

from __future__ import annotations

import re
from pathlib import Path

from house import House, Person, run

from interpreter.interfaces.host import page_files
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.crowd import MOST_PAGES
from interpreter.interfaces.host.table_events import Moved
from interpreter.interfaces.host.table_state import KEY, MOST_ANSWERS, MOST_WORDS, REFUSED_BEFORE, Place


def test_the_last_answers_are_known_by_their_ids_and_the_oldest_is_forgotten_first() -> None:
    place, refused = Place(), p.Refused("no-1", "Not now.")
    place.answers("no-1", refused)
    place.answers("yes-1", None)
    assert place.answer("no-1") is refused and place.answer("yes-1") == p.Done("yes-1")
    assert place.answer("yes") is None and place.answer("") is None, "a part of an id is none"
    for number in range(MOST_ANSWERS - 2):
        place.answers(f"m{number}", None)
    assert place.answer("no-1") is refused
    place.answers("one-more", None)
    assert place.answer("no-1") is None and not place.refused
    assert place.answer("yes-1") == p.Done("yes-1")


def test_a_move_that_was_refused_may_be_made_after_all() -> None:
    place = Place()
    place.answers("m", p.Refused("m", "Not now."))
    place.answers("m", None)
    assert place.answer("m") == p.Done("m")
    assert len(place.answered) == KEY and not place.refused


def test_of_many_refusals_the_words_of_the_last_are_known_and_of_the_others_that_they_were_refused() -> None:
    place = Place()
    for number in range(3 * MOST_ANSWERS):
        place.answers(f"m{number}", p.Refused(f"m{number}", f"Not {number}."))
    assert len(place.answered) == MOST_ANSWERS * KEY and len(place.refused) == MOST_WORDS
    last = 3 * MOST_ANSWERS - 1
    assert place.answer(f"m{last}") == p.Refused(f"m{last}", f"Not {last}.")
    assert place.answer(f"m{last - MOST_WORDS}") == p.Refused(f"m{last - MOST_WORDS}", REFUSED_BEFORE)
    assert place.answer(f"m{last - MOST_ANSWERS}") is None


def test_as_many_answers_are_known_as_the_pages_of_a_seat_can_wait_for() -> None:
    assert MOST_ANSWERS >= MOST_PAGES * p.MOST_UNANSWERED
    (told,) = re.findall(r"const MOST_UNANSWERED = (\d+);", (page_files.FOLDER / "socket.js").read_text("utf-8"))
    assert int(told) == p.MOST_UNANSWERED


def test_moves_of_a_race_whose_answers_were_lost_are_made_once_when_they_come_again(tmp_path: Path) -> None:
    """As a seat on two devices does, on which the connections break with as much under way as a page has at most."""

    async def scene(house: House) -> None:
        people = await house.table_of(2, "dutch-blitz")
        anna, _ = people
        for person in people:
            await person.settled()
            if person.ask and any(act["name"] == "begin" for act in person.ask["acts"]):
                await person.move("begin")
        name, ids = anna.links["table"], [f"id{number}" for number in range(2 * p.MOST_UNANSWERED)]
        moves = ["turn", "turn_over"] * p.MOST_UNANSWERED

        async def all_of(page: Person) -> dict[str, str]:
            for move, one in zip(moves, ids, strict=True):
                await page.say(type="move", id=one, move=move, ask=0)
            answers: dict[str, str] = {}
            while len(answers) < len(ids):
                message = await page.hear()
                if message["type"] in ("done", "refused"):
                    answers[message["id"]] = message["type"]
            return answers

        def made() -> list[str]:
            store = house.service.store
            return [event.id for _, event in store.events(name) if isinstance(event, Moved) and event.id in ids]

        first = await all_of(anna)
        before = made()
        assert first[ids[0]] == "done" and 10 < len(before) == list(first.values()).count("done")
        await anna.close()
        again = await house.come(anna.links)
        await again.welcome()
        while again.table.get("paused") or again.table.get("count"):
            if again.table.get("paused") and not again.table.get("count"):
                await again.say(type="pause", on=False)
            await again.message("table")
        assert await all_of(again) == first
        await again.settled()
        assert made() == before and len(set(before)) == len(before)

    run(scene, tmp_path, second=0.01)
