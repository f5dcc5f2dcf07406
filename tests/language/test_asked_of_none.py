"""What is asked of nobody, of no card and of a joker: none, and no condition that holds; a set has no members then."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import interpreter
from interpreter.compiler import types_of

RULES = """\
format: 1
id: nobody
name: Nobody
players: {{min: 2, max: 3, default: 3}}
pack: {{standard: 1, only: 2..5, add: {{joker: 2}}}}
options:
  sure: {{type: flag, default: true}}
  lucky: {{type: card, each: player, default: 9C}}
  liked: {{type: suit, each: player, optional: true, default: none}}
zones: {{stock: {{pack: true}}, hand: {{each: player, seen by: owner}}, empty_pile: {{}}, box: {{}}}}
state:
  score: {{each: player, type: integer, lasts: match}}
  gone: {{each: player, type: flag, lasts: match, default: true}}
  friends: {{each: player, type: players, lasts: match}}
  laid: {{each: rank, type: integer, lasts: match}}
  who: {{type: player, optional: true, lasts: match}}
  called: {{type: suit, optional: true, lasts: match}}
  wanted: {{type: rank, optional: true, lasts: match}}
  marked: {{type: card, lasts: match, default: 9C}}
  turned: {{type: suit, lasts: match}}
  shown: {{type: rank, lasts: match}}
  heard: {{type: choice, choices: [high, low], optional: true, lasts: match}}
  said: {{type: choice, choices: [high, low], lasts: match}}
values:
  height: {{else: place of card.rank}}
  odd: {{2..3: true, else: false}}
define:
  no_card: top of empty_pile
  like(card): all c in stock where c.rank = card.rank
  beside(player): all p in everyone where p != player
  heavy(card): card.rank > 3
  always(player): score of player >= 0
  kept(c, player): c
  whole(player, suit): pack
  card_of(card): if card.rank = (2C).rank then 1 else 2
  near(c, card): c.rank = (2C).rank or card is hearts
  same_suit(c, card): if c.rank = (2C).rank then c.suit else called
  surely(card): sure or card.rank = 2
  asked: {asked}
flow:
  match:
    setup: |
      for c in pack where c is 2 or c is 3 do move c to box end; shuffle stock; deal 2 from stock to hand
      set turned to marked.suit; set shown to marked.rank; set said to heard
    do: [go]
  go: {{kind: turn, actions: {{stay: {{effect: stay}}}}}}
