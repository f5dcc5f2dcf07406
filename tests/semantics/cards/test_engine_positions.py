"""Sections 13 and 14 where a scenario cannot say it: checks that must fail, and slips in YAML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter import load
from interpreter.base.diagnostics import Report, RulesetError
from interpreter.proofs.scenario_runner import run_scenario
from interpreter.proofs.scenarios import parse_scenarios

FOLDER = Path(__file__).parent / "rulesets"
DEPOT = load(FOLDER / "depot.yaml")
HEAD = "game: rulesets/depot.yaml\nname: a test\n"


def outcome(body: str) -> Any:
    report = Report()
    (scenario,) = parse_scenarios(HEAD + body, str(FOLDER.parent / "none.yaml"), report)
    assert not report.failed, report.sorted()
    return run_scenario(scenario)


TRADE = "given: {at: trade, dealer: P1, current: P2, hand: {P1: [2C], P2: [3C]}, score: {P2: 4}}\n"


@pytest.mark.parametrize(
    "step",
    [
        "expect: {score: {P2: 5}}",
        "expect: {hand: {P1: [3C]}}",
        "expect: {hand: {P1: 2}}",
        "expect: {phase: tricks}",
        "expect: {richest: P1}",
        "legal: {P2: [keep]}",
        "refused: {P2 keep: in_turn}",
        "refused: {P3 keep: not_possible}",
        "view: {P3: {shown: [2C]}}",
        "view: {P1: {hidden: [2C]}}",
        "events: [never]",
        "P3 keep",
    ],
)
def test_a_check_that_does_not_hold_fails(step: str) -> None:
    found = outcome(f"{TRADE}steps:\n  - {step}\n")
    assert not found.passed
    assert "step 1" in found.report()


def test_a_set_up_that_should_be_refused_and_is_not_fails() -> None:
    assert not outcome(f"{TRADE}error: whatever\n").passed


def test_a_set_up_that_is_refused_for_another_reason_fails() -> None:
    assert not outcome("given: {at: tade}\nerror: no zone\n").passed


def test_start_takes_a_deck_as_the_first_shuffle() -> None:
    deck = "2C 3C 4C 5C 6C 7C".split()
    one = DEPOT.game().start(deck=deck, chance={"first dealer": "P1"})
    two = DEPOT.game().start(chance={"first dealer": "P1", "shuffle": {"deal": deck}})
    assert one.zone("hand", 1) == two.zone("hand", 1) == ["2C", "5C"]


def test_a_deck_with_a_card_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="9X"):
        DEPOT.game().start(deck=["2C", "9X"])


def test_a_deck_with_a_card_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="2C"):
        DEPOT.game().start(deck=["2C", "2C"])


def test_outcomes_that_are_not_fixed_come_from_the_seed() -> None:
    dealers = {DEPOT.game().start(seed=seed).position.dealer for seed in range(20)}
    assert dealers == {0, 1, 2}


def test_every_position_keeps_the_pack_whole() -> None:
    state = DEPOT.game().start(given={"at": "trade", "hand": {"P1": ["2C"]}, "cell": {"P2": {"1": ["3C"]}}})
    assert sum(len(state.zone(zone.name)) for zone in state.game.program.zones) == 52


# ---- section 14 ----------------------------------------------------------------------------------


def refused(tmp_path: Path, old: str, new: str) -> str:
    text = (FOLDER / "depot.yaml").read_text()
    assert old in text
    path = tmp_path / "slip.yaml"
    path.write_text(text.replace(old, new))
    with pytest.raises(RulesetError) as error:
        load(path)
    return "\n".join(f"{d}\n{d.hint}" for d in error.value.diagnostics)


def test_a_comma_inside_braces_that_needs_quotes_is_recognised(tmp_path: Path) -> None:
    call = '"call bargain with seller = actor, buyer = whom, price = 3"'
    assert "needs quotes" in refused(tmp_path, call, call.strip('"'))


def test_a_bracket_inside_braces_that_needs_quotes_is_recognised(tmp_path: Path) -> None:
    law = "{suit: card.suit = led or void in led}"
    assert "needs quotes" in refused(tmp_path, law, "{suit: card.suit in (led, hearts)}")


def test_an_effect_that_was_left_out_is_recognised(tmp_path: Path) -> None:
    assert "effect" in refused(tmp_path, "effect: add price to score of seller", "effect:")


def test_effects_hold_no_colon_and_no_hash_that_yaml_would_take(tmp_path: Path) -> None:
    assert refused(tmp_path, "effect: gather all to stock", "effect: gather: all to stock")
