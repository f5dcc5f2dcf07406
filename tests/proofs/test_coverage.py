"""`houserules test --coverage`: what scenarios reach of a ruleset, and what they don't."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.interfaces import cli
from interpreter.proofs import coverage

RULESET = """\
format: 1
id: small
name: Small
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  pile: {seen by: everyone}
values:
  points: {hearts: 1, QS: 13, else: 0}
cards:
  K: {effect: add 1 to score}
  Q: {effect: add 2 to score}
  else: {effect: add points of card to score}
state:
  score: {each: player, type: integer, lasts: match}
flow:
  match: {first dealer: P1, do: [playing], winners: highest score}
  playing:
    kind: turn
    until: hand of P1 is empty and hand of P2 is empty
    actions:
      play: {row: card, choose: {card: {from: hand}}, must: {low: card.rank != A, red: card.suit != spades}, effect: move card to pile}
      wave: {effect: stay}
"""  # noqa: E501
SCENARIOS = """\
- game: small.yaml
  name: a king counts one, and no ace may be played
  given: {at: playing, current: P1, hand: {P1: KH AH, P2: 2H}}
  steps:
    - refused: {P1 play AH: low}
    - P1 play KH
    - expect: {score: {P1: 1}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.yaml").write_text(RULESET, encoding="utf-8")
    (tmp_path / "proofs.yaml").write_text(SCENARIOS, encoding="utf-8")
    return tmp_path


def missing(folder: Path) -> list[str]:
    found = coverage.run([folder])
    return [
        f"{span.line} {name} {coverage.SAID[kind]}" for kind, span, name in found.missing(str(folder / "small.yaml"))
    ]


def test_what_no_scenario_reaches_is_named_with_its_place(folder: Path, capsys):
    assert missing(folder) == [
        "11 row 'hearts' of points can be dropped unnoticed",
        "11 row 'QS' of points can be dropped unnoticed",
        "11 row 'else' of points can be dropped unnoticed",
        "14 the row 'Q' of the cards is never carried out",
        "15 the row 'else' of the cards is never carried out",
        "24 the law 'red' of 'play' is never seen to refuse anything",
        "25 the action 'wave' of 'playing' is never played",
    ]
    assert cli.run(["test", "--coverage", str(folder)]) == 0
    out = capsys.readouterr().out
    assert f"{folder}/small.yaml: 1 of 2 laws, 1 of 2 actions, 1 of 3 card rows, 0 of 3 table rows\n" in out
    assert f"  {folder}/small.yaml:14:3: the row 'Q' of the cards is never carried out\n" in out


MORE = """\
- game: small.yaml
  name: hearts count a point each, spades may not be played
  given: {at: playing, current: P1, hand: {P1: 2H 3S, P2: QH}}
  steps:
    - legal: {P1: [play 2H, wave]}
    - P1 play 2H
    - P2 wave
    - P2 play QH
    - expect: {score: {P1: 1, P2: 2}}
"""


def test_laws_that_a_list_of_lawful_moves_shows_count_too(folder: Path):
    (folder / "proofs.yaml").write_text(SCENARIOS + MORE, encoding="utf-8")
    assert missing(folder) == [
        "11 row 'QS' of points can be dropped unnoticed",
        "11 row 'else' of points can be dropped unnoticed",
    ]


def test_a_scenario_that_fails_proves_nothing(folder: Path, capsys):
    (folder / "proofs.yaml").write_text(SCENARIOS.replace("P1: 1}", "P1: 3}"), encoding="utf-8")
    assert cli.run(["test", "--coverage", str(folder)]) == 1
    assert "fails, so it proves nothing: " in capsys.readouterr().out
    assert cli.run(["test", "--coverage", "--mutate", str(folder)]) == 2


def test_of_an_overlay_only_its_own_gaps_are_told(folder: Path, capsys):
    """What it lies on has scenarios of its own; a newcomer's ten lines would drown in its list."""
    (folder / "mine.yaml").write_text(
        "format: 1\nid: mine\nextends: small\nflow: {playing: {actions: {bow: {}}}}\n", encoding="utf-8"
    )
    (folder / "mine-scenario.yaml").write_text(
        "game: mine.yaml\nname: a\ngiven: {at: playing, current: P1}\nsteps:\n  - P1 wave\n", encoding="utf-8"
    )
    assert cli.run(["test", "--coverage", str(folder / "mine-scenario.yaml")]) == 0
    out = capsys.readouterr().out
    below, own, gap = out.splitlines()
    assert below.startswith(f"{folder}/small.yaml: 0 of ")
    assert below.endswith("(it lies below, so the rest is not listed)")
    assert own == f"{folder}/mine.yaml: 0 of 1 actions"
    assert gap.endswith("the action 'bow' of 'playing' is never played")
