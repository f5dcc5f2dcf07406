"""A move that the rules cannot carry out is not made and its player is told; it ends the match for nobody."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from house import House, run

from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.situation import RecordedMove
from interpreter.interfaces.host import hosted_match
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.house_rules_text import game_of
from interpreter.interfaces.host.made_again import History
from interpreter.interfaces.host.not_made import Refusal
from interpreter.interfaces.host.page_offers import NO_MOVE
from interpreter.interfaces.host.table_events import GameSpec

DARES = """\
format: 1
id: dares
name: Dares
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
state: {risk: {type: integer, lasts: match, max: 1}}
flow:
  match: {setup: deal 5 from stock to hand, do: [daring]}
  daring:
    kind: KIND
    first: P1
    turns: 400
    actions:
      dare: {effect: add 1 to risk}
      wait: {}
"""
TURNS = DARES.replace("KIND", "turn")
RACE = DARES.replace("KIND", "race").replace("    first: P1\n    turns: 400\n", "    until: risk > 1\n")
WHY = r"The rules cannot carry that out: [-\w.]+:15: 'risk' would become 2, but it goes from"


def test_another_move_is_left_to_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where house rules are written
    match = HostedMatch(game_of(GameSpec("", overlays=[TURNS])), ["Anna", "Ben"])
    match.play(0, "dare", None, None)
    before = match.state.to_json()
    with pytest.raises(Refusal, match=WHY) as refused:
        match.play(1, "dare", None, None)
    assert refused.value.instead == "wait" and match.state.to_json() == before
    match.play(1, "wait", None, None)


def test_nothing_is_made_again_for_a_move_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That would take the longer, the longer the match is; and what was taken back before could come again."""
    monkeypatch.chdir(tmp_path)
    match = HostedMatch(game_of(GameSpec("", overlays=[TURNS])), ["Anna", "Ben"])
    for move in ("wait", "wait", "dare"):
        match.play(match.state.actors[0], move, None, None)
    match.undo(1, "", [])
    match.play(1, "dare", None, None)
    before, stored = match.state, match.state.to_json()
    for _ in range(3):
        with pytest.raises(Refusal, match=WHY):
            match.play(0, "dare", match._numbers[0], None)
    assert match.state is before and match.state.to_json() == stored
    match.play(0, "wait", match._numbers[0], None)


def test_a_move_that_fails_changes_no_number_of_what_others_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever sends such moves all the time keeps others from ever answering."""
    monkeypatch.chdir(tmp_path)
    anytime = "    anytime: {boast: {effect: add 2 to risk}}\n"
    match = HostedMatch(
        game_of(GameSpec("", overlays=[TURNS.replace("wait: {}", "wait: {effect: stay}") + anytime])), ["A", "B"]
    )
    match.play(0, "wait", match._numbers[0], None)
    asked = match._numbers[:]
    with pytest.raises(Refusal, match="The rules cannot carry that out"):
        match.play(1, "boast", None, None)
    assert match._numbers == asked
    match.play(0, "wait", asked[0], None)


def test_one_move_of_thousands_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few can be carried out."""
    monkeypatch.chdir(tmp_path)
    bids = TURNS.replace(
        "dare: {effect: add 1 to risk}", "dare: {choose: {n: {number: 2..3000}}, effect: add n to risk}"
    )
    match = HostedMatch(game_of(GameSpec("", overlays=[bids])), ["Anna", "Ben"])
    with pytest.raises(Refusal) as refused:
        match.play(0, "dare 1000", None, None)
    assert refused.value.instead == "wait"


GUESSES = """\
format: 1
id: guesses
name: Guesses
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
state: {risk: {type: integer, lasts: match, max: 0}}
honor: {claim: claim, during: match, penalty: stay}
flow:
  match: {setup: shuffle stock; deal 5 from stock to hand, do: [guessing]}
  guessing:
    kind: turn
    first: P1
    actions:
      guess:
        choose: {card: {from: hand of left of actor}, s: {suits: all}}
        must: {right: s = card.suit}
        effect: stay
      dare: {effect: add 1 to risk}
"""


