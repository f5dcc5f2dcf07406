"""The scenario runner, positions and mutants, on a made-up ruleset."""

# ruff: noqa: E501  (scenarios and printed texts are as long as they are)
from __future__ import annotations

import os
import re
from pathlib import Path
from textwrap import dedent, indent
from time import process_time

import pytest
from where import TESTS

from interpreter.api.game import load
from interpreter.base.diagnostics import Report, RulesetError
from interpreter.engine.arranging import PositionError
from interpreter.engine.rule_errors import RuleError
from interpreter.language.overlay import resolve
from interpreter.language.source import parse_text, to_plain
from interpreter.proofs import scenario_places
from interpreter.proofs.mutation import run
from interpreter.proofs.mutation.mutants import Mutant, mutants
from interpreter.proofs.report import prove
from interpreter.proofs.scenario_runner import Outcome, run_scenario
from interpreter.proofs.scenarios import load_scenarios, parse_scenarios, scenario_files

TABLE = """\
format: 1
id: table
name: Table
players: {min: 2, max: 4, default: 3}
options:
  goal: {type: integer, min: 1, max: 50, default: 9}
pack: {standard: 1}
ranks: [2, 3, 4, 5, 6, 7, 8, 9, 10, J, Q, K, A]
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner, capacity: 6}
  discard: {seen by: everyone}
  row: {each: [player, 1..2], seen by: everyone, faces: down}
tokens:
  spoon: {doc: Pieces.}
values:
  worth: {hearts: 1, QS: 13, else: 0}
state:
  score: {each: player, type: integer, lasts: match, min: -99, max: 99}
  drawn: {type: flag, lasts: turn}
  turns_begun: {type: integer, lasts: deal}
  wanted: {type: suit, optional: true, lasts: deal}
  mood: {type: choice, choices: [calm, wild], lasts: deal}
  friend: {type: player, optional: true, lasts: deal}
  marked: {type: card, optional: true, lasts: deal}
  crowd: {type: players, lasts: deal}
  count_of: {each: suit, type: integer, lasts: deal}
define:
  rich(p): score of p > 5
  total: sum score of p for p in players
flow:
  match:
    first dealer: P1
    repeat: deal
    until: any p in players has score of p >= goal
    winners: highest score
  deal:
    setup: |
      gather all to stock
      shuffle stock
      deal 3 from stock to hand
      set out 2 of spoon
    do: [play, tricks, count]
    next dealer: left
  play:
    kind: turn
    first: left of dealer
    on turn: add 1 to turns_begun
    until: turns_begun > 60 or any p in players has hand of p is empty
    actions:
      play:
        choose: {card: {from: hand}}
        must:
          suit:
            law: discard is empty or card.suit = (top of discard).suit or card.rank = (top of discard).rank
            message: play {(top of discard).suit}
        effect: |
          move card to discard
          if card = QS then call duel with rounds = 2 end
          if card = KS and goal = 50 then add 200 to score end
      draw:
        when: not drawn and count of hand < 6
        effect: move 1 from stock to hand; set drawn; stay
      peek: {when: drawn, effect: show top of stock to actor; stay}
      pass: {when: drawn or count of hand = 6}
      grab:
        when: count of spoon > 0
        measured: {hold: 0..9}
        effect: take spoon; add hold to score; stay
  duel:
    kind: turn
    with: {rounds: integer}
    turns: rounds
    actions:
      tap: {effect: add rounds to score}
  tricks:
    kind: trick
    when: all p in players have hand of p is not empty
    until: any p in players has hand of p is empty
    to: discard
    leader: left of dealer
    follow: {must: {follow_suit: card.suit = led or void in led}}
  count:
    effect: |
      for p in players do add sum worth of c for c in hand of p to score of p end
      add 1 to score of dealer
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table.yaml").write_text(TABLE)
    return tmp_path


def proved(folder: Path, text: str) -> Outcome:
    """The outcome of one scenario on the table."""
    head = "" if "game:" in text else "game: table.yaml\nname: a test\n"
    path = folder / "scenario.yaml"
    path.write_text(head + dedent(text))
    (scenario,) = load_scenarios(path)
    return run_scenario(scenario)


def passes(folder: Path, text: str) -> None:
    outcome = proved(folder, text)
    assert outcome.passed, outcome.report()


def fails(folder: Path, text: str) -> str:
    """What a scenario that must fail reports, the place and the table apart."""
    outcome = proved(folder, text)
    assert outcome.failure is not None
    return outcome.failure.message


PLAY = "given: {at: play, current: P2, hand: {P1: 2C 3C, P2: [2H, QS], P3: 5C}, discard: 2S 3S}\n"


# ---- positions ----------------------------------------------------------------------------------------


def test_a_position_sets_everything(folder: Path) -> None:
    passes(
        folder,
        """\
        given:
          at: play
          current: P2
          dealer: P3
          direction: right
          number: {deal: 4}
          hand: {P1: 2C 3C, P2: [2H, QS], P3: 5C}
          discard: 2S 3S
          row: {P1: {1: [KC, KD], 2: KH}}
          up: [KD]
          rest: stock
          spoon: {table: 2, P1: 1}
          score: {P1: 3}
          drawn: true
          wanted: hearts
          mood: wild
          friend: P3
          marked: 9C
          crowd: [P1, P2]
          count_of: {hearts: 4}
        steps:
          - expect: {phase: play, actors: [P2], current: P2, dealer: P3, direction: right, number of deal: 4}
          - expect: {hand: {P1: [3C, 2C], P3: 1}, discard: [2S, 3S], stock: 42, aside: []}
          - expect: {row: {P1: {1: KC KD, 2: [KH]}, P2: 0}, up: [KD], spoon: {table: 2, P1: 1, P2: 0}}
          - expect: {score: {P1: 3, P2: 0}, drawn: true, wanted: hearts, mood: wild, friend: P3, marked: 9C}
          - expect: {crowd: [P2, P1], count_of: {hearts: 4, clubs: 0}, rich: false, total: 3, over: false}
        """,
    )


def test_cards_that_are_not_named_lie_aside_until_they_are_gathered(folder: Path) -> None:
    passes(
        folder,
        """\
        given: {at: count, dealer: P1, hand: {P1: 2C}}
        steps:
          - expect: {aside: 0, stock: 43, hand: {P1: 3, P2: 3, P3: 3}, number of deal: 2, score: {P1: 1}}
        """,
    )


@pytest.mark.parametrize(
    ("rest", "found"),
    [
        pytest.param("stock", "stock: 51, hand: {P1: 1, P2: 0}", id="in a zone"),
        pytest.param("aside", "aside: 51, hand: {P1: 1, P2: 0}", id="aside"),
    ],
)
def test_the_rest_lies_where_it_is_put(folder: Path, rest: str, found: str) -> None:
    passes(folder, f"given: {{at: play, current: P1, hand: {{P1: 2C}}, rest: {rest}}}\nsteps: [expect: {{{found}}}]")


def test_the_rest_is_dealt_to_those_whose_hands_are_not_named(folder: Path) -> None:
    named = {f"{rank}{suit}" for rank in "2 3 4 5 6 7 8 9 10 J Q K A".split() for suit in "CDH"} - {"2C", "AH"}
    passes(
        folder,
        f"""\
