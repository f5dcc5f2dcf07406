"""A set that may be none and is: it has no members, in whatever is done with it; whether it is none can be asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.api.game import Game, State

RULES = """\
format: 1
id: none
name: None
players: {min: 2, max: 2}
pack: {standard: PACKS}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  pile: {each: 1..2}
  bid: {}
melds: {pair: {same: rank, size: 2}}
state:
  z: {type: integer, lasts: match}
  cs: {type: cards, lasts: match}
  oc: {type: cards, optional: true, lasts: match}
define:
  how_many(some): count of some
  high(some): all c in some where c.rank > 3
  shift(some): {effect: move some to bid}
flow:
  match: {setup: deal 6 from stock to hand, do: [go], winners: everyone}
  sub: {kind: ask, with: {w: {type: cards, optional: true}}, players: P1, actions: {ok: {effect: add count of w to z}}}
  go:
    kind: turn
    turns: 12
    actions:
      d: {choose: {d: {CHOSEN, optional: true}MORE}WITH, effect: 'DONE'}
      ask: {effect: call sub}
honor: {penalty: nothing}
"""
CARDS = "from: hand, count: 1..2"
MELDS = "melds: pair, from: hand"
UNSEEN = "from: hand of left of actor, count: 1..2"
NOTHING_HAPPENS = (
    "move d to bid", "move d to pile of 1", "move d beneath stock", "move d to bid face down", "move 1 from d to bid",
    "move all c in d where c.rank > 3 to bid", "move top 1 of d to bid", "move high(d) to bid", "shift(d)",
    "move first 1 c in d by place of c.rank to bid", "show d to everyone", "turn up d", "turn down d",
    "for c in d do move c to bid end", "add count of d to z", "add how_many(d) to z",
    "add sum place of c.rank for c in d to z", "add min place of c.rank for c in d to z",
    "if any c in d has c is Q then add 1 to z end", "if d is not empty then add 1 to z end",
    "if not (all c in d have c is Q) then add 1 to z end", "if top of hand in d then add 1 to z end",
    "if (first c in d) != none then add 1 to z end", "let q be d; move q to bid",
    "let q be d; if q != none then add 1 to z end", "set cs to d; add count of cs to z", "add d to cs",
    "set oc to d; move oc to bid; add count of oc to z",
    "set oc to none; add d to oc; add count of oc to z", "if d != none then add 1 to z end",
    "add count of hand - count of (hand without d) to z", "let n be count of (if z = 0 then d else hand); add n to z",
)  # fmt: skip
OF_MELDS = (
    "add count of d to z", "for m in d do move m to bid end", "add sum m.size for m in d to z",
    "if any m in d has m.size > 1 then add 1 to z end", "let q be d; for m in q do move m to bid end",
    "if d is not empty then add 1 to z end", "if d != none then add 1 to z end",
)  # fmt: skip
MORE = (
    "",
    ", k: {from: hand, count: 1..2, where: card not in d}",
    ", k: {from: hand without d, optional: true}",
)
WITH = (
    "",
    ", when: count of d < 9",
    ', must: {low: {law: not (any c in d has c is A), message: "not {d}"}}',
    ', must: {few: count of hand - count of d < 90}, say: "{d}!"',
    ", label: {count of d = 0: nothing_much, else: some}",
)


def game(
    folder: Path, chosen: str, done: str, more: str = "", how: str = "", packs: int = 1, honor: bool = False
) -> Game:
    path = folder / "none.yaml"
    rules = RULES.replace("PACKS", str(packs)).replace("CHOSEN", chosen).replace("DONE", done)
    path.write_text(rules.replace("MORE", more).replace("WITH", how), encoding="utf-8")
    return interpreter.load(path).game(2, enforcement="honor" if honor else "strict")


def begun(*args: Any, **how: Any) -> State:
    return game(*args, **how).start(seed=3, log=True)


def lying(state: State) -> list[Any]:
    """How many cards lie in each place, and the number that counts what has happened."""
    found = state.view(0)
    return [found["zones"], found["values"]["z"]]


@pytest.mark.parametrize("honor", [False, True])
@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize(
    ("chosen", "done"),
    [*((CARDS, done) for done in NOTHING_HAPPENS), *((MELDS, done) for done in OF_MELDS), (UNSEEN, "move d to bid")],
)
def test_nothing_is_done_with_no_members(chosen: str, done: str, packs: int, honor: bool, tmp_path: Path) -> None:
    state = begun(tmp_path, chosen, done, packs=packs, honor=honor)
    before = lying(state)
    assert "d none" in map(str, state.legal_moves(0))
    state.play(0, "d none")
    assert lying(state) == before
    assert interpreter.replay(state.record()).to_json() == state.to_json()


@pytest.mark.parametrize("more", MORE)
@pytest.mark.parametrize("how", WITH)
@pytest.mark.parametrize("honor", [False, True])
def test_laws_and_what_is_chosen_besides_can_ask_for_its_members(
    more: str, how: str, honor: bool, tmp_path: Path
) -> None:
    state = begun(tmp_path, CARDS, "move d to bid", more, how, honor=honor)
    for move in [move for move in state.legal_moves(0) if "none" in str(move)]:
        state.copy().play(0, str(move))
        assert lying(state)


@pytest.mark.parametrize(
    ("chosen", "done", "told"),
    [(CARDS, 'note "{d}"', "no card"), (MELDS, 'note "{d}"', "no meld"), (CARDS, 'let q be d; note "{q}"', "no card")],
)
def test_texts_say_that_it_is_nothing(chosen: str, done: str, told: str, tmp_path: Path) -> None:
    state = begun(tmp_path, chosen, done)
    assert told in " ".join(map(str, state.play(0, "d none")))


@pytest.mark.parametrize(
    ("done", "number"),
    [
        ("if d = none then add 1 to z end", (1, 0, 0)),
        ("if d is empty then add 1 to z end", (1, 1, 0)),
        ("let q be d; if q = none then add 1 to z end", (1, 0, 0)),
        ("set oc to d; if oc = none then add 1 to z end; add 10 * count of oc to z", (1, 0, 10)),
        ("call sub with w = d; add 10 * count of d to z", (0, 0, 10)),
    ],
)
def test_none_is_no_empty_set(done: str, number: tuple[int, int, int], tmp_path: Path) -> None:
    state = begun(tmp_path, "from: hand, count: 0..1", done)
    card = state.view(0)["zones"]["hand"]["P1"]["cards"][0]
    found = []
    for move in ("d none", "d nothing", f"d {card}"):
        one = state.copy()
        one.play(0, move)
        found.append(one.view(0)["values"]["z"])
    assert tuple(found) == number


def test_a_stage_is_called_with_nothing(tmp_path: Path) -> None:
    state = begun(tmp_path, CARDS, "call sub with w = d")
    state.play(0, "d none")
    state.play(0, "ok")
    assert state.view(0)["values"]["z"] == 0
