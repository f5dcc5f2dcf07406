"""How to play, the first layer of the book: what is told to somebody who learns the game, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_rulebook import SHIPPED

import interpreter
from interpreter.interfaces import cli
from interpreter.rulebook.book import Item, Section, texts
from interpreter.rulebook.comparing import marked_book
from interpreter.rulebook.worked_example import worked_example

RULES = """\
format: 1
id: small
name: Small
about: Shed and shout.
players: {min: 2, max: 3, default: 2}
options: {loud: {type: flag, default: false}, size: {type: integer, min: 1, max: 9, default: 4}}
how:
  aim: Be rid of your cards.
  deal:
    cards: {text: "You get {size} cards.", of: flow.deal.setup}
    two: {text: Two play., when: count of everyone = 2, of: pack}
    three: {text: Three play., when: count of everyone = 3, of: pack}
  turn:
    shed: {text: Shed a card., of: flow.shed}
    shout: {text: Shout., when: loud, of: flow.shed}
  scoring: {cards: {text: "What you shed counts: {points}.", of: define.worth}}
  end: {once: {text: "It is over after {rounds} deals.", of: flow.match}}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, heap: {seen by: everyone}}
values: {points: {QS: 13, hearts: 1}}
state: {score: {each: player, type: integer, lasts: match}}
define: {rounds: 3, worth(card): points of card, is_high(card): place of card.rank > 9}
flow:
  match: {first dealer: P1, repeat: deal, until: number of deal = rounds}
  deal:
    setup: gather all to stock; shuffle stock; deal size from stock to hand
    do: [shed]
    next dealer: left
  shed:
    kind: turn
    first: left of dealer
    turns: 1 each
    actions:
      lay:
        choose: {card: {from: hand}}
        must:
          low: {law: not is_high(card), message: keep what is high, rule: "Keep tens, and all that is above them."}
          plain: {law: card.suit != hearts, message: "no hearts: lay one of {all c in hand where c.suit != hearts}"}
          never_mind: {law: size > 0, message: told to nobody}
        effect: 'move card to heap; add worth(card) to score because "{actor} has shed {card}"'
      keep: {rule: [You may keep all., {text: But say so., when: loud}]}
