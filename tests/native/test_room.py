"""A match of a stranger's ruleset has to have room on the stack, and its code an end."""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm
import pytest

import interpreter
from interpreter.api import native_lane
from interpreter.api.game import Game
from interpreter.api.native_choices import TWINS
from interpreter.api.playouts import matches
from interpreter.compiler.native import flat_state, machine_code
from interpreter.compiler.native.flat_state import Layout
from interpreter.compiler.native.module import Module, module_for
from interpreter.compiler.native.native_kinds import Group, Known, Maybe, Number, Row
from interpreter.engine.start import fresh
from tests.walks import SHIPPED

HEAPS = """\
format: 1
id: heaps
name: Heaps
players: {{min: 2, max: 2}}
pack: {{standard: {packs}}}
zones:
  stock: {{pack: true, seen by: none}}
  hand: {{each: player, seen by: owner}}
  heap: {{each: 1..{heaps}, seen by: everyone}}
state: {{score: {{each: player, type: integer, lasts: match, max: 1000}}}}
flow:
  match: {{setup: shuffle stock; deal 5 from stock to hand, do: [playing], winners: highest score}}
  playing:
    kind: turn
    until: score of P1 > 30
    actions:
      lay: {{effect: move 1 from stock to heap of 1; move top of heap of 1 to heap of 7; add 1 to score of actor}}
"""


