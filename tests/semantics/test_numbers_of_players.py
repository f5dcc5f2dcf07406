"""Games for some numbers of players, packs that depend on something as a whole, and refills with a condition."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter

BASE = """\
format: 1
id: some
name: Some
players: {players}
options:
  wilds: {{type: choice, choices: [none_of_them, some, many], default: some}}
  renewed: {{type: integer, default: 1}}
pack: {{standard: 1, add: {add}}}
zones:
  stock: {{pack: true, seen by: none, refill: {{from: heap, shuffle: true, when: times < renewed}}}}
  hand: {{each: player, seen by: owner}}
  heap: {{}}
state:
  times: {{type: integer, lasts: match}}
  got: {{type: integer, lasts: match}}
define:
  jokers: count c in pack where c is joker
  size: count of pack
flow:
  match: {{do: [playing]}}
  playing:
    kind: turn
    first: P1
    actions:
      draw: {{effect: move 1 from stock to hand; set got to moved; stay}}
      empty: {{effect: move all from stock to heap; stay}}
      renew: {{effect: add 1 to times; stay}}
"""


def ruleset(folder: Path, players: str = "{min: 2, max: 6}", add: str = "{joker: 2}") -> interpreter.Ruleset:
    path = folder / "some.yaml"
    path.write_text(BASE.format(players=players, add=add), encoding="utf-8")
    assert [str(d) for d in interpreter.validate(path) if d.severity == "error"] == []
    return interpreter.load(path)


def test_a_game_may_be_for_some_numbers_of_players_only(tmp_path: Path) -> None:
    found = ruleset(tmp_path, "{only: [6, 2, 4], default: 4}")
    assert (found.players.min, found.players.max, found.players.default) == (2, 6, 4)
    assert found.players.counts == (2, 4, 6)
    for count in found.players.counts:
        assert found.game(count).players == count
    with pytest.raises(interpreter.OptionError, match="Some is for 2, 4 or 6 players, not 3"):
        found.game(3)


@pytest.mark.parametrize(
    ("players", "counts", "default"),
    [
        ("{only: [3]}", (3,), 3),
        ("{min: 3, max: 6, only: [2, 4, 6]}", (4, 6), 4),
        ("{max: 4, only: [2, 4, 6]}", (2, 4), 2),
        ("{min: 2, max: 4}", (2, 3, 4), 2),
    ],
)
def test_what_is_said_twice_of_the_players_holds_together(
    tmp_path: Path, players: str, counts: tuple[int, ...], default: int
) -> None:
    found = ruleset(tmp_path, players).players
    assert (found.counts, found.default) == (counts, default)


def test_an_overlay_limits_the_numbers_of_players(tmp_path: Path) -> None:
    ruleset(tmp_path, "{min: 2, max: 6}")
    path = tmp_path / "even.yaml"
    path.write_text("format: 1\nid: even\nextends: some.yaml\nplayers: {only: [2, 4, 6]}\n", encoding="utf-8")
    assert interpreter.load(path).players.counts == (2, 4, 6)


@pytest.mark.parametrize(
    ("options", "players", "jokers", "size"),
    [({}, 2, 2, 54), ({"wilds": "none_of_them"}, 2, 0, 52), ({"wilds": "many"}, 3, 4, 59)],
)
def test_the_cards_that_are_added_may_depend_as_a_whole(
    tmp_path: Path, options: dict[str, str], players: int, jokers: int, size: int
) -> None:
    add = "{by: wilds, none_of_them: {}, some: {joker: 2}, many: {joker: 4, phoenix: count of everyone}}"
    state = ruleset(tmp_path, add=add).game(players, options=options).start()
    assert (state.value("jokers"), state.value("size")) == (jokers, size)


def test_an_overlay_may_let_the_added_cards_depend(tmp_path: Path) -> None:
    ruleset(tmp_path)
    path = tmp_path / "more.yaml"
    changes = "pack: {add: {by: players, 2: {joker: 1}, 3..4: {joker: 3}, else: {}}}"
    path.write_text(f"format: 1\nid: more\nextends: some.yaml\n{changes}\n", encoding="utf-8")
    found = interpreter.load(path)
    assert [found.game(count).start().value("jokers") for count in (2, 3, 4, 5)] == [1, 3, 3, 0]


def test_cards_come_while_the_condition_of_a_refill_holds(tmp_path: Path) -> None:
    state = ruleset(tmp_path).game(2).start()
    state.play(0, "empty")
    state.play(0, "draw")
    assert (state.value("got"), len(state.zone("heap"))) == (1, 0)
    state.play(0, "empty")
    state.play(0, "renew")
    state.play(0, "draw")
    assert (state.value("got"), len(state.zone("heap"))) == (0, 53)