given: {{at: play, current: P1, dealer: P1, hand: {{P1: 2C}}, discard: AH, rest: deal, row: {{P1: {{1: {" ".join(named)}}}}}, up: 2S 3S}}
steps:
  - expect: {{hand: {{P1: 2C, P2: 2S 4S 6S 8S 10S QS AS, P3: 3S 5S 7S 9S JS KS}}, aside: 0}}
""".replace("up: 2S 3S", "stock: 4S AS")
        .replace("4S 6S 8S 10S QS AS", "5S 7S 9S JS KS")
        .replace("3S 5S 7S 9S JS KS", "3S 6S 8S 10S QS"),
    )


def test_current_stands_in_for_first_and_turn_variables_hold(folder: Path) -> None:
    passes(
        folder,
        PLAY.replace("current: P2", "current: P3, dealer: P1, drawn: true")
        + """\
steps:
  - expect: {current: P3, drawn: true, turns_begun: 1}
  - P3 pass
  - expect: {current: P1, drawn: false, turns_begun: 2}
""",
    )


def test_without_current_the_stage_says_who_is_first(folder: Path) -> None:
    passes(folder, "given: {at: play, dealer: P2, hand: {P1: 2C, P2: 3C, P3: 4C}}\nsteps: [expect: {current: P3}]")


def test_a_position_begins_in_the_middle_of_the_tricks(folder: Path) -> None:
    passes(
        folder,
        """\
        given: {at: tricks, current: P3, dealer: P1, trick number: 5, tricks: {P1: 3, P2: 1}, hand: {P1: 2C 3D, P2: 4C 5C, P3: 6C 7C}}
        steps:
          - expect: {trick number: 5, tricks: {P1: 3, P2: 1, P3: 0}, leader: P3, led: none}
          - P3 play 6C
          - expect: {led: clubs, current: P1}
          - P1 play 2C
          - P2 play 4C
          - expect: {trick number: 6, tricks: [3, 1, 1], current: P3}
        """,
    )


def test_without_a_stage_the_match_is_entered_and_its_setup_skipped(folder: Path) -> None:
    passes(
        folder,
        """\
        given: {dealer: P2, score: {P1: 7}}
        steps:
          - expect: {phase: play, dealer: P2, current: P3, score: {P1: 7}, stock: 43}
        """,
    )


def test_a_called_stage_returns_to_its_caller(folder: Path) -> None:
    passes(
        folder,
        """\
        given: {at: duel, called by: play, caller: P1, with: {rounds: 2}, current: P2, hand: {P1: 2C, P2: 3C, P3: 5C}, discard: QS}
        steps:
          - expect: {phase: duel, current: P2}
          - P2 tap
          - P3 tap
          - expect: {phase: play, current: P2, score: [0, 2, 2]}
        """,
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("at: plai", "at: no stage is called 'plai' (did you mean 'play'?)"),
        ("at: duel", "at: 'duel' is in no list of stages: it is called (say which stage has called it"),
        ("at: duel, called by: play, with: {runds: 3}", "with: 'duel' takes no 'runds' (did you mean 'rounds'?)"),
        ("at: play, hnd: {P1: 2C}", "hnd: no zone, variable or piece is called 'hnd' (did you mean 'hand'?)"),
        ("at: play, hand: {P4: 2C}", "hand: 'P4' is not one of them (there is one for each player)"),
        ("at: play, hand: 2C", "hand: there are several of them (say the cards of each: {P1: [...]})"),
        ("at: play, hand: {P1: 15C}", "hand P1: there is no card '15C' in the pack"),
        ("at: play, hand: {P1: 2C, P2: 2c}", "2C is named 2 times (hand P1, hand P2), and the pack has only one"),
        ("at: play, hand: {P1: 2C 3C 4C 5C 6C 7C 8C}", "hand P1 holds 7 cards, and at most 6 may lie there"),
        ("at: play, score: {P1: 100}", "score P1 is 100, and it goes from -99 to 99"),
        ("at: play, score: {P1: many}", "score P1: 'many' is not a number"),
        ("at: play, drawn: 3", "drawn: '3' is not true or false"),
        ("at: play, wanted: spoons", "wanted: 'spoons' is not a suit"),
        ("at: play, mood: angry", "mood: 'angry' is not one of calm, wild"),
        ("at: play, mood: none", "mood cannot be none"),
        ("at: play, crowd: [P1, P9]", "crowd: 'P1, P9' is not a list of players"),
        ("at: play, current: P5", "current: 'P5' is no player of this match; they are P1 to P3"),
        ("at: play, rest: hnd", "rest: no zone is called 'hnd' (did you mean 'hand'?)"),
        ("at: play, rest: hand", "rest: there are several zones 'hand'"),
        ("at: play, spoon: {P1: [1, 3]}", "spoon: the pieces are numbered 1 to 2, each once"),
        ("at: play, spoon: 1001", "spoon: these are 1,001 pieces, and there are 1,000 at most"),
        ("at: play, spoon: {P1: 600, P2: 500}", "spoon: these are 1,100 pieces, and there are 1,000 at most"),
        ("at: play, spoon: {P1: [[1]]}", "spoon P1: '[1]' is not the number of a piece, 1 and up"),
        ("at: play, spoon: {P1: [1, a]}", "spoon P1: 'a' is not the number of a piece, 1 and up"),
        ("at: play, spoon: {P1: [true, 2]}", "spoon P1: 'True' is not the number of a piece, 1 and up"),
        ("at: play, spoon: {P1: [0]}", "spoon P1: '0' is not the number of a piece, 1 and up"),
        ("at: play, spoon: {P1: [1], P2: [1]}", "spoon: the pieces are numbered 1 to 2, each once"),
        ("at: play, spoon: {P1: -1}", "spoon P1: '-1' is not a whole number"),
        ("at: play, seats: [P1, P2]", "seats: every player sits once at the table"),
        ("at: play, seats: [P2, P1, P3]", "seats: nobody changes places in this game"),
    ],
)
def test_an_impossible_position_is_refused(folder: Path, given: str, message: str) -> None:
    passes(folder, f"given: {{{given}}}\nerror: {message!r}\n")
    assert message in fails(folder, f"given: {{{given}}}\nsteps: [P1 play 2C]\n")


@pytest.mark.parametrize(
    "given",
    [
        "{at: LONG}",
        "{at: play, LONG: 1}",
        "{at: play, hand: {LONG: 2C}}",
        "{at: play, hand: {P1: [LONG]}}",
        "{at: play, up: {a: LONG, b: [LONG, [LONG]]}}",
        "{at: play, score: {P1: LONG}}",
        "{at: play, crowd: [LONG, LONG]}",
        "{at: play, spoon: {LONG: 1}}",
        "{at: play, spoon: {P1: [LONG]}}",
        "{at: play, tricks: LONG}",
        "{at: play, number: {play: LONG}}",
        "{at: play, rest: LONG}",
    ],
)
def test_what_refuses_a_position_quotes_no_more_than_tells_what_is_meant(folder: Path, given: str) -> None:
    node = parse_text(given.replace("LONG", "ab" * 200), "given.yaml", Report())
    assert node is not None
    with pytest.raises(PositionError) as refused:  # in a scenario, names are too long by themselves
        load(folder / "table.yaml").game().start(given=to_plain(node))
    assert "ab" * 50 not in str(refused.value) and "..." in str(refused.value)


def test_a_card_that_is_named_too_often_is_told_of_in_some_places(folder: Path) -> None:
    message = fails(folder, f"given: {{at: play, discard: [{', '.join(['2C'] * 2000)}]}}\nsteps: [P1 play 2C]\n")
    assert "2C is named 2000 times (discard, " in message and len(message) < 300


# ---- steps --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "column"),
    [
        ("{at: plya, hand: {P1: 2C}}", 13),
        ("{at: play, hand: {P1: 1C}}", 30),
        ("{at: play, hand: {P1: 2C, P2: 2C}}", 38),
        (f"{{at: play, hand: {{P1: {'ab' * 100}}}}}", 30),
        (f"{{at: play, {'ab' * 20}: 1}}", 19),
    ],
)
def test_what_is_wrong_in_a_set_up_is_blamed_where_it_stands(folder: Path, given: str, column: int) -> None:
    failure = proved(folder, f"game: table.yaml\nname: a test\ngiven: {given}\nsteps: [{{play on: 1}}]\n").failure
    assert failure is not None
    assert (failure.span.line, failure.span.column) == (3, column)


def test_a_set_up_with_many_values_is_blamed_without_looking_for_each_of_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    written = scenario_places._written
    monkeypatch.setattr(scenario_places, "_written", lambda node, word: (seen.append(word), written(node, word))[1])
    given = "{at: play, up: {" + ", ".join(f"a{number}: b" for number in range(300)) + "}}"
    fails(folder, f"given: {given}\nsteps: [P1 play 2C]\n")
    assert 0 < len(seen) <= 20 * 700


@pytest.mark.parametrize("end", ["", "!"])
def test_a_move_with_many_numbers_beside_it_is_read_in_one_go(folder: Path, end: str) -> None:
    begun = process_time()
    message = fails(folder, PLAY + f"steps: [P2 grab {'a=1 ' * 20_000}{end}]\n")
    assert process_time() - begun < 10
    assert "'a'" in message or "too much" in message


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (f"P{'1' * 5000} grab", "there is no P1111"),
        (f"P2 grab hold={'1' * 5000}", "hold is a number with more than 18 digits"),
        (f"P2 grab hold=-{'1' * 19}", "hold is a number with more than 18 digits"),
        (f"refused: {{P2 grab {'a' * 300}={'1' * 500}: suit}}", "aaa... is a number with more than 18 digits"),
    ],
)
def test_a_number_in_a_move_has_so_many_digits_and_no_more(folder: Path, step: str, message: str) -> None:
    found = fails(folder, PLAY + f"steps: ['{step}']\n" if ":" not in step else PLAY + f"steps:\n  - {step}\n")
    assert message in found and len(found) < 300


@pytest.mark.parametrize("name", ["player", "move"])
def test_no_number_beside_a_move_is_the_player_or_the_move(folder: Path, name: str) -> None:
    for step in (f"P2 frob {name}=1", f"refused: {{P2 frob {name}=1: no_such_move}}"):
        assert f"'frob' takes no '{name}'" in fails(folder, PLAY + f"steps:\n  - {step}\n")


def test_numbers_beside_a_move_may_be_said_twice_and_the_last_counts(folder: Path) -> None:
    passes(
        folder,
        PLAY.replace("{at", "{spoon: 1, at")
        + "steps: [P2   grab  hold=1 begin=3   hold=2 , expect: {score: {P2: 2}}]\n",
    )


def test_moves_and_checks_in_order(folder: Path) -> None:
    passes(
        folder,
        """\
        given: {at: play, current: P2, hand: {P1: 2C 3C, P2: [2H, QS], P3: 5C}, discard: 2S 3S, spoon: 2, rest: stock}
        steps:
          - legal: {P2: [grab, play 2h, draw, play QS], P1: []}
          - possible: {P2: [grab, play 2h, draw, play QS]}
          - refused: {P1 play 2C: in_turn, P2 pass: not_possible, P2 play 5H: not_possible, P2 frob: no_such_move}
          - P2 grab hold=3
          - expect: {spoon: {table: 1, P2: [1]}, score: {P2: 3}}
          - P2 draw
          - refused: {P2 draw: not_possible}
          - P2 pass
          - refused: {P1 play 2C: in_turn}
          - legal: {P3: [draw, grab]}
          - refused: {P3 play 5C: suit}
          - view: {P1: {hidden: [5C, 2H], shown: [2C, 2S], hand: {P1: 2, P3: 1}}}
          - view: {P3: {shown: 5C, hand: {P3: [5C], P1: ["?", "?"]}}}
          - view: {P2: {phase: play, score: {P1: 0}, discard: [2S, 3S]}}
        """,
    )


def test_events_are_those_since_the_last_such_check(folder: Path) -> None:
    text = PLAY + "steps:\n  - P2 play QS\n  - events: [play QS, cards: QS hand P2]\n  - events: []\n"
    passes(folder, text)
    message = fails(folder, text + "  - P2 tap\n  - events: [QS]\n")
    assert message.startswith("expected an event: QS\nfound since the last such check:\n  P2 tap")
    message = fails(folder, text + "  - events: [QS]\n")
    assert message == "expected an event: QS\nfound since the last such check: nothing"
    passes(folder, 'steps:\n  - events: ["first dealer: P1", shuffle, stock -> hand P2]\n')


def test_play_on_and_save(folder: Path) -> None:
    passes(
        folder,
        "seed: 3\nsteps:\n  - play on: 20\n  - save: true\n  - play on: 30\n  - save: true\n  - expect: {over: false}\n",
    )
    passes(folder, PLAY + "steps:\n  - save: true\n  - P2 play 2H\n  - save: true\n  - expect: {hand: {P2: QS}}\n")
    passes(
        folder,
        "options: {goal: 1}\nsteps:\n  - play on: 9999\n  - expect: {over: true, phase: over, actors: []}\n  - save: true\n",
    )


def test_what_is_given_is_read_in_the_order_of_the_table_so_that_it_is_restored_alike(folder: Path) -> None:
    head = "game: {extends: ./table.yaml, pack: {standard: 2}}\nname: a test\n"
    given = "given: {at: play, current: P1, row: {P1: {1: KH}}, discard: KH, hand: {P2: 2H, P1: 2H}, spoon: {P2: 1, P1: 1}}\n"
    passes(folder, head + given + "steps:\n  - save: true\n  - P1 play 2H\n  - save: true\n")


def test_a_rank_may_be_expected_as_a_number(folder: Path) -> None:
    game = "game: {extends: ./table.yaml, state: {height: {type: rank, optional: true, lasts: deal}}}\nname: a test\n"
    given = "given: {at: play, current: P1, height: 8, hand: {P1: 2C, P2: 3C, P3: 4C}}\n"
    passes(folder, f"{game}{given}steps:\n  - expect: {{height: 8}}\n  - view: {{P2: {{height: 8}}}}\n")
    assert fails(folder, f"{game}{given}steps:\n  - expect: {{height: 9}}\n") == "height\n  expected: 9\n  found:    8"


def test_what_cannot_be_done_as_the_first_turn_begins_is_told_as_such_and_where(folder: Path) -> None:
    game = "game: {extends: ./table.yaml, flow: {play: {on turn: base; move 1 from stock to hand}}}\nname: a test\n"
    given = "given: {at: play, current: P1, hand: {P1: 2C 3C 4C 5C 6C 7C}, rest: stock}\n"
    message = fails(folder, f"{game}{given}steps: [P1 draw]\n")
    assert "scenario.yaml:1:" in message
    assert "when 'play' is entered and its first turn begins: hand would hold more than 6 cards" in message


def test_on_honour_a_refused_move_leaves_no_fault(folder: Path) -> None:
    passes(
        folder,
        """\
        enforcement: honor
        given: {at: play, current: P2, hand: {P1: 2C 3C, P2: [2H, QS], P3: 5C}, discard: 2S 3S, spoon: 2}
        steps:
          - refused: {P1 grab hold=10: measure, P2 grab hold=10: measure}
          - expect: {faults: []}
          - P1 grab hold=9
          - P2 play 2H
          - expect: {faults: {P1: in_turn, P2: []}, score: {P1: 9}}
          - P3 play 5C
          - expect: {faults: [{law: in_turn, player: P1}, {law: suit, player: P3}]}
          - save: true
        """,
    )


def test_moves_of_one_tick(folder: Path) -> None:
    passes(folder, PLAY + "steps:\n  - together: [P2 play 2H, P1 play 2C]\n  - expect: {discard: 3}\n")


def test_a_move_of_a_tick_must_be_one_that_there_is(folder: Path) -> None:
    told = fails(folder, PLAY + "steps:\n  - together: [P2 play 2H, P1 pley 2C]\n")
    assert told.startswith("P1 has no such move: there is no move 'pley' here")


def test_moves_of_a_tick_come_too_late_when_the_match_is_over(folder: Path) -> None:
    told = fails(folder, PLAY + "steps:\n  - play on: 500\n  - together: [P2 play 2H]\n")
    assert told == "expected: the moves are made together\nfound: they are refused: over: the match is over"


def test_an_error_must_be_the_one_expected(folder: Path) -> None:
    given = "options: {goal: 50}\ngiven: {at: play, current: P1, hand: {P1: KS, P2: 2C, P3: 3C}}\n"
    passes(
        folder,
        given + "steps:\n  - P1 play KS\n  - error: \"'score' would become 200\"\n  - expect: {hand: {P1: KS}}\n",
    )
    message = fails(folder, given + "steps:\n  - P1 play KS\n  - error: too many cards\n")
    assert message.startswith("expected an error that says 'too many cards'\nfound: ")
    assert "'score' would become 200" in message
    message = fails(folder, given + "steps:\n  - P1 play KS\n")
    assert message.startswith("the rules cannot go on: ")
    assert "'score' would become 200" in message
    message = fails(folder, given + "steps:\n  - P1 draw\n  - error: anything\n")
    assert message == "expected an error that says 'anything'\nfound: the move is made"


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("P1 play 2C", "expected: the move is made\nfound: it is refused: in_turn: it is P2's turn\nP1 may: nothing"),
        (
            "P2 play QD",
            "expected: the move is made\nfound: it is refused: not_possible: QD cannot be chosen now\nP2 may: play 2H, play QS, draw",
        ),
        ("P2 draw hold=2", "'draw' takes no 'hold' (known: begin, end)"),
        ("P9 play 2C", "there is no P9; the players are P1 to P3"),
        (
            "legal: {P2: [play 2H, play 3D]}",
            "P2 has other legal moves than expected\n  missing: play 3D\n  besides: draw, play QS",
        ),
        ("refused: {P2 play 2H: suit}", "expected: 'suit' refuses P2 play 2H\nfound: the move is made"),
        (
            "refused: {P1 play 2C: suit}",
            "expected: 'suit' refuses P1 play 2C\nfound: it is refused by in_turn: it is P2's turn",
        ),
        ("expect: {hand: {P2: [2H, QD]}}", "hand of P2\n  expected: [2H, QD]\n  found:    [2H, QS]"),
        ("expect: {hand: {P2: 3}}", "the number of cards in hand of P2\n  expected: 3\n  found:    2"),
        ("expect: {discard: [3S, 2S]}", "discard, where the order counts\n  expected: [3S, 2S]\n  found:    [2S, 3S]"),
        ("expect: {score: {P3: 2}}", "score of P3\n  expected: 2\n  found:    0"),
        ("expect: {score: 1}", "score of P1\n  expected: 1\n  found:    0"),
        ("expect: {wanted: hearts}", "wanted\n  expected: hearts\n  found:    none"),
        ("expect: {drawn: true}", "drawn\n  expected: true\n  found:    false"),
        ("expect: {rich: {P2: true}}", "rich of P2\n  expected: true\n  found:    false"),
        ("expect: {actors: [P1]}", "actors\n  expected: [P1]\n  found:    [P2]"),
        ("expect: {winners: [P1]}", "winners\n  expected: [P1]\n  found:    nothing"),
        ("expect: {spoon: {table: 1}}", "spoon of table\n  expected: 1\n  found:    0"),
        ("expect: {phase: count}", "phase\n  expected: count\n  found:    play"),
        ("expect: {scor: 1}", "there is nothing called 'scor' to expect something of (did you mean 'score'?)"),
        ("expect: {hand: {P8: 0}}", "hand: there is none of 'P8'"),
        ("view: {P3: {hidden: 2S}}", "2S is expected to be hidden to P3, and P3 can see it in the own view or log"),
        ("view: {P3: {shown: 2H}}", "2H is expected to be shown to P3, and P3 does not see it"),
        ("view: {P3: {hand: {P1: 3}}}", "P3 sees hand of P1\n  expected: 3\n  found:    2"),
        ("view: {P3: {hand: {P1: hidden}}}", "P3 sees hand of P1\n  expected: hidden\n  found:    [?, ?]"),
        (
            "view: {P3: {row: {P1: 3}}}",
            "P3 sees row: there is none of 'P1' (known: P1 1, P1 2)",
        ),
        ("view: {P3: {hnd: 3}}", "the view of P3 has no 'hnd' (did you mean 'hand'?)"),
    ],
)
def test_a_failure_says_what_was_expected_and_found(folder: Path, step: str, message: str) -> None:
    assert fails(folder, PLAY + f"steps:\n  - {step}\n") == message


def test_a_report_names_step_and_place_and_shows_the_table(folder: Path) -> None:
    outcome = proved(folder, PLAY + "steps:\n  - P2 play 2H\n  - expect: {phase: play, score: {P1: 4, P2: 0}}\n")
    place = f"{folder / 'scenario.yaml'}:6:27"
    table = """\
  the table in 'play', with all cards open:
         hand  score
    P1      2      0  deals
    P2      1      0
    P3      1      0  to play
    discard: 2H 2S 3S
    spoon: 0 on the table
    hand of P1: 2C 3C
    hand of P2: QS
    hand of P3: 5C
    turns begun 2, mood calm
    aside: 45 cards that nobody plays with"""
    assert outcome.report() == (
        f"failed: a test\n  {place}: step 2, expect: {{phase: play, score: {{P1: 4, P2: 0}}}}\n"
        f"    score of P1\n      expected: 4\n      found:    0\n{table}"
    )


@pytest.mark.parametrize(
    ("step", "seat"),
    [
        ("P2 play QD", "as P2 sees it"),
        ("P3 play 5C", "as P3 sees it"),
        ("legal: {P2: [draw]}", "as P2 sees it"),
        ("legal: {P2: [play 2H, play QS, draw], P1: [draw]}", "as P1 sees it"),
        ("refused: {P2 play 2H: suit}", "as P2 sees it"),
        ("refused: {P1 play 2C: in_turn, P2 play 2H: suit}", "as P2 sees it"),
        ("view: {P3: {hand: {P1: 3}}}", "as P3 sees it"),
        ("expect: {hand: {P2: 7}}", "with all cards open"),
        ("events: [nothing like this]", "with all cards open"),
        ("P9 play 2C", "with all cards open"),
    ],
)
def test_the_table_is_drawn_for_the_player_whose_step_it_is(folder: Path, step: str, seat: str) -> None:
    report = proved(folder, PLAY + f"steps:\n  - {step}\n").report()
    assert f"  the table in 'play', {seat}:\n         hand  " in report


def test_a_player_is_shown_what_the_player_sees_and_no_more(folder: Path) -> None:
    report = proved(folder, PLAY + "steps:\n  - P2 play QD\n").report()
    table = report[report.index("  the table") :]
    assert "    your hand: QS   2H" in table and "    P2      2      0  you, to play" in table
    assert "2C" not in table and "5C" not in table and "aside" not in table


def test_of_sides_the_table_tells_who_belongs_to_which_and_how_they_stand(tmp_path: Path) -> None:
    given = "given: {at: tricks, current: P1, score: {T1: 120, T2: -30}, hand: {P1: 2D, P2: JD, P3: 5C, P4: 6C}}\n"
    report = proved(tmp_path, f"game: spades\nname: a test\n{given}steps:\n  - P1 play 3C\n").report()
    assert "\n    P3     T1     1\n" in report
    assert "\n    score: T1 120, T2 -30" in report


def test_a_refused_move_is_reported_with_its_law_where_that_stands_and_the_scores(tmp_path: Path) -> None:
    head = "game: hearts\nname: a test\n"
    given = "given: {at: tricks, current: P1, trick number: 13, score: {P1: 7}, "
    hands = "hand: {P1: 2D, P2: JD 3C, P3: 5C, P4: 6C}}\n"
    report = proved(tmp_path, head + given + hands + "steps:\n  - P1 play 2D\n  - P2 play 3C\n").report()
    assert (
        "step 2, P2 play 3C\n    expected: the move is made\n    found: it is refused: follow_suit: you hold JD"
        in report
    )
    assert re.search(r"\n    the law stands at \S*hearts\.yaml:\d+:\d+\n    P2 may: play JD\n", report)
    assert "\n         hand  score\n    P1      0      7\n    P2      2      0  you, to play\n" in report


def test_of_many_cards_the_report_shows_some_and_their_number(tmp_path: Path) -> None:
    given = "given: {at: tricks, current: P1, hand: {P1: 2D}, rest: stock}\n"
    report = proved(tmp_path, f"game: hearts\nname: a test\n{given}steps:\n  - expect: {{hand: {{P1: 3C}}}}\n").report()
    assert re.search(r"\n    stock: 2C 2H( \w+){4} \.\.\. \(51 cards\)(\n|$)", report)


def test_rules_that_break_down_do_not_hide_what_was_wrong(tmp_path: Path) -> None:
    lost = "{value: 'item(trick number + 9, pass_cycle)', seen by: everyone}"
    game = f"game: {{extends: hearts, define: {{lost: {lost}}}}}"
    given = "given: {at: tricks, current: P1, trick number: 2, hand: {P1: 2D, P2: 3D, P3: 4D, P4: 5D}}"
    report = proved(tmp_path, f"{game}\nname: a test\n{given}\nsteps:\n  - expect: {{score: 1}}\n").report()
    assert "score of P1\n      expected: 1\n      found:    0\n  the table in 'tricks' cannot be drawn: " in report


def test_a_place_of_nobody_is_told_as_such(tmp_path: Path) -> None:
    game = (
        "game: {extends: hearts, flow: {tricks: {on card: add 1 to score of first p in everyone where score of p > 9}}}"
    )
    given = "given: {at: tricks, current: P1, trick number: 2, hand: {P1: 2D, P2: 3D, P3: 4D, P4: 5D}}"
    report = proved(tmp_path, f"{game}\nname: a test\n{given}\nsteps:\n  - P1 play 2D\n").report()
    assert "'none' stands where somebody is needed, or something, that a place or variable belongs to" in report


def test_a_move_after_the_end_is_reported(tmp_path: Path) -> None:
    given = "given: {at: tricks, current: P1, trick number: 13, score: {P2: 99}, taken: {P2: 2H}, "
    hands = "hand: {P1: 2D, P2: JD, P3: 5C, P4: 6C}}\n"
    steps = "steps: [P1 play 2D, P2 play JD, P3 play 5C, P4 play 6C, P1 play 3C]\n"
    report = proved(tmp_path, "game: hearts\nname: a test\n" + given + hands + steps).report()
    assert "found: it is refused: over: the match is over" in report


# ---- heads --------------------------------------------------------------------------------------------


def test_the_head_fixes_the_game(folder: Path) -> None:
    (folder / "more.yaml").write_text("format: 1\nid: more\noptions: {goal: {default: 20}}\n")
    passes(
        folder,
        """\
        game: {extends: ./table.yaml, values: {worth: {KD: 5}}}
        name: an overlay written in place, and one laid on it
        players: 2
        options: {goal: 30}
        with: [more.yaml]
        enforcement: honor
        seed: 5
        chance: {shuffle: {deal: [2C, 3C, 4C, KD]}}
        steps:
          - expect: {hand: {P2: 3, P1: 3}, dealer: P1}
        """,
    )


def test_a_deck_is_the_first_shuffle(folder: Path) -> None:
    passes(folder, "deck: [2C, 3C, 4C, KD]\nsteps: [view: {P2: {shown: [2C, KD]}, P3: {shown: 3C}, P1: {shown: 4C}}]\n")


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("players: 7", "players: Table is for 2 to 4 players, not 7"),
        ("options: {gaol: 3}", "no option is called 'gaol'; did you mean 'goal'?"),
        ("options: {goal: 60}", "option 'goal' is 60, more than 50"),
        ("variants: short", "no variant is called 'short'"),
    ],
)
def test_a_set_up_is_refused(folder: Path, head: str, message: str) -> None:
    passes(folder, f"{head}\nerror: {message!r}\n")
    assert message in fails(folder, f"{head}\nsteps: [P1 draw]\n")


def test_a_set_up_that_should_be_refused_is_not(folder: Path) -> None:
    assert (
        fails(folder, "error: nothing\n") == "expected: the set-up is refused with 'nothing'\nfound: the match starts"
    )
    message = fails(folder, "players: 9\nerror: nothing\n")
    assert message == "expected an error that says 'nothing'\nfound: players: Table is for 2 to 4 players, not 9"


def test_a_ruleset_with_errors_is_shown_where_it_is_wrong(folder: Path) -> None:
    text = "game: {extends: ./table.yaml, define: {total: sum scre of p for p in players}}\nname: broken\n"
    message = fails(folder, text + "steps: [P1 draw]\n")
    assert "scenario.yaml:1:51" in message
    assert "did you mean 'score'?" in message
    passes(folder, text + "error: scre\n")


def test_files_hold_one_scenario_or_many(folder: Path) -> None:
    one = "game: table.yaml\nname: {}\nsteps: [P2 draw]\n"
    several = "- " + indent(one.format("b"), "  ").strip() + "\n- " + indent(one.format("c"), "  ").strip() + "\n"
    kept = "scenarios:\n  - " + indent(one.format("d"), "    ").strip() + "\n"
    path = folder / "scenario.yaml"
    path.write_text("---\n".join([one.format("a"), several, kept]))
    assert [s.name for s in load_scenarios(path)] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("game: haerts\nname: a\nsteps: [P1 draw]", "f.yaml:1:7: error E701: no ruleset is called 'haerts'"),
        ("game: ./none.yaml\nname: a\nsteps: [P1 draw]", "f.yaml:1:7: error E701: there is no file 'none.yaml'"),
        (
            "game: hearts\nwith: [none]\nname: a\nsteps: [P1 draw]",
            "f.yaml:2:8: error E701: no ruleset is called 'none'",
        ),
        (
            "- {game: hearts, name: a, steps: [P1 draw]}\n- {game: hearts, name: a, steps: [P1 draw]}",
            "f.yaml:2:24: error E702: a scenario of this name stands in line 1 already",
        ),
        (
            "game: hearts\nname: a\nsteps:\n  - error: no",
            "f.yaml:4:5: error E703: 'error' says how the move before it must fail, and there is none",
        ),
        ("game: hearts\nname: a\nstep: []", "f.yaml:3:1: error E201: a scenario has no key 'step'"),
    ],
)
def test_a_file_that_is_wrong(text: str, expected: str) -> None:
    report = Report()
    parse_scenarios(text, "f.yaml", report)
    assert expected in [str(d) for d in report.sorted()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("variants: [" + "a, " * 21 + "]", "f.yaml:2:1: error E206: 'variants' has 21 items, and the most is 20"),
        ("with: [" + "hearts, " * 21 + "]", "f.yaml:2:1: error E206: 'with' has 21 items, and the most is 20"),
        (
            "steps: [" + "save: true, " * 21 + "]",
            "f.yaml:2:249: error E206: a scenario has 21 steps 'save', and the most is 20",
        ),
    ],
)
def test_a_scenario_names_and_saves_so_often_at_most(text: str, expected: str) -> None:
    steps = "" if "steps" in text else "\nsteps: [P1 draw]"
    item = next(item for item in ("save: true, ", "hearts, ", "a, ") if item in text)
    for said, found in ((text, [expected]), (text.replace(item, "", 1), [])):
        report = Report()
        parse_scenarios(f"game: hearts\n{said}\nname: a{steps}", "f.yaml", report)
        assert [str(d) for d in report.sorted()] == found


@pytest.mark.parametrize(
    ("count", "moves", "expected"),
    [
        (500, 200, []),
        (501, 1, ["f.yaml:2001:1: error E206: a file has 501 scenarios, and the most is 500"]),
        (
            3,
            50_000,
            ["f.yaml:11:9: error E206: the steps 'play on' of a file make 150,000 moves, and the most is 100,000"],
        ),
    ],
)
def test_a_file_has_so_many_scenarios_and_random_moves_at_most(count: int, moves: int, expected: list[str]) -> None:
    text = "".join(f"game: hearts\nname: a{i}\nsteps: [play on: {moves}]\n---\n" for i in range(count))
    report = Report()
    parse_scenarios(text.removesuffix("---\n"), "f.yaml", report)
    assert [str(d) for d in report.sorted()] == expected


@pytest.mark.parametrize("name", ["a" * 300 + "/x.yaml", "a/" * 2100 + "x.yaml"])
def test_a_path_that_is_too_long_leads_to_no_game(name: str) -> None:
    for text, place in ((f"game: {name}\n", "1:7"), (f"game: hearts\nwith: {name}\n", "2:7")):
        report = Report()
        parse_scenarios(f"{text}name: a\nsteps: [P1 draw]", "f.yaml", report)
        assert str(report.diagnostics[0]).startswith(f"f.yaml:{place}: error E701: there is no file 'a")


def test_rulesets_among_the_scenarios_are_left_out(folder: Path) -> None:
    (folder / "b.yaml").write_text("- game: table.yaml\n  name: a\n  steps: [P2 draw]\n")
    assert scenario_files([folder]) == [folder / "b.yaml"]


def test_a_ruleset_stands_for_the_scenarios_beside_it(folder: Path) -> None:
    assert scenario_files([folder / "table.yaml"]) == [folder / "table.yaml"]
    (folder / "b.yaml").write_text("- game: table.yaml\n  name: a\n  steps: [P2 draw]\n")
    assert scenario_files([folder / "table.yaml"]) == [folder / "b.yaml"]


@pytest.fixture
def stranger(folder: Path) -> Path:
    """A folder that somebody has sent, with links that lead out of it, beside files that are none of its business."""
    (folder / "secret.yaml").write_text("password: hunter2\n")
    sent = folder / "sent"
    sent.mkdir()
    (sent / "below").mkdir()
    (sent / "link.yaml").symlink_to("../secret.yaml")
    (sent / "away").symlink_to("..")
    for inside in ("table.yaml", "below/table.yaml"):
        (sent / inside).write_text(TABLE)
    return sent


def told_of(*paths: Path) -> str:
    """What `houserules test` prints."""
    said: list[str] = []
    prove(list(paths), False, True, said.append)
    return "\n".join(said)


@pytest.mark.parametrize("key", ["game: {}", "game: table.yaml, with: {}", "game: table.yaml, with: [table.yaml, {}]"])
@pytest.mark.parametrize("name", ["../secret.yaml", "link.yaml", "away/secret.yaml", "below/../../secret.yaml"])
def test_a_scenario_leads_to_nothing_outside_its_folder(stranger: Path, key: str, name: str) -> None:
    file = stranger / "s.yaml"
    file.write_text(f"# about table.yaml\n- {{{key.format(name)}, name: a, steps: [play on: 1]}}\n")
    for told in (told_of(file), told_of(stranger), told_of(stranger / "table.yaml")):
        assert f"error E701: a scenario may not name '{name}'" in told
        assert "hunter2" not in told and "password" not in told


def test_no_link_out_of_a_folder_is_followed_to_scenarios(stranger: Path) -> None:
    (stranger / "s.yaml").write_text("- {game: below/table.yaml, name: a, steps: [P2 draw]}\n")
    (stranger.parent / "secret.yaml").write_text("# of table.yaml\npassword: hunter2\n")
    assert scenario_files([stranger]) == [stranger / "s.yaml"]
    assert scenario_files([stranger / "table.yaml"]) == [stranger / "s.yaml"]
    assert told_of(stranger).endswith("1 passed (1 file)")


def test_a_folder_whose_path_is_too_long_is_told_and_the_others_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fine.yaml").write_text("game: hearts\n")
    monkeypatch.chdir(tmp_path)
    name = "d" * 100
    for _ in range(45):  # made from within, so that none of the paths that are asked for is too long
        os.mkdir(name)
        os.chdir(name)
    monkeypatch.chdir(tmp_path)
    try:
        files = scenario_files([tmp_path])
        assert files[-1] == tmp_path / "fine.yaml"
        assert len(files) == 2 and set(files[0].relative_to(tmp_path).parts) == {name}
        with pytest.raises(RulesetError) as told:
            load_scenarios(files[0])
        assert [d.code for d in told.value.diagnostics] == ["E101"]
        assert "file name too long" in str(told.value)
    finally:  # what clears folders of tests away may trip over it
        levels = 0
        while os.path.isdir(name):
            os.chdir(name)
            levels += 1
        for _ in range(levels):
            os.chdir("..")
            os.rmdir(name)


def test_a_scenario_leads_to_rulesets_in_a_folder_that_is_tested(
    stranger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the current one, where none is named; a file alone has only its own."""
    proofs = stranger / "tests" / "scenarios"
    proofs.mkdir(parents=True)
    (proofs / "s.yaml").write_text("- {game: ../../below/table.yaml, name: a, steps: [P2 draw]}\n")
    assert told_of(stranger).endswith("1 passed (1 file)")
    assert "a scenario may not name '../../below/table.yaml'" in told_of(proofs)
    assert "or test a folder in which both lie" in told_of(proofs / "s.yaml")
    monkeypatch.chdir(stranger)
    assert told_of().endswith("1 passed (1 file)")
    assert told_of(Path()).endswith("1 passed (1 file)")


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(RulesetError):
        load_scenarios("nowhere.yaml")


