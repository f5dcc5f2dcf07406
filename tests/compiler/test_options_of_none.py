"""An optional list option that is none: what is worked out beforehand says the same as play says of a variable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.api.game import Game
from interpreter.engine.rule_errors import RuleError
from interpreter.rulebook.chapters import book

RULES = """\
format: 1
id: none
name: None
players: {min: 2, max: 2}
options:
  given: {KIND, optional: true, default: none}
  own: {KIND, optional: true, default: none, each: player}
  bare: {KIND, default: []}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  bid: {}
  heap: {capacity: '1 + SETTLED'}
state:
  z: {type: integer, lasts: match, max: 1000000}
  held: {type: list of integer, optional: true, lasts: match}
  y: {type: integer, lasts: match, min: 0, max: '5 + SETTLED', default: 'SETTLED'}
define:
  named: LIST
  how_many(some): count of some
flow:
  match: {setup: deal 4 from stock to hand, do: [maybe, go], winners: everyone}
  maybe: {kind: turn, turns: 1, when: 'HOLDS', actions: {d: {effect: add 1 to z}}}
  go:
    kind: turn
    turns: 6
    until: 'z > 900000 and (HOLDS)'
    actions:
      d: {choose: {n: {number: '0..NUMBER'}, c: {from: hand, where: 'HOLDS', optional: true}}, effect: 'DONE'}
      lawful: {must: {m: 'HOLDS'}, effect: add 1 to z}
      open: {when: 'HOLDS', effect: add 1 to z}
      ask: {effect: add y to z}
REQUIRED
"""
KINDS = {
    "integer": ("type: list of integer, min: 0, max: 9", "1"), "card": ("type: list of card", "QS"),
    "rank": ("type: list of rank", "Q"), "suit": ("type: list of suit", "hearts"),
    "choice": ("type: list of choice, choices: [aa, bb]", "aa"), "text": ("type: list of text", '"hm"'),
    "flag": ("type: list of flag", "true"),
}  # fmt: skip
HOLDERS = ("given", "own of P1", "held")
"""Of a list: what is settled before play, and what is not."""
NUMBERS = (
    "count of LIST", "1 + 2 * count of LIST - count of LIST div 3", "greater of (count of LIST, 2)",
    "sum 1 for x in LIST", "max 2 for x in LIST", "min 2 for x in LIST", "count x in LIST where x = ITEM",
    "(if LIST = none then 5 else count of LIST)",
)  # fmt: skip
NUMBERS_IN_PLAY = (
    "how_many(LIST)", "count of named", "(sum 1 for x in named)", "count of (if z = 0 then LIST else named)",
)  # fmt: skip
CONDITIONS = (
    "ITEM in LIST", "ITEM not in LIST", "LIST is empty", "LIST is not empty", "any x in LIST has x = ITEM",
    "all x in LIST have x = ITEM", "LIST = none", "LIST != none", "LIST is none", "(first x in LIST) = none",
    "ITEM in named", "named is empty", "named = none", "count of LIST = 0", "count of named > 0 or LIST is empty",
    "not (ITEM in LIST) and count of LIST < 3", "LIST = LIST", "LIST = bare",
)  # fmt: skip
EFFECTS = (
    "for x in LIST do add 5 to z end; add 1 to z", "for x in named do add 5 to z end", 'note "{LIST}"; add 1 to z',
    "let q be LIST; for x in q do add 5 to z end; add 1 + count of q to z",
    "let q be LIST; if q = none then add 3 to z end",
)  # fmt: skip
KEPT = (
    "set held to LIST; add count of held to z; if held = none then add 3 to z end",
    "add LIST to held; add 1 + count of held to z",
)
WITHOUT_A_VALUE = ("item(1, LIST) = ITEM", "cycle(1, LIST) = ITEM", "item(count of LIST, named) = ITEM")


def made(
    folder: Path, holder: str, number: str = "2", holds: str = "z < 9", done: str = "add 1 to z", kind: str = "integer",
    honor: bool = False,
) -> Game:  # fmt: skip
    """A game in which a value stands in all places that ask for one. holder: of a list."""
    law = f"require: {{m: {{law: '({holds}) or not ({holds})', message: m}}}}"
    kept, item = KINDS[kind]
    parts = {
        "SETTLED": number if number in NUMBERS else "2", "NUMBER": number, "HOLDS": holds, "DONE": done,
        "REQUIRED": law if holder in ("given", "bare") and holds in CONDITIONS else "",
        "KIND": kept, "LIST": holder, "ITEM": item,
    }  # fmt: skip
    text = RULES
    for name, part in parts.items():
        text = text.replace(name, part)
    path = folder / "none.yaml"
    path.write_text(text, encoding="utf-8")
    return interpreter.load(path).game(enforcement="honor" if honor else "strict")


def course(*args: Any, **how: Any) -> list[Any]:
    """What can be done, and what comes of it, move by move."""
    told: list[Any] = []
    try:
        state = made(*args, **how).start(seed=3)
        for number in range(8):
            if state.over:
                break
            offered = [str(move) for move in state.legal_moves(state.actors[0])]
            seen = state.play(state.actors[0], offered[number % len(offered)])
            told += [offered, list(map(str, seen)), state.view(0)["values"]["z"]]
    except RuleError as fault:
        told.append(str(fault).rpartition(": ")[2])
    return told


@pytest.mark.parametrize("honor", [False, True])
@pytest.mark.parametrize("holds", [*CONDITIONS, *WITHOUT_A_VALUE])
def test_conditions_hold_as_they_do_of_a_variable(holds: str, honor: bool, tmp_path: Path) -> None:
    done = f"if {holds} then add 2 to z else add 1 to z end"
    given, own, held = (course(tmp_path, holder, holds=holds, done=done, honor=honor) for holder in HOLDERS)
    assert given == held
    assert own == held


@pytest.mark.parametrize("number", [*NUMBERS, *NUMBERS_IN_PLAY])
def test_numbers_are_those_of_a_variable(number: str, tmp_path: Path) -> None:
    how = {"number": number, "holds": f"{number} < 3", "done": f"add n to z; add {number} to z"}
    given, own, held = (course(tmp_path, holder, **how) for holder in HOLDERS)
    assert given == held
    assert own == held


@pytest.mark.parametrize("done", [*EFFECTS, *KEPT])
def test_effects_do_what_they_do_with_a_variable(done: str, tmp_path: Path) -> None:
    given, own, held = (course(tmp_path, holder, done=done) for holder in HOLDERS)
    assert given == held
    assert own == held


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "integer"])
@pytest.mark.parametrize("holder", ["given", "own of P1"])
def test_of_whatever_kind_it_is_it_has_no_members(holder: str, kind: str, tmp_path: Path) -> None:
    """Of these there are no variables: it is asked what can be asked of an empty list, too."""
    asked = [holds for holds in CONDITIONS if "none" not in holds and "= bare" not in holds]
    held = "; ".join(f"if {holds} then add {1 << at} to z end" for at, holds in enumerate(asked))
    numbers = "; ".join(f"add {number} to z" for number in (*NUMBERS[:-1], *NUMBERS_IN_PLAY))
    done = "; ".join((held, numbers, *EFFECTS[:-1]))
    for how in ({"done": done}, {"holds": "ITEM in LIST or LIST is empty", "number": "count of LIST"}):
        assert course(tmp_path, holder, kind=kind, **how) == course(tmp_path, "bare", kind=kind, **how)
    assert book(made(tmp_path, holder, kind=kind, done=done))


@pytest.mark.parametrize("number", [*NUMBERS, *NUMBERS_IN_PLAY, "(sum x for x in LIST)"])
def test_a_rulebook_tells_it(number: str, tmp_path: Path) -> None:
    assert book(made(tmp_path, "given", number, f"{number} < 2"))


PLACES = """\
format: 1
id: places
name: Places
players: {min: 2, max: 2}
options:
  words: {type: list of text, optional: true, default: none}
  cards: {type: list of card, optional: true, default: none}
  ranks_told: {type: list of rank, optional: true, default: none}
  numbers: {type: list of integer, min: 0, max: 9, length: 1..3, distinct: true, optional: true, default: none}
  pairs: {type: list of pairs, min: 0, max: 9, optional: true, default: none}
  lots: {type: list of melds, optional: true, default: none}