"""


ASKED = {
    # who takes part, settled before play
    "if P2 in everyone then 1 else 0": 1,
    "if P2 in players and sure then 1 else 0": 1,
    "count p in (P1, P3) where p in (everyone without P2)": 2,
    # jokers have no suit, as nothing has been called
    "count c in pack where c.suit = called": 2,
    "count c in pack where c.suit = called and place of c.rank + score of P1 != 1": 2,
    "count c in pack where c.rank = wanted": 2,
    "count c in (stock, hand of P1, hand of P2, hand of P3) where c.rank = wanted": 2,
    "count c in pack where c.colour = colour of called": 2,
    "count c in pack where c.suit != called": 16,
    # members that are none
    "count of (score of who, 3)": 1,
    "(score of who, 3)": [3],
    "count of (everyone, left of who)": 3,
    "sum n for n in (score of who, 4)": 4,
    "count of (no_card.rank, wanted)": 0,
    # conditions
    "(no_card is hearts) = (1 = 2)": True,
    "no_card is hearts": False,
    "not (no_card is hearts)": True,
    "heavy(no_card)": False,
    "heavy(no_card) = (1 = 2)": True,
    "any n in (1, 2) has heavy(no_card)": False,
    "heavy(no_card) or heavy(no_card)": False,
    "odd of no_card": False,
    "(odd of no_card) = (1 = 2)": True,
    "gone of who": False,
    "always(who)": False,
    "surely(no_card)": False,
    "surely(top of stock)": True,
    "if surely(no_card) then 1 else 0": 0,
    "count c in pack where near(c, no_card)": 0,
    "count c in pack where not near(c, no_card)": 18,
    "any c in pack has near(c, no_card)": False,
    "count c in pack where same_suit(c, no_card) = clubs": 0,
    "count c in pack where same_suit(c, no_card) = called": 18,
    # sets
    "count of like(no_card)": 0,
    "like(no_card)": [],
    "count of (stock without like(no_card))": 4,
    "top of stock in like(no_card)": False,
    "count c in (like(no_card), box)": 8,
    "count p in beside(who)": 0,
    "(beside(who), P1)": ["P1"],
    "count of members of team of who": 0,
    "all p in members of team of who where score of p = 0": [],
    "count of friends of who": 0,
    "P1 in friends of who": False,
    # numbers
    "distance(no_card.rank, (3C).rank) > 1": False,
    "distance(wanted, (3C).rank, around)": None,
    "distance(wanted, (3C).rank) is none": True,
    "1 + distance((3C).rank, wanted)": None,
    "(first c in pack by 0 - height of c).suit is none": True,
    "sum height of c for c in pack": 4 * (1 + 2 + 3 + 4),
    "max height of c for c in stock": 4,
    "height of top of (all c in stock where c is joker) > 0": False,
    # a value that stands there, asked whether it is none
    "(if top of stock = 2C then hearts else hearts) != none": True,
    "(if top of stock = 2C then hearts else hearts) is none": False,
    # names for what may be none
    "{let: {n: score of who}, value: count c in stock where place of c.rank > n}": 0,
    "{let: {n: score of who}, value: (first c in box by n).rank}": "2",
    "{let: {n: 'greater(2, score of who)'}, value: n + 1}": None,
    "{let: {p: left of who}, value: score of p}": None,
    "{let: {p: left of who}, value: count of hand of p}": 0,
    "{let: {r: no_card.rank}, value: laid of r}": None,
    "{let: {c: 'kept(top of stock, who)'}, value: all p in everyone where c.rank = (3C).rank}": [],
    "{let: {c: 'kept(top of stock, who)'}, value: c is hearts}": False,
    # what is none before play
    "5 - score of (first p in (P1, P2) where not sure)": None,
    "5 div score of (first p in (P1, P2) where not sure)": None,
    "greater(2, score of (first p in (P1, P2) where not sure))": None,
    "3 < score of (first p in (P1, P2) where not sure)": False,
    "{let: {p: first p in players where not sure}, value: all q in beside(p) where score of q < 3}": [],
    "{let: {p: first p in players where not sure}, value: count of beside(p) + score of P1}": 0,
    "height of (first c in stock where not sure)": None,
    "whole(across from P1, (first c in hand of P1 where not sure).suit)": [],
    "{let: {p: across from P1}, value: card_of(first c in hand of P1 where not sure)}": None,
    # a card that is not in the pack
    "if 9C = 9C then 1 else 0": 0,
    "if 9C in (9C, 2C) then 1 else 0": 0,
    "if 2C in (9C, 2C) then 1 else 0": 1,
    "9C = none": True,
    "9C is not none": False,
    "any r in ranks has (if sure then 9C else 2C) = none": True,
    # a variable that holds none, though it does not say that it may
    "marked = none": True,
    "{let: {m: marked}, value: m = none}": True,
    "marked.suit = none": True,
    "place of marked.rank + 1": None,
    "marked is hearts": False,
    "count of like(marked)": 0,
    "{let: {q: turned}, value: q = none}": True,
    "colour of turned": None,
    "count c in pack where c.colour = colour of turned": 2,
    "{let: {r: shown}, value: r = none}": True,
    "place of shown": None,
    "{let: {w: said}, value: w = none}": True,
    "count c in pack where (if said = high then c is 2 else c is 3)": 4,
    # an option that is none for a player, or a card that is not in the pack
    "(lucky of P1).suit": None,
    "heavy(lucky of P1)": False,
    "(lucky of left of P1).rank = none": True,
    "colour of liked of P2": None,
    # what is remembered
    "count of whole(P1, called)": 0,
    "sum score of P1 for c in whole(P1, clubs)": 0,
    "count c in whole(P1, if top of stock = 2C then hearts else clubs) where c is joker": 2,
    # texts
    "start(score of who, (5S).name)": None,
    "start(1, no_card.name)": None,
    "start(1, 9C.name)": None,
    "start(1, no_card.name) = no_card.name": True,
    "next after (first p in (P1, P2) where not sure)": None,
    "score of (first p in (P1, P2) where not sure)": None,
    "beside(first p in (P1, P2) where not sure)": [],
}


@pytest.mark.parametrize("asked", ASKED)
def test_what_is_asked_of_none(asked: str, tmp_path: Path) -> None:
    path = tmp_path / "nobody.yaml"
    quoted = asked if asked.startswith("{") else f"'{asked}'"
    path.write_text(RULES.format(asked=quoted), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        game = interpreter.load(path).game()
    types_of(game.ruleset.model, game.players, game.options, False)
    assert game.start(seed=1).value("asked") == ASKED[asked]


def test_a_number_that_is_set_to_none_has_no_bounds(tmp_path: Path) -> None:
    path = tmp_path / "nobody.yaml"
    rules = RULES.format(asked="1").replace("effect: stay", "effect: set lives to none; stay")
    number = "lives: {type: integer, optional: true, lasts: match, min: 0, max: 5, default: 3}"
    path.write_text(rules.replace("state:\n", f"state:\n  {number}\n"), encoding="utf-8")
    game = interpreter.load(path).game()
    types_of(game.ruleset.model, game.players, game.options, False)
    state = game.start(seed=1)
    assert state.value("lives") == 3
    state.play(state.actors[0], "stay")
    assert state.value("lives") is None


def test_a_name_that_stands_for_no_card_moves_none(tmp_path: Path) -> None:
    path = tmp_path / "nobody.yaml"
    moves = '"for d in hand do let c be kept(d, who); move c from hand to box end; stay"'
    path.write_text(RULES.format(asked="1").replace("effect: stay", f"effect: {moves}"), encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1, log=False)
    before = [state.zone(name) for name in ("hand", "box")]
    state.play(state.actors[0], "stay")
    assert [state.zone(name) for name in ("hand", "box")] == before


def test_a_definition_that_nothing_uses_may_ask_what_card_it_is_given(tmp_path: Path) -> None:
    path = tmp_path / "nobody.yaml"
    unused = RULES.format(asked="1").replace("  asked:", "  middle(c): c is (10..J)\n  asked:")
    path.write_text(unused, encoding="utf-8")
    assert [found.code for found in interpreter.validate(path) if found.severity == "error"] == []


SET = """\
format: 1
id: set_to
name: Set to
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}}
state:
  bid: {type: integer, optional: true, lasts: match}
  sure: {type: flag, optional: true, lasts: match}
  other: {type: integer, optional: true, lasts: match}
  limit: {type: integer, BOUNDSlasts: match}
  who: {type: player, optional: true, lasts: match}
  first_one: {type: player, lasts: match}
  lit: {type: flag, lasts: match}
