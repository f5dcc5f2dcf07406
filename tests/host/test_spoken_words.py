"""What can be said with a move by somebody who may not talk."""

from __future__ import annotations

import pytest

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