"""


def told(
    path: Path, source: str = RULES, over: str = "", players: int | None = None, **options: object
) -> list[Section]:
    """How to play a ruleset, with an overlay on it."""
    (path / "small.yaml").write_text(source)
    file = path / "small.yaml"
    if over:
        file = path / "over.yaml"
        file.write_text(f"format: 1\nid: over\nname: Over\nextends: small\n{over}\n")
    return [*marked_book(interpreter.load(file).game(players, options)).how]


def part(sections: list[Section], title: str) -> list[str]:
    return [line for line in texts(tuple(s for s in sections if s.title == title)) if line and line != title]


def test_texts_are_told_whose_condition_holds_with_the_values_of_options(tmp_path: Path) -> None:
    assert part(told(tmp_path), "The deal") == ["You get 4 cards.", "Two play."]
    assert part(told(tmp_path, players=3, size=2), "The deal") == ["You get 2 cards.", "Three play."]
    assert "Shout." in part(told(tmp_path, loud=True), "A turn")
    assert "But say so." in part(told(tmp_path, loud=True), "A turn")
    assert not {"Shout.", "But say so."} & set(part(told(tmp_path), "A turn"))


def test_a_table_over_cards_is_told_row_by_row(tmp_path: Path) -> None:
    assert part(told(tmp_path), "Scoring") == ["What you shed counts: 13 for the Q♠, 1 for a heart."]
    lines = part(told(tmp_path, over="values: {points: {JD: -10}}"), "Scoring")
    assert lines == ["What you shed counts: 13 for the Q♠, 1 for a heart, -10 for the J♦."]


def test_a_law_is_told_by_its_rule_or_else_by_its_message_and_not_if_it_asks_nothing(tmp_path: Path) -> None:
    lines = part(told(tmp_path), "A turn")
    assert "Keep tens, and all that is above them." in lines
    assert "No hearts: lay one of the cards of your hand that are not a heart." in lines
    assert not [line for line in lines if "told to nobody" in line.lower()]


def test_what_an_overlay_changes_is_told_and_no_text_that_is_not_true_any_more(tmp_path: Path) -> None:
    sections = told(tmp_path, over="flow: {deal: {setup: gather all to stock; deal 5 from stock to hand}}")
    deal = part(sections, "The deal")
    assert deal[0] == "Two play." and "You get" not in " ".join(deal)
    assert deal[-1].startswith("5 cards are dealt to everybody")
    assert any("5 cards" in line for line in part(sections, "House rules at this table"))


def test_a_definition_that_a_text_or_a_law_uses_leaves_the_text_out_when_it_changes(tmp_path: Path) -> None:
    sections = told(tmp_path, over="define: {is_high(card): place of card.rank > 5, worth(card): 2 * points of card}")
    assert part(sections, "Scoring") == []
    assert "Keep tens, and all that is above them." not in part(sections, "A turn")
    assert "Keep what is high." in part(sections, "A turn")


def test_a_number_that_a_text_names_is_told_as_an_overlay_makes_it(tmp_path: Path) -> None:
    assert part(told(tmp_path, over="define: {rounds: 7}"), "The end") == ["It is over after 7 deals."]
    assert part(told(tmp_path, over="options: {size: {default: 6}}"), "The deal")[0] == "You get 6 cards."


def test_an_option_that_is_taken_out_takes_the_texts_with_it_that_name_it(tmp_path: Path) -> None:
    over = "options: {loud: null}"
    assert "Shed a card." in part(told(tmp_path, over=over), "A turn")
    ruleset = interpreter.load(tmp_path / "over.yaml")
    assert [found.code for found in ruleset.warnings] == ["W309"]


def test_an_overlay_says_a_sentence_anew(tmp_path: Path) -> None:
    over = "how: {turn: {shed: Shed two cards., more: Then laugh.}, deal: {two: null}}"
    sections = told(tmp_path, over=over)
    assert part(sections, "The deal") == ["You get 4 cards."]
    assert part(sections, "A turn")[:2] == ["Shed two cards.", "Then laugh."]
    turn = next(s for s in sections if s.title == "A turn")
    assert [block.mark for block in turn.blocks[:2] if isinstance(block, Item)] == [True, True]


def test_without_texts_the_documentation_is_told(tmp_path: Path) -> None:
    source = RULES[: RULES.index("how:")] + RULES[RULES.index("pack:") :].replace(
        "  shed:\n    kind", "  shed:\n    doc: Everybody sheds a card.\n    kind"
    )
    sections = told(tmp_path, source)
    assert part(sections, "The aim") == ["Shed and shout."]
    assert "Everybody sheds a card." in part(sections, "A turn")


def test_an_example_tells_what_is_refused_and_why(tmp_path: Path) -> None:
    lines = part(told(tmp_path), "An example")
    assert any(line.startswith("You hold ") for line in lines)
    assert any(line.startswith("You may not lay ") and line.endswith("Keep what is high.") for line in lines)


def test_rules_that_cannot_go_on_have_no_example(tmp_path: Path) -> None:
    source = RULES.replace("gather all to stock; shuffle stock;", "add 10 div (number of deal - 1) to score of P1;")
    (tmp_path / "small.yaml").write_text(source)
    assert worked_example(interpreter.load(tmp_path / "small.yaml").game()) is None


def test_brief_prints_how_to_play_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["explain", "hearts", "--brief"]) == 0
    brief = capsys.readouterr().out
    assert cli.run(["explain", "hearts"]) == 0
    whole = capsys.readouterr().out
    assert whole.startswith(brief.rstrip("\n")) and "Every rule in detail" in whole and "Every rule" not in brief
    assert "queen_breaks_hearts" not in brief and len(brief.splitlines()) < 90


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_game_tells_how_it_is_played(name: str) -> None:
    game = interpreter.load(name).game()
    assert {"aim", "deal", "turn", "scoring", "end"} <= game.ruleset.model.how.keys()
    sections = marked_book(game).how
    assert [s.title for s in sections][:3] == ["The aim", "What you need", "The deal"]
    said = [line for line in texts(sections) if line]
    assert not [line for line in said if "_" in line or "{" in line]


def test_texts_for_those_who_learn_a_game_are_no_part_of_its_program(tmp_path: Path) -> None:
    """A definition that only such a text names costs a match nothing."""
    source = RULES.replace("end: {once", 'special: "{spare(2)} times"\n  end: {once')
    (tmp_path / "small.yaml").write_text(source.replace("rounds: 3,", "rounds: 3, spare(n): n * size,"))
    program = interpreter.load(tmp_path / "small.yaml").game().program
    assert "spare" not in program.text and "rounds" in program.text


STUCK_RACE = """
format: 1
id: waiting
name: Waiting
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true}, hand: {each: player, seen by: owner}}
flow:
  match: {setup: shuffle stock, do: [run], winners: none%s}
  run:
    kind: race
    until: hand of P1 is not empty
    actions: {draw: {when: hand is not empty, effect: move 1 from stock to hand}}
