"""Rules that fail in play are told at their place, whoever asks them: bots in their trials, hints, claims, undo."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.analysis import audit
from interpreter.api.game import State
from interpreter.api.settled import Enforcement
from interpreter.engine.claims import claim_moves
from interpreter.players.honor_bot import Manners
from interpreter.players.monte_carlo import advice, new_bot

BRITTLE = """
format: 1
id: brittle
name: Brittle
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: OWNER}
  pile: {seen by: everyone}
state:
  score: {each: player, type: integer, lasts: match}
  lit: {type: integer, lasts: match}
flow:
  match: {first dealer: P1, repeat: deal, until: UNTIL, winners: highest score, places: PLACES}
  deal:
    setup: gather all to stock; shuffle stock; deal 4 from stock to hand
    do: [go]
    next dealer: left
    anytime: {light: {when: lit = 0, effect: set lit to 1}}
  go:
    kind: turn
    first: left of dealer
    turns: 2 each
    actions:
      shed: {choose: {card: {from: hand}}, effect: move card to pile; add 1 to score}
      wait: {effect: nothing}
honor: {claim: catch, claimers: CLAIMERS, penalty: add 1 to score of offender}
"""
SOUND = {
    "OWNER": "owner", "UNTIL": "score of P1 > 9", "PLACES": "0 - score of p",
    "CLAIMERS": "all p in everyone where p != offender",
}  # fmt: skip
FAILS = "1 div (1 - lit) > 0"
SOMEBODY = f"all p in everyone where {FAILS}"


def begun(folder: Path, enforcement: Enforcement = "strict", **rules: str) -> State:
    """A match in which a rule fails as soon as somebody has made a light, which they have."""
    text = BRITTLE
    for key, rule in {**SOUND, **rules}.items():
        text = text.replace(key, rule)
    path = folder / "brittle.yaml"
    path.write_text(text, encoding="utf-8")
    state = interpreter.load(path).game(enforcement=enforcement).start(seed=3)
    state.play(state.actors[0], "light")
    return state


@pytest.mark.parametrize("rules", [{"UNTIL": FAILS}, {"PLACES": "1 div (1 - lit)"}], ids=["until", "places"])
def test_a_trial_in_which_the_rules_fail_is_no_trial(tmp_path: Path, rules: dict[str, str]) -> None:
    state = begun(tmp_path, **rules)
    player = state.actors[0]
    assert new_bot("medium", 1).choose(state, player) in list(state.legal_moves(player))
    assert all(rated.gain is None for rated in advice(state, player))


def test_a_bot_that_cannot_be_told_what_it_sees_says_where_the_rules_fail(tmp_path: Path) -> None:
    state = begun(tmp_path, OWNER=SOMEBODY)
    for ask in (new_bot("medium", 1).choose, advice):
        with pytest.raises(interpreter.RuleError, match=r"brittle\.yaml:9:33: .* this divides by 0"):
            ask(state, state.actors[0])


def test_a_claim_of_which_the_rules_cannot_say_who_makes_it_is_told(tmp_path: Path) -> None:
    state = begun(tmp_path, "honor", CLAIMERS=SOMEBODY)
    before = state.copy()
    state.play(state.actors[0], "wait")
    bot = new_bot("easy", 1, Manners(notices=1.0, bluffs=1.0))
    with pytest.raises(interpreter.RuleError, match=r"brittle\.yaml:28:33: .* this divides by 0"):
        claim_moves(state.position, 0)
    with pytest.raises(interpreter.RuleError, match=r"brittle\.yaml:28:33: .* this divides by 0"):
        bot.claim(before, state, state.actors[0])


def test_a_move_stays_where_the_rules_cannot_say_who_has_seen_what(tmp_path: Path) -> None:
    state = begun(tmp_path, OWNER=SOMEBODY)
    kept = state.to_json()
    with pytest.raises(interpreter.RuleError, match=r"brittle\.yaml:9:33: .* this divides by 0"):
        state.undo(seed=5)
    assert state.to_json() == kept
    state.undo()
    assert state.value("lit") == 0


def test_who_watches_a_match_says_where_a_rule_fails(tmp_path: Path) -> None:
    begun(tmp_path)
    path = tmp_path / "brittle.yaml"
    text = path.read_text("utf-8").replace("{card: {from: hand}}", f'{{card: {{from: hand, where: "{FAILS}"}}}}')
    path.write_text(text, encoding="utf-8")
    ruleset = interpreter.load(path)
    told = [finding.message for finding in audit.run(ruleset, matches=6, seed=1).found]
    assert any("this divides by 0" in message for message in told)
