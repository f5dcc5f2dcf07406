"""What is voted on at a table: who has to agree, and when it lapses."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from house import House, Person, agreed, play_on, run
from small import SEER

from interpreter.base.packed import Packed
from interpreter.engine.situation import RecordedMove
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.hosted_steps import Made, Standing
from interpreter.interfaces.host.house_rules_text import WrongGame
from interpreter.interfaces.host.not_made import Refusal
from interpreter.interfaces.host.requests import UNDOS, Denied
from interpreter.interfaces.host.table_state import TableState


async def proposed(house: House, people: list[Person]) -> None:
    """The first asks to take a move back, and everybody knows."""
    await people[0].say(type="propose", what="undo")
    for person in people:
        await person.until(lambda person=person: "proposal" in person.table)  # type: ignore[misc]


def test_a_vote_that_cannot_be_carried_out_any_more_lapses_and_pages_still_come_in(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = anna, ben, *_ = await house.table_of(4)
        await play_on(people, 8)
        await proposed(house, people)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None and table.standing is not None
        old = table.standing
        table.standing = Standing(old.over, True, old.actors, old.clock, old.made)  # as if a race had begun
        assert table.news().proposal is None
        again = await house.come(ben.links)
        await again.welcome()
        assert table.state.vote is None and "proposal" not in again.table
        assert (await ben.message("error"))["text"] == "No move can be taken back any more."
        await ben.say(type="vote", yes=True)
        assert (await ben.message("error"))["text"] == "Nothing is being voted on."
        await ben.settled()
        assert [n for n, _ in house.service.store.events(table.name)] == list(range(1, table.state.n + 1))

    run(scene, tmp_path)


async def moves_until(people: list[Person], is_last: Callable[[Person], bool]) -> None:
    """All move as they are asked, until somebody has after whom somebody else is asked."""
    mover = None
    while mover is None or not is_last(mover) or mover.offers():
        for person in people:
            await person.settled()
        mover = next(person for person in people if person.offers())
        assert (await mover.move(mover.offers()[0]))["type"] == "done"
        await mover.settled()


def errors(person: Person) -> list[str]:
    return [message["text"] for message in person.heard if message["type"] == "error"]


def test_who_has_agreed_to_one_move_has_not_agreed_to_the_next_one(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = anna, ben, cleo = await house.table_of(3, "crazy-eights", players=3)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        await moves_until(people, lambda person: person is anna)
        await proposed(house, people)
        await ben.say(type="vote", yes=True)
        await moves_until(people, lambda person: person is not anna)
        again = await house.come(cleo.links)
        await again.welcome()
        assert ", with anything done since;" in again.table["proposal"]["text"], "others may play on"
        await moves_until(people, lambda person: person is anna)
        for person in people:
            await person.settled()
            assert errors(person) == ["Anna has played on; no move is taken back."]
            assert "proposal" not in person.table
        made = len(table.state.moves)
        await cleo.say(type="vote", yes=True)
        assert (await cleo.message("error"))["text"] == "Nothing is being voted on."
        assert table.state.vote is None and len(table.state.moves) == made and not table.state.undone

    run(scene, tmp_path)


def test_an_answer_that_was_on_its_way_counts_for_no_other_vote(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = anna, ben, cleo = await house.table_of(3, "crazy-eights", players=3)
        await moves_until(people, lambda person: person is anna)
        await proposed(house, people)
        first = cleo.table["proposal"]["n"]
        await ben.say(type="vote", yes=False, n=first)
        await anna.until(lambda: "proposal" not in anna.table)
        await anna.say(type="propose", what="undo")
        await cleo.until(lambda: cleo.table.get("proposal", {}).get("n", first) != first)
        await cleo.say(type="vote", yes=True, n=first)
        assert (await cleo.message("error"))["text"] == "What you have answered is not voted on any more."
        assert cleo.table["proposal"]["open"] == [1, 2]
        await cleo.say(type="vote", yes=True, n=cleo.table["proposal"]["n"])
        await cleo.until(lambda: cleo.table["proposal"]["open"] == [1])

    run(scene, tmp_path)


def test_a_vote_that_servers_before_have_stored_is_about_the_move_that_was_the_last_one_then() -> None:
    state = TableState(e.Opened(e.GameSpec("hearts"), "Hearts", 4, "", "", "ABCDEF"))
    state.apply(e.Begun(Made([], [])))
    for tick, player in enumerate([2, 0, 1, 0]):
        state.apply(e.Moved(Made([(tick, player, "play", {})], []), player))
        if tick == 2:
            state.apply(e.Proposed("undo", 0, asked=[0, 1]))
    assert state.vote is not None and state.vote.stay == 1 and state.last[0] == 3


def test_who_comes_back_before_a_vote_is_over_is_asked_too(tmp_path: Path) -> None:
    kept: list[Person] = []

    async def scene(house: House) -> None:
        people = anna, ben, cleo = await house.table_of(3, "crazy-eights", players=3)
        kept.extend(people)
        await moves_until(people, lambda person: person is anna)
        await cleo.close()
        await anna.until(lambda: anna.table.get("away") == [2])
        await proposed(house, people[:2])
        assert ben.table["proposal"]["open"] == [1]
        back = await house.come(cleo.links)
        await back.welcome()
        assert back.table["proposal"]["open"] == [1, 2]
        await ben.say(type="vote", yes=True)
        await back.until(lambda: back.table["proposal"]["open"] == [2])

    async def after(house: House) -> None:
        anna, cleo = await house.come(kept[0].links), await house.come(kept[2].links)
        await anna.welcome()
        assert anna.table["proposal"]["open"] == [2]
        await cleo.welcome()
        await cleo.say(type="vote", yes=True)
        await anna.until(lambda: ["news", "Anna has taken a move back; Ben and Cleo agreed."] in anna.lines)

    run(scene, tmp_path, away=0.3)
    run(after, tmp_path)


def test_who_comes_back_is_asked_whether_a_bot_plays_for_another_and_who_is_back_needs_none(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben, cleo, dora = await house.table_of(4)
        await cleo.close()
        await dora.close()
        await anna.until(lambda: anna.table.get("away") == [2, 3])
        await anna.say(type="propose", what="bot", seat=3)
        await ben.until(lambda: ben.table.get("proposal", {}).get("open") == [1])
        back = await house.come(cleo.links)
        await back.welcome()
        assert back.table["proposal"]["open"] == [1, 2]
        await ben.say(type="vote", yes=True)
        await back.until(lambda: back.table["proposal"]["open"] == [2])
        here = await house.come(dora.links)
        await here.welcome()
        for person in (anna, ben, back):
            assert (await person.message("error"))["text"] == "Dora is back; no bot is needed."
            assert "proposal" not in person.table and not person.table["seats"][3].get("bot")

    run(scene, tmp_path, away=0.3)


@pytest.mark.parametrize("overlays", [[], ["format: 1\nid: ours\nextends: crazy-eights\n"]])
def test_who_has_seen_cards_by_what_would_be_taken_back_is_told(tmp_path: Path, overlays: list[str]) -> None:
    kept: list[Person] = []

    def drawn_by(people: list[Person]) -> Person | None:
        return next((one for one in people if any(move.startswith("draw") for move in one.offers())), None)

    async def scene(house: House) -> None:
        people = anna, ben = await house.table_of(2, "crazy-eights", players=2, overlays=overlays)
        while (drawer := drawn_by(people)) is None:
            await play_on(people, 1)
        other = ben if drawer is anna else anna
        named, by = ("Anna", "Ben") if drawer is anna else ("Ben", "Anna")
        text = f"{named} would like to take a move back, with anything done since; when this was asked, "
        await drawer.move("draw")
        await proposed(house, [drawer, other])
        assert other.table["proposal"]["text"] == f"{text}{named} had seen cards by it."
        kept.append(other)
        await other.say(type="vote", yes=False)
        for person in people:
            await person.until(lambda person=person: "proposal" not in person.table)  # type: ignore[misc]
        while not any(move.startswith("play ") for move in drawer.offers()):
            await drawer.move(drawer.offers()[0])
            await drawer.settled()
        await drawer.move(next(move for move in drawer.offers() if move.startswith("play ")))
        await proposed(house, [drawer, other])
        assert other.table["proposal"]["text"] == f"{text}{by} had seen cards by it."
        await other.settled()

    async def after(house: House) -> None:
        again = await house.come(kept[0].links)
        await again.welcome()
        assert again.table["proposal"]["text"] == kept[0].table["proposal"]["text"]

    run(scene, tmp_path)
    run(after, tmp_path)


@pytest.mark.parametrize(
    ("move", "told"),
    [
        ("offer", "somebody may have seen cards by it"),
        ("deliver", "Ben had seen cards by it, and others may have"),
    ],
)
def test_a_proposal_tells_of_nobody_who_sees_cards_by_a_secret(tmp_path: Path, move: str, told: str) -> None:
    text = SEER.replace("EYES", "all p in everyone where seer of p").replace("WHO", "owner")

    async def scene(house: House) -> None:
        people = anna, _, cleo = await house.table_of(3, "", overlays=[text])
        await anna.settled()
        await anna.move(next(offer for offer in anna.offers() if offer.startswith(move)))
        await proposed(house, people)
        asked = "Anna would like to take a move back, with anything done since; when this was asked, "
        assert cleo.table["proposal"]["text"] == f"{asked}{told}."

    run(scene, tmp_path)


def test_a_move_that_shows_nothing_is_told_to_have_shown_nothing_as_it_was_asked(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(4, "setback", players=4)
        for person in people:
            await person.settled()
        first = next(person for person in people if person.offers())
        await first.move("pass")
        others = [one for one in people if one is not first]
        await proposed(house, [first, *others])
        assert first.me is not None
        text = f"{first.table['seats'][first.me]['name']} would like to take a move back, with anything done since; "
        text += "when this was asked, nobody had seen a card by it."
        assert others[0].table["proposal"]["text"] == text
        for person in others:
            await person.settled()
        second = next(person for person in others if person.offers())
        await second.move("pass")
        again = await house.come(others[0].links)
        await again.welcome()
        assert again.table["proposal"]["text"] == text

    run(scene, tmp_path)


def test_what_cannot_be_told_is_stored_all_the_same(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, _ = await house.table_of(2)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        news, table.news = table.news, lambda: 1 / 0  # type: ignore[assignment,method-assign,return-value]
        await anna.say(type="order", what="lock")
        await asyncio.sleep(0.1)
        table.news = news  # type: ignore[method-assign]
        await anna.settled()
        found = [event for _, event in house.service.store.events(table.name)]
        assert e.Set("locked", True) in found and len(found) == table.state.n, "bots play on meanwhile"

    run(scene, tmp_path)


def test_who_was_asked_has_to_agree_also_when_away_and_what_was_taken_back_is_told_after_a_restart(
    tmp_path: Path,
) -> None:
    kept: list[tuple[Person, list[list[str]]]] = []

    async def after(house: House) -> None:
        again = await house.come(kept[0][0].links)
        await again.welcome()
        at = again.lines.index(["news", "Anna has taken a move back; Ben agreed."])
        assert 0 < at < len(again.lines) - 1 and again.lines[: len(kept[0][1])] == kept[0][1]

    async def scene(house: House) -> None:
        people = anna, ben = await house.table_of(2, "gin-rummy", players=2)
        await play_on(people, 6)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        await proposed(house, people)
        made = len(table.state.moves)
        await ben.close()
        await anna.until(lambda: not anna.table["seats"][1].get("here"))
        assert anna.table["proposal"]["open"] == [1]
        await anna.say(type="vote", yes=True)
        assert (await anna.message("error"))["text"] == "You have agreed already."
        assert len(table.state.moves) == made
        back = await house.come(ben.links)
        await back.welcome()
        await back.say(type="vote", yes=True)
        told = ["news", "Anna has taken a move back; Ben agreed."]
        await anna.until(lambda: told in anna.lines)
        assert len(table.state.moves) < made
        await back.settled()
        await play_on([anna, back], 3)
        kept.append((anna, list(anna.lines)))

    run(scene, tmp_path)
    run(after, tmp_path)


def test_who_is_away_for_a_moment_is_asked_before_moves_are_taken_back_and_a_bot_agrees(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = anna, ben, _ = await house.table_of(3, "crazy-eights", players=3)
        await play_on(people, 9)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        while not any(player == 0 for _, player, _, _ in table.state.moves):  # others may draw again and again
            await play_on(people, 1)
        await people[2].say(type="leave")
        await ben.until(lambda: bool(ben.table["seats"][2].get("bot")))
        await ben.close()
        await anna.until(lambda: not anna.table["seats"][1].get("here"))
        await anna.say(type="pause", on=True)
        await anna.say(type="propose", what="undo")
        await anna.until(lambda: "proposal" in anna.table)
        assert anna.table["proposal"]["open"] == [1]

    run(scene, tmp_path)


def test_a_look_at_the_own_hand_is_not_taken_back_and_the_vote_lapses(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = anna, *_ = await house.table_of(4, "spades")
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        while not any(person.offers() for person in people):
            await anna.hear()
        first = next(person for person in people if person.offers())
        assert (await first.move("look"))["type"] == "done"
        others = [person for person in people if person is not first]
        await first.say(type="propose", what="undo")
        for person in others:
            await person.until(lambda person=person: "proposal" in person.table)  # type: ignore[misc]
            await person.say(type="vote", yes=True)
        told = await others[-1].message("error")
        assert "what was seen stays seen" in told["text"]
        await first.settled()
        assert table.state.vote is None and len(table.state.moves) == 1

    run(scene, tmp_path)


def test_whoever_asks_to_take_moves_back_again_and_again_makes_the_match_again_only_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "gin-rummy")
        await play_on([anna, ben], 40)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        await ben.say(type="leave")
        await anna.until(lambda: bool(anna.table["seats"][1].get("bot")))
        await anna.say(type="pause", on=True)
        monkeypatch.setattr(HostedMatch, "undo", lambda match, *given: made.append(given) or refuse())
        for _ in range(20):
            await anna.say(type="propose", what="undo")
        told = [(await anna.message("error"))["text"] for _ in range(20)]
        assert len(made) == 1 and told[0] == "No." and set(told[1:]) == {"What was done last is not taken back."}
        table.requests._refused = None
        monkeypatch.setattr(table.requests, "_decide", partial(asyncio.sleep, 0))
        for _ in range(20):
            table.state.vote = None
            with suppress(Denied):
                await table.requests._propose(0, p.Propose("undo"))
                made.append(())
        assert len(made) == UNDOS

    def refuse() -> None:
        raise Refusal("No.")

    run(scene, tmp_path)


@pytest.mark.parametrize("decided", ["by the last vote", "when somebody has left"])
def test_everybody_who_voted_is_told_why_the_rules_refuse_it(
    decided: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(3, "crazy-eights", players=3)
        await play_on(people, 7)
        table = house.service.at_hand(people[0].links["table"])
        assert table is not None
        asker = table.state.moves[-1][1]
        asking, (first, last) = people[asker], [person for seat, person in enumerate(people) if seat != asker]

        async def refuse(stay: int, note: str) -> None:
            raise Refusal("Cards have come to light.")

        monkeypatch.setattr(table, "take_back", refuse)
        await asking.say(type="propose", what="undo")
        for person in people:
            await person.until(lambda person=person: "proposal" in person.table)  # type: ignore[misc]
        await first.say(type="vote", yes=True)
        await asking.until(lambda: asking.table["proposal"]["open"] == [people.index(last)])
        if decided == "by the last vote":
            await last.say(type="vote", yes=True)
        else:
            table.state.seats[people.index(last)].bot = "easy"
            await table.requests.decide_vote()
        told = people if decided == "by the last vote" else [asking, first]
        for person in told:
            assert (await person.message("error"))["text"] == "Cards have come to light."
        for person in people:  # and once
            await person.say(type="vote", yes=True)
            assert (await person.message("error"))["text"] == "Nothing is being voted on."

    run(scene, tmp_path)


def test_what_one_may_not_take_back_does_not_hinder_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(2, "crazy-eights", players=2)
        await play_on(people, 6)
        table = house.service.at_hand(people[0].links["table"])
        assert table is not None
        *_, last = table.state.moves
        made = len(table.state.moves)

        def revealed(match: HostedMatch, stay: int, seats: list[int]) -> list[int]:
            if stay < made - 1:
                raise Refusal("No.")
            return []

        monkeypatch.setattr(HostedMatch, "revealed", revealed)
        for seat in (1 - last[1], last[1]):
            with suppress(Denied):
                await table.requests._propose(seat, p.Propose("undo"))
            assert (table.state.vote is not None) == (seat == last[1])

    run(scene, tmp_path)


def test_where_a_last_move_lies_is_known_without_going_through_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_first(moves: list[RecordedMove], seat: int) -> tuple[int | None, bool]:
        own = [at for at, (_, player, _, _) in enumerate(moves) if player == seat]
        if not own:
            return None, False
        stay = next(at for at, move in enumerate(moves) if move[0] == moves[own[-1]][0])
        return stay, any("end" in extra for *_, extra in moves[stay:])

    dice, moves, tick = random.Random(3), list[RecordedMove](), 0
    state = TableState(e.Opened(e.GameSpec("hearts"), "Hearts", 4, "", "", "ABCDEF"))
    state.apply(e.Begun(Made([], [])))
    for _ in range(400):
        tick += dice.random() < 0.7
        move = (tick, dice.randrange(3), "play", {"end": tick} if dice.random() < 0.02 else {})
        moves.append(move)
        state.apply(e.Moved(Made([move], []), move[1]))
        if dice.random() < 0.05:
            stay = max(0, len(moves) - dice.randrange(60))
            del moves[stay:]
            state.apply(e.Undone(stay, [], {}))
        for seat in range(4):
            stay, has_ended = is_first(moves, seat)
            assert state.last.get(seat) == stay and (stay is None or (state.ended >= stay) == has_ended)

    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "gin-rummy")
        await play_on([anna, ben], 120)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None and len(table.state.moves) >= 100
        monkeypatch.setattr(Packed, "__iter__", None)
        monkeypatch.setattr(Packed, "_unpacked", None)
        assert len(table.state.moves) - 6 < table.requests._undo_to(0) < len(table.state.moves)
        monkeypatch.undo()

    run(scene, tmp_path)


def test_much_that_is_asked_of_one_table_holds_up_nothing_else(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, _ = await house.table_of(2)
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        done, others = [], 0

        async def does() -> None:
            done.append(1)

        for _ in range(300):
            table.put(does)
        while len(done) < 300:
            await asyncio.sleep(0)
            others += 1
        assert others > 250

    run(scene, tmp_path)


def test_who_is_asked_and_stays_away_holds_up_no_rematch(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben, cleo = await house.table_of(3, "crazy-eights", players=3, options={"target_score": 0})
        await play_on([anna, ben, cleo], 3_000)
        await anna.until(lambda: anna.table["state"] == "over")
        await anna.say(type="propose", what="rematch")
        for person in (anna, ben):
            await person.until(lambda person=person: "proposal" in person.table)  # type: ignore[misc]
        await cleo.close()
        await ben.until(lambda: not ben.table["seats"][2].get("here"))
        assert ben.table["proposal"]["open"] == [1, 2], "who may be back at once is waited for"
        await ben.say(type="vote", yes=True)
        await anna.until(lambda: anna.table.get("match") == 2 and anna.table["state"] == "playing")

    run(scene, tmp_path, away=0.5)


def test_a_rematch_that_cannot_begin_is_voted_on_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "crazy-eights", players=2, options={"target_score": 0})
        await play_on([anna, ben], 3_000)
        await anna.until(lambda: anna.table["state"] == "over")

        async def full(*_: Any) -> None:
            raise WrongGame("There are too many matches.")

        with monkeypatch.context() as patch:
            patch.setattr(house.service, "match", full)
            await agreed(anna, ben, "rematch")
            await anna.until(lambda: anna.heard[-1]["type"] == "error" and "too many" in anna.heard[-1]["text"])
        await anna.until(lambda: "proposal" not in anna.table)
        await ben.until(lambda: "proposal" not in ben.table)
        await agreed(anna, ben, "rematch")
        await anna.until(lambda: anna.table.get("match") == 2)

    run(scene, tmp_path)


PEEKING = """\
format: 1
id: peeking
name: Peeking
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}}
flow:
  match: {setup: shuffle stock, do: [main], winners: everyone}
  main: {kind: turn, first: P1, turns: 2, actions: {peek: {effect: show top of stock to actor}}}
"""


def test_what_was_not_taken_back_in_one_match_is_asked_anew_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "", overlays=[PEEKING])
        table = house.service.at_hand(anna.links["table"])
        assert table is not None

        async def refuse(stay: int, note: str) -> None:
            raise Refusal("No.")

        monkeypatch.setattr(table, "take_back", refuse)
        for _ in range(2):
            await anna.settled()
            await anna.move("peek")
            await anna.say(type="propose", what="undo")
            await ben.until(lambda: "proposal" in ben.table)
            await ben.say(type="vote", yes=True)
            assert (await anna.message("error"))["text"] == "No."
            await anna.say(type="propose", what="undo")
            assert (await anna.message("error"))["text"] == "What was done last is not taken back."
            await ben.settled()
            await ben.move("peek")
            await ben.until(lambda: ben.table["state"] == "over")
            await agreed(anna, ben, "rematch")
            for person in (anna, ben):
                await person.welcome()

    run(scene, tmp_path)