"""


@pytest.mark.parametrize("who", ["", ", players: p where hand of p is not empty"], ids=["all", "nobody takes part"])
def test_a_race_in_which_nobody_can_do_anything_has_no_example(tmp_path: Path, who: str) -> None:
    path = tmp_path / "waiting.yaml"
    path.write_text(STUCK_RACE % who, encoding="utf-8")
    assert worked_example(interpreter.load(path).game()) is None


def test_a_table_of_very_many_places_has_no_example(tmp_path: Path) -> None:
    """It would take minutes to find out: the match is copied at each decision, and seen with each line."""
    told = []
    for many in ("", "".join(f", z{at}: {{each: 1..1000, shows: top}}" for at in range(12))):
        path = tmp_path / "small.yaml"
        path.write_text(LONG % many, encoding="utf-8")
        told.append(worked_example(interpreter.load(path).game()))
    assert told[0] is not None and told[1] is None


LONG = """
format: 1
id: long
name: Long
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}%s}
flow:
  match: {setup: shuffle stock; deal 3 from stock to hand, do: [go]}
  go:
    kind: turn
    turns: 200
    actions: {trade: {choose: {card: {from: hand}}, effect: move card to stock; move 1 from stock to hand}}
"""


SLOW = """
format: 1
id: slow
name: Slow
players: {min: 2, max: 2}
ranks: [2..41]
suits: {clubs: {letter: C, colour: black}}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, pile: {}}
state: {off: {type: integer, lasts: match}}
flow:
  match: {setup: shuffle stock; deal 20 from stock to hand, do: [go]}
  go:
    kind: turn
    turns: 20 each
    actions:
      lay:
        choose: {card: {from: hand}}
        must: {slow: "(sum (sum q + off for q in 1..TIMES) for r in 1..10) < 0 or place of card.rank = 1"}
        effect: move card to pile
      pass: {}
"""


def test_a_law_that_is_asked_thousands_of_times_and_takes_long_has_no_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match of it is played in half a second, for none of its decisions takes much."""
    monkeypatch.setattr("interpreter.rulebook.worked_example.SECONDS", 0.3)
    told = []
    for times in (1, 3_000):
        path = tmp_path / "slow.yaml"
        path.write_text(SLOW.replace("TIMES", str(times)), encoding="utf-8")
        told.append(worked_example(interpreter.load(path).game()))
    assert told[0] is not None and told[1] is None


def test_an_example_of_a_race_names_places_with_what_is_seen_there() -> None:
    section = worked_example(interpreter.load("spit").game())
    assert section is not None
    told = [item.text for item in section.blocks if isinstance(item, Item)]
    assert told[0].startswith("You may play your second pile (5♦) on the left spit pile (4♣) (or two other such moves)")
    assert not any("turn" in text.split(".")[0] or text.startswith("You hold") for text in told)
