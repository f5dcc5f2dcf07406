"""Whom a change of a ruleset concerns: scenarios that cannot reach it are left out, and no other."""

# ruff: noqa: E501  (scenarios are as long as they are)
from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import get_args

import pytest

from interpreter.api.game import Ruleset, load
from interpreter.api.settled import Enforcement
from interpreter.base.diagnostics import RulesetError
from interpreter.language.overlay import shipped
from interpreter.proofs.impact import Anatomy, Difference, Programs, difference, lines_run
from interpreter.proofs.mutation import run
from interpreter.proofs.mutation.mutants import Mutant, mutants
from interpreter.proofs.scenario_runner import run_scenario
from interpreter.proofs.scenarios import load_scenarios

RULESET = """\
format: 1
id: small
name: Small
players: {min: 2, max: 4, default: 2}
options:
  target: {type: integer, min: 5, max: 90, default: 20}
  spades_wild: {type: flag}
  house: {type: choice, choices: [plain, double], default: plain}
require:
  few: {law: count of players < 4 or target < 50, message: too much}
variants:
  long: {set: {target: 40}}
  rich: {patch: {values: {points: {hearts: 3}}}}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  pile: {seen by: everyone}
values:
  points: {hearts: 1, QS: 13, else: 0}
cards:
  K: {effect: add 1 to score}
  else: {effect: add worth of card to score}
state:
  score: {each: player, type: integer, lasts: match}
define:
  wild(card): spades_wild and card.suit = spades
  worth(card): if house = double then 2 * points of card else points of card
flow:
  match: {first dealer: P1, repeat: deal, until: any p in players has score of p >= target, winners: highest score}
  deal:
    setup: gather all to stock; shuffle stock; deal 5 from stock to hand
    do: [playing, bonus]
    next dealer: left
  playing:
    kind: turn
    until: all p in players have hand of p is empty
    actions:
      play:
        row: card
        choose: {card: {from: hand}}
        must: {suit: "pile is empty or card.suit = (top of pile).suit or wild(card)"}
        effect: move card to pile; if card is A then again end
      draw: {when: stock is not empty and count of hand < 6, effect: move 1 from stock to hand}
      pass: {when: count of hand >= 6}
  bonus:
    effect: for p in players where score of p < 3 do add 2 to score of p end
"""
SCENARIOS = """\
- {game: small.yaml, name: five cards each, steps: [expect: {hand: {P1: 5, P2: 5}, score: {P1: 0}}]}
- game: small.yaml
  name: suit is followed
  given: {at: playing, current: P1, hand: {P1: 2H 4C AC, P2: 3S 3H}, rest: stock}
  steps:
    - P1 play AC
    - legal: {P1: [play 4C, draw], P2: []}
    - P1 draw
    - refused: {P2 play 3S: suit}
    - view: {P2: {hidden: [2H, 4C]}}
- game: small.yaml
  name: spades go on anything where they are wild
  options: {spades_wild: true}
  given: {at: playing, current: P2, pile: 5C, hand: {P1: 2H 4C, P2: 3S 3H}, rest: stock}
  steps:
    - legal: {P2: [play 3S, draw]}
- game: small.yaml
  name: hearts count, and may count twice
  options: {house: double, target: 5}
  given: {at: playing, current: P1, hand: {P1: 2H, P2: 3H}, rest: stock, score: {P1: 3}}
  steps:
    - P1 play 2H
    - P2 play 3H
    - expect: {over: true, scores: [5, 4], winners: P1}
- {game: small.yaml, name: more hearts, variants: rich, given: {at: playing, current: P1, hand: {P1: 2H}}, steps: [P1 play 2H, expect: {score: {P1: 3}}]}
- {game: small.yaml, name: four play to less, players: 4, options: {target: 50}, error: too much}
- {game: small.yaml, name: the long game, variants: long, players: 3, given: {at: playing, score: {P1: 39}}, steps: [expect: {over: false}]}
"""


def changed(ruleset: Ruleset, what: str) -> Mutant:
    return next(mutant for mutant in mutants(ruleset.node) if mutant.what == what)


def how_it_differs(ruleset: Ruleset, what: str) -> Difference:
    ruleset = ruleset.compiled_by(Programs().make)
    return difference(Anatomy(ruleset.game().program), Anatomy(load(changed(ruleset, what).root).game().program))


@pytest.mark.parametrize(
    ("name", "enforcement"), list(zip(sorted(shipped()), cycle(get_args(Enforcement)), strict=False))
)
def test_the_same_rules_make_no_difference(name: str, enforcement: Enforcement) -> None:
    ruleset = load(name).compiled_by(Programs().make)
    game = ruleset.game(enforcement=enforcement)
    game.playouts(1, seed=0, limit=20)  # what is found out in play is no difference either
    again = load(ruleset.node).game(enforcement=enforcement)
    found = difference(Anatomy(game.program), Anatomy(again.program))
    assert found == Difference(frozenset(), frozenset(), False)


def test_a_change_is_found_in_the_functions_that_say_it() -> None:
    found = how_it_differs(load("hearts"), "2 in value of due(p) made 3")
    assert {name for name in found.functions if name.startswith("define·due")}
    assert not {name for name in found.functions if name.startswith("legal·")}
    assert {name for name, _ in found.lines} <= found.functions


def test_a_row_changes_what_reads_the_table() -> None:
    found = how_it_differs(load("hearts"), "1 in hearts of points made 2")
    assert found.functions and not found.everywhere


def test_what_lies_open_is_asked_by_views_alone() -> None:
    found = how_it_differs(load("hearts"), "'seen by: owner' of hand made everyone")
    assert "seen·hand" in found.functions


def test_a_game_that_its_options_leave_as_it_was_is_not_compiled_again() -> None:
    hearts, programs = load("hearts"), Programs()
    before = hearts.compiled_by(programs.make).game().program
    bound = load(changed(hearts, "1 in min of target made 2").root).compiled_by(programs.find)
    assert bound.game().program is before
    option = load(changed(hearts, "1 in on card of tricks made 2").root).compiled_by(programs.find)
    assert option.game().program is before, "tricks are not looked back at unless an option says so"
    rule = load(changed(hearts, "1 in hearts of points made 2").root).compiled_by(programs.find)
    assert rule.game().program is not before


def test_lines_that_run_are_told_with_their_functions() -> None:
    game = load("hearts").game()
    with lines_run() as run_lines:
        game.start(seed=1)
    found = Anatomy(game.program).lines(run_lines)
    assert "setup·deal" in {name for name, _ in found}
    assert not {name for name, _ in found if name.startswith("apply·")}


def test_nobody_is_left_out_who_would_notice(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(RULESET, "utf-8")
    (tmp_path / "proofs.yaml").write_text(SCENARIOS, "utf-8")
    scenarios = load_scenarios(tmp_path / "proofs.yaml")

    def is_noticed(mutant: Mutant) -> bool:
        try:
            ruleset = load(mutant.root)
        except RulesetError:
            return True
        return not all(run_scenario(scenario, lambda _: ruleset).passed for scenario in scenarios)

    every = list(mutants(load(tmp_path / "small.yaml").node))
    report = run([tmp_path / "proofs.yaml"], jobs=1)
    ((_, missed),) = report.missed.items()
    assert [one.what for one in missed] == [mutant.what for mutant in every if not is_noticed(mutant)]
    assert 10 < len(missed) < len(every) - 10
    assert not report.broken
