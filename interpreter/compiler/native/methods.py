"""Methods of lists, tables, bits and dice in native code."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.compiler.native.expressions import Expressions
from interpreter.compiler.native.native_kinds import (
    ANSWERS,
    DICE,
    HALVES,
    LENGTH,
    MOST,
    NOTHING,
    Bits,
    Group,
    Known,
    Number,
    OneOf,
    Row,
    Value,
    as_group,
    as_number,
    joined,
    known,
)
from interpreter.compiler.native.not_native import NotNative

HALF = Number(0, (1 << 32) - 1)


class Methods(Expressions):
    """What is asked of lists and the like, or done to them."""

    def _method(self, of: Value, name: str, node: ast.Call) -> Value | None:
        """What a method of a list, of bits or of the dice does; None if it is none of those."""
        if of.kind == HALVES and name == "pop":
            return Value(HALF, (self.name_of("call i64 @half(ptr %s)"),))
        if of.kind == ANSWERS:
            return known(None)
        if of.kind == DICE:
            return self._thrown(name, node)
        if name in ("bit_count", "bit_length") and as_number(of.kind) is not None:
            return self.counted_bits(of) if name == "bit_count" else self.bit_length(of)
        if isinstance(of.kind, Known) and isinstance(of.kind.value, str) and name == "isdigit":
            return known(of.kind.value.isdigit())
        if isinstance(of.kind, Known) and isinstance(of.kind.value, dict) and name == "get":
            return self._got(of.kind.value, [self.value(arg) for arg in node.args])
        if isinstance(of.kind, OneOf) and name == "get" and any(isinstance(k.value, dict) for k in of.kind.values):
            args = [self.value(arg) for arg in node.args]
            return self.of_each_table(of, lambda table: self.got_of(table, args))
        listed = isinstance(of.kind, Bits | Group) or (isinstance(of.kind, Known) and isinstance(of.kind.value, tuple))
        if listed and name in ("index", "count"):
            return self._found(of, name, self.value(node.args[0]))
        if isinstance(of.kind, Row):
            return self._row_method(of, name, node)
        return None

    def _thrown(self, name: str, node: ast.Call) -> Value:
        match name, node.args:
            case "draw", []:
                return known(None)
            case "below", [number]:
                return self._below(self.value(number))
            case "four_below", [number]:
                many = self.value(number)
                found = self._below(many)
                for _ in range(3):
                    found = self.operate("+", found, self._below(many))
                return found
        raise NotNative(f"the dice's '{name}'")

    def _below(self, many: Value) -> Value:
        kind, at = self.plain(many)
        if kind.low < 0 or kind.high >= 1 << 30:
            self.demand(self.name_of(f"icmp ult i64 {at}, {1 << 30}"))
        half = self.name_of("call i64 @half(ptr %s)")
        found = self.name_of(f"lshr i64 {self.name_of(f'mul i64 {half}, {at}')}, 32")
        return Value(Number(0, min(1 << 30, max(0, kind.high - 1))), (found,))

    def got_of(self, table: Value, args: list[Value]) -> Value:
        """What a known table says of a key, or else. Raises NotNative."""
        if not isinstance(table.kind, Known) or not isinstance(table.kind.value, dict):
            raise NotNative("a table that may be none")
        return self._got(table.kind.value, args)

    def _got(self, rows: dict[Any, Any], args: list[Value]) -> Value:
        """What a known table says of a key, or else."""
        otherwise = args[1] if len(args) > 1 else known(None)
        kind = args[0].kind
        if isinstance(kind, Known):
            return known(rows[kind.value]) if kind.value in rows else otherwise
        group = as_group(kind)
        if not rows:
            return otherwise
        if group is not None:
            raise NotNative("a table by groups")
        bounds = as_number(kind)
        if bounds is not None and all(isinstance(key, int) and not bounds.low <= key <= bounds.high for key in rows):
            return otherwise
        there = self.truth(self.contains(known(tuple(rows)), args[0]))
        return self.choose(there, lambda: self.item(known(rows), args[0]), lambda: otherwise)

    def _row_method(self, row: Value, name: str, node: ast.Call) -> Value | None:
        if name == "sort":
            key = next((word.value for word in node.keywords if word.arg == "key"), None)
            self.sort(row, None if key is None else self._by(key))
            return known(None)
        if row.kind == Row(None) and name in ("reverse", "clear"):
            return known(None)
        args = [self.value(arg) for arg in node.args]
        match name, args:
            case "append", [item]:
                self._append_to(node.func.value, row, item)  # type: ignore[attr-defined]
            case "pop", _:
                return self.pop(row, args[0] if args else None)
            case "insert", [at, item]:
                self.insert(row, at, item)
            case "extend", [items]:
                self.each(items, lambda item: self._append_to(node.func.value, row, item))  # type: ignore[attr-defined]
            case "remove", [item]:
                self.close_up(row, self._number_of(row, item).at)
            case "reverse", []:
                self._turn_round(row)
            case "clear", []:
                self.line(f"store {LENGTH} 0, ptr {row.at}")
            case "copy", []:
                return self.listed(row)
            case "index" | "count", [item]:
                return self._found(row, name, item)
            case _:
                return None
        return known(None)

    def _append_to(self, node: ast.expr, row: Value, item: Value) -> None:
        """Lay something at the end of a list; a local list learns what it holds."""
        assert isinstance(row.kind, Row)
        if isinstance(node, ast.Name) and node.id in self.locals:
            before = row.kind.item
            new = self.loose(item.kind) if before is None else joined(before, item.kind)
            if new != before:
                row = self.grown(node.id, self.widened(new))
        self.append(row, item)

    def _turn_round(self, row: Value) -> None:
        other = self.listed(row)
        self.line(f"store {LENGTH} 0, ptr {row.at}")
        self._backwards(other, lambda item: self.append(row, item))

    def _found(self, of: Value, name: str, item: Value) -> Value:
        """Where in a list something stands first, or how often it is there."""
        if isinstance(of.kind, Known) and isinstance(item.kind, Known):
            return known(getattr(of.kind.value, name)(item.kind.value))
        if name == "count":
            return self.summed(lambda add: self.each(of, lambda one: add(self.compared("==", one, item))), 0)
        return self._number_of(of, item)

    def _number_of(self, of: Value, item: Value, missing: Callable[[], None] | None = None) -> Value:
        """Where in a list something stands first. missing: what is done where it does not; else the match stops."""
        at, found = self.space("i64"), self.label()
        self.line(f"store i64 0, ptr {at}")

        def look(one: Value) -> None:
            on, hit = self.label(), self.label()
            self.branch(self.asked(self.compared("==", one, item)), hit, on)
            self.open_only(hit)
            self.go(found)
            self.open_only(on)
            before = self.name_of(f"load i64, ptr {at}")
            self.line(f"store i64 {self.name_of(f'add i64 {before}, 1')}, ptr {at}")

        self.each(of, look)
        (missing or self.fault)()
        self.open_only(found)
        length = self.length(of).kind
        most = length.value if isinstance(length, Known) else length.high if isinstance(length, Number) else MOST
        return Value(Number(0, max(0, most - 1)), (self.name_of(f"load i64, ptr {at}"),))

    def taken_out(self, node: ast.If) -> bool:
        """Whether a statement takes something out of a list if it is there: then it is sought once only."""
        match node:
            case ast.If(test=ast.Compare(left=ast.Name() as item, ops=[ast.In()], comparators=[ast.Name() as of]),
                        body=[ast.Expr(value=ast.Call(func=ast.Attribute(attr="remove") as called, args=[taken]))],
                        orelse=[]):  # fmt: skip
                alike = ast.dump(called.value) == ast.dump(of) and ast.dump(taken) == ast.dump(item)
            case _:
                return False
        row = self.value(of) if alike else NOTHING
        if not isinstance(row.kind, Row) or row.kind.item is None:
            return False
        after = self.label()
        self.close_up(row, self._number_of(row, self.value(item), lambda: self.go(after)).at)
        self.open(after)
        return True

    def _by(self, node: ast.expr) -> Callable[[Value], Value]:
        """What something is put in order by."""
        if isinstance(node, ast.Lambda):
            (param,) = (arg.arg for arg in node.args.args)

            def key(item: Value) -> Value:
                name = ast.Name(param, ast.Store())
                with self.naming(name, node):
                    self.bind(name, item)
                    return self.value(node.body)

            return key
        of = self.value(node)
        return lambda item: self.call(of, [item], {})

    def summed(self, go: Callable[[Callable[[Value], None]], None], low: int) -> Value:
        """The sum of numbers that are added one by one. low: the least that it can be."""
        total = self.space("i64")
        self.line(f"store i64 0, ptr {total}")
        seen: list[Number] = []

        def add(item: Value) -> None:
            kind, at = self.plain(item)
            if kind.wide:
                raise NotNative("a sum of bits")
            seen.append(kind)
            before = Value(Number(-MOST, MOST), (self.name_of(f"load i64, ptr {total}"),))
            after = self.operate("+", before, Value(kind, (at,)))
            self.line(f"store i64 {after.at}, ptr {total}")

        go(add)
        least = low if all(kind.low >= 0 for kind in seen) else -MOST
        return Value(Number(least, MOST), (self.name_of(f"load i64, ptr {total}"),))