# ---- mutants ------------------------------------------------------------------------------------------


def table_mutants(folder: Path) -> list[Mutant]:
    report = Report()
    resolved = resolve(folder / "table.yaml", report)
    assert resolved is not None
    return list(mutants(resolved.node))


def test_mutants_drop_rows_by_name_and_laws_of_cards(tmp_path: Path) -> None:
    rows = """\
        format: 1
        id: rows
        extends: hearts
        define: {worth(card): {value: {king: [card is K, 3], else: 0}}}
        cards: {Q: {must: {late: trick number > 3}}}
        flow: {count: {kind: score, score: {low: {when: dealer = P1, for: P1, points: 1}, all: {for: P2, points: 2}}}}
        """
    (tmp_path / "rows.yaml").write_text(dedent(rows), encoding="utf-8")
    report = Report()
    resolved = resolve(tmp_path / "rows.yaml", report)
    assert resolved is not None, report.diagnostics
    told = {mutant.what for mutant in mutants(resolved.node)}
    assert {
        "row 'king' of value of worth(card) dropped",
        "law 'late' of Q dropped",
        "row 'low' of score of count dropped",
        "row 'all' of score of count dropped",
        "3 in king of value of worth(card) made 4",
    } <= told, sorted(what for what in told if "count" in what or "worth" in what or "Q" in what)