define: {raised: "if bid != none then bid + 1 else none"}
flow:
  match: {first dealer: P1, setup: BEFORE, do: [go]}
  go: {kind: turn, turns: 2, actions: {act: {effect: EFFECT}}}
"""


def refused(folder: Path, effect: str, before: str = "stay", bounds: str = "") -> list[str]:
    path = folder / "set_to.yaml"
    text = SET.replace("EFFECT", f"'{effect}'").replace("BEFORE", before).replace("BOUNDS", bounds)
    path.write_text(text, encoding="utf-8")
    return [f"{found.code} {found.message}" for found in interpreter.validate(path) if found.severity == "error"]


@pytest.mark.parametrize(
    "effect",
    [
        "if bid != none then set limit to bid end",
        "if bid is not none then set limit to bid end",
        "if none != bid then set limit to bid end",
        "if bid = none then stay else set limit to bid end",
        "if bid != none and limit < 3 then set limit to bid end",
        "if not (bid = none or limit > 3) then set limit to bid end",
        "if bid != none then if limit < 3 then set limit to bid else set limit to bid end end",
        "if sure != none then set lit to sure end",
        "if raised != none then set limit to raised end",
        "set limit to (if bid != none then bid else 3)",
        "set limit to (if bid = none then 3 else if limit < 2 then bid else 4)",
        "let it be bid; if it != none then set limit to it end",
    ],
)
def test_what_was_asked_for_can_be_set(effect: str, tmp_path: Path) -> None:
    assert refused(tmp_path, effect) == []


@pytest.mark.parametrize(
    "effect",
    [
        "set limit to bid",
        "if bid = none then set limit to bid end",
        "if bid != none then stay else set limit to bid end",
        "if bid != none or limit > 3 then set limit to bid end",
        "if other != none then set limit to bid end",
        "if bid != none then stay end; set limit to bid",
        "if bid != 3 then set limit to bid end",
        "set limit to (if bid != none then other else 3)",
        "set limit to (if bid != none then bid else other)",
        "set lit to sure",
    ],
)
def test_what_may_be_none_cannot_be_set(effect: str, tmp_path: Path) -> None:
    assert refused(tmp_path, effect) == ["E502 this may be none, which the variable cannot be"]


def test_what_was_asked_for_and_is_gone_stops_the_match(tmp_path: Path) -> None:
    assert refused(tmp_path, "if bid != none then clear bid; set limit to bid end", "set bid to 2") == []
    state = interpreter.load(tmp_path / "set_to.yaml").game().start(seed=1)
    with pytest.raises(interpreter.RuleError, match="this is none, but a number is needed here"):
        state.play(state.actors[0], "act")


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        ("swap bid, limit", "this is none, but a number is needed here"),
        ("swap limit, bid", "this is none, but a number is needed here"),
        ("swap first_one, who", "this is none, but a player is needed here"),
        ("swap bid, other", ""),
    ],
)
@pytest.mark.parametrize("bounds", ["", "min: 0, "])
def test_what_is_swapped_may_be_none_only_where_none_can_be(
    effect: str, told: str, bounds: str, tmp_path: Path
) -> None:
    assert refused(tmp_path, effect, bounds=bounds) == []
    state = interpreter.load(tmp_path / "set_to.yaml").game().start(seed=1)
    before = state.to_json()
    if not told:
        state.play(state.actors[0], "act")
        return
    with pytest.raises(interpreter.RuleError, match=told):
        state.play(state.actors[0], "act")
    assert state.to_json() == before


def test_a_flag_that_was_asked_for_and_is_gone_does_not_hold(tmp_path: Path) -> None:
    effect = "if sure != none then clear sure; set lit to sure end"
    assert refused(tmp_path, effect, "set sure to true; set lit") == []
    state = interpreter.load(tmp_path / "set_to.yaml").game().start(seed=1)
    state.play(state.actors[0], "act")
    assert state.value("lit") is False
