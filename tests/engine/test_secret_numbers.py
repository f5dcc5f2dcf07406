"""Numbers that not everybody sees are in nothing that everybody is told: errors, scores, and the log."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import RuleError
from interpreter.api.state import State

RULES = """
format: 1
id: secret
name: Secret
players: {min: 2, max: 2}
pack: {standard: 1}
options: {ladder: {type: list of integer, default: [1, 2, 3]}}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  pile: {each: 1..3, seen by: everyone}
state:
  score: {each: player, type: integer, lasts: match, max: 9}
  secret: {type: integer, lasts: match, default: HELD, seen by: none}
  shown: {type: integer, lasts: match, default: 10}
define:
  twice(n): n + secret
flow:
  match: {first dealer: random, repeat: deal, until: number of deal > 1, winners: lowest score}
  deal: {setup: gather all to stock, do: [work]}
  work:
    kind: turn
    turns: 1 each
    actions: {go: EFFECT, owe: {effect: call fine with cost = 1}}
  fine:
    kind: ask
    with: {cost: {type: integer, min: 1, max: 9}}
    players: current
    actions: {pay: {}}
"""


def match_of(folder: Path, effect: str, held: int = 17) -> State:
    path = folder / "secret.yaml"
    path.write_text(RULES.lstrip().replace("HELD", str(held)).replace("EFFECT", effect))
    return interpreter.load(path).game().start(seed=1)


def why(folder: Path, effect: str, held: int) -> str:
    """Why the rules stop at the move."""
    state = match_of(folder, effect, held)
    with pytest.raises(RuleError) as stopped:
        state.play(state.actors[0], "go")
    return stopped.value.message


@pytest.mark.parametrize(
    "effect",
    [
        pytest.param("add item(secret, ladder) to shown", id="an item of a list"),
        pytest.param("for n in 1..(secret * 10007) do add 1 to shown end", id="a range"),
        pytest.param("call fine with cost = secret", id="an argument"),
        pytest.param("add secret to score", id="a variable that all see"),
        pytest.param("set score to twice(10)", id="a definition"),
        pytest.param("let n be secret; add n to score", id="what was set aside"),
        pytest.param("move 1 from stock to pile of secret", id="the number of a place"),
        pytest.param("swap score, secret", id="exchanged"),
    ],
)
def test_why_the_rules_stop_says_no_number_that_is_hidden(tmp_path: Path, effect: str) -> None:
    told = {why(tmp_path, f"{{effect: {effect!r}}}", held) for held in (17, 23)}
    assert len(told) == 1 and "none" not in told.pop()


def test_a_measure_without_a_value_says_no_number(tmp_path: Path) -> None:
    told = {why(tmp_path, "{measured: {hold: secret..2}}", held) for held in (17, 23)}
    assert told == {"the least 'hold' of the action 'go' is above its most"}


def test_why_the_rules_stop_says_numbers_that_all_see(tmp_path: Path) -> None:
    found = why(tmp_path, "{effect: add shown to score}", 17)
    assert found.endswith("'score' would become 10, but it goes from -1000000 to 9")
