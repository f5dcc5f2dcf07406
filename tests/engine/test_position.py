"""A position is plain data: it begins from a program and what is fixed, and a copy of it is a match of its own."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import interpreter
from interpreter.engine import legal, playing, saved
from interpreter.engine.events import Event
from interpreter.engine.frames import Frame
from interpreter.engine.position import FIELDS, Position, Setup
from interpreter.engine.start import start

GAMES = ("hearts", "spades", "euchre", "georgia-spoons", "spit-five", "pig")


def played(name: str, moves: int, enforcement: Any = "strict") -> Position:
    """A match some way on, played by the functions of the engine alone."""
    s = start(interpreter.load(name).game(enforcement=enforcement).program, Setup(7))
    dice = random.Random(7)
    for _ in range(moves):
        player = dice.choice(legal.actors(s))
        found = legal.legal_moves(s, player)
        if not len(found):
            break
        playing.play(s, player, found[dice.randrange(len(found))])
        if s.over:
            break
    return s


@pytest.mark.parametrize("name", GAMES)
def test_a_match_begins_from_a_program_and_what_is_fixed(name: str) -> None:
    game = interpreter.load(name).game()
    assert saved.as_data(start(game.program, Setup(7))) == saved.as_data(game.start(seed=7).position)


def test_what_is_fixed_is_kept_with_the_order_of_the_first_shuffle_as_a_list() -> None:
    game = interpreter.load("hearts").game()
    setup = game.start(seed=7, deck="2C 3C", chance={"first dealer": "P2"}).position.setup
    assert (setup.seed, setup.chance, setup.given) == (7, {"first dealer": "P2", "deck": ["2C", "3C"]}, None)
    assert setup.origin.node is game.ruleset.node


@pytest.mark.parametrize("enforcement", ["strict", "honor"])
@pytest.mark.parametrize("name", GAMES)
def test_a_copy_has_every_field_and_shares_nothing_that_changes(name: str, enforcement: str) -> None:
    s = played(name, 20, enforcement)
    copy = s.copy()
    for field in FIELDS:
        one, other = getattr(s, field), getattr(copy, field)
        if field == "stack":
            assert [frame.to_json() for frame in one] == [frame.to_json() for frame in other]
            assert not {id(frame) for frame in one} & {id(frame) for frame in other}
        elif field == "faults":
            assert [fault.to_json() for fault in one] == [fault.to_json() for fault in other]
        else:
            assert one == other, field
        if isinstance(one, list) and field not in ("offered",):
            assert one is not other, field
    for one, other in zip(s.z, copy.z, strict=True):
        assert not isinstance(one, list) or one is not other


def test_a_copy_of_a_running_stage_has_every_field() -> None:
    frame = Frame(1, 2, (3,))
    for at, name in enumerate(Frame.__slots__):
        setattr(frame, name, at)
    copy = frame.copy()
    assert [getattr(copy, name) for name in Frame.__slots__] == list(range(len(Frame.__slots__)))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("enforcement", ["strict", "honor"])
def test_a_log_is_hashed_as_it_always_was(name: str, enforcement: str) -> None:
    log = played(name, 60, enforcement).log
    assert log and saved.as_json(log) == json.dumps(log, separators=(",", ":")).encode()


SIGNS = [*map(chr, range(0x250)), "\\u007f", "\u2660", "\ud800", "\ufeff", "\U0001f0a1", '"\\/']
NUMBERS = (-1, 0, 1, 2**31, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 2**200)


def test_a_log_is_hashed_as_it_always_was_whatever_is_said_in_it() -> None:
    logs = [[Event("say", 0, sign), Event("cards", None, "", (f"a{sign}b", "2C"))] for sign in SIGNS]
    logs += [[Event("note", None, "", seen=number)] for number in NUMBERS]
    assert [log for log in logs if saved.as_json(log) != json.dumps(log, separators=(",", ":")).encode()] == []


@pytest.mark.parametrize("name", ["hearts", "spades", "euchre", "setback", "fruit-salad"])
def test_a_position_may_go_round_the_other_way_though_the_rules_never_do(name: str) -> None:
    game = interpreter.load(name).game()
    given = {"at": "tricks", "current": "P1", "dealer": "P4", "direction": "right", "trick number": 2, "rest": "deal"}
    offered, read = (game.start(seed=1, given=given) for _ in "12")
    for _ in range(7):
        move = offered.legal_moves(offered.actors[0])[0]
        read.play(offered.actors[0], str(move))
        offered.play(offered.actors[0], move)
    assert (offered.record(), offered.to_json()) == (read.record(), read.to_json())
    assert interpreter.replay(offered.record()).to_json() == offered.to_json()


@pytest.mark.parametrize(
    ("game", "up", "told"),
    [
        ("euchre", ["9H"], ""),
        ("spades", ["2C"], "up: by these rules no card is ever turned up"),
        ("euchre", ["9H", "9H"], "up: 9H is named more often than the pack has it"),
    ],
)
def test_cards_lie_face_up_where_they_may_and_once(game: str, up: list[str], told: str) -> None:
    started = interpreter.load(game).game()
    if not told:
        started.start(seed=1, given={"up": up})
        return
    with pytest.raises(ValueError, match=told):
        started.start(seed=1, given={"up": up})