def test_mutants_drop_laws_rows_and_actions_and_shift_numbers(folder: Path) -> None:
    found = table_mutants(folder)
    told = [m.what for m in found]
    for expected in (
        "law 'suit' of play of play dropped",
        "law 'follow_suit' of follow of tricks dropped",
        "row 'QS' of worth dropped",
        "action 'draw' of play dropped",
        "13 in QS of worth made 14",
        "9 in default of goal made 10",
        "3 in setup of deal made 4",
        "2 in effect of play of play made 3",
        "5 in rich(p) made 6",
    ):
        assert expected in told
    assert not any("format" in what or "min of score" in what for what in told)


def test_mutants_turn_branches_round_leave_stages_out_and_uncover_what_is_hidden() -> None:
    node = resolve("hearts", Report())
    assert node is not None
    found = {m.what: m for m in mutants(node.node)}
    assert any(what.startswith("'if ") and what.endswith(" turned round") for what in found)
    assert any(what.startswith("stage '") and what.endswith(" left out") for what in found)
    assert "'seen by: owner' of hand made everyone" in found and "'seen by: everyone' of trick made none" in found
    for what, mutant in found.items():
        if what.endswith(" turned round"):
            load(mutant.root)  # it still says something


def test_a_mutant_differs_in_one_place_and_leaves_the_original_alone(folder: Path) -> None:
    before = to_plain(load(folder / "table.yaml").node)
    by_name = {m.what: m for m in table_mutants(folder)}
    after = to_plain(by_name["3 in setup of deal made 4"].root)
    assert before == to_plain(load(folder / "table.yaml").node)
    assert isinstance(after, dict) and isinstance(before, dict)
    assert after["flow"]["deal"].pop("setup").replace("deal 4", "deal 3") == before["flow"]["deal"].pop("setup")
    assert after == before
    assert by_name["3 in setup of deal made 4"].span.line == TABLE[: TABLE.index("deal 3 from")].count("\n") + 1


