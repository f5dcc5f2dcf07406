"""Sets that are put together, ranges of numbers, and parts of what lies in order."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.api.game import State

BASE = """\
format: 1
id: small
name: Small
players: {{min: 2, max: 2}}
pack: {{standard: {packs}}}
zones:
  stock: {{pack: true}}
  hand: {{each: player, seen by: owner}}
  heap: {{}}
  pile: {{each: [player, 1..2]}}
state:
  seen: {{type: integer, lasts: match}}
  far: {{type: integer, lasts: match, min: 0, max: 1000000}}
  whose: {{type: players, lasts: match}}
define:
  asked: {define}
flow:
  match: {{do: [dealing, playing]}}
  dealing: {{effect: "shuffle stock; deal 5 from stock to hand; move 3 from stock to heap"}}
  playing:
    kind: turn
    actions:
      go:
        choose: {{card: {{from: hand}}}}
        effect: |
          {effect}
      lay:
        choose: {{card: {{from: "(hand, heap)"}}, there: {{zones: pile of actor}}}}
        when: card not in there and (all c in there have c.suit = card.suit)
        effect: move card to there
"""
DECK = ["2C", "9C", "3C", "9D", "4C", "9H", "5C", "9S", "6C", "10C", "KS", "QS", "AS", "2D", "3D"]


def written(folder: Path, effect: str = "stay", define: str = "1", packs: int = 1) -> Path:
    path = folder / "small.yaml"
    path.write_text(BASE.format(effect=effect, define=define, packs=packs), encoding="utf-8")
    return path


def started(folder: Path, effect: str = "stay", define: str = "1", packs: int = 1) -> State:
    path = written(folder, effect, define, packs)
    assert [str(d) for d in interpreter.validate(path) if d.severity == "error"] == []
    return interpreter.load(path).game().start(deck=DECK)


@pytest.mark.parametrize(
    ("define", "asked"),
    [
        pytest.param("sum n for n in 1..4", 10, id="numbers"),
        pytest.param("count n in 1..4 + 1", 5, id="what follows is added to the whole"),
        pytest.param("sum n * n for n in (far + 1)..(far + 3)", 14, id="reckoned ends"),
        pytest.param("count n in 3..far", 0, id="an end below the other"),
        pytest.param("any n in 1..count of heap has n = 3", True, id="a count as an end"),
        pytest.param("first n in 1..9 where n * n > 30", 6, id="the first number"),
        pytest.param("count of (2..4)", 3, id="in parentheses"),
        pytest.param("far in (0..2) and seen not in (1..2)", True, id="a number among them"),
        pytest.param("far is (0..2)", True, id="a number is one of them"),
        pytest.param("count c in hand of P1 where c is (3..5)", 3, id="a pattern of cards"),
        pytest.param("count c in hand of P1 where c.rank in (5..K)", 2, id="ranks by numbers and words"),
        pytest.param("count c in hand of P1 where c.rank is (3..4)", 2, id="a rank is one of them"),
        pytest.param("count r in ranks where r in (9, 10)", 2, id="ranks that are numbers"),
        pytest.param("count of (hand of P1, heap)", 8, id="two zones"),
        pytest.param("count p in (if far = 1 then players else none)", 0, id="none behind else is an empty set"),
        pytest.param("count p in (if far = 0 then none else players)", 0, id="none before else is one too"),
        pytest.param("count of (2, 2, 8) = 3 and count of (2, 2, (8..9)) = 3", True, id="what is named twice"),
        pytest.param("count of (2C, 2C, 8C) = 2", True, id="a card that is named twice"),
        pytest.param("count of (9S, top of heap, bottom of heap, top of heap)", 3, id="a card that is found twice"),
        pytest.param("count of (top of heap, top of hand of P1, top of hand of P2)", 3, id="cards of several places"),
        pytest.param("4 in (3, (if far = 0 then none else 4), 7)", False, id="one that is none is left out"),
        pytest.param("count p in (P1, (if far = 0 then none else P2)) where p != P1", 0, id="nobody, too"),
        pytest.param("count of (hand of P1, hand of P1)", 5, id="each card once"),
        pytest.param("count c in (hand of P1, hand of P2, top of heap) where c.rank = 9", 4, id="a zone and a card"),
        pytest.param("count of (heap, (if far = 0 then hand of P1 else hand of P2))", 8, id="one of two sets"),
        pytest.param("count of ((if far = 0 then hand of P1 else top of heap), heap)", 8, id="a set or a card"),
        pytest.param("count of (heap, (if far = 1 then hand of P1 else top of heap))", 3, id="the card"),
        pytest.param("left of next after P1 among ((if far = 0 then everyone else P1), P2)", "P1", id="among those"),
        pytest.param("KS in (hand of P1, heap) and 2D not in (hand of P1, heap)", True, id="in several"),
        pytest.param("top of (heap, hand of P1) = 6C", True, id="the order of several"),
        pytest.param("count of (hand of P1 without (2C, 9C))", 4, id="without cards"),
        pytest.param("count c in hand of P1 without 2C where c.suit = clubs", 4, id="through what is left"),
        pytest.param("count of (heap without all c in heap where c.rank = K)", 2, id="without some"),
        pytest.param("count of (everyone without P1)", 1, id="players"),
        pytest.param("count of (suits without (hearts, spades))", 2, id="suits"),
        pytest.param("count of ((1..5) without (2, 3))", 3, id="numbers without some"),
        pytest.param("count p in everyone without P1 where count of hand of p = 5", 1, id="through players"),
        pytest.param("top of (heap without top of heap) = QS", True, id="the order is kept"),
        pytest.param("(top 2 of heap) is empty", False, id="the upper ones"),
        pytest.param("KS in top 1 of heap and QS not in top 1 of heap", True, id="the upper one"),
        pytest.param("count of top 9 of heap", 3, id="no more than there are"),
        pytest.param("count of top (far - 1) of heap + count of bottom far of heap", 0, id="less than one"),
        pytest.param("AS in bottom 2 of heap and KS not in bottom 2 of heap", True, id="the lower ones"),
        pytest.param("KS in last 1 of heap", True, id="those laid last"),
        pytest.param("card number 1 of heap = KS and card number 3 of heap = AS", True, id="counted from the top"),
        pytest.param("card number 4 of heap = none and card number far of heap = none", True, id="no card there"),
        pytest.param("bottom of top 2 of heap = QS", True, id="they lie as they lay"),
        pytest.param("sum place of c.rank for c in first 2 c in hand of P1 by place of c.rank", 3, id="the first ones"),
        pytest.param("count of first 2 c in hand of P1 where c.rank = 3", 1, id="fewer"),
        pytest.param("count of first far p in everyone", 0, id="none of them"),
    ],
)
def test_what_a_set_holds(tmp_path: Path, define: str, asked: object) -> None:
    assert started(tmp_path, define=define).value("asked") == asked


@pytest.mark.parametrize(
    ("effect", "seen", "heap"),
    [
        pytest.param("for n in 1..3 do add n to seen end", 6, 3, id="a loop through numbers"),
        pytest.param("set seen to random of (7..7)", 7, 3, id="by chance"),
        pytest.param(
            "move (hand, top of stock) to heap; set seen to count of hand", 0, 9, id="cards of several places"
        ),
        pytest.param("move hand without card to heap; set seen to count of hand", 1, 7, id="all but one"),
        pytest.param("move top 2 of stock to heap", 0, 5, id="the upper ones"),
        pytest.param("let cs be top 2 of stock; move bottom 2 of stock to heap; move cs to heap", 0, 7, id="both ends"),
        pytest.param("move card number 2 of stock to heap", 0, 4, id="one from below the top"),
        pytest.param(
            "move 2 from all c in hand where c != card to heap; set seen to count of hand", 3, 5, id="some of a set"
        ),
        pytest.param(
            "move all from (hand, heap) to pile of (actor, 1); set seen to count of pile of (actor, 1)", 8, 0, id="all"
        ),
        pytest.param(
            "move first 2 c in hand by place of c.rank to heap; if 2C in heap and 3C in heap then set seen to 1 end",
            1,
            5,
            id="first",
        ),
        pytest.param(
            "let z be pile of (actor, 1); move card to pile of (actor, 1); set seen to count of z", 0, 3, id="as it was"
        ),
    ],
)
def test_what_is_done_with_a_set(tmp_path: Path, effect: str, seen: int, heap: int) -> None:
    state = started(tmp_path, effect)
    state.play(0, "go 2C")
    assert (state.value("seen"), len(state.zone("heap"))) == (seen, heap)


def test_a_place_that_is_chosen_is_the_set_of_its_cards(tmp_path: Path) -> None:
    state = started(tmp_path)
    assert {str(m) for m in state.legal_moves(0)} >= {"lay 2C pile.P1.1", "lay KS pile.P1.2"}
    state.play(0, "lay 2C pile.P1.1")
    state.play(1, "lay 9C pile.P2.1")
    assert "lay KS pile.P1.1" not in map(str, state.legal_moves(0))
    assert "lay 3C pile.P1.1" in map(str, state.legal_moves(0))


def test_cards_of_several_places_name_the_place_where_they_are_called_alike(tmp_path: Path) -> None:
    path = written(tmp_path, packs=2)
    state = interpreter.load(path).game().start(deck=[*DECK[:10], "2C", *DECK[11:]])
    assert {"lay 2C@hand.P1 pile.P1.1", "lay 2C@heap pile.P1.1"} <= {str(m) for m in state.legal_moves(0)}
    state.play(0, "lay 2C@heap pile.P1.1")
    assert len(state.zone("heap")) == 2


def test_of_several_packs_what_lies_there_is_left_out_and_what_is_named_wherever_it_is(tmp_path: Path) -> None:
    path = written(
        tmp_path, define="count of (pack without hand of P1) * 1000 + count of (pack without (2C, 9C))", packs=2
    )
    assert interpreter.load(path).game().start(deck=DECK).value("asked") == 99_100


def test_a_range_that_is_too_long_stops_the_match(tmp_path: Path) -> None:
    state = started(tmp_path, "set far to 20000; for n in 1..far do add 1 to seen end")
    with pytest.raises(interpreter.RuleError, match="there are more than 10,000 numbers to go through"):
        state.play(0, "go 2C")
    assert state.value("far") == 0


@pytest.mark.parametrize(
    ("define", "asked"),
    [
        pytest.param("count cs in sets of 2 from hand of P1", 10, id="of two"),
        pytest.param("count cs in sets of 2.. from hand of P1", 26, id="of two or more"),
        pytest.param("count cs in sets of 2..3 from hand of P1", 20, id="of two or three"),
        pytest.param("count cs in sets of 2.. from hand of P1 where sum place of c.rank for c in cs = 6", 3, id="sums"),
        pytest.param("sum count of cs for cs in sets of 0..1 from hand of P1", 5, id="the empty one"),
        pytest.param("any cs in sets of 3 from hand of P1 has all c in cs have c.rank > 4", False, id="any"),
        pytest.param("all cs in sets of (far + 1) from (hand of P1, heap) have count of cs = 1", True, id="reckoned"),
        pytest.param("count cs in sets of 6.. from hand of P1", 0, id="none so large"),
        pytest.param("count cs in sets of far..(far - 1) from hand of P1", 0, id="none of no size"),
        pytest.param("count of first cs in sets of 2.. from hand of P1 where 6C in cs", 2, id="1st"),
        pytest.param("count of first cs in sets of 2.. from hand of P1 by 0 - count of cs", 5, id="the largest"),
        pytest.param("(first cs in sets of 2.. from hand of P1 where count of cs > 7) is empty", True, id="none found"),
        pytest.param("max sum place of c.rank for c in cs for cs in sets of 2 from hand of P1", 9, id="most"),
        pytest.param("count ps in sets of 2 from everyone where P1 in ps", 1, id="of players"),
        pytest.param("count ns in sets of 2 from (1..4) where sum n for n in ns = 5", 2, id="of numbers"),
        pytest.param("count of all cs in sets of 2 from hand of P1 where 2C in cs", 4, id="all of them"),
    ],
)  # fmt: skip
def test_sets_are_taken_from_a_set(tmp_path: Path, define: str, asked: object) -> None:
    path = written(tmp_path, define=f"'{define}'")
    path.write_text(path.read_text().replace("seen by: owner}", "seen by: owner, capacity: 7}"), encoding="utf-8")
    path.write_text(path.read_text().replace("heap: {}", "heap: {capacity: 9}"), encoding="utf-8")
    assert [str(d) for d in interpreter.validate(path) if d.severity == "error"] == []
    assert interpreter.load(path).game().start(deck=DECK).value("asked") == asked


def test_sets_from_too_many_cards_are_refused_with_their_place(tmp_path: Path) -> None:
    path = written(tmp_path, define="count cs in sets of 2.. from hand of P1 where count of cs > 3")
    (error,) = (d for d in interpreter.validate(path) if d.severity == "error")
    line = 1 + BASE.splitlines().index("  asked: {define}")
    assert (error.code, error.line) == ("E521", line)
    assert "steps, and 20,000,000 are allowed" in error.message


def test_sets_from_many_cards_are_counted_in_play(tmp_path: Path) -> None:
    effect = "for n in 1..2 do add count cs in sets of 3 from stock where top of stock in cs to seen end"
    state = started(tmp_path, effect)
    state.play(0, "go 2C")
    assert state.value("seen") == 2 * 38 * 37 // 2
    assert state.position.spent > 2 * 9_139 * 50
