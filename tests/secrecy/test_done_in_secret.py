"""What somebody does in secret, so that the others are not even told that it was done: no page of theirs hears of it,
and votes, hints and answers are as if nothing had been done."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import interpreter
from interpreter.api.game import State
from interpreter.interfaces.fullscreen.reactions import Reactions
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.made_again import History
from interpreter.interfaces.terminal.heard import Heard
from interpreter.players.monte_carlo import advice
from interpreter.players.told_moves import how_far, others_moved
from tests.host.house import House, Person, run

RULES = """\
format: 1
id: secret
name: Secret
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  gift: {each: player, seen by: none}
  burnt: {seen by: none}
state:
  score: {each: player, type: integer, lasts: match}
  secret: {each: player, type: integer, lasts: match, seen by: owner}
flow:
  match:
    first dealer: P1
    setup: shuffle stock; deal 5 from stock to hand
    repeat: [lead, giving]
    until: number of giving > 5
    winners: everyone
  lead:
    kind: turn
    first: P1
    turns: 1
    actions: {burn: {choose: {card: {from: hand}}, effect: move card to burnt}}
  giving:
    kind: simultaneous
    actions:
      peek: {effect: PEEKS}
      give: {choose: {card: {from: hand}}, effect: move card to gift}
    resolve: for p in players do move all from gift of p to hand of left of p end