def test_a_mutant_is_noticed_by_the_scenario_that_proves_the_rule(folder: Path) -> None:
    (folder / "overlay.yaml").write_text(
        "format: 1\nid: overlay\nextends: ./table.yaml\noptions: {goal: {default: 12}}\n"
    )
    scenarios = folder / "scenarios"
    scenarios.mkdir()
    (scenarios / "a.yaml").write_text(
        "- game: ../overlay.yaml\n  name: three cards each, on an overlay\n  steps: [expect: {hand: {P1: 3, P2: 3}, score: {P1: 0}}]\n"
        "- game: ../table.yaml\n  name: this one is wrong\n  steps: [expect: {hand: {P1: 4}}]\n"
    )
    report = run([scenarios], jobs=1, within=[folder])
    base = str(folder / "table.yaml")
    missed = [m.what for m in report.missed[base]]
    assert report.broken == [f"{scenarios / 'a.yaml'}: this one is wrong"]
    assert "3 in setup of deal made 4" not in missed
    assert "row 'QS' of worth dropped" in missed
    assert (
        f"{base}: {report.noticed[base]} of {report.noticed[base] + len(missed)} changes were noticed" in report.text()
    )
    overlay = str(folder / "overlay.yaml")
    assert [str(one) for one in report.missed[overlay]] == [f"{overlay}:4:27: 12 in default of goal made 13"]


