"""One screen that several people look at who do not see the same: what it may tell, whatever is typed there."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

import interpreter
from interpreter import State
from interpreter.interfaces.terminal.ending import Left
from interpreter.interfaces.terminal.keyboard import Keyboard
from interpreter.interfaces.terminal.match import Table
from interpreter.interfaces.terminal.screen import Screen
from interpreter.players.random_bot import RandomBot

NAMES = ("Anna", "Ben", "Cleo")


class Person(Keyboard):
    """Somebody who types at a terminal."""

    is_person = True


def seated(state: State, typed: str, people: tuple[int, ...], is_person: bool) -> tuple[Table, io.StringIO]:
    """A table at which the others are bots, and what its screen shows."""
    stream = io.StringIO()
    screen = Screen(Console(file=stream, width=100, highlight=False))
    bots = {player: RandomBot(player) for player in range(state.game.players) if player not in people}
    keyboard = (Person if is_person else Keyboard)(io.StringIO(typed))
    return Table(state, people, bots, screen, keyboard, RandomBot(9), str, names=NAMES), stream


def play(state: State, typed: str, people: tuple[int, ...] = (0, 1), is_person: bool = False) -> str:
    """What is shown while these lines are typed."""
    table, stream = seated(state, typed, people, is_person)
    try:
        table.run()
    except Left:
        pass
    return stream.getvalue()


DRAWN = """\
format: 1
id: drawn
name: Drawn
players: {min: 2, max: 2, default: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, heap: {}}
flow:
  match: {do: [race]}
  race:
    kind: race
    until: count of heap > 10
    actions:
      draw: {effect: move 1 from stock to hand}
      lay:
        choose: {card: {from: hand}}
        must: {aces: {law: card.rank = A, message: "you hold {all c in hand}"}}
        effect: move card to heap
      swap:
        choose: {cards: {from: hand, count: 2}}
        must: {aces: all c in cards has c.rank = A}
        effect: move cards to heap
      tell: {when: any c in hand has c.rank = K, must: {never: count of heap > 9}, effect: move 1 from stock to heap}
      call: {choose: {r: {ranks: ranks, where: any c in hand has c.rank = r}}, must: {never: count of heap > 9}}
"""
"""A race in which a refused move could tell what somebody holds."""


def drawn(tmp_path: Path, **given: object) -> State:
    path = tmp_path / "drawn.yaml"
    path.write_text(DRAWN)
    return interpreter.load(path).game().start(given={"at": "race", "rest": "stock", **given})


@pytest.mark.parametrize("typed", ["log", "Anna log", "Ben log"])
def test_the_log_of_a_race_is_what_all_of_them_are_told_whoever_asks(tmp_path, typed: str) -> None:
    shown = play(drawn(tmp_path, hand={"P1": "7C", "P2": "8C"}), f"Anna draw\n{typed}\n")
    told = shown.split(f"> {typed}")[1].split("> ")[0].strip()
    assert told == "Anna draws a card."


def test_what_is_refused_on_the_screen_of_several_is_refused_in_the_same_words_whatever_they_hold(tmp_path) -> None:
    """Whether the card is held, a law forbids it or nothing can be chosen: else whoever types tries card after card."""
    cards = [f"{rank}{suit}" for suit in "CDHS" for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10", *"JQKA")]
    tried = [
        *(f"lay {card}" for card in cards),
        *("lay KH 7C", "lay", "swap 2C 3C", "swap KH 9D", "swap KH", "tell", "call K"),
    ]
    shown = set()
    for hand in ("KH 9D 3S", "QC 2D 7H", "2C 3C 4C"):
        state = drawn(tmp_path, hand={"P1": "7C 8D 9C", "P2": hand})
        typed = [f"Ben {move}" for move in tried if move[-2:] not in ("AC", "AD", "AH", "AS")]
        shown.add(play(state, "".join(f"{line}\n" for line in typed)))
        assert not state.position.record_moves
    assert len(shown) == 1
    answers = {answer.split("\n")[1] for answer in shown.pop().split("> Ben ")[1:]}
    assert len(answers) == 1 and "lay CARD" in answers.pop()


def test_a_word_that_is_no_action_is_told_apart_from_what_cannot_be_done(tmp_path) -> None:
    shown = play(drawn(tmp_path, hand={"P1": "7C", "P2": "8C"}), "Ben drwa\nBen 8C\nBen 9C\n")
    for word in ("drwa", "8♣", "9♣"):
        assert f"I don't know “{word}”: what can be done is written “draw”, “lay CARD”, " in shown


def test_a_law_that_refuses_is_told_whoever_sits_there_alone_or_has_the_screen_alone(tmp_path) -> None:
    state = drawn(tmp_path, hand={"P1": "7C", "P2": "8C"})
    assert "You hold 7♣." in play(state, "lay 7C\n", people=(0,))
    given = {"at": "tricks", "current": "P1", "trick number": 3, "hand": {"P1": "2D 10H QS", "P2": "5D JD 6C"}}
    hearts = interpreter.load("hearts").game().start(given=given)
    assert "Hearts are not broken: lead one of 2♦, Q♠." in play(hearts, "\n10h\n")


def test_rules_that_cannot_go_on_say_no_more_than_a_refusal(tmp_path) -> None:
    path = tmp_path / "drawn.yaml"
    text = DRAWN.replace("law: card.rank = A", "law: true").replace(
        "move card to heap", "add 1 div count of heap to made"
    )
    path.write_text(text.replace("flow:", "state: {made: {type: integer, lasts: match}}\nflow:"))
    state = interpreter.load(path).game().start(given={"at": "race", "hand": {"P1": "7C", "P2": "8C"}, "rest": "stock"})
    shown = play(state, "Ben lay 8C\nBen lay 7C\n", is_person=True)
    answers = [answer.split("> ")[0] for answer in shown.split("That cannot be done now")[1:]]
    assert len(answers) == 2 and len({*answers}) == 1 and "cannot go on" not in shown
    alone = play(state, "lay 7C\n", people=(0,), is_person=True)
    assert "The rules cannot go on after that, so it is not done: " in alone


HIDDEN = """\
format: 1
id: hidden
name: Hidden
players: {min: 3, max: 3}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, heap: {seen by: none}}
state: {score: {each: player, type: integer, lasts: match, seen by: owner}}
flow:
  match: {repeat: deal, until: any p in players has score of p > 20, winners: highest score}
  deal: {setup: "gather all to stock; shuffle stock; deal 5 from stock to hand", do: [sorting], next dealer: left}
  sorting:
    kind: race
    until: all p in players have hand of p is empty
    actions: {lay: {choose: {card: {from: hand}}, effect: "move card to heap; add 5 to score"}}
