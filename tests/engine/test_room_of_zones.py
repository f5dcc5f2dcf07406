"""No zone ever holds more than its capacity, whatever lays cards there: more stops the game, at its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.api import native_lane
from interpreter.api.game import Game, Ruleset, State
from interpreter.engine.chance import Dice
from interpreter.engine.packets import as_tuple
from interpreter.engine.rule_errors import RuleError
from interpreter.players.determinization import Worlds

RULES = """
format: 1
id: narrow
name: Narrow
players: {min: 2, max: 4, default: 2}
pack: {standard: 1}
zones:
  stock: {pack: true}
  hand: {each: player, seen by: owner, capacity: 8}
  small: {capacity: 8}
  wide: {capacity: 8 - n}
  home: {}
state: {n: {type: integer, lasts: match}}
flow:
  match: {do: [go], winners: everyone}
  go:
    kind: turn
    turns: 20 each
    actions: {x: {effect: "EFFECT"}}
"""
STOPPED = [
    ("swap small, stock", "small would hold more than 8 cards"),
    ("swap stock, small", "small would hold more than 8 cards"),
    ("swap stock, wide", "wide would hold more than 8 cards"),
    ("swap stock, hand", "hand would hold more than 8 cards"),
    ("move 7 from stock to small; move 1 from small to wide; set n to 3; swap small, wide", "wide .* more than 5"),
    ("gather all to small", "small would hold more than 8 cards"),
    ("gather all to wide", "wide would hold more than 8 cards"),
    ("gather all to hand", "hand would hold more than 8 cards"),
    ("gather stock, home to small", "small would hold more than 8 cards"),
    ("move 3 from stock to small; move 6 from stock to home; gather home to small", "small would hold more than 8"),
    ("move all from stock to small", "small would hold more than 8 cards"),
    ("move 9 at random from stock to small", "small would hold more than 8 cards"),
    ("deal 9 from stock to hand", "hand would hold more than 8 cards"),
    ("for c in stock do move c to small end", "small would hold more than 8 cards"),
    ("gather all to stock; shuffle stock; deal 9 from stock to hand", "hand would hold more than 8 cards"),
]
"""Effects that lay too many cards somewhere, and what is told."""
FITTING = [
    ("move 8 from stock to small; swap small, hand; gather all to stock", [52, 0, 0, 0]),
    ("move 8 from stock to small; gather small to hand; gather hand to stock", [52, 0, 0, 0]),
    ("move 8 from stock to wide; swap wide, small; gather all to stock; swap home, stock", [0, 0, 0, 52]),
    ("if n = 0 then move 8 from stock to wide; set n to 6 end; gather small to wide", [44, 0, 8, 0]),
]  # fmt: skip
"""Effects that fit, and how many cards lie where then. What lies where a capacity sinks goes on lying there."""


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setattr(native_lane, "kept_in", lambda: tmp_path_factory.getbasetemp() / "native")
    monkeypatch.delenv(native_lane.SWITCH, raising=False)


def load(tmp_path: Path, text: str) -> Ruleset:
    path = tmp_path / "narrow.yaml"
    path.write_text(text, encoding="utf-8")
    return interpreter.load(path)


def lanes(game: Game) -> list[State]:
    """A match that is told, one that is not, and one that is machine code."""
    ways = (True, False), (False, False), (False, True)
    return [game.start(seed=1, log=told, native=native) for told, native in ways]


@pytest.mark.parametrize(("effect", "told"), STOPPED)
def test_a_match_stops_where_a_zone_would_hold_too_much(tmp_path: Path, effect: str, told: str) -> None:
    game = load(tmp_path, RULES.replace("EFFECT", effect)).game()
    for state in lanes(game):
        before = game.start(seed=1).to_json()
        with pytest.raises(RuleError, match=rf"narrow.yaml:19:.*{told}"):
            state.play(state.actors[0], "x")
        assert len(state.zone("stock")) == 52
        if state.log is not None:
            assert state.to_json() == before
    with pytest.raises(RuleError, match=told):
        game.playouts(2, seed=1)


@pytest.mark.parametrize(("effect", "lying"), FITTING)
def test_what_fits_may_come(tmp_path: Path, effect: str, lying: list[int]) -> None:
    game = load(tmp_path, RULES.replace("EFFECT", effect)).game()
    for state in lanes(game):
        for _ in range(6):
            state.play(state.actors[0], "x")
        assert [len(state.zone(name)) for name in ("stock", "small", "wide", "home")] == lying


def test_what_becomes_empty_is_refilled_with_no_more_than_there_is_room_for(tmp_path: Path) -> None:
    text = RULES.replace("small: {capacity: 8}", "small: {capacity: 8, refill: {from: home, keep: 0, on: empty}}")
    game = load(tmp_path, text.replace("EFFECT", "move 9 from stock to home")).game()
    for state in lanes(game):
        with pytest.raises(RuleError, match="small would hold more than 8"):
            state.play(state.actors[0], "x")


@pytest.mark.parametrize("capacity", ["51", "26 * count of everyone - 1", "asked"])
def test_a_zone_without_room_for_the_pack_is_refused(tmp_path: Path, capacity: str) -> None:
    options = "options: {asked: {type: integer, min: 1, max: 99, default: 9}}\n"
    text = RULES.replace("pack: true", f"pack: true, capacity: {capacity}").replace("zones:", options + "zones:")
    text = text.replace("max: 4", "max: 2").replace("EFFECT", "swap stock, home")
    path = tmp_path / "narrow.yaml"
    path.write_text(text, encoding="utf-8")
    told = [f"{found.line}: {found.code}" for found in interpreter.validate(path) if found.severity == "error"]
    assert told == ["9: E508"]
    with pytest.raises(ValueError, match="at most, and the pack, which lies there first, has 52"):
        interpreter.load(path).game()
    if capacity == "asked":
        assert interpreter.load(path).game(options={"asked": 52}).start(seed=1).zone("stock")


def test_a_zone_that_turns_out_to_have_no_room_for_the_pack_stops_the_match_as_it_starts(tmp_path: Path) -> None:
    text = RULES.replace("pack: true", "pack: true, capacity: 51 + n").replace("EFFECT", "swap stock, home")
    game = load(tmp_path, text).game()
    for _ in range(2):
        with pytest.raises(RuleError, match=r"narrow.yaml:8:.*stock would hold more than 51 cards"):
            game.start(seed=1)
    with pytest.raises(RuleError, match=r"narrow.yaml:8:.*stock would hold more than 51 cards"):
        game.playouts(2, seed=1)
    text = text.replace("lasts: match", "lasts: match, default: 1")
    assert len(load(tmp_path, text).game().start(seed=1).zone("stock")) == 52


def test_a_capacity_that_play_decides_bounds_no_loop(tmp_path: Path) -> None:
    """What lies there may be more than what it is now."""
    text = RULES.replace(
        "EFFECT", "set n to count cs in sets of 2.. from small where sum place of c.rank for c in cs = 15"
    )
    path = tmp_path / "narrow.yaml"
    for zone, codes in (("small", []), ("wide", ["E521"])):
        path.write_text(text.replace("from small", f"from {zone}"), encoding="utf-8")
        assert [found.code for found in interpreter.validate(path) if found.severity == "error"] == codes


UNCOUNTED = RULES.replace("seen by: owner, capacity: 8}", "seen by: none, count seen by: none, capacity: 2}").replace(
    "stock: {pack: true}", "stock: {pack: true, seen by: none, count seen by: none}"
)


def test_a_world_that_a_bot_thinks_of_holds_no_more(tmp_path: Path) -> None:
    """Where nobody has told how many cards lie, a world may have any number of them, but not more than there can be."""
    game = load(tmp_path, UNCOUNTED.replace("EFFECT", "move 1 from stock to hand; stay")).game()
    state = game.start(seed=1)
    state.play(0, "x")
    worlds = Worlds(state, 0)
    found: set[Any] = set()
    for luck in range(20):
        z = worlds.world(Dice(luck)).position.z
        found.add(tuple(len(as_tuple(kept)) for kept in z[1:3]))
        assert sorted(card for kept in z for card in as_tuple(kept)) == list(range(52))
    assert max(max(held) for held in found) == 2 and worlds.unknown() is None


def test_a_place_that_is_named_often_is_gathered_once(tmp_path: Path) -> None:
    """As often as there are other places: it is not all of them that are gathered."""
    effect = "deal 3 from stock to hand; gather small, small, small, small, small, hand of P1 to stock"
    game = load(tmp_path, RULES.replace("EFFECT", effect)).game()
    for state in lanes(game):
        state.play(0, "x")
        assert [len(state.zone(name)) for name in ("stock", "small", "home")] == [49, 0, 0]
        assert len(state.zone("hand", 1)) == 3
