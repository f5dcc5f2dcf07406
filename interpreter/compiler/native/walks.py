"""Comprehensions and loops in native code: what is gone through, and the names that its members have."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from interpreter.compiler.native.branches import Branches
from interpreter.compiler.native.flat_state import Family
from interpreter.compiler.native.native_kinds import (
    SLOTS,
    ZONES,
    Bits,
    FrameKind,
    Group,
    Kind,
    Known,
    Maybe,
    Number,
    Row,
    Value,
    as_number,
    joined,
    known,
)
from interpreter.compiler.native.not_native import NotNative
from interpreter.compiler.native.sources import fact, within

Comprehension = ast.GeneratorExp | ast.ListComp


class Walks(Branches):
    """What is gone through."""

    def comprehension(self, node: ast.ListComp) -> Value:
        name = f"list@{node.lineno}:{node.col_offset}:{node.end_col_offset}"
        made: list[Value] = []

        def write() -> None:
            row = self.kinds.setdefault(name, Row(None))
            assert isinstance(row, Row)
            self.turns[-1].read.add(name)
            own = self.new_row(row.item) if row.item is not None else Value(row, ("null",))
            made.append(own)

            def add(item: Value) -> None:
                kind = self.kinds[name]
                assert isinstance(kind, Row)
                new = self.loose(item.kind if kind.item is None else joined(kind.item, item.kind))
                if new != kind.item:
                    self.learn(name, Row(self.widened(new)))
                if own.kind == self.kinds[name]:
                    self.append(own, item)

            self.walk(node, add)

        self.turned(write)
        return made[-1]

    def walk(self, node: Comprehension, body: Callable[[Value], None]) -> None:
        """Go through what a comprehension makes. Raises NotNative."""
        self.walk_to(node, list(node.generators), lambda: body(self.value(node.elt)))

    def walk_to(self, node: Comprehension, left: list[ast.comprehension], body: Callable[[], None]) -> None:
        """Go through what a comprehension goes through, from some of its loops on. Raises NotNative."""
        if not left:
            body()
            return
        of = left[0]

        def inside(item: Value) -> None:
            with self.naming(of.target, node):
                self.bind_member(of.target, item)
                for test in of.ifs:
                    self._or_go_on_if(test)
                if not self.dead:
                    self.walk_to(node, left[1:], body)

        self.go_through(of.iter, inside, self.asked_by(of.target, node))

    def asked_by(self, target: ast.expr, node: ast.AST) -> list[Family]:
        """The places and variables of which one is asked for by the variable of a loop, which node is."""
        if not isinstance(target, ast.Name):
            return []
        kinds = set(map(self._held_by, fact(target, "·bases", lambda: _bases_of(target.id, node))))
        return [self.layout.families[of.name] for of in (ZONES, SLOTS) if of in kinds]

    def _held_by(self, node: ast.expr) -> Kind | None:
        try:
            return self.value(node).kind if isinstance(node, ast.Name | ast.Attribute) else None
        except NotNative:
            return None

    def or_go_on(self, test: str) -> None:
        """Take the next round of the loop unless something holds. test: an i1."""
        if test == "true" or self.dead:
            return
        if test == "false":
            self.go(self.loops[-1][0])
            return
        inside = self.label()
        self.branch(test, inside, self.loops[-1][0])
        self.open_only(inside)

    def _or_go_on_if(self, node: ast.expr) -> None:
        """Take the next round of the loop unless an expression holds. Raises NotNative."""
        inside, again = self.label(), self.loops[-1][0]
        said = self.ways(node, inside, again)
        if said == "false":
            self.go(again)
        elif said in ("", "yes"):
            self.open_only(inside)

    @contextmanager
    def naming(self, target: ast.expr, node: ast.expr) -> Iterator[None]:
        """Give the variables of a comprehension locals of their own."""
        before, narrowed = dict(self.renamed), dict(self.narrowed)
        for name in within(target):
            if isinstance(name, ast.Name):
                self.renamed[name.id] = f"{name.id}@{node.lineno}:{node.col_offset}"
                self.narrowed.pop(name.id, None)
        try:
            yield
        finally:
            self.renamed, self.narrowed = before, narrowed

    def bind(self, target: ast.expr, value: Value) -> None:
        """Give names to a value or to its members. Raises NotNative."""
        if isinstance(target, ast.Name):
            self.set_local(self.renamed.get(target.id, target.id), value)
            self._note(target.id, value)
        elif isinstance(target, ast.Tuple):
            for part, item in zip(target.elts, self.taken_apart(value, len(target.elts)), strict=True):
                self.bind(part, item)
        else:
            raise NotNative("a target of a loop")

    def bind_member(self, target: ast.expr, value: Value) -> None:
        """Give a member of what is gone through its name, which is that number as long as it is set to nothing else."""
        self.bind(target, value)
        if isinstance(target, ast.Name) and isinstance(value.kind, Number):
            self.narrowed[target.id] = value

    def _note(self, name: str, value: Value) -> None:
        """What a name is known to hold from here on."""
        self.narrowed.pop(name, None)
        if holds(value.kind) and not isinstance(getattr(value.kind, "value", None), list):
            self.narrowed[name] = value

    def taken_apart(self, value: Value, number: int) -> list[Value]:
        """The members of a group, or of a list of just so many. Raises NotNative."""
        if isinstance(value.kind, Row):
            size = self.length(value)
            self.demand(self.name_of(f"icmp eq i64 {size.at}, {number}"))
            return [self.item(value, known(at)) for at in range(number)]
        found = self.members(value)
        if len(found) != number:
            raise NotNative("a group of another size")
        return found

    def go_through(self, node: ast.expr, body: Callable[[Value], None], asked: Sequence[Family] = ()) -> None:
        """Do something with each member of what an expression says. asked: as of `each`. Raises NotNative."""
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            self.walk(node, body)
            return
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in self.locals:
            match node.func.id:
                case "enumerate":
                    self._numbered(node, body)
                    return
                case "zip":
                    self._side_by_side(node, body)
                    return
                case "map":
                    function = self.value(node.args[0])
                    self.go_through(node.args[1], lambda item: body(self.mapped(function, item)))
                    return
                case "reversed":
                    self._backwards(self.value(node.args[0]), body)
                    return
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and node.slice.step is None:
            of = self.value(node.value)
            ends = [None if end is None else self.value(end) for end in (node.slice.lower, node.slice.upper)]
            low, high = ends
            if of.kind in (ZONES, SLOTS) and low is not None and high is not None:
                self._places(of, low, high, body)
                return
        self.each(self.value(node), body, asked)

    def _places(self, of: Value, low: Value, high: Value, body: Callable[[Value], None]) -> None:
        """Go through neighbouring places or variables."""
        if isinstance(low.kind, Known) and isinstance(high.kind, Known):
            for at in range(low.kind.value, high.kind.value):
                self._unrolled([self.place(of, known(at))], body)
            return
        (first, a), (last, b) = self.plain(low), self.plain(high)
        self._counted(Value(last, (b,)), lambda at: body(self.place(of, at)), Value(first, (a,)))

    def mapped(self, function: Value, item: Value) -> Value:
        """What a function says of a member."""
        if isinstance(function.kind, Known) and function.kind.value is len:
            return self.length(item)
        return self.call(function, [item], {})

    def _numbered(self, node: ast.Call, body: Callable[[Value], None]) -> None:
        self._together([None, self.value(node.args[0])], body)

    def _side_by_side(self, node: ast.Call, body: Callable[[Value], None]) -> None:
        self._together([self.value(arg) for arg in node.args], body)

    def _together(self, values: list[Value | None], body: Callable[[Value], None]) -> None:
        """Go through lists side by side, as far as the shortest goes; none stands for the numbers from 0."""
        values = [self.listed(v) if v is not None and isinstance(v.kind, Bits) else v for v in values]
        own = [value for value in values if value is not None]
        sizes = [self.length(value) for value in own]
        fixed = [s.kind.value for s in sizes if isinstance(s.kind, Known)]
        if fixed and all(isinstance(v.kind, Known | Group) for v in own):
            self._unrolled(
                [
                    self.grouped([known(at) if v is None else self.item(v, known(at)) for v in values])
                    for at in range(min(fixed))
                ],
                body,
            )
            return
        if fixed and any(self._differ(v) for v in own):
            self._unrolled_to(values, sizes, min(fixed), body)
            return
        if fixed and not min(fixed):
            return
        least = sizes[0]
        for size in sizes[1:]:
            (one, a), (two, b) = self.plain(least), self.plain(size)
            found = self.name_of(f"call i64 @llvm.smin.i64(i64 {a}, i64 {b})")
            least = Value(Number(min(one.low, two.low), min(one.high, two.high)), (found,))

        def turn(at: Value) -> None:
            body(self.grouped([at if v is None else self._sure_item(v, at) for v in values]))

        self._counted(least, turn)

    def _differ(self, value: Value) -> bool:
        """Whether known members have to be looked at one by one."""
        return isinstance(value.kind, Known) and any(as_number(Known(item)) is None for item in value.kind.value)

    def _unrolled_to(
        self, values: list[Value | None], sizes: list[Value], number: int, body: Callable[[Value], None]
    ) -> None:
        after = self.label()
        for at in range(number):
            self.module.gives()
            again = self.label()
            for size in sizes:
                self._leave_unless(self.asked(self.compared("<", known(at), size)), after)
            self.loops.append((again, after))
            body(self.grouped([known(at) if v is None else self._sure_item(v, known(at)) for v in values]))
            self.loops.pop()
            self.open(again)
        self.open(after)

    def _leave_unless(self, test: str, after: str) -> None:
        if test == "true" or self.dead:
            return
        inside = self.label()
        self.branch(test, inside, after)
        self.open_only(inside)

    def _sure_item(self, value: Value, at: Value) -> Value:
        """A member by a number that is in bounds."""
        if isinstance(value.kind, Row) and value.kind.item is not None:
            _, number = self.plain(at)
            return self.item_at(value, number)
        return self.item(value, at)

    def _backwards(self, value: Value, body: Callable[[Value], None]) -> None:
        if isinstance(value.kind, Known):
            self.each(known(tuple(reversed(value.kind.value))), body)
            return
        row = value if isinstance(value.kind, Row) else self.listed(value)
        if row.kind == Row(None):
            return
        size = self.length(row)
        last = self.operate("-", size, known(1))
        self._counted(size, lambda at: body(self.item_at(row, self.operate("-", last, at).at)))


def holds(kind: Kind) -> bool:
    """Whether a name can stand for a value itself, as for a number, and need not be where a local lies."""
    match kind:
        case Known() | Number() | FrameKind() | Bits():
            return True
        case Group(items):
            return all(map(holds, items))
        case Maybe(of):
            return holds(of)
    return False


def _bases_of(name: str, node: ast.AST) -> list[ast.expr]:
    """Of what members are asked by a local."""
    parts = [part for part in within(node) if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Name)]
    return [part.value for part in parts if part.slice.id == name]  # type: ignore[attr-defined]