"""
"""Nobody sees what others have scored."""


@pytest.fixture
def hidden(tmp_path) -> State:
    path = tmp_path / "hidden.yaml"
    path.write_text(HIDDEN)
    state = interpreter.load(path).game().start(seed=1)
    for player in (0, 2, 2):
        state.play(player, state.legal_moves(player)[0])
    return state


@pytest.mark.parametrize("typed", ["scores", "Anna scores", "Cleo scores"])
def test_scores_that_not_all_of_them_see_are_not_told(hidden: State, typed: str) -> None:
    shown = play(hidden, f"{typed}\n")
    assert "(+" not in shown
    assert typed.startswith("Cleo") or "Nobody has scored so far, as far as all may know." in shown


def test_scores_by_deal_at_the_end_are_those_that_all_of_them_were_told(hidden: State) -> None:
    while not hidden.over:
        hidden.play(hidden.actors[0], hidden.legal_moves(hidden.actors[0])[0])
    shown = play(hidden, "")
    assert "Anna, Ben and Cleo win with 25 points." in shown and "(+" not in shown


def test_scores_that_are_asked_for_before_anybody_has_the_screen_are_those_of_all(tmp_path) -> None:
    path = tmp_path / "hidden.yaml"
    path.write_text(HIDDEN.replace("race", "turn"))
    state = interpreter.load(path).game().start(seed=1)
    state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    table, stream = seated(state, "", (0, 1), is_person=True)
    table._obey("scores", None)
    assert "Nobody has scored so far, as far as all may know." in stream.getvalue()


def test_a_hint_that_goes_by_what_one_of_them_remembers_is_not_told_to_all(tmp_path) -> None:
    path = tmp_path / "hidden.yaml"
    text = HIDDEN.replace("seen by: owner}, heap", "seen by: none}, heap").replace(
        "lasts: match, seen by: owner", "lasts: match"
    )
    text = text.replace(
        'choose: {card: {from: hand}}, effect: "move card to heap; add 5 to score"', "effect: add 5 to score"
    )
    path.write_text(text.replace("race\n    until: all p in players have hand of p is empty", "ask"))
    shown = play(interpreter.load(path).game().start(seed=1), "hint\nAnna hint\nhelp\n")
    assert shown.count("Hints are for whoever has the screen alone") == 2 and "what a bot would do" not in shown


def test_scores_that_all_of_them_see_are_told_as_they_are(tmp_path) -> None:
    path = tmp_path / "seen.yaml"
    path.write_text(HIDDEN.replace("lasts: match, seen by: owner", "lasts: match"))
    state = interpreter.load(path).game().start(seed=1)
    assert "Nobody has scored so far.\n" in play(state, "scores\n")
    state.play(2, state.legal_moves(2)[0])
    for typed in ("scores", "Anna scores"):
        assert "5 (+5)" in play(state, f"{typed}\n").split(f"> {typed}")[1]
