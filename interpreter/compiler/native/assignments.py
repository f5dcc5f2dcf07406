"""What is set and changed in native code: locals, fields of the match, places, variables and members of lists."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from interpreter.compiler.native.calls import Calls
from interpreter.compiler.native.expressions import OPERATORS
from interpreter.compiler.native.native_kinds import (
    ANSWERS,
    LENGTH,
    PIECES,
    SLOTS,
    STATE,
    ZONES,
    FrameKind,
    Known,
    Row,
    Value,
    joined,
    known,
)
from interpreter.compiler.native.not_native import NotNative
from interpreter.compiler.native.sources import base_of, fact, is_printed, within


class Assignments(Calls):
    """What is set."""

    changed: frozenset[str]
    """The locals whose lists are changed where they are."""
    assigned: frozenset[str]
    """What is set to something else in the function."""

    def _assign(self, targets: Sequence[ast.expr], node: ast.expr) -> None:
        if isinstance(targets[0], ast.Name) and targets[0].id == "key" and is_printed(self.function):
            return  # under which an answer is kept: here none is
        if len(targets) == 1 and isinstance(targets[0], ast.Tuple) and isinstance(node, ast.Tuple):
            if not any(isinstance(part, ast.Starred) for part in (*node.elts, *targets[0].elts)):
                values = [self._kept(target, part) for target, part in zip(targets[0].elts, node.elts, strict=True)]
                if not all(isinstance(target, ast.Name) for target in targets[0].elts):
                    values = [self._apart(value) for value in values]
                for target, part, value in zip(targets[0].elts, node.elts, values, strict=True):
                    self._lay(target, value, part)
                return
        value = self._kept(targets[0], node)
        for target in reversed(targets):
            self._lay(target, value, node)

    def _kept(self, target: ast.expr, node: ast.expr) -> Value:
        """What a local is to hold: a list that stays where it is, or one of its own where that is set anew."""
        value = self.value(node)
        if not isinstance(value.kind, Row) or value.kind.item is None or not isinstance(target, ast.Name):
            return value
        if target.id in self.changed:
            return value
        if isinstance(node, ast.Name) and node.id not in self.changed:
            return self.listed(value)  # what is laid into the other local later must not be seen in this one
        if not isinstance(node, ast.Attribute | ast.Subscript | ast.IfExp):
            return value
        read = fact(node, "·read", lambda: _read(node))
        return self.listed(value) if read & self.assigned else value

    def _apart(self, value: Value) -> Value:
        return self.listed(value) if isinstance(value.kind, Row) and value.kind.item is not None else value

    def _lay(self, target: ast.expr, value: Value, node: ast.expr | None) -> None:
        match target:
            case ast.Name(id=name):
                if isinstance(value.kind, Known) and isinstance(value.kind.value, list):
                    value = self.listed(value)
                self.set_local(name, value)
                self._note(name, value)
            case ast.Tuple(elts=[ast.Starred(value=ast.Name(id=name))]):
                self.set_local(name, value if isinstance(value.kind, Known) else self.listed(value))
                self.narrowed.pop(name, None)
            case ast.Tuple(elts=[*elts, ast.Starred(value=rest)]):
                for at, part in enumerate(elts):
                    self._lay(part, self.item(value, known(at)), None)
                self._lay(rest, self.part(value, known(len(elts)), None), None)
            case ast.Tuple(elts=elts):
                for part, item in zip(elts, self.taken_apart(value, len(elts)), strict=True):
                    self._lay(part, item, None)
            case ast.Attribute():
                pointer = self._set_field(self.value(target.value), target.attr, value)
                self._follow(node, pointer)
            case ast.Subscript():
                pointer = self._set_item(self.value(target.value), target.slice, value)
                self._follow(node, pointer)
            case _:
                raise NotNative("a target of this form")

    def _follow(self, node: ast.expr | None, row: Value | None) -> None:
        """A local whose list was laid down somewhere is that list from now on."""
        if row is not None and isinstance(node, ast.Name) and node.id in self.locals and node.id in self.kinds:
            self.set_local(node.id, row)

    def _set_field(self, of: Value, name: str, value: Value) -> Value | None:
        if isinstance(of.kind, FrameKind) and name in self.layout.frame:
            place = self.layout.frame[name]
            self.store(value, self.frame_field(of.at, place), place.kind, inner=True)
            return None
        if of.kind == STATE and name in self.layout.fields:
            place = self.layout.fields[name]
            pointer = self.field(place)
            self.store(value, pointer, place.kind)
            return Value(place.kind, (pointer,)) if isinstance(place.kind, Row) else None
        if of.kind == STATE and name in self.layout.known:
            kind = Known(()) if value.kind == Row(None) else value.kind  # a list that holds nothing
            if self.layout.known[name] == kind:
                return None
        raise NotNative(f"'{name}' of {of.kind} is set")

    def _set_item(self, of: Value, part: ast.expr, value: Value) -> Value | None:
        if isinstance(part, ast.Slice):
            self._set_part(of, part, value)
            return None
        if of.kind == ANSWERS:
            return None
        at = self.value(part)
        if of.kind in (ZONES, SLOTS):
            with self.by(part):
                pointer, kind, word = self.where(of, at)
            self.store(value, pointer, kind, word)
            return Value(kind, (pointer,)) if isinstance(kind, Row) else None
        if of.kind == PIECES:
            place = self.pieces_of(at)
            self.store(value, self.field(place), place.kind)
            return None
        if isinstance(of.kind, Row) and of.kind.item is not None:
            index = self.index_in(self.length(of), at)
            self.store(value, self.place_of(of, index), of.kind.item, inner=True)
            return None
        raise NotNative(f"an item of {of.kind} is set")

    def _set_part(self, of: Value, part: ast.Slice, value: Value) -> None:
        ends = [None if end is None else self.value(end) for end in (part.lower, part.upper)]
        if of.kind in (ZONES, SLOTS):
            places = self.span_of(*ends)
            for number, place in enumerate(places):
                pointer, kind, word = self.where(of, known(place))
                self.store(self.item(value, known(number)), pointer, kind, word)
            return
        if not isinstance(of.kind, Row) or of.kind.item is None:
            raise NotNative("a part of something is set")
        start = known(0) if ends[0] is None else ends[0]
        if ends[1] is not None and ends[1].kind != start.kind and ends[1].parts != start.parts:
            if not (isinstance(start.kind, Known) and start.kind.value == 0 and ends[1].kind == Known(0)):
                raise NotNative("a part of a list is exchanged")
        row = self.listed(value)
        if row.kind == Row(None):
            return
        size = self.length(row)
        self._counted(size, lambda at: self.insert(of, self.operate("+", start, at), self.item_at(row, at.at)))

    def _delete(self, of: Value, part: ast.expr) -> None:
        if isinstance(of.kind, Row) and of.kind.item is not None and isinstance(part, ast.Slice) and part.upper is None:
            size = self.length(of)
            start = self._bound(None if part.lower is None else self.value(part.lower), size, known(0))
            self.line(f"store {LENGTH} {self.name_of(f'trunc i64 {start} to {LENGTH}')}, ptr {of.at}")
            return
        raise NotNative("a part is taken out")

    def _update(self, node: ast.AugAssign) -> None:
        op = OPERATORS.get(type(node.op))
        if op is None:
            raise NotNative("an operator")
        if isinstance(node.target, ast.Name):
            before, added = self.value(node.target), self.value(node.value)
            again = self.narrowed.pop(node.target.id, None) is None  # it may have been through here before
            if isinstance(before.kind, Row):
                if before.kind.item is None:
                    self.set_local(node.target.id, self.listed(added))
                else:
                    self.each(added, lambda item: self._add_to(node.target, before, item))
                return
            self.set_local(node.target.id, self._changed_value(op, before, node.value, added), again and op in "+-")
            return
        if isinstance(node.target, ast.Attribute):
            of = self.value(node.target.value)
            before = self.attribute(of, node.target.attr)
            if isinstance(before.kind, Row):
                self.each(self.value(node.value), lambda item: self.append(before, item))
                return
            self._set_field(of, node.target.attr, self._changed_value(op, before, node.value, None))
            return
        if isinstance(node.target, ast.Subscript) and not isinstance(node.target.slice, ast.Slice):
            self._update_item(op, node.target, node.value)
            return
        raise NotNative("a change of this form")

    def _add_to(self, target: ast.expr, row: Value, item: Value) -> None:
        assert isinstance(target, ast.Name) and isinstance(row.kind, Row) and row.kind.item is not None
        if joined(row.kind.item, item.kind) != row.kind.item:
            row = self.grown(target.id, joined(row.kind.item, self.loose(item.kind)))
        self.append(row, item)

    def _changed_value(self, op: str, before: Value, node: ast.expr, added: Value | None) -> Value:
        if op == "&" and isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            return self._without_bits(before, self.value(node.operand))
        added = self.value(node) if added is None else added
        if op == "+" and isinstance(before.kind, Known) and isinstance(before.kind.value, tuple):
            return self.chained([before, added])
        return self.operate(op, before, added)

    def _update_item(self, op: str, target: ast.Subscript, node: ast.expr) -> None:
        of, at = self.value(target.value), self.value(target.slice)
        if of.kind in (ZONES, SLOTS):
            with self.by(target.slice):
                pointer, kind, word = self.where(of, at)
            before = self.load(pointer, kind, word)
            if isinstance(kind, Row):
                self.each(self.value(node), lambda item: self.append(before, item))
                return
            self.store(self._changed_value(op, before, node, None), pointer, kind, word)
            return
        if isinstance(of.kind, Row) and of.kind.item is not None:
            index = self.index_in(self.length(of), at)
            pointer = self.place_of(of, index)
            self.store(self._changed_value(op, self.load(pointer, of.kind.item), node, None), pointer, of.kind.item)
            return
        raise NotNative(f"an item of {of.kind} is changed")


def _read(node: ast.expr) -> set[str]:
    return {base_of(part) for part in within(node) if isinstance(part, ast.Attribute | ast.Subscript)}
