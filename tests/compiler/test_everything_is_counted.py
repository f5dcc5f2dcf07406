"""Whatever is worked out in play is counted: no place of a ruleset where an expression stands is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from walks import SHIPPED

import interpreter
from interpreter.api.settled import Enforcement
from interpreter.base.diagnostics import Report
from interpreter.compiler import specialise
from interpreter.compiler.bounds import Bounds, too_much
from interpreter.compiler.bounds.expression_steps import Steps
from interpreter.compiler.layout import Layout
from interpreter.language import typed as t
from interpreter.language.tree import TreeNode, parts_of

SETTLED = {
    "AddedCard.count", "AddedCard.when", "Choice.rows", "Depends.by", "Depends.otherwise", "Depends.rows",
    "HonorDef.charge_each", "MeldDef.naturals", "MeldDef.size", "MeldDef.wilds", "Model.team_size", "OptionDef.length",
    "OptionDef.maximum", "OptionDef.minimum", "PackDef.copies", "PackDef.remove", "PackDef.remove_by", "RefillDef.on",
    "TokenDef.named", "ZoneDef.dims", "VarDef.dims",
}  # fmt: skip
"""Places where what stands is settled before play."""
WHERE_USED = {
    "DefineInstance.body",
    "TableDef.by",
    "TableRow.value",
    "VarDef.maximum",
    "VarDef.minimum",
    "StageDef.bounds",
}
"""Places where it is counted where it is asked, if it is."""
EVERYTHING = """\
format: 1
id: everything
name: Everything
players: {min: 2, max: 3}
pack: {standard: 1}
options: {goals: {type: list of melds, default: [[set 3], [set 4]]}}
melds: {set: {same: rank, size: 3.., wild: card is 2, naturals: 2.., wilds: ..3}}
zones:
  stock: {pack: true, seen by: none, refill: {from: heap, keep: 1, when: tally < 5}}
  hand: {each: player, seen by: owner, count seen by: everyone}
  heap: {capacity: 30 + tally}
  trick: {seen by: everyone}
tokens: {chip: {seen by: owner}}
state:
  score: {each: player, type: integer, lasts: match}
  laps: {each: 1..2, type: integer, lasts: match}
  tally: {type: integer, lasts: match, min: 0, max: 5 + number of deal, seen by: everyone}
cards: {A: {choose: {p: {players: others}}, say: {one: last}, effect: add 1 to tally}, else: {effect: stay}}
define:
  far(p): {value: score of p > 3, seen by: everyone, count: deal}
flow:
  match: {repeat: deal, until: number of deal > 3, winners: highest score, places: score of p, first dealer: P1}
  deal:
    when: true
    setup: deal 5 from stock to hand
    do: [play, ask, count, tricks]
    next dealer: left
    until: tally > 90
  play:
    kind: turn
    players: p where score of p < 100
    first: dealer
    turns: tally + 5
    until: tally > 3
    on turn: add 1 to tally
    actions:
      lay:
        when: tally < 3
        choose:
          card: {from: hand, where: card.rank != 3, optional: tally > 3}
          n: {number: 0..tally, said: true, else: tally, seen by: actor}
        row: card
        must:
          law:
            law: card is not 4
            message: "{card} is four"
            lapses: {after: tally, turns by: different others, pauses: tally > 3}
            penalty: add 1 to score of offender
            claimers: p where score of p > 3
            on breach: add 1 to tally
        say: {word: {words: "last {tally}", when: tally > 1, exact: tally > 2}}
        label: {tally > 3: big}
        effect: move card to heap
      meld: {choose: {m: {melds: "item(1 + tally mod 2, goals)", from: hand}}, effect: stay}
  ask: {kind: simultaneous, players: everyone, actions: {say: {choose: {w: {choice: [a, b]}}}}, resolve: add 1 to tally}
  count:
    score: {all: {when: tally > 3, for: dealer, points: tally, because: "{tally} points"}}
  tricks:
    kind: trick
    leader: dealer
    count: 2 + tally
    trump: if tally > 2 then hearts else spades
    suit: card.suit
    rank: place of card.rank
    lead: {}
    follow: {must: {follow: card.suit = led}}
    on card: add 1 to tally
    on trick: move all from trick to heap
honor:
  claim: razz
  during: deal
  claimers: p where score of p >= 0
  penalty: add 1 to score of offender
  wrong claim: add 1 to score of claimer
  lapses: {after: 3, ends of: play}
"""


def forgotten(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The places of a game whose expressions nothing looks at that counts."""
    seen: set[int] = set()
    once = Steps._once

    def looked_at(self: Steps, node: Any, count: Any) -> int:
        seen.add(id(node))
        return once(self, node, count)

    monkeypatch.setattr(Steps, "_once", looked_at)
    bounds = Bounds(layout)
    too_much.check_bounds(bounds, Report())
    for stage in layout.model.stages.values():
        for action in (*stage.actions, *stage.anytime):
            with bounds.rules_of(stage.name):
                bounds.each_move(action)
    return {place for place, node in places(layout.model) if id(node) not in seen}


def places(of: TreeNode) -> Iterator[tuple[str, Any]]:
    """Where expressions and effects stand in definitions, each as `Class.field`."""
    for name in parts_of(type(of)) or ():
        yield from _inside(f"{type(of).__name__}.{name}", getattr(of, name))


def _inside(place: str, value: Any) -> Iterator[tuple[str, Any]]:
    match value:
        case tuple() | list():
            for part in value:
                yield from _inside(place, part)
        case dict():
            for part in value.values():
                yield from _inside(place, part)
        case _ if type(value) in t.KINDS or type(value) in t.EFFECTS:
            yield place, value
        case TreeNode():
            yield from places(value)


@pytest.mark.parametrize("enforcement", ["strict", "honor"])
@pytest.mark.parametrize("name", [*SHIPPED, "everything"])
def test_every_place_in_which_something_is_worked_out_is_counted(
    name: str, enforcement: Enforcement, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "everything.yaml"
    path.write_text(EVERYTHING, encoding="utf-8")
    game = interpreter.load(path if name == "everything" else name).game(enforcement=enforcement)
    layout = specialise(game.ruleset.model, game.players, game.options, enforcement == "honor")
    assert forgotten(layout, monkeypatch) - SETTLED - WHERE_USED == set()


def test_the_ruleset_with_everything_has_an_expression_in_every_place(tmp_path: Path) -> None:
    path = tmp_path / "everything.yaml"
    path.write_text(EVERYTHING, encoding="utf-8")
    found = {place for name in (path, *SHIPPED) for place, _ in places(interpreter.load(name).model)}
    assert found >= SETTLED | WHERE_USED