@pytest.mark.parametrize(("third", "noticed"), [("QS", 1), ("5D", 0)])
def test_what_an_overlay_takes_out_is_put_back(tmp_path: Path, third: str, noticed: int) -> None:
    overlay = tmp_path / "loose.yaml"
    overlay.write_text(
        "format: 1\nid: loose\nextends: hearts\nflow: {tricks: {follow: {must: {no_points_first: null}}}}\n",
        encoding="utf-8",
    )
    (tmp_path / "loose-scenario.yaml").write_text(
        "game: loose.yaml\nname: points may be thrown on the first trick\n"
        "given: {at: tricks, current: P1, trick number: 1, hand: {P1: 2C 3C, P2: 3D 4D, P3: 5D QS, P4: 4C 5C}}\n"
        f"steps: [P1 play 2C, P2 play 3D, P3 play {third}]\n",
        encoding="utf-8",
    )
    report = run([tmp_path / "loose-scenario.yaml"], jobs=1)
    assert report.noticed == {str(overlay): noticed} and report.total == 1


def overlay_changes(tmp_path: Path, text: str, steps: str) -> tuple[dict[str, int], list[str], bool]:
    """Of an overlay on Hearts: how many changes a scenario notices, what it misses, and whether the command is content."""
    (tmp_path / "house.yaml").write_text(f"format: 1\nid: house\nextends: hearts\n{text}", encoding="utf-8")
    scenario = tmp_path / "house-scenario.yaml"
    scenario.write_text(f"game: house.yaml\nname: proves it\n{steps}", encoding="utf-8")
    report = run([scenario], jobs=1)
    missed = [one.what for found in report.missed.values() for one in found]
    return report.noticed, missed, prove([scenario], True, False, lambda text: None)


