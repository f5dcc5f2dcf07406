"""What small functions of Python become: the same answers, or a match that is stopped."""

from __future__ import annotations

import ast
import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.api import native_choices, native_lane
from interpreter.compiler.native import twins
from interpreter.compiler.native.flat_state import Layout
from interpreter.compiler.native.machine_code import Kept, build
from interpreter.compiler.native.module import module_for
from interpreter.compiler.native.sources import tree_of
from interpreter.compiler.native.statements import Function
from interpreter.compiler.native.twins import put
from interpreter.engine import dealing, moves, primitives, sight
from interpreter.engine.chance import Dice
from interpreter.engine.members import sets_from, union
from interpreter.engine.position import Position, Setup
from interpreter.engine.start import fresh, start

TABLE = {None: 7, 0: 10, 1: 20, 2: 30}
ROWS = ((1, 2, 3), (4, 5, 6), (7, 8, 9))


def answers(play: Callable[..., None], one: int, two: int, game: str = "hearts") -> list[int]:
    """What a function lays down for two numbers: first 0, or why the match was stopped."""
    program = interpreter.load(game).game().program
    built = build(lambda: module_for(program, fresh(program), play, {}), "", None)
    return list(built.play(1, 0, 1, 0, one, two, 8))


def sums(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    put(s, 1, one + two)
    put(s, 2, one * two - 3)
    put(s, 3, -one // 7 + two % 5)
    put(s, 4, ((one & 255) << 3 | two) & ~5)
    put(s, 5, one if one > two else two)


def counts(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    mask = one & two
    put(s, 1, mask.bit_count())
    put(s, 2, mask.bit_length())
    found = [bit for bit in range(10) if mask >> bit & 1]
    put(s, 3, len(found))
    put(s, 4, sum(found))
    put(s, 5, max(found, default=-1))
    put(s, 6, next((bit for bit in found if bit > 2), None) is None)


def shifts(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    """As far as there are cards in several packs, more than a machine word has bits."""
    put(s, 1, sum([bit + 1 for bit in range(160) if 1 << one >> bit & 1]))
    put(s, 2, sum([bit + 1 for bit in range(160) if (one + 5) >> bit & 1]))
    put(s, 3, -1 - one >> 60 + two)
    put(s, 4, -1 - one >> 100 + two)
    put(s, 5, one + 7 >> 62 + two)
    put(s, 6, (one - one) << 63 + two)


def lists(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    found = [one, two, 5]
    found.append(one)
    found.insert(1, 9)
    found.remove(5)
    found.sort(key=lambda number: -number)
    put(s, 1, found[0])
    put(s, 2, found[-1])
    put(s, 3, len(found))
    put(s, 4, found.index(9))
    put(s, 5, sorted(found)[1] + sum(found[1:3]))
    put(s, 6, any(number == 9 for number in found) and all(number > 0 for number in found))
    put(s, 7, 1 if two in found else 0)


def tables(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    key = None if one > 2 else one
    put(s, 1, TABLE[key])
    row = ROWS[two]
    put(s, 2, row[one])
    total = 0
    for number, (first, _, last) in enumerate(ROWS):
        if number == 1:
            continue
        total += number * first + last
    put(s, 3, total)


def changing(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    left = [one, two, 5, 7]
    total = 0
    for number in [number for number in left]:
        left.remove(number)
        total += number
    put(s, 1, total)
    left = [one, two, 5, 7]
    for number in [number for number in left if left[0] <= number]:
        left[0] = 6
        total += number
    put(s, 2, total)


def members(one: int, two: int) -> list[int]:
    return [one, two, one]


def kept(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    best = members(one, two)
    for number in range(two + 4):
        tried = members(number, two)
        if number == 2:
            best = tried
    put(s, 1, best[0])
    put(s, 2, max((members(number % 3, two) for number in range(two + 4)), key=lambda found: found[0])[0])


def subsets(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    total = number = 0
    for chosen in sets_from((3, 5, 7, 11), one, two + 1):
        number += 1
        total = (total * 31 + sum(chosen) * number) % 1_000_003
    put(s, 1, total)
    put(s, 2, number)
    put(s, 3, len(sets_from(union((1, 2), (2, 3), (one,)), 2)))


def answered(number: int, two: int) -> int | None:
    if number == 3:
        return None
    if number > 3:
        return number * two
    return 1 << number


def growing(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    found: list[int] = []
    if not found and one >= 0:
        found.clear()
        found.append(one)
    found.append(1 << 20)
    kept: list[int] = []
    last = None
    total = before = 0
    for number in range(two + 3):
        if last is not None and last > number - 2:
            total += last * 7
        for other in range(number):
            before = total + other
            kept.append(before)
        last = number if number != one else None
        total += before
    put(s, 1, sum(found) * len(found))
    put(s, 2, total)
    put(s, 3, sum(kept) + len(kept))
    put(s, 4, -1 if last is None else last)
    put(s, 5, sum((answered(number, two) or 5) for number in range(5)))
    least, most = min(one, 4, two - 1), max(one, two, 1)
    put(s, 6, least * 10 + most)
    put(s, 7, min([number for number in range(one, one + 3) if number % 2] or [9]))


WORDS = ("a", "b", "c", "d", "e", "f")
BY_WORD = {"a": 3, "b": 1, "c": 4, "d": 1, "e": 5, "f": 9, "g": 2}


def texts(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    put(s, 1, BY_WORD.get(WORDS[one], 0))
    put(s, 2, sum(BY_WORD[word] for word in WORDS[two:]))


def index(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    found = [1, 2, 3]
    put(s, 1, found[one])


def product(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    put(s, 1, one * two * one * two)


def endless(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    found: list[int] = []
    while len(found) < two:
        found.append(one)
    put(s, 1, len(found))


def told(play: Callable[..., None], one: int, two: int) -> list[int]:
    """What Python lays down."""
    rows = [0] * 8

    def keep(s: Any, at: int, number: int) -> None:
        rows[at] = int(number)

    own = {**play.__globals__, "put": keep}
    type(play)(play.__code__, own)(None, None, 0, one, two)
    return rows


@pytest.mark.parametrize("play", (sums, counts, lists, tables, changing, kept, growing, subsets, texts))
@pytest.mark.parametrize("one, two", ((0, 2), (2, 1), (1, 0)))
def test_what_is_reckoned_is_what_python_reckons(play: Callable[..., None], one: int, two: int) -> None:
    assert answers(play, one, two) == told(play, one, two)


@pytest.mark.parametrize("one, two", ((0, 2), (2, 1), (1, 0)))
def test_bits_are_shifted_as_far_as_there_are_cards(one: int, two: int) -> None:
    assert answers(shifts, one, two, "skip-bo") == told(shifts, one, two)


@pytest.mark.parametrize(
    "play, one, two", ((index, 3, 0), (index, 1 << 40, 0), (product, 1 << 40, 1 << 40), (endless, 1, 4_000))
)
def test_what_is_out_of_bounds_stops_the_match(play: Callable[..., None], one: int, two: int) -> None:
    assert answers(play, one, two)[0]


@pytest.mark.parametrize("play", (growing, changing, counts))
def test_loops_are_written_again_and_not_all_around_them(
    play: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    times: list[str] = []
    once = Function._write_once
    monkeypatch.setattr(Function, "_write_once", lambda self: (times.append(self.name), once(self))[1])
    program = interpreter.load("hearts").game().program
    module_for(program, fresh(program), play, {})
    assert len(times) == len(set(times)), "each function once"


def test_twins_do_what_their_functions_do() -> None:
    for many, low, high in ((13, 3, 3), (7, 0, 4), (5, 2, 9)):
        cards = tuple(range(20, 20 + many))
        _, number = moves.choices_of(many, low, high)
        assert twins.choices_of(many, low, high)[1] == number
        for at in range(0, number, 7):
            assert tuple(twins.nth_choice(cards, low, high, at)) == moves.nth_choice(cards, low, high, at)
    assert twins.distinct((0, 0, 2, 2, 4), (4, 1, 3, 0)) == primitives.distinct((0, 0, 2, 2, 4), (4, 1, 3, 0))
    game = interpreter.load("hearts").game()
    state = game.start(seed=1).position
    for cards in ((), (3,), tuple(range(51, -1, -1)), (7, 50, 3, 20, 33)):
        assert twins.place_by_place(state, cards) == sight.place_by_place(state, cards)
    for count, packets in ((None, None), (5, None), (5, [2, 3]), (13, [3]), (20, None)):
        one, two = fresh(game.program), fresh(game.program)
        for s, deal in ((one, dealing.deal), (two, twins.deal)):
            s.dealer = 2
            deal(s, count, 0, 1, [0, 1, 2, 3], packets)
        assert one.z == two.z


def test_machine_code_that_was_changed_is_made_anew(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept", "name")
    assert kept.read() is None
    kept.write(b"code")
    assert kept.read() == b"code"
    (path,) = (tmp_path / "kept").iterdir()
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert kept.read() is None
    kept.write(b"code")
    path.chmod(0o666)
    assert kept.read() is None


def test_machine_code_is_of_its_name_and_lies_where_nobody_else_can_put_anything(tmp_path: Path) -> None:
    kept, other = (Kept(tmp_path / "cache" / "kept", name) for name in ("name", "other"))
    umask = os.umask(0)
    try:
        for one in (kept, other):
            one.write(one._name.encode())
    finally:
        os.umask(umask)
    inner, outer = tmp_path / "cache" / "kept", tmp_path / "cache"
    assert [folder.stat().st_mode & 0o777 for folder in (outer, inner)] == [0o700, 0o700]
    one, two = inner / "name.o", inner / "other.o"
    one.rename(inner / "x")
    two.rename(one)
    (inner / "x").rename(two)
    assert (kept.read(), other.read()) == (None, None)
    for folder in (outer, inner):
        kept.write(b"code")
        assert kept.read() == b"code"
        folder.chmod(0o770)
        assert kept.read() is None
        kept.write(b"other")
        folder.chmod(0o700)
        assert kept.read() == b"code"


def test_bounds_of_matches_that_are_no_machine_word_are_bounds_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for lane in "10":
        monkeypatch.setenv("HOUSERULES_NATIVE", lane)
        game = interpreter.load("pig").game()
        found.append(str(game.playouts(4, seed=1, limit=2**64 + 5, deals=2**64 + 1)))
        assert lane == "0" or native_lane.lane_of(game.program).built is not None
    assert found[0] == found[1]


def test_nothing_of_a_ruleset_is_in_the_text_but_numbers() -> None:
    from interpreter.api.native_choices import TWINS
    from interpreter.api.native_lane import play_match

    program = interpreter.load("setback").game().program
    text = module_for(program, fresh(program), play_match, TWINS)
    assert text.isascii() and text.count('"') == 6, "texts are numbers; quotes stand around LLVM's own three words"
    words = {word for part in program.stages for word in part.name.split("_")} - {"deal", "play", "match", "count"}
    assert not [word for word in words if len(word) > 4 and word in text]


@pytest.mark.parametrize("name, calls", (("hearts", False), ("crazy-eights", True)))
def test_what_no_rule_of_a_game_asks_for_takes_no_room(name: str, calls: bool) -> None:
    program = interpreter.load(name).game().program
    layout = Layout(program, fresh(program))
    assert ("calls" in layout.fields) is calls
    assert any("[" in kind for kind in layout.frame_types) is calls, "what is handed to a stage that is called"


def test_places_of_two_kinds_are_gone_through_run_by_run() -> None:
    program = interpreter.load("skip-bo").game().program
    layout = Layout(program, fresh(program))
    zones = layout.families["zones"]
    assert zones.are_alike(14, 29) and not zones.are_alike(0, 6)


def places(s: Position, dice: Any, counted: int, one: int, two: int) -> None:
    total = number = 0
    for place in range(len(s.z)):
        if place == 20 + one:
            break
        if place == two:
            continue
        kept = s.z[place]
        total += place * (len(kept) + 1 if type(kept) is list else kept.bit_count() + 2)
        number += 1
    put(s, 1, total)
    put(s, 2, number)
    found = [place for place in range(len(s.z)) if not s.z[place]]
    put(s, 3, len(found))
    put(s, 4, sum(found))


@pytest.mark.parametrize("one, two", ((0, 7), (-8, 12), (9, 0)))
def test_places_of_all_kinds_are_gone_through_in_order(one: int, two: int) -> None:
    program = interpreter.load("skip-bo").game().program
    built = build(lambda: module_for(program, fresh(program), places, {}), "", None)
    rows = [0] * 8

    def keep(s: Any, at: int, number: int) -> None:
        rows[at] = int(number)

    type(places)(places.__code__, {**places.__globals__, "put": keep})(fresh(program), None, 0, one, two)
    assert list(built.play(1, 0, 1, 0, one, two, 8)) == rows
    assert rows[2]


SEVERAL_FUNCTIONS = '''
from functools import (
    lru_cache,
    wraps,
)

of_a_line = {1: lambda one: one + 1}


@lru_cache(
    maxsize=1,
)
def decorated(
    one: int,
) -> int:
    # what stands within
# is not seen by where it stands
    return one


class Holder:
    def method(self, one: int) -> str:
        return """
def decorated(): a text, and no function
"""


def last(one: int) -> int:
    def within(two: int) -> int:
        return one + two

    return within(one)'''


def test_a_function_is_found_where_it_stands_whatever_is_around_it(tmp_path: Path) -> None:
    path = tmp_path / "several_functions.py"
    path.write_text(SEVERAL_FUNCTIONS, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("several_functions", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    inner = next(part for part in module.last.__code__.co_consts if hasattr(part, "co_name"))
    codes = [
        module.of_a_line[1].__code__,
        module.decorated.__wrapped__.__code__,
        module.Holder.method.__code__,
        module.last.__code__,
        inner,
    ]
    whole = [node for node in ast.walk(ast.parse(SEVERAL_FUNCTIONS)) if isinstance(node, ast.Lambda | ast.FunctionDef)]
    for code in codes:
        found = tree_of(code)
        (same,) = (node for node in whole if getattr(node, "name", "<lambda>") == code.co_name)
        assert ast.dump(found, include_attributes=True) == ast.dump(same, include_attributes=True)


def test_the_moves_of_a_player_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    program = interpreter.load("spit").game().program
    s, dice, asked = start(program, Setup(3), log=False), Dice(4), [0]
    for stage in program.stages:
        for action in stage.actions:
            if action.count is not None:

                def count(*given: Any, of: Callable[..., int] = action.count) -> int:
                    asked[0] += 1
                    return of(*given)

                monkeypatch.setattr(action, "count", count)
    races = 0
    for _ in range(60):
        stage, asked[0] = program.stages[s.stack[-1].stage], 0
        native_choices.move(s, native_choices.actors(s)[0], dice)
        assert asked[0] <= sum(action.count is not None for action in stage.actions)
        races += stage.kind == "race"
    assert races > 30
