"""What a stream may tell: nothing that its reader cannot know, not even by a number or by its length."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import interpreter
from interpreter.engine.chance import Dice
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.hosted_steps import Made
from interpreter.interfaces.host.made_again import History

NAMES = ["Anna", "Ben", "Cleo", "Dora"]
READERS: list[int | None] = [0, 1, 2, 3, None]


def twins(name: str, moves: int = 0, **options: Any) -> tuple[HostedMatch, HostedMatch]:
    """Two matches that stand alike, and ask in the same numbers."""
    game = interpreter.load(name).game(4, **options)
    first = HostedMatch(game, NAMES)
    kept = History()

    def keep(made: Made) -> None:
        kept.moves += made.moves
        for place, outcome in made.chance:
            kept.chance.setdefault(place, []).append(outcome)

    keep(first.begun().made)
    dice = Dice(4)
    for _ in range(moves):
        seat = first.state.actors[0]
        offered = first.state.legal_moves(seat)
        keep(first.play(seat, str(offered[dice.below(len(offered))]), None, None).made)
    second = HostedMatch(game, NAMES, kept)
    second._numbers = list(first._numbers)
    for reader in READERS:
        assert msgspec.json.encode(first.welcome(reader)) == msgspec.json.encode(second.welcome(reader))
    return first, second


def news(match: HostedMatch, seat: int, move: str) -> dict[int | None, bytes]:
    step = match.play(seat, move, None, None)
    return {reader: msgspec.json.encode(reading) for reader, reading in step.news}


@pytest.mark.parametrize("name", ["hearts"])
def test_which_cards_somebody_passes_is_told_to_nobody_else(name: str) -> None:
    first, second = twins(name)
    offered = first.state.legal_moves(1)
    one, other = (news(match, 1, str(offered[at])) for match, at in ((first, 0), (second, len(offered) - 1)))
    assert one.pop(1) != other.pop(1)
    assert one == other and set(one) <= set(READERS)


def test_what_is_drawn_is_told_to_nobody_else() -> None:
    first, second = twins("crazy-eights")
    seat = first.state.actors[0]
    draw = next((str(move) for move in first.state.legal_moves(seat) if "draw" in str(move)), None)
    for match in (first, second):
        stock = match.state.position.z[match.state.game.program.pack_place]
        if match is second:
            stock.reverse()
    move = draw or str(first.state.legal_moves(seat)[0])
    one, other = news(first, seat, move), news(second, seat, move)
    one.pop(seat)
    other.pop(seat)
    assert one == other


@pytest.mark.parametrize("moves", [6, 20])
def test_a_match_that_was_restored_streams_what_the_first_one_streams(moves: int) -> None:
    first, second = twins("hearts", moves)
    for _ in range(6):
        seat = first.state.actors[0]
        move = str(first.state.legal_moves(seat)[0])
        assert news(first, seat, move) == news(second, seat, move)


def test_what_is_asked_of_one_is_shown_to_no_other() -> None:
    first, _ = twins("hearts", 8)
    seat = first.state.actors[0]
    for reader in READERS:
        reading = first.welcome(reader)
        due = bool(reading.ask) and reading.ask.get("due", True)
        assert due == (reader == seat)


def test_a_match_is_restored_as_it_was_when_chance_has_come_since_moves_were_taken_back() -> None:
    game = interpreter.load("hearts").game(4, options={"target": 1000})
    first, dice = HostedMatch(game, NAMES), Dice(4)
    kept = History()

    def keep(made: Made) -> None:
        kept.moves += made.moves
        for place, outcome in made.chance:
            kept.chance.setdefault(place, []).append(outcome)

    def until_deal(number: int) -> None:
        while len(kept.chance["shuffle deal"]) < number:
            seat = first.state.actors[0]
            offered = first.state.legal_moves(seat)
            keep(first.play(seat, str(offered[dice.below(len(offered))]), None, None).made)

    keep(first.begun().made)
    until_deal(2)
    found, _ = first.undo(len(kept.moves) - 1, "Anna has taken a move back.", range(4))
    kept = History(list(found.moves), dict(found.chance), list(found.redrawn), [(len(found.moves), "")])
    until_deal(3)
    second = HostedMatch(game, NAMES, kept)
    assert second.state.log == first.state.log
