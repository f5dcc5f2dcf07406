"""Rules in which it takes long to say what hangs on what is hidden: bots take it for hidden, and think."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from interpreter import load
from interpreter.language import typed
from interpreter.players import hidden_course
from interpreter.players.hidden_course import MOST_ROUNDS, HiddenCourse, Text
from interpreter.players.monte_carlo import new_bot

MOST_ASKED = 1_000
"""So much the machine is asked for at most by one of these texts: for each thing once, and in loops once more."""
CHAIN = [f"v{number}" for number in range(200)]
RULES = """
format: 1
id: long
name: Long
players: {only: [2]}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, discard: {}}
state:
  score: {each: player, type: integer, lasts: match}
VARIABLES
flow:
  match: {first dealer: P1, do: [deal], winners: highest score}
  deal:
    setup: |
      shuffle stock; deal 5 from stock to hand
      if count of discard > 90 then EFFECT end
    do: [playing]
    next dealer: left
  playing:
    kind: turn
    first: P1
    turns: 5 each
    actions: {lay: {choose: {c: {from: hand}}, effect: move c to discard}, ask: {effect: call extra}}
  extra: {kind: ask, actions: {okay: {}}}
"""
AFTER_ONE_ANOTHER = "; ".join(f"set {one} to {other}" for one, other in pairwise(CHAIN))
AFTER_ONE_ANOTHER += f"; set {CHAIN[-1]} to count of all c in hand of P1 where c.suit = hearts"
INSIDE_ONE_ANOTHER = "".join(f"for i{depth} in 1..1 do " for depth in range(12)) + "{}" + " end" * 12


@pytest.mark.parametrize(
    "effect",
    [
        AFTER_ONE_ANOTHER,
        INSIDE_ONE_ANOTHER.format("; ".join(["reverse"] * 300)),
        f"if any c in hand of P1 has c.rank = K then {INSIDE_ONE_ANOTHER.format('; '.join(['call extra'] * 10))} end",
    ],
)
def test_it_is_given_up_before_it_takes_long(effect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = 0

    def looked_through(self: HiddenCourse, texts: Sequence[Text]) -> set[str]:
        nonlocal rounds
        rounds += 1
        assert max(len(text.asked) for text in texts) <= MOST_ASKED
        found: set[str] = real(self, texts)
        return found

    real: Any = HiddenCourse._looked_through
    monkeypatch.setattr(HiddenCourse, "_looked_through", looked_through)
    path = tmp_path / "long.yaml"
    state = "".join(f"  {name}: {{type: integer, lasts: match, min: 0, max: 60}}\n" for name in CHAIN)
    path.write_text(RULES.replace("VARIABLES\n", state).replace("EFFECT", effect), encoding="utf-8")
    state_of_play = load(path).game().start(seed=1)
    assert new_bot("medium", 1).choose(state_of_play, state_of_play.actors[0]) is not None
    assert 0 < rounds <= 2 * MOST_ROUNDS  # of what lies there, and of how many


CALLING = """
format: 1
id: calling
name: Calling
players: {only: [2]}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {setup: shuffle stock; deal 5 from stock to hand, do: [main], winners: highest score}
  main:
    kind: turn
    first: P1
    actions: {begin: {effect: call s0}, hide: {effect: call t0 with n = place of (top of stock).rank}}
"""
STAGES, ARGUMENTS, CALLED = 40, 8, 20


def test_stages_that_call_each_other_are_gone_through_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for each call, and again for each thing that is found to be hidden."""
    text = CALLING
    for at in reversed(range(ARGUMENTS)):
        then = f"call t{at + 1} with n = n" if at < ARGUMENTS - 1 else "add 1 to score"
        actions = f'{{go: {{effect: "{then}"}}, stop: {{}}}}'
        text += f"  t{at}: {{kind: ask, players: P1, with: {{n: integer}}, actions: {actions}}}\n"
    for at in range(STAGES):
        calls = "; ".join(f"call s{(at + other) % STAGES}" for other in range(1, CALLED))
        text += (
            f"  s{at}: {{kind: ask, players: P1, actions: "
            f'{{go: {{effect: "if (top of stock).rank = A then finish s{at} end; {calls}"}}}}}}\n'
        )
    path = tmp_path / "calling.yaml"
    path.write_text(text, encoding="utf-8")
    game, walks = load(path).game(), 0

    def walk(node: object) -> Any:
        nonlocal walks
        walks += 1
        return typed.walk(node)

    monkeypatch.setattr(hidden_course, "walk", walk)
    course = HiddenCourse(game.program, game.ruleset.model)
    assert len(course.hidden()) >= STAGES
    assert walks < 40 * STAGES * CALLED
