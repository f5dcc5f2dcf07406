"""Moves of very many letters at a table: they are sent, or the match does not come to where nothing else is left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from house import House, run

import interpreter
from interpreter import Event
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.host import hosted_match
from interpreter.interfaces.host.hosted_match import MOST_LINES, MOST_RETOLD, HostedMatch
from interpreter.interfaces.host.house_rules_text import game_of
from interpreter.interfaces.host.not_made import Refusal
from interpreter.interfaces.host.protocol import LONGEST_MOVE, LONGEST_SAID
from interpreter.interfaces.host.setting import MOST_LETTERS, setting_of
from interpreter.interfaces.host.table_events import GameSpec
from interpreter.words.lines import Line

RULES = """\
format: 1
id: long
name: Long
players: {min: 2, max: 2}
ranks: [RANKS]
pack: {standard: 12}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, discard: {}}
flow:
  match: {setup: shuffle stock; deal DEALT from stock to hand, do: [go]}
  go:
    kind: turn
    first: P1
    turns: 40
    actions:
      give: {choose: {cards: {from: hand, count: count of hand}}, effect: move cards to discard}
      MORE
"""


def rules(dealt: int, more: str = "") -> str:
    ranks = ", ".join(f"captain_{at:02}_{'x' * 38}" for at in range(10))
    return RULES.replace("RANKS", ranks).replace("DEALT", str(dealt)).replace("MORE", more)


def hosted(text: str, honor: bool = False) -> HostedMatch:
    return HostedMatch(game_of(GameSpec("", honor=honor, overlays=[text])), ["Anna", "Ben"])


def test_a_move_of_thousands_of_letters_is_sent(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(2, "", overlays=[rules(60)])
        await people[0].settled()
        ask = people[0].ask
        assert ask is not None
        (act,) = ask["acts"]
        move = " ".join([act["name"], *(act.get("moves") or [" ".join(act["cards"]["of"])])])
        assert 3_000 < len(move) < LONGEST_MOVE
        await people[0].say(type="move", id="long", move=move, ask=ask["n"])
        await people[0].until(lambda: any(heard.get("id") == "long" for heard in people[0].heard))
        assert [heard["type"] for heard in people[0].heard if heard.get("id") == "long"] == ["done"]

    run(scene, tmp_path)


def test_nobody_waits_for_the_answer_to_a_move_that_is_too_long(tmp_path: Path) -> None:
    async def scene(house: House) -> None:
        people = await house.table_of(2, "", overlays=[rules(6)])
        await people[0].say(type="move", id="longer", move="give" + "x" * LONGEST_MOVE, ask=0)
        await people[0].until(lambda: any(heard.get("id") == "longer" for heard in people[0].heard))
        (answer,) = [heard for heard in people[0].heard if heard.get("id") == "longer"]
        assert answer["type"] == "refused" and f"length <= {LONGEST_MOVE}" in answer["text"]

    run(scene, tmp_path)


def test_a_match_does_not_come_to_where_only_longer_moves_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    burden = "burden: {when: count of hand < 60, effect: move 300 from stock to hand of left of actor}"
    match = hosted(rules(6, f"{burden}\n      wait: {{when: count of hand < 60}}"))
    why = r"'give' is a move of [\d,]+ letters here; at a table it can have 12,000 at most"
    with pytest.raises(Refusal, match=why):
        match.play(0, "burden", None, None)
    match.play(0, "wait", None, None)
    with pytest.raises(RuleError, match=why):
        hosted(rules(300)).welcome(0)


def test_a_longer_move_besides_others_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asked: Any = hosted(rules(300, "wait: {}")).welcome(0).ask
    assert [act["name"] for act in asked["acts"]] == ["give", "wait"]


def test_very_many_letters_of_moves_are_not_offered_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lay = "lay: {choose: {n: {number: 1..300}, cards: {from: hand, count: count of hand}}, effect: stay}"
    asked: Any = hosted(rules(20, lay)).welcome(0).ask
    acts = {act["name"]: act for act in asked["acts"]}
    assert acts["lay"]["typed"] is True and len(str(asked)) < 60_000


def test_more_than_can_be_told_at_once_is_not_led_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    match = hosted(rules(6, "wait: {}"))
    for reader in (0, 1, None):
        match.welcome(reader)
    before = match.state.to_json()
    monkeypatch.setattr(hosted_match, "MOST_TOLD", 100)
    with pytest.raises((Refusal, RuleError), match="more than 100 letters would have to be told of this move at once"):
        match.play(0, "give " + " ".join(match.state.view(0)["zones"]["hand"]["P1"]["cards"]), None, None)
    assert match.state.to_json() == before


def test_what_rules_have_one_say_can_be_said_however_long_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = " ".join(f"word number {at}" for at in range(60))
    assert 300 < len(said) < LONGEST_SAID
    shout = f'shout: {{say: "{said}", effect: move 1 from stock to hand}}'
    match = hosted(rules(2, shout) + "honor: {penalty: nothing}\n", honor=True)
    assert match.may_say(0, f'shout "{said}"', False)


def test_of_a_move_of_very_many_events_each_reader_is_told_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    effect = "for i in 1..2000 do show top of stock to left of actor; show top of stock to actor end"
    match = hosted(rules(2, f"peek: {{effect: {effect}}}"))
    told: list[int] = []
    tells = match.voice.told

    def counted(reader: int | None, events: Sequence[Event]) -> Iterable[Line]:
        told.append(len(events))
        return tells(reader, events)

    monkeypatch.setattr(match.voice, "told", counted)
    for reader in (None, 0, 1):
        match.welcome(reader)
    made = match.play(0, "peek", None, None)
    assert max(told) <= MOST_RETOLD < len(match.state.log or [])
    assert all(len(reading.lines) <= MOST_LINES for _, reading in made.news)


PHRASES = """\
format: 1
id: phrases
name: Phrases
players: {min: 2, max: 2}
pack: {standard: 1}
options: {texts: {type: list of text, default: [TEXTS]}}
zones: {stock: {pack: true, seen by: none}}
state: {said: {type: text, lasts: match}}
honor: {claim: claim, during: match}
flow:
  match: {do: [go]}
  go: {kind: turn, actions: {speak: {say: {all: "SAID"}}}}
"""


def test_what_can_be_said_is_sent_as_far_as_it_is_little(tmp_path: Path) -> None:
    """A hundred texts that are options, each of which can stand in a hundred places of what is said."""
    texts = ", ".join(f"{at:03} {'x' * 290}" for at in range(100))
    path = tmp_path / "phrases.yaml"
    path.write_text(PHRASES.replace("TEXTS", texts).replace("SAID", "{said} " * 100), encoding="utf-8")
    (phrase,) = setting_of(interpreter.load(path).game(enforcement="honor")).phrases
    lists = [piece for piece in phrase.pieces if isinstance(piece, tuple)]
    assert len(lists) == 100 and lists[0] and not lists[-1]
    assert sum(len(text) for several in lists for text in several) <= MOST_LETTERS
