"""What can be said with a move by somebody who may not talk."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.engine.chance import Dice
from interpreter.interfaces.host import hosted_match
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.house_rules_text import game_of
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
