"""How a rulebook says what sets are put together of, what is named, and what a variable takes."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.rulebook.chapters import book
from interpreter.rulebook.lengths import TooLong
from interpreter.rulebook.terminal import text

BASE = """\
format: 1
id: told
name: Told
players: {{only: [2, 4, 6]}}
pack: {{standard: 1}}
zones:
  stock: {{pack: true, seen by: none, refill: {{from: heap, when: times < 2}}}}
  hand: {{each: player, seen by: owner, capacity: 6}}
  heap: {{}}
state:
  score: {{each: player, type: integer, lasts: match}}
  times: {{type: integer, lasts: match}}
  marked: {{type: cards, lasts: match}}
  history: {{type: list of integer, lasts: match}}
  played: {{each: rank, type: integer, lasts: match}}
  closed: {{type: flag, lasts: match, default: true, doc: Whether the stock is closed.}}
  silent: {{each: player, type: flag, lasts: match, default: true}}
define:
  enough(n, told): n >= 2 or told
flow:
  match: {{do: [dealing, playing]}}
  dealing: {{effect: "shuffle stock; deal 5 from stock to hand, beginning with P2"}}
  playing:
    kind: turn
    actions:
      go:
        choose: {{card: {{from: hand}}}}
        effect: |
          {effect}
"""


def told(folder: Path, effect: str = "stay") -> str:
    path = folder / "told.yaml"
    path.write_text(BASE.format(effect=effect), encoding="utf-8")
    return " ".join(text(book(interpreter.load(path).game())).split())


@pytest.mark.parametrize(
    ("effect", "sentence"),
    [
        ("let had be count of hand; add had to score",
         "Call the number of cards in your hand “had”. - Your score goes up by “had”."),
        ("move 3 from stock to hand; add moved to score",
         "Your score goes up by the number of cards that have gone there."),
        ("if card is K then stay elseif card is Q then again else reverse end",
         "Otherwise, if the card is a queen, the same player has another turn. - Otherwise, the direction of play"),
        ("deal 1 from stock to hand", "1 card is dealt to everybody from the stock, one at a time"),
        ("if any r in ranks has all p in players has played of r > score of p then stay end",
         "If for some rank, for every player, its played is more than that player's score"),
        ("clear closed", "Then: From now on the stock is closed."),
        ("clear silent of actor", "Then: From now on “silent” is set for you."),
        ("if enough(count of hand, heap is empty) then stay end",
         "If the number of cards in your hand is at least 2 or there are no cards in the heap, the same turn goes on."),
        ("if not enough(count of hand, heap is empty) then stay end",
         "If the number of cards in your hand is less than 2 and there are cards in the heap, the same turn goes on."),
        ("move (hand, heap) to stock", "Your hand and the heap go to the stock."),
        ("move hand without card to heap", "Your hand without the card go"),
        ("move top 2 of stock to hand", "The top 2 cards of the stock go to your hand."),
        ("move 2 from all c in hand where c.suit = hearts to heap",
         "The first 2 cards of the cards of your hand that are a heart go to the heap."),
        ("for n in 1..3 do add n to score end", "For every number from 1 to 3: your score goes up by that number."),
        ("add count r in ranks where r in (7..9) to score", "the ranks from 7 to 9"),
        ("add count cs in sets of 2.. from hand where count of cs = 3 to score",
         "the number of sets of 2 or more cards out of your hand for which the number of cards in it is 3"),
        ("add card to marked", "The card is added to the marked cards."),
        ("move card number 2 of heap to hand", "Card 2 from the top of the heap goes to your hand."),
    ],
)  # fmt: skip
def test_a_statement_is_told(tmp_path: Path, effect: str, sentence: str) -> None:
    assert sentence in told(tmp_path, effect)


def test_who_can_play_when_cards_come_and_where_a_deal_begins_is_told(tmp_path: Path) -> None:
    found = told(tmp_path)
    assert "2, 4 or 6" in found
    assert "if the times are less than 2" in found
    assert "beginning with P2" in found


def test_what_holds_for_everybody_when_it_begins_holds_again_when_it_is_cleared(tmp_path: Path) -> None:
    path = tmp_path / "told.yaml"
    path.write_text(BASE.format(effect="stay").replace("shuffle stock;", "shuffle stock; clear silent;"))
    assert "“silent” is set for everybody again." in " ".join(text(book(interpreter.load(path).game())).split())


@pytest.mark.parametrize("passed", ["x + x", "x and not x"], ids=["numbers", "yes or no"])
def test_definitions_that_double_what_they_are_given_fill_no_shelf(tmp_path: Path, passed: str) -> None:
    path = tmp_path / "told.yaml"
    doubled = "".join(f"  f{at}(x): f{at + 1}({passed})\n" for at in range(40))
    last, given = ("x > 3", "1") if "+" in passed else ("x", "heap is empty")
    rules = BASE.format(effect=f"if f0({given}) then stay end")
    path.write_text(rules.replace("define:\n", f"define:\n{doubled}  f40(x): {last}\n"))
    with pytest.raises(TooLong):
        book(interpreter.load(path).game())


def test_what_is_taken_out_of_the_pack_may_be_all_of_a_suit_a_rank_or_a_colour(tmp_path: Path) -> None:
    path = tmp_path / "told.yaml"
    pack = "pack: {standard: 2, remove: [QS, black, 3, K, diamonds]}"
    path.write_text(BASE.format(effect="stay").replace("pack: {standard: 1}", pack), encoding="utf-8")
    said = " ".join(text(book(interpreter.load(path).game())).split())
    assert "without the queen of spades, all black cards, all 3s, all kings, and all diamonds." in said
    assert "22 cards in all" in said and "Suits: hearts (H, red)." in said


@pytest.mark.parametrize(
    ("match", "effect", "begins"),
    [
        ("match: {", "deal 1 from stock to hand", "one at a time, beginning with P1"),
        ("match: {first dealer: P1, ", "deal 1 from stock to hand", "one at a time, beginning at the dealer's left"),
        ("match: {next dealer: right, direction: right, ", "deal 1 from stock to hand", "at the dealer's right"),
        ("match: {", "set dealer to P2; deal 1 from stock to hand", "one at a time, beginning at the dealer's left"),
    ],
)
def test_dealing_begins_beside_the_dealer_only_where_somebody_deals(
    tmp_path: Path, match: str, effect: str, begins: str
) -> None:
    path = tmp_path / "told.yaml"
    path.write_text(BASE.format(effect=effect).replace("match: {", match), encoding="utf-8")
    assert begins in " ".join(text(book(interpreter.load(path).game())).split())
