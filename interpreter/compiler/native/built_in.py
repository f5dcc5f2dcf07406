"""What is built into Python, in native code."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from interpreter.compiler.native.expressions import UNTOLD
from interpreter.compiler.native.native_kinds import (
    FLAG,
    Bits,
    Group,
    Kind,
    Known,
    Maybe,
    Number,
    Row,
    Span,
    Value,
    known,
)
from interpreter.compiler.native.native_subsets import Choices
from interpreter.compiler.native.not_native import NotNative


@lru_cache(maxsize=1024)
def _numbers(*ends: int) -> tuple[int, ...]:
    """The same tuple each time: known tuples are told apart by what they are, not by what they hold."""
    return tuple(range(*ends))


class BuiltIns(Choices):
    """Functions that are built in."""

    def sum_of(self, node: ast.Call) -> Value:
        (of,) = node.args
        return self.summed(lambda add: self.go_through(of, add), 0)

    def some_or_all(self, node: ast.Call, some: bool) -> Value:
        """`any` and `all`."""
        found, ended = self.space("i64"), [False]
        self.line(f"store i64 {int(not some)}, ptr {found}")

        def look(item: Value) -> None:
            if self.dead:
                return
            test = self.asked(item)
            if test == ("false" if some else "true"):
                return
            hit, on = self.label(), self.label()
            if test in ("true", "false"):
                self.go(hit)
            elif some:
                self.branch(test, hit, on)
            else:
                self.branch(test, on, hit)
            ended[0] = True
            self.open_only(hit)
            self.line(f"store i64 {int(some)}, ptr {found}")
            self.go(self.outermost[-1])
            if test not in ("true", "false"):
                self.open_only(on)

        out = self.label()
        self.outermost.append(out)
        self.go_through(node.args[0], look)
        self.outermost.pop()
        self.open(out)
        if not ended[0]:
            return known(not some)
        return Value(FLAG, (self.name_of(f"load i64, ptr {found}"),))

    def begin(self) -> None:
        super().begin()
        self.outermost: list[str] = []
        """Where those loops end that look for one thing only."""

    def first(self, node: ast.Call) -> Value:
        """`next` of what is gone through, or what is there if there is none."""
        if not isinstance(node.args[0], ast.GeneratorExp):
            raise NotNative("'next' of this form")
        name = f"next@{node.lineno}:{node.col_offset}"
        if len(node.args) > 1:
            self.set_local(name, self.value(node.args[1]))
        out = self.label()
        self.outermost.append(out)

        def take(item: Value) -> None:
            if not self.dead:
                self.set_local(name, item)
                self.go(self.outermost[-1])

        self.walk(node.args[0], take)
        self.outermost.pop()
        if len(node.args) == 1:
            self.fault()
        self.open(out)
        return self.local(name)

    def extreme(self, node: ast.Call, op: str) -> Value:
        """`min` and `max`, of members or of arguments."""
        words = {word.arg: word.value for word in node.keywords}
        key = self._by(words["key"]) if "key" in words else None
        name = f"best@{node.lineno}:{node.col_offset}"
        there = self.space("i64")
        self.line(f"store i64 0, ptr {there}")

        def look(item: Value) -> None:
            if self.dead:
                return
            own = item if key is None else key(item)
            row = Row(self.loose(item.kind.item)) if isinstance(item.kind, Row) and item.kind.item else None
            if name not in self.kinds:
                self.learn(name, row or item.kind)
                self.learn(name + "·key", own.kind)
            better, on, compare = self.label(), self.label(), self.label()
            flag = self.name_of(f"load i64, ptr {there}")
            self.branch(self.name_of(f"icmp eq i64 {flag}, 0"), better, compare)
            self.open_only(compare)
            pair = (own, self.local(name + "·key"))
            self.branch(self.less(*(pair if op == "<" else pair[::-1])), better, on)
            self.open_only(better)
            self.set_local(name, item if row is None else self.listed(item))
            self.set_local(name + "·key", own)
            self.line(f"store i64 1, ptr {there}")
            self.open(on)

        if len(node.args) > 1:
            for arg in node.args:
                look(self.value(arg))
        else:
            self.go_through(node.args[0], look)
        flag = self.name_of(f"load i64, ptr {there}")
        found = self.name_of(f"icmp ne i64 {flag}, 0")
        if "default" not in words:
            self.demand(found)
            return self.local(name)
        if name not in self.kinds:
            return self.value(words["default"])
        return self.choose(found, lambda: self.local(name), lambda: self.value(words["default"]))

    def listed_all(self, node: ast.Call) -> Value:
        """`list` and `tuple` of what is gone through."""
        if not node.args:
            return Value(Row(None), ("null",))
        (of,) = node.args
        if isinstance(of, ast.GeneratorExp):
            return self.comprehension(ast.copy_location(ast.ListComp(of.elt, of.generators), of))
        if isinstance(of, ast.Call) and isinstance(of.func, ast.Name) and of.func.id in ("reversed", "zip", "map"):
            item = ast.Name("·item", ast.Load())
            made = ast.ListComp(item, [ast.comprehension(ast.Name("·item", ast.Store()), of, [], 0)])
            return self.comprehension(ast.fix_missing_locations(ast.copy_location(made, node)))
        value = self.value(of)
        if isinstance(value.kind, Known) and isinstance(node.func, ast.Name) and node.func.id == "tuple":
            return known(tuple(value.kind.value))
        if isinstance(value.kind, Row) and isinstance(node.func, ast.Name) and node.func.id == "tuple":
            return self.listed(value)
        return self.listed(value)

    def sorted_all(self, node: ast.Call) -> Value:
        key = next((word.value for word in node.keywords if word.arg == "key"), None)
        row = self.listed_all(ast.copy_location(ast.Call(ast.Name("list", ast.Load()), node.args[:1], []), node))
        if any(word.arg == "reverse" for word in node.keywords):
            raise NotNative("an order turned round")
        if row.kind != Row(None):
            self.sort(row, None if key is None else self._by(key))
        return row

    def spanned(self, node: ast.Call) -> Value:
        """`range`."""
        ends = [self.value(arg) for arg in node.args]
        if all(isinstance(end.kind, Known) for end in ends):
            return known(_numbers(*(end.kind.value for end in ends)))  # type: ignore[attr-defined]
        if len(ends) == 3:
            if ends[2].kind == Known(-1):
                return self._falling(ends[0], ends[1])
            raise NotNative("a range with steps")
        (low, a), (high, b) = self.plain(ends[0] if len(ends) == 2 else known(0)), self.plain(ends[-1])
        return Value(Span(low, high), (a, b))

    def _falling(self, high: Value, low: Value) -> Value:
        """The numbers from one down to above another, as a list."""
        (top, _), (bottom, _) = self.plain(high), self.plain(low)
        if top.high - bottom.low > 4096:
            raise NotNative("a long range downwards")
        own = self.new_row(Number(min(bottom.low + 1, top.low), top.high), max(1, top.high - bottom.low))
        size = self.operate("-", high, low)
        self._counted(size, lambda at: self.append(own, self.operate("-", high, at)))
        return own

    def kind_is(self, node: ast.Call) -> Value:
        """`isinstance`, and whether the type of something is one that is named."""
        value, wanted = self.value(node.args[0]), self.value(node.args[1])
        if not isinstance(wanted.kind, Known):
            raise NotNative("a type that is not known")
        return self._is_of(value, wanted.kind.value)

    def _is_of(self, value: Value, wanted: Any) -> Value:
        if isinstance(value.kind, Known):
            return known(isinstance(value.kind.value, wanted))
        types = self.types_of(value.kind)
        wants = wanted if isinstance(wanted, tuple) else (wanted,)
        hits = {any(issubclass(one, want) for want in wants) for one in types}
        if len(hits) == 1:
            return known(hits.pop())
        raise NotNative("a type that is found out in play")

    def types_of(self, kind: Kind) -> set[type]:
        """The types of Python that values of a kind can have."""
        match kind:
            case Number(low, high, none, text):
                found: set[type] = {int} if low <= high else set()
                return found | ({type(None)} if none else set()) | ({str} if text else set())
            case Row():
                return {list}
            case Bits() | Group():
                return {tuple}
            case Maybe(of):
                return {type(None)} | self.types_of(of)
        raise NotNative(f"the type of {kind}")

    def type_of(self, node: ast.Call) -> Value:
        value = self.value(node.args[0])
        if isinstance(value.kind, Known):
            return known(type(value.kind.value))
        types = self.types_of(value.kind)
        if len(types) != 1:
            raise NotNative("a type that is found out in play")
        return known(types.pop())

    def known_set(self, node: ast.Call) -> Value:
        value = self.value(node.args[0])
        if not isinstance(value.kind, Known):
            raise NotNative("a set that is made in play")
        return known(tuple(dict.fromkeys(value.kind.value)))

    def as_flag(self, node: ast.Call) -> Value:
        return self.flag(self.test(node.args[0]))


BUILT_IN: dict[str, Callable[[BuiltIns, ast.Call], Value]] = {
    "len": lambda maker, node: maker.length(maker.value(node.args[0])), "sum": BuiltIns.sum_of,
    "any": lambda maker, node: maker.some_or_all(node, True), "all": lambda maker, node: maker.some_or_all(node, False),
    "next": BuiltIns.first, "min": lambda maker, node: maker.extreme(node, "<"),
    "max": lambda maker, node: maker.extreme(node, ">"), "list": BuiltIns.listed_all, "tuple": BuiltIns.listed_all,
    "sorted": BuiltIns.sorted_all, "range": BuiltIns.spanned, "isinstance": BuiltIns.kind_is,
    "type": BuiltIns.type_of, "set": BuiltIns.known_set, "bool": BuiltIns.as_flag,
    "str": lambda maker, node: Value(UNTOLD),
    "abs": lambda maker, node: maker.absolute(maker.value(node.args[0])),
}  # fmt: skip
