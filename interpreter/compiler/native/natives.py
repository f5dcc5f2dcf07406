"""Functions of the engine that are not read but known: bits, chance, frames. No outcome is fixed in random play."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler.native.built_in import BuiltIns
from interpreter.compiler.native.expressions import UNTOLD
from interpreter.compiler.native.habit_natives import HABIT_NATIVES
from interpreter.compiler.native.laying_down import cards_written, written
from interpreter.compiler.native.meld_natives import MELD_NATIVES
from interpreter.compiler.native.native_kinds import (
    FRAME,
    MOST,
    NONE,
    STATE,
    Bits,
    Known,
    Number,
    Row,
    Value,
    as_number,
    item_of,
    known,
)
from interpreter.compiler.native.not_native import NotNative
from interpreter.compiler.native.tree_natives import TREE_NATIVES
from interpreter.engine import budget


def _bits(maker: BuiltIns, args: list[Value]) -> Value:
    kind, at = maker.plain(args[0])
    if isinstance(args[0].kind, Known):
        return known(tuple(n for n in range(args[0].kind.value.bit_length()) if args[0].kind.value >> n & 1))
    if kind.low < 0:
        raise NotNative("bits of a negative number")
    return Value(Bits(kind), (at,))


def _mask(maker: BuiltIns, args: list[Value]) -> Value:
    """Cards or players as bits; none is left out."""
    (of,) = args
    if isinstance(of.kind, Bits):
        return Value(of.kind.mask, of.parts)
    if of.kind == Row(None):
        return known(0)
    item = None if item_of(of.kind) is None else as_number(item_of(of.kind))  # type: ignore[arg-type]
    if item is None:
        raise NotNative("bits of what are no numbers")
    to = Number(0, (1 << min(max(item.high, 0) + 1, maker.layout.bits - 2)) - 1)
    word = maker.word(to)
    found = maker.space(word)
    maker.line(f"store {word} 0, ptr {found}")

    def add(one: Value) -> None:
        if isinstance(one.kind, Known) and one.kind.value is None:
            return
        if not isinstance(one.kind, Known) and as_number(one.kind).none:  # type: ignore[union-attr]
            maker.or_go_on(maker.asked(maker.compared("is not", one, known(None))))
        bit = maker.coerced(maker.operate("<<", known(1), one), to)
        before = maker.name_of(f"load {word}, ptr {found}")
        maker.line(f"store {word} {maker.name_of(f'or {word} {before}, {bit.at}')}, ptr {found}")

    maker.each(of, add)
    return Value(to, (maker.name_of(f"load {word}, ptr {found}"),))


def _below(maker: BuiltIns, args: list[Value]) -> Value:
    """A number from 0 to less than another, by the dice of the match."""
    if args[0].kind != STATE:
        raise NotNative("other dice")
    kind, at = maker.plain(args[1])
    maker.demand(maker.name_of(f"icmp ult i64 {at}, {1 << 30}"))
    found = maker.name_of(f"call i64 @below(ptr %s, i64 {at})")
    return Value(Number(0, min(1 << 30, max(0, kind.high - 1))), (found,))


def _shuffle(maker: BuiltIns, args: list[Value]) -> Value:
    row = args[1]
    if row.kind == Row(None):
        return known(None)
    if args[0].kind != STATE or not isinstance(row.kind, Row) or not isinstance(row.kind.item, Number):
        raise NotNative("what is shuffled")
    maker.line(f"call void @shuffle.{maker.layout.memory(row.kind.item)}(ptr %s, ptr {row.at})")
    return known(None)


def _new_frame(maker: BuiltIns, args: list[Value]) -> Value:
    """A frame of a stage, where none of the stack lies."""
    place = maker.layout.frame
    stack = maker.field(maker.layout.fields["stack"])
    at = maker.name_of(f"call i64 @new_frame(ptr %s, ptr {stack})")
    given = [*args, *[known(None)] * (3 - len(args))]
    values = {"stage": given[0], "pc": given[1] if len(args) > 1 else known(0), "args": given[2], "mover": known(-1),
              "saved": known(None)}  # fmt: skip
    for name in ("step", "pending", "moved", "mark", "passed"):
        values[name] = known(0)
    for name, value in values.items():
        maker.store(value, maker.frame_field(at, place[name]), place[name].kind, inner=True)
    return Value(FRAME, (at,))


def _put(maker: BuiltIns, args: list[Value]) -> Value:
    """Lay down a result of the match. Its number is known, or comes from a loop over the players."""
    at, number = maker.plain(args[1])[1], maker.number(args[2])
    row = maker.name_of(f"load ptr, ptr {maker.own('out')}")
    where = maker.name_of(f"getelementptr i64, ptr {row}, i64 {at}")
    maker.line(f"store i64 {maker.resized(number[1], number[0], Number(0, 1))}, ptr {where}")
    return known(None)


def _get(maker: BuiltIns, args: list[Value]) -> Value:
    """The next number that the match was given; stops where there is none left, or it is out of its bounds."""
    (low, high), kinds = args[1:], [as_number(value.kind) for value in args[1:]]
    read = maker.own("read")
    at = maker.name_of(f"load i64, ptr {read}")
    given = maker.name_of(f"load i64, ptr {maker.own('given')}")
    maker.demand(maker.name_of(f"icmp ult i64 {at}, {given}"))
    maker.line(f"store i64 {maker.name_of(f'add i64 {at}, 1')}, ptr {read}")
    row = maker.name_of(f"load ptr, ptr {maker.own('in')}")
    word = maker.name_of(f"load i64, ptr {maker.name_of(f'getelementptr i64, ptr {row}, i64 {at}')}")
    if low.kind == Known(None):
        fine = maker.name_of(f"icmp sge i64 {word}, {-MOST}")
        none = maker.name_of(f"icmp eq i64 {word}, {NONE}")
        maker.demand(maker.name_of(f"or i1 {fine}, {none}"))
        maker.demand(maker.name_of(f"icmp sle i64 {word}, {MOST}"))
        return Value(Number(-MOST, MOST, none=True), (word,))
    if kinds[0] is None or kinds[1] is None or kinds[0].wide or kinds[1].wide:
        raise NotNative("the bounds of what is given")
    maker.demand(maker.name_of(f"icmp sge i64 {word}, {maker.plain(low)[1]}"))
    maker.demand(maker.name_of(f"icmp sle i64 {word}, {maker.plain(high)[1]}"))
    return Value(Number(kinds[0].low, kinds[1].high), (word,))


def _taken_below(maker: BuiltIns, args: list[Value]) -> Value:
    """A number from 0 to less than another, by the dice of who thinks."""
    kind, at = maker.plain(args[1])
    maker.demand(maker.name_of(f"icmp ult i64 {at}, {1 << 30}"))
    half = maker.name_of("call i64 @taken(ptr %s)")
    found = maker.name_of(f"lshr i64 {maker.name_of(f'mul i64 {half}, {at}')}, 32")
    return Value(Number(0, min(1 << 30, max(0, kind.high - 1))), (found,))


def _ask(maker: BuiltIns, args: list[Value]) -> Value:
    """What is asked of none is none."""
    of, what = args[0], args[1:]
    if any(value.kind == Known(None) for value in what):
        return known(None)
    there = "true"
    for value in what:
        test = maker.asked(maker.compared("is not", value, known(None)))
        there = test if there == "true" else there if test == "true" else maker.name_of(f"and i1 {there}, {test}")
    sure = [maker.surely(value) for value in what]
    return maker.choose(there, lambda: maker.call(of, sure, {}), lambda: known(None))


def _holds(maker: BuiltIns, args: list[Value]) -> Value:
    """A number of none never holds in a comparison."""
    found = _ask(maker, args)
    return maker.flag(maker.truth(found))


def _sets_from(maker: BuiltIns, args: list[Value]) -> Value:
    return maker.subsets(args[0], args[1:])


def _each_of(maker: BuiltIns, args: list[Value]) -> Value:
    """A set whose members are counted before they are gone through."""
    of, items, steps = args
    many = maker.operate("+", known(1), maker.operate("*", maker.length(items), steps))
    maker.call(known(budget.charge), [of, many], {})
    return items


def _any_number(maker: BuiltIns, args: list[Value]) -> Value:
    return maker.coerced(args[0], Number(-1, 1 << 30))


def _nothing(maker: BuiltIns, args: list[Value]) -> Value:
    return known(None)


NATIVE: dict[str, Callable[[BuiltIns, list[Value]], Value]] = {
    "bits": _bits, "mask_of": _mask, "mask_of_packet": _mask, "below": _below, "shuffle": _shuffle, "Frame": _new_frame,
    "sets_from": _sets_from, "each_of": _each_of, "say_plain": lambda maker, args: Value(UNTOLD), "put": _put,
    "get": _get, "taken_below": _taken_below, "ask": _ask, "holds": _holds, "take_card": _nothing,
    "take_shuffle": _nothing, "take_chance": _nothing, "any_number": _any_number, "lay_down": written,
    "lay_down_cards": cards_written,
    **MELD_NATIVES, **HABIT_NATIVES, **TREE_NATIVES,
}  # fmt: skip
"""Name of a function of the engine -> what it does."""
