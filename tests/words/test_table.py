"""What stands on the table is of this deal, and says what it is."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.api.game import State
from interpreter.words.drawing import position
from interpreter.words.voice import Voice


@pytest.fixture(scope="module")
def hearts() -> interpreter.Game:
    return interpreter.load("hearts").game()


def table(state: State, player: int = 0) -> list[str]:
    captions = Voice(state.position).captions(player)
    return list(position(state.view(player), state.game.program.ranks, captions=captions))


def test_the_tricks_of_the_deal_before_are_not_on_the_table_of_the_next(hearts: interpreter.Game):
    state = hearts.start(
        given={
            "at": "tricks",
            "current": "P1",
            "trick number": 13,
            "hand": {"P1": "2D", "P2": "JD", "P3": "5C", "P4": "6C"},
            "taken": {"P3": "2H"},
        }
    )
    for player, card in enumerate(("2D", "JD", "5C", "6C")):
        assert "tricks" not in table(state)[0]
        state.play(player, f"play {card}")
    assert state.phase == "passing" and any(state.view(0)["tricks"].values())
    assert "tricks" not in table(state)[0]
    while not (state.view(0)["trick number"] == 2 and state.phase == "tricks"):
        player = state.actors[0]
        state.play(player, state.legal_moves(player)[0])
    assert "tricks" in table(state)[0]


def test_a_flag_that_is_always_shown_says_yes_or_no(hearts: interpreter.Game):
    given = {"at": "tricks", "current": "P1", "trick number": 3, "hand": {"P1": "2D 3H", "P2": "5D JD"}}
    for broken, told in ((False, "no"), (True, "yes")):
        assert f"  hearts broken: {told}, playing to 100" in table(hearts.start(given={**given, "broken": broken}))


def test_what_holds_for_a_side_needs_no_yes():
    given = {"at": "first_round", "dealer": "P4", "current": "P1", "score": {"T1": 4}}
    state = interpreter.load("euchre").game().start(given=given)
    shown = table(state, 0)
    assert "  at the bridge: you and P3" in shown
    assert shown[0].startswith("  P1 ")  # no columns, and no line for their names


PLAYERS = ("P1", "P2", "P3", "P4")
HANDS = ("2D 3C", "JH 4C", "QS 5C", "6D 7C")


def test_the_points_taken_so_far_stand_on_the_table(hearts: interpreter.Game):
    given = {"at": "tricks", "current": "P1", "trick number": 3, "hand": dict(zip(PLAYERS, HANDS, strict=True))}
    state = hearts.start(given=given)
    for player, card in enumerate(("2D", "JH", "QS", "6D")):
        state.play(player, f"play {card}")
    shown = table(state, 1)
    assert shown[0].endswith("points this deal")
    assert [line.split()[4] for line in shown[1:5]] == ["0", "0", "0", "14"]


CAPTIONS = """
format: 1
id: t
name: T
extends: hearts
shown as: {broken: "", score: charged, hand: cards held, points_so_far: null}
"""


def test_a_ruleset_says_what_the_table_calls_things_and_what_it_leaves_out(tmp_path):
    (tmp_path / "t.yaml").write_text(CAPTIONS)
    state = interpreter.load(tmp_path / "t.yaml").game().start(seed=1)
    shown = table(state)
    assert shown[0].split() == ["cards", "held", "charged", "points", "so", "far"]
    assert not any("broken" in line for line in shown) and "broken" in state.view(0)["values"]
    assert any(line.startswith("  your cards held: ") for line in shown)


def test_what_an_overlay_takes_out_needs_no_name_on_the_table(tmp_path):
    base = (
        "format: 1\nid: t\nname: T\nextends: hearts\nstate: {mood: {type: flag, lasts: deal}}\nshown as: {mood: calm}\n"
    )
    (tmp_path / "t.yaml").write_text(base)
    (tmp_path / "u.yaml").write_text("format: 1\nid: u\nname: U\nextends: ./t.yaml\nstate: {mood: null}\n")
    interpreter.load(tmp_path / "u.yaml").game()


def test_what_there_is_not_yet_is_said_in_words():
    shown = table(interpreter.load("euchre").game().start(seed=1))
    assert any("no trump yet, no maker yet" in line for line in shown)
    assert not any("lower" in line or "drawing" in line for line in shown)


def test_of_points_in_hearts_it_is_told_for_which_cards_they_are(hearts: interpreter.Game):
    taken = {"P1": "2H 3H JD", "P2": "QS 4H"}
    hands = {"P1": "2C", "P2": "3C", "P3": "4C", "P4": "5C"}
    state = hearts.start(
        given={"at": "tricks", "current": "P1", "trick number": 13, "hand": hands, "taken": taken, "dealer": "P1"}
    )
    for player in range(4):
        state.play(player, state.legal_moves(player)[0])
    lines = [line.text for line in Voice(state.position).told(0, state.log or [])]
    assert "You take 2 points (now 2): 2 hearts." in lines
    assert "P2 takes 14 points (now 14): 1 heart and the queen of spades." in lines