def test_on_honour_what_is_left_to_be_made_tells_nothing_of_hidden_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Laws are looked up by nobody there."""
    monkeypatch.chdir(tmp_path)
    game, right = game_of(GameSpec("", overlays=[GUESSES], honor=True)), set[bool]()
    for _ in range(30):
        match = HostedMatch(game, ["Anna", "Ben"])
        with pytest.raises(Refusal) as refused:
            match.play(0, "dare", None, None)
        _, at, suit = str(refused.value.instead).split()
        right.add(match.state.zone("hand", 1)[int(at) - 1][-1] == suit[0].upper())
    assert right == {True, False}


def test_where_no_move_is_left_the_rules_cannot_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    match = HostedMatch(game_of(GameSpec("", overlays=[TURNS.replace("      wait: {}\n", "")])), ["Anna", "Ben"])
    match.play(0, "dare", None, None)
    with pytest.raises(RuleError, match="'risk' would become 2"):
        match.play(1, "dare", None, None)


PAIRS = """\
format: 1
id: pairs
name: Pairs
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, pile: {seen by: everyone}}
flow:
  match: {setup: deal 5 from stock to hand, do: [tossing]}
  tossing:
    kind: turn
    first: P1
    until: any p in players has hand of p is empty
    actions: {toss: {choose: {cards: {from: hand, count: 2}}, effect: move cards to pile}}
"""


LEADERLESS = """\
format: 1
id: leaderless
name: Leaderless
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, trick: {seen by: everyone}}
state: {opener: {type: player, optional: true, lasts: match}}
flow:
  match: {setup: shuffle stock; deal 5 from stock to hand, do: [naming, tricks]}
  naming:
    kind: turn
    first: P1
    turns: 2
    actions: {name: {choose: {who: {players: everyone, optional: true}}, effect: set opener to who}}
  tricks: {kind: trick, leader: opener, count: 3}
"""


def test_no_seed_is_told_at_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where moves were taken back chance goes on from one, which would tell where cards lie that came to light."""
    monkeypatch.chdir(tmp_path)
    match = HostedMatch(game_of(GameSpec("", overlays=[LEADERLESS])), ["Anna", "Ben"])
    match.play(0, "name P1", None, None)
    match.undo(0, "", [])
    match.play(0, "name none", None, None)
    with pytest.raises(Refusal, match="nobody can lead in 'tricks'") as refused:
        match.play(1, "name none", None, None)
    assert "seed" not in str(refused.value)


def test_whom_the_rules_leave_no_move_is_told_so(tmp_path: Path) -> None:
    """Also where choosing several cards is all that can be done, of which there are too few."""

    async def scene(house: House) -> None:
        people = await house.table_of(2, "", players=2, overlays=[PAIRS])
        for player in (0, 1, 0, 1):
            for person in people:
                await person.settled()
            assert (await people[player].move(people[player].offers()[0]))["type"] == "done"
        anna = people[0]
        await anna.settled()
        assert anna.ask is not None and anna.ask["due"] and anna.ask["prompt"] == NO_MOVE and not anna.ask["acts"]
        assert anna.table["state"] == "playing"

    run(scene, tmp_path)


