"""`let`: a name for a value that is worked out once, in effects and in definitions."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.api.game import State
from interpreter.compiler import specialise
from interpreter.compiler.bounds import Bounds
from interpreter.language import typed as t

BASE = """\
format: 1
id: small
name: Small
players: {{min: 2, max: 2}}
pack: {{standard: 1}}
zones:
  stock: {{pack: true}}
  hand: {{each: player, seen by: owner}}
  heap: {{}}
state:
  seen: {{type: integer, lasts: match}}
  whose: {{type: players, lasts: match}}
define:
{define}
flow:
  match: {{do: [dealing, playing]}}
  dealing: {{effect: "shuffle stock; deal 5 from stock to hand"}}
  playing:
    kind: turn
    actions:
      go:
        choose: {{card: {{from: hand}}}}
        effect: |
          {effect}
"""
DECK = ["2C", "9C", "3C", "9D", "4C", "9H", "5C", "9S", "6C", "10C"]


def started(folder: Path, effect: str = "stay", define: str = "  asked: 1") -> State:
    path = folder / "small.yaml"
    path.write_text(BASE.format(effect=effect.replace("\n", "\n          "), define=define), encoding="utf-8")
    assert [str(d) for d in interpreter.validate(path) if d.severity == "error"] == []
    return interpreter.load(path).game().start(deck=DECK)


@pytest.mark.parametrize(
    ("effect", "seen"),
    [
        pytest.param(
            "let n be count of hand; move card to heap; set seen to n * 10 + count of hand", 54, id="a number"
        ),
        pytest.param("let cs be hand; move hand to heap; set seen to count of cs + count of hand", 5, id="cards"),
        pytest.param(
            "let c be top of stock; move top of stock to heap; if c in heap then set seen to 1 end", 1, id="one"
        ),
        pytest.param("let n be 2; let n be n + 1; set seen to n", 3, id="the later of one name"),
        pytest.param(
            "let n be 2; if n = 2 then let n be 5; set seen to n end; set seen to seen * 10 + n", 52, id="block"
        ),
        pytest.param("for p in players do let n be count of hand of p; add n to seen end", 10, id="in a loop"),
        pytest.param("let r be card.rank; set seen to count c in hand where c.rank <= r", 1, id="in a condition"),
        pytest.param("let p be left of actor\nset seen to count of hand of p", 5, id="a player"),
        pytest.param("let ps be whose; set whose to (actor, left of actor); set seen to count of ps", 0, id="players"),
        pytest.param("let s be if true then none else card.suit; if s = none then set seen to 1 end", 1, id="none"),
    ],
)
def test_a_name_stands_for_what_a_value_is_where_it_is_named(tmp_path: Path, effect: str, seen: int) -> None:
    state = started(tmp_path, effect)
    state.play(0, "go 2C")
    assert state.value("seen") == seen


def test_a_defined_effect_may_name_values_of_the_same_name(tmp_path: Path) -> None:
    define = '  twice(n): {effect: "let m be n * 2; add m to seen"}'
    state = started(tmp_path, "let m be 1; twice(m); twice(m + 1); add m to seen", define)
    state.play(0, "go 2C")
    assert state.value("seen") == 2 + 4 + 1


@pytest.mark.parametrize(
    ("effect", "seen"),
    [
        pytest.param("move 3 from stock to heap; set seen to moved", 3, id="from the top"),
        pytest.param("move 60 from stock to heap; set seen to moved", 42, id="fewer than asked for"),
        pytest.param("set seen to moved; move 3 from stock to heap", 0, id="nothing yet"),
        pytest.param("move 2 at random from stock to heap; add moved to seen", 2, id="at random"),
        pytest.param("move all from hand to heap; add moved to seen", 5, id="all"),
        pytest.param("move card to heap; add moved to seen", 1, id="a card"),
        pytest.param("move top of heap to hand; add moved to seen", 0, id="no card"),
        pytest.param("move first c in hand where c.rank = K to heap; add moved to seen", 0, id="no card of a hand"),
        pytest.param("move (hand, top of stock) to heap; add moved to seen", 6, id="of several places"),
        pytest.param("move all c in hand where c.rank > 3 to heap; add moved to seen", 3, id="of a hand"),
        pytest.param("for p in players do move 2 from stock to hand of p; add moved to seen end", 4, id="each time"),
        pytest.param("if card is 2C then move 2 from stock to heap end; set seen to moved", 2, id="in a block"),
        pytest.param("move 2 from stock to heap face down; move 1 from stock to heap; set seen to moved", 1, id="last"),
        pytest.param(
            "let c be top of stock; move c to heap beneath; set seen to 1".replace(" beneath", ""), 1, id="named"
        ),
        pytest.param('move 2 from stock to heap; note "{moved} cards"; set seen to 2', 2, id="in a text"),
    ],
)
def test_an_effect_knows_how_many_cards_its_last_move_has_moved(tmp_path: Path, effect: str, seen: int) -> None:
    state = started(tmp_path, effect)
    state.play(0, "go 2C")
    assert state.value("seen") == seen


def test_a_defined_effect_counts_its_own_moves(tmp_path: Path) -> None:
    define = '  draw(n): {effect: "move n from stock to heap; add moved * 10 to seen"}'
    state = started(tmp_path, "move 1 from stock to heap; draw(3); add moved to seen", define)
    state.play(0, "go 2C")
    assert state.value("seen") == 31


def test_what_is_declared_as_moved_is_that(tmp_path: Path) -> None:
    state = started(tmp_path, "move 3 from stock to heap; set seen to moved", "  moved: 7")
    state.play(0, "go 2C")
    assert state.value("seen") == 7


@pytest.mark.parametrize(("card", "seen"), [("2C", 1), ("3C", 2), ("4C", 3), ("5C", 0)])
def test_elseif_begins_another_case(tmp_path: Path, card: str, seen: int) -> None:
    cases = "if card is 2 then set seen to 1 elseif card is 3 then set seen to 2 elseif card is 4 then set seen to 3"
    for end in ("end", "else set seen to 9 end"):
        state = started(tmp_path, f"{cases} {end}")
        state.play(0, f"go {card}")
        assert state.value("seen") == (seen if seen or end == "end" else 9)


def test_a_deal_may_begin_with_anybody(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    text = BASE.format(effect="stay", define="  asked: 1").replace("max: 2", "max: 4, default: 4")
    path.write_text(text.replace('to hand"', 'to hand beginning with P3"'), encoding="utf-8")
    state = interpreter.load(path).game().start(deck=DECK)
    for player, card in enumerate(["3C", "9D", "2C", "9C"]):
        assert card in state.zone("hand", player)
    narrowed = path.read_text().replace("dealing: {effect", "dealing: {players: p where p != P3, effect")
    path.write_text(narrowed, encoding="utf-8")
    state = interpreter.load(path).game().start(deck=DECK)
    assert state.zone("hand", 2) == []
    for player, card in ((3, "2C"), (0, "9C"), (1, "3C")):
        assert card in state.zone("hand", player)


@pytest.mark.parametrize(
    ("define", "asked"),
    [
        pytest.param("'\"{count of hand of P1} and {P2}: {top of stock}\"'", "5 and P2: 2D", id="values"),
        pytest.param('\'"{P1}" = "P1"\'', True, id="compared"),
        pytest.param("'\"{none}, {hand of P1}\"'", "none, 2C, 3C, 4C, 5C, 6C", id="none and cards"),
        pytest.param(
            'told(2)\n  told(n): \'if n > 1 then "{n} cards" else "a card"\'', "2 cards", id="in a definition"
        ),
    ],
)
def test_values_stand_in_texts(tmp_path: Path, define: str, asked: object) -> None:
    assert started(tmp_path, define=f"  asked: {define}").value("asked") == asked


@pytest.mark.parametrize(
    ("define", "asked"),
    [
        pytest.param("{let: {n: count of hand of P1}, value: n * n}", 25, id="a number"),
        pytest.param("{let: {a: 2, b: a + 1}, value: a * b}", 6, id="the next uses the one before"),
        pytest.param("{let: {c: first c in hand of P1 by place of c.rank}, value: place of c.rank}", 1, id="a card"),
        pytest.param("{let: {n: 1}, value: [[n = 2, 7], [else, n]]}", 1, id="rows"),
        pytest.param("{let: {n: [[honor, 7], [else, 3]]}, value: n}", 3, id="a value of rows"),
        pytest.param("{let: {cs: all c in hand of P1 where c.suit = clubs}, value: count of cs}", 5, id="cards"),
        pytest.param("f(f(1))\n  f(x): {let: {y: x + x}, value: y + x}", 9, id="a definition of itself"),
        pytest.param(
            "sum twice(place of c.rank) for c in hand of P1\n  twice(n): {let: {m: n + n}, value: m}",
            30,
            id="in a loop",
        ),
        pytest.param(
            "count c in hand of P1 where above(c)\n  above(card): {let: {r: card.rank}, value: place of r > 3}",
            2,
            id="of a card",
        ),
        pytest.param(
            "count c in hand of P2 where most(c)\n"
            "  most(card): {let: {r: first d in hand of P1 by 0 - place of d.rank}, value: card.rank > r.rank}",
            5,
            id="in play",
        ),
    ],
)
def test_a_definition_names_what_it_uses(tmp_path: Path, define: str, asked: int) -> None:
    state = started(tmp_path, define=f"  asked: {define}")
    assert state.value("asked") == asked


def test_what_is_named_is_counted_once(tmp_path: Path) -> None:
    define = """\
  pairs: sum place of c.rank for c in stock
  three_times: pairs + pairs + pairs
  once: {let: {x: pairs}, value: x + x + x}"""
    started(tmp_path, define=define + "\n  asked: three_times + once")
    layout = specialise(interpreter.load(tmp_path / "small.yaml").model, 2, {}, False)
    bounds = Bounds(layout)
    steps = {i.name: bounds.steps(i.body) for i in layout.model.instances.values()}
    assert steps["once"] < steps["pairs"] + 20 < steps["three_times"] / 2
    assert isinstance(layout.model.instances["once()"].body, t.Let)