def test_a_default_that_an_overlay_changes_is_put_back(tmp_path: Path) -> None:
    flag = "state: {broken: {default: true}}\n"
    led = "given: {at: tricks, current: P1, trick number: 3, hand: {P1: 2H 3C, P2: 3D 4D, P3: 5D 6S, P4: 4C 5C}}\n"
    noticed, missed, content = overlay_changes(tmp_path, flag, "steps: [expect: {scores: [0, 0, 0, 0]}]\n")
    assert (list(noticed.values()), missed, content) == ([0], ["the default of 'broken' put back"], False)
    noticed, missed, content = overlay_changes(tmp_path, flag, f"{led}steps: [P1 play 2H]\n")
    assert (list(noticed.values()), missed, content) == ([1], [], True)


def test_rows_that_an_overlay_copies_are_the_base_s(tmp_path: Path) -> None:
    copied = "values: {points: {replace: true, hearts: 1, QS: 13, JD: -10}}\n"
    noticed, missed, content = overlay_changes(tmp_path, copied, "steps: [expect: {scores: [0, 0, 0, 0]}]\n")
    assert list(noticed.values()) == [0] and not content
    assert missed and all("JD" in what for what in missed)


def test_an_overlay_without_a_rule_needs_no_proof(tmp_path: Path) -> None:
    noticed, missed, content = overlay_changes(tmp_path, "name: House\n", "steps: [expect: {scores: [0, 0, 0, 0]}]\n")
    assert (list(noticed.values()), missed, content) == ([0], [], True)