@pytest.mark.parametrize(("packs", "heaps"), [(16, 900), (1, 1000)])
def test_what_has_no_room_on_the_stack_is_played_in_python(
    packs: int, heaps: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(native_lane.SWITCH, "1")
    file = tmp_path / "heaps.yaml"
    kept = "state: {kept: {each: 1..40, type: list of integer, lasts: match}, "  # heaps of many cards share their room
    file.write_text(HEAPS.format(packs=packs, heaps=heaps).replace("state: {", kept), "utf-8")
    own = interpreter.load(file).game()
    with pytest.raises(native_lane.NativeError, match="so many places and variables"):
        list(matches(own, 1, 1, 1, 100))


NESTED = """\
format: 1
id: nested
name: Nested
players: {{min: 2, max: 3, default: 3}}
pack: {{standard: 1}}
zones:
  stock: {{pack: true, seen by: none}}
  hand: {{each: player, seen by: owner}}
state: {{score: {{each: player, type: integer, lasts: match}}}}
flow:
  match: {{setup: shuffle stock; deal 5 from stock to hand, do: [playing], winners: highest score}}
  playing:
    kind: turn
    until: score of P1 > 30
    actions:
      pass: {{effect: add 1 to score}}
      sums: {{when: "{sums} > 100000", effect: add 2 to score}}
"""


def test_loops_within_loops_are_played_in_python_before_they_take_long(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(native_lane.SWITCH, "1")
    sums = "count of hand"
    for at in range(10):
        sums = f"(sum {sums} for p{at} in players)"
    file = tmp_path / "nested.yaml"
    file.write_text(NESTED.format(sums=sums), "utf-8")
    found = []
    for lane in ("1", "0"):  # machine code, but for what would be too long of it
        monkeypatch.setenv(native_lane.SWITCH, lane)
        found.append([(one.scores, one.winners) for one in matches(interpreter.load(file).game(), 3, 1, 1, 100)])
    assert found[0] == found[1]


MOST_BYTES = 1_600


def bytes_of(game: Game) -> int:
    """How much memory a match takes."""
    layout = Layout(game.program, fresh(game.program))
    frame, fields = ", ".join(layout.frame_types), ", ".join(layout.types)
    text = f"%Frame = type {{{frame}}}\n@s = global {{{fields}}} zeroinitializer"
    llvm.initialize_native_target()
    (one,) = llvm.parse_assembly(text).global_variables
    machine = llvm.Target.from_default_triple().create_target_machine()
    return machine.target_data.get_abi_size(one.global_value_type)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_match_takes_few_bytes(name: str) -> None:
    assert bytes_of(interpreter.load(name).game()) <= MOST_BYTES


@pytest.mark.parametrize("players", range(2, 7))
def test_a_match_with_many_places_for_melds_takes_few_bytes(players: int) -> None:
    assert bytes_of(interpreter.load("phase-10").game(players)) <= MOST_BYTES


@pytest.mark.parametrize("melds", [1, 16])
def test_where_more_melds_lie_on_the_table_than_there_is_room_for_python_plays(
    melds: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(native_lane, "kept_in", lambda: tmp_path)
    monkeypatch.setattr(native_lane, "TOO_MANY", 1.0)
    monkeypatch.setattr(flat_state, "MELDS", melds)
    monkeypatch.setattr(flat_state, "MELDS_OF_EACH", 0)
    own = interpreter.load("phase-10").game(3, {"phases": [["set 2..", "set 2.."]] * 2})
    own.program.native = None
    assert Layout(own.program, fresh(own.program)).sets is not None
    found = []
    for lane in ("0", "1"):
        monkeypatch.setenv(native_lane.SWITCH, lane)
        found.append(list(matches(own, 12, 1, 1, 2000)))
    assert found[0] == found[1]
    again = native_lane.lane_of(own.program).played[0] - 12
    assert again == 0 if melds > 1 else again > 6


LISTS = """\
format: 1
id: lists
name: Lists
players: {min: 2, max: 2}
pack: {standard: 16, add: {wild: 1100}}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, heap: {seen by: everyone}}
state: {score: {each: player, type: integer, lasts: match}}
define:
  sift: {effect: move 1 from all c in stock by 1 to heap}
flow:
  match: {setup: shuffle stock; deal 2 from stock to hand, do: [go], winners: highest score}
  go:
    kind: turn
    first: P1
    turns: 2
    actions: {lay: {effect: "ALL"}}
"""


def test_what_lays_more_lists_than_the_stack_holds_is_played_in_python(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(native_lane.SWITCH, "1")
    file = tmp_path / "lists.yaml"
    file.write_text(LISTS.replace("ALL", "; ".join(["sift"] * 300)), "utf-8")
    with pytest.raises(native_lane.NativeError, match="take too much of the machine's stack"):
        list(matches(interpreter.load(file).game(), 1, 1, None, 100))
    file.write_text(LISTS.replace("ALL", "; ".join(["sift"] * 10)), "utf-8")
    assert next(matches(interpreter.load(file).game(), 1, 1, None, 100)).over


@pytest.mark.parametrize("name", ["gin-rummy", "phase-10"])  # sets of 64 and of 128 bits
def test_what_lies_in_frames_is_counted_as_no_less_than_it_takes(name: str) -> None:
    llvm.initialize_native_target()
    program = interpreter.load(name).game().program
    layout, target = Layout(program, fresh(program)), llvm.Target.from_default_triple().create_target_machine()
    small, wide = Number(0, 5), Number(0, (1 << layout.cards) - 1)
    kinds = (small, wide, Maybe(small), Group((small, wide, small)), layout.meld)
    for kind in (*kinds, *map(Row, kinds), Row(Row(small)), Row(None)):
        for capacity in (0, 1, 100):
            text = f"@x = global {layout.memory(kind, capacity)} zeroinitializer"
            (laid,) = llvm.parse_assembly(text).global_variables
            assert target.target_data.get_abi_size(laid.global_value_type) <= layout.bytes_of(kind, capacity), kind


PILED = """\
format: 1
id: piled
name: Piled
players: {min: 2, max: 2}
pack: {standard: 3}
zones:
  stock: {pack: true, seen by: none}
  heap: {each: 1..8, seen by: everyone}
state: {score: {each: player, type: integer, lasts: match, max: 1000}}
flow:
  match: {setup: shuffle stock, do: [playing], winners: highest score}
  playing:
    kind: turn
    until: score of P1 + score of P2 >= MOST
    actions:
      lay: {effect: move 1 from stock to heap of 2; add 1 to score of actor}
      turn: {effect: move top of heap of 2 to heap of 7; move all from heap of 7 to heap of 2}
"""


@pytest.mark.parametrize("most", [40, 80, 200])
def test_lists_of_many_cards_share_room_that_goes_where_it_is_needed(
    most: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "piled.yaml"
    file.write_text(PILED.replace("MOST", str(most)), "utf-8")
    own = interpreter.load(file).game()
    layout = Layout(own.program, fresh(own.program))
    rooms = layout.families["zones"].rooms
    assert layout.shared is not None and sum(rooms) == layout.shared.size < 3 * 156
    assert rooms[0] > 156 and max(rooms[1:9]) < 40, "one heap has not room for as many as are laid on it"
    found = []
    for lane in ("0", "1"):
        monkeypatch.setenv(native_lane.SWITCH, lane)
        monkeypatch.setattr(native_lane, "TOO_MANY", 1.0)
        found.append(list(matches(own, 4, 1, None, 1000)))
    assert found[0] == found[1]
    assert native_lane.lane_of(own.program).played == [4, 4], "no match was played again in Python"


@pytest.mark.parametrize("size", [1, 1000, 3000, 3500, 3600, 4000, 4090, 4096, 8190])
def test_the_last_page_of_what_is_written_to_has_room_for_what_llvm_does_not_count(size: int) -> None:
    """Else its memory manager ends the process, where functions of others are called from quick code."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    module = llvm.parse_assembly(f"@state = global [{size} x i8] zeroinitializer\n@of = constant i64 7\n")
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    code = llvm.ObjectFileRef.from_data(machine_code._emitted(module, machine))
    whole = sum(section.size() for section in code.sections() if section.name() in machine_code.WRITTEN)
    assert whole >= size and -whole % machine_code.PAGE >= machine_code.UNCOUNTED


def test_what_a_loop_has_asked_for_before_it_settled_takes_no_room_in_the_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rooms: dict[str, int] = {}
    monkeypatch.setattr(Module, "_have_room", lambda self, made: rooms.update({made.function.__name__: made.room}))
    program = interpreter.load("phase-10").game().program
    module_for(program, fresh(program), native_lane.play_match, TWINS)
    layout = Layout(program, fresh(program))
    ways = Row(Row(layout.meld))
    assert layout.together == 2
    assert max(rooms["count·play·lay"], rooms["nth·play·lay"]) < 6 * layout.bytes_of(ways, layout.room(ways.item))


def test_known_values_that_are_equal_do_not_differ() -> None:
    one, two = Known(None), Known(None)
    assert one == two and not one != two  # noqa: SIM202
    assert Known(1) != Known(True) and Known(1) != Number(1, 1)
