"""What functions that try any move call of a book of habits; see `habit_book` for the book."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler.native.built_in import BuiltIns
from interpreter.compiler.native.habit_book import COMPARED, MOST_KEYS
from interpreter.compiler.native.laying_down import each_word
from interpreter.compiler.native.native_kinds import FLAG, NOTHING, Number, Value
from interpreter.compiler.native.not_native import NotNative

HOW = Number(0, 2)


def _set(maker: BuiltIns, name: str, word: str) -> None:
    maker.line(f"store i64 {word}, ptr {maker.own(name)}")


def _begin_key(maker: BuiltIns, args: list[Value]) -> Value:
    _set(maker, "key", "0")
    return _note(maker, args)


def _note(maker: BuiltIns, args: list[Value]) -> Value:
    def add(word: str) -> None:
        before = maker.name_of(f"load i64, ptr {maker.own('key')}")
        _set(maker, "key", maker.name_of(f"call i64 @noted(i64 {before}, i64 {word})"))

    if any(getattr(value.kind, "text", False) for value in args[1:]):
        raise NotNative("a text in a key")
    each_word(maker, args[1], add)
    return NOTHING


def _begin_keys(maker: BuiltIns, args: list[Value]) -> Value:
    book = maker.name_of(f"load ptr, ptr {maker.own('book')}")
    maker.line(f"store i64 0, ptr {maker.name_of(f'getelementptr i64, ptr {book}, i64 {COMPARED}')}")
    return NOTHING


def _keep_key(maker: BuiltIns, args: list[Value]) -> Value:
    many = maker.name_of("call i64 @keep_key(ptr %s)")
    maker.demand(maker.name_of(f"icmp slt i64 {many}, {MOST_KEYS}"))
    return NOTHING


def _unknown_keys(maker: BuiltIns, args: list[Value]) -> Value:
    return Value(Number(0, MOST_KEYS), (maker.name_of("call i64 @unknown_keys(ptr %s)"),))


def _nth_unknown(maker: BuiltIns, args: list[Value]) -> Value:
    number = maker.plain(args[1])[1]
    return Value(Number(0, MOST_KEYS), (maker.name_of(f"call i64 @nth_unknown(ptr %s, i64 {number})"),))


def _best_known(maker: BuiltIns, args: list[Value]) -> Value:
    return Value(Number(0, MOST_KEYS), (maker.name_of("call i64 @best_known(ptr %s)"),))


def _remember(maker: BuiltIns, args: list[Value]) -> Value:
    player, stage = maker.plain(args[1])[1], maker.plain(args[2])[1]
    maker.line(f"call void @remembered(ptr %s, i64 {player}, i64 {stage})")
    return NOTHING


def _keep(maker: BuiltIns, args: list[Value]) -> Value:
    _set(maker, "keep", maker.plain(args[1])[1])
    return NOTHING


def _kept(maker: BuiltIns, args: list[Value]) -> Value:
    return Value(HOW, (maker.name_of(f"load i64, ptr {maker.own('keep')}"),))


def _tally(maker: BuiltIns, args: list[Value]) -> Value:
    before = maker.name_of(f"load i64, ptr {maker.own('tallied')}")
    _set(maker, "tallied", maker.name_of(f"add i64 {before}, {maker.plain(args[1])[1]}"))
    return NOTHING


def _count(maker: BuiltIns, args: list[Value]) -> Value:
    before = maker.name_of(f"load i64, ptr {maker.own('steps')}")
    _set(maker, "steps", maker.name_of(f"add i64 {before}, {maker.plain(args[1])[1]}"))
    return NOTHING


def _want_any(maker: BuiltIns, args: list[Value]) -> Value:
    _set(maker, "wanted", "0")
    return NOTHING


def _is_wanted(maker: BuiltIns, args: list[Value]) -> Value:
    key = maker.name_of("call i64 @key_made(ptr %s)")
    wanted = maker.name_of(f"load i64, ptr {maker.own('wanted')}")
    same = maker.name_of(f"icmp eq i64 {key}, {wanted}")
    any_one = maker.name_of(f"icmp eq i64 {wanted}, 0")
    same = maker.name_of(f"or i1 {same}, {any_one}")
    return Value(FLAG, (maker.name_of(f"zext i1 {same} to i64"),))


HABIT_NATIVES: dict[str, Callable[[BuiltIns, list[Value]], Value]] = {
    "begin_key": _begin_key, "note": _note, "begin_keys": _begin_keys, "keep_key": _keep_key,
    "unknown_keys": _unknown_keys, "nth_unknown": _nth_unknown, "best_known": _best_known, "remember": _remember,
    "keep": _keep, "kept": _kept, "tally": _tally, "is_wanted": _is_wanted, "want_any": _want_any, "count": _count,
}  # fmt: skip
"""Name of a function -> what it does."""