def test_the_match_goes_on_for_everybody(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        anna, ben = await house.table_of(2, "", players=2, overlays=[TURNS])
        assert (await anna.move("dare"))["type"] == "done"
        for _ in range(3):
            await ben.until(lambda: bool(ben.offers()))
            answer = await ben.move("dare")
            assert answer["type"] == "refused" and "The rules cannot carry that out" in answer["text"]
            assert str(tmp_path) not in answer["text"]
            await ben.settled()
            assert ben.table["state"] == "playing"
        assert (await ben.move("wait"))["type"] == "done"
        await anna.settled()
        assert (await anna.move("wait"))["type"] == "done"

    run(scene, tmp_path)


@pytest.mark.parametrize("rules", [TURNS, RACE], ids=["turns", "race"])
def test_bots_do_something_else(rules: str, tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        (anna,) = await house.table_of(1, "", players=2, overlays=[rules])
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        for _ in range(12):
            made = len(table.state.moves)
            if rules is TURNS:
                assert table.match is not None
                await table.again.in_turn(partial(table.move, 0, "wait", None))
                made += 1
            await anna.until(lambda made=made: len(table.state.moves) > made)  # type: ignore[misc]
        assert table.state.state == "playing"

    run(scene, tmp_path)


CHANCE = TURNS.replace("effect: add 1 to risk", 'effect: "if (random of pack).rank > 8 then add 5 to risk end"')
MEASURED = TURNS.replace("effect: add 1 to risk", "measured: {hold: 0..9}, effect: if hold > 4 then add 5 to risk end")


@pytest.mark.parametrize("rules", [CHANCE, MEASURED])
def test_what_fails_by_chance_may_pass_the_next_time(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chance is drawn anew then, and what has been drawn in vain is not kept."""
    monkeypatch.chdir(tmp_path)
    match = HostedMatch(game_of(GameSpec("", overlays=[rules])), ["Anna", "Ben"])
    chance: dict[str, list[Any]] = {}
    for place, outcome in match.begun().made.chance:
        chance.setdefault(place, []).append(outcome)
    made: list[RecordedMove] = []
    refused = 0
    for _ in range(40):
        try:
            step = match.play(match.state.actors[0], "dare", None, None)
        except Refusal:
            refused += 1
            continue
        made += step.made.moves
        for place, outcome in step.made.chance:
            chance.setdefault(place, []).append(outcome)
    assert made and refused and len(made) + refused == 40
    again = HostedMatch(match.game, match.names, History(made, chance))
    assert again.state.log == match.state.log and again.state.record() == match.state.record()


TOLD = TURNS.replace("add 1 to risk", "set risk to 1")
PROMPT = "prompt: of {ratio}\n    first:"
COUNTED = 'count seen by: "if 10 div (1 - risk) > 3 then owner else none"'
RATIO = "define:\n  ratio: {value: 10 div (1 - risk), seen by: everyone}\nflow:"


@pytest.mark.parametrize(
    "rules",
    [
        TOLD.replace("flow:", RATIO),
        TOLD.replace("flow:", f"always shown: [ratio]\n{RATIO}"),
        TOLD.replace("flow:", RATIO.replace(", seen by: everyone", "")).replace("first:", PROMPT),
        TOLD.replace("seen by: owner", f"seen by: owner, {COUNTED}"),
    ],
)
def test_a_move_is_not_made_after_which_somebody_could_not_be_told_how_it_stands(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    match = HostedMatch(game_of(GameSpec("", overlays=[rules])), ["Anna", "Ben"])
    match.welcome(1)
    asked, told = match._numbers[:], match.welcome(0)
    for _ in range(2):
        with pytest.raises(Refusal, match="The rules cannot carry that out"):
            match.play(0, "dare", None, None)
    assert match._numbers == asked and match.news(0).changes == [] and match.welcome(0) == told
    ((_, learned), *_) = match.play(0, "wait", None, None).news
    assert len(learned.lines) == 1


HOLDS = """\
format: 1
id: holds
name: Holds
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {setup: deal 5 from stock to hand, do: [pressing]}
  pressing:
    kind: turn
    first: P1
    turns: 400
    actions:
      press:
        choose: {n: {number: 0..5}}
        must: {some: n > 0}
        measured: {hold: 1..n, share: 0..6 div n}
        effect: add hold to score of actor
"""


def test_what_would_be_measured_of_a_move_that_is_refused_has_no_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    match = HostedMatch(game_of(GameSpec("", overlays=[HOLDS])), ["Anna", "Ben"])
    with pytest.raises(Refusal, match="press 1, 2, 3, 4 or 5") as refused:
        match.play(0, "press 0", None, None)
    assert not refused.value.fault
    step = match.play(0, "press 3", None, None)
    assert set(step.made.moves[0][3]) == {"hold", "share"}


def test_a_fault_of_houserules_as_a_move_is_read_ends_no_match_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever keeps the server is told."""

    async def scene(house: House) -> None:
        people = anna, ben = await house.table_of(2, "spades-two", players=2)
        person = next(one for one in people if one.offers())
        monkeypatch.setattr(hosted_match, "meant", lambda *_: {}["nothing"])
        for _ in range(5):
            refused = await person.move(person.offers()[0])
            assert refused["type"] == "refused" and "by a fault of houserules" in refused["text"]
        monkeypatch.undo()
        assert (await person.move(person.offers()[0]))["type"] == "done"
        assert anna.table["state"] == ben.table["state"] == "playing"

    run(scene, tmp_path)
    assert "by a fault of houserules: KeyError: 'nothing'" in caplog.text


def test_a_bot_at_whose_move_houserules_fails_is_not_asked_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody could tell it to do something else: the match is made again a few times, and ends."""
    caplog.set_level(logging.CRITICAL, "houserules.host")

    async def scene(house: House) -> None:
        (anna,) = await house.table_of(1, "crazy-eights", players=2)
        monkeypatch.setattr(hosted_match, "meant", lambda *_: {}["nothing"])
        table = house.service.at_hand(anna.links["table"])
        assert table is not None
        for tried in range(4):
            if table.state.state != "playing":  # where it is the bot's turn, it has tried to move by itself, too
                assert tried
                break
            while table.match is None:
                await asyncio.sleep(0.01)
            await table.again.in_turn(partial(table.move, 1, "draw", None))
        await anna.until(lambda: anna.table["state"] == "over")
        assert "Something went wrong" in anna.table["why"]

    run(scene, tmp_path)


BROKEN_FOR_BOTS = """\
format: 1
id: broken-for-bots
name: Broken for bots
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, pile: {}}
state: {share: {each: player, type: integer, lasts: match, default: 1}}
flow:
  match: {setup: deal 20 from stock to hand, do: [racing]}
  racing:
    kind: race
    until: all p in players have hand of p is empty
    actions:
      lay: {when: 12 div share > 0, choose: {card: {from: hand}}, effect: move card to pile}
      zero: {when: actor = P1, effect: set share of P2 to 0}
      one: {effect: set share of P2 to 1}
"""


def test_who_keeps_a_bot_from_finding_a_move_in_a_race_ends_no_match(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        (anna,) = await house.table_of(1, "", overlays=[BROKEN_FOR_BOTS])
        zeroed = await anna.move("zero", ask=0)
        assert zeroed["type"] == "done", zeroed
        await asyncio.sleep(0.3)
        await anna.settled()
        assert anna.table["state"] == "playing"
        assert (await anna.move("one", ask=0))["type"] == "done"
        await anna.until(lambda: sum("Ada lays" in line[1] for line in anna.lines) > 0)

    run(scene, tmp_path, pace=0.05, second=0.01)


def test_that_a_move_answers_what_is_asked_is_told_whether_or_not_it_could_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else who makes it for no question learns what the rules ask of its words."""
    monkeypatch.chdir(tmp_path)
    match = HostedMatch(game_of(GameSpec("", overlays=[PAIRS])), ["Anna", "Ben"])
    said = set[str]()
    for words in ("toss 2C 3C", "toss KH", "toss nothing at all"):
        with pytest.raises(Refusal) as refused:
            match.play(0, words, 0, None)
        said.add(str(refused.value))
    assert said == {"A move answers what is asked."}


def test_a_bot_whose_lawful_moves_are_refused_is_not_asked_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What may be done is not refused but by a fault of ours: the match is made again a few times, and ends."""
    caplog.set_level(logging.CRITICAL, "houserules.host")

    def refuses(*_: object) -> str:
        raise IllegalMove("not_possible", "that cannot be done")

    async def scene(house: House) -> None:
        monkeypatch.setattr(hosted_match, "meant", refuses)
        (anna,) = await house.table_of(1, "hearts", players=4)
        await anna.until(lambda: anna.table["state"] == "over")
        assert "Something went wrong" in anna.table["why"]

    run(scene, tmp_path)
