"""Sentences of a rulebook that used to be wrong English, each in a small ruleset that brings it about."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.rulebook.book import texts
from interpreter.rulebook.chapters import book
from interpreter.rulebook.comparing import marked_book
from interpreter.rulebook.terminal import text

BASE = """\
format: 1
id: plain
name: Plain
players: {{min: 2, max: 5, default: 4}}
options: {{bonus: {{type: integer, min: 0, max: 3, default: 0}}}}
pack: {{standard: 1}}
melds: {{group: {{same: rank, size: 3.., wild: card is 2, naturals: 0..}}}}
zones:
  stock: {{pack: true, seen by: none}}
  hand: {{each: player, seen by: owner}}
  rows: {{each: 1..3}}
  discards: {{each: [player, 1..2]}}
  heap: {{}}
tokens: {{spoon: {{doc: A spoon.}}}}
state:
  score: {{each: player, type: integer, lasts: match}}
  called: {{type: suit, optional: true, lasts: match}}
  moved: {{type: flag, lasts: match, doc: Whether anything was moved since the deal.}}
define:
  throw(cards): {{effect: move cards to heap, doc: The cards are thrown.}}
  peg(p, n): {{effect: add n to score of p, doc: The player scores at once.}}
  worth(card, twice): {{value: if twice then 2 else place of card.rank, doc: What a card counts.}}
  able(card): {{value: count of hand > 3 and (card is K or card is A or card is 2 or card is 3 or card is 4), doc: Whether the player may go out with the card.}}
flow:
  match: {{do: [dealing, playing], first dealer: random, next dealer: left}}
  dealing: {{effect: "shuffle stock; deal 5 from stock to hand"}}
  playing:
    kind: turn
    actions:
      go:
        choose: {choose}
        effect: |
          {effect}
      meld: {{choose: {{m: {{meld: group, from: hand}}}}, effect: stay}}
"""  # noqa: E501


def told(folder: Path, effect: str, choose: str = "{card: {from: hand}}") -> str:
    path = folder / "plain.yaml"
    path.write_text(BASE.format(effect=effect, choose=choose), encoding="utf-8")
    return " ".join(text(book(interpreter.load(path).game())).split())


@pytest.mark.parametrize(
    ("effect", "sentence"),
    [
        pytest.param("throw(card)", "The card is thrown (“throw”).", id="one of several"),
        pytest.param("peg(actor, 2)", "You score at once (“peg”: 2).", id="how much"),
        pytest.param("add worth(card, true) to score", "up by the card's worth (“twice”).", id="a mark that is given"),
        pytest.param("add worth(card, false) to score", "Your score goes up by the card's worth.", id="and one not"),
        pytest.param("clear called", "The called suit is forgotten.", id="what was done to it"),
        pytest.param("set moved", "It is now so that something was moved since the deal.", id="what is past"),
        pytest.param("clear moved", "It is no longer so that something was moved since the deal.", id="no more"),
        pytest.param(
            "let single be count of hand = 1; if single then stay end",
            "Call it “single” if the number of cards in your hand is 1. - If it is “single”, the same turn goes on.",
            id="a name for yes or no",
        ),
        pytest.param("if card.suit in (hearts, spades) then stay end", "is hearts or spades,", id="one of two"),
        pytest.param(
            "if able(card) then stay end", "If you may go out with the card, the same turn goes on.", id="who acts"
        ),
        pytest.param("add bonus * count of hand + 2 to score", "Your score goes up by 2.", id="nothing times any"),
        pytest.param(
            "add 1 + (if card is K then 1 else 0) to score", "Your score goes up by 2 (if the card is a king; else 1).",
            id="a number in each case",
        ),
        pytest.param(
            "for p in players by (seat of p + 3 - seat of dealer) mod 4 do add 1 to score of p end",
            "For every player (in order from the dealer's left): that player's score goes up by 1.",
            id="around the table",
        ),
        pytest.param(
            "set current to first p in players where count of hand of p > 2 by (seat of p - seat of actor) mod 4",
            "is more than 2 (in order from you) has the turn.",
            id="around the table from oneself",
        ),
        pytest.param(
            "set out count of everyone - 1 of spoon",
            "3 spoons are laid out on the table (the number of all players minus 1).",
            id="a number that players decide",
        ),
        pytest.param("stay", "may stand for another, if it is a 2. THE", id="natural cards that need not be"),
        pytest.param("stay", "rows numbered 1 to 3 everybody", id="how many piles"),
        pytest.param("stay", "discards each player, numbered 1 to 2 everybody", id="how many piles of each"),
    ],
)  # fmt: skip
def test_a_sentence_is_plain_english(effect: str, sentence: str, tmp_path: Path) -> None:
    assert sentence in told(tmp_path, effect)


@pytest.mark.parametrize(
    ("choose", "effect", "sentence"),
    [
        ("{card: {from: hand, count: 2}}", "move card to heap", "Then: The cards go to the heap."),
        ("{pile: {zones: discards of actor}}", "stay", "Choose one of your discards (pile)."),
    ],
)
def test_what_is_chosen_is_told_as_one_or_many(choose: str, effect: str, sentence: str, tmp_path: Path) -> None:
    assert sentence in told(tmp_path, effect, choose)


def test_a_loop_of_which_options_leave_nothing_is_not_told(tmp_path: Path) -> None:
    effect = "for n in 1..3 do if bonus > 0 then add n to score end end"
    assert "For every number" not in told(tmp_path, effect)


def how(folder: Path, extra: str, over: str = "") -> list[str]:
    """How to play of the small game, with more in it, and with an overlay on it."""
    path = folder / "plain.yaml"
    path.write_text(BASE.format(effect="stay", choose="{card: {from: hand}}") + extra, encoding="utf-8")
    if over:
        path = folder / "over.yaml"
        path.write_text(f"format: 1\nid: over\nextends: plain.yaml\n{over}\n", encoding="utf-8")
    return list(texts(marked_book(interpreter.load(path).game()).how))


HOW = """\
how:
  turn:
    first: {text: Lay a card., of: flow.playing.actions.go.effect}
    then: {text: "Then shout “Ho!”.", of: define.peg}
