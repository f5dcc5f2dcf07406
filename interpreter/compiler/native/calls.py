"""Calls in native code: functions are written for the kinds of their arguments."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

from interpreter.compiler.native import runtime
from interpreter.compiler.native.built_in import BUILT_IN, BuiltIns
from interpreter.compiler.native.expressions import Inline
from interpreter.compiler.native.meld_natives import WHOLE
from interpreter.compiler.native.native_kinds import (
    FLAG,
    MOST,
    NOTHING,
    STATE,
    ZONES,
    Bits,
    Group,
    Kind,
    Known,
    Maybe,
    Number,
    OneOf,
    Row,
    Span,
    Subsets,
    Value,
    as_number,
    known,
    parts_of,
)
from interpreter.compiler.native.natives import NATIVE
from interpreter.compiler.native.not_native import Never, NotNative
from interpreter.compiler.native.sources import defaults_of, fact, names_in, plain_function, tree_of, within
from interpreter.engine.position import Position

SHARED = {"take_away": ("place", "place"), "move_top": ("number", "number")}
"""Functions of the engine -> an argument that hardly matters to what is written, and what it is a number of: one
function serves many."""
MOST_INLINED = 4_096
"""Bytes of a frame that is not laid into those of others, which could call it many times."""


class Calls(BuiltIns):
    """What calls say."""

    def _call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Name) and node.func.id not in self.locals and node.func.id not in self.renamed:
            builtin = BUILT_IN.get(node.func.id)
            if builtin is not None:
                return builtin(self, node)
        split = self._several(node)
        if split is not None:
            return self._split(node, *split)
        if isinstance(node.func, ast.Attribute):
            of = self.value(node.func.value)
            method = self._method(of, node.func.attr, node)
            if method is not None:
                return method
            function = self.attribute(of, node.func.attr) if of.kind != STATE else self._own_method(node.func.attr)
            args = [Value(STATE)] if of.kind == STATE else []
        else:
            function, args = self.value(node.func), []
        last = node.args[-1] if node.args else None
        if isinstance(last, ast.Starred):
            many = self.value(last.value)
            if isinstance(many.kind, Row | Maybe) and many.kind != Row(None):
                return self._spread(function, [*args, *self._items(node.args[:-1])], many)
        args += list(self._items(node.args))
        named = {word.arg: self.value(word.value) for word in node.keywords if word.arg and word.arg != "strict"}
        return self.call(function, args, named)

    def _spread(self, of: Value, args: list[Value], many: Value) -> Value:
        """A call with the members of a list as the last arguments: as many as are wanted, the others together."""
        if isinstance(many.kind, Maybe):
            (many,) = self._there(many, many.kind.of)
        if not isinstance(many.kind, Row) or not isinstance(of.kind, Known):
            return self.call(of, [*args, *self.members(many)], {})
        code = plain_function(of.kind.value).__code__
        wanted = code.co_argcount - len(args)
        if not code.co_flags & inspect.CO_VARARGS:
            return self.call(of, [*args, *self.taken_apart(many, wanted)], {})
        args += [self.item(many, known(at)) for at in range(wanted)]
        return self._call_function(of.kind.value, args, {}, self.part(many, known(wanted), None))

    def _own_method(self, name: str) -> Value:
        found = getattr(Position, name, None)
        if found is None:
            raise NotNative(f"the state's '{name}'")
        return known(found)

    def _several(self, node: ast.Call) -> tuple[str, Value] | None:
        """A local in a call that is one of several things, or a number out of a short known list in its arguments."""
        for name in fact(node, "·named", lambda: [part.id for part in within(node) if isinstance(part, ast.Name)]):
            if name not in self.narrowed:
                own = self.renamed.get(name, name)
                kind = self.kinds.get(own) if own in self.locals or own != name else None
                if isinstance(kind, OneOf):
                    return name, self.local(own)
        return None

    def _split(self, node: ast.Call, name: str, value: Value) -> Value:
        """A call for each thing that a local can be."""
        assert isinstance(value.kind, OneOf)

        def branch(one: Known) -> Callable[[], Value]:
            def found() -> Value:
                before = dict(self.narrowed)
                self.narrowed[name] = Value(one)
                try:
                    return self._call(node)
                finally:
                    self.narrowed = before

            return found

        return self.cases(value.at, [branch(one) for one in value.kind.values])

    # ---- functions --------------------------------------------------------------------------------

    def call(self, of: Value, args: list[Value], named: dict[str, Value]) -> Value:
        if isinstance(of.kind, OneOf):
            distinct = tuple(dict.fromkeys(of.kind.values))
            places = [distinct.index(one) for one in of.kind.values]
            index = self.looked_up(self.module.table(places), len(places), of.at)
            return self.cases(index, [lambda one=one: self.call(Value(one), args, named) for one in distinct])  # type: ignore[misc]
        target: Any = self.module.twins.get(of.kind.value, of.kind.value) if isinstance(of.kind, Known) else None
        own = NATIVE.get(getattr(target, "__qualname__", "")) if _is_ours(target) else None
        for at, arg in enumerate(args):
            if isinstance(arg.kind, OneOf) and own not in WHOLE:
                return self._for_each(of, args, at, named)
        if of.kind == Known(None):
            raise Never("nothing is called")
        if isinstance(of.kind, Known) and isinstance(of.kind.value, FunctionType) and of.kind.value in self.module.idle:
            raise Never("nothing asks for it")
        if not isinstance(of.kind, Known):
            raise NotNative(f"{of.kind} is called")
        if isinstance(of.kind.value, Inline):
            return self._written_out(of.kind.value, args)
        if own is not None:
            return own(self, args)
        if getattr(target, "is_asked_beforehand", False):
            return known(target(*(arg.kind.value for arg in args if isinstance(arg.kind, Known))))
        return self._call_function(target, args, named)

    def _written_out(self, of: Inline, args: list[Value]) -> Value:
        """A function without a name, where it is called."""
        params = [arg.arg for arg in of.node.args.args]
        if of.maker is not self or len(params) != len(args) or of.node.args.vararg or of.node.args.defaults:
            raise NotNative("a function is handed over")
        names = ast.Tuple([ast.Name(param, ast.Store()) for param in params], ast.Store())
        with self.naming(names, of.node):
            for name, arg in zip(names.elts, args, strict=True):
                self.bind(name, arg)
            found: Value = self.value(of.node.body)
        return found

    def _for_each(self, of: Value, args: list[Value], at: int, named: dict[str, Value]) -> Value:
        kind = args[at].kind
        assert isinstance(kind, OneOf)

        def branch(one: Known) -> Callable[[], Value]:
            return lambda: self.call(of, [*args[:at], Value(one), *args[at + 1 :]], named)

        return self.cases(args[at].at, [branch(one) for one in kind.values])

    def _call_function(
        self, target: Any, args: list[Value], named: dict[str, Value], others: Value | None = None
    ) -> Value:
        """others: the arguments besides those that have names, as a list; None if they are among the others."""
        function = plain_function(target)
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        rest = [others or self.grouped(args[len(names) :])] if function.__code__.co_flags & inspect.CO_VARARGS else []
        if rest:
            args = args[: len(names)]
        given = dict(zip(names, args, strict=False)) | named
        tree = tree_of(function.__code__)
        asked = names_in(tree).asked
        otherwise = defaults_of(function)
        if len(args) > len(names) or not given.keys() <= set(names):
            raise NotNative(f"the arguments of '{function.__name__}'")
        values = []
        for name in names:
            if name not in given and name not in otherwise:
                raise NotNative(f"the arguments of '{function.__name__}'")
            value = self._handed(given[name]) if name in given else known(otherwise[name])
            values.append(value if name in asked else NOTHING)  # one function serves all that it does not ask
        widely = SHARED.get(function.__qualname__) if _is_ours(function) else None
        if widely is not None:
            name, of = widely
            values[names.index(name)] = self._widely(values[names.index(name)], of)
        values += rest
        made = self.module.function(function, tuple(value.kind for value in values))
        return self._called(made.name, made.result, made.may_fault, values)

    def _handed(self, value: Value) -> Value:
        """A value as it is handed over: bounds of numbers are rounded, so that one function serves many."""
        if isinstance(value.kind, Bits | Span):
            return value
        if value.kind == Row(None):
            return self.new_row(Number(0, 0), 1)
        if isinstance(value.kind, Known) and isinstance(value.kind.value, list):
            return self.listed(value)
        return value

    def _widely(self, value: Value, of: str) -> Value:
        """A number as one of all that are alike: of places where lists lie, of stages, or any; see `SHARED`."""
        bounds = as_number(value.kind)
        if bounds is None or not bounds.plain:
            return value
        low, high = bounds.low, bounds.high
        if of == "place":
            family = self.layout.families[ZONES.name]
            if not 0 <= low <= high < len(family.kinds) or not isinstance(family.kinds[low], Row):
                return value
            low, high = family.like(low, high)
        elif of == "stage":
            low, high = 0, len(self.module.program.stages) - 1
        else:
            low, high = 0 if low >= 0 else -MOST, MOST
        return Value(Number(low, high), (self.number(value)[1],))

    def _called(self, name: str, result: Kind | None, may_fault: bool, values: list[Value]) -> Value:
        pairs = [pair for v in values for pair in zip(parts_of(v.kind), v.parts, strict=True)]
        words = [f"{self.layout.word(part)} {at}" for part, at in pairs]
        if result is None:  # it never comes back
            self.line(f"call void @{name}({', '.join(['ptr %s', *words])})")
            self.may_fault = True
            self.go("stopped")
            self.open_only(self.label())  # nobody gets there, but the rest of the expression has names then
            return Value(Known(None))
        rows = [self.new_row(kind.item).at for kind in rows_of(result)]
        words += [f"ptr {row}" for row in rows]
        kinds = [self.layout.word(part) for part in returned(result)]
        answer = kinds[0] if len(kinds) == 1 else f"{{{', '.join(kinds)}}}" if kinds else "void"
        text = f"call {answer} @{name}({', '.join(['ptr %s', *words])})"
        if kinds:
            found = self.name_of(text)
        else:
            self.line(text)
            found = ""
        if may_fault:
            self.may_fault = True
            fine = self.label()
            code = self.name_of(f"load i64, ptr {self.own('fault')}")
            self.line(f"br i1 {self.name_of(f'icmp eq i64 {code}, 0')}, label %{fine}, label %stopped, !prof !0")
            self.open_only(fine)
        parts = [found]
        if len(kinds) > 1:
            parts = [self.name_of(f"extractvalue {answer} {found}, {at}") for at in range(len(kinds))]
        return Value(result, tuple(_with_rows(result, iter(parts), iter(rows))))

    def give_back(self, value: Value) -> None:
        """Return from the function. Raises NotNative."""
        parts: list[Value] = []
        rows: list[Value] = []
        for leaf in leaves(value):
            if isinstance(leaf.kind, Subsets):
                raise NotNative("sets are given back of a list that is gone by then")
            (rows if isinstance(leaf.kind, Row) else parts).append(leaf)
        for at, leaf in enumerate(rows):
            if leaf.kind != Row(None):
                self.store(leaf, f"%r{at}", leaf.kind)
        self.line_of_return(value.kind, [part for leaf in parts for part in leaf.parts])

    def line_of_return(self, kind: Kind, parts: list[str]) -> None:
        kinds = [self.layout.word(part) for part in returned(kind)]
        if not kinds:
            self.line("ret void")
        elif len(kinds) == 1:
            self.line(f"ret {kinds[0]} {parts[0]}")
        else:
            answer, found = f"{{{', '.join(kinds)}}}", "undef"
            for at, (word, part) in enumerate(zip(kinds, parts, strict=True)):
                found = self.name_of(f"insertvalue {answer} {found}, {word} {part}, {at}")
            self.line(f"ret {answer} {found}")
        self.dead = True

    def text(self) -> str:
        """The whole function."""
        kinds = [self.layout.word(part) for kind in self.param_kinds for part in parts_of(kind)]
        params = ["ptr noalias %s", *(f"{kind} %a{at}" for at, kind in enumerate(kinds))]
        result = Known(None) if self.result is None else self.result
        params += [f"ptr %r{at}" for at in range(len(rows_of(result)))]
        words = [self.layout.word(part) for part in returned(result)]
        answer = words[0] if len(words) == 1 else f"{{{', '.join(words)}}}" if words else "void"
        stopped = "ret void" if not words else f"ret {answer} zeroinitializer" if len(words) > 1 else f"ret {answer} 0"
        kept = runtime.PROBED if self.room < MOST_INLINED else f"noinline {runtime.PROBED}"
        head = f"define internal {answer} @{self.name}({', '.join(params)}) {kept} {{"
        lines = [head, "entry:", *(f"  {name} = alloca {of}, align 16" for name, (of, _) in self.spaces.items())]
        stops = []
        for code in sorted(self.stops):
            stops += [f"stop{code}:", f"  store i64 {code}, ptr {self.own('fault')}", "  br label %stopped"]
        lines += [f"  {name} = {text}" for text, name in self.firsts.items()]
        lines += [*self.lines, *stops]
        return "\n".join([*lines, "stopped:", f"  {stopped}", "}"])

    param_kinds: tuple[Kind, ...]


def rows_of(kind: Kind) -> list[Row]:
    """The lists in what a function gives back: each is laid where the caller says."""
    match kind:
        case Row():
            return [kind]
        case Group(items):
            return [row for item in items for row in rows_of(item)]
        case Maybe(of):
            return rows_of(of)
    return []


def returned(kind: Kind) -> tuple[str, ...]:
    """The parts of what a function gives back, but for lists."""
    match kind:
        case Row():
            return ()
        case Group(items):
            return tuple(part for item in items for part in returned(item))
        case Maybe(of):
            return ("i64", *returned(of))
    return parts_of(kind)


def leaves(value: Value) -> list[Value]:
    """The numbers and lists of which a value consists."""
    match value.kind:
        case Group(items):
            found, at = [], 0
            for kind in items:
                size = len(parts_of(kind))
                found += leaves(Value(kind, value.parts[at : at + size]))
                at += size
            return found
        case Maybe(of):
            return [Value(FLAG, value.parts[:1]), *leaves(Value(of, value.parts[1:]))]
    return [value]


def _with_rows(kind: Kind, parts: Any, rows: Any) -> list[str]:
    match kind:
        case Row():
            return [next(rows)]
        case Group(items):
            return [part for item in items for part in _with_rows(item, parts, rows)]
        case Maybe(of):
            return [next(parts), *_with_rows(of, parts, rows)]
    return [next(parts) for _ in parts_of(kind)]


def _is_ours(target: Any) -> bool:
    return str(getattr(target, "__module__", "")).startswith("interpreter.")