def test_looking_for_changes_follows_no_overlay_out_of_its_folder_or_round_in_circles(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("password: hunter2\n")
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, named in (("round.yaml", "round.yaml"), ("out.yaml", "../secret.yaml")):
        (folder / name).write_text(f"format: 1\nid: house\nextends: {named}\n")
        (folder / "scenario.yaml").write_text(f"game: {name}\nname: reads\nsteps: [expect: {{over: false}}]\n")
        with pytest.raises(RulesetError) as caught:
            run([folder / "scenario.yaml"], jobs=1)
        assert "hunter2" not in str(caught.value) and "secret.yaml:" not in str(caught.value)


def test_a_scenario_that_never_ends_has_noticed_the_change(folder: Path) -> None:
    path = folder / "scenario.yaml"
    path.write_text("game: table.yaml\nname: long\nsteps:\n  - play on: 5000\n  - expect: {over: true}\n")
    report = run([path], jobs=1, seconds=0.0001)
    assert not report.missed[str(folder / "table.yaml")]


LOTS = TESTS / "semantics" / "cards" / "rulesets" / "lots.yaml"


@pytest.mark.parametrize(
    ("head", "at", "message"),
    [
        ("chance: {random: [30, nonsense]}", "nonsense", "random: 'nonsense' is not among what is drawn from here: calm, wild"),
        ("chance: {random: 30 sad}", "sad", "random: 'sad' is not among what is drawn from here"),
        ("chance: {random: [30, calm, hearts]}", "hearts", "random: 'hearts' is fixed and has not come about when the scenario ends"),
        ("chance: {random: [30, calm, wild, 2]}", "wild", "nor what comes after it (1)"),
        ("chance: {draw: [QS, QS]}", "QS]", "draw: 'QS' is not among the cards that can come here"),
        ("chance: {draw: [QS, KS, AS]}", "AS", "draw: 'AS' is fixed and has not come about"),
        ("chance: {shuffle: {mixing: [2C, 3C, 2C]}}", "2C, 3C", "shuffle mixing: '2C' is not among the cards that can come here"),
        ("chance: {shuffle: {mixing: [[2C], [5C, 6C]]}}", "[5C", "shuffle mixing: an order of cards is fixed and has not come about"),
        ("chance: {shuffle: {drawing: [2C]}}", "[2C]", "shuffle drawing: an order of cards is fixed and has not come about"),
        ("chance: {first dealer: P2}", "P2", "first dealer: 'P2' is fixed and has not come about"),
        ("given: {at: drawing}\ndeck: [2C]", "[2C]", "deck: an order of cards is fixed and has not come about"),
    ],
)  # fmt: skip
def test_what_is_fixed_and_cannot_come_about_or_does_not_is_told_at_its_place(tmp_path, head, at, message):
    text = f"game: {LOTS.name}\nname: fixed\n{head}\nsteps: [P1 number, P1 mood, P1 take, P1 enough]\n"
    file = tmp_path / "scenario.yaml"
    file.write_text(text)
    (tmp_path / LOTS.name).write_text(LOTS.read_text())
    (scenario,) = load_scenarios(file)
    failure = run_scenario(scenario).failure
    assert failure is not None
    assert message in failure.message
    line = next(number for number, said in enumerate(text.splitlines(), 1) if at in said)
    assert (failure.span.line, failure.span.column) == (line, text.splitlines()[line - 1].rindex(at) + 1)


def test_a_scenario_whose_fixed_outcomes_all_come_about_passes(tmp_path):
    (tmp_path / LOTS.name).write_text(LOTS.read_text())
    file = tmp_path / "scenario.yaml"
    chance = "{random: [30, calm], draw: [QS, KS], shuffle: {mixing: [2C]}}"
    file.write_text(
        f"game: {LOTS.name}\nname: fixed\nchance: {chance}\nsteps: [P1 number, P1 mood, P1 take, P1 enough]\n"
    )
    (scenario,) = load_scenarios(file)
    assert run_scenario(scenario).passed


def test_outcomes_that_have_not_come_about_wait_and_are_no_error_in_a_match():
    state = load(LOTS).game().start(seed=1, chance={"random": [30, 2]})
    state.play(0, "number")
    assert state.chance["random"] == ["2"]
    before = state.to_json()
    other = load(LOTS).game().start(seed=1, chance={"random": ["nobody"]})
    with pytest.raises(RuleError, match="what was fixed cannot come about: random: 'nobody'"):
        other.play(0, "player")
    assert other.chance["random"] == ["nobody"]
    assert state.game.restore(before).to_json() == before
