"""What machine code tells of a match: words that are laid down one after the other, behind how many there are."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler.native.built_in import BuiltIns
from interpreter.compiler.native.native_kinds import (
    NOTHING,
    Bits,
    Group,
    Known,
    Number,
    Row,
    Span,
    Subsets,
    Value,
    known,
)
from interpreter.compiler.native.not_native import NotNative
from interpreter.compiler.native.stepping import ROOM


def written(maker: BuiltIns, args: list[Value]) -> Value:
    """What `lay_down` stands for."""
    _write(maker, args[1])
    return NOTHING


def cards_written(maker: BuiltIns, args: list[Value]) -> Value:
    """What `lay_down_cards` stands for."""
    kind = Number(0, (1 << maker.layout.cards) - 1)
    mask, word = maker.coerced(args[1], kind).at, maker.word(kind)
    for at in range(0, maker.layout.bits if kind.wide else 64, 64):
        if word == "i64":
            _put(maker, mask)
        else:
            shifted = maker.name_of(f"lshr {word} {mask}, {at}")
            _put(maker, maker.name_of(f"trunc {word} {shifted} to i64"))
    return NOTHING


def _write(maker: BuiltIns, value: Value) -> None:
    each_word(maker, value, lambda word: _put(maker, word))


def each_word(maker: BuiltIns, value: Value, put: Callable[[str], None]) -> None:
    """The words of a value, one after the other: a number or none, or how many members there are and then these."""
    is_list = isinstance(value.kind, Row | Group | Bits | Span | Subsets)
    if is_list or (isinstance(value.kind, Known) and isinstance(value.kind.value, tuple | list | range)):
        members = maker.members(value) if isinstance(value.kind, Group) else None
        each_word(maker, known(len(members)) if members is not None else maker.length(value), put)
        maker.each(value, lambda one: each_word(maker, one, put))
        return
    kind, at = maker.number(value)
    if kind.wide:
        raise NotNative("a number that is too large is laid down")
    if kind.text:  # texts are numbers that nobody can read outside
        at = maker.plain(value)[1]
    put(at)


def _put(maker: BuiltIns, word: str) -> None:
    row = maker.name_of(f"load ptr, ptr {maker.own('out')}")
    used = maker.name_of(f"load i64, ptr {row}")
    maker.demand(maker.name_of(f"icmp ult i64 {used}, {ROOM}"))
    more = maker.name_of(f"add i64 {used}, 1")
    maker.line(f"store i64 {word}, ptr {maker.name_of(f'getelementptr i64, ptr {row}, i64 {more}')}")
    maker.line(f"store i64 {more}, ptr {row}")
