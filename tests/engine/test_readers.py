"""What several readers may know of a table is, worked out together, what each may know alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.api.game import State
from interpreter.engine import sight
from interpreter.engine.chance import Dice
from interpreter.engine.readers import Sights
from interpreter.engine.view import table


def sights_of(state: State) -> Sights:
    return Sights(state.position, [zone.name for zone in state.game.program.zones])


def zones(sights: Sights, who: int) -> dict[str, Any]:
    """What a reader knows of the places, as a view has it."""
    found: dict[str, Any] = {zone.name: {} for zone, _ in sights.places if zone.dims}
    for (zone, at), look in zip(sights.places, sights.of(who).places, strict=True):
        if not zone.dims:
            found[zone.name] = look
        elif look is not None:
            found[zone.name][zone.labels[at].partition(" ")[2]] = look
    return found


@pytest.mark.parametrize(
    ("name", "enforcement"),
    [
        ("hearts", "strict"),
        ("euchre", "strict"),
        ("spit", "strict"),
        ("georgia-spoons", "honor"),
        ("phase-10", "strict"),
    ],
)
def test_each_reader_knows_what_the_view_of_a_player_tells(name: str, enforcement: str) -> None:
    state, dice = interpreter.load(name).game(enforcement=enforcement).start(seed=2), Dice(2)
    sights = sights_of(state)
    for _ in range(60):
        for player in range(state.game.players):
            sight, view = sights.of(1 << player), table(state.position, player)
            known = {key: value for key, value in view["values"].items() if value != {}}
            assert zones(sights, 1 << player) == view["zones"]
            assert (sight.trick, sight.scores, sight.pieces) == (view["trick"], view["scores"], view["tokens"])
            assert sight.values == known
        player = state.actors[dice.below(len(state.actors))]
        offered = state.legal_moves(player)
        state.play(player, offered[dice.below(len(offered))])
        sights.renew()


def test_who_watches_knows_what_all_players_know() -> None:
    game = interpreter.load("euchre").game()
    given = {"at": "tricks", "current": "P1", "trick number": 1, "hand": {"P1": "9C 10C", "P2": "AH KS"}}
    state = game.start(given=given)
    ace = game.program.by_name["AH"]
    sights = sights_of(state)
    everybody = (1 << game.players) - 1
    assert zones(sights, everybody)["hand"]["P2"] == {"count": 2, "cards": [None, None]}
    state.position.up |= 1 << ace
    sights.renew()
    assert zones(sights, everybody)["hand"]["P2"] == {"count": 2, "cards": ["AH", None]}


def test_what_has_not_changed_is_the_same_object() -> None:
    state = interpreter.load("hearts").game().start(seed=1)
    sights = sights_of(state)
    before = sights.of(1)
    sights.renew()
    assert sights.of(1).places is before.places and sights.of(1).values is before.values
    player = state.actors[0]
    state.play(player, state.legal_moves(player)[0])
    sights.renew()
    changed = [one is not other for one, other in zip(before.places, sights.of(1).places, strict=True)]
    assert 1 <= sum(changed) <= 3


BENEATH = """\
format: 1
id: beneath
name: Beneath
players: {only: [2]}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none, count seen by: none}
  hand: {each: player, seen by: owner}
  heap: {shows: top, count seen by: none}
melds: {alike: {same: rank, size: 1..}}
flow:
  match:
    setup: |
      shuffle stock; deal 5 from stock to hand
      let some be random of (0..2)
      move some from stock to heap face down
    do: [grab]
  grab:
    kind: turn
    first: P1
    turns: 8
    actions:
      lay: {choose: {m: {meld: alike, from: hand}}, effect: move m to heap}
      same: {when: meld of heap != none, effect: nothing}
"""


def test_where_counts_are_hidden_a_meld_does_not_tell_whether_something_lies_beneath(tmp_path: Path) -> None:
    path = tmp_path / "beneath.yaml"
    path.write_text(BENEATH, encoding="utf-8")
    game = interpreter.load(path).game()
    for beneath in range(3):
        state = game.start(seed=3, chance={"random": [str(beneath)]})
        state.play(0, f"lay {state.zone('hand', 0)[0]}")
        sights = sights_of(state)
        for seat in (0, 1):
            assert state.view(seat)["zones"]["heap"] == zones(sights, 1 << seat)["heap"] == {"cards": ["2S"]}


def test_what_the_rules_say_of_a_place_is_asked_once_for_all_that_lies_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "slow.yaml"
    path.write_text(
        "format: 1\nid: slow\nname: Slow\nplayers: {only: [2]}\npack: {standard: 1}\n"
        "zones:\n  stock: {pack: true, seen by: 'if any c in stock has c = QS then everyone else none'}\n"
        "flow:\n  match: {do: [go]}\n  go: {kind: turn, actions: {pass: {effect: stay}}}\n",
        encoding="utf-8",
    )
    state = interpreter.load(path).game().start(seed=1)
    asked, real = list[int](), sight.watchers
    monkeypatch.setattr(sight, "watchers", lambda s, place: asked.append(place) or real(s, place))
    assert None not in state.view(0)["zones"]["stock"]["cards"]
    assert asked == [0]
    assert sights_of(state).of(1).places[0] == state.view(1)["zones"]["stock"]
    assert asked == [0, 0, 0]  # for all readers together once, and for one of them