"""


def test_how_to_play_does_not_begin_in_the_middle(tmp_path: Path) -> None:
    assert "Then shout “Ho!”." in how(tmp_path, HOW)
    assert "Shout “Ho!”." in how(tmp_path, HOW, "flow: {playing: {actions: {go: {effect: again}}}}")


def test_a_message_that_says_what_is_the_case_is_no_advice(tmp_path: Path) -> None:
    laws = "        must:\n          a: {law: card is K, message: the card is no king}\n"
    laws += "          b: {law: card is K, message: lay kings alone}\n"
    rules = BASE.format(effect="stay", choose="{card: {from: hand}}").replace(
        "        effect: |\n", f"{laws}        effect: |\n", 1
    )
    (tmp_path / "plain.yaml").write_text(rules, encoding="utf-8")
    found = list(texts(marked_book(interpreter.load(tmp_path / "plain.yaml").game()).how))
    assert "Lay kings alone." in found
    assert "The card is no king." not in found


def test_best_numbers_of_players_are_no_more_than_there_can_be(tmp_path: Path) -> None:
    (tmp_path / "over.yaml").write_text("format: 1\nid: over\nextends: pig\nplayers: {min: 2, max: 8}\n")
    ruleset = interpreter.load(tmp_path / "over.yaml")
    assert ruleset.model.players.best == (6, 8)
    assert not [found for found in ruleset.warnings if found.code == "W611"]


def test_what_one_does_is_told_step_by_step_where_the_words_for_it_are_not_true_any_more(tmp_path: Path) -> None:
    words = HOW.replace("flow.playing.actions.go.effect", "flow.playing.actions.go.choose")
    before = how(tmp_path, words)
    assert "Lay a card." in before and "Choose a card from your hand." not in before
    after = how(tmp_path, words, "flow: {playing: {actions: {go: {choose: {card: {where: card is K}}}}}}")
    assert "Choose a card from your hand, such that the card is a king." in after


def test_words_of_an_effect_that_are_not_true_any_more_are_not_told_and_what_it_does_is(tmp_path: Path) -> None:
    (tmp_path / "plain.yaml").write_text(BASE.format(effect="peg(actor, 2)", choose="{card: {from: hand}}"))
    over = "format: 1\nid: over\nextends: plain.yaml\ndefine:\n  peg(p, n): {effect: add 2 * n to score of p}\n"
    (tmp_path / "over.yaml").write_text(over)
    found = list(texts(marked_book(interpreter.load(tmp_path / "over.yaml").game()).sections))
    assert not [line for line in found if "at once" in line]
    assert "“peg” follows (see “What words mean”)." in found
    assert "The player's score goes up by 2 times n." in found