"""
COUNTS, LOOKS = "add 1 to secret; stay", "show top of stock to actor; stay"


def game(folder: Path, peeks: str = COUNTS) -> interpreter.Game:
    path = folder / "secret.yaml"
    path.write_text(RULES.replace("PEEKS", peeks), encoding="utf-8")
    return interpreter.load(path).game()


def burnt(made: interpreter.Game) -> tuple[State, str]:
    """A match in which P1 has burnt a card, and one that P1 holds still."""
    state = made.start(seed=3)
    state.play(0, f"burn {state.zone('hand', 0)[0]}")
    return state, str(state.zone("hand", 0)[0])


async def peeks(person: Person) -> None:
    await person.settled()  # what is asked now has been read
    assert (await person.move("peek"))["type"] == "done"


def test_no_page_of_others_is_sent_anything(tmp_path: Path) -> None:
    match = HostedMatch(game(tmp_path), ["Anna", "Ben", "Cleo"], History())
    for reader in (0, 1, 2, None):
        match.welcome(reader)
    match.play(0, f"burn {match.state.zone('hand', 0)[0]}", None, None)
    match.play(0, f"give {match.state.zone('hand', 0)[0]}", None, None)
    for _ in range(3):
        step = match.play(1, "peek", None, None)
        assert {reader for reader, _ in step.news} <= {1}


def test_what_a_hint_says_is_the_same(tmp_path: Path) -> None:
    hints = []
    for peeks in range(3):
        state, _ = burnt(game(tmp_path))
        for _ in range(peeks):
            state.play(1, "peek")
        hints.append([str(rated) for rated in advice(state, 0, seconds=60)])
    assert hints[0] == hints[1] == hints[2]


def test_so_is_whether_moves_are_taken_back(tmp_path: Path) -> None:
    for peeks in (COUNTS, LOOKS):
        told = set()
        for moves in (0, 1, 2):
            state, _ = burnt(game(tmp_path, peeks))
            for _ in range(moves):
                state.play(1, "peek")
            try:
                state.undo(5, 0, [0])
                told.add("")
            except ValueError as why:
                told.add(str(why))
        assert len(told) == 1, peeks


def test_so_is_what_is_voted_on(tmp_path: Path) -> None:
    read: list[Any] = []

    async def scene(house: House) -> None:
        for moves in (0, 1):
            anna, ben, cleo = people = await house.table_of(3, "", overlays=[RULES.replace("PEEKS", COUNTS)])
            await anna.move(next(text for text in anna.offers() if text.startswith("burn")))
            for _ in range(moves):
                await peeks(ben)
            await anna.say(type="propose", what="undo")
            await cleo.until(lambda cleo=cleo: "proposal" in cleo.table)  # type: ignore[misc]
            for person in people:
                await person.settled()
            first = cleo.table["proposal"]["text"]
            await peeks(ben)
            await cleo.settled()
            again = await house.come(cleo.links)
            await again.welcome()
            read.append((first, again.table["proposal"]["text"]))
            assert first == again.table["proposal"]["text"]

    random.seed(3)
    run(scene, tmp_path)
    assert read[0] == read[1]


def test_nor_is_a_hint_found_anew(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben, _ = await house.table_of(3, "", overlays=[RULES.replace("PEEKS", COUNTS)])
        await anna.move(next(text for text in anna.offers() if text.startswith("burn")))
        advise, found = house.service.advise, []

        async def counted(*given: Any) -> Any:
            found.append(given)
            return await advise(*given)

        house.service.advise = counted  # type: ignore[method-assign,assignment]
        for _ in range(3):
            await anna.say(type="hint")
            await anna.message("hint")
            await peeks(ben)
        assert len(found) == 1
        await anna.close()
        again = await house.come(anna.links)
        await again.welcome()
        await again.say(type="hint")
        await again.message("hint")
        assert len(found) == 2, "much may have been done while nobody was there"

    run(scene, tmp_path)


def test_nor_does_a_vote_end_by_what_who_asked_does_in_secret(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben, cleo = await house.table_of(3, "", overlays=[RULES.replace("PEEKS", COUNTS)])
        await anna.move(next(text for text in anna.offers() if text.startswith("burn")))
        await anna.say(type="propose", what="undo")
        await cleo.until(lambda: "proposal" in cleo.table)
        await peeks(anna)
        for person in (ben, cleo):
            await person.say(type="vote", yes=True)
        await cleo.until(lambda: "proposal" not in cleo.table)
        await anna.settled()
        assert not [heard for heard in cleo.heard if heard["type"] == "error"]
        table = house.service.at_hand(anna.links["table"])
        assert table is not None and not len(table.state.moves), "both are taken back"

    run(scene, tmp_path)


def test_who_is_told_nothing_has_nothing_to_read(tmp_path: Path) -> None:
    state, _ = burnt(game(tmp_path))
    heard = Heard((0, 1, 2))
    for person in range(3):
        heard.news_of(person, state.log or [])
    state.play(1, "peek")
    assert [heard.is_behind(person, state.log or []) for person in range(3)] == [False, True, False]


RACE = """\
format: 1
id: sly
name: Sly
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  board: {}
tokens: {spoon: {seen by: owner}}
flow:
  match: {setup: set out 3 of spoon; shuffle stock; deal 5 from stock to hand, do: [main], winners: everyone}
  main:
    kind: race
    until: count of board > 9
    actions:
      lay: {choose: {card: {from: hand}}, effect: move card to board}
      fiddle: {effect: take first x in spoon of actor}
"""


def test_in_a_race_it_is_counted_nowhere(tmp_path: Path) -> None:
    """Not by bots, which go by whether others have moved, and not on the whole screen."""
    path = tmp_path / "sly.yaml"
    path.write_text(RACE, encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    counted, whole, begun = Reactions(state, 2), Reactions(state), how_far(state)
    state.play(0, "fiddle", 10, 20)
    counted.look(20)
    whole.look(20)
    assert (counted.moves, whole.moves) == ([0, 0, 0], [1, 0, 0])
    assert [others_moved(state, player, begun) for player in range(3)] == [False, False, False]
    state.play(0, str(next(move for move in state.legal_moves(0) if move.action == "lay")), 30, 40)
    counted.look(40)
    assert counted.moves == [1, 0, 0]
    assert [others_moved(state, player, begun) for player in range(3)] == [False, True, True]
