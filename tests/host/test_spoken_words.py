"""What can be said with a move by somebody who may not talk."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.engine.chance import Dice
from interpreter.interfaces.host import hosted_match
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.house_rules_text import game_of
from interpreter.interfaces.host.not_made import Refusal
from interpreter.interfaces.host.protocol import LONGEST_SAID
from interpreter.interfaces.host.spoken_words import Sayable, said_in
from interpreter.interfaces.host.table_events import GameSpec

PHRASES = [["Last card!"], ["I want", ["hearts", "♠ spades"]], ["That makes", []]]


@pytest.mark.parametrize(
    ("said", "may"),
    [
        ("", True),
        ("last card", True),
        ("Last card! I want hearts", True),
        ("i want ♠ spades", True),
        ("that makes 31", True),
        ("that makes 31 for 10H", False),
        ("that makes 10H 10H", True),
        ("I want", False),
        ("last card is the king", False),
        ("last card <b>", False),
    ],
)
def test_phrases_alone_can_be_said_one_behind_the_other(said: str, may: bool) -> None:
    assert Sayable(PHRASES, ["10H"]).allows(said) is may


def test_what_takes_long_to_find_out_may_not_be_said() -> None:
    """Forty phrases of up to a hundred words that may be anything: it would take a minute."""
    sayable = Sayable([[[]] * number for number in (1, *range(60, 100))], [])
    assert sayable.allows("1 1 1") and not sayable.allows("1 " * 499)
    long = Sayable([["nine " * 10] * 10], [])
    assert long.allows("nine " * 300)


def test_what_is_said_with_a_move_stands_in_quotes() -> None:
    assert said_in('play 7H "last card"') == 'last card"'
    assert said_in("play 7H") == ""


def test_what_can_be_said_in_a_match_is_made_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Sayable] = []

    def counted(*given: object) -> Sayable:
        made.append(Sayable(*given))  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr(hosted_match, "Sayable", counted)
    match = HostedMatch(game_of(GameSpec("georgia-spoons", honor=True)), ["Anna", "Ben", "Cleo", "Dora"])
    match.begun()
    assert [match.may_say(0, f'pass "{said}', True) for said in ("Draw 2, Ben!", "Draw two of mine", "Spoons!")] == [
        True, False, True,
    ]  # fmt: skip
    assert len(made) == 1


def test_no_more_is_said_with_a_move_than_rules_may_have_one_say() -> None:
    match = HostedMatch(game_of(GameSpec("georgia-spoons", honor=True)), ["Anna", "Ben", "Cleo", "Dora"])
    match.begun()
    most = " ".join(["Spoons!"] * (LONGEST_SAID // 8))
    assert match.may_say(0, f'pass "{most}"', True)
    assert not match.may_say(0, f'pass "{most} Spoons!"', True)


@pytest.mark.parametrize("name", ["georgia-spoons", "dutch-blitz", "spit"])
def test_what_the_rules_have_players_say_may_be_said(name: str) -> None:
    """In the words in which they ask for it: on honour whoever says it otherwise can be caught."""
    game = interpreter.load(name).game(enforcement="honor")
    match, dice, said = HostedMatch(game, ["Anna", "Ben", "Cleo", "Dora", "Emil"][: game.players]), Dice(1), 0
    for _ in range(150):
        if match.state.over:
            break
        seat = match.state.actors[0]
        moves = match.state.legal_moves(seat)
        for move in [*moves][:40]:
            said += bool(said_in(str(move)))
            assert match.may_say(seat, str(move), False), move
        match.state.play(seat, moves[dice.below(len(moves))])
    assert said


ACCUSING = """\
format: 1
id: accusing
name: Accusing
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  discard: {seen by: everyone}
state: {paid: {each: player, type: flag, lasts: match}, share: {type: integer, lasts: match, default: 1}}
cards: {red: {choose: {t: {text: true}}}, black: {choose: {t: {text: true}}}}
flow:
  match: {setup: shuffle stock; deal 17 from stock to hand; move 1 from stock to discard, do: [asking]}
  asking:
    kind: turn
    first: P1
    turns: 9
    actions:
      wait: {effect: set share to 0}
      accuse:
        when: paid of actor
        choose: {whose: {players: others, where: any c in hand of whose has c is QS}}
        row: top of discard
        effect: stay
    anytime:
      yell: {talk: true, when: 12 div share > 0, choose: {n: {number: 1..3, where: n < 3}}, row: top of discard}
"""


def test_that_words_may_not_be_said_tells_nothing_of_a_move_that_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where house rules are written
    game = game_of(GameSpec("", overlays=[ACCUSING]))
    for _ in range(8):
        match = HostedMatch(game, ["Anna", "Ben", "Cleo"])
        for said in ('accuse P2 "hallo"', "accuse P2 hallo", 'accuse P3 "hallo"', "accuse P3 hallo"):
            assert match.may_say(0, said, True), "it is refused by the rules, whoever holds the card"


def test_what_rules_cannot_work_out_of_words_ends_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    match = HostedMatch(game_of(GameSpec("", overlays=[ACCUSING])), ["Anna", "Ben", "Cleo"])
    assert not match.may_say(1, 'yell 1 "hallo"', True)
    match.play(0, "wait", None, None)
    assert match.may_say(1, 'yell 1 "hallo"', True)
    with pytest.raises(Refusal):
        match.play(1, 'yell 1 "hallo"', None, None)
