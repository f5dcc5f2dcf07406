"""What functions that try any move call of the tree of a decision; see `search_tree` for the tree."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler.native.built_in import BuiltIns
from interpreter.compiler.native.habit_book import MOST_KEYS
from interpreter.compiler.native.native_kinds import FLAG, NOTHING, Number, Value


def _climbs(maker: BuiltIns, args: list[Value]) -> Value:
    return Value(FLAG, (maker.name_of("call i64 @tree_climbs(ptr %s)"),))


def _leave(maker: BuiltIns, args: list[Value]) -> Value:
    maker.line("call void @tree_leave(ptr %s)")
    return NOTHING


def _reach(maker: BuiltIns, args: list[Value]) -> Value:
    maker.line(f"call void @tree_reach(ptr %s, i64 {maker.plain(args[1])[1]})")
    return NOTHING


def _follow(maker: BuiltIns, args: list[Value]) -> Value:
    maker.line("call void @tree_follow(ptr %s)")
    return NOTHING


def _fresh_nodes(maker: BuiltIns, args: list[Value]) -> Value:
    return Value(Number(0, MOST_KEYS), (maker.name_of("call i64 @tree_fresh(ptr %s)"),))


def _nth_fresh(maker: BuiltIns, args: list[Value]) -> Value:
    number = maker.plain(args[1])[1]
    return Value(Number(0, MOST_KEYS), (maker.name_of(f"call i64 @tree_nth(ptr %s, i64 {number})"),))


def _best_node(maker: BuiltIns, args: list[Value]) -> Value:
    return Value(Number(0, MOST_KEYS), (maker.name_of("call i64 @tree_best(ptr %s)"),))


def _take(maker: BuiltIns, args: list[Value]) -> Value:
    player, at = (maker.plain(arg)[1] for arg in args[1:])
    maker.line(f"call void @tree_take(ptr %s, i64 {player}, i64 {at})")
    return NOTHING


TREE_NATIVES: dict[str, Callable[[BuiltIns, list[Value]], Value]] = {
    "climbs": _climbs, "leave": _leave, "reach": _reach, "follow": _follow, "fresh_nodes": _fresh_nodes,
    "nth_fresh": _nth_fresh, "best_node": _best_node, "take": _take,
}  # fmt: skip
"""Name of a function -> what it does."""