pack: {standard: 1, remove: [cards, ranks_told]}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  bid: {}
MORE
melds: {pair: {same: rank, size: 2}}
state: {z: {type: integer, lasts: match}}
flow:
  match: {setup: deal 8 from stock to hand, do: [go], winners: everyone}
  go:
    kind: turn
    turns: 4
    actions:
      d: {CHOSEN, effect: 'DONE'}
      ask: {effect: add 1 to z}
"""


def placed(folder: Path, chosen: str = "label: {else: x}", done: str = "add 1 to z", more: str = "") -> Game:
    path = folder / "places.yaml"
    path.write_text(PLACES.replace("CHOSEN", chosen).replace("DONE", done).replace("MORE", more), encoding="utf-8")
    return interpreter.load(path).game()


@pytest.mark.parametrize(
    ("chosen", "done"),
    [
        ("choose: {w: {choice: words}}", "add 1 to z"),
        ("choose: {c: {from: cards}}", "add 1 to z"),
        ("choose: {c: {from: hand, where: c in cards}}", "add 1 to z"),
        ("choose: {r: {ranks: all r in ranks where r in ranks_told}}", "add 1 to z"),
        ("choose: {n: {number: 1..count of lots}, ms: {melds: 'item(n, lots)', from: hand}}", "add 1 to z"),
    ],
)
def test_there_is_nothing_to_choose_from_it(chosen: str, done: str, tmp_path: Path) -> None:
    own = placed(tmp_path, chosen, done)
    state = own.start(seed=1)
    assert [str(move) for move in state.legal_moves(0)] == ["ask"]
    with pytest.raises(interpreter.IllegalMove):
        state.play(0, "d aa")
    assert book(own)


@pytest.mark.parametrize("listed", ["words", "cards", "ranks_told", "numbers", "pairs", "lots"])
def test_every_list_can_be_none(listed: str, tmp_path: Path) -> None:
    done = f"for x in {listed} do add 5 to z end; add 1 + count of {listed} to z"
    state = placed(tmp_path, done=f"{done}; if {listed} = none then add 10 to z end").start(seed=1)
    state.play(0, "d")
    assert state.view(0)["values"]["z"] == 11
    assert interpreter.replay(state.record()).to_json() == state.to_json()


def test_there_are_as_many_places_as_it_has_members(tmp_path: Path) -> None:
    with pytest.raises(interpreter.OptionError, match="'each' goes from 1 to 0"):
        placed(tmp_path, more="  row: {each: 1..count of numbers}")
    assert placed(tmp_path, more="  row: {each: 1..1 + count of numbers}").program.place_called("row.1") is not None


def test_it_is_gone_through_in_no_time(tmp_path: Path) -> None:
    """Of a variable nobody knows before play how many members it has, of an option that is none that it has none."""
    rounds = ("a in numbers", "b in numbers", "c in numbers", "d in numbers")
    done = f"{''.join(f'for {each} do ' for each in rounds)}add a + b + c + d to z{' end' * len(rounds)}"
    state = placed(tmp_path, done=done).start(seed=1)
    state.play(0, "d")
    assert state.view(0)["values"]["z"] == 0
